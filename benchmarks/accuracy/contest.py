"""How long each solver takes to come within a target of the optimum.

First every solver is tried once along its grids of settings, from little effort to much, until it has reached all
targets or a fit takes too long: `seconds_max`, or four times what an earlier solver of the same package needed.
Then the settings that reached a target soonest take turns, so that whatever else the machine does hits all alike.
"""

import random
import resource
import statistics
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

Settings = Dict[str, Any]

# name: error allowed, from the optimum.
TARGETS: Dict[str, Callable[[float], float]] = {
    "1e-2": lambda optimum: 1e-2 * optimum,
    "1e-4": lambda optimum: 1e-4 * optimum,
    "1e-6": lambda optimum: 1e-6 * optimum,
    "1e-6 absolute": lambda optimum: 1e-6,
}


@dataclass
class Trial:
    settings: Settings
    seconds: float
    cpu_seconds: float
    error: float  # F - F*
    nonzeros: int
    details: Dict[str, Any] = field(default_factory=dict)
    in_turn: bool = False

    @property
    def effort(self) -> float:
        """Of a first try, beside which the machine may have done other things."""
        return min(self.seconds, self.cpu_seconds)


@dataclass
class Contestant:
    package: str
    name: str
    fit: Callable[[Settings], Tuple[np.ndarray, Dict[str, Any]]]
    grids: List[List[Settings]]
    trials: List[Trial] = field(default_factory=list)
    failure: str = ""


@dataclass
class Rules:
    objective: Callable[[np.ndarray], float]
    optimum: float
    seconds_max: float  # of one fit, about
    turns_seconds: float  # of all turns together, about
    turns_max: int = 7
    package_seconds: Dict[str, float] = field(default_factory=dict)  # of its best solver so far

    def fit_seconds_max(self, package: str) -> float:
        return min(self.seconds_max, max(0.1, 4 * self.package_seconds.get(package, self.seconds_max)))


def timed(fit: Callable[[], np.ndarray]) -> Tuple[np.ndarray, Dict[str, Any]]:
    """For fits in this process."""
    cpu, start = processor_seconds(), time.perf_counter()
    w = fit()
    seconds = time.perf_counter() - start
    return w, {"seconds": seconds, "cpu_seconds": processor_seconds() - cpu}


def processor_seconds() -> float:
    """Of this process and of those it has waited for: some packages fit in one of their own."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def trial(contestant: Contestant, settings: Settings, rules: Rules, in_turn: bool = False) -> Trial:
    w, details = contestant.fit(settings)
    error = rules.objective(w) - rules.optimum
    check(contestant, error, rules.optimum, details)
    return Trial(settings, details.pop("seconds"), details.pop("cpu_seconds"), error, int(np.count_nonzero(w)),
                 details, in_turn)


def check(contestant: Contestant, error: float, optimum: float, details: Dict[str, Any]) -> None:
    """Nobody is better than the optimum; and what asynprox says of itself is true."""
    who = f"{contestant.package}, {contestant.name}"
    if error < -1e-11:
        raise SystemExit(f"{who}: {-error} below what was taken for the optimum")
    if abs(details.get("objective", optimum + error) - optimum - error) > 1e-11:
        raise SystemExit(f"{who}: says F = {details['objective']}, and it is {optimum + error}")
    if error > details.get("duality_gap", error) + 1e-11:
        raise SystemExit(f"{who}: says F - F* <= {details['duality_gap']}, and it is {error}")


def explore(contestant: Contestant, rules: Rules) -> None:
    """One fit for each setting; a later grid only where the earlier came to its end."""
    goal = min(allowed(rules.optimum) for allowed in TARGETS.values())
    seconds_max = rules.fit_seconds_max(contestant.package)
    try:
        contestant.fit(contestant.grids[0][0])  # compiles what is compiled at the first call
        for grid in contestant.grids:
            for settings in grid:
                last = trial(contestant, settings, rules)
                contestant.trials.append(last)
                if last.error <= goal:
                    known = rules.package_seconds.get(contestant.package, last.effort)
                    rules.package_seconds[contestant.package] = min(known, last.effort)
                    break
                if last.effort > seconds_max / 1.5:  # the next would take longer still
                    return
    except Exception as error:  # of a package of others: the table says so
        contestant.failure = f"{type(error).__name__}: {error}"[:200]


def soonest(contestant: Contestant, target: str, optimum: float) -> List[Trial]:
    """The two trials that reached the target soonest: a single measurement may be off."""
    allowed = TARGETS[target](optimum)
    reached = [one for one in contestant.trials if one.error <= allowed]
    return sorted(reached, key=lambda one: one.effort)[:2]


def take_turns(contestants: List[Contestant], rules: Rules) -> None:
    """Adds trials: of each package's two best solvers for each target, and of each contestant of ours."""
    chosen = {}
    for target in TARGETS:
        for package in dict.fromkeys(one.package for one in contestants):
            able = [(soonest(one, target, rules.optimum), one) for one in contestants if one.package == package]
            able = sorted((pair for pair in able if pair[0]), key=lambda pair: pair[0][0].effort)
            for trials, one in able if package == "asynprox" else able[:2]:
                for best in trials:
                    chosen[(package, one.name, str(best.settings))] = (one, best)
    for one in {id(one): one for one, _ in chosen.values()}.values():
        one.fit(one.grids[0][0])  # compiles, where trying was another process
    share = rules.turns_seconds / max(1, len(chosen))
    turns = {key: int(min(rules.turns_max, max(1, share / best.effort))) for key, (_, best) in chosen.items()}
    shuffle = random.Random(1)
    for turn in range(rules.turns_max):
        order = [key for key in chosen if turns[key] > turn]
        shuffle.shuffle(order)
        for one, best in (chosen[key] for key in order):
            one.trials.append(trial(one, best.settings, rules, in_turn=True))


def times(contestant: Contestant, rules: Rules) -> Dict[str, Dict[str, Any]]:
    """For each target the settings of the least median time, with all that is known of them.

    Of turns, where there were any; else of the first try."""
    found = {}
    for target, allowed in TARGETS.items():
        for in_turn in (True, False):
            by_settings: Dict[str, List[Trial]] = {}
            for one in contestant.trials:
                if one.in_turn == in_turn:
                    by_settings.setdefault(str(one.settings), []).append(one)
            good = [some for some in by_settings.values() if all(one.error <= allowed(rules.optimum) for one in some)]
            if good:
                found[target] = summary(min(good, key=median_seconds))
                break
    return found


def median_seconds(trials: List[Trial]) -> float:
    return statistics.median(one.seconds if one.in_turn else one.effort for one in trials)


def summary(trials: List[Trial]) -> Dict[str, Any]:
    return {"median": median_seconds(trials), "least": min(one.seconds for one in trials), "turns": len(trials),
            **asdict(min(trials, key=lambda one: one.seconds))}

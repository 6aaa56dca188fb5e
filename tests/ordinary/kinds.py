"""Tables as people have them: each function returns a Table made from its own random numbers.

Names of parameters: `n` rows; `label` is what is to be predicted, "number", "sign" (0 or 1),
"count", "class" (text) or "class number" (1 to 3).
"""

import math

from ordinary.tables import Draw, Table, sigmoid

TIME = 1_700_000_000  # a second in November 2023
RARE = [55, 56, 56, 57, 57, 57, 58, 58, 58, 58, 59, 59, 59, 59, 59]  # levels of 1 to 5 rows


def labelled(draw, score, noise, label):
    """A label that depends on a score of order one."""
    if label == "number":
        return round(score + draw.normal(0, noise), 6)
    if label == "sign":
        return draw.sign(2 * score)
    if label == "count":
        return draw.poisson(math.exp(min(3.0, 0.5 + 0.5 * score)))
    place = 0 if score < -0.5 else 2 if score > 0.5 else 1
    return place + 1 if label == "class number" else ("low", "middle", "high")[place]


def houses(n, label="number"):
    """Year of construction, area, rooms and distance; the price in thousands."""
    draw, table = Draw("houses" + label), Table(["year", "area", "rooms", "kilometres", "sold"])
    for _ in range(n):
        year, rooms = draw.integer(1950, 2024), draw.integer(1, 8)
        area = round(20 * rooms + draw.uniform(10, 60), 1)
        far, sold = round(draw.uniform(0.1, 40), 2), draw.integer(2010, 2024)
        worth = 0.02 * (year - 1987) + 0.01 * (area - 130) - 0.03 * (far - 20)
        worth += 0.05 * (sold - 2017)
        price = labelled(draw, worth, 0.4, label)
        table.add([year, area, rooms, far, sold],
                  round(300 + 100 * price, 3) if label == "number" else price)
    return table


def power(n, label="number"):
    """Unix timestamps, the hour, and the consumption at a sensor."""
    draw, table = Draw("power" + label), Table(["timestamp", "hour", "weekday", "temperature"])
    for _ in range(n):
        second = draw.integer(0, 31_536_000)
        hour, weekday = second // 3600 % 24, second // 86_400 % 7
        warm = round(10 - 12 * math.cos(2 * math.pi * second / 31_536_000) + draw.normal(0, 3), 1)
        load = 0.08 * (hour - 12) - 0.08 * (warm - 10) + 2e-8 * (second - 15_768_000)
        table.add([TIME + second, hour, weekday, warm], labelled(draw, load, 0.3, label))
    return table


def weather(n, label="number"):
    """Kelvin, pascal, relative humidity and wind."""
    draw = Draw("weather" + label)
    table = Table(["kelvin", "pascal", "humidity", "wind", "dewpoint"])
    for _ in range(n):
        kelvin, pascal = round(draw.normal(288, 9), 2), round(draw.normal(101325, 900))
        humidity, wind = round(draw.uniform(0.2, 1), 3), round(-4 * math.log(1 - draw.random()), 1)
        dew = round(kelvin - 20 * (1 - humidity) + draw.normal(0, 0.3), 2)
        score = 0.08 * (kelvin - 288) + 2 * (humidity - 0.6) - 0.0004 * (pascal - 101325)
        table.add([kelvin, pascal, humidity, wind, dew], labelled(draw, score, 0.3, label))
    return table


def visits(n, label="count"):
    """Counts of clicks and visits, mostly small and sometimes large."""
    draw, table = Draw("visits" + label), Table(["clicks", "visits", "orders", "returns", "months"])
    for _ in range(n):
        active = math.exp(draw.normal(0, 0.7))
        clicks, seen = draw.poisson(min(400.0, 8 * active)), draw.poisson(3 * active)
        orders, months = draw.poisson(0.6 * active), draw.integer(1, 48)
        score = 0.3 * math.log1p(clicks) + 0.2 * orders - 1 + 0.01 * months
        table.add([clicks, seen, orders, draw.poisson(0.1 * active), months],
                  labelled(draw, score, 0.5, label))
    return table


def money(n, label="number"):
    """Incomes, debts and balances that span six decades."""
    draw, table = Draw("money" + label), Table(["income", "debt", "balance", "rent", "fees"])
    for _ in range(n):
        size = draw.uniform(2, 8)
        amounts = [round(10 ** (size + draw.normal(0, 0.3) - below), 2)
                   for below in (0, 1, 1.5, 2, 3)]
        amounts[2] = amounts[2] if draw.chance(0.8) else -amounts[2]
        score = 0.4 * (size - 5) + (0.5 if amounts[2] < 0 else 0)
        table.add(amounts, labelled(draw, score, 0.3, label))
    return table


def customers(n, label="sign", rare=None):
    """Age, income and a timestamp together, unscaled; `rare`: the share of positive labels."""
    draw, table = Draw("customers" + label + str(rare)), Table(["age", "income", "since", "calls"])
    for _ in range(n):
        age, income = draw.integer(18, 90), round(math.exp(draw.normal(10.3, 0.8)))
        since, calls = TIME - draw.integer(0, 200_000_000), draw.poisson(1.5)
        score = 0.03 * (age - 50) - 0.5 * (math.log(income) - 10.3) + 0.3 * (calls - 1.5)
        if rare is not None:
            outcome = 1 if draw.chance(min(1.0, 2 * rare * sigmoid(2 * score))) else 0
        else:
            outcome = labelled(draw, score, 0.5, label)
        table.add([age, income, since, calls], outcome)
    return table


def levels(n, label="number"):
    """One-hot columns of three variables, as LIBSVM text: levels with 1 to 5 rows among them."""
    draw, table = Draw("levels" + label), Table([], sparse=True)
    effects = [round(draw.normal(), 3) for _ in range(60)]
    for i in range(n):
        place, offset = divmod(i, n // len(RARE))
        shop = RARE[place] if offset == 0 and place < len(RARE) else draw.integer(1, 54)
        city = 61 + min(11, int(-2.5 * math.log(1 - draw.random())))
        size = round(draw.normal(2, 1), 3)
        score = effects[shop - 1] + 0.1 * (city - 63) + 0.5 * (size - 2)
        table.add([(shop, 1), (city, 1), (73, size)], labelled(draw, score, 0.5, label))
    return table


def dummies(n, label="number"):
    """All five dummy columns of a factor, which sum to one, beside three numbers."""
    draw = Draw("dummies" + label)
    table = Table(["a", "b", "c", "d", "e", "x", "y", "z"])
    for _ in range(n):
        level, x = draw.integer(0, 4), [round(draw.normal(), 4) for _ in range(3)]
        score = 0.4 * (level - 2) + x[0] - 0.5 * x[1]
        table.add([1 if level == j else 0 for j in range(5)] + x, labelled(draw, score, 0.3, label))
    return table


def copies(n, label="number"):
    """Three columns, each of them there twice, one also in other units."""
    draw = Draw("copies" + label)
    table = Table(["a", "b", "c", "a_again", "b_again", "c_again", "a_in_grams"])
    for _ in range(n):
        x = [round(draw.normal(5, 2), 4) for _ in range(3)]
        score = 0.3 * (x[0] - 5) - 0.2 * (x[1] - 5)
        table.add([*x, *x, round(1000 * x[0], 1)], labelled(draw, score, 0.3, label))
    return table


def collinear(n, label="number"):
    """Eight columns of rank four but for noise of 1e-3."""
    draw, table = Draw("collinear" + label), Table(["c{}".format(j) for j in range(8)])
    mix = [[draw.normal() for _ in range(4)] for _ in range(8)]
    for _ in range(n):
        x = [draw.normal() for _ in range(4)]
        row = [round(sum(a * b for a, b in zip(m, x)) + draw.normal(0, 1e-3), 6) for m in mix]
        table.add(row, labelled(draw, 0.7 * x[0] - 0.5 * x[1], 0.3, label))
    return table


def curve(n, degree, label="number", low=0.0, high=10.0):
    """Raw powers of one variable."""
    draw = Draw("curve{}{}".format(degree, label))
    table = Table(["x{}".format(power) for power in range(1, degree + 1)])
    for _ in range(n):
        x = round(draw.uniform(low, high), 3)
        t = 2 * (x - low) / (high - low) - 1
        score = 1.5 * t - 2 * t ** 2 + 0.8 * t ** 3
        table.add([round(x ** k, 6) for k in range(1, degree + 1)],
                  labelled(draw, score, 0.2, label))
    return table


def surface(n, label="number"):
    """All raw powers of two variables up to the fourth degree."""
    draw = Draw("surface" + label)
    powers = [(i, k - i) for k in range(1, 5) for i in range(k, -1, -1)]
    table = Table(["a{}b{}".format(*power) for power in powers])
    for _ in range(n):
        a, b = round(draw.uniform(0, 10), 2), round(draw.uniform(1, 5), 2)
        score = 0.2 * (a - 5) - 0.05 * (a - 5) ** 2 + 0.3 * (b - 3) * (a - 5) / 5
        table.add([round(a ** i * b ** j, 6) for i, j in powers], labelled(draw, score, 0.2, label))
    return table


def lags(n, count, label="number", level=100.0):
    """The last values of a time series around `level`, newest first."""
    draw = Draw("lags{}".format(label))
    series = [level] * count
    table = Table(["lag{}".format(j) for j in range(1, count + 1)])
    for _ in range(n):
        past = series[:-count - 1:-1]
        value = round(level + 1.2 * (past[0] - level) - 0.3 * (past[1] - level)
                      + draw.normal(0, 3), 2)
        table.add(past, value if label == "number" else 1 if value > past[0] else 0)
        series.append(value)
    return table


def plain(n, d, label="number", name="", informative=5, noise=0.3, zeros=(), constants=()):
    """Normal columns; those in `zeros` are all zero, those in `constants` all 7."""
    draw = Draw("plain{}{}{}{}".format(n, d, label, name))
    table = Table(["v{}".format(j) for j in range(d)])
    for _ in range(n):
        row = [0 if j in zeros else 7 if j in constants else round(draw.normal(), 4)
               for j in range(d)]
        used = [j for j in range(d) if j not in zeros and j not in constants][:informative]
        score = sum((1 if j % 2 else -1) * 0.6 * row[j] for j in used)
        table.add(row, labelled(draw, score, noise, label))
    return table


def separable(n):
    """Two classes with an empty strip between them."""
    draw, table = Draw("separable"), Table(["u", "v", "w"])
    for _ in range(n):
        side = 1 if draw.chance(0.5) else -1
        u, v = draw.normal(0, 2), draw.normal()
        beyond = side * (1 + abs(draw.normal()))
        table.add([round(u, 4), round(beyond - 0.5 * u, 4), round(v, 4)], 1 if side > 0 else 0)
    return table


def million(n, label="number"):
    """A column of 10^6 plus noise, beside two of order one."""
    draw, table = Draw("million" + label), Table(["counter", "a", "b"])
    for _ in range(n):
        x = [draw.normal() for _ in range(3)]
        table.add([round(1e6 + x[0], 3), round(x[1], 4), round(x[2], 4)],
                  labelled(draw, 0.8 * x[0] - 0.5 * x[1], 0.3, label))
    return table


def words(n, d, label="sign"):
    """Word counts of short texts: few words per row, most words rare; LIBSVM text."""
    draw, table = Draw("words" + label), Table([], sparse=True)
    effects = [draw.normal() if draw.chance(0.1) else 0 for _ in range(d)]
    for _ in range(n):
        counts = {}
        for _ in range(draw.integer(5, 40)):
            word = min(d - 1, int(d ** draw.random()) - 1)
            counts[word] = counts.get(word, 0) + 1
        score = 0.5 * sum(effects[word] * count for word, count in counts.items())
        row = [(word + 1, count) for word, count in sorted(counts.items())]
        table.add(row, labelled(draw, score, 0.5, label))
    return table


def rare_flags(n, label="number"):
    """Twenty common binary columns, and ten that occur in the same few rows."""
    draw, table = Draw("rare_flags" + label), Table([], sparse=True)
    for i in range(1, n + 1):
        flags = [j for j in range(1, 21) if draw.chance(0.2)]
        score = sum(j % 5 - 2 for j in flags)
        rare = list(range(21, 31)) if i % (n // 4) == 0 else []
        if label == "number":
            outcome = round(3 + score + draw.random(), 6)
        else:
            outcome = draw.poisson(math.exp(min(3.0, 0.2 * score)) + (3 if rare else 0))
        table.add([(j, 1) for j in flags + rare], outcome)
    return table


def mixture(n):
    """Readings of six sensors, and a signal that is a convex combination of them."""
    draw, table = Draw("mixture"), Table(["s{}".format(j) for j in range(6)])
    shares = [0.5, 0.3, 0.2, 0, 0, 0]
    for _ in range(n):
        base = draw.normal(20, 3)
        row = [round(base + draw.normal(0, 2), 3) for _ in range(6)]
        table.add(row, round(sum(s * v for s, v in zip(shares, row)) + draw.normal(0, 0.5), 4))
    return table


def weighted(table, name):
    """The same table with a weight per row between 0 and 10; some rows have none."""
    draw = Draw("weights" + name)
    table.weights = [0 if draw.chance(0.05) else round(10 ** draw.uniform(-1, 1), 3)
                     for _ in table.rows]
    return table

"""A local cluster is on loopback only, and takes no strangers; what it prints is next to nothing."""

import json
import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("ray", reason="needs Ray: pip install 'asynprox[ray]'")

SCRIPT = """
import json, os, subprocess, sys
import numpy as np
import asynprox as ap

X = np.random.default_rng(0).standard_normal((500, 5))
seen = {}

def look(progress):
    if seen:
        return
    seen["listening"] = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True, check=True).stdout
    import ray
    address = ray.get_runtime_context().gcs_address
    stranger = "import ray; ray.init(address=sys.argv[1], log_to_driver=False)"
    environment = {**os.environ, "RAY_AUTH_TOKEN": "0" * 64, "RAY_gcs_rpc_server_connect_timeout_s": "2"}
    tried = subprocess.run([sys.executable, "-c", "import sys; " + stranger, address], env=environment, capture_output=True, text=True)
    seen["stranger"], seen["words"] = tried.returncode, tried.stderr[-2000:]

result = ap.ray.minimize(X, X[:, 0], workers=2, loss="squared", method="asyn-prox-sgd", step="constant:0.1", steps=200, batch_size=20, tolerance=0, callback=look)
json.dump({**seen, "stop": result.stop_reason}, open(sys.argv[1], "w"))
"""


def test_nothing_listens_beyond_loopback_and_strangers_are_refused(tmp_path):
    unshare, ss, ip = (shutil.which(name) for name in ("unshare", "ss", "ip"))
    if not (unshare and ss and ip) or subprocess.run([unshare, "-n", "true"], capture_output=True).returncode:
        pytest.skip("needs ss, ip, and the right to make a network namespace")
    script, found = tmp_path / "script.py", tmp_path / "found.json"
    script.write_text(SCRIPT)
    command = f"{ip} link set lo up && exec {sys.executable} {script} {found}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    run = subprocess.run(
        [unshare, "-n", "sh", "-c", command], capture_output=True, text=True, env=environment, timeout=180
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(found.read_text())
    addresses = [line.split()[3].rpartition(":")[0].strip("[]") for line in seen["listening"].splitlines()]
    assert len(addresses) >= 5
    assert all(address in ("127.0.0.1", "::1", "::ffff:127.0.0.1") for address in addresses), addresses
    assert seen["stranger"] != 0
    assert "token" in seen["words"].lower()
    assert seen["stop"] == "step_limit"
    assert len((run.stdout + run.stderr).splitlines()) <= 1

# test-horovod.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""horovod.tensorflow: one rank has everything already; two, where OpenMPI's mpirun is there, add up. What is expected
is worked out here with numpy."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

import numpy as np

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "horovod_ranks.py")


def run(n_ranks):
    command = [sys.executable, "-m", "flowstep", SCRIPT]
    if n_ranks > 1:
        command = ["mpirun", "--oversubscribe", "-np", str(n_ranks)] + command
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, cwd=folder, env=env, timeout=200)
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    # mpirun may put what two ranks say on one line.
    seen = [json.JSONDecoder().raw_decode(text)[0] for text in done.stdout.decode().split("SEEN ")[1:]]
    assert len(seen) == n_ranks, done.stdout
    return sorted(seen, key=lambda one: one["rank"])


def adagrad(value, grad):
    return value - 0.5 * grad / np.sqrt(1.0 + grad * grad)


def check(n):
    ranks = run(n)
    # Each rank's mean over its rows of x is its number + 1; the gradients are averaged.
    w = adagrad(np.array([1.0, 2.0]), np.full(2, np.mean([r + 1.0 for r in range(n)])))
    table_grad = np.zeros([4, 2])
    for r in range(n):
        table_grad[r] += 1.0 / n
        table_grad[2] += 1.0 / n
    for r, seen in enumerate(ranks):
        assert seen["early"] == "Horovod has not been initialized; use hvd.init().", seen["early"]
        assert (seen["rank"], seen["size"], seen["local"]) == (r, n, [r, n]), seen
        assert seen["begun"] == [1.0, 2.0], "the variables of rank 0"
        np.testing.assert_allclose(seen["w"], w, rtol=1e-6)
        np.testing.assert_allclose(seen["table"], adagrad(np.ones([4, 2]), table_grad), rtol=1e-6)
        assert seen["rows"] == [[float(q)] * 2 for q in range(n) for _ in range(q + 1)]
        count = sum(q + 1 for q in range(n))
        assert seen["total"] == [float(count), 2.0 * count]
        assert seen["halves"] == [count / n, 2.0 * count / n]
        assert seen["counts"] == [[sum(range(n)), 7 * n]] * 3
        assert seen["back"] == [[2.0 * n] * 2] * (r + 1)
        if n == 1:
            assert seen["uneven"] is None
        else:
            assert seen["uneven"] == ("Mismatched allreduce tensor shapes: One rank sent a tensor of shape [2, 3], but another "
                                      "rank sent a tensor of shape [2, 4]."), seen["uneven"]
        assert set(seen["ops"]) >= {"HorovodBroadcast_w_0", "HorovodBroadcast_table_0"}, seen["ops"]


def main():
    print("1..2")
    failed = False
    for i, n in enumerate((1, 2), 1):
        name = "%d-rank%s" % (n, "s" if n > 1 else "")
        if n > 1 and shutil.which("mpirun") is None:
            print("ok %d %s # SKIP OpenMPI, which is optional, is not there" % (i, name))
            continue
        try:
            check(n)
            print("ok %d %s" % (i, name))
        except Exception:
            failed = True
            print("not ok %d %s" % (i, name))
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
    sys.exit(failed)


if __name__ == "__main__":
    main()

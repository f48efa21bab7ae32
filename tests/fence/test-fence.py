#!/usr/bin/env python3
# test-fence.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The include fence: what a room may not include does not compile in it, what it may does.

Takes each room's own compiler command from the build, and only looks for headers with it.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2])
# Ground floor first; neighbours on a floor do not know each other.
FLOORS = [["base"], ["tensor"], ["graph"], ["formats", "checkpoint"], ["kernels"], ["session"], ["debugger"], ["link"]]


def command_for(folder):
    """The compiler and its -I of a source file that lies in the folder."""
    for row in json.loads((BUILD / "compile_commands.json").read_text()):
        file = (BUILD / row["file"]).resolve()
        if file.parent == SOURCE / folder and file.suffix == ".c":
            words = shlex.split(row["command"])
            words = [w for w in words if not w.endswith("ccache")]
            return words[:1] + [w for w in words if w.startswith(("-I", "-std", "-D"))]
    return None


def compiles(command, header):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
        f.write('#include "%s"\n' % header)
        f.flush()
        done = subprocess.run(command + ["-M", f.name], cwd=BUILD, capture_output=True, text=True)
    if done.returncode != 0 and header not in done.stderr.split("fatal error:")[-1]:
        raise SystemExit("Bail out! " + done.stderr)
    return done.returncode == 0


def public_header(room):
    return sorted((SOURCE / "engine" / "api" / room).glob("*.h"))[0].name


def cases():
    for floor, rooms in enumerate(FLOORS):
        for room in rooms:
            yield "engine/" + room, public_header("base"), True
            for other_floor, others in enumerate(FLOORS):
                for other in others:
                    if other != room and other_floor >= floor:
                        yield "engine/" + room, public_header(other), False
            yield "engine/" + room, "flow-canvas.h", False
    for folder, header in (("ui/canvas", "flow-graph-private.h"), ("ui/outline", "flow-session-private.h"),
                           ("ui/outline", "flow-window.h"), ("ui/layout", "flow-canvas.h"),
                           ("app", "flow-run-private.h"), ("app/cli", "flow-canvas.h")):
        yield folder, header, False


n = bad = 0
for folder, header, allowed in cases():
    if folder.startswith(("ui", "app")) and command_for(folder) is None:
        continue
    n += 1
    good = compiles(command_for(folder), header) == allowed
    bad += not good
    print("%sok %d %s %s %s" % ("" if good else "not ", n, folder, "may include" if allowed else "may not include", header))
print("1..%d" % n)

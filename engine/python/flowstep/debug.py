# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""A script under a window: its runs go through the debugger, its graphs are shown as they grow, and what a person types
is evaluated where the script stands. The link itself is served by a thread of the engine, which never calls Python."""

import ast
import contextlib
import ctypes
import gc
import io
import linecache
import os
import signal
import sys
import sysconfig
import threading
import time
import traceback
import weakref

# A graph that grows is shown at most this often, and no more than a tenth of the time goes into it.
_SHOW_EVERY = 0.1
_SHOW_SHARE = 10
_WAIT_MS = 200

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _library_folders():
    names = {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return tuple(sorted(os.path.abspath(n) + os.sep for n in names if n)) + ("/usr/lib/python3/",)


_LIBRARIES = _library_folders()


def _is_own(name):
    """Whether a file is the script's, not Python's, a package's or ours."""
    return not name.startswith(_LIBRARIES) and not name.startswith(_PACKAGE) and not name.startswith("<frozen")


class _Sources:
    """Where the nodes of a graph were made: frames and stacks once, per node only a number."""

    def __init__(self):
        self.files, self.functions, self.frames, self.stacks = {}, {}, {}, {}
        self.nodes = []

    def _frame(self, frame):
        name, line, function = frame
        key = (self.files.setdefault(os.path.abspath(name) if not name.startswith("<") else name, len(self.files)), line,
               self.functions.setdefault(function, len(self.functions)))
        return self.frames.setdefault(key, len(self.frames))

    def extend(self, stacks, count):
        for index in range(len(self.nodes), count):
            frames = stacks.get(index, ())
            own = [f for f in frames if _is_own(f[0])]
            rest = [f for f in frames if not _is_own(f[0]) and not f[0].startswith(_PACKAGE)]
            key = tuple(self._frame(f) for f in own + rest)
            self.nodes.append(self.stacks.setdefault(key, len(self.stacks)))

    def variant(self, glib):
        def numbers(values):
            return glib.Variant.new_from_bytes(glib.VariantType("au"),
                                               glib.Bytes.new(bytes((ctypes.c_uint32 * len(values))(*values))), True)
        return glib.Variant.new_tuple(
            glib.Variant("as", list(self.files)), glib.Variant("as", list(self.functions)),
            glib.Variant("a(uuu)", list(self.frames)), glib.Variant("aau", [list(s) for s in self.stacks]),
            numbers(self.nodes))


class _Shown:
    """What the window knows of a graph of the script."""

    def __init__(self, debugger, graph, number):
        self.number, self.label = number, "Graph %d" % number
        self.graph = weakref.ref(graph)
        self.flow = None
        self.told = False
        self.changes = 0
        self.collected = None
        self.sources = _Sources()
        weakref.finalize(graph, debugger._gone, self)


class _KnownSession:
    """What the window knows of a session of the script."""

    def __init__(self, number, graph):
        self.number, self.graph, self.label = number, graph, "Session %d" % number
        frame = _own_frame(sys._getframe(2))
        self.made = ""
        if frame is not None:
            within = frame.f_code.co_name
            holder = frame.f_locals.get("self")
            if holder is not None:
                within = "%s.%s" % (type(holder).__name__, within)
            self.made = "%s:%d%s" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno,
                                     "" if within == "<module>" else " in " + within)


class _Input(io.TextIOBase):
    """Standard input of a script that no terminal gives any: a person types it in the window."""

    encoding, name = "utf-8", "<stdin>"

    def __init__(self, flow):
        self._flow, self._rest = flow, ""

    def readable(self):
        return True

    def readline(self, size=-1):
        line = self._rest
        while not line:
            line = self._flow.wait_input(_WAIT_MS)
            if line == "":
                return ""
        cut = len(line) if size is None or size < 0 else size
        self._rest = line[cut:]
        return line[:cut]

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def read(self, size=-1):
        parts, left = [], -1 if size is None else size
        while left != 0:
            part = self.readline(left)
            if not part:
                break
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return "".join(parts)


def _stdin_is_empty():
    """Whether nothing stands behind standard input, so that the window may."""
    try:
        return os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev
    except OSError:
        return True


class Debugger:
    """The script's side: graphs and runs come in here."""

    def __init__(self, fd):
        from flowstep.tensorflow.framework import _engine
        from flowstep.tensorflow.framework import graph as graph_lib
        from flowstep.tensorflow.sessions import session as session_lib
        self._flow_lib, self._glib, self._graph_lib = _engine.Flow, _engine.GLib, graph_lib
        self._flow = _engine.Flow.link_serve_script(fd)
        _engine.Flow.diagnose_serve(self._flow.get_local())
        self._lock = threading.RLock()
        self._shown = weakref.WeakKeyDictionary()
        self._n_graphs = 0
        self._sessions, self._n_sessions = weakref.WeakKeyDictionary(), 0
        self._stack, self._stack_is_new = None, False
        self._next_show = 0.0
        self._waiting = None
        self._local = threading.local()
        self._is_interruptible = False
        self._flush = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(self._flush_pending)
        graph_lib._watcher = self
        session_lib._runner = self

    # -- graphs

    def op_made(self, graph):
        """Called after each op."""
        if time.monotonic() >= self._next_show:
            self.show(graph)
        else:
            self._waiting = graph

    def graph_reset(self):
        # What waits to be shown would keep its graph.
        if self._waiting is not None:
            self.show(self._waiting)
        gc.collect()
        for graph, shown in list(self._shown.items()):
            if shown.told:
                self._tell(shown, graph, None, None)
        self.stack_changed()

    def stack_changed(self):
        """Called whenever another graph is the default one: told when something is shown, or nothing for a while."""
        self._stack_is_new = True

    def _tell_stack(self):
        self._stack_is_new = False
        graphs = [g for g in self._graph_lib._stack()[::-1] + self._graph_lib._global if g is not None]
        numbers = [self._shown[g].number if g in self._shown and self._shown[g].told else 0 for g in graphs]
        if numbers != self._stack:
            self._stack = numbers
            self._flow.set_stack(self._glib.Variant("au", numbers))

    def _flags(self, graph):
        flags = self._flow_lib.ScriptGraphFlags(0)
        if getattr(graph, "_was_reset", False) and graph is not self._graph_lib._global[0]:
            flags |= self._flow_lib.ScriptGraphFlags.CLEARED
        return flags

    def _tell(self, shown, graph, flow, sources):
        is_default = graph is self._graph_lib._global[0]
        if is_default:
            graph._was_default = True
        elif getattr(graph, "_was_default", False):
            graph._was_reset = True
        shown.told = True
        self._flow.show_graph(shown.number, shown.label, self._flags(graph), flow, sources)

    def _gone(self, shown):
        self._flow.show_graph(shown.number, shown.label, self._flow_lib.ScriptGraphFlags.GONE, None, None)

    def _find(self, graph):
        shown = self._shown.get(graph)
        if shown is None:
            self._n_graphs += 1
            shown = self._shown[graph] = _Shown(self, graph, self._n_graphs)
        return shown

    def show(self, graph, exactly=False):
        """The window gets what was added since; with exactly also what was changed."""
        if graph.building_function:
            return None
        with self._lock:
            began = time.monotonic()
            builder, shown = graph._builder, self._find(graph)
            changes = builder.get_n_changes()
            if shown.flow is None or (exactly and changes != shown.changes):
                shown.flow, shown.changes = self._flow_lib.Graph.new(), changes
            before = shown.flow.get_n_nodes()
            try:
                builder.extend_picture(shown.flow)
            except self._glib.Error:
                # What the graph is to be in the end is not wrong yet.
                return shown
            count = shown.flow.get_n_nodes()
            collected = exactly and self._collect(graph, shown)
            if count != before or collected:
                shown.sources.extend(graph._stacks, count)
                self._tell(shown, graph, shown.flow, shown.sources.variant(self._glib))
                self._stack_is_new = True
            if self._stack_is_new:
                self._tell_stack()
            self._waiting = None
            now = time.monotonic()
            self._next_show = now + max(_SHOW_EVERY, _SHOW_SHARE * (now - began))
            return shown

    def _show_all(self):
        """Every graph as it stands when the script has nothing more to say for now."""
        waiting = [self._waiting] if self._waiting is not None else []
        for graph in list(self._shown) + waiting:
            self.show(graph, exactly=True)

    def _collect(self, graph, shown):
        """Collections as they stand at a run. Whether they have changed since they were last told."""
        from flowstep.tensorflow.saving import meta_graph
        from flowstep.tensorflow.framework import proto
        now = (shown.flow, {key: tuple(map(id, items)) for key, items in graph._collections.items()})
        if now == shown.collected:
            return False
        shown.collected = now
        meta = proto.MetaGraphDef()
        meta_graph.add_collections(meta, graph)
        self._flow.set_collections(shown.flow, self._glib.Bytes.new(meta.SerializeToString()))
        return True

    def _flush_pending(self, _):
        graph = self._waiting
        if graph is not None:
            self.show(graph)
        elif self._stack_is_new:
            self._tell_stack()
        return 0

    def _watch(self):
        """What was made last is shown as well, when the script does something else for a while."""
        while True:
            time.sleep(2 * _SHOW_EVERY)
            if (self._waiting is not None or self._stack_is_new) and time.monotonic() >= self._next_show:
                # Between two instructions of the main thread, never within a call into the engine.
                ctypes.pythonapi.Py_AddPendingCall(self._flush, None)

    # -- runs

    def session_made(self, session):
        """Called when a session is made, wherever a script hides it, and when it has something to look at."""
        known = self._sessions.get(session)
        if known is None:
            with self._lock:
                self._n_sessions += 1
                known = self._sessions[session] = _KnownSession(self._n_sessions, self._find(session.graph).number)
            weakref.finalize(session, self._tell_session, known, None, self._flow_lib.ScriptSessionFlags.GONE)
        self._tell_session(known, session._engine, self._flow_lib.ScriptSessionFlags(0))
        return known

    def session_closed(self, session):
        known = self._sessions.get(session)
        if known is not None:
            self._tell_session(known, None, self._flow_lib.ScriptSessionFlags.CLOSED)

    def _tell_session(self, known, engine, flags):
        self._flow.show_session(known.number, known.label, known.graph, known.made, flags, engine)

    def _about(self, session, shown, frame):
        known = self._sessions.get(session) or self.session_made(session)
        variant = self._glib.Variant
        return variant("a{sv}", {
            "graph": variant("u", shown.number if shown else 0),
            "session": variant("s", known.label),
            "thread": variant("s", threading.current_thread().name),
            "file": variant("s", os.path.abspath(frame.f_code.co_filename) if frame else ""),
            "line": variant("u", frame.f_lineno if frame else 0),
            "console": variant("b", getattr(self._local, "evaluates", False)),
        })

    def run(self, session, engine, feeds, values, fetches, targets, timeout):
        """Session.run: as the engine's, but for what a person says meanwhile."""
        from flowstep.tensorflow.operators import script_ops
        shown = self.show(session.graph, exactly=True)
        frame = _own_frame(sys._getframe(1))
        about = self._about(session, shown, frame)
        if script_ops.is_called():
            return self._flow.run_within(engine, about, feeds, values, fetches, targets, timeout, session._cancellable)
        number = self._flow.begin_run(engine, about, feeds, values, fetches, targets, timeout, session._cancellable)
        while True:
            news = self._flow.wait(number, _WAIT_MS)
            if news == self._flow_lib.ScriptNews.DONE:
                return self._flow.take_values(number)
            if news == self._flow_lib.ScriptNews.CONSOLE and frame is not None:
                self._evaluate(frame.f_globals, frame.f_locals)

    # -- console

    def _evaluate(self, names, local_names):
        text = self._flow.take_console()
        if text is None:
            return
        output = io.StringIO()
        self._local.evaluates = True
        try:
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), self._interruptible():
                _execute(text, names, local_names)
        except BaseException as error:
            _print_exception(error, output)
        finally:
            self._local.evaluates = False
        self._show_all()
        self._flow.answer_console(output.getvalue().rstrip("\n"))

    # -- from the beginning to the end

    @contextlib.contextmanager
    def _interruptible(self):
        """Where a Stop raises KeyboardInterrupt: in what a person wrote. What comes after it (its error told, the wait for the
        window) must not be torn, as a Stop that also cancels a run may arrive when that has ended the script already."""
        before, self._is_interruptible = self._is_interruptible, True
        try:
            yield
        finally:
            self._is_interruptible = before

    def _interrupted(self, number, frame):
        if self._is_interruptible:
            signal.default_int_handler(number, frame)

    def execute(self, run):
        """Runs the script when the window is ready, and stays until it is gone; the exit code."""
        while True:
            news = self._flow.wait_begin(_WAIT_MS)
            if news == self._flow_lib.ScriptNews.CLOSED:
                return 1
            if news == self._flow_lib.ScriptNews.DONE:
                break
        threading.Thread(target=self._watch, daemon=True).start()
        if _stdin_is_empty():
            sys.stdin = _Input(self._flow)
        code, error, names = 0, None, sys.modules["__main__"].__dict__
        try:
            with self._interruptible():
                signal.signal(signal.SIGINT, self._interrupted)
                try:
                    run()
                finally:
                    # The script may have set another.
                    signal.signal(signal.SIGINT, self._interrupted)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            if end.code is not None and not isinstance(end.code, int):
                print(end.code, file=sys.stderr)
        except BaseException as raised:
            code, error = 1, raised
            _print_exception(raised, sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        self._show_all()
        self._end(error)
        frame = _last_own_frame(error)
        if frame is not None:
            names, local_names = frame.f_globals, frame.f_locals
        else:
            names = local_names = getattr(run, "names", None) or names
        while True:
            news = self._flow.wait(0, _WAIT_MS)
            if news == self._flow_lib.ScriptNews.CLOSED:
                return code
            if news == self._flow_lib.ScriptNews.CONSOLE:
                self._evaluate(names, local_names)

    def _end(self, error):
        if error is None:
            self._flow.end(None, None, 0)
            return
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        frame = None
        for summary in traceback.extract_tb(error.__traceback__):
            if _is_own(summary.filename):
                frame = summary
        self._flow.end(text, os.path.abspath(frame.filename) if frame else None, frame.lineno if frame else 0)


def _own_frame(frame):
    """The innermost frame of the script itself, else the innermost outside this package."""
    first = None
    while frame is not None:
        name = frame.f_code.co_filename
        if _is_own(name):
            return frame
        if first is None and not name.startswith(_PACKAGE):
            first = frame
        frame = frame.f_back
    return first


def _last_own_frame(error):
    found, step = None, error.__traceback__ if error is not None else None
    while step is not None:
        if _is_own(step.tb_frame.f_code.co_filename):
            found = step.tb_frame
        step = step.tb_next
    return found


def _execute(text, names, local_names):
    """As Python's own prompt: what is an expression at the end shows its value."""
    linecache.cache["<console>"] = (len(text), None, text.splitlines(True), "<console>")
    tree = ast.parse(text, "<console>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<console>", "exec"), names, local_names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<console>", "eval"), names, local_names)
        if value is not None:
            print(repr(value))


def _print_exception(error, where):
    """Without the frames that only lead into the script."""
    step = error.__traceback__
    while step is not None and not _is_own(step.tb_frame.f_code.co_filename):
        step = step.tb_next
    traceback.print_exception(type(error), error, step if step is not None else error.__traceback__, file=where)


_debugger = None


def graph(number):
    """A graph of the script by the number under which the window shows it."""
    for known, shown in list(_debugger._shown.items()):
        if shown.number == number:
            return known
    raise KeyError("The script has no graph %d." % number)


def show(changed):
    """The window gets what was added to a graph."""
    _debugger.show(changed)


def main(fd, run):
    """Runs the script with a window at the other end of fd."""
    global _debugger
    # The socket is the link's: what the script starts must not keep it open.
    os.set_inheritable(fd, False)
    _debugger = Debugger(fd)
    code = _debugger.execute(run)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)

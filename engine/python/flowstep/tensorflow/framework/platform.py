# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.app and tf.flags."""

import argparse
import re
import sys


class Error(Exception):
    """What is wrong with flags."""


class DuplicateFlagError(Error):
    """A flag that is there already."""


class IllegalFlagValueError(Error):
    """A value that a flag does not take."""


class UnrecognizedFlagError(Error):
    """A flag that nobody defined."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        told = re.fullmatch(r"argument --(.*): expected one argument", message)
        raise Error("Missing value for flag --%s" % told.group(1) if told else message)


def _distance(a, b):
    """How many letters have to go, come, change or trade places with the next one to make b of a."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            least = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, rows[-2][j - 2] + (x != y))
            row.append(least)
        rows.append(row)
    return rows[-1][-1]


def _alike(attempt, names):
    """The names that begin most like an attempt, where they are not too far from it."""
    if len(attempt) <= 2 or not names:
        return []
    found = sorted((_distance(attempt, name[:len(attempt)]), name) for name in names)
    least = found[0][0]
    return [name for distance, name in found if distance == least] if least < 0.5 * len(attempt) else []


class _Flags:
    """tf.flags.FLAGS: values by name, read from the command line when first asked for."""

    def __init__(self):
        self.__dict__.update(_parser=_Parser(add_help=True, allow_abbrev=False), _values=None, _set={}, _required=[])

    def _parse(self, argv=None):
        known, rest = self._parser.parse_known_args(sys.argv[1:] if argv is None else argv[1:])
        self.__dict__["_values"] = vars(known)
        self._values.update(self._set)
        return [(sys.argv if argv is None else argv)[0]] + rest

    def __call__(self, argv, known_only=False):
        rest = self._parse(argv)
        for item in () if known_only else rest[1:]:
            if item.startswith("--"):
                name = item[2:].partition("=")[0]
                alike = _alike(name, list(self))
                raise UnrecognizedFlagError("Unknown command line flag '%s'%s" % (
                    name, ". Did you mean: %s ?" % ", ".join(alike) if alike else ""))
        for name in self._required:
            if self._values[name] is None:
                raise IllegalFlagValueError("flag --%s=None: Flag --%s must have a value other than None." % (name, name))
        return rest

    def __getattr__(self, name):
        # TF: what absl keeps its flags in, which scripts go through to print them.
        if name == "__flags":
            return {flag: self[flag] for flag in self}
        if name.startswith("__"):
            raise AttributeError(name)
        if self._values is None or name not in self._values:
            self._parse()
        if name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __setattr__(self, name, value):
        self._set[name] = value
        if self._values is not None:
            self._values[name] = value

    def __getitem__(self, name):
        """The flag itself, with what it is by default."""
        for action in self._parser._actions:
            if action.dest == name:
                return _Flag(name, action, self)
        raise KeyError(name)

    def __contains__(self, name):
        return any(name == action.dest for action in self._parser._actions)

    def __iter__(self):
        self._parse()
        return iter(self._values)

    def flag_values_dict(self):
        self._parse()
        return dict(self._values)

    def is_parsed(self):
        return self._values is not None

    def mark_as_parsed(self):
        self._parse()


class _Flag:
    """One flag: its value now, and what is known of it."""

    def __init__(self, name, action, flags):
        self.name, self.default, self.help, self._flags = name, action.default, action.help, flags

    value = property(lambda self: getattr(self._flags, self.name))


FLAGS = _Flags()


def _taken(name, kind):
    """The value of a text, or what the flag has against it."""
    def parse(text):
        try:
            return kind(text)
        except ValueError as error:
            raise IllegalFlagValueError("flag --%s=%s: %s" % (name, text, error)) from None
    return parse


def _bounded(kind, article, what, lower, upper):
    """Numbers within bounds; what is outside is told by what it should have been."""
    if lower is not None and upper is not None:
        wanted = "%s %s in the range [%s, %s]" % (article, what, lower, upper)
    else:
        signs = {(0, None): "a non-negative %s", (None, 0): "a non-positive %s"}
        if kind is int:
            signs.update({(1, None): "a positive %s", (None, -1): "a negative %s"})
        wanted = signs.get((lower, upper), "%%s <= %s" % upper if lower is None else "%%s >= %s" % lower) % what

    def parse(text):
        value = kind(text)
        if lower is not None and value < lower or upper is not None and value > upper:
            raise ValueError("%s is not %s" % (value, wanted))
        return value
    return parse


def _chosen(choices):
    def parse(text):
        if text not in choices:
            raise ValueError("value should be one of <%s>" % "|".join(choices))
        return text
    return parse


def _definer():
    """The module that defines a flag, the script by its file."""
    frame = sys._getframe(1)
    while frame.f_globals is globals():
        frame = frame.f_back
    name = frame.f_globals.get("__name__")
    return sys.argv[0] if name == "__main__" else name


def _define(name, default, text, kind, **more):
    known = next((action for action in FLAGS._parser._actions if action.dest == name), None)
    if known is not None:
        raise DuplicateFlagError("The flag '%s' is defined twice. First from %s, Second from %s.  Description from first "
                                 "occurrence: %s" % (name, known.definer, _definer(), known.help.replace("%%", "%")))
    made = FLAGS._parser.add_argument("--" + name, default=default, type=_taken(name, kind),
                                      help=(text or "").replace("%", "%%"), dest=name, **more)
    made.definer = _definer()
    FLAGS.__dict__["_values"] = None


def _truth(text):
    if str(text).lower() in ("true", "t", "1", "yes"):
        return True
    if str(text).lower() in ("false", "f", "0", "no"):
        return False
    raise ValueError("Non-boolean argument to boolean flag", text)


def DEFINE_string(name, default, help="", **_):  # noqa: A002
    _define(name, default, help, str)


def DEFINE_integer(name, default, help="", lower_bound=None, upper_bound=None, **_):  # noqa: A002
    _define(name, default, help, _bounded(int, "an", "integer", lower_bound, upper_bound))


def DEFINE_float(name, default, help="", lower_bound=None, upper_bound=None, **_):  # noqa: A002
    _define(name, default, help, _bounded(float, "a", "number", lower_bound, upper_bound))


def DEFINE_boolean(name, default, help="", **_):  # noqa: A002
    _define(name, default, help, _truth, nargs="?", const=True)
    FLAGS._parser.add_argument("--no" + name, dest=name, action="store_false", default=default, help=argparse.SUPPRESS)


DEFINE_bool = DEFINE_boolean


def DEFINE_enum(name, default, enum_values, help="", **_):  # noqa: A002
    _define(name, default, help, _chosen(list(enum_values)))


def DEFINE_list(name, default, help="", **_):  # noqa: A002
    _define(name, default.split(",") if isinstance(default, str) else default, help,
            lambda text: text.split(",") if text else [])


class _Collect(argparse.Action):
    """The values of a flag that is given several times, instead of those it has by default."""

    def __call__(self, parser, namespace, value, option_string=None):
        found = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [value] if found is self.default else found + [value])


def _multi(kind):
    def define(name, default, help="", **_):  # noqa: A002
        default = default if default is None or isinstance(default, (list, tuple)) else [default]
        _define(name, default if default is None else list(default), help, kind, action=_Collect)
    return define


DEFINE_multi_string, DEFINE_multi_integer, DEFINE_multi_float = _multi(str), _multi(int), _multi(float)


def mark_flags_as_required(names, **_):
    for name in names:
        mark_flag_as_required(name)


def mark_flag_as_required(name, **_):
    FLAGS._required.append(FLAGS[name].name)


def run(main=None, argv=None):
    """Parses the flags and calls main."""
    try:
        rest = FLAGS(sys.argv if argv is None else argv, known_only=True)
    except Error as error:
        sys.stderr.write("FATAL Flags parsing error: %s\nPass --helpshort or --helpfull to see help on flags.\n" % error)
        sys.exit(1)
    main = main or sys.modules["__main__"].main
    sys.exit(main(rest))

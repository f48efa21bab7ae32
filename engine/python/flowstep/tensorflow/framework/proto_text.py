# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Messages as text and back (google.protobuf.text_format), for those that the engine does not know as well."""

import functools
import math
import re

import numpy as np

from . import proto
from ._engine import Flow, GLib

_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


# The engine tells what it could not read before the place; protobuf tells the place alone.
_PLACE = re.compile(r"^Can't parse \w+ as text proto: (\d+:\d+): ")


class ParseError(Exception):
    """A text that is not the message it should be."""


def _escaped(data):
    return "".join(_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else "\\%03o" % b) for b in data)


def _shortest(value):
    """The fewest digits that give the same float again, as text_format writes them."""
    number = float(value)
    for precision in range(6, 9):
        short = float("%.*g" % (precision, number))
        if not math.isfinite(number) or np.float32(short) == np.float32(number):
            return repr(short if math.isfinite(number) else number)
    return repr(number)


def _scalar(field, value, exact):
    if field.type in ("string", "bytes"):
        return '"%s"' % _escaped(value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value)
    if field.type == "bool":
        return "true" if value else "false"
    if field.type == "enum":
        return proto.enum_name(field.ref, value)
    if field.type == "float":
        return repr(float(value)) if exact else _shortest(value)
    return repr(float(value)) if field.type == "double" else str(value)


def _lines(message, indent, exact):
    for field, value in message.ListFields():
        space = " " * indent
        if field.is_map:
            yield from _entries(field, value, indent, exact)
            continue
        for item in value if field.repeated else [value]:
            if field.type == "message":
                yield "%s%s {" % (space, field.name)
                yield from _lines(item, indent + 2, exact)
                yield space + "}"
            else:
                yield "%s%s: %s" % (space, field.name, _scalar(field, item, exact))


def _entries(field, value, indent, exact):
    """A map is a list of entries that name key and value, whatever these are."""
    parts = proto.fields_of(field.ref)
    space = " " * indent
    for key in sorted(value):
        yield "%s%s {" % (space, field.name)
        yield "%s  key: %s" % (space, _scalar(parts["key"], key, exact))
        if parts["value"].type == "message":
            yield space + "  value {"
            yield from _lines(value[key], indent + 4, exact)
            yield space + "  }"
        else:
            yield "%s  value: %s" % (space, _scalar(parts["value"], value[key], exact))
        yield space + "}"


def to_text(message, exact=False):
    """The text of a message; exact: an own one's floats with the digits of the doubles they are."""
    if proto.is_own(message._name):
        return "".join(line + "\n" for line in _lines(message, 0, exact))
    data = GLib.Bytes.new(message.SerializeToString())
    return Flow.proto_to_text(message._name, data, message._name).get_data().decode()


@functools.lru_cache(maxsize=None)
def _floats(message):
    """Lines of a message's text that hold a float of 32 bits; None where it has none."""
    names, seen, left = set(), set(), [message]
    while left:
        at = left.pop()
        if at in seen:
            continue
        seen.add(at)
        for field in proto.fields_of(at).values():
            if field.type == "float":
                names.add(field.name)
            if field.type == "message":
                left.append(field.ref)
    return re.compile(r"^( *(?:%s): )(-?[0-9].*)$" % "|".join(sorted(names)), re.MULTILINE) if names else None


def to_print(message):
    """What str() of a message gives: a float has the digits of the double it is, as TensorFlow's protobuf prints it."""
    text, floats = to_text(message, True), _floats(message._name)
    if floats is None or proto.is_own(message._name):
        return text
    return floats.sub(lambda match: match.group(1) + repr(float(np.float32(float(match.group(2))))), text)


# -- text to messages

_TOKENS = re.compile(r"""\s+ | \#[^\n]* | (?P<word>[-+A-Za-z_0-9.]+) | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
                         | (?P<mark>[{}<>:\[\],;])""", re.VERBOSE)
_UNESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def _unescaped(text):
    def one(match):
        code = match.group(1)
        if code[:1].isdigit():
            return bytes([int(code, 8) & 255])
        return bytes([int(code[1:], 16)]) if code[:1] == b"x" else _SIMPLE.get(code, code)
    return _UNESCAPE.sub(one, text[1:-1].encode("utf-8", "surrogateescape"))


class _Reader:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = _TOKENS.match(text, at)
            if match is None:
                raise ParseError("%d:1 : Expected identifier or number." % (text.count("\n", 0, at) + 1))
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group(), text.count("\n", 0, at) + 1))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, *wanted):
        token = self.peek()
        if token is None or wanted and token not in wanted:
            line = self.tokens[min(self.at, len(self.tokens) - 1)][2] if self.tokens else 1
            raise ParseError("%d:1 : Expected \"%s\"." % (line, wanted[0] if wanted else "value"))
        self.at += 1
        return token

    def fields(self, message, end):
        known = proto.fields_of(message._name)
        while self.peek() != end:
            line = self.tokens[self.at][2] if self.at < len(self.tokens) else 0
            name = self.take()
            field = known.get(name)
            if field is None:
                raise ParseError('%d:1 : Message type "tensorflow.%s" has no field named "%s".' % (line, message._name, name))
            self.field(message, field)
            if self.peek() in (",", ";"):
                self.take()

    def field(self, message, field):
        if self.peek() == ":":
            self.take()
        if field.repeated and self.peek() == "[":
            self.take()
            while self.peek() != "]":
                self.put(message, field, self.value(field))
                if self.peek() == ",":
                    self.take()
            self.take()
            return
        self.put(message, field, self.value(field))

    @staticmethod
    def put(message, field, value):
        if field.is_map:
            getattr(message, field.name)[value.key] = value.value
        elif field.repeated:
            getattr(message, field.name).append(value)
        elif field.type == "message":
            getattr(message, field.name).MergeFrom(value)
            message._values.setdefault(field.name, value)
        else:
            setattr(message, field.name, value)

    def value(self, field):
        if field.type == "message":
            close = {"{": "}", "<": ">"}[self.take("{", "<")]
            result = proto.message_class(field.ref)()
            self.fields(result, close)
            self.take(close)
            return result
        token = self.take()
        if field.type in ("string", "bytes"):
            data = _unescaped(token)
            while self.peek() is not None and self.tokens[self.at][0] == "text":
                data += _unescaped(self.take())
            return data if field.type == "bytes" else data.decode("utf-8", "surrogateescape")
        if field.type == "bool":
            return token in ("true", "True", "t", "1")
        if field.type == "enum":
            return proto.enum_number(field.ref, token)
        return float(token.rstrip("f") if "inf" not in token else token) if field.type in ("float", "double") \
            else int(token, 0)


def merge(text, message):
    """Adds what a text says to a message."""
    text = text.decode() if isinstance(text, bytes) else text
    if not proto.is_own(message._name):
        try:
            data = Flow.text_to_proto(message._name, GLib.Bytes.new(text.encode()), message._name).get_data()
        except GLib.Error as error:
            raise ParseError(_PLACE.sub(r"\1 : ", error.message)) from None
        message.MergeFromString(data or b"")
        return message
    reader = _Reader(text)
    reader.fields(message, None)
    return message


def parse(text, message):
    message.Clear()
    return merge(text, message)


# As google.protobuf.text_format calls them.
Merge, Parse = merge, parse


def MergeLines(lines, message):
    return merge("\n".join(lines), message)


def MessageToString(message, as_utf8=False, as_one_line=False, **_):
    text = to_text(message)
    return " ".join(line.strip() for line in text.split("\n")).strip() if as_one_line else text


def PrintMessage(message, out, **_):
    out.write(to_text(message))

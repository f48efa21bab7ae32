# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""The hash that TensorFlow tells functions without a name apart by: the end of their names in a library."""

import base64
import struct

_MASK = (1 << 64) - 1
_FACTOR, _SHIFT = 0xC6A4A7935BD1E995, 47
_SEED, _COMBINE = 0xDECAFCAFFE, 0x9E3779B97F4A7800


def _mix(value):
    value = value * _FACTOR & _MASK
    value ^= value >> _SHIFT
    return value * _FACTOR & _MASK


def hash64(data, seed=_SEED):
    """MurmurHash 2 of 64 bits, as tensorflow::Hash64."""
    data = data if isinstance(data, bytes) else data.encode()
    whole = len(data) & ~7
    value = seed ^ (len(data) * _FACTOR & _MASK)
    for (word,) in struct.iter_unpack("<Q", data[:whole]):
        value = (value ^ _mix(word)) * _FACTOR & _MASK
    if len(data) > whole:
        value = (value ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _MASK
    value ^= value >> _SHIFT
    value = value * _FACTOR & _MASK
    return value ^ value >> _SHIFT


def _combine(a, b):
    return a ^ (b + _COMBINE + (a << 10) + (a >> 4) & _MASK)


def _value_hash(value):
    which = value.WhichOneof("value")
    if which == "tensor":
        return hash64(_with_content(value.tensor).SerializeToString())
    if which == "func":
        result = hash64(value.func.name)
        for key in sorted(value.func.attr):
            result = _combine(_value_hash(value.func.attr[key]), hash64(key, result))
        return result
    return hash64(value.SerializeToString())


def _with_content(tensor):
    """The same constant with its numbers as bytes."""
    from ..framework import ops, proto
    array = ops.make_ndarray(tensor)
    result = proto.TensorProto(dtype=tensor.dtype)
    result.tensor_shape.CopyFrom(tensor.tensor_shape)
    result.tensor_shape.SetInParent()
    if array.dtype.kind in "OSU":
        result.tensor_content = _strings(array)
    else:
        result.tensor_content = array.tobytes()
    return result


def _strings(array):
    """Lengths as varints, then the bytes."""
    items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel()]
    lengths = bytearray()
    for item in items:
        number = len(item)
        while number >= 0x80:
            lengths.append(number & 0x7F | 0x80)
            number >>= 7
        lengths.append(number)
    return bytes(lengths) + b"".join(items)


def _node_hash(node):
    result = hash64(node.name)
    result = hash64(node.device, hash64(node.op, result))
    controls = set()
    for text in node.input:
        if text.startswith("^"):
            controls.add(text)
        else:
            result = hash64(text, result)
    for text in sorted(controls):
        result = hash64(text, result)
    for key in sorted(node.attr):
        if not key.startswith("_"):
            result = _combine(_value_hash(node.attr[key]), hash64(key, result))
    return result


def function_hash(definition):
    """Of a FunctionDef: signature, attrs, nodes whatever their order, and what is returned."""
    from ..framework import proto
    signature = proto.OpDef.FromString(definition.signature.SerializeToString())
    result = _SEED
    for name in sorted(signature.control_output):
        result = _combine(result, hash64(name))
    del signature.control_output[:]
    result = hash64(signature.SerializeToString(), result)
    for key in sorted(definition.attr):
        result = _combine(_value_hash(definition.attr[key]), hash64(key, result))
    nodes = _SEED
    for node in sorted(definition.node_def, key=lambda n: n.name.encode()):
        nodes = _combine(_node_hash(node), hash64(node.name, nodes))
    result = _combine(nodes, result)
    for pairs in (definition.ret, definition.control_ret):
        for key in sorted(pairs):
            result = hash64(pairs[key], hash64(key, result))
    return result


def hash_text(definition):
    """The hash as it stands in a name."""
    text = base64.urlsafe_b64encode(function_hash(definition).to_bytes(8, "little")).decode().rstrip("=")
    return text.replace("-", "a").replace("_", "A")

# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""slim.tfexample_decoder: items out of serialized Examples."""

from .. import dtypes
from ..control import control_flow, loops
from ..framework.ops import apply_op
from ..operators import array_ops, image_decode, math_ops, parsing, sparse


class ItemHandler:
    """Makes an item of the tensors of some keys."""

    def __init__(self, keys):
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    keys = property(lambda self: self._keys)

    def tensors_to_item(self, keys_to_tensors):
        raise NotImplementedError


class ItemHandlerCallback(ItemHandler):
    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    def __init__(self, keys=None, prefix=""):
        if keys is None:
            keys = ["ymin", "xmin", "ymax", "xmax"]
        elif len(keys) != 4:
            raise ValueError("BoundingBox expects 4 keys but got {}".format(len(keys)))
        super().__init__([prefix + k for k in keys])

    def tensors_to_item(self, keys_to_tensors):
        sides = []
        for key in self._keys:
            side = keys_to_tensors[key]
            sides.append(array_ops.expand_dims(side.values if isinstance(side, sparse.SparseTensor) else side, 0))
        return array_ops.transpose(array_ops.concat(sides, 0))


def _dense(value, default=None):
    if not isinstance(value, sparse.SparseTensor):
        return value
    return sparse.sparse_tensor_to_dense(value) if default is None else sparse.sparse_tensor_to_dense(value, default)


class Tensor(ItemHandler):
    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        shape_keys = [shape_keys] if shape_keys and not isinstance(shape_keys, list) else shape_keys
        super().__init__([tensor_key] + list(shape_keys or []))
        self._tensor_key, self._shape_keys, self._shape, self._default = tensor_key, shape_keys, shape, default_value

    def tensors_to_item(self, keys_to_tensors):
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            shape = array_ops.reshape(array_ops.stack([_dense(keys_to_tensors[k]) for k in self._shape_keys]), [-1])
        if isinstance(tensor, sparse.SparseTensor):
            if shape is not None:
                tensor = sparse.sparse_reshape(tensor, shape)
            return _dense(tensor, self._default)
        return tensor if shape is None else array_ops.reshape(tensor, shape)


class LookupTensor(Tensor):
    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=""):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Another handler where the first gives nothing."""

    def __init__(self, handler, backup):
        for name, given in (("Primary", handler), ("Backup", backup)):
            if not isinstance(given, ItemHandler):
                raise ValueError("%s handler is of type %s instead of ItemHandler" % (name, type(given)))
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors):
        item = self._handler.tensors_to_item(keys_to_tensors)
        return control_flow.cond(pred=math_ops.equal(math_ops.reduce_prod(array_ops.shape(item)), 0),
                                 true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors), false_fn=lambda: item)


class SparseTensor(ItemHandler):
    def __init__(self, indices_key=None, values_key=None, shape_key=None, shape=None, densify=False, default_value=0):
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape, self._densify, self._default = shape_key, shape, densify, default_value
        super().__init__([self._indices_key, self._values_key] + ([shape_key] if shape_key else []))

    def tensors_to_item(self, keys_to_tensors):
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = array_ops.shape(indices.indices)[1]
        ids = math_ops.cast(indices.values, dtypes.int64)
        kept = array_ops.slice(indices.indices, [0, 0], array_ops.stack([-1, rank - 1]))
        where = array_ops.concat([kept, array_ops.reshape(ids, [-1, 1])], 1)
        tensor = sparse.SparseTensor(where, values.values, shape)
        return _dense(tensor, self._default) if self._densify else tensor


class Image(ItemHandler):
    def __init__(self, image_key=None, format_key=None, shape=None, channels=3, dtype=dtypes.uint8, repeated=False,
                 dct_method=""):
        self._image_key, self._format_key = image_key or "image/encoded", format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors):
        buffer, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return loops.map_fn(lambda x: self._decode(x, kind), buffer, dtype=self._dtype)
        return self._decode(buffer, kind)

    def _decode(self, buffer, kind):
        def decode_any():
            return math_ops.cast(image_decode.decode_image(buffer, channels=self._channels), self._dtype)

        def decode_jpeg():
            pixels = apply_op("DecodeJpeg", contents=buffer, channels=self._channels, dct_method=self._dct_method)
            return math_ops.cast(pixels, self._dtype)

        def check_jpeg():
            return control_flow.cond(image_decode.is_jpeg(buffer), decode_jpeg, decode_any, name="cond_jpeg")

        def decode_raw():
            return parsing.decode_raw(buffer, out_type=self._dtype)
        is_raw = math_ops.logical_or(math_ops.equal(kind, "raw"), math_ops.equal(kind, "RAW"))
        image = control_flow.case([(is_raw, decode_raw)], default=check_jpeg, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else array_ops.reshape(image, self._shape)


class TFExampleDecoder:
    """Parses an Example and hands its tensors to the handlers of items."""

    def __init__(self, keys_to_features, items_to_handlers):
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items_to_handlers.keys())

    def decode(self, serialized_example, items=None):
        example = parsing.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, parsing.FixedLenFeature):
                example[key] = array_ops.reshape(example[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in items or self._items_to_handlers]
        return [h.tensors_to_item({key: example[key] for key in h.keys}) for h in handlers]

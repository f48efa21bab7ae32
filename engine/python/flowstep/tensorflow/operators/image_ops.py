# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.image: sizes, flips, colours and conversions of pictures, and the ops that stand alone."""

import builtins

from .. import dtypes
from ..control import control_flow
from ..framework import ops, tensor_shape
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, convert_to_tensor, wrapper
from . import array_ops, check_ops, math_ops, random_ops


class ResizeMethod:
    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = range(4)


_RESIZERS = {0: "ResizeBilinear", 1: "ResizeNearestNeighbor", 2: "ResizeBicubic", 3: "ResizeArea",
             "bilinear": "ResizeBilinear", "nearest": "ResizeNearestNeighbor", "bicubic": "ResizeBicubic",
             "area": "ResizeArea"}
_PLAIN = {
    "rgb_to_hsv": "RGBToHSV", "hsv_to_rgb": "HSVToRGB", "resize_bilinear": "ResizeBilinear", "resize_area": "ResizeArea",
    "resize_bicubic": "ResizeBicubic", "resize_nearest_neighbor": "ResizeNearestNeighbor",
    "decode_png": "DecodePng", "decode_jpeg": "DecodeJpeg", "decode_gif": "DecodeGif", "decode_bmp": "DecodeBmp",
    "encode_png": "EncodePng", "encode_jpeg": "EncodeJpeg", "decode_and_crop_jpeg": "DecodeAndCropJpeg",
    "extract_jpeg_shape": "ExtractJpegShape",
}
for _name, _type in _PLAIN.items():
    if ops.Flow.op_registry_has_type(_type):
        globals()[_name] = wrapper(_type)


# -- what is asked of a picture

def _check_at_least_3d(image):
    known = image.shape
    if known.ndims is not None and known.ndims < 3:
        raise ValueError("'image' must be at least three-dimensional.")
    if known.ndims is None:
        known = tensor_shape.unknown_shape(3)
    if any(d.value == 0 for d in known):
        raise ValueError("all dims of 'image.shape' must be > 0: %s" % known)
    if known.is_fully_defined():
        return []
    return [check_ops.assert_positive(array_ops.shape(image), ["all dims of 'image.shape' must be > 0."]),
            check_ops.assert_greater_equal(array_ops.rank(image), 3,
                                           message="'image' must be at least three-dimensional.")]


def _at_least_3d(image):
    return control_flow.with_dependencies(_check_at_least_3d(image), image)


def _assert(condition, message):
    if isinstance(condition, Tensor):
        return [control_flow.Assert(condition, [message])]
    if not condition:
        raise ValueError(message)
    return []


def _dimensions(image, rank):
    if image.shape.is_fully_defined():
        return image.shape.as_list()
    known = image.shape.with_rank(rank).as_list()
    found = array_ops.unstack(array_ops.shape(image), rank)
    return [k if k is not None else f for k, f in zip(known, found)]


def _as_batch(image):
    if image.shape.ndims == 4:
        return image, True
    known = image.shape.ndims
    if known not in (None, 3):
        raise ValueError("'image' must have either 3 or 4 dimensions.")
    image = array_ops.expand_dims(image, 0)
    if known is None:
        image.set_shape([None] * 4)
    return image, False


def _same_shape(image, result):
    result.set_shape([None, None, None] if image.shape.ndims is None else image.shape)
    return result


# -- sizes

def resize_images(images, size, method=ResizeMethod.BILINEAR, align_corners=False, preserve_aspect_ratio=False, name=None):
    return _resized(images, size, method, preserve_aspect_ratio, name, align_corners=align_corners)


def resize_images_v2(images, size, method=ResizeMethod.BILINEAR, preserve_aspect_ratio=False, name=None):
    """Bilinear and nearest, as tf.keras has them: pixels are taken by their centres."""
    return _resized(images, size, method, preserve_aspect_ratio, name, half_pixel_centers=True)


def _resized(images, size, method, preserve_aspect_ratio, name, **centers):
    with name_scope(name, "resize", [images, size]):
        images = convert_to_tensor(images, name="images")
        if images.shape.ndims is None:
            raise ValueError("'images' contains no shape.")
        batch = images.shape.ndims == 4
        if images.shape.ndims == 3:
            images = array_ops.expand_dims(images, 0)
        elif not batch:
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        _, height, width, _ = images.shape.as_list()
        try:
            size = convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        if not size.shape.is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        new = ops.constant_value_as_shape(size).as_list()
        if preserve_aspect_ratio:
            size = _scaled_size(images, new)
            new = ops.constant_value_as_shape(size).as_list()
        if None not in new + [height, width] and [height, width] == new:
            return images if batch else array_ops.squeeze(images, axis=[0])
        if method not in _RESIZERS:
            raise ValueError("Resize method is not implemented.")
        images = apply_op(_RESIZERS[method], images=images, size=size, **centers)
        images.set_shape([None, new[0], new[1], None])
        return images if batch else array_ops.squeeze(images, axis=[0])


resize = resize_images


def _scaled_size(images, new):
    _, height, width, _ = _dimensions(images, 4)
    by_height = math_ops.cast(new[0], dtypes.float32) / math_ops.cast(height, dtypes.float32)
    by_width = math_ops.cast(new[1], dtypes.float32) / math_ops.cast(width, dtypes.float32)
    scale = math_ops.minimum(by_height, by_width)
    height = math_ops.cast(math_ops.round(scale * math_ops.cast(height, dtypes.float32)), dtypes.int32)
    width = math_ops.cast(math_ops.round(scale * math_ops.cast(width, dtypes.float32)), dtypes.int32)
    return convert_to_tensor([height, width], dtypes.int32, name="size")


def _known(dims):
    return [None if isinstance(d, Tensor) else d for d in dims]


def central_crop(image, central_fraction):
    with name_scope(None, "central_crop", [image]):
        image = convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        _at_least_3d(image)
        rank = image.shape.ndims
        if rank not in (3, 4):
            raise ValueError("`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {}.".format(rank))
        first = rank - 3
        sizes = []
        for axis in (first, first + 1):
            value = image.shape[axis].value
            sizes.append(value if value is not None else array_ops.shape(image)[axis])
        starts = []
        for size in sizes:
            if isinstance(size, Tensor):
                whole = math_ops.cast(size, dtypes.float64)
                starts.append(math_ops.cast((whole - whole * central_fraction) / 2, dtypes.int32))
            else:
                starts.append(int((float(size) - float(size) * central_fraction) / 2))
        lengths = [size - start * 2 for size, start in zip(sizes, starts)]
        begin = array_ops.stack([0] * first + starts + [0])
        size = array_ops.stack([-1] * first + lengths + [-1])
        known = image.shape
        image = array_ops.slice(image, begin, size)
        image.set_shape([known[0].value] * first + _known(lengths) + [known[rank - 1].value])
        return image


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    with name_scope(None, "pad_to_bounding_box", [image]):
        image, batch = _as_batch(convert_to_tensor(image, name="image"))
        checks = _check_at_least_3d(image)
        n, height, width, depth = _dimensions(image, 4)
        after_width = target_width - offset_width - width
        after_height = target_height - offset_height - height
        checks += _assert(offset_height >= 0, "offset_height must be >= 0")
        checks += _assert(offset_width >= 0, "offset_width must be >= 0")
        checks += _assert(after_width >= 0, "width must be <= target - offset")
        checks += _assert(after_height >= 0, "height must be <= target - offset")
        image = control_flow.with_dependencies(checks, image)
        paddings = array_ops.reshape(
            array_ops.stack([0, 0, offset_height, after_height, offset_width, after_width, 0, 0]), [4, 2])
        padded = array_ops.pad(image, paddings)
        padded.set_shape(_known([n, target_height, target_width, depth]))
        return padded if batch else array_ops.squeeze(padded, axis=[0])


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    with name_scope(None, "crop_to_bounding_box", [image]):
        image, batch = _as_batch(convert_to_tensor(image, name="image"))
        checks = _check_at_least_3d(image)
        n, height, width, depth = _dimensions(image, 4)
        checks += _assert(offset_width >= 0, "offset_width must be >= 0.")
        checks += _assert(offset_height >= 0, "offset_height must be >= 0.")
        checks += _assert(target_width > 0, "target_width must be > 0.")
        checks += _assert(target_height > 0, "target_height must be > 0.")
        checks += _assert(width >= (target_width + offset_width), "width must be >= target + offset.")
        checks += _assert(height >= (target_height + offset_height), "height must be >= target + offset.")
        image = control_flow.with_dependencies(checks, image)
        cropped = array_ops.slice(image, array_ops.stack([0, offset_height, offset_width, 0]),
                                  array_ops.stack([-1, target_height, target_width, -1]))
        cropped.set_shape(_known([n, target_height, target_width, depth]))
        return cropped if batch else array_ops.squeeze(cropped, axis=[0])


def _either(function, plain):
    def call(x, y):
        return function(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else plain(x, y)
    return call


def resize_image_with_crop_or_pad(image, target_height, target_width):
    larger = _either(math_ops.maximum, builtins.max)
    smaller = _either(math_ops.minimum, builtins.min)
    equal = _either(math_ops.equal, lambda x, y: x == y)
    with name_scope(None, "resize_image_with_crop_or_pad", [image]):
        image, batch = _as_batch(convert_to_tensor(image, name="image"))
        checks = _check_at_least_3d(image)
        checks += _assert(target_width > 0, "target_width must be > 0.")
        checks += _assert(target_height > 0, "target_height must be > 0.")
        image = control_flow.with_dependencies(checks, image)
        if isinstance(target_height, Tensor):
            target_height = control_flow.with_dependencies(checks, target_height)
        if isinstance(target_width, Tensor):
            target_width = control_flow.with_dependencies(checks, target_width)
        _, height, width, _ = _dimensions(image, 4)
        more_width = target_width - width
        crop_width, pad_width = larger(-more_width // 2, 0), larger(more_width // 2, 0)
        more_height = target_height - height
        crop_height, pad_height = larger(-more_height // 2, 0), larger(more_height // 2, 0)
        cropped = crop_to_bounding_box(image, crop_height, crop_width, smaller(target_height, height),
                                       smaller(target_width, width))
        resized = pad_to_bounding_box(cropped, pad_height, pad_width, target_height, target_width)
        if resized.shape.ndims is None:
            raise ValueError("resized contains no shape.")
        _, height, width, _ = _dimensions(resized, 4)
        checks = _assert(equal(height, target_height), "resized height is not correct.")
        checks += _assert(equal(width, target_width), "resized width is not correct.")
        resized = control_flow.with_dependencies(checks, resized)
        return resized if batch else array_ops.squeeze(resized, axis=[0])


resize_with_crop_or_pad = resize_image_with_crop_or_pad


def resize_image_with_pad(image, target_height, target_width, method=ResizeMethod.BILINEAR, align_corners=False):
    """As large as fits, with black bars around it."""
    with name_scope(None, "resize_image_with_pad", [image]):
        image, batch = _as_batch(convert_to_tensor(image, name="image"))
        checks = _check_at_least_3d(image) + _assert(target_width > 0, "target_width must be > 0.") + \
            _assert(target_height > 0, "target_height must be > 0.")
        image = control_flow.with_dependencies(checks, image)
        larger = _either(math_ops.maximum, builtins.max)
        height, width = _dimensions(image, 4)[1:3]
        height, width, full_height, full_width = [math_ops.cast(n, dtypes.float64)
                                                  for n in (height, width, target_height, target_width)]
        ratio = larger(width / full_width, height / full_height)
        float_height, float_width = height / ratio, width / ratio
        new_height = math_ops.cast(math_ops.floor(float_height), dtypes.int32)
        new_width = math_ops.cast(math_ops.floor(float_width), dtypes.int32)
        above, left = (full_height - float_height) / 2, (full_width - float_width) / 2
        above, left = math_ops.floor(above), math_ops.floor(left)
        above = larger(0, math_ops.cast(above, dtypes.int32))
        left = larger(0, math_ops.cast(left, dtypes.int32))
        resized = resize_images(image, [new_height, new_width], method, align_corners=align_corners)
        padded = pad_to_bounding_box(resized, above, left, target_height, target_width)
        if padded.shape.ndims is None:
            raise ValueError("padded contains no shape.")
        _dimensions(padded, 4)
        return padded if batch else array_ops.squeeze(padded, axis=[0])


# -- flips and turns

def _flip(index, scope):
    def function(image):
        with name_scope(None, scope, [image]):
            image = _at_least_3d(convert_to_tensor(image, name="image"))
            if image.shape.ndims in (3, None):
                return _same_shape(image, array_ops.reverse(image, [index]))
            if image.shape.ndims == 4:
                return array_ops.reverse(image, [index + 1])
            raise ValueError("'image' must have either 3 or 4 dimensions.")
    return function


flip_up_down, flip_left_right = _flip(0, "flip_up_down"), _flip(1, "flip_left_right")


def _random_flip(index, scope_name):
    def function(image, seed=None):
        with name_scope(None, scope_name, [image]) as scope:
            image = _at_least_3d(convert_to_tensor(image, name="image"))
            if image.shape.ndims in (3, None):
                drawn = random_ops.random_uniform([], 0, 1.0, seed=seed)
                turned = math_ops.less(drawn, .5)
                result = control_flow.cond(turned, lambda: array_ops.reverse(image, [index]), lambda: image, name=scope)
                return _same_shape(image, result)
            if image.shape.ndims != 4:
                raise ValueError("'image' must have either 3 or 4 dimensions.")
            n = array_ops.shape(image)[0]
            drawn = random_ops.random_uniform([n], 0, 1.0, seed=seed)
            flips = math_ops.round(array_ops.reshape(drawn, [n, 1, 1, 1]))
            flips = math_ops.cast(flips, image.dtype)
            flipped = array_ops.reverse(image, [index + 1])
            return flips * flipped + (1 - flips) * image
    return function


random_flip_up_down = _random_flip(0, "random_flip_up_down")
random_flip_left_right = _random_flip(1, "random_flip_left_right")


def transpose_image(image, name=None):
    with name_scope(name, "transpose", [image]):
        image = _at_least_3d(convert_to_tensor(image, name="image"))
        if image.shape.ndims in (3, None):
            return array_ops.transpose(image, [1, 0, 2], name=name)
        if image.shape.ndims == 4:
            return array_ops.transpose(image, [0, 2, 1, 3], name=name)
        raise ValueError("'image' must have either 3 or 4 dimensions.")


transpose = transpose_image


def rot90(image, k=1, name=None):
    with name_scope(name, "rot90", [image, k]) as scope:
        image = _at_least_3d(convert_to_tensor(image, name="image"))
        k = convert_to_tensor(k, dtype=dtypes.int32, name="k")
        k = math_ops.mod(k, 4)
        if image.shape.ndims not in (3, 4, None):
            raise ValueError("'image' must have either 3 or 4 dimensions.")
        first = 1 if image.shape.ndims == 4 else 0
        order = [0, 2, 1, 3] if first else [1, 0, 2]

        def quarter():
            return array_ops.transpose(array_ops.reverse(image, [first + 1]), order)

        def half():
            return array_ops.reverse(image, [first, first + 1])

        def back():
            return array_ops.reverse(array_ops.transpose(image, order), [first + 1])
        cases = [(math_ops.equal(k, i), f) for i, f in ((1, quarter), (2, half), (3, back))]
        result = control_flow.case(cases, default=lambda: image, exclusive=True, name=scope)
        known = image.shape
        result.set_shape([known[0], None, None, known[3]] if first else
                         [None, None, known[2] if known.ndims is not None else None])
        return result


# -- colours

def convert_image_dtype(image, dtype, saturate=False, name=None):
    image = convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating and not dtype.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if dtype == image.dtype:
        return array_ops.identity(image, name=name)
    to = math_ops.saturate_cast if saturate else math_ops.cast
    with name_scope(name, "convert_image", [image]) as name:
        if image.dtype.is_integer and dtype.is_integer:
            if image.dtype.max > dtype.max:
                scale = (image.dtype.max + 1) // (dtype.max + 1)
                return to(math_ops.div(image, scale), dtype, name=name)
            scale = (dtype.max + 1) // (image.dtype.max + 1)
            return math_ops.multiply(to(image, dtype), scale, name=name)
        if image.dtype.is_floating and dtype.is_floating:
            return math_ops.cast(image, dtype, name=name)
        if image.dtype.is_integer:
            return math_ops.multiply(math_ops.cast(image, dtype), 1. / image.dtype.max, name=name)
        return to(math_ops.multiply(image, dtype.max + 0.5), dtype, name=name)


def _as_float(image):
    return image if image.dtype in (dtypes.float16, dtypes.float32) else convert_image_dtype(image, dtypes.float32)


def per_image_standardization(image):
    with name_scope(None, "per_image_standardization", [image]) as scope:
        image = _at_least_3d(convert_to_tensor(image, name="image"))
        kind = image.dtype
        image = _as_float(image)
        count = math_ops.reduce_prod(array_ops.shape(image)[-3:])
        mean = math_ops.reduce_mean(image, axis=[-1, -2, -3], keepdims=True)
        deviation = math_ops.reduce_std(image, axis=[-1, -2, -3], keepdims=True)
        least = math_ops.rsqrt(math_ops.cast(count, image.dtype))
        deviation = math_ops.maximum(deviation, least)
        image -= mean
        return convert_image_dtype(math_ops.div(image, deviation, name=scope), kind, saturate=True)


def adjust_brightness(image, delta):
    with name_scope(None, "adjust_brightness", [image, delta]) as name:
        image = convert_to_tensor(image, name="image")
        kind, image = image.dtype, _as_float(image)
        adjusted = math_ops.add(image, math_ops.cast(delta, image.dtype), name=name)
        return convert_image_dtype(adjusted, kind, saturate=True)


def adjust_contrast(images, contrast_factor):
    with name_scope(None, "adjust_contrast", [images, contrast_factor]) as name:
        images = convert_to_tensor(images, name="images")
        kind, images = images.dtype, _as_float(images)
        adjusted = apply_op("AdjustContrastv2", images=images, contrast_factor=contrast_factor, name=name)
        return convert_image_dtype(adjusted, kind, saturate=True)


def _adjusted(op_type, image, scope, name, **amount):
    with name_scope(name, scope, [image]):
        image = convert_to_tensor(image, name="image")
        kind = image.dtype
        return convert_image_dtype(apply_op(op_type, images=_as_float(image), **amount), kind)


def adjust_hue(image, delta, name=None):
    return _adjusted("AdjustHue", image, "adjust_hue", name, delta=delta)


def adjust_saturation(image, saturation_factor, name=None):
    return _adjusted("AdjustSaturation", image, "adjust_saturation", name, scale=saturation_factor)


def _between(lower, upper):
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def random_brightness(image, max_delta, seed=None):
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_brightness(image, random_ops.random_uniform([], -max_delta, max_delta, seed=seed))


def random_contrast(image, lower, upper, seed=None):
    _between(lower, upper)
    return adjust_contrast(image, random_ops.random_uniform([], lower, upper, seed=seed))


def random_hue(image, max_delta, seed=None):
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_hue(image, random_ops.random_uniform([], -max_delta, max_delta, seed=seed))


def random_saturation(image, lower, upper, seed=None):
    _between(lower, upper)
    return adjust_saturation(image, random_ops.random_uniform([], lower, upper, seed=seed))


def rgb_to_grayscale(images, name=None):
    with name_scope(name, "rgb_to_grayscale", [images]) as name:
        images = convert_to_tensor(images, name="images")
        kind = images.dtype
        gray = math_ops.tensordot(convert_image_dtype(images, dtypes.float32), [0.2989, 0.5870, 0.1140], [-1, -1])
        return convert_image_dtype(array_ops.expand_dims(gray, -1), kind, name=name)


def _grayscale(images):
    if images.shape.ndims is not None and images.shape.ndims < 2:
        raise ValueError("A grayscale image must be at least two-dimensional.")
    if images.shape.is_fully_defined():
        if images.shape[-1] != 1:
            raise ValueError("Last dimension of a grayscale image should be size 1.")
        return control_flow.with_dependencies([], images)
    checks = [check_ops.assert_equal(array_ops.shape(images)[-1], 1,
                                     message="Last dimension of a grayscale image should be size 1."),
              check_ops.assert_greater_equal(array_ops.rank(images), 3,
                                             message="A grayscale image must be at least two-dimensional.")]
    return control_flow.with_dependencies(checks, images)


def grayscale_to_rgb(images, name=None):
    with name_scope(name, "grayscale_to_rgb", [images]) as name:
        images = _grayscale(convert_to_tensor(images, name="images"))
        rank = array_ops.expand_dims(array_ops.rank(images) - 1, 0)
        multiples = array_ops.concat([array_ops.ones(rank, dtype=dtypes.int32), array_ops.expand_dims(3, 0)], 0)
        rgb = array_ops.tile(images, multiples, name=name)
        rgb.set_shape(tensor_shape.TensorShape(images.shape[:-1]).concatenate([3]))
        return rgb


# -- boxes and patches

def crop_and_resize(image, boxes, box_ind=None, crop_size=None, method="bilinear", extrapolation_value=0, name=None,
                    box_indices=None):
    return apply_op("CropAndResize", image=image, boxes=boxes, box_ind=box_ind if box_ind is not None else box_indices,
                    crop_size=crop_size, method=method, extrapolation_value=extrapolation_value, name=name)


def non_max_suppression(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None):
    with name_scope(name, "non_max_suppression"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return apply_op("NonMaxSuppressionV3", boxes=boxes, scores=scores, max_output_size=max_output_size,
                        iou_threshold=iou_threshold, score_threshold=score_threshold)


def draw_bounding_boxes(images, boxes, name=None, colors=None):
    if colors is not None:
        return apply_op("DrawBoundingBoxesV2", images=images, boxes=boxes, colors=colors, name=name)
    return apply_op("DrawBoundingBoxes", images=images, boxes=boxes, name=name)


def extract_glimpse(input, size, offsets, centered=True, normalized=True, uniform_noise=True, name=None):
    return apply_op("ExtractGlimpse", input=input, size=size, offsets=offsets, centered=centered, normalized=normalized,
                    uniform_noise=uniform_noise, name=name)


def sample_distorted_bounding_box(image_size, bounding_boxes, seed=None, seed2=None, min_object_covered=0.1,
                                  aspect_ratio_range=None, area_range=None, max_attempts=None,
                                  use_image_if_no_bounding_boxes=None, name=None):
    with name_scope(name, "sample_distorted_bounding_box"):
        return apply_op("SampleDistortedBoundingBoxV2", image_size=image_size, bounding_boxes=bounding_boxes, seed=seed,
                        seed2=seed2, min_object_covered=min_object_covered, aspect_ratio_range=aspect_ratio_range,
                        area_range=area_range, max_attempts=max_attempts,
                        use_image_if_no_bounding_boxes=use_image_if_no_bounding_boxes, name=name)


def extract_patches(images, sizes, strides, rates, padding, name=None):
    return apply_op("ExtractImagePatches", images=images, ksizes=sizes, strides=strides, rates=rates, padding=padding,
                    name=name)


def total_variation(images, name=None):
    with name_scope(name, "total_variation"):
        if images.shape.ndims == 3:
            first = 0
            axes = None
        elif images.shape.ndims == 4:
            first, axes = 1, [1, 2, 3]
        else:
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        if first:
            down, right = images[:, 1:, :, :] - images[:, :-1, :, :], images[:, :, 1:, :] - images[:, :, :-1, :]
        else:
            down, right = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :]
        return math_ops.reduce_sum(math_ops.abs(down), axis=axes) + math_ops.reduce_sum(math_ops.abs(right), axis=axes)


def random_crop(value, size, seed=None, name=None):
    with name_scope(name, "random_crop", [value, size]) as name:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = array_ops.shape(value)
        check = control_flow.Assert(math_ops.reduce_all(shape >= size),
                                    ["Need value.shape >= size, got ", shape, size], summarize=1000)
        shape = control_flow.with_dependencies([check], shape)
        limit = shape - size + 1
        offset = random_ops.random_uniform(array_ops.shape(shape), dtype=size.dtype, maxval=size.dtype.max,
                                           seed=seed) % limit
        return array_ops.slice(value, offset, size, name=name)

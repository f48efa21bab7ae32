# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.image: pictures of any file format, the quality of JPEG, and boxes that do not overlap."""

from .. import dtypes
from ..control import control_flow
from ..framework.graph import Tensor, control_dependencies, name_scope
from ..framework.ops import apply_op, convert_to_tensor
from . import array_ops, math_ops, random_ops, string_ops
from .image_ops import convert_image_dtype


def is_jpeg(contents, name=None):
    with name_scope(name, "is_jpeg"):
        return math_ops.equal(string_ops.substr(contents, 0, 3), b"\xff\xd8\xff", name=name)


def _is_png(contents, name=None):
    with name_scope(name, "is_png"):
        return math_ops.equal(string_ops.substr(contents, 0, 3), b"\211PN", name=name)


def _check(condition, message):
    return control_flow.Assert(condition, [message])


def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """A picture, of whichever of four formats its first bytes say."""
    with name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        first = string_ops.substr(contents, 0, 3)
        asked = 0 if channels is None else channels

        def as_jpeg():
            good = math_ops.not_equal(asked, 4, name="check_jpeg_channels")
            with control_dependencies([_check(good, "Channels must be in (None, 0, 1, 3) when decoding JPEG images")]):
                return convert_image_dtype(apply_op("DecodeJpeg", contents=contents, channels=asked), dtype)

        def as_png():
            kind = dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16
            return convert_image_dtype(apply_op("DecodePng", contents=contents, channels=asked, dtype=kind), dtype)

        def as_gif():
            good = math_ops.logical_and(math_ops.not_equal(asked, 1, name="check_gif_channels"),
                                        math_ops.not_equal(asked, 4, name="check_gif_channels"))
            with control_dependencies([_check(good, "Channels must be in (None, 0, 3) when decoding GIF images")]):
                result = convert_image_dtype(apply_op("DecodeGif", contents=contents), dtype)
                return result if expand_animations else array_ops.gather(result, 0)

        def as_bmp():
            is_bmp = math_ops.equal(string_ops.substr(contents, 0, 2), "BM", name="is_bmp")
            known = _check(is_bmp, "Unable to decode bytes as JPEG, PNG, GIF, or BMP")
            good = math_ops.not_equal(asked, 1, name="check_channels")
            fits = _check(good, "Channels must be in (None, 0, 3) when decoding BMP images")
            with control_dependencies([known, fits]):
                return convert_image_dtype(apply_op("DecodeBmp", contents=contents), dtype)

        def as_others():
            return control_flow.cond(math_ops.equal(first, b"GIF", name="is_gif"), as_gif, as_bmp, name="cond_gif")

        def not_jpeg():
            return control_flow.cond(_is_png(contents), as_png, as_others, name="cond_png")
        return control_flow.cond(is_jpeg(contents), as_jpeg, not_jpeg, name="cond_jpeg")


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """The picture as it comes out of a JPEG of that quality."""
    with name_scope(name, "adjust_jpeg_quality", [image]) as name:
        image = convert_to_tensor(image, name="image")
        dtype = image.dtype
        image = convert_image_dtype(image, dtypes.uint8)
        if not isinstance(jpeg_quality, Tensor):
            jpeg_quality = convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        image = apply_op("DecodeJpeg", contents=apply_op("EncodeJpegVariableQuality", images=image, quality=jpeg_quality))
        return convert_image_dtype(image, dtype)


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    if min_jpeg_quality < 0 or max_jpeg_quality < 0 or min_jpeg_quality > 100 or max_jpeg_quality > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random_ops.random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)


# -- boxes

def _number(value, name, dtype=None):
    return convert_to_tensor(value, dtype=dtype, name=name)


def non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"),
                                    soft_nms_sigma=0.0, name=None):
    with name_scope(name, "non_max_suppression_with_scores"):
        made = apply_op("NonMaxSuppressionV5", iou_threshold=_number(iou_threshold, "iou_threshold"),
                        score_threshold=_number(score_threshold, "score_threshold"),
                        soft_nms_sigma=_number(soft_nms_sigma, "soft_nms_sigma"), boxes=boxes, scores=scores,
                        max_output_size=max_output_size, pad_to_max_output_size=False)
        return made[0], made[1]


def non_max_suppression_padded(boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"),
                               pad_to_max_output_size=False, name=None):
    with name_scope(name, "non_max_suppression_padded"):
        return apply_op("NonMaxSuppressionV4", iou_threshold=_number(iou_threshold, "iou_threshold"),
                        score_threshold=_number(score_threshold, "score_threshold"), boxes=boxes, scores=scores,
                        max_output_size=max_output_size, pad_to_max_output_size=pad_to_max_output_size)


def non_max_suppression_overlaps(overlaps, scores, max_output_size, overlap_threshold=0.5, score_threshold=float("-inf"),
                                 name=None):
    with name_scope(name, "non_max_suppression_overlaps"):
        threshold = _number(overlap_threshold, "overlap_threshold")
        return apply_op("NonMaxSuppressionWithOverlaps", overlaps=overlaps, scores=scores, max_output_size=max_output_size,
                        overlap_threshold=threshold, score_threshold=score_threshold)


def combined_non_max_suppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5,
                                 score_threshold=float("-inf"), pad_per_class=False, clip_boxes=True, name=None):
    with name_scope(name, "combined_non_max_suppression"):
        return apply_op("CombinedNonMaxSuppression",
                        iou_threshold=_number(iou_threshold, "iou_threshold", dtypes.float32),
                        score_threshold=_number(score_threshold, "score_threshold", dtypes.float32), boxes=boxes,
                        scores=scores, max_output_size_per_class=max_output_size_per_class, max_total_size=max_total_size,
                        pad_per_class=pad_per_class, clip_boxes=clip_boxes)

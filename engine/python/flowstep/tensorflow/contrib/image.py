# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.image: images turned, moved and warped, and what belongs together in them."""

import numpy as np

from .. import dtypes
from ..control import control_flow
from ..differentiation import gradient_rules
from ..framework.graph import control_dependencies, name_scope
from ..framework.ops import apply_op, constant, constant_value, convert_to_tensor
from ..operators import array_ops, check_ops, linalg, math_ops

_KINDS = {dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64}


def _as_batch(images):
    """Images as a batch with channels, and what takes that back."""
    if images.dtype.base_dtype not in _KINDS:
        raise TypeError("Invalid dtype %s." % images.dtype)
    rank = images.shape.ndims
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank == 2:
        return images[None, :, :, None], lambda made: made[0, :, :, 0]
    if rank == 3:
        return images[None, :, :, :], lambda made: made[0, :, :, :]
    if rank == 4:
        return images, lambda made: made
    raise TypeError("Images should have rank between 2 and 4.")


def rotate(images, angles, interpolation="NEAREST", name=None):
    with name_scope(name, "rotate"):
        batch, back = _as_batch(convert_to_tensor(images))
        height = math_ops.cast(array_ops.shape(batch)[1], dtypes.float32)[None]
        width = math_ops.cast(array_ops.shape(batch)[2], dtypes.float32)[None]
        return back(transform(batch, angles_to_projective_transforms(angles, height, width), interpolation=interpolation))


def translate(images, translations, interpolation="NEAREST", name=None):
    with name_scope(name, "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation=interpolation)


def angles_to_projective_transforms(angles, image_height, image_width, name=None):
    with name_scope(name, "angles_to_projective_transforms"):
        angles = convert_to_tensor(angles, name="angles", dtype=dtypes.float32)
        if len(angles.shape) > 1:
            raise TypeError("Angles should have rank 0 or 1.")
        if len(angles.shape) == 0:
            angles = angles[None]
        cos, sin = math_ops.cos, math_ops.sin
        x = (image_width - 1 - (cos(angles) * (image_width - 1) - sin(angles) * (image_height - 1))) / 2.
        y = (image_height - 1 - (sin(angles) * (image_width - 1) + cos(angles) * (image_height - 1))) / 2.
        count = array_ops.shape(angles)[0]
        return array_ops.concat(values=[
            cos(angles)[:, None], -sin(angles)[:, None], x[:, None], sin(angles)[:, None], cos(angles)[:, None], y[:, None],
            array_ops.zeros((count, 2), dtypes.float32)], axis=1)


def translations_to_projective_transforms(translations, name=None):
    with name_scope(name, "translations_to_projective_transforms"):
        translations = convert_to_tensor(translations, name="translations", dtype=dtypes.float32)
        if translations.shape.ndims is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if len(translations.shape) not in (1, 2):
            raise TypeError("Translations should have rank 1 or 2.")
        if len(translations.shape) == 1:
            translations = translations[None]
        count = array_ops.shape(translations)[0]

        def column(function, width=1):
            return function((count, width), dtypes.float32)
        return array_ops.concat(values=[
            column(array_ops.ones), column(array_ops.zeros), -translations[:, 0, None], column(array_ops.zeros),
            column(array_ops.ones), -translations[:, 1, None], column(array_ops.zeros, 2)], axis=1)


def transform(images, transforms, interpolation="NEAREST", output_shape=None, name=None):
    with name_scope(name, "transform"):
        images = convert_to_tensor(images, name="images")
        transforms = convert_to_tensor(transforms, name="transforms", dtype=dtypes.float32)
        batch, back = _as_batch(images)
        if output_shape is None:
            output_shape = array_ops.shape(batch)[1:3]
            known = constant_value(output_shape)
            output_shape = output_shape if known is None else known
        output_shape = convert_to_tensor(output_shape, dtypes.int32, name="output_shape")
        if not output_shape.shape.is_compatible_with([2]):
            raise ValueError("output_shape must be a 1-D Tensor of 2 elements: new_height, new_width")
        if transforms.shape.ndims is None:
            raise TypeError("transform_or_transforms rank must be statically known")
        if len(transforms.shape) not in (1, 2):
            raise TypeError("Transforms should have rank 1 or 2.")
        if len(transforms.shape) == 1:
            transforms = transforms[None]
        return back(apply_op("ImageProjectiveTransformV2", images=batch, output_shape=output_shape, transforms=transforms,
                             interpolation=interpolation.upper()))


def _transform_grad(op, grad):
    images, transforms = op.inputs[0], op.inputs[1]
    inverse = linalg.matrix_inverse(flat_transforms_to_matrices(transforms=transforms))
    transforms = matrices_to_flat_transforms(inverse)
    made = apply_op("ImageProjectiveTransformV2", images=grad, transforms=transforms,
                    output_shape=array_ops.shape(images)[1:3], interpolation=op.get_attr("interpolation"))
    return [made, None, None]


def install_gradients():
    gradient_rules.RegisterGradient("ImageProjectiveTransformV2")(_transform_grad)


def compose_transforms(*transforms):
    assert transforms, "transforms cannot be empty"
    with name_scope("compose_transforms"):
        composed = flat_transforms_to_matrices(transforms[0])
        for one in transforms[1:]:
            composed = math_ops.matmul(composed, flat_transforms_to_matrices(one))
        return matrices_to_flat_transforms(composed)


def flat_transforms_to_matrices(transforms):
    with name_scope("flat_transforms_to_matrices"):
        transforms = convert_to_tensor(transforms, name="transforms")
        if transforms.shape.ndims not in (1, 2):
            raise ValueError("Transforms should be 1D or 2D, got: %s" % transforms)
        transforms = array_ops.reshape(transforms, constant([-1, 8]))
        count = array_ops.shape(transforms)[0]
        return array_ops.reshape(array_ops.concat([transforms, array_ops.ones([count, 1])], axis=1), constant([-1, 3, 3]))


def matrices_to_flat_transforms(transform_matrices):
    with name_scope("matrices_to_flat_transforms"):
        matrices = convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError("Matrices should be 2D or 3D, got: %s" % matrices)
        flat = array_ops.reshape(matrices, constant([-1, 9]))
        flat /= flat[:, 8:9]
        return flat[:, :8]


def bipartite_match(distance_mat, num_valid_rows, top_k=-1, name="bipartite_match"):
    return apply_op("BipartiteMatch", distance_mat=distance_mat, num_valid_rows=num_valid_rows, top_k=top_k, name=name)


def connected_components(images):
    with name_scope("connected_components"):
        given = convert_to_tensor(images, name="images")
        if len(given.shape) not in (2, 3):
            raise TypeError("images should have rank 2 (HW) or 3 (NHW). Static shape is %s" % given.shape)
        images = given[None, :, :] if len(given.shape) == 2 else given
        components = apply_op("ImageConnectedComponents", image=images)
        ids, index = apply_op("Unique", x=array_ops.reshape(components, [-1]))
        zeros = array_ops.where_v2(math_ops.equal(ids, 0))[:, 0]
        # TF: the numbers are made consecutive, and the background stays 0.
        count = array_ops.shape(ids)[0]
        numbers = math_ops.range(count - array_ops.shape(zeros)[0]) + 1

        def with_zero():
            at = math_ops.cast(zeros[0], dtypes.int32)
            before = numbers[:at]
            return array_ops.concat([before, [0], numbers[at:]], axis=0)
        new = control_flow.cond(math_ops.equal(array_ops.shape(zeros)[0], 0), lambda: numbers, with_zero)
        gathered = array_ops.gather(new, index)
        components = array_ops.reshape(gathered, array_ops.shape(components))
        return components[0, :, :] if len(given.shape) == 2 else components


# -- warping by a flow

def dense_image_warp(image, flow, name="dense_image_warp"):
    with name_scope(name):
        batch, height, width, channels = (array_ops.shape(image)[i] for i in range(4))
        columns = math_ops.range(width)
        grid_x, grid_y = array_ops.meshgrid(columns, math_ops.range(height))
        grid = math_ops.cast(array_ops.stack([grid_y, grid_x], axis=2), flow.dtype)
        points = array_ops.expand_dims(grid, axis=0) - flow
        flat = array_ops.reshape(points, [batch, height * width, 2])
        return array_ops.reshape(_between(image, flat), [batch, height, width, channels])


def _between(grid, points):
    """The values of images between their pixels."""
    with name_scope("interpolate_bilinear"):
        grid, points = convert_to_tensor(grid), convert_to_tensor(points)
        if len(grid.shape.as_list()) != 4:
            raise ValueError("Grid must be 4 dimensional. Received size: " + str(grid.shape))
        batch, height, width, channels = sizes = [array_ops.shape(grid)[i] for i in range(4)]
        rank_check = check_ops.assert_equal(len(points.shape), 3, message="Query points must be 3 dimensional.")
        with control_dependencies([rank_check, check_ops.assert_equal(
                array_ops.shape(points)[2], 2, message="Query points must be size 2 in dim 2.")]):
            count = array_ops.shape(points)[1]
        with control_dependencies([
                check_ops.assert_greater_equal(height, 2, message="Grid height must be at least 2."),
                check_ops.assert_greater_equal(width, 2, message="Grid width must be at least 2.")]):
            unstacked = array_ops.unstack(points, axis=2)
        places = []
        for dim in (0, 1):
            with name_scope("dim-%d" % dim):
                places.append(_place(unstacked[dim], sizes[dim + 1], grid.dtype))
        words = """The image size or batch size is sufficiently large
                       that the linearized addresses used by array_ops.gather
                       may exceed the int32 limit."""
        with control_dependencies([check_ops.assert_less_equal(
                math_ops.cast(batch * height * width, dtype=dtypes.float32), np.iinfo(np.int32).max / 8, message=words)]):
            flat = array_ops.reshape(grid, [batch * height * width, channels])
            offsets = array_ops.reshape(math_ops.range(batch) * height * width, [batch, 1])

        def gather(y, x, name):
            with name_scope("gather-" + name):
                found = array_ops.gather(flat, offsets + y * width + x)
                return array_ops.reshape(found, [batch, count, channels])
        (top, bottom, down), (left, right, across) = places
        corners = [gather(y, x, name) for y, x, name in (
            (top, left, "top_left"), (top, right, "top_right"), (bottom, left, "bottom_left"),
            (bottom, right, "bottom_right"))]
        with name_scope("interpolate"):
            above = across * (corners[1] - corners[0]) + corners[0]
            below = across * (corners[3] - corners[2]) + corners[2]
            return down * (below - above) + above


def _place(queries, size, dtype):
    """The pixels before and behind a place, and how far it is between them."""
    most = math_ops.cast(size - 2, queries.dtype)
    least = constant(0.0, dtype=queries.dtype)
    floor = math_ops.minimum(math_ops.maximum(least, math_ops.floor(queries)), most)
    before = math_ops.cast(floor, dtypes.int32)
    behind = before + 1
    share = math_ops.cast(queries - floor, dtype)
    none, whole = constant(0.0, dtype=dtype), constant(1.0, dtype=dtype)
    return before, behind, array_ops.expand_dims(math_ops.minimum(math_ops.maximum(none, share), whole), 2)

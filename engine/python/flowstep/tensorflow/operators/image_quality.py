# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.image: how much two images differ, edges, other colours."""

import numpy as np

from .. import dtypes, nn
from ..control import control_flow
from ..framework import graph as graph_lib
from ..framework.graph import name_scope
from ..framework.ops import constant, convert_to_tensor
from . import array_ops, math_ops, nn_conv
from .image_ops import convert_image_dtype

_MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
_COLORS = {
    "rgb_to_yiq": [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]],
    "yiq_to_rgb": [[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]],
    "rgb_to_yuv": [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]],
    "yuv_to_rgb": [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]],
}


def _conversion(name):
    def convert(images):
        images = convert_to_tensor(images, name="images")
        kernel = convert_to_tensor(_COLORS[name], dtype=images.dtype, name="kernel")
        return math_ops.tensordot(images, kernel, axes=[[images.shape.ndims - 1], [0]])
    convert.__name__ = name
    return convert


rgb_to_yiq, yiq_to_rgb, rgb_to_yuv, yuv_to_rgb = (_conversion(_name) for _name in _COLORS)


def adjust_gamma(image, gamma=1, gain=1):
    with name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = convert_to_tensor(image, name="image")
        kind = image.dtype
        if kind not in (dtypes.float16, dtypes.float32):
            image = convert_image_dtype(image, dtypes.float32)
        if not hasattr(gamma, "graph") and gamma < 0:
            raise ValueError("Gamma should be a non-negative real number.")
        return convert_image_dtype(gain * image ** gamma, kind, saturate=True)


def image_gradients(image):
    """(dy, dx): each pixel's difference to the next one."""
    if image.shape.ndims != 4:
        raise ValueError("image_gradients expects a 4D tensor [batch_size, h, w, d], not %s.", image.shape)
    whole = array_ops.shape(image)
    batch, height, width, depth = array_ops.unstack(whole)
    dy = image[:, 1:, :, :] - image[:, :-1, :, :]
    dx = image[:, :, 1:, :] - image[:, :, :-1, :]
    results = []
    for difference, edge, axis in ((dy, [batch, 1, width, depth], 1), (dx, [batch, height, 1, depth], 2)):
        edge = array_ops.stack(edge)
        difference = array_ops.concat([difference, array_ops.zeros(edge, image.dtype)], axis)
        results.append(array_ops.reshape(difference, whole))
    return tuple(results)


def sobel_edges(image):
    known, whole = image.shape, array_ops.shape(image)
    kernels = np.array([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]])
    kernels = constant(np.expand_dims(np.transpose(kernels, (1, 2, 0)), -2), dtype=image.dtype)
    kernels = array_ops.tile(kernels, [1, 1, whole[-1], 1], name="sobel_filters")
    padded = array_ops.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = nn_conv.depthwise_conv2d(padded, kernels, [1, 1, 1, 1], "VALID")
    edges = array_ops.reshape(edges, shape=array_ops.concat([whole, [2]], 0))
    edges.set_shape(known.concatenate([2]))
    return edges


# -- differences of two images

def _checked(a, b):
    """Shapes of both, and what makes sure that they go together."""
    x, y = a.shape.with_rank_at_least(3), b.shape.with_rank_at_least(3)
    x[-3:].assert_is_compatible_with(y[-3:])
    if x.ndims is not None and y.ndims is not None:
        for one, other in zip(x.as_list()[-4::-1], y.as_list()[-4::-1]):
            if not (one == 1 or other == 1 or None in (one, other) or one == other):
                raise ValueError("Two images are not compatible: %s and %s" % (x, y))
    x, y = array_ops.shape_n([a, b])
    ranked = control_flow.Assert(math_ops.greater_equal(array_ops.size(x), 3), [x, y], summarize=10)
    same = control_flow.Assert(math_ops.reduce_all(math_ops.equal(x[-3:], y[-3:])), [x, y], summarize=10)
    return x, y, [ranked, same]


def _as_floats(max_val, a, b):
    max_val = convert_image_dtype(math_ops.cast(max_val, a.dtype), dtypes.float32)
    return max_val, convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32)


def psnr(a, b, max_val, name=None):
    """Peak signal to noise, in decibel."""
    with name_scope(name, "PSNR", [a, b]):
        max_val, a, b = _as_floats(max_val, a, b)
        error = math_ops.reduce_mean(math_ops.squared_difference(a, b), [-3, -2, -1])
        value = math_ops.subtract(20 * math_ops.log(max_val) / math_ops.log(10.0),
                                  np.float32(10 / np.log(10)) * math_ops.log(error), name="psnr")
        _, _, checks = _checked(a, b)
        with graph_lib.control_dependencies(checks):
            return array_ops.identity(value)


def _similarity(x, y, mean, max_val, k1, k2):
    """(luminance, contrast and structure)."""
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_x, mean_y = mean(x), mean(y)
    product = mean_x * mean_y * 2.0
    squares = math_ops.square(mean_x) + math_ops.square(mean_y)
    luminance = (product + c1) / (squares + c1)
    covariance = mean(x * y) * 2.0
    variance = mean(math_ops.square(x) + math_ops.square(y))
    c2 *= 1.0
    return luminance, (covariance - product + c2) / (variance - squares + c2)


def _gauss(size, sigma):
    size, sigma = convert_to_tensor(size, dtypes.int32), convert_to_tensor(sigma)
    at = math_ops.cast(math_ops.range(size), sigma.dtype)
    at -= math_ops.cast(size - 1, sigma.dtype) / 2.0
    weight = math_ops.square(at)
    weight *= -0.5 / math_ops.square(sigma)
    weight = array_ops.reshape(weight, shape=[1, -1]) + array_ops.reshape(weight, shape=[-1, 1])
    weight = nn.softmax(array_ops.reshape(weight, shape=[1, -1]))
    return array_ops.reshape(weight, shape=[size, size, 1, 1])


def _per_channel(a, b, max_val, filter_size, filter_sigma, k1, k2):
    filter_size = constant(filter_size, dtype=dtypes.int32)
    filter_sigma = constant(filter_sigma, dtype=a.dtype)
    x, y = array_ops.shape_n([a, b])
    checks = [control_flow.Assert(math_ops.reduce_all(math_ops.greater_equal(s[-3:-1], filter_size)), [s, filter_size],
                                  summarize=8) for s in (x, y)]
    with graph_lib.control_dependencies(checks):
        a = array_ops.identity(a)
    kernel = _gauss(filter_size, filter_sigma)
    kernel = array_ops.tile(kernel, multiples=[1, 1, x[-1], 1])

    def mean(image):
        shape = array_ops.shape(image)
        image = array_ops.reshape(image, shape=array_ops.concat([[-1], shape[-3:]], 0))
        result = nn_conv.depthwise_conv2d(image, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return array_ops.reshape(result, array_ops.concat([shape[:-3], array_ops.shape(result)[1:]], 0))
    luminance, structure = _similarity(a, b, mean, max_val, k1, k2)
    axes = constant([-3, -2], dtype=dtypes.int32)
    similarity = math_ops.reduce_mean(luminance * structure, axes)
    return similarity, math_ops.reduce_mean(structure, axes)


def ssim(img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """Structural similarity."""
    _, _, checks = _checked(img1, img2)
    with graph_lib.control_dependencies(checks):
        img1 = array_ops.identity(img1)
    max_val, img1, img2 = _as_floats(max_val, img1, img2)
    similarity, _ = _per_channel(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return math_ops.reduce_mean(similarity, [-1])


def _halved(images, heads, tails, divisor):
    """(images of half the size, the end of their shapes)."""
    steps = [1, 2, 2, 1]
    flat = [array_ops.reshape(x, array_ops.concat([[-1], t], 0)) for x, t in zip(images, tails)]
    rest = tails[0] % divisor

    def padded():
        padding = array_ops.pad(array_ops.expand_dims(rest, -1), [[1, 0], [1, 0]])
        return [array_ops.pad(x, padding, mode="SYMMETRIC") for x in flat]
    odd = math_ops.reduce_any(math_ops.not_equal(rest, 0))
    flat = control_flow.cond(odd, padded, lambda: flat)
    small = [nn_conv.avg_pool(x, ksize=steps, strides=steps, padding="VALID") for x in flat]
    tails = [x[1:] for x in array_ops.shape_n(small)]
    return [array_ops.reshape(x, array_ops.concat([h, t], 0)) for x, h, t in zip(small, heads, tails)], tails


def ssim_multiscale(img1, img2, max_val, power_factors=_MSSSIM_WEIGHTS, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
    """Structural similarity at several scales."""
    with name_scope(None, "MS-SSIM", [img1, img2]):
        img1, img2 = convert_to_tensor(img1, name="img1"), convert_to_tensor(img2, name="img2")
        x, y, checks = _checked(img1, img2)
        with graph_lib.control_dependencies(checks):
            img1 = array_ops.identity(img1)
        max_val, *images = _as_floats(max_val, img1, img2)
        heads, tails = [s[:-3] for s in (x, y)], [s[-3:] for s in (x, y)]
        divisor = constant([2, 2, 1], dtype=dtypes.int32)
        found = []
        for k in range(len(power_factors)):
            with name_scope(None, "Scale%d" % k, images):
                if k > 0:
                    images, tails = _halved(images, heads, tails, divisor)
                similarity, structure = _per_channel(*images, max_val, filter_size, filter_sigma, k1, k2)
                found.append(nn.relu(structure))
        found.pop()
        powers = math_ops.pow(array_ops.stack(found + [nn.relu(similarity)], axis=-1), power_factors)
        return math_ops.reduce_mean(math_ops.reduce_prod(powers, [-1]), [-1])

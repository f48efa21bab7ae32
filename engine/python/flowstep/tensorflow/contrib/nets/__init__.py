# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.slim.nets: networks that many scripts begin with."""

from . import chains, inception, residual

# A module below slim.nets, and its names.
MODULES = {
    "alexnet": {"alexnet_v2": chains.alexnet_v2, "alexnet_v2_arg_scope": chains.alexnet_v2_arg_scope,
                "trunc_normal": chains.trunc_normal},
    "vgg": {name: getattr(chains, name) for name in ("vgg_arg_scope", "vgg_a", "vgg_16", "vgg_19", "vgg_d", "vgg_e")},
    "overfeat": {"overfeat": chains.overfeat, "overfeat_arg_scope": chains.overfeat_arg_scope,
                 "trunc_normal": chains.trunc_normal},
    "inception": {name: getattr(inception, name) for name in inception.NAMES},
    "resnet_utils": {name: getattr(residual, name) for name in (
        "Block", "subsample", "conv2d_same", "stack_blocks_dense", "resnet_arg_scope")},
    "resnet_v1": dict(residual.FIRST, resnet_arg_scope=residual.resnet_arg_scope),
    "resnet_v2": dict(residual.SECOND, resnet_arg_scope=residual.resnet_arg_scope),
}

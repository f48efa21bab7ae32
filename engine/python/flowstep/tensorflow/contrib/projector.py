# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.tensorboard.plugins.projector: which variables TensorBoard shows as points."""

import os

from ..framework import proto

ProjectorConfig, EmbeddingInfo = proto.message_class("ProjectorConfig"), proto.message_class("EmbeddingInfo")
SpriteMetadata = proto.message_class("SpriteMetadata")


def visualize_embeddings(summary_writer, config):
    """Writes projector_config.pbtxt beside a writer's events."""
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    from ..framework import proto_text
    with open(os.path.join(folder, "projector_config.pbtxt"), "w") as file:
        file.write(proto_text.MessageToString(config))

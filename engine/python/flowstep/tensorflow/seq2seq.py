# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: its names."""

from .seq2seq_attention import (  # noqa: F401
    AttentionMechanism, AttentionWrapper, AttentionWrapperState, BahdanauAttention, LuongAttention, hardmax)
from .seq2seq_decoders import BasicDecoder, BasicDecoderOutput, Decoder, dynamic_decode  # noqa: F401
from .seq2seq_helpers import (  # noqa: F401
    CustomHelper, GreedyEmbeddingHelper, Helper, InferenceHelper, SampleEmbeddingHelper, ScheduledEmbeddingTrainingHelper,
    ScheduledOutputTrainingHelper, TrainingHelper)
from .seq2seq_loss import sequence_loss  # noqa: F401

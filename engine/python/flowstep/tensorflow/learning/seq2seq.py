# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.seq2seq: its names."""

from .seq2seq_attention import AttentionMechanism, AttentionWrapper, AttentionWrapperState, BahdanauAttention
from .seq2seq_attention import LuongAttention, hardmax
from .seq2seq_beam import BeamSearchDecoder, BeamSearchDecoderOutput, BeamSearchDecoderState
from .seq2seq_beam import FinalBeamSearchDecoderOutput, gather_tree, gather_tree_from_array, tile_batch
from .seq2seq_decoders import BasicDecoder, BasicDecoderOutput, Decoder, dynamic_decode  # noqa: F401
from .seq2seq_helpers import CustomHelper, GreedyEmbeddingHelper, Helper, InferenceHelper, SampleEmbeddingHelper
from .seq2seq_helpers import ScheduledEmbeddingTrainingHelper, ScheduledOutputTrainingHelper, TrainingHelper
from .seq2seq_loss import sequence_loss  # noqa: F401
from .seq2seq_monotonic import BahdanauMonotonicAttention, LuongMonotonicAttention, monotonic_attention, safe_cumprod

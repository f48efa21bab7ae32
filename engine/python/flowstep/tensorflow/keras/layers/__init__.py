# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.keras.layers."""

from ..base_layer import InputSpec, Layer  # noqa: F401
from ..input_layers import Input, InputLayer  # noqa: F401
from .attention import AdditiveAttention, Attention  # noqa: F401
from .conv import AveragePooling1D, AveragePooling2D, AveragePooling3D, Conv1D, Conv2D, Conv2DTranspose, Conv3D
from .conv import Conv3DTranspose, Cropping1D, Cropping2D, Cropping3D, DepthwiseConv2D, GlobalAveragePooling1D
from .conv import GlobalAveragePooling2D, GlobalAveragePooling3D, GlobalMaxPooling1D, GlobalMaxPooling2D
from .conv import GlobalMaxPooling3D, MaxPooling1D, MaxPooling2D, MaxPooling3D, SeparableConv1D, SeparableConv2D
from .conv import UpSampling1D, UpSampling2D, UpSampling3D, ZeroPadding1D, ZeroPadding2D, ZeroPadding3D
from .core import ELU, Activation, ActivityRegularization, AlphaDropout, BatchNormalization, Dense, Dropout, Embedding
from .core import Flatten, GaussianDropout, GaussianNoise, Lambda, LayerNormalization, LeakyReLU, Masking, Permute
from .core import PReLU, ReLU, RepeatVector, Reshape, Softmax, SpatialDropout1D, SpatialDropout2D, SpatialDropout3D
from .core import ThresholdedReLU
from .local import LocallyConnected1D, LocallyConnected2D  # noqa: F401
from .merge import Add, Average, Concatenate, Dot, Maximum, Minimum, Multiply, Subtract, add, average, concatenate
from .merge import dot, maximum, minimum, multiply, subtract
from .recurrent import GRU, LSTM, RNN, SimpleRNN  # noqa: F401
from .recurrent_cells import AbstractRNNCell, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells  # noqa: F401
from .recurrent_conv import ConvLSTM2D  # noqa: F401
from .recurrent_cudnn import CuDNNGRU, CuDNNLSTM  # noqa: F401
from .wrappers import Bidirectional, TimeDistributed, Wrapper  # noqa: F401

Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution2DTranspose, Convolution3DTranspose = Conv2DTranspose, Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D
GlobalAvgPool1D, GlobalAvgPool2D, GlobalAvgPool3D = GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D

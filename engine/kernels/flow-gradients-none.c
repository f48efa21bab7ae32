/* flow-gradients-none.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-gradients-private.h"

/* What TensorFlow knows to have no gradient: nothing comes back through it. Any other op without a rule is
 * an error where a gradient would have to pass. */

static const FlowGradientDef defs[] = {
  {
    "ApproximateEqual ArgMax ArgMin AsString Assert Assign AssignAdd AssignSub AudioSummary "
    "AudioSummaryV2 BitwiseAnd BitwiseOr BitwiseXor BroadcastGradientArgs CTCBeamSearchDecoder "
    "CTCGreedyDecoder Ceil ConcatOffset Const DecodeBase64 DecodePaddedRaw DecodeRaw "
    "DeleteSessionTensor DenseToDenseSetOperation DenseToSparseSetOperation DrawBoundingBoxes "
    "EditDistance EncodeBase64 Equal EuclideanNorm ExtractGlimpse FixedLengthRecordReader Floor "
    "FloorDiv GetSessionHandle GetSessionTensor Greater GreaterEqual HSVToRGB HashTable "
    "HashTableV2 HistogramSummary HyperplaneLSHProbes IdentityReader ImageSummary InitializeTable "
    "InitializeTableFromTextFile InitializeTableFromTextFileV2 InitializeTableV2 Invert "
    "InvertPermutation LMDBReader LeftShift Less LessEqual LinSpace LogicalAnd LogicalNot LogicalOr "
    "LookupTableFind LookupTableFindV2 LookupTableInsert LookupTableInsertV2 LookupTableSize "
    "LookupTableSizeV2 MergeSummary Multinomial MutableDenseHashTable MutableDenseHashTableV2 "
    "MutableHashTable MutableHashTableOfTensors MutableHashTableOfTensorsV2 MutableHashTableV2 "
    "NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionWithOverlaps NotEqual OneHot "
    "OnesLike ParseTensor PopulationCount PyFunc PyFuncStateless QueueClose QueueDequeue "
    "QueueDequeueMany QueueDequeueUpTo QueueEnqueue QueueEnqueueMany QueueSize RaggedRange "
    "RandomCrop "
    "RandomStandardNormal RandomUniform Range Rank ReaderNumRecordsProduced "
    "ReaderNumWorkUnitsCompleted ReaderRead ReaderReadUpTo ReaderReset ReaderRestoreState "
    "ReaderSerializeState ReduceDataset ReduceJoin RegexReplace RightShift Rint Round "
    "SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 ScalarSummary ScatterAdd "
    "ScatterDiv ScatterMul ScatterNdAdd ScatterNdSub ScatterNdUpdate ScatterSub SerializeTensor "
    "SetSize Shape ShapeN SingleImageRandomDotStereograms Size SparseAddGrad SparseConcat SparseToSparseSetOperation Stack "
    "StackClose StackPop StackPush StatelessMultinomial StatelessRandomNormal "
    "StatelessRandomUniform StatelessRandomUniformInt StatelessTruncatedNormal StopGradient "
    "StringJoin StringSplit StringToHashBucket StringToHashBucketFast StringToHashBucketStrong "
    "StringToNumber TFRecordReader TensorArray TensorArrayClose TensorArrayCloseV2 "
    "TensorArrayCloseV3 TensorArrayGrad TensorArrayGradV2 TensorArrayGradV3 "
    "TensorArrayGradWithShape TensorArraySize TensorArraySizeV2 TensorArraySizeV3 TensorArrayV2 "
    "TensorArrayV3 TensorListConcatLists TensorListElementShape TensorListLength "
    "TensorListPushBackBatch TensorSummary TensorSummaryV2 TextLineReader Timestamp TruncateDiv "
    "TruncatedNormal VarIsInitializedOp VariableShape WholeFileReader ZerosLike",
    NULL,
  },
};

void
_flow_gradients_add_none (void)
{
  flow_gradient_registry_add (defs, G_N_ELEMENTS (defs));
}

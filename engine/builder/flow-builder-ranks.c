/* flow-builder-ranks.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-builder-private.h"

#include <stdlib.h>
#include <string.h>

/* What TensorFlow's shape functions ask of ranks while a graph is built, of ops whose kernels say it otherwise when they run.
 * Our shape functions are asked in both cases and leave these words to the kernels; here they come first. */

/* Of each argument in turn: its rank, "1+" at least, "1-" at most, "?" any, the rest any too; ">" is asked before all others,
 * and "=2" asks for the shape of input 2. A list has the same for all. In the order of the types. */
typedef struct {
  const char *type;
  const char *ranks;
} AskedRanks;

static const AskedRanks asked[] = {
  { "AddManySparseToTensorsMap", "2 1 1" },
  { "AddSparseToTensorsMap", "2 1 1" },
  { "AdjustContrastv2", "3+ >0" },
  { "AssertNextDataset", "? 1" },
  { "AvgPool3DGrad", "1" },
  { "AvgPoolGrad", "1" },
  { "BatchDataset", "? 0" },
  { "BatchDatasetV2", "? 0 0" },
  { "BatchToSpace", "4" },
  { "Bincount", "? 0" },
  { "BlockLSTM", "? 3 ? ? ? ? ? ? 1" },
  { "BlockLSTMGrad", "? 3 2 2 2 1 1 1 1" },
  { "BlockLSTMGradV2", "? 3 2 2 2 1 1 1 1" },
  { "BlockLSTMV2", "? 3 ? ? ? ? ? ? 1" },
  { "BoostedTreesAggregateStats", "1 2 2 2" },
  { "BoostedTreesBucketize", "1" },
  { "BoostedTreesSparseAggregateStats", "1 2 2 2 1 1" },
  { "BytesProducedStatsDataset", "? 0" },
  { "CSVDataset", "1- 0 0 0 0 0 0 1 1-" },
  { "CacheDataset", "? 0" },
  { "CacheDatasetV2", "? 0 0" },
  { "CombinedNonMaxSuppression", "4 3 0 0 0 0" },
  { "CompareAndBitpack", "1+ 0" },
  { "ComputeAccidentalHits", "2 1" },
  { "Conv2DBackpropFilter", "? 1" },
  { "Conv2DBackpropInput", "1" },
  { "Conv3DBackpropFilterV2", "? 1" },
  { "Conv3DBackpropInputV2", "1" },
  { "CropAndResize", "4 2 1 1" },
  { "CropAndResizeGradImage", "? ? ? 1" },
  { "Cross", "1+ 1+" },
  { "CudnnRNNParamsSize", "0 0 0" },
  { "CudnnRNNParamsToCanonical", "? ? ? 1" },
  { "CudnnRNNParamsToCanonicalV2", "? ? ? 1" },
  { "DatasetToSingleElement", "0" },
  { "DecodeAndCropJpeg", "0 1" },
  { "DecodeCSV", "? 1-" },
  { "DeleteSessionTensor", "0" },
  { "DenseToDenseSetOperation", "2+ 2+" },
  { "DenseToSparseBatchDataset", "? 0 1" },
  { "DenseToSparseSetOperation", "2+ >2 >1 >1" },
  { "DepthwiseConv2dNativeBackpropFilter", "? 1" },
  { "DepthwiseConv2dNativeBackpropInput", "1" },
  { "Dequantize", "? 0 0" },
  { "DeserializeManySparse", "2" },
  { "Dilation2D", "4 3" },
  { "DrawBoundingBoxes", "4 3" },
  { "DrawBoundingBoxesV2", "3+" },
  { "EditDistance", "2 1 1 2 1 1" },
  { "Empty", "1" },
  { "EmptyTensorList", "1-" },
  { "ExperimentalAssertNextDataset", "? 1" },
  { "ExperimentalBytesProducedStatsDataset", "? 0" },
  { "ExperimentalCSVDataset", "1- 0 0 0 0 0 0 1 1-" },
  { "ExperimentalDenseToSparseBatchDataset", "? 0 1" },
  { "ExperimentalLatencyStatsDataset", "? 0" },
  { "ExperimentalMatchingFilesDataset", "1-" },
  { "ExperimentalRandomDataset", "0 0" },
  { "ExperimentalSleepDataset", "0- 0-" },
  { "ExperimentalSlidingWindowDataset", "? 0 0 0" },
  { "ExtractGlimpse", "4 1 >2" },
  { "FakeQuantWithMinMaxVars", "? 0 0" },
  { "FakeQuantWithMinMaxVarsGradient", "? ? 0" },
  { "FakeQuantWithMinMaxVarsPerChannel", "1+ 1 1" },
  { "FakeQuantWithMinMaxVarsPerChannelGradient", "? ? 1" },
  { "FixedLengthRecordDataset", "1- 0 0 0 0" },
  { "FixedLengthRecordDatasetV2", "1- 0 0 0 0" },
  { "FractionalMaxPoolGrad", "4" },
  { "FusedPadConv2D", "4 2" },
  { "FusedResizeAndPadConv2D", "4 ? 2" },
  { "GRUBlockCell", "2 2" },
  { "GRUBlockCellGrad", "2 2 2" },
  { "GetSessionTensor", "0" },
  { "IRFFT", "1+ 1" },
  { "IRFFT2D", "2+ 1" },
  { "IRFFT3D", "3+ 1" },
  { "InitializeTableFromTextFileV2", "0 0" },
  { "InitializeTableV2", "0 1 ?=1" },
  { "IteratorGetNext", "0" },
  { "IteratorGetNextSync", "0" },
  { "LRNGrad", "4" },
  { "LSTMBlockCellGrad", "2 2" },
  { "LatencyStatsDataset", "? 0" },
  { "LoadAndRemapMatrix", "? 0" },
  { "LookupTableExportV2", "0" },
  { "LookupTableFindV2", "0 ? 1-" },
  { "LookupTableImportV2", "0 1 ?=1" },
  { "LookupTableInsertV2", "0" },
  { "LookupTableRemoveV2", "0 1+" },
  { "LookupTableSizeV2", "0" },
  { "MatchingFilesDataset", "1-" },
  { "MatrixDiagPartV2", "2+ 1- 0" },
  { "MatrixDiagV2", "1+ 1- 0 0 0" },
  { "MatrixSetDiagV2", "2+ 1+ 1-" },
  { "MatrixSolveLs", "2+ 2+ >0" },
  { "MaxPool3DGradGrad", "5" },
  { "MaxPoolGradGrad", "4" },
  { "MaxPoolGradGradV2", "4 ? ? 1 1" },
  { "MaxPoolV2", "4 1 1" },
  { "MultiDeviceIteratorGetNextFromShard", "0" },
  { "MutableDenseHashTableV2", "1-" },
  { "NonDeterministicInts", "1" },
  { "NonMaxSuppression", "2 1 0" },
  { "NonMaxSuppressionV2", "2 1 0 0" },
  { "NonMaxSuppressionV3", "2 1 0 0 0" },
  { "NonMaxSuppressionV4", "2 1 0 0 0" },
  { "NonMaxSuppressionV5", "2 1 0 0 0 0" },
  { "OptionalGetValue", "0" },
  { "PaddedBatchDataset", "? 0" },
  { "PaddedBatchDatasetV2", "? 0 ? ? 0" },
  { "ParseExample", "1 1" },
  { "ParseSingleExample", "0" },
  { "ParseSingleSequenceExample", "0" },
  { "PrefetchDataset", "? 0" },
  { "QuantizeAndDequantizeV2", "? 0 0" },
  { "QuantizeAndDequantizeV3", "? 0 0 0" },
  { "QuantizeDownAndShrinkRange", "? 0 0" },
  { "QuantizeV2", "? 0 0" },
  { "QuantizedAdd", "? ? 0 0 0 0" },
  { "QuantizedAvgPool", "4 0 0" },
  { "QuantizedBatchNormWithGlobalNormalization", "4 ? ? 1 ? ? 1 ? ? 1 ? ? 1" },
  { "QuantizedBiasAdd", "2+ 1 0 0 0 0" },
  { "QuantizedConcat", "0 ? 0 0" },
  { "QuantizedConv2D", "4 4 0 0 0 0" },
  { "QuantizedInstanceNorm", "4 0 0" },
  { "QuantizedMatMul", "2 2 0 0 0 0" },
  { "QuantizedMaxPool", "4 0 0" },
  { "QuantizedRelu", "? 0 0" },
  { "QuantizedRelu6", "? 0 0" },
  { "QuantizedReshape", "? 1 0 0" },
  { "QuantizedResizeBilinear", "4 1 0 0" },
  { "RFFT", "1+ 1" },
  { "RFFT2D", "2+ 1" },
  { "RFFT3D", "3+ 1" },
  { "RaggedGather", "1 1+" },
  { "RaggedRange", "1- 1- 1-" },
  { "RaggedTensorFromVariant", "0" },
  { "RaggedTensorToSparse", "1 1+" },
  { "RaggedTensorToTensor", "1-" },
  { "RandomDataset", "0 0" },
  { "RandomGamma", "1" },
  { "RandomPoissonV2", "1" },
  { "RandomStandardNormal", "1" },
  { "RandomUniform", "1" },
  { "RandomUniformInt", "1 >0 >0" },
  { "RangeDataset", "0 0 0" },
  { "ReadFile", "0" },
  { "ReaderNumRecordsProducedV2", "0" },
  { "ReaderNumWorkUnitsCompletedV2", "0" },
  { "ReaderReadUpToV2", "0 0 0" },
  { "ReaderReadV2", "0 0" },
  { "ReaderResetV2", "0" },
  { "ReaderRestoreStateV2", "0 0" },
  { "ReaderSerializeStateV2", "0" },
  { "ReduceJoin", "? 1-" },
  { "RegexFullMatch", "? 0" },
  { "RegexReplace", "? 0 0" },
  { "RepeatDataset", "? 0" },
  { "RequantizationRange", "? 0 0" },
  { "Requantize", "? 0 0 0 0" },
  { "Reshape", "? 1" },
  { "ResourceAccumulatorApplyGradient", "? 0" },
  { "ResourceAccumulatorSetGlobalStep", "? 0" },
  { "ResourceAccumulatorTakeGradient", "? 0" },
  { "ResourceApplyFtrlV2", "? ? ? ? 0 0 0 0" },
  { "ResourceScatterNdAdd", "? 1+ 1+" },
  { "ResourceScatterNdSub", "? 1+ 1+" },
  { "ResourceScatterNdUpdate", "? 1+ 1+" },
  { "ResourceSparseApplyAdadelta", "? ? ? 0 0 0 ? 1" },
  { "ResourceSparseApplyAdagrad", "? ? 0 ? 1" },
  { "ResourceSparseApplyAdagradDA", "? ? ? ? 1 0 0 0 0" },
  { "ResourceSparseApplyAdagradV2", "? ? 0 0 ? 1" },
  { "ResourceSparseApplyCenteredRMSProp", "? ? ? ? 0 0 0 0 ? 1" },
  { "ResourceSparseApplyFtrl", "? ? ? ? 1 0 0 0 0" },
  { "ResourceSparseApplyFtrlV2", "? ? ? ? 1 0 0 0 0" },
  { "ResourceSparseApplyKerasMomentum", "? ? 0 ? 1 0" },
  { "ResourceSparseApplyMomentum", "? ? 0 ? 1 0" },
  { "ResourceSparseApplyProximalAdagrad", "? ? 0 0 0 ? 1" },
  { "ResourceSparseApplyProximalGradientDescent", "? 0 0 0 ? 1" },
  { "ResourceSparseApplyRMSProp", "? ? ? 0 0 0 0 ? 1" },
  { "RngSkip", "? 0 0" },
  { "Roll", "1+ 1- 1-=1" },
  { "SampleDistortedBoundingBoxV2", "1 3 0" },
  { "SamplingDataset", "? 0 0 0" },
  { "SerializeManySparse", "2 1 1" },
  { "SerializeSparse", "2 1 1" },
  { "ShardDataset", "? 0 0" },
  { "ShuffleAndRepeatDataset", "? 0 0 0 0" },
  { "ShuffleDataset", "? 0 0 0" },
  { "SkipDataset", "? 0" },
  { "SleepDataset", "0- 0-" },
  { "SlidingWindowDataset", "? 0 0 0" },
  { "SpaceToBatch", "4" },
  { "SparseAddGrad", "? 2 2" },
  { "SparseConcat", "2 1 1" },
  { "SparseFillEmptyRows", "2 1 1 0" },
  { "SparseReorder", "2 1 1" },
  { "SparseSegmentMean", "1+ 1 1=1" },
  { "SparseSegmentMeanGrad", "1+ 1 ? 0" },
  { "SparseSegmentMeanWithNumSegments", "1+ 1 1=1 0" },
  { "SparseSegmentSqrtN", "1+ 1 1=1" },
  { "SparseSegmentSqrtNGrad", "1+ 1 ? 0" },
  { "SparseSegmentSqrtNWithNumSegments", "1+ 1 1=1 0" },
  { "SparseSegmentSum", "1+ 1 1=1" },
  { "SparseSegmentSumWithNumSegments", "1+ 1 1=1 0" },
  { "SparseSliceGrad", "? 2" },
  { "SparseSoftmax", "2 1 1" },
  { "SparseSparseMaximum", "2 1 1 2 1 1" },
  { "SparseSparseMinimum", "2 1 1 2 1 1" },
  { "SparseTensorDenseMatMul", "2 1 1 2" },
  { "SparseToDense", "? 1" },
  { "SparseToSparseSetOperation", "2 1 1 2 1 1" },
  { "StackCloseV2", "1" },
  { "StatefulStandardNormalV2", "? 0 1" },
  { "StatefulTruncatedNormal", "? 0 1" },
  { "StatefulUniform", "? 0 1" },
  { "StatefulUniformFullInt", "? 0 1" },
  { "StatefulUniformInt", "? 0 1 0 0" },
  { "StatelessMultinomial", "2 0 >1" },
  { "StatelessRandomNormal", "1 1" },
  { "StatelessRandomUniform", "1 1" },
  { "StatelessRandomUniformInt", "1 1 >0 >0" },
  { "StatelessTruncatedNormal", "1 1" },
  { "StridedSliceGrad", "1" },
  { "StringNGrams", "1 1" },
  { "StringSplit", "1 0" },
  { "StringSplitV2", "1 0" },
  { "TFRecordDataset", "1- 0 0" },
  { "TakeDataset", "? 0" },
  { "TakeManySparseFromTensorsMap", "1" },
  { "TensorArrayCloseV3", "1" },
  { "TensorArrayConcatV2", "1 0" },
  { "TensorArrayConcatV3", "1 0" },
  { "TensorArrayGatherV3", "1 1 0" },
  { "TensorArrayGradV3", "1" },
  { "TensorArrayGradWithShape", "1" },
  { "TensorArrayReadV3", "1 0 0" },
  { "TensorArrayScatterV3", "1 1 1+ 0" },
  { "TensorArraySizeV3", "1" },
  { "TensorArraySplitV3", "1 ? 1 0" },
  { "TensorArrayV3", "0" },
  { "TensorArrayWriteV3", "1 0 ? 0" },
  { "TensorListConcatV2", "? 1-" },
  { "TensorListFromTensor", "? 1-" },
  { "TensorListGather", "? ? 1-" },
  { "TensorListGetItem", "? ? 1-" },
  { "TensorListPushBackBatch", "1 1+" },
  { "TensorListReserve", "1-" },
  { "TensorListResize", "? 0" },
  { "TensorListScatter", "? ? 1-" },
  { "TensorListScatterIntoExistingList", "? 1+ 1" },
  { "TensorListScatterV2", "? ? 1-" },
  { "TensorListSplit", "1+ 1- >1" },
  { "TensorListStack", "? 1-" },
  { "TextLineDataset", "1- 0 0" },
  { "TridiagonalMatMul", "2+ 2+ 2+ 2+" },
  { "TridiagonalSolve", "2+ 2+" },
  { "TruncatedNormal", "1" },
  { "UnicodeEncode", "1 1" },
  { "UnsortedSegmentJoin", "? ? 0" },
  { "UnsortedSegmentMax", "? ? 0" },
  { "UnsortedSegmentMin", "? ? 0" },
  { "UnsortedSegmentProd", "? ? 0" },
  { "UnsortedSegmentSum", "? ? 0" },
  { "WindowDataset", "? 0 0 0 0" },
  { "WriteFile", "0 0" },
};

static int
compare_types (const void *key,
               const void *row)
{
  return strcmp (key, ((const AskedRanks *) row)->type);
}

static gboolean
check_rank (FlowInferContext  *context,
            const FlowShape   *shape,
            const char        *rank,
            GError           **error)
{
  g_autoptr (FlowShape) checked = NULL;
  int n = rank[0] - '0';

  if (rank[0] == '?')
    return TRUE;
  if (rank[1] == '+')
    return flow_infer_with_rank_at_least (context, shape, n, &checked, error);
  if (rank[1] == '-')
    return flow_infer_with_rank_at_most (context, shape, n, &checked, error);
  return flow_infer_with_rank (context, shape, n, &checked, error);
}

static gboolean
check_one (FlowInferContext  *context,
           const FlowShape   *shape,
           const char        *rank,
           GError           **error)
{
  g_autoptr (FlowShape) merged = NULL;
  const char *like = rank + strcspn (rank, "= ");

  return check_rank (context, shape, rank, error)
         && (*like != '=' || flow_infer_merge (context, context->input_shapes[like[1] - '0'], shape, &merged, error));
}

/* How many inputs an argument stands for. */
static gsize
arg_length (const FlowArgDef *arg,
            FlowAttrList     *attrs)
{
  const char *name = arg->number_attr != NULL ? arg->number_attr : arg->type_list_attr;
  const FlowAttr *attr = name != NULL ? flow_attr_list_get (attrs, name) : NULL;

  if (attr == NULL)
    return 1;
  return arg->number_attr != NULL ? (gsize) flow_attr_get_int (attr) : flow_attr_get_length (attr);
}

/* The ranks that are asked first, or all others. */
static gboolean
check_ranks (const FlowBuildNode *node,
             FlowInferContext    *context,
             const char          *ranks,
             gboolean             is_first,
             GError             **error)
{
  guint at = 0;

  for (guint i = 0; *ranks != '\0' && i < node->signature->n_inputs; i++)
    {
      gsize n = arg_length (&node->signature->inputs[i], node->attrs);
      gboolean is_due = (*ranks == '>') == is_first;

      ranks += *ranks == '>' ? 1 : 0;
      for (gsize k = 0; k < n && at < context->n_inputs; k++, at++)
        if (is_due && !check_one (context, context->input_shapes[at], ranks, error))
          return FALSE;
      ranks += strcspn (ranks, " ");
      ranks += strspn (ranks, " ");
    }
  return TRUE;
}

/* TF: a matrix's diagonal is no scalar and has a dimension less. What is known to be no matrix the op itself refuses. */
static gboolean
check_diagonal (FlowInferContext  *context,
                GError           **error)
{
  g_autoptr (FlowShape) vector = NULL;
  g_autoptr (FlowShape) checked = NULL;
  int rank = context->input_shapes[0]->rank;

  if (rank < 2 && rank != FLOW_RANK_UNKNOWN)
    return TRUE;
  if (!flow_infer_with_rank_at_least (context, context->input_shapes[1], 1, &vector, error))
    return FALSE;
  return rank < 2 || flow_infer_with_rank (context, context->input_shapes[1], rank - 1, &checked, error);
}

/* TF: a permutation that is a number is let through. */
static gboolean
check_permutation (FlowInferContext  *context,
                   GError           **error)
{
  g_autoptr (FlowShape) checked = NULL;

  return context->input_shapes[1]->rank <= 1 || flow_infer_with_rank (context, context->input_shapes[1], 1, &checked, error);
}

static gboolean
check_fft_length (FlowInferContext  *context,
                  GError           **error)
{
  const char *type = context->signature->name;
  gint64 n = g_str_has_suffix (type, "2D") ? 2 : g_str_has_suffix (type, "3D") ? 3 : 1;
  gint64 merged;

  return context->input_shapes[1]->rank != 1
         || flow_infer_merge_dim (context, context->input_shapes[1]->dims[0], n, &merged, error);
}

/* What is more than a rank. */
static const struct {
  const char *type;
  gboolean (*check) (FlowInferContext  *context,
                     GError           **error);
} checks[] = {
  { "BatchMatrixSetDiag", check_diagonal },
  { "ConjugateTranspose", check_permutation },
  { "IRFFT", check_fft_length },
  { "IRFFT2D", check_fft_length },
  { "IRFFT3D", check_fft_length },
  { "MatrixSetDiag", check_diagonal },
  { "RFFT", check_fft_length },
  { "RFFT2D", check_fft_length },
  { "RFFT3D", check_fft_length },
  { "Transpose", check_permutation },
};

static gboolean
check_more (const FlowBuildNode *node,
            FlowInferContext    *context,
            GError             **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    if (context->n_inputs > 1 && strcmp (checks[i].type, node->signature->name) == 0)
      return checks[i].check (context, error);
  return TRUE;
}

gboolean
_flow_builder_check_ranks (const FlowBuildNode *node,
                           FlowInferContext    *context,
                           GError             **error)
{
  const AskedRanks *row = bsearch (node->signature->name, asked, G_N_ELEMENTS (asked), sizeof *asked, compare_types);

  return (row == NULL
          || (check_ranks (node, context, row->ranks, TRUE, error) && check_ranks (node, context, row->ranks, FALSE, error)))
         && check_more (node, context, error);
}

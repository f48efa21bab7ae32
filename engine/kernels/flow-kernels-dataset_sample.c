/* flow-kernels-dataset_sample.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of some elements of others, by lot, and of elements beside one another as a sparse tensor; and those that
 * only say how another one is to be run.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-random-private.h"
#include "flow-step-private.h"
#include "flow-tensor-variant-private.h"

#include <string.h>

/* --- sampling -------------------------------------------------------------------------------------------------- */

enum { SAMPLE_SEED, SAMPLE_SEED2 };
/* Of a position: numbers drawn. */
enum { AT_DRAWS };

static float
draw (FlowPosition *self)
{
  const gint64 *seeds = self->dataset->numbers;
  guint64 n = (guint64) self->numbers[AT_DRAWS]++;
  FlowPhilox generator;
  guint32 numbers[4];

  flow_philox_init (&generator, (guint64) seeds[SAMPLE_SEED], (guint64) seeds[SAMPLE_SEED2]);
  flow_philox_skip (&generator, n / 4);
  flow_philox_next (&generator, numbers);
  return flow_random_to_float (numbers[n % 4]);
}

static gboolean
sample_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  float rate = FLOW_DATA (float, self->dataset->tensors[0])[0];

  for (;;)
    {
      if (_flow_pull_is_cancelled (pull, error) || !_flow_position_pull (self, 0, pull, out, error))
        return FALSE;
      if (*out == NULL || draw (self) < rate)
        return TRUE;
      g_clear_pointer (out, _flow_tuple_unref);
    }
}

static const FlowDatasetKind sample_kind = { "SamplingDataset", NULL, sample_next, NULL, AT_DRAWS + 1 };

static gboolean
sample_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensor *rate = flow_kernel_input (c, 1);
  gint64 seeds[2];
  FlowDataset *dataset;

  if (!flow_is_scalar (rate))
    return _flow_refuse (error, "rate must be a scalar");
  if (!_flow_dataset_read_int (c, 2, "seed", &seeds[0], error) || !_flow_dataset_read_int (c, 3, "seed2", &seeds[1], error) ||
      !_flow_dataset_new_on_input (c, &sample_kind, &dataset, error))
    return FALSE;
  dataset->is_by_chance = seeds[0] == 0 && seeds[1] == 0;
  if (dataset->is_by_chance)
    c->host->draw_seed (c->host_data, c->node_name, (guint64 *) seeds);
  _flow_dataset_add_tensor (dataset, rate);
  dataset->numbers[SAMPLE_SEED] = seeds[0];
  dataset->numbers[SAMPLE_SEED2] = seeds[1];
  return _flow_dataset_put (c, dataset, error);
}

/* --- dense to sparse batch ---------------------------------------------------------------------------------------- */

enum { SPARSE_SIZE };

/* The size of a row so far, with the element in it. */
static gboolean
widen (const FlowTensor  *row,
       const FlowTensor  *element,
       gint64            *dims,
       GError           **error)
{
  const gint64 *wanted = FLOW_DATA (gint64, row);
  g_autofree char *shape = flow_tensor_shape_text (element);
  g_autofree char *row_text = flow_dims_to_string ((int) row->n_elements, wanted);

  if (FLOW_RANK (element) != row->n_elements)
    return _flow_refuse (error, "Input element had shape (%s) that is incompatible with the row shape (%s).", shape, row_text);
  for (int i = 0; i < FLOW_RANK (element); i++)
    {
      FLOW_REQUIRE (wanted[i] < 0 || FLOW_DIMS (element)[i] <= wanted[i], error, DATA_LOSS,
                    "Input element had shape (%s) that is larger than the row shape (%s).", shape, row_text);
      dims[i] = MAX (dims[i], FLOW_DIMS (element)[i]);
    }
  return TRUE;
}

/* The cells of @elements and where they stand: element, then place in it. */
static void
lay_out (GPtrArray  *elements,
         FlowTensor *indices,
         FlowTensor *values)
{
  const gsize cell = _flow_cell_size (values->dtype);
  gint64 *index = indices->data;
  char *to = values->data;

  for (guint i = 0; i < elements->len; i++)
    {
      const FlowTensor *element = ((FlowTuple *) elements->pdata[i])->tensors[0];
      const int rank = FLOW_RANK (element);

      if (element->n_elements == 0)
        continue;
      memcpy (to, element->data, (gsize) element->n_elements * cell);
      to += (gsize) element->n_elements * cell;
      for (gint64 k = 0; k < element->n_elements; k++, index += rank + 1)
        {
          gint64 rest = k;

          index[0] = i;
          for (int d = rank - 1; d >= 0; d--)
            {
              index[d + 1] = rest % FLOW_DIMS (element)[d];
              rest /= FLOW_DIMS (element)[d];
            }
        }
    }
  _flow_adopt_cells (values->dtype, values->data, values->n_elements);
}

/* A vector of three variants: indices, values, dense shape. */
static FlowTensor *
make_sparse (FlowPull      *pull,
             GPtrArray     *elements,
             const gint64  *dims,
             int            rank,
             int            dtype,
             GError       **error)
{
  g_autoptr (FlowShape) three = flow_shape_new_vector (3);
  g_autoptr (FlowShape) matrix = NULL;
  g_autoptr (FlowShape) cells = NULL;
  g_autoptr (FlowShape) sizes = flow_shape_new_vector (rank + 1);
  g_autoptr (FlowTensor) indices = NULL;
  g_autoptr (FlowTensor) values = NULL;
  g_autoptr (FlowTensor) shape = NULL;
  g_autoptr (FlowTensor) out = flow_tensor_new_zeros (FLOW_DTYPE_VARIANT, three, pull->c->budget, error);
  gint64 n = 0;

  for (guint i = 0; i < elements->len; i++)
    n += ((FlowTuple *) elements->pdata[i])->tensors[0]->n_elements;
  matrix = flow_shape_new_matrix (n, rank + 1);
  cells = flow_shape_new_vector (n);
  if (out == NULL || (indices = flow_tensor_new (FLOW_DTYPE_INT64, matrix, pull->c->budget, error)) == NULL ||
      (values = flow_tensor_new (dtype, cells, pull->c->budget, error)) == NULL ||
      (shape = flow_tensor_new (FLOW_DTYPE_INT64, sizes, pull->c->budget, error)) == NULL)
    return NULL;
  lay_out (elements, indices, values);
  FLOW_WRITABLE (gint64, shape)[0] = elements->len;
  for (int i = 0; i < rank; i++)
    FLOW_WRITABLE (gint64, shape)[i + 1] = dims[i];
  for (int i = 0; i < 3; i++)
    if ((FLOW_WRITABLE (FlowVariant *, out)[i] = _flow_tensor_variant_new (i == 0 ? indices : i == 1 ? values : shape, error)) == NULL)
      return NULL;
  return g_steal_pointer (&out);
}

static gboolean
sparse_next (FlowPosition  *self,
             FlowPull      *pull,
             FlowTuple    **out,
             GError       **error)
{
  const FlowTensor *row = self->dataset->tensors[0];
  g_autoptr (GPtrArray) elements = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  FlowTensor *sparse;

  for (gint64 i = 0; i < row->n_elements; i++)
    dims[i] = MAX (FLOW_DATA (gint64, row)[i], 0);
  while (elements->len < self->dataset->numbers[SPARSE_SIZE])
    {
      FlowTuple *tuple;

      if (!_flow_position_pull (self, 0, pull, &tuple, error))
        return FALSE;
      if (tuple == NULL)
        break;
      g_ptr_array_add (elements, tuple);
      if (tuple->n != 1 || tuple->tensors[0]->dtype != ((FlowTuple *) elements->pdata[0])->tensors[0]->dtype)
        return _flow_refuse (error, "DenseToSparseBatchDataset only supports inputs with a single component.");
      if (!widen (row, tuple->tensors[0], dims, error))
        return FALSE;
    }
  if (elements->len == 0)
    return TRUE;
  sparse = make_sparse (pull, elements, dims, (int) row->n_elements, ((FlowTuple *) elements->pdata[0])->tensors[0]->dtype, error);
  if (sparse == NULL)
    return FALSE;
  *out = _flow_element_new (pull, &sparse, 1, error);
  return *out != NULL;
}

static gint64
sparse_count (FlowDataset *dataset)
{
  gint64 n = _flow_dataset_count_input (dataset);
  gint64 size = dataset->numbers[SPARSE_SIZE];

  return n < 0 ? n : n / size + (n % size != 0);
}

static const FlowDatasetKind sparse_kind = { "DenseToSparseBatchDataset", NULL, sparse_next, sparse_count };

static gboolean
sparse_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowDataset *input = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);
  const FlowTensor *row = flow_kernel_input (c, 2);
  gint64 size;
  FlowDataset *dataset;

  if (input == NULL)
    return FALSE;
  if (input->n_components > 1)
    return _flow_refuse (error, "DenseToSparseBatchDataset only supports inputs with a single component.");
  if (!_flow_dataset_read_int (c, 1, "batch_size", &size, error))
    return FALSE;
  if (size <= 0)
    return _flow_refuse (error, "Batch size must be greater than zero.");
  if (!flow_is_vector (row))
    return _flow_refuse (error, "row_shape must be a vector");
  if (row->n_elements >= FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "row_shape has too many dimensions");
  for (gint64 i = 0; i < row->n_elements; i++)
    if (FLOW_DATA (gint64, row)[i] < -1)
      return _flow_refuse (error, "Dimension %" G_GINT64_FORMAT " must be >= -1", FLOW_DATA (gint64, row)[i]);
  if (!_flow_dataset_new_on_input (c, &sparse_kind, &dataset, error))
    return FALSE;
  dataset->numbers[SPARSE_SIZE] = size;
  _flow_dataset_add_tensor (dataset, row);
  return _flow_dataset_put (c, dataset, error);
}

/* --- wrapping ------------------------------------------------------------------------------------------------------- */

/* A dataset's variant goes through as it is: nothing here moves it between devices. */
static gboolean
wrap_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);

  if (!flow_is_scalar (in))
    return _flow_refuse (error, "Dataset tensor must be a scalar of dtype DT_VARIANT.");
  flow_kernel_set_output (c, 0, in);
  return TRUE;
}

/* --- thread pools ------------------------------------------------------------------------------------------------------ */

/* Ops run on the one kernel thread: a pool is a name, and a dataset on it gives what its input gives. */
static const FlowResourceClass pool_class = { .type_name = "N10tensorflow4data18ThreadPoolResourceE" };

static gpointer
pool_construct (FlowKernelConstruction  *c,
                GError                 **error)
{
  if (flow_attr_get_int (flow_construction_attr (c, "num_threads")) <= 0)
    {
      _flow_refuse (error, "`num_threads` must be greater than zero.");
      return NULL;
    }
  return _flow_place_construct (c, error);
}

static gpointer
make_pool (G_GNUC_UNUSED FlowKernelContext *c,
           const FlowResourceClass         *klass,
           const char                      *container,
           const char                      *name)
{
  return flow_resource_alloc (klass, sizeof (FlowResource), container, name);
}

static gboolean
pool_compute (FlowKernelContext  *c,
              GError            **error)
{
  return _flow_put_placed (c, &pool_class, make_pool, error);
}

static const FlowDatasetKind pooled_kind = { "ThreadPoolDataset", NULL, _flow_dataset_pass_on, _flow_dataset_count_input };

static gboolean
pooled_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowResource *pool = flow_kernel_lookup_handle (c, 1, &pool_class, error);
  FlowDataset *dataset;

  if (pool == NULL)
    return FALSE;
  flow_resource_unref (pool);
  return _flow_dataset_new_on_input (c, &pooled_kind, &dataset, error) && _flow_dataset_put (c, dataset, error);
}

/* --- the table ---------------------------------------------------------------------------------------------------------- */

#define ELEMENTS "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"
#define ON_DATASET(op, more_inputs, op_flags, compute, text)                                                \
  { .name = op, .inputs = "input_dataset: variant; " more_inputs, .outputs = "handle: variant",             \
    .attrs = ELEMENTS, .summary = text, .flags = op_flags, .family = FLOW_OP_FAMILY_IO,                     \
    .infer = _flow_dataset_infer, .kernels = (const FlowKernelDef[]) { { NULL, compute }, { NULL } } }
#define POOL(op)                                                                                            \
  { .name = op, .outputs = "handle: resource",                                                              \
    .attrs = "num_threads: int; max_intra_op_parallelism: int = 1; display_name: string; "                  \
             "container: string = \"\"; shared_name: string = \"\"",                                        \
    .summary = "A pool of threads for datasets", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,    \
    .infer = flow_infer_scalar_shape,                                                                       \
    .kernels = (const FlowKernelDef[]) { { NULL, pool_compute, pool_construct, _flow_place_destruct }, { NULL } } }
#define WRAP(op, text)                                                                                      \
  { .name = op, .inputs = "input_handle: variant", .outputs = "output_handle: variant", .summary = text,    \
    .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,                                          \
    .kernels = (const FlowKernelDef[]) { { NULL, wrap_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  ON_DATASET ("DenseToSparseBatchDataset", "batch_size: int64; row_shape: int64", 0, sparse_compute,
              "Elements of any sizes put together as sparse tensors"),
  ON_DATASET ("ExperimentalDenseToSparseBatchDataset", "batch_size: int64; row_shape: int64", 0, sparse_compute,
              "Elements of any sizes put together as sparse tensors"),
  ON_DATASET ("ExperimentalThreadPoolDataset", "thread_pool: resource", FLOW_OP_STATEFUL, pooled_compute,
              "A dataset whose work a pool of threads does"),
  POOL ("ExperimentalThreadPoolHandle"),
  ON_DATASET ("SamplingDataset", "rate: float; seed: int64; seed2: int64", 0, sample_compute,
              "Each element with a probability"),
  ON_DATASET ("ThreadPoolDataset", "thread_pool: resource", FLOW_OP_STATEFUL, pooled_compute,
              "A dataset whose work a pool of threads does"),
  POOL ("ThreadPoolHandle"),
  WRAP ("UnwrapDatasetVariant", "The dataset that was wrapped"),
  WRAP ("WrapDatasetVariant", "A dataset, to be carried to another device"),
};

FLOW_DEFINE_OP_FAMILY (dataset_sample, ops)

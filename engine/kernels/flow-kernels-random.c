/* flow-kernels-random.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-random-private.h"

/* Random numbers with a generator per node and session, and shuffling. */

static gboolean
fill (FlowKernelContext  *c,
      FlowRandomKind      kind,
      GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  FlowPhilox generator;

  if (out == NULL ||
      !flow_random_reserve (c, (guint64) out->n_elements * FLOW_RANDOM_RESERVED, &generator, error))
    return FALSE;
  flow_random_fill (&generator, kind, out, 0, 0);
  return TRUE;
}

static gboolean
uniform_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return fill (c, FLOW_RANDOM_UNIFORM, error);
}

static gboolean
normal_compute (FlowKernelContext  *c,
                GError            **error)
{
  return fill (c, FLOW_RANDOM_NORMAL, error);
}

static gboolean
truncated_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return fill (c, FLOW_RANDOM_TRUNCATED_NORMAL, error);
}

static gboolean
infer_uniform_int (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) low = NULL;
  g_autoptr (FlowShape) high = NULL;

  if (!c->running && (!flow_infer_with_rank (c, flow_infer_input (c, 1), 0, &low, error) ||
                      !flow_infer_with_rank (c, flow_infer_input (c, 2), 0, &high, error)))
    return FALSE;
  return flow_random_infer_shape (c, error);
}

static gboolean
uniform_int_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *low = flow_kernel_input (c, 1);
  FlowTensor *high = flow_kernel_input (c, 2);
  g_autofree char *low_text = flow_shape_to_string (low->shape);
  g_autofree char *high_text = flow_shape_to_string (high->shape);
  FlowTensor *out;
  FlowPhilox generator;
  gint64 from;
  gint64 to;

  FLOW_REQUIRE (FLOW_RANK (low) == 0, error, INVALID_ARGUMENT, "minval must be 0-D, got shape %s", low_text);
  FLOW_REQUIRE (FLOW_RANK (high) == 0, error, INVALID_ARGUMENT, "maxval must be 0-D, got shape %s", high_text);
  if ((out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  from = flow_tensor_get_int (low, 0);
  to = flow_tensor_get_int (high, 0);
  FLOW_REQUIRE (from < to, error, INVALID_ARGUMENT,
                "Need minval < maxval, got %" G_GINT64_FORMAT " >= %" G_GINT64_FORMAT, from, to);
  if (!flow_random_reserve (c, (guint64) out->n_elements * FLOW_RANDOM_RESERVED, &generator, error))
    return FALSE;
  flow_random_fill (&generator, FLOW_RANDOM_UNIFORM_INT, out, from, to);
  return TRUE;
}

/* --- Shuffling --------------------------------------------------------------------------------------- */

/* TF: RandomShuffle: each place takes one of those not placed yet. */
static void
draw_permutation (const FlowPhilox *generator,
                  gint64            n,
                  gint64           *permutation)
{
  FlowPhiloxStream stream;

  flow_philox_stream_init (&stream, generator);
  for (gint64 i = 0; i < n; i++)
    permutation[i] = i;
  for (gint64 i = 0; i < n - 1; i++)
    {
      gint64 j = i + flow_philox_stream_next (&stream) % (guint32) (n - i);
      gint64 kept = permutation[i];

      permutation[i] = permutation[j];
      permutation[j] = kept;
    }
}

static gboolean
shuffle_compute (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *in = flow_kernel_input (c, 0);
  gint64 rows = FLOW_RANK (in) > 0 ? FLOW_DIMS (in)[0] : 0;
  g_autoptr (FlowShape) shape = flow_shape_new_vector (rows);
  g_autoptr (FlowTensor) permutation = NULL;
  g_autoptr (FlowTensor) out = NULL;
  FlowPhilox generator;
  gsize row_bytes;

  if (in->n_elements <= 1 || rows <= 1)
    {
      flow_kernel_set_output (c, 0, in);
      return TRUE;
    }
  FLOW_REQUIRE (rows <= G_MAXUINT32, error, INVALID_ARGUMENT, "Cannot shuffle more than 2^32 rows");
  /* The copy holds references to strings and handles: their cells may then change places. */
  if ((permutation = flow_kernel_allocate_temp (c, FLOW_DTYPE_INT64, shape, error)) == NULL ||
      (out = flow_tensor_copy (in, c->budget, error)) == NULL ||
      !flow_random_reserve (c, (guint64) (rows - 1 + 3) / 4, &generator, error))
    return FALSE;
  draw_permutation (&generator, rows, permutation->data);
  row_bytes = in->n_bytes / (gsize) rows;
  for (gint64 i = 0; i < rows; i++)
    memcpy ((char *) out->data + (gsize) i * row_bytes,
            (const char *) in->data + (gsize) FLOW_DATA (gint64, permutation)[i] * row_bytes, row_bytes);
  flow_kernel_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

static const FlowKernelDef uniform_kernels[] = { { "dtype: bfloat16 double float half", uniform_compute }, { NULL } };
static const FlowKernelDef normal_kernels[] = { { "dtype: bfloat16 double float half", normal_compute }, { NULL } };
static const FlowKernelDef truncated_kernels[] = {
  { "dtype: bfloat16 double float half", truncated_compute },
  { NULL },
};
static const FlowKernelDef uniform_int_kernels[] = { { "Tout: int32 int64", uniform_int_compute }, { NULL } };
static const FlowKernelDef shuffle_kernels[] = {
  { "T: bfloat16 bool complex128 complex64 double float half int16 int32 int64 int8 resource string uint16 uint8 variant",
    shuffle_compute },
  { NULL },
};

#define SEEDS "seed: int = 0; seed2: int = 0; "
#define FLOAT_ATTRS SEEDS "dtype: {half, bfloat16, float, double}; T: {int32, int64}"
#define FLAGS (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)

static const FlowOpDef ops[] = {
  {
    .name = "RandomShuffle",
    .inputs = "value: T",
    .outputs = "output: T",
    .attrs = SEEDS "T: type",
    .summary = "Puts the rows in a random order",
    .flags = FLAGS,
    .infer = flow_infer_unchanged_shape,
    .kernels = shuffle_kernels,
  },
  {
    .name = "RandomStandardNormal",
    .inputs = "shape: T",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Normal numbers of mean 0 and deviation 1",
    .flags = FLAGS,
    .infer = flow_random_infer_shape,
    .kernels = normal_kernels,
  },
  {
    .name = "RandomUniform",
    .inputs = "shape: T",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Uniform numbers from 0 up to 1",
    .flags = FLAGS,
    .infer = flow_random_infer_shape,
    .kernels = uniform_kernels,
  },
  {
    .name = "RandomUniformInt",
    .inputs = "shape: T; minval: Tout; maxval: Tout",
    .outputs = "output: Tout",
    .attrs = SEEDS "Tout: {int32, int64}; T: {int32, int64}",
    .summary = "Uniform integers from minval up to maxval, which is left out",
    .flags = FLAGS,
    .infer = infer_uniform_int,
    .kernels = uniform_int_kernels,
  },
  {
    .name = "TruncatedNormal",
    .inputs = "shape: T",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Normal numbers, drawn again beyond two deviations",
    .flags = FLAGS,
    .infer = flow_random_infer_shape,
    .kernels = truncated_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (random, ops)

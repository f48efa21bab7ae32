/* flow-kernels-random_stateless.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-random-private.h"

/* Random numbers that follow from the seeds given as an input. */

static gboolean
infer_stateless (FlowInferContext  *c,
                 GError           **error)
{
  g_autoptr (FlowShape) seed = NULL;
  g_autoptr (FlowShape) two = flow_shape_new_vector (2);
  g_autoptr (FlowShape) merged = NULL;

  if (!c->running && (!flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &seed, error) ||
                      !flow_infer_merge (c, seed, two, &merged, error)))
    return FALSE;
  return flow_random_infer_shape (c, error);
}

static FlowTensor *
prepare (FlowKernelContext  *c,
         FlowPhilox         *generator,
         GError            **error)
{
  if (!flow_random_from_seed (flow_kernel_input (c, 1), generator, error))
    return NULL;
  return flow_kernel_allocate_inferred (c, 0, error);
}

static gboolean
fill (FlowKernelContext  *c,
      FlowRandomKind      kind,
      GError            **error)
{
  FlowPhilox generator;
  FlowTensor *out = prepare (c, &generator, error);

  if (out == NULL)
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
uniform_int_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *low = flow_kernel_input (c, 2);
  FlowTensor *high = flow_kernel_input (c, 3);
  g_autofree char *low_text = flow_shape_to_string (low->shape);
  g_autofree char *high_text = flow_shape_to_string (high->shape);
  FlowPhilox generator;
  FlowTensor *out = prepare (c, &generator, error);
  gint64 from;
  gint64 to;

  if (out == NULL)
    return FALSE;
  /* TF: bounds are looked at where there is a number to draw. */
  if (out->n_elements == 0)
    return TRUE;
  FLOW_REQUIRE (FLOW_RANK (low) == 0, error, INVALID_ARGUMENT, "minval must be 0-D, got shape %s", low_text);
  FLOW_REQUIRE (FLOW_RANK (high) == 0, error, INVALID_ARGUMENT, "maxval must be 0-D, got shape %s", high_text);
  from = flow_tensor_get_int (low, 0);
  to = flow_tensor_get_int (high, 0);
  FLOW_REQUIRE (from < to, error, INVALID_ARGUMENT,
                "Need minval < maxval, got %" G_GINT64_FORMAT " >= %" G_GINT64_FORMAT, from, to);
  flow_random_fill (&generator, FLOW_RANDOM_UNIFORM_INT, out, from, to);
  return TRUE;
}

static gboolean
full_int_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowDType seed = flow_kernel_input (c, 1)->dtype;
  FlowPhilox generator;
  FlowTensor *out;

  /* TF: its definition lets seeds be unsigned, its kernel does not. */
  FLOW_REQUIRE (seed == FLOW_DTYPE_INT32 || seed == FLOW_DTYPE_INT64, error, INVALID_ARGUMENT, "Invalid seed type: %s",
                flow_dtype_name (seed));
  out = prepare (c, &generator, error);
  if (out == NULL)
    return FALSE;
  flow_random_fill_bits (&generator, out);
  return TRUE;
}

static const FlowKernelDef uniform_kernels[] = { { "dtype: bfloat16 double float half", uniform_compute }, { NULL } };
static const FlowKernelDef normal_kernels[] = { { "dtype: bfloat16 double float half", normal_compute }, { NULL } };
static const FlowKernelDef truncated_kernels[] = {
  { "dtype: bfloat16 double float half", truncated_compute },
  { NULL },
};
static const FlowKernelDef uniform_int_kernels[] = { { "dtype: int32 int64", uniform_int_compute }, { NULL } };

#define FLOAT_ATTRS                                                                           \
  "dtype: {half, bfloat16, float, double} = DT_FLOAT; T: {int32, int64} = DT_INT32; "         \
  "Tseed: {int32, int64} = DT_INT64"

static const FlowOpDef ops[] = {
  {
    .name = "StatelessRandomNormal",
    .inputs = "shape: T; seed: Tseed",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Normal numbers that follow from the seed",
    .infer = infer_stateless,
    .kernels = normal_kernels,
  },
  {
    .name = "StatelessRandomUniform",
    .inputs = "shape: T; seed: Tseed",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Uniform numbers from 0 up to 1 that follow from the seed",
    .infer = infer_stateless,
    .kernels = uniform_kernels,
  },
  {
    .name = "StatelessRandomUniformFullInt",
    .inputs = "shape: T; seed: Tseed",
    .outputs = "output: dtype",
    .attrs = "dtype: {int32, int64, uint32, uint64} = DT_UINT64; T: {int32, int64} = DT_INT32; Tseed: {int32, int64, "
             "uint32, uint64} = DT_INT64",
    .summary = "Integers of any bits that follow from the seed",
    .infer = infer_stateless,
    .kernels = (const FlowKernelDef[]) { { "dtype: int32 int64 uint32 uint64", full_int_compute }, { NULL } },
  },
  {
    .name = "StatelessRandomUniformInt",
    .inputs = "shape: T; seed: Tseed; minval: dtype; maxval: dtype",
    .outputs = "output: dtype",
    .attrs = "dtype: {int32, int64}; T: {int32, int64}; Tseed: {int32, int64} = DT_INT64",
    .summary = "Uniform integers that follow from the seed",
    .infer = infer_stateless,
    .kernels = uniform_int_kernels,
  },
  {
    .name = "StatelessTruncatedNormal",
    .inputs = "shape: T; seed: Tseed",
    .outputs = "output: dtype",
    .attrs = FLOAT_ATTRS,
    .summary = "Truncated normal numbers that follow from the seed",
    .infer = infer_stateless,
    .kernels = truncated_kernels,
  },
};

FLOW_DEFINE_OP_FAMILY (random_stateless, ops)

/* flow-kernels-random_stateless_v2.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * TensorFlow 2: random numbers that follow from a key and a counter, which ops of their own make of two seeds.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-random-private.h"

#define ALGORITHM_PHILOX 1
/* The one that suits the device, which is Philox here. */
#define ALGORITHM_AUTO 3

static guint64
word_of (const guint32 *halves)
{
  return halves[0] | (guint64) halves[1] << 32;
}

/* --- keys and counters ----------------------------------------------------------------------------------------------- */

static gboolean
key_counter_infer (FlowInferContext  *c,
                   GError           **error)
{
  if (!c->running)
    {
      g_autoptr (FlowShape) seed = NULL;
      g_autoptr (FlowShape) two = flow_shape_new_vector (2);
      g_autoptr (FlowShape) merged = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &seed, error)
          || !flow_infer_merge (c, seed, two, &merged, error))
        return FALSE;
    }
  flow_infer_take_output (c, 0, flow_shape_new_vector (1));
  flow_infer_take_output (c, 1, flow_shape_new_vector (2));
  if (c->n_outputs > 2)
    flow_infer_take_output (c, 2, flow_shape_new_of_rank (0));
  return TRUE;
}

static gboolean
key_counter_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowPhilox generator;
  FlowTensor *key = NULL;
  FlowTensor *counter = NULL;
  FlowTensor *algorithm = NULL;

  if (!flow_random_from_seed (flow_kernel_input (c, 0), &generator, error)
      || (key = flow_kernel_allocate_inferred (c, 0, error)) == NULL
      || (counter = flow_kernel_allocate_inferred (c, 1, error)) == NULL
      || (c->n_outputs > 2 && (algorithm = flow_kernel_allocate_inferred (c, 2, error)) == NULL))
    return FALSE;
  FLOW_WRITABLE (guint64, key)[0] = word_of (generator.key);
  FLOW_WRITABLE (guint64, counter)[0] = word_of (generator.counter);
  FLOW_WRITABLE (guint64, counter)[1] = word_of (generator.counter + 2);
  if (algorithm != NULL)
    FLOW_WRITABLE (gint32, algorithm)[0] = ALGORITHM_PHILOX;
  return TRUE;
}

static gboolean
algorithm_infer (FlowInferContext  *c,
                 GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_of_rank (0));
  return TRUE;
}

static gboolean
algorithm_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);

  if (out == NULL)
    return FALSE;
  FLOW_WRITABLE (gint32, out)[0] = ALGORITHM_PHILOX;
  return TRUE;
}

/* --- numbers --------------------------------------------------------------------------------------------------------- */

static gboolean
numbers_infer (FlowInferContext  *c,
               GError           **error)
{
  return flow_random_infer_shape (c, error);
}

/* TF: the bits of whole integers and all other numbers are refused in words of their own, in another order. */
static gboolean
check_generator (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *key = flow_kernel_input (c, 1);
  FlowTensor *counter = flow_kernel_input (c, 2);
  FlowTensor *algorithm = flow_kernel_input (c, 3);
  g_autofree char *key_text = flow_tensor_shape_text (key);
  g_autofree char *counter_text = flow_tensor_shape_text (counter);
  g_autofree char *algorithm_text = flow_tensor_shape_text (algorithm);
  gboolean is_bits = strcmp (c->signature->name, "StatelessRandomUniformFullIntV2") == 0;
  gint32 id;
  gint32 n_words;

  if (!flow_is_scalar (algorithm))
    return _flow_refuse (error, is_bits ? "algorithm must be of shape [], not %s"
                                        : "input 3 (0-based) must have shape [], not %s", algorithm_text);
  id = FLOW_DATA (gint32, algorithm)[0];
  if (is_bits && id != ALGORITHM_PHILOX && id != ALGORITHM_AUTO)
    return _flow_refuse (error, "Unsupported algorithm id: %d", id);
  if (!flow_is_vector (key) || key->n_elements != 1)
    return _flow_refuse (error, is_bits ? "key must have shape [1], not %s"
                                        : "key must have shape [1], not %s. (Note that batched keys are not supported yet.)",
                         key_text);
  /* TF: takes the id of an algorithm that it does not know for the length. */
  n_words = is_bits || id == ALGORITHM_PHILOX || id == ALGORITHM_AUTO ? 2 : MAX (id, 2);
  if (!flow_is_vector (counter) || counter->n_elements < n_words)
    {
      if (is_bits)
        return _flow_refuse (error, "counter must be a vector with length at least 2 for the Philox algorithm, not %s",
                             counter_text);
      return _flow_refuse (error, "counter must be a vector with length at least %d; got shape: %s. (Note that batched "
                           "counters are not supported yet.)", n_words, counter_text);
    }
  if (id != ALGORITHM_PHILOX && id != ALGORITHM_AUTO)
    return _flow_refuse (error, "Unsupported algorithm id: %d", id);
  return TRUE;
}

/* The generator that inputs 1 to 3 tell: key, counter, algorithm. */
static gboolean
read_generator (FlowKernelContext  *c,
                FlowPhilox         *generator,
                GError            **error)
{
  const FlowTensor *key = flow_kernel_input (c, 1);
  const FlowTensor *counter = flow_kernel_input (c, 2);
  guint64 low;
  guint64 high;
  guint64 word;

  if (!check_generator (c, error))
    return FALSE;
  low = FLOW_DATA (guint64, counter)[0];
  high = FLOW_DATA (guint64, counter)[1];
  word = FLOW_DATA (guint64, key)[0];
  *generator = (FlowPhilox) {
    .counter = { (guint32) low, (guint32) (low >> 32), (guint32) high, (guint32) (high >> 32) },
    .key = { (guint32) word, (guint32) (word >> 32) },
  };
  return TRUE;
}

static gboolean
fill (FlowKernelContext  *c,
      FlowRandomKind      kind,
      gint64              low,
      gint64              high,
      GError            **error)
{
  FlowPhilox generator;
  FlowTensor *out;

  if (!read_generator (c, &generator, error) || (out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  flow_random_fill (&generator, kind, out, low, high);
  return TRUE;
}

static gboolean
uniform_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return fill (c, FLOW_RANDOM_UNIFORM, 0, 0, error);
}

static gboolean
normal_compute (FlowKernelContext  *c,
                GError            **error)
{
  return fill (c, FLOW_RANDOM_NORMAL, 0, 0, error);
}

static gboolean
truncated_compute (FlowKernelContext  *c,
                   GError            **error)
{
  return fill (c, FLOW_RANDOM_TRUNCATED_NORMAL, 0, 0, error);
}

static gboolean
full_int_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowPhilox generator;
  FlowTensor *out;

  if (!read_generator (c, &generator, error) || (out = flow_kernel_allocate_inferred (c, 0, error)) == NULL)
    return FALSE;
  flow_random_fill_bits (&generator, out);
  return TRUE;
}

static gboolean
uniform_int_compute (FlowKernelContext  *c,
                     GError            **error)
{
  FlowTensor *low = flow_kernel_input (c, 4);
  FlowTensor *high = flow_kernel_input (c, 5);

  if (!flow_is_scalar (low))
    return _flow_refuse_shapes (error, low, NULL, "minval must be 0-D, got shape %s");
  if (!flow_is_scalar (high))
    return _flow_refuse_shapes (error, high, NULL, "maxval must be 0-D, got shape %s");
  if (flow_index_at (low, 0) >= flow_index_at (high, 0))
    return _flow_refuse (error, "Need minval < maxval, got %" G_GINT64_FORMAT " >= %" G_GINT64_FORMAT, flow_index_at (low, 0),
                         flow_index_at (high, 0));
  return fill (c, FLOW_RANDOM_UNIFORM_INT, flow_index_at (low, 0), flow_index_at (high, 0), error);
}

/* --- the table --------------------------------------------------------------------------------------------------------- */

#define FLOATS "dtype: bfloat16 double float half"
#define INTS "dtype: int32 int64 uint32 uint64"
#define FROM_KEY "shape: Tshape; key: uint64; counter: uint64; alg: int32"
#define SHAPE_ATTR "; Tshape: {int32, int64} = DT_INT32"
#define FLOAT_ATTR "dtype: {half, bfloat16, float, double} = DT_FLOAT" SHAPE_ATTR
#define NUMBERS_OP(op, in, attr, types, compute, text)                                                     \
  { .name = op, .inputs = in, .outputs = "output: dtype", .attrs = attr, .summary = text,                  \
    .family = FLOW_OP_FAMILY_OTHER, .infer = numbers_infer,                                                \
    .kernels = (const FlowKernelDef[]) { { types, compute }, { NULL } } }

static const FlowOpDef ops[] = {
  { .name = "StatelessRandomGetAlg", .outputs = "alg: int32", .summary = "The algorithm of this device's random numbers",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_OTHER, .infer = algorithm_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, algorithm_compute }, { NULL } } },
  { .name = "StatelessRandomGetKeyCounter", .inputs = "seed: Tseed", .outputs = "key: uint64; counter: uint64",
    .attrs = "Tseed: {int32, int64} = DT_INT64", .summary = "A key and a counter made of two seeds",
    .family = FLOW_OP_FAMILY_OTHER, .infer = key_counter_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, key_counter_compute }, { NULL } } },
  { .name = "StatelessRandomGetKeyCounterAlg", .inputs = "seed: Tseed",
    .outputs = "key: uint64; counter: uint64; alg: int32", .attrs = "Tseed: {int32, int64} = DT_INT64",
    .summary = "A key and a counter made of two seeds, with the algorithm", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER, .infer = key_counter_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, key_counter_compute }, { NULL } } },
  NUMBERS_OP ("StatelessRandomNormalV2", FROM_KEY, FLOAT_ATTR, FLOATS, normal_compute,
              "Normal numbers that follow from a key and a counter"),
  NUMBERS_OP ("StatelessRandomUniformFullIntV2", FROM_KEY,
              "dtype: {int32, int64, uint32, uint64} = DT_UINT64" SHAPE_ATTR, INTS, full_int_compute,
              "Random bits that follow from a key and a counter"),
  NUMBERS_OP ("StatelessRandomUniformIntV2", FROM_KEY "; minval: dtype; maxval: dtype",
              "dtype: {int32, int64, uint32, uint64}" SHAPE_ATTR, "dtype: int32 int64", uniform_int_compute,
              "Uniform integers that follow from a key and a counter"),
  NUMBERS_OP ("StatelessRandomUniformV2", FROM_KEY, FLOAT_ATTR, FLOATS, uniform_compute,
              "Uniform numbers from 0 up to 1 that follow from a key and a counter"),
  NUMBERS_OP ("StatelessTruncatedNormalV2", FROM_KEY, FLOAT_ATTR, FLOATS, truncated_compute,
              "Truncated normal numbers that follow from a key and a counter"),
};

FLOW_DEFINE_OP_FAMILY (random_stateless_v2, ops)

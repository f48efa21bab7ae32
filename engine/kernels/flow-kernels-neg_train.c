/* flow-kernels-neg_train.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * One step of training vectors of words with negative samples, on the pairs that Skipgram gives.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"

#include <math.h>
#include <string.h>

enum { W_IN, W_OUT, EXAMPLES, LABELS, LEARNING_RATE };

typedef struct {
  FlowAliases aliases;         /* of words, by how frequent they are */
} Sampler;

static void
sampler_free (gpointer data)
{
  _flow_aliases_clear (&((Sampler *) data)->aliases);
  g_free (data);
}

static gpointer
sampler_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  FlowAttr *counts = flow_construction_attr (c, "vocab_count");
  const gsize n = flow_attr_get_length (counts);
  g_autofree float *weights = g_new (float, n + 1);
  double sum = 0;
  Sampler *self;

  for (gsize i = 0; i < n; i++)
    {
      weights[i] = powf ((float) (gint32) flow_attr_get_int (flow_attr_get_item (counts, i)), 0.75f);
      sum += (double) weights[i];
    }
  /* TF: ends itself without words, and draws from nothing where no word was seen. */
  if (n == 0 || n > G_MAXINT32 || !(sum > 0))
    {
      _flow_refuse (error, "vocab_count must have a sum above zero");
      return NULL;
    }
  self = g_new0 (Sampler, 1);
  if (_flow_aliases_init (&self->aliases, weights, (gint32) n, error))
    return self;
  sampler_free (self);
  return NULL;
}

static gboolean
check_words (const FlowTensor  *words,
             const char        *name,
             gint64             n,
             GError           **error)
{
  for (gint64 i = 0; i < words->n_elements; i++)
    FLOW_REQUIRE (FLOW_DATA (gint32, words)[i] >= 0 && FLOW_DATA (gint32, words)[i] < n, error, INVALID_ARGUMENT,
                  "%s[%" G_GINT64_FORMAT "] = %d is not in [0, %" G_GINT64_FORMAT ")", name, i,
                  FLOW_DATA (gint32, words)[i], n);
  return TRUE;
}

static gboolean
check_training (FlowKernelContext  *c,
                GError            **error)
{
  FlowVariable *in = flow_kernel_input_ref (c, W_IN);
  FlowVariable *out = flow_kernel_input_ref (c, W_OUT);
  const FlowTensor *examples = flow_kernel_input (c, EXAMPLES);
  const FlowTensor *labels = flow_kernel_input (c, LABELS);
  const Sampler *sampler = flow_kernel_data (c);

  if (!_flow_variable_require (in, error) || !_flow_variable_require (out, error))
    return FALSE;
  FLOW_REQUIRE (FLOW_RANK (in->value) == 2, error, INVALID_ARGUMENT, "Must be a matrix");
  FLOW_REQUIRE (flow_shape_equal (in->value->shape, out->value->shape), error, INVALID_ARGUMENT, "w_in.shape == w_out.shape");
  FLOW_REQUIRE (flow_is_vector (examples), error, INVALID_ARGUMENT, "Must be a vector");
  FLOW_REQUIRE (flow_shape_equal (examples->shape, labels->shape), error, INVALID_ARGUMENT, "examples.shape == labels.shape");
  FLOW_REQUIRE (flow_is_scalar (flow_kernel_input (c, LEARNING_RATE)), error, INVALID_ARGUMENT, "Must be a scalar");
  FLOW_REQUIRE (FLOW_DIMS (in->value)[0] == sampler->aliases.n, error, INVALID_ARGUMENT,
                "vocab_size mismatches: %" G_GINT64_FORMAT " vs. %d", FLOW_DIMS (in->value)[0], sampler->aliases.n);
  return check_words (examples, "examples", sampler->aliases.n, error) &&
         check_words (labels, "labels", sampler->aliases.n, error);
}

/* One row of what comes in and one of what goes out: the second moves, and @change is what the first is to move by. */
static void
train_pair (const float *v_in,
            float       *v_out,
            gint64       n,
            gboolean     is_neighbour,
            float        rate,
            float       *change)
{
  float dot = 0;
  float g;

  for (gint64 i = 0; i < n; i++)
    dot += v_in[i] * v_out[i];
  g = is_neighbour ? 1 / (expf (dot) + 1) : -(1 / (expf (-dot) + 1));
  for (gint64 i = 0; i < n; i++)
    change[i] += v_out[i] * (g * rate);
  for (gint64 i = 0; i < n; i++)
    v_out[i] += v_in[i] * (g * rate);
}

static gboolean
train (FlowKernelContext  *c,
       float              *w_in,
       float              *w_out,
       gint64              n_dims,
       FlowPhiloxStream   *stream,
       GError            **error)
{
  const gint32 *examples = FLOW_DATA (gint32, flow_kernel_input (c, EXAMPLES));
  const gint32 *labels = FLOW_DATA (gint32, flow_kernel_input (c, LABELS));
  const float rate = *FLOW_DATA (float, flow_kernel_input (c, LEARNING_RATE));
  const gint64 n_samples = flow_kernel_attr_int (c, "num_negative_samples");
  g_autofree float *change = g_try_new (float, (gsize) n_dims + 1);

  FLOW_REQUIRE (change != NULL, error, RESOURCE_EXHAUSTED, "OOM when training words");
  for (gint64 i = 0; i < flow_kernel_input (c, EXAMPLES)->n_elements; i++)
    {
      float *v_in = w_in + examples[i] * n_dims;

      memset (change, 0, sizeof (float) * (gsize) n_dims);
      train_pair (v_in, w_out + labels[i] * n_dims, n_dims, TRUE, rate, change);
      for (gint64 k = 0; k < n_samples; k++)
        {
          const gint64 sample = _flow_aliases_draw (&((const Sampler *) flow_kernel_data (c))->aliases, stream);

          if (sample != labels[i])
            train_pair (v_in, w_out + sample * n_dims, n_dims, FALSE, rate, change);
          if ((k & 0xfff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
            return FALSE;
        }
      for (gint64 k = 0; k < n_dims; k++)
        v_in[k] += change[k];
    }
  return TRUE;
}

static gboolean
neg_train_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowVariable *in = flow_kernel_input_ref (c, W_IN);
  FlowVariable *out = flow_kernel_input_ref (c, W_OUT);
  const gint64 n_samples = flow_kernel_attr_int (c, "num_negative_samples");
  FlowPhiloxStream stream;
  FlowPhilox generator;
  FlowTensor *w_in;
  FlowTensor *w_out;

  if (!check_training (c, error))
    return FALSE;
  FLOW_REQUIRE (n_samples <= G_MAXINT32, error, INVALID_ARGUMENT, "num_negative_samples is out of range");
  /* TF: numbers are set aside in case that a sample takes more than two. */
  if (!flow_random_reserve (c, (guint64) flow_kernel_input (c, EXAMPLES)->n_elements * (guint64) MAX (n_samples, 0) * 2,
                            &generator, error))
    return FALSE;
  flow_philox_stream_init (&stream, &generator);
  flow_kernel_will_write (c, in);
  flow_kernel_will_write (c, out);
  w_in = flow_variable_own_value (in, FALSE, c->budget, error);
  w_out = w_in != NULL ? flow_variable_own_value (out, FALSE, c->budget, error) : NULL;
  if (w_out == NULL || !train (c, w_in->data, w_out->data, FLOW_DIMS (w_in)[1], &stream, error))
    return FALSE;
  flow_kernel_wrote (c, in);
  flow_kernel_wrote (c, out);
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

static const FlowOpDef ops[] = {
  { .name = "NegTrain", .inputs = "w_in: Ref(float); w_out: Ref(float); examples: int32; labels: int32; lr: float",
    .outputs = "", .attrs = "vocab_count: list(int); num_negative_samples: int",
    .summary = "Trains vectors of words with their neighbours and with words drawn by lot",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM, .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, neg_train_compute, sampler_construct, sampler_free }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (neg_train, ops)

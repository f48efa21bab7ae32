/* flow-kernels-debug.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What TensorFlow's own debugger puts into graphs. Values pass through; nothing is sent to debug_urls: whoever looks at this
 * session sees every value as it is.
 */

#include "config.h"

#include "flow-array-private.h"

#include <math.h>
#include <string.h>

static gboolean
pass_compute (FlowKernelContext  *c,
              GError            **error)
{
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

/* TF: "NODE" or "NODE:SLOT"; which tensor is watched is only a name here. */
static gpointer
watch_construct (FlowKernelConstruction  *c,
                 GError                 **error)
{
  gsize length;
  const char *name = flow_attr_get_string (flow_construction_attr (c, "tensor_name"), &length);
  const char *colon = memchr (name, ':', length);
  g_autofree char *slot = NULL;
  char *end = NULL;

  if (length == 0 || (colon != NULL && memchr (colon + 1, ':', length - (gsize) (colon + 1 - name)) != NULL))
    {
      _flow_refuse (error, "Failed to parse tensor name: \"%.*s\"", (int) length, name);
      return NULL;
    }
  if (colon == NULL)
    return g_strdup ("");
  slot = g_strndup (colon + 1, length - (gsize) (colon + 1 - name));
  if (*slot != '\0' && g_ascii_strtoll (slot, &end, 10) <= G_MAXINT32 && *end == '\0')
    return g_steal_pointer (&slot);
  _flow_refuse (error, "Invalid string value for output_slot: \"%s\"", slot);
  return NULL;
}

/* TF: sizes of outputs are left open. */
static gboolean
count_infer (FlowInferContext  *c,
             GError           **error)
{
  flow_infer_take_output (c, 0, c->running ? flow_shape_new_vector (1) : flow_shape_new_unknown ());
  return TRUE;
}

static gboolean
nan_count_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  gint64 n = 0;

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < input->n_elements; i++)
    n += isnan (flow_tensor_get_double (input, i)) ? 1 : 0;
  FLOW_WRITABLE (gint64, out)[0] = n;
  return TRUE;
}

/* --- DebugNumericSummary ---------------------------------------------------------------------------------- */

enum {
  IS_INITIALIZED,
  N_ELEMENTS,
  N_NAN,
  N_NEGATIVE_INF,
  N_NEGATIVE,
  N_ZERO,
  N_POSITIVE,
  N_POSITIVE_INF,
  MINIMUM,
  MAXIMUM,
  MEAN,
  VARIANCE,
  DTYPE,
  RANK,
  N_FACTS,
};

/* Bounds that are set count what lies at or beyond them as infinite. */
static void
classify (double  x,
          double  lower,
          double  upper,
          double *facts)
{
  int where = isnan (x) ? N_NAN
              : isinf (x) ? (x < 0 ? N_NEGATIVE_INF : N_POSITIVE_INF)
              : !isinf (lower) && x <= lower ? N_NEGATIVE_INF
              : !isinf (upper) && x >= upper ? N_POSITIVE_INF
              : x < 0 ? N_NEGATIVE : x == 0 ? N_ZERO : N_POSITIVE;

  facts[where]++;
}

static void
summarize_numbers (const FlowTensor *input,
                   double            lower,
                   double            upper,
                   double           *facts)
{
  double sum = 0;
  double squares = 0;
  double n = 0;

  facts[MINIMUM] = INFINITY;
  facts[MAXIMUM] = -INFINITY;
  facts[MEAN] = facts[VARIANCE] = NAN;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      double x = flow_tensor_get_double (input, i);

      classify (x, lower, upper, facts);
      if (!isfinite (x))
        continue;
      facts[MINIMUM] = MIN (facts[MINIMUM], x);
      facts[MAXIMUM] = MAX (facts[MAXIMUM], x);
      sum += x;
      n++;
    }
  if (n == 0)
    return;
  facts[MEAN] = sum / n;
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      double x = flow_tensor_get_double (input, i) - facts[MEAN];

      if (isfinite (x))
        squares += x * x;
    }
  facts[VARIANCE] = squares / n;
}

static gboolean
numeric_summary_infer (FlowInferContext  *c,
                       GError           **error)
{
  flow_infer_take_output (c, 0, c->running ? flow_shape_new_vector (N_FACTS + flow_infer_input (c, 0)->rank)
                                           : flow_shape_new_unknown ());
  return TRUE;
}

static gboolean
numeric_summary_compute (FlowKernelContext  *c,
                         GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowTensor *out = flow_kernel_allocate_inferred (c, 0, error);
  double *facts;

  if (out == NULL)
    return FALSE;
  facts = FLOW_WRITABLE (double, out);
  for (int i = 0; i < N_FACTS; i++)
    facts[i] = 0;
  facts[IS_INITIALIZED] = 1;
  facts[N_ELEMENTS] = (double) input->n_elements;
  facts[DTYPE] = input->dtype;
  facts[RANK] = FLOW_RANK (input);
  for (int i = 0; i < FLOW_RANK (input); i++)
    facts[N_FACTS + i] = (double) FLOW_DIMS (input)[i];
  summarize_numbers (input, (double) flow_kernel_attr_float (c, "lower_bound"), (double) flow_kernel_attr_float (c, "upper_bound"), facts);
  return TRUE;
}

#define DEBUG_ATTRS "T: type; device_name: string = \"\"; tensor_name: string = \"\"; debug_urls: list(string) = []; "
#define COPY_ATTRS "T: type; tensor_name: string = \"\"; debug_ops_spec: list(string) = []"

static const FlowOpDef ops[] = {
  {
    .name = "Copy",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = COPY_ATTRS,
    .summary = "A copy of its input for a debugger",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, pass_compute }, { NULL } },
  },
  {
    .name = "CopyHost",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = COPY_ATTRS,
    .summary = "A copy of its input for a debugger, in the host's memory",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, pass_compute }, { NULL } },
  },
  {
    .name = "DebugIdentity",
    .inputs = "input: T",
    .outputs = "output: T",
    .attrs = DEBUG_ATTRS "gated_grpc: bool = false",
    .summary = "Its input, as a debugger sees it",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, pass_compute, watch_construct, g_free }, { NULL } },
  },
  {
    .name = "DebugNanCount",
    .inputs = "input: T",
    .outputs = "output: int64",
    .attrs = DEBUG_ATTRS "gated_grpc: bool = false",
    .summary = "How many elements are no numbers",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_IO,
    .infer = count_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: bfloat16 half float double int8 int16 int32 int64 uint8 uint16", nan_count_compute, watch_construct, g_free },
      { NULL },
    },
  },
  {
    .name = "DebugNumericSummary",
    .inputs = "input: T",
    .outputs = "output: double",
    .attrs = DEBUG_ATTRS "lower_bound: float = -inf; upper_bound: float = inf; mute_if_healthy: bool = false; "
             "gated_grpc: bool = false",
    .summary = "Counts, extremes, mean, variance and shape of its input",
    .flags = FLOW_OP_ALLOWS_UNINITIALIZED,
    .family = FLOW_OP_FAMILY_IO,
    .infer = numeric_summary_infer,
    .kernels = (const FlowKernelDef[]) {
      { "T: bool float double int8 int16 int32 int64 uint8 uint16", numeric_summary_compute, watch_construct, g_free },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (debug, ops)

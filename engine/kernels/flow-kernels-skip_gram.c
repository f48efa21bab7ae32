/* flow-kernels-skip_gram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of words that stand near each other.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"

#include <string.h>

typedef struct {
  gint64 start;
  gint64 end;
  gint32 min_skips;
  gint32 max_skips;
  gboolean with_self;
} Window;

static gboolean
read_window (FlowKernelContext  *c,
             Window             *window,
             GError            **error)
{
  const gint64 n = flow_kernel_input (c, 0)->n_elements;
  gint32 limit;

  for (guint i = 1; i < 6; i++)
    if (!flow_is_scalar (flow_kernel_input (c, i)))
      return _flow_refuse_shapes (error, flow_kernel_input (c, i), NULL, "Expected a scalar, got a tensor of shape %s");
  FLOW_REQUIRE (n <= G_MAXINT32, error, INVALID_ARGUMENT, "input_tensor is too large");
  window->min_skips = *FLOW_DATA (gint32, flow_kernel_input (c, 1));
  window->max_skips = *FLOW_DATA (gint32, flow_kernel_input (c, 2));
  window->start = *FLOW_DATA (gint32, flow_kernel_input (c, 3));
  limit = *FLOW_DATA (gint32, flow_kernel_input (c, 4));
  window->with_self = *FLOW_DATA (guint8, flow_kernel_input (c, 5)) != 0;
  if (window->min_skips < 0 || window->max_skips < 0)
    return _flow_refuse (error, "Both min_skips and max_skips must be >= 0.");
  if (window->min_skips > window->max_skips)
    return _flow_refuse (error, "min_skips must be <= max_skips.");
  FLOW_REQUIRE (window->start >= 0, error, INVALID_ARGUMENT, "start must be >= 0, got %" G_GINT64_FORMAT, window->start);
  window->end = limit < 0 ? n : MIN (window->start + limit, n);
  return TRUE;
}

/* The neighbours of each word: how far it looks is drawn. Indices of words stand in @pairs, two by two. */
static gboolean
find_pairs (FlowKernelContext  *c,
            const Window       *window,
            GArray             *pairs,
            GError            **error)
{
  const gint64 n = MAX (window->end - window->start, 0);
  FlowPhiloxStream stream;
  FlowPhilox generator;

  /* TF: so many numbers, in groups of four. */
  if (!flow_random_reserve (c, ((guint64) n + 1 + 3) / 4, &generator, error))
    return FALSE;
  flow_philox_stream_init (&stream, &generator);
  for (gint64 i = window->start; i < window->end; i++)
    {
      const gint64 skips = window->min_skips +
                           _flow_draw_below (&stream, (guint32) (window->max_skips - window->min_skips) + 1);
      const gint64 first = MAX (i - skips, window->start);
      const gint64 last = MIN (i + skips, window->end - 1);

      FLOW_REQUIRE (pairs->len + 2 * (guint64) (last - first + 1) < G_MAXINT32 / 4, error, RESOURCE_EXHAUSTED,
                    "OOM when pairing words");
      for (gint64 k = first; k <= last; k++)
        {
          const gint32 pair[2] = { (gint32) i, (gint32) k };

          if (k != i || window->with_self)
            g_array_append_vals (pairs, pair, 2);
        }
      if ((i & 0xfff) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
pair_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  const gsize cell = _flow_cell_size (input->dtype);
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (gint32));
  Window window = { 0 };

  if (!read_window (c, &window, error) || !find_pairs (c, &window, pairs, error))
    return FALSE;
  for (guint side = 0; side < 2; side++)
    {
      const gint64 n = pairs->len / 2;
      FlowTensor *out = flow_kernel_allocate_dims (c, side, 1, &n, error);

      if (out == NULL)
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        memcpy ((char *) out->data + (gsize) i * cell,
                (const char *) input->data + (gsize) g_array_index (pairs, gint32, 2 * (guint) i + side) * cell, cell);
      _flow_adopt_cells (out->dtype, out->data, n);
    }
  return TRUE;
}

static gboolean
pair_infer (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (FlowShape) shape = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), i == 0 ? 1 : 0, &shape, error))
        return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "SkipGramGenerateCandidates",
    .inputs = "input_tensor: T; min_skips: int32; max_skips: int32; start: int32; limit: int32; emit_self_as_target: bool",
    .outputs = "tokens: T; labels: T", .attrs = "T: type; seed: int = 0; seed2: int = 0",
    .summary = "Pairs of words that stand near each other", .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_OTHER, .infer = pair_infer,
    .kernels = (const FlowKernelDef[]) { { "T: string int64 int32 int16", pair_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (skip_gram, ops)

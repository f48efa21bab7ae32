/* flow-kernels-boosted_trees_quantiles.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Boundaries of buckets, found while features stream by.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-private.h"
#include "flow-quantiles-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- the resource ---------------------------------------------------------------------------------------------- */

typedef struct {
  FlowQuantiles quantiles;     /* no buffer: nothing was streamed yet */
  FlowTensor *boundaries;      /* nullable: none */
} Stream;

/* Streams are made when the first is used: a number of them costs nothing. */
typedef struct {
  FlowResource parent;
  float epsilon;
  gint64 max_elements;
  gint64 n_streams;
  GArray *streams;             /* of Stream; nullable */
} Streams;

static void
stream_clear (gpointer data)
{
  Stream *stream = data;

  _flow_quantiles_clear (&stream->quantiles);
  g_clear_pointer (&stream->boundaries, flow_tensor_unref);
}

static GArray *
new_streams (guint n)
{
  GArray *streams = g_array_new (FALSE, TRUE, sizeof (Stream));

  g_array_set_clear_func (streams, stream_clear);
  g_array_set_size (streams, n);
  return streams;
}

static GArray *
copy_streams (const GArray *from)
{
  GArray *streams;

  if (from == NULL)
    return NULL;
  streams = new_streams (from->len);
  for (guint i = 0; i < from->len; i++)
    {
      const Stream *old = &g_array_index (from, Stream, i);
      Stream *stream = &g_array_index (streams, Stream, i);

      if (old->quantiles.buffer != NULL)
        _flow_quantiles_copy (&stream->quantiles, &old->quantiles);
      if (old->boundaries != NULL)
        stream->boundaries = flow_tensor_ref (old->boundaries);
    }
  return streams;
}

static void
streams_finalize (FlowResource *resource)
{
  g_clear_pointer (&((Streams *) resource)->streams, g_array_unref);
}

typedef struct {
  GArray *streams;             /* nullable */
} Saved;

static gpointer
streams_save (FlowResource *resource)
{
  Saved *saved = g_new (Saved, 1);

  saved->streams = copy_streams (((Streams *) resource)->streams);
  return saved;
}

static void
streams_restore (FlowResource  *resource,
                 gconstpointer  data)
{
  Streams *self = (Streams *) resource;

  g_clear_pointer (&self->streams, g_array_unref);
  self->streams = copy_streams (((const Saved *) data)->streams);
}

static void
saved_free (gpointer data)
{
  g_clear_pointer (&((Saved *) data)->streams, g_array_unref);
  g_free (data);
}

static gsize
saved_bytes (gconstpointer data)
{
  const GArray *streams = ((const Saved *) data)->streams;
  gsize n = sizeof (Saved);

  for (guint i = 0; streams != NULL && i < streams->len; i++)
    {
      const GPtrArray *levels = g_array_index (streams, Stream, i).quantiles.levels;

      n += sizeof (Stream);
      for (guint k = 0; levels != NULL && k < levels->len; k++)
        n += levels->pdata[k] != NULL ? ((const GArray *) levels->pdata[k])->len * sizeof (FlowQuantile) : 0;
    }
  return n;
}

/* A summary as TensorFlow shows it: a row for each entry. */
static FlowTensor *
summary_tensor (const GArray  *summary,
                FlowBudget    *budget,
                GError       **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_matrix (summary->len, 4);
  FlowTensor *tensor = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, budget, error);

  G_STATIC_ASSERT (sizeof (FlowQuantile) == 4 * sizeof (float));
  if (tensor != NULL && summary->len > 0)
    memcpy (tensor->data, summary->data, tensor->n_bytes);
  return tensor;
}

static void
streams_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  const GArray *streams = ((Streams *) resource)->streams;

  for (guint i = 0; streams != NULL && i < streams->len; i++)
    {
      const Stream *stream = &g_array_index (streams, Stream, i);
      const GPtrArray *levels = stream->quantiles.levels;
      g_autofree char *label = g_strdup_printf ("%u/boundaries", i);

      if (stream->boundaries != NULL)
        visitor (label, stream->boundaries, data);
      for (guint k = 0; levels != NULL && k < levels->len; k++)
        {
          g_autofree char *place = g_strdup_printf ("%u/%u", i, k);
          g_autoptr (FlowTensor) tensor = levels->pdata[k] != NULL ? summary_tensor (levels->pdata[k], NULL, NULL) : NULL;

          if (tensor != NULL)
            visitor (place, tensor, data);
        }
    }
}

static char *
streams_describe (FlowResource *resource)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " streams", ((Streams *) resource)->n_streams);
}

static const FlowResourceClass streams_class = {
  .type_name = "N10tensorflow34BoostedTreesQuantileStreamResourceE",
  .finalize = streams_finalize,
  .save = streams_save,
  .restore = streams_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = streams_visit,
  .describe = streams_describe,
};

/* @n is what an op has for each stream. */
static gboolean
check_number (const Streams  *self,
              gint64          n,
              GError        **error)
{
  FLOW_REQUIRE (n == self->n_streams, error, INVALID_ARGUMENT, "The resource has %" G_GINT64_FORMAT
                " streams, got %" G_GINT64_FORMAT, self->n_streams, n);
  return TRUE;
}

/* --- the ops ------------------------------------------------------------------------------------------------------ */

FLOW_NAMED_KERNELS (streams_class, Streams)

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_auto (FlowQuantiles) trial = { 0 };
  gint64 max_elements = flow_kernel_attr_int (c, "max_elements");
  Streams *made;
  float epsilon;

  if (!_flow_boosted_check_scalars (c, 1, 3, error))
    return FALSE;
  epsilon = *FLOW_DATA (float, flow_kernel_input (c, 1));
  if (!_flow_quantiles_init (&trial, epsilon, max_elements, error)
      || (made = _flow_named_alloc (c, &streams_class, sizeof (Streams), error)) == NULL)
    return FALSE;
  made->epsilon = epsilon;
  made->max_elements = max_elements;
  made->n_streams = *FLOW_DATA (gint64, flow_kernel_input (c, 2));
  return _flow_named_publish (c, &made->parent, error);
}

static gboolean
create_infer (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_boosted_infer_scalars (c, 0, 3, error);
}

static gboolean
check_weights (FlowKernelContext  *c,
               guint               n,
               GError            **error)
{
  const gint64 batch = flow_kernel_input (c, 0)->n_elements;
  const gint64 n_weights = flow_kernel_input (c, n)->n_elements;

  FLOW_REQUIRE (n_weights == 1 || n_weights == batch, error, INVALID_ARGUMENT,
                "Weights should be a single value or same size as features.");
  for (guint i = 0; i < n; i++)
    FLOW_REQUIRE (flow_kernel_input (c, i)->n_elements >= batch, error, INVALID_ARGUMENT,
                  "float_values must have %" G_GINT64_FORMAT " values each", batch);
  return _flow_boosted_check_scalars (c, n + 1, n + 2, error);
}

static gboolean
make_compute (FlowKernelContext  *c,
              GError            **error)
{
  const guint n = c->n_outputs;
  gint64 batch;

  if (n == 0)
    return TRUE;
  if (!check_weights (c, n, error))
    return FALSE;
  batch = flow_kernel_input (c, 0)->n_elements;
  for (guint f = 0; f < n; f++)
    {
      const float *values = FLOW_DATA (float, flow_kernel_input (c, f));
      const FlowTensor *weights = flow_kernel_input (c, n);
      g_auto (FlowQuantiles) stream = { 0 };
      g_autoptr (GArray) summary = NULL;
      FlowTensor *out;

      if (!_flow_quantiles_init (&stream, *FLOW_DATA (float, flow_kernel_input (c, n + 1)), batch + 1, error))
        return FALSE;
      for (gint64 i = 0; i < batch; i++)
        _flow_quantiles_push (&stream, values[i], FLOW_DATA (float, weights)[weights->n_elements > 1 ? i : 0]);
      summary = _flow_quantiles_finish (&stream);
      out = summary_tensor (summary, c->budget, error);
      if (out == NULL)
        return FALSE;
      flow_kernel_take_output (c, f, out);
    }
  return TRUE;
}

static gboolean
make_infer (FlowInferContext  *c,
            GError           **error)
{
  const guint n = c->n_outputs;
  g_autoptr (FlowShape) weights = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, n), 1, &weights, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FlowShape) feature = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 1, &feature, error))
        return FALSE;
      flow_infer_take_output (c, i, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 4));
    }
  return _flow_boosted_infer_scalars (c, n + 1, n + 2, error);
}

static GArray *
finish_stream (Stream *stream)
{
  return stream->quantiles.buffer != NULL ? _flow_quantiles_finish (&stream->quantiles)
         : g_array_new (FALSE, TRUE, sizeof (FlowQuantile));
}

/* The streams of @self as they would be, to be written: as they are, or all empty. */
static GArray *
streams_to_write (const Streams *self)
{
  GArray *streams = copy_streams (self->streams);

  return streams != NULL ? streams : new_streams ((guint) CLAMP (self->n_streams, 0, G_MAXINT32));
}

/* Takes @streams. */
static void
replace_streams (FlowKernelContext *c,
                 Streams           *self,
                 GArray            *streams)
{
  flow_kernel_will_write (c, self);
  g_clear_pointer (&self->streams, g_array_unref);
  self->streams = streams;
  flow_kernel_wrote (c, self);
}

static gboolean
flush_summaries (FlowKernelContext  *c,
                 gpointer            resource,
                 GError            **error)
{
  Streams *self = resource;
  g_autoptr (GArray) streams = NULL;

  if (!check_number (self, c->n_outputs, error))
    return FALSE;
  streams = streams_to_write (self);
  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_autoptr (GArray) summary = finish_stream (&g_array_index (streams, Stream, i));
      FlowTensor *out = summary_tensor (summary, c->budget, error);

      if (out == NULL)
        return FALSE;
      flow_kernel_take_output (c, i, out);
    }
  replace_streams (c, self, g_steal_pointer (&streams));
  return TRUE;
}

FLOW_NAMED_COMPUTE (flush_summaries, 0, streams_class)

static gboolean
flush_summaries_infer (FlowInferContext  *c,
                       GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 4));
  return TRUE;
}

static gboolean
add_summaries (FlowKernelContext  *c,
               gpointer            resource,
               GError            **error)
{
  Streams *self = resource;
  const guint n = c->n_inputs - 1;
  g_autoptr (GArray) streams = NULL;

  if (!check_number (self, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *summary = flow_kernel_input (c, 1 + i);

      if (FLOW_RANK (summary) != 2 || FLOW_DIMS (summary)[1] != 4 || FLOW_DIMS (summary)[0] > G_MAXINT32)
        return _flow_refuse_shapes (error, summary, NULL, "summaries must have 4 columns, got shape %s");
    }
  streams = streams_to_write (self);
  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *summary = flow_kernel_input (c, 1 + i);
      FlowQuantiles *quantiles = &g_array_index (streams, Stream, i).quantiles;

      if (quantiles->buffer == NULL && !_flow_quantiles_init (quantiles, self->epsilon, self->max_elements, error))
        return FALSE;
      _flow_quantiles_push_summary (quantiles, (const FlowQuantile *) summary->data, (gsize) FLOW_DIMS (summary)[0]);
    }
  replace_streams (c, self, g_steal_pointer (&streams));
  return TRUE;
}

FLOW_NAMED_COMPUTE (add_summaries, 0, streams_class)

static gboolean
add_summaries_infer (FlowInferContext  *c,
                     GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 1; i < c->n_inputs; i++)
    {
      g_autoptr (FlowShape) summary = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 2, &summary, error))
        return FALSE;
    }
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static gboolean
deserialize (FlowKernelContext  *c,
             gpointer            resource,
             GError            **error)
{
  Streams *self = resource;
  const guint n = c->n_inputs - 1;
  GArray *streams;

  FLOW_REQUIRE (n <= self->n_streams, error, INVALID_ARGUMENT, "The resource has %" G_GINT64_FORMAT " streams, got %u",
                self->n_streams, n);
  FLOW_REQUIRE (self->streams != NULL || self->n_streams <= MAX (n, 1 << 16), error, RESOURCE_EXHAUSTED,
                "OOM when making %" G_GINT64_FORMAT " streams", self->n_streams);
  for (guint i = 0; i < n; i++)
    if (!flow_is_vector (flow_kernel_input (c, 1 + i)))
      return _flow_refuse_shapes (error, flow_kernel_input (c, 1 + i), NULL, "bucket_boundaries must be vectors, got shape %s");
  streams = streams_to_write (self);
  for (guint i = 0; i < n; i++)
    {
      Stream *stream = &g_array_index (streams, Stream, i);

      g_clear_pointer (&stream->boundaries, flow_tensor_unref);
      stream->boundaries = flow_tensor_ref (flow_kernel_input (c, 1 + i));
    }
  replace_streams (c, self, streams);
  return TRUE;
}

FLOW_NAMED_COMPUTE (deserialize, 0, streams_class)

/* TF: only the first vector is looked at, and is asked to be none. */
static gboolean
deserialize_infer (FlowInferContext  *c,
                   GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_boosted_infer_scalars (c, 0, 2, error);
}

/* TF: boundaries are told once each, quantiles as often as they come up. */
static GArray *
find_boundaries (Stream    *stream,
                 gboolean   exactly,
                 gint64     n,
                 GError   **error)
{
  g_autoptr (GArray) summary = finish_stream (stream);
  g_autoptr (GArray) values = exactly ? _flow_quantiles_even (summary, MAX (n, 1) - 1)
                              : _flow_quantiles_boundaries (summary, n);
  guint n_kept = 0;

  if (exactly && values->len != n)
    {
      _flow_refuse (error, "%u quantiles were found, %" G_GINT64_FORMAT " were asked for", values->len, n);
      return NULL;
    }
  for (guint i = 0; i < values->len && !exactly; i++)
    if (i == 0 || g_array_index (values, float, i) != g_array_index (values, float, n_kept - 1))
      g_array_index (values, float, n_kept++) = g_array_index (values, float, i);
  if (!exactly)
    g_array_set_size (values, n_kept);
  return g_steal_pointer (&values);
}

/* Whether there is room for @n quantiles while they are found: the list grows by doubling. */
static gboolean
may_find (FlowKernelContext *c,
          gint64             n)
{
  const gsize n_bytes = (gsize) CLAMP (n, 0, G_MAXINT32) * 2 * sizeof (float);

  if (n > G_MAXINT32)
    return FALSE;
  if (c->budget == NULL)
    return TRUE;
  if (!flow_budget_reserve (c->budget, n_bytes))
    return FALSE;
  flow_budget_release (c->budget, n_bytes);
  return TRUE;
}

static gboolean
flush (FlowKernelContext  *c,
       gpointer            resource,
       GError            **error)
{
  Streams *self = resource;
  g_autoptr (GArray) streams = copy_streams (self->streams);
  gboolean exactly = flow_kernel_attr_bool (c, "generate_quantiles");
  gint64 n;

  if (!_flow_boosted_check_scalars (c, 1, 2, error))
    return FALSE;
  n = *FLOW_DATA (gint64, flow_kernel_input (c, 1));
  FLOW_REQUIRE (!exactly || may_find (c, n), error, RESOURCE_EXHAUSTED, "OOM when finding quantiles");
  FLOW_REQUIRE (!exactly || streams != NULL || n == 0 || self->n_streams <= 0, error, INVALID_ARGUMENT,
                "0 quantiles were found, %" G_GINT64_FORMAT " were asked for", n);
  for (guint i = 0; streams != NULL && i < streams->len; i++)
    {
      Stream *stream = &g_array_index (streams, Stream, i);
      g_autoptr (GArray) values = find_boundaries (stream, exactly, n, error);
      g_autoptr (FlowShape) shape = NULL;

      if (values == NULL)
        return FALSE;
      shape = flow_shape_new_vector (values->len);
      g_clear_pointer (&stream->boundaries, flow_tensor_unref);
      stream->boundaries = flow_tensor_new (FLOW_DTYPE_FLOAT, shape, c->budget, error);
      if (stream->boundaries == NULL)
        return FALSE;
      if (values->len > 0)
        memcpy (stream->boundaries->data, values->data, stream->boundaries->n_bytes);
    }
  replace_streams (c, self, g_steal_pointer (&streams));
  return TRUE;
}

FLOW_NAMED_COMPUTE (flush, 0, streams_class)

static gboolean
flush_infer (FlowInferContext  *c,
             GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_boosted_infer_scalars (c, 0, 2, error);
}

static gboolean
get_boundaries (FlowKernelContext  *c,
                gpointer            resource,
                GError            **error)
{
  Streams *self = resource;
  if (!check_number (self, c->n_outputs, error))
    return FALSE;
  for (guint i = 0; i < c->n_outputs; i++)
    {
      const FlowTensor *boundaries = self->streams != NULL ? g_array_index (self->streams, Stream, i).boundaries : NULL;
      const gint64 none = 0;

      if (boundaries != NULL)
        flow_kernel_set_output (c, i, boundaries);
      else if (flow_kernel_allocate_dims (c, i, 1, &none, error) == NULL)
        return FALSE;
    }
  return TRUE;
}

FLOW_NAMED_COMPUTE (get_boundaries, 0, streams_class)

static gboolean
get_boundaries_infer (FlowInferContext  *c,
                      GError           **error)
{
  for (guint i = 0; i < c->n_outputs; i++)
    flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static const FlowKernelDef handle_kernels[] = {
  { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL }
};

#define STREAMS_OP(op, ins, outs, ats, func, infer_func, text)                                              \
  { .name = op, .inputs = "quantile_stream_resource_handle: resource" ins, .outputs = outs, .attrs = ats,   \
    .summary = text, .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = infer_func,        \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

static const FlowOpDef ops[] = {
  STREAMS_OP ("BoostedTreesCreateQuantileStreamResource", "; epsilon: float; num_streams: int64", "",
              "max_elements: int = 1099511627776", create_compute, create_infer, "Makes streams to find quantiles of"),
  STREAMS_OP ("BoostedTreesFlushQuantileSummaries", "", "summaries: num_features * float", "num_features: int >= 0",
              flush_summaries_compute, flush_summaries_infer, "What streams were, as summaries; they are empty then"),
  { .name = "BoostedTreesMakeQuantileSummaries",
    .inputs = "float_values: num_features * float; example_weights: float; epsilon: float",
    .outputs = "summaries: num_features * float", .attrs = "num_features: int >= 0",
    .summary = "Summaries of a batch to find quantiles by", .family = FLOW_OP_FAMILY_MATH, .infer = make_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, make_compute }, { NULL } } },
  STREAMS_OP ("BoostedTreesQuantileStreamResourceAddSummaries", "; summaries: num_features * float", "",
              "num_features: int >= 0", add_summaries_compute, add_summaries_infer, "Adds summaries to streams"),
  STREAMS_OP ("BoostedTreesQuantileStreamResourceDeserialize", "; bucket_boundaries: num_streams * float", "",
              "num_streams: int >= 1", deserialize_compute, deserialize_infer, "Puts saved boundaries into streams"),
  STREAMS_OP ("BoostedTreesQuantileStreamResourceFlush", "; num_buckets: int64", "", "generate_quantiles: bool = false",
              flush_compute, flush_infer, "Makes boundaries of what streams were; they are empty then"),
  STREAMS_OP ("BoostedTreesQuantileStreamResourceGetBucketBoundaries", "", "bucket_boundaries: num_features * float",
              "num_features: int >= 0", get_boundaries_compute, get_boundaries_infer, "The boundaries of each stream"),
  { .name = "BoostedTreesQuantileStreamResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names streams to find quantiles of",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape, .kernels = handle_kernels },
  STREAMS_OP ("IsBoostedTreesQuantileStreamResourceInitialized", "", "is_initialized: bool", "", is_initialized_compute,
              _flow_boosted_infer_is_initialized, "Whether streams were made"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_quantiles, ops)

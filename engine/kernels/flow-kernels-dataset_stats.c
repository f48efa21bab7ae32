/* flow-kernels-dataset_stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is measured while a dataset gives elements, and who keeps it.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-stats-private.h"
#include "flow-histogram-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- who keeps it ---------------------------------------------------------------------------------------------------- */

/* Names beyond this are left out: a tag may be another for each element. */
#define MAX_ENTRIES 1024

typedef struct {
  char *tag;
  FlowHistogram *histogram;    /* nullable: then it is a number */
  float number;
} Entry;

typedef struct {
  FlowResource parent;
  GPtrArray *entries;          /* of Entry, the newest first, as TensorFlow's hash table has the first few */
} Aggregator;

static void
entry_free (gpointer data)
{
  Entry *self = data;

  g_free (self->tag);
  g_free (self->histogram);
  g_free (self);
}

static gpointer
copy_entry (gconstpointer data,
            gpointer      unused)
{
  const Entry *self = data;
  Entry *copy = g_memdup2 (self, sizeof *self);

  copy->tag = g_strdup (self->tag);
  copy->histogram = g_memdup2 (self->histogram, sizeof (FlowHistogram));
  return copy;
}

static void
aggregator_finalize (FlowResource *resource)
{
  g_ptr_array_unref (((Aggregator *) resource)->entries);
}

static gpointer
aggregator_save (FlowResource *resource)
{
  return g_ptr_array_copy (((Aggregator *) resource)->entries, copy_entry, NULL);
}

static void
aggregator_restore (FlowResource  *resource,
                    gconstpointer  saved)
{
  Aggregator *self = (Aggregator *) resource;
  GPtrArray *entries = g_ptr_array_copy ((GPtrArray *) (gpointer) saved, copy_entry, NULL);

  g_ptr_array_unref (self->entries);
  self->entries = entries;
}

static void
saved_free (gpointer saved)
{
  g_ptr_array_unref (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return ((const GPtrArray *) saved)->len * (sizeof (Entry) + sizeof (FlowHistogram));
}

static void
aggregator_visit (FlowResource        *resource,
                  FlowResourceVisitor  visitor,
                  gpointer             data)
{
  const GPtrArray *entries = ((Aggregator *) resource)->entries;

  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = entries->pdata[i];
      g_autoptr (FlowTensor) number = flow_tensor_new_float (entry->histogram != NULL ? (float) entry->histogram->sum
                                                                                       : entry->number);

      visitor (entry->tag, number, data);
    }
}

static char *
aggregator_describe (FlowResource *resource)
{
  return g_strdup_printf ("%u names", ((Aggregator *) resource)->entries->len);
}

static const FlowResourceClass aggregator_class = {
  .type_name = "N10tensorflow4data23StatsAggregatorResourceE",
  .finalize = aggregator_finalize,
  .save = aggregator_save,
  .restore = aggregator_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = aggregator_visit,
  .describe = aggregator_describe,
};

static gpointer
make_aggregator (G_GNUC_UNUSED FlowKernelContext *c,
                 const FlowResourceClass         *klass,
                 const char                      *container,
                 const char                      *name)
{
  Aggregator *self = flow_resource_alloc (klass, sizeof (Aggregator), container, name);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  return self;
}

static gboolean
handle_compute (FlowKernelContext  *c,
                GError            **error)
{
  return _flow_put_placed (c, &aggregator_class, make_aggregator, error);
}

/* The entry of @name under the scope's own, to be written; NULL where nobody keeps any. */
static Entry *
open_entry (FlowPull    *pull,
            const char  *name,
            gboolean     is_histogram,
            Aggregator **aggregator)
{
  const FlowStatsScope *scope = pull->stats;
  g_autofree char *tag = NULL;
  Entry *entry;

  if (scope == NULL)
    return NULL;
  *aggregator = flow_kernel_lookup (pull->c, scope->container, scope->name, &aggregator_class, NULL);
  if (*aggregator == NULL)
    return NULL;
  tag = *scope->tag != '\0' ? g_strdup_printf ("%s::%s", scope->tag, name) : g_strdup (name);
  flow_kernel_will_write (pull->c, *aggregator);
  for (guint i = 0; i < (*aggregator)->entries->len; i++)
    {
      entry = (*aggregator)->entries->pdata[i];
      if ((entry->histogram != NULL) == is_histogram && g_str_equal (entry->tag, tag))
        return entry;
    }
  entry = g_new0 (Entry, 1);
  entry->tag = g_steal_pointer (&tag);
  if (is_histogram)
    {
      entry->histogram = g_new (FlowHistogram, 1);
      _flow_histogram_init (entry->histogram);
    }
  if ((*aggregator)->entries->len >= MAX_ENTRIES)
    g_ptr_array_set_size ((*aggregator)->entries, MAX_ENTRIES - 1);
  g_ptr_array_insert ((*aggregator)->entries, 0, entry);
  return entry;
}

static void
close_entry (FlowPull   *pull,
             Aggregator *aggregator)
{
  flow_kernel_wrote (pull->c, aggregator);
  flow_resource_unref (aggregator);
}

void
_flow_pull_add_to_histogram (FlowPull   *pull,
                             const char *name,
                             double      value)
{
  Aggregator *aggregator;
  Entry *entry = open_entry (pull, name, TRUE, &aggregator);

  if (entry == NULL)
    return;
  _flow_histogram_add (entry->histogram, value);
  close_entry (pull, aggregator);
}

void
_flow_pull_set_scalar (FlowPull   *pull,
                       const char *name,
                       float       value)
{
  Aggregator *aggregator;
  Entry *entry = open_entry (pull, name, FALSE, &aggregator);

  if (entry == NULL)
    return;
  entry->number = value;
  close_entry (pull, aggregator);
}

/* --- what was kept --------------------------------------------------------------------------------------------------- */

static GBytes *
write_summary (const Aggregator  *self,
               GError           **error)
{
  enum { SUMMARY_VALUE = 1, VALUE_TAG = 1, VALUE_SIMPLE = 2, VALUE_HISTO = 5 };
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (int histograms = 1; histograms >= 0; histograms--)
    for (guint i = 0; i < self->entries->len; i++)
      {
        const Entry *entry = self->entries->pdata[i];

        if ((entry->histogram != NULL) != histograms)
          continue;
        flow_proto_writer_begin (&w, SUMMARY_VALUE);
        flow_proto_writer_set_string (&w, VALUE_TAG, entry->tag);
        if (histograms)
          _flow_histogram_write (entry->histogram, &w, VALUE_HISTO);
        else
          flow_proto_writer_add_float (&w, VALUE_SIMPLE, entry->number);
        flow_proto_writer_end (&w);
      }
  return flow_proto_writer_finish (&w, error);
}

static gboolean
summary_compute (FlowKernelContext  *c,
                 GError            **error)
{
  Aggregator *self;
  g_autoptr (GBytes) bytes = NULL;

  if (!flow_is_scalar (flow_kernel_input (c, 0)))
    return _flow_refuse (error, "resource_handle must be a scalar");
  self = flow_kernel_lookup_handle (c, 0, &aggregator_class, error);
  if (self == NULL)
    return FALSE;
  bytes = write_summary (self, error);
  flow_resource_unref (self);
  if (bytes == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_string (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes)));
  return TRUE;
}

/* --- datasets -------------------------------------------------------------------------------------------------------- */

enum { SET_HANDLE, SET_TAG };

static gboolean
set_next (FlowPosition  *self,
          FlowPull      *pull,
          FlowTuple    **out,
          GError       **error)
{
  const FlowHandle *handle = FLOW_DATA (FlowHandle *, self->dataset->tensors[SET_HANDLE])[0];
  g_autofree char *tag = _flow_dup_string (self->dataset->tensors[SET_TAG], 0);
  const FlowStatsScope scope = { handle->container, handle->name, tag };
  FlowPull inner = *pull;
  gboolean ok;

  inner.stats = &scope;
  ok = _flow_position_pull (self, 0, &inner, out, error);
  pull->failed_at_end = inner.failed_at_end;
  return ok;
}

static const FlowDatasetKind set_kind = { "SetStatsAggregatorDataset", NULL, set_next, _flow_dataset_count_input };

static gboolean
set_compute (FlowKernelContext  *c,
             GError            **error)
{
  static const char *const names[] = { "tag", "counter_prefix" };
  FlowResource *aggregator = flow_kernel_lookup_handle (c, 1, &aggregator_class, error);
  FlowDataset *dataset;

  if (aggregator == NULL)
    return FALSE;
  flow_resource_unref (aggregator);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!flow_is_scalar (flow_kernel_input (c, i + 2)))
      return _flow_refuse (error, "%s must be a scalar", names[i]);
  if (!_flow_dataset_new_on_input (c, &set_kind, &dataset, error))
    return FALSE;
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 1));
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 2));
  return _flow_dataset_put (c, dataset, error);
}

/* TF: strings are a pointer each, and what they say. */
static double
count_bytes (const FlowTensor *tensor)
{
  double n = (double) tensor->n_elements * (double) _flow_cell_size (tensor->dtype);

  for (gint64 i = 0; tensor->dtype == FLOW_DTYPE_STRING && i < tensor->n_elements; i++)
    n += (double) text_at (tensor, i).length;
  return n;
}

static gboolean
bytes_next (FlowPosition  *self,
            FlowPull      *pull,
            FlowTuple    **out,
            GError       **error)
{
  g_autofree char *tag = NULL;
  double n = 0;

  if (!_flow_position_pull (self, 0, pull, out, error))
    return FALSE;
  if (*out == NULL || pull->stats == NULL)
    return TRUE;
  for (guint i = 0; i < (*out)->n; i++)
    n += count_bytes ((*out)->tensors[i]);
  tag = _flow_dup_string (self->dataset->tensors[0], 0);
  _flow_pull_add_to_histogram (pull, tag, n);
  return TRUE;
}

static const FlowDatasetKind bytes_kind = {
  "BytesProducedStatsDataset", NULL, bytes_next, _flow_dataset_count_input, .goes_on = TRUE,
};

static gboolean
measure (FlowKernelContext      *c,
         const FlowDatasetKind  *kind,
         GError                **error)
{
  FlowDataset *dataset;

  if (!flow_is_scalar (flow_kernel_input (c, 1)))
    return _flow_refuse (error, "tag must be a scalar");
  if (!_flow_dataset_new_on_input (c, kind, &dataset, error))
    return FALSE;
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 1));
  return _flow_dataset_put (c, dataset, error);
}

static gboolean
bytes_compute (FlowKernelContext  *c,
               GError            **error)
{
  return measure (c, &bytes_kind, error);
}

static const FlowDatasetKind latency_kind = {
  "LatencyStatsDataset", NULL, _flow_dataset_pass_on, _flow_dataset_count_input, .goes_on = TRUE,
};

static gboolean
latency_compute (FlowKernelContext  *c,
                 GError            **error)
{
  return measure (c, &latency_kind, error);
}

/* --- the table ------------------------------------------------------------------------------------------------------- */

#define ELEMENTS "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"
#define AGGREGATOR(op)                                                                                       \
  { .name = op, .outputs = "handle: resource", .attrs = "container: string = ''; shared_name: string = ''",  \
    .summary = "Keeps what datasets measure", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,        \
    .infer = flow_infer_scalar_shape,                                                                        \
    .kernels = (const FlowKernelDef[]) { { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL } } }
#define SUMMARY(op)                                                                                          \
  { .name = op, .inputs = "iterator: resource", .outputs = "summary: string",                                \
    .summary = "What datasets measured, for an event file", .flags = FLOW_OP_STATEFUL,                       \
    .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_scalar_shape,                                           \
    .kernels = (const FlowKernelDef[]) { { NULL, summary_compute }, { NULL } } }
#define SETTER(op)                                                                                           \
  { .name = op, .inputs = "input_dataset: variant; stats_aggregator: resource; tag: string; "                \
                          "counter_prefix: string",                                                          \
    .outputs = "handle: variant", .attrs = ELEMENTS, .summary = "A dataset that says who keeps what is measured in it", \
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,                    \
    .kernels = (const FlowKernelDef[]) { { NULL, set_compute }, { NULL } } }
#define MEASURE(op, func, text)                                                                              \
  { .name = op, .inputs = "input_dataset: variant; tag: string", .outputs = "handle: variant",               \
    .attrs = ELEMENTS, .summary = text, .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,           \
    .kernels = (const FlowKernelDef[]) { { NULL, func }, { NULL } } }

static const FlowOpDef ops[] = {
  MEASURE ("BytesProducedStatsDataset", bytes_compute, "A dataset whose bytes are measured"),
  MEASURE ("ExperimentalBytesProducedStatsDataset", bytes_compute, "A dataset whose bytes are measured"),
  MEASURE ("ExperimentalLatencyStatsDataset", latency_compute, "A dataset whose times are measured"),
  SETTER ("ExperimentalSetStatsAggregatorDataset"),
  AGGREGATOR ("ExperimentalStatsAggregatorHandle"),
  SUMMARY ("ExperimentalStatsAggregatorSummary"),
  MEASURE ("LatencyStatsDataset", latency_compute, "A dataset whose times are measured"),
  SETTER ("SetStatsAggregatorDataset"),
  AGGREGATOR ("StatsAggregatorHandle"),
  SUMMARY ("StatsAggregatorSummary"),
};

FLOW_DEFINE_OP_FAMILY (dataset_stats, ops)

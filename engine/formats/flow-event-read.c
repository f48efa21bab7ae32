/* flow-event-read.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * One record of an event file: an Event and the Summary in it.
 */

#include "config.h"

#include "flow-event-file-private.h"

#include "flow-formats-private.h"

#include <math.h>
#include <string.h>

/* Fields of Event. */
enum {
  EVENT_WALL_TIME = 1,
  EVENT_STEP = 2,
  EVENT_FILE_VERSION = 3,
  EVENT_GRAPH_DEF = 4,
  EVENT_SUMMARY = 5,
  EVENT_SESSION_LOG = 7,
  EVENT_RUN_METADATA = 8,
  EVENT_META_GRAPH_DEF = 9,
};

/* Fields of Summary.Value. */
enum {
  VALUE_TAG = 1,
  VALUE_SIMPLE = 2,
  VALUE_OLD_HISTOGRAM = 3,
  VALUE_IMAGE = 4,
  VALUE_HISTO = 5,
  VALUE_AUDIO = 6,
  VALUE_TENSOR = 8,
  VALUE_METADATA = 9,
};

/* Names of this length are shown; longer ones are no names. */
#define MAX_TAG_BYTES 65536

typedef struct {
  FlowEventFile *self;
  guint file;
  const guint8 *base;          /* of the file */
  gsize offset;                /* of the record */
  gint64 step;
  double wall_time;
} EventRead;

typedef struct {
  const guint8 *data;
  gsize size;
} Span;

/* --- Values of a summary --- */

static gboolean
dup_name (Span   span,
          char **name)
{
  if (span.size > MAX_TAG_BYTES || !flow_proto_is_utf8 (span.data, span.size) ||
      memchr (span.data, '\0', span.size) != NULL)
    return FALSE;
  *name = g_strndup ((const char *) span.data, span.size);
  return TRUE;
}

static gboolean
add_point (EventRead     *read,
           FlowEventKind  kind,
           const char    *tag,
           double         value,
           Span           payload)
{
  FlowEventSeries *series = _flow_event_file_get_or_add (read->self, kind, tag);
  FlowEventPoint point = { read->step, read->wall_time, value, read->file, 0, payload.size };

  if (payload.data != NULL)
    point.offset = (gsize) (payload.data - read->base);
  if (series == NULL || !_flow_event_file_charge (read->self, 2 * sizeof point))
    return FALSE;
  if (series->points->len > 0 &&
      point.step < g_array_index (series->points, FlowEventPoint, series->points->len - 1).step)
    series->n_restarts++;
  g_array_append_val (series->points, point);
  return TRUE;
}

/* SummaryMetadata: what the first value of a tag says about all of them. */
static void
read_metadata (EventRead  *read,
               const char *tag,
               Span        metadata,
               char      **display_name,
               char      **description)
{
  FlowProtoReader r;
  FlowProtoReader sub;

  flow_proto_reader_init (&r, metadata.data, metadata.size);
  while (flow_proto_reader_next (&r))
    {
      char *plugin = NULL;

      if (r.field == 2 && r.wire == FLOW_WIRE_BYTES && *display_name == NULL)
        dup_name ((Span) { r.data, r.size }, display_name);
      else if (r.field == 3 && r.wire == FLOW_WIRE_BYTES && *description == NULL)
        dup_name ((Span) { r.data, r.size }, description);
      else if (r.field == 1 && flow_proto_reader_enter (&r, &sub))
        while (flow_proto_reader_next (&sub))
          if (sub.field == 1 && sub.wire == FLOW_WIRE_BYTES && plugin == NULL)
            dup_name ((Span) { sub.data, sub.size }, &plugin);
      if (plugin != NULL && *plugin != '\0' && _flow_event_file_charge (read->self, 128 + 2 * strlen (tag)))
        g_hash_table_replace (read->self->plugins, g_strdup (tag), plugin);
      else
        g_free (plugin);
    }
}

/* Dtype and shape without the elements: of what a tensor is no number of a scalar is asked. */
static gboolean
peek_tensor (Span      tensor,
             int      *dtype,
             gint64   *n_elements,
             gboolean *is_scalar)
{
  FlowProtoReader r;
  g_autoptr (FlowShape) shape = NULL;

  flow_proto_reader_init (&r, tensor.data, tensor.size);
  shape = _flow_tensor_proto_peek (&r, dtype, NULL);
  if (shape == NULL || flow_proto_reader_failed (&r) || !flow_dtype_is_valid (*dtype))
    return FALSE;
  *is_scalar = flow_shape_get_rank (shape) == 0;
  return flow_shape_n_elements (shape, n_elements);
}

static gboolean
read_tensor (EventRead  *read,
             const char *tag,
             Span        tensor)
{
  static const struct {
    const char *plugin;
    FlowEventKind kind;
  } kinds[] = {
    { "histograms", FLOW_EVENT_HISTOGRAM },
    { "images", FLOW_EVENT_IMAGE },
    { "audio", FLOW_EVENT_AUDIO },
    { "text", FLOW_EVENT_TEXT },
  };
  const char *plugin = g_hash_table_lookup (read->self->plugins, tag);
  FlowEventKind kind = FLOW_EVENT_TENSOR;
  gboolean is_scalar = FALSE;
  gint64 n_elements = 0;
  int dtype = FLOW_DTYPE_INVALID;

  if (!peek_tensor (tensor, &dtype, &n_elements, &is_scalar))
    {
      _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "summary.value.tensor", read->offset,
                                    "the tensor of '%s' cannot be read", tag);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (plugin, kinds[i].plugin) == 0)
      kind = kinds[i].kind;
  if (flow_dtype_is_number (dtype) && !flow_dtype_is_complex (dtype) &&
      ((plugin == NULL && is_scalar) || (g_strcmp0 (plugin, "scalars") == 0 && n_elements == 1)))
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (tensor.data, tensor.size);
      g_autoptr (FlowTensor) value = flow_tensor_from_proto (bytes, NULL, NULL);

      if (value != NULL)
        return add_point (read, FLOW_EVENT_SCALAR, tag, flow_tensor_get_double (value, 0), tensor);
    }
  return add_point (read, kind, tag, NAN, tensor);
}

/* The size that is said; the pixels are not looked at here. */
static gboolean
is_image (Span image)
{
  FlowProtoReader r;
  int height = 0;
  int width = 0;

  flow_proto_reader_init (&r, image.data, image.size);
  while (flow_proto_reader_next (&r))
    if (r.field == 1)
      flow_proto_reader_get_int32 (&r, &height);
    else if (r.field == 2)
      flow_proto_reader_get_int32 (&r, &width);
  return !flow_proto_reader_failed (&r) && height > 0 && width > 0;
}

static gboolean
read_histogram (EventRead  *read,
                const char *tag,
                Span        histo)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowEventHistogram) histogram = _flow_event_histogram_parse (histo.data, histo.size, &error);

  if (histogram == NULL)
    {
      _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "summary.value.histo", read->offset,
                                    "the histogram of '%s': %s", tag, error->message);
      return TRUE;
    }
  return add_point (read, FLOW_EVENT_HISTOGRAM, tag, NAN, histo);
}

static gboolean
add_value (EventRead  *read,
           const char *tag,
           guint32     which,
           float       simple,
           Span        payload)
{
  switch (which)
    {
    case VALUE_SIMPLE:
      return add_point (read, FLOW_EVENT_SCALAR, tag, simple, (Span) { NULL, 0 });
    case VALUE_HISTO:
      return read_histogram (read, tag, payload);
    case VALUE_OLD_HISTOGRAM:
      return add_point (read, FLOW_EVENT_HISTOGRAM, tag, NAN, payload);
    case VALUE_IMAGE:
      if (is_image (payload))
        return add_point (read, FLOW_EVENT_IMAGE, tag, NAN, payload);
      _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "summary.value.image", read->offset,
                                    "the image of '%s' has no size that may be", tag);
      return TRUE;
    case VALUE_AUDIO:
      return add_point (read, FLOW_EVENT_AUDIO, tag, NAN, payload);
    case VALUE_TENSOR:
      return read_tensor (read, tag, payload);
    default:
      /* Without a value: nothing is said. */
      return TRUE;
    }
}

/* Names that only the first value of a tag carries go to its series, whatever kind that is. */
static void
name_series (EventRead  *read,
             const char *tag,
             char       *display_name,
             char       *description)
{
  for (guint kind = 0; kind < FLOW_EVENT_N_KINDS; kind++)
    {
      FlowEventSeries *series = flow_event_file_find (read->self, kind, tag);

      if (series == NULL)
        continue;
      if (series->display_name == NULL && display_name != NULL && *display_name != '\0')
        series->display_name = g_strdup (display_name);
      if (series->description == NULL && description != NULL && *description != '\0')
        series->description = g_strdup (description);
      if (series->plugin == NULL)
        series->plugin = g_strdup (g_hash_table_lookup (read->self->plugins, tag));
    }
}

static gboolean
read_value (EventRead *read,
            Span       value)
{
  Span tag_span = { (const guint8 *) "", 0 };
  Span payload = { NULL, 0 };
  Span metadata = { NULL, 0 };
  g_autofree char *tag = NULL;
  g_autofree char *display_name = NULL;
  g_autofree char *description = NULL;
  guint32 which = 0;
  float simple = 0;
  FlowProtoReader r;

  flow_proto_reader_init (&r, value.data, value.size);
  while (flow_proto_reader_next (&r))
    {
      Span span = { r.data, r.wire == FLOW_WIRE_BYTES ? r.size : 0 };

      if (r.field == VALUE_SIMPLE)
        which = flow_proto_reader_get_float (&r, &simple) ? VALUE_SIMPLE : which;
      else if (r.wire != FLOW_WIRE_BYTES)
        continue;
      else if (r.field == VALUE_TAG)
        tag_span = span;
      else if (r.field == VALUE_METADATA)
        metadata = span;
      else if (r.field == VALUE_OLD_HISTOGRAM || r.field == VALUE_IMAGE || r.field == VALUE_HISTO ||
               r.field == VALUE_AUDIO || r.field == VALUE_TENSOR)
        {
          which = r.field;
          payload = span;
        }
    }
  if (flow_proto_reader_failed (&r) || !dup_name (tag_span, &tag))
    {
      _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "summary.value", read->offset,
                                    flow_proto_reader_failed (&r) ? "a summary value is no message"
                                                                  : "a summary value has no legal tag");
      return TRUE;
    }
  if (metadata.data != NULL)
    read_metadata (read, tag, metadata, &display_name, &description);
  if (!add_value (read, tag, which, simple, payload))
    return FALSE;
  if (metadata.data != NULL)
    name_series (read, tag, display_name, description);
  return TRUE;
}

static gboolean
read_summary (EventRead *read,
              Span       summary)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, summary.data, summary.size);
  while (flow_proto_reader_next (&r))
    if (r.field == 1 && r.wire == FLOW_WIRE_BYTES && !read_value (read, (Span) { r.data, r.size }))
      return FALSE;
  if (flow_proto_reader_failed (&r))
    _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "summary", read->offset,
                                  "a summary is cut short");
  return TRUE;
}

/* --- What else an event holds --- */

static gboolean
read_session_log (EventRead *read,
                  Span       span)
{
  FlowSessionLog *log;
  FlowProtoReader r;

  if (!_flow_event_file_charge (read->self, sizeof *log + span.size))
    return FALSE;
  log = g_new0 (FlowSessionLog, 1);
  log->step = read->step;
  log->wall_time = read->wall_time;
  flow_proto_reader_init (&r, span.data, span.size);
  while (flow_proto_reader_next (&r))
    if (r.field == 1)
      flow_proto_reader_get_int32 (&r, &log->status);
    else if (r.field == 2 && log->checkpoint_path == NULL)
      flow_proto_reader_dup_string (&r, &log->checkpoint_path);
    else if (r.field == 3 && log->message == NULL)
      flow_proto_reader_dup_string (&r, &log->message);
  g_ptr_array_add (read->self->session_logs, log);
  return TRUE;
}

static gboolean
read_run_metadata (EventRead *read,
                   Span       span)
{
  Span tag_span = { (const guint8 *) "", 0 };
  Span payload = { NULL, 0 };
  g_autofree char *tag = NULL;
  FlowProtoReader r;

  flow_proto_reader_init (&r, span.data, span.size);
  while (flow_proto_reader_next (&r))
    if (r.field == 1 && r.wire == FLOW_WIRE_BYTES)
      tag_span = (Span) { r.data, r.size };
    else if (r.field == 2 && r.wire == FLOW_WIRE_BYTES)
      payload = (Span) { r.data, r.size };
  if (!flow_proto_reader_failed (&r) && dup_name (tag_span, &tag))
    return add_point (read, FLOW_EVENT_RUN_METADATA, tag, NAN, payload);
  _flow_event_file_add_problem (read->self, FLOW_ERROR_DATA_LOSS, 2, "tagged_run_metadata", read->offset,
                                "run metadata without a legal tag");
  return TRUE;
}

static void
note_graph (EventRead *read,
            gboolean   is_meta_graph,
            Span       span)
{
  FlowEventGraph graph = { is_meta_graph, read->file, (gsize) (span.data - read->base), span.size };

  g_array_append_val (read->self->graphs, graph);
}

/* TF: `what` is a oneof, so the last of an event's parts would win; every writer sets one. */
static gboolean
read_part (EventRead *read,
           guint32    field,
           Span       span)
{
  switch (field)
    {
    case EVENT_FILE_VERSION:
      return read->self->version != NULL || !dup_name (span, &read->self->version) ||
             _flow_event_file_charge (read->self, span.size);
    case EVENT_GRAPH_DEF:
    case EVENT_META_GRAPH_DEF:
      if (!_flow_event_file_charge (read->self, sizeof (FlowEventGraph)))
        return FALSE;
      note_graph (read, field == EVENT_META_GRAPH_DEF, span);
      return TRUE;
    case EVENT_SUMMARY:
      return read_summary (read, span);
    case EVENT_SESSION_LOG:
      return read_session_log (read, span);
    case EVENT_RUN_METADATA:
      return read_run_metadata (read, span);
    default:
      return TRUE;
    }
}

gboolean
_flow_event_file_read_event (FlowEventFile *self,
                             guint          file,
                             gsize          offset,
                             const guint8  *data,
                             gsize          size)
{
  EventRead read = { self, file, g_bytes_get_data (self->files->pdata[file], NULL), offset, 0, 0 };
  FlowProtoReader r;

  /* Step and time may stand behind what they are about. */
  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == EVENT_WALL_TIME)
      flow_proto_reader_get_double (&r, &read.wall_time);
    else if (r.field == EVENT_STEP)
      flow_proto_reader_get_int64 (&r, &read.step);
  if (flow_proto_reader_failed (&r))
    {
      _flow_event_file_add_problem (self, FLOW_ERROR_DATA_LOSS, 2, NULL, offset,
                                    "the record at %" G_GSIZE_FORMAT " is no event and was skipped", offset);
      return TRUE;
    }
  self->n_events++;
  if (isfinite (read.wall_time) && read.wall_time > 0)
    {
      if (self->first_time <= 0)
        self->first_time = read.wall_time;
      self->last_time = read.wall_time;
    }
  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.wire == FLOW_WIRE_BYTES && !read_part (&read, r.field, (Span) { r.data, r.size }))
      return FALSE;
  return TRUE;
}

/* --- Histograms --- */

void
flow_event_histogram_free (FlowEventHistogram *self)
{
  g_free (self->limits);
  g_free (self->counts);
  g_free (self);
}

static gboolean
read_doubles (FlowProtoReader *r,
              GArray          *values)
{
  double value;

  while (flow_proto_reader_each_double (r, &value))
    {
      if (isnan (value))
        return FALSE;
      g_array_append_val (values, value);
    }
  return TRUE;
}

/* HistogramProto. */
FlowEventHistogram *
_flow_event_histogram_parse (const guint8  *data,
                       gsize          size,
                       GError       **error)
{
  g_autoptr (FlowEventHistogram) self = g_new0 (FlowEventHistogram, 1);
  g_autoptr (GArray) limits = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean is_legal = TRUE;
  FlowProtoReader r;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    switch (r.field)
      {
      case 1: flow_proto_reader_get_double (&r, &self->min); break;
      case 2: flow_proto_reader_get_double (&r, &self->max); break;
      case 3: flow_proto_reader_get_double (&r, &self->num); break;
      case 4: flow_proto_reader_get_double (&r, &self->sum); break;
      case 5: flow_proto_reader_get_double (&r, &self->sum_squares); break;
      case 6: is_legal = read_doubles (&r, limits) && is_legal; break;
      case 7: is_legal = read_doubles (&r, counts) && is_legal; break;
      default: break;
      }
  if (!flow_proto_reader_finish (&r, "HistogramProto", error))
    return NULL;
  if (!is_legal)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "a bucket is NaN");
      return NULL;
    }
  if (limits->len != counts->len)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%u bucket limits, but %u buckets",
                   limits->len, counts->len);
      return NULL;
    }
  self->n_buckets = limits->len;
  self->limits = (double *) (gpointer) g_array_free (g_steal_pointer (&limits), FALSE);
  self->counts = (double *) (gpointer) g_array_free (g_steal_pointer (&counts), FALSE);
  return g_steal_pointer (&self);
}

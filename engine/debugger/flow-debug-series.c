/* flow-debug-series.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The series of an event file, for the curves beside its graph.
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-event-file.h"

#include "flow-picture.h"
#include "flow-proto-reader.h"
#include "flow-tensor-proto.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* More rows nobody reads, and one message holds these. */
#define MAX_SERIES 2000
#define MAX_POINTS 20000

/* What a row says of the values of a scalar. */
static void
add_range (GVariantBuilder       *row,
           const FlowEventSeries *series)
{
  double min = NAN;
  double max = NAN;
  guint n_bad = 0;

  for (guint i = 0; i < series->points->len; i++)
    {
      double value = g_array_index (series->points, FlowEventPoint, i).value;

      if (!isfinite (value))
        {
          n_bad++;
          continue;
        }
      min = isnan (min) ? value : MIN (min, value);
      max = isnan (max) ? value : MAX (max, value);
    }
  g_variant_builder_add (row, "{sv}", "min", g_variant_new_double (min));
  g_variant_builder_add (row, "{sv}", "max", g_variant_new_double (max));
  g_variant_builder_add (row, "{sv}", "bad", g_variant_new_uint32 (n_bad));
  g_variant_builder_add (row, "{sv}", "last",
                         g_variant_new_double (g_array_index (series->points, FlowEventPoint,
                                                              series->points->len - 1).value));
}

static GVariant *
describe_series (const FlowEventSeries *series)
{
  guint n = series->points->len;
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "tag", g_variant_new_string (series->tag));
  g_variant_builder_add (&row, "{sv}", "kind", g_variant_new_string (flow_event_kind_name (series->kind)));
  g_variant_builder_add (&row, "{sv}", "n", g_variant_new_uint32 (n));
  g_variant_builder_add (&row, "{sv}", "restarts", g_variant_new_uint32 (series->n_restarts));
  if (series->display_name != NULL)
    g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (series->display_name));
  if (series->description != NULL)
    g_variant_builder_add (&row, "{sv}", "description", g_variant_new_string (series->description));
  if (n > 0)
    {
      g_variant_builder_add (&row, "{sv}", "first_step",
                             g_variant_new_int64 (g_array_index (series->points, FlowEventPoint, 0).step));
      g_variant_builder_add (&row, "{sv}", "last_step",
                             g_variant_new_int64 (g_array_index (series->points, FlowEventPoint, n - 1).step));
      if (series->kind == FLOW_EVENT_SCALAR)
        add_range (&row, series);
    }
  return g_variant_builder_end (&row);
}

/* Read once more when the file has grown since: a trainer goes on writing. */
static FlowEventFile *
look_at_events (FlowDebugCore *core)
{
  FlowEventFile *first = core->model != NULL ? flow_model_get_events (core->model) : NULL;
  GStatBuf info;

  if (first == NULL || core->graph_path == NULL || g_stat (core->graph_path, &info) != 0 || !S_ISREG (info.st_mode))
    return core->events != NULL ? core->events : first;
  if (core->events_size == 0)
    core->events_size = (guint64) info.st_size;
  if ((guint64) info.st_size != core->events_size)
    {
      FlowEventFile *again = flow_event_file_load (core->graph_path, NULL);

      /* Half a record at the end is none yet; a file that is gone or another stays as it was. */
      if (again != NULL)
        {
          g_clear_object (&core->events);
          core->events = again;
          core->events_size = (guint64) info.st_size;
        }
    }
  return core->events != NULL ? core->events : first;
}

FlowDebuggerReply *
_flow_core_series (FlowDebugCore *core,
                   GVariant      *arguments,
                   GPtrArray     *tensors,
                   GError       **error)
{
  FlowEventFile *events = look_at_events (core);
  GPtrArray *all = events != NULL ? flow_event_file_get_series (events) : NULL;
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; all != NULL && i < MIN (all->len, MAX_SERIES); i++)
    g_variant_builder_add_value (&rows, describe_series (all->pdata[i]));
  return _flow_reply (g_variant_new ("(aa{sv})", &rows));
}

static void
add_point (GVariantBuilder      *points,
           const FlowEventPoint *point)
{
  g_variant_builder_add (points, "(xdd)", point->step, point->wall_time, point->value);
}

/* Of a stretch of points the least and the greatest, so that no peak is lost, in their order; a value that is
 * no number stands for its stretch. */
static void
thin_stretch (GVariantBuilder *points,
              const GArray    *all,
              guint            from,
              guint            to)
{
  guint min = from;
  guint max = from;

  for (guint i = from; i < to; i++)
    {
      double value = g_array_index (all, FlowEventPoint, i).value;

      if (!isfinite (value))
        {
          add_point (points, &g_array_index (all, FlowEventPoint, i));
          return;
        }
      if (value < g_array_index (all, FlowEventPoint, min).value)
        min = i;
      if (value > g_array_index (all, FlowEventPoint, max).value)
        max = i;
    }
  add_point (points, &g_array_index (all, FlowEventPoint, MIN (min, max)));
  if (min != max)
    add_point (points, &g_array_index (all, FlowEventPoint, MAX (min, max)));
}

FlowDebuggerReply *
_flow_core_series_points (FlowDebugCore *core,
                          GVariant      *arguments,
                          GPtrArray     *tensors,
                          GError       **error)
{
  FlowEventFile *events = look_at_events (core);
  FlowEventSeries *series = NULL;
  const char *tag = NULL;
  guint32 max = 0;
  guint stride;
  GVariantBuilder points;

  g_variant_get (arguments, "(&su)", &tag, &max);
  if (events != NULL)
    series = flow_event_file_find (events, FLOW_EVENT_SCALAR, tag);
  if (series == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "No scalars of the tag '%s'", tag);
      return NULL;
    }
  max = CLAMP (max, 2, MAX_POINTS);
  /* Each stretch gives two. */
  stride = series->points->len <= max ? 1 : (2 * series->points->len + max - 1) / max;
  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(xdd)"));
  for (guint i = 0; i < series->points->len; i += stride)
    thin_stretch (&points, series->points, i, MIN (i + stride, series->points->len));
  return _flow_reply (g_variant_new ("(a(xdd))", &points));
}

/* --- histograms, pictures, text, tensors ------------------------------------------------------------ */

static FlowEventSeries *
find_series (FlowEventFile *events,
             const char    *kind,
             const char    *tag,
             GError       **error)
{
  FlowEventSeries *series = NULL;

  for (int k = 0; events != NULL && series == NULL && k < FLOW_EVENT_N_KINDS; k++)
    if (g_strcmp0 (flow_event_kind_name ((FlowEventKind) k), kind) == 0)
      series = flow_event_file_find (events, (FlowEventKind) k, tag);
  if (series == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "No %s of the tag '%s'", kind, tag);
  return series;
}

FlowDebuggerReply *
_flow_core_series_steps (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *kind = NULL;
  const char *tag = NULL;
  FlowEventSeries *series = NULL;
  GVariantBuilder steps;

  g_variant_get (arguments, "(&s&s)", &kind, &tag);
  series = find_series (look_at_events (core), kind, tag, error);
  if (series == NULL)
    return NULL;
  g_variant_builder_init (&steps, G_VARIANT_TYPE ("a(xd)"));
  for (guint i = 0; i < MIN (series->points->len, MAX_POINTS); i++)
    {
      const FlowEventPoint *point = &g_array_index (series->points, FlowEventPoint, i);

      g_variant_builder_add (&steps, "(xd)", point->step, point->wall_time);
    }
  return _flow_reply (g_variant_new ("(a(xd))", &steps));
}

/* The picture of a Summary.Image. */
static FlowTensor *
picture_of (FlowDebugCore *core,
            GBytes        *payload,
            GError       **error)
{
  FlowProtoReader r;
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (payload, &size);
  g_autoptr(GBytes) encoded = NULL;

  flow_proto_reader_init (&r, data, size);
  while (flow_proto_reader_next (&r))
    if (r.field == 4 && r.wire == FLOW_WIRE_BYTES)
      {
        g_clear_pointer (&encoded, g_bytes_unref);
        encoded = g_bytes_new_from_bytes (payload, (gsize) (r.data - data), r.size);
      }
  FLOW_REQUIRE (encoded != NULL, error, INVALID_ARGUMENT, "the summary holds no picture");
  return flow_picture_decode (encoded, core->budget, error);
}

/* TensorBoard's newer form: strings width, height and then pictures; the first of them. */
static FlowTensor *
picture_of_tensor (FlowDebugCore *core,
                   GBytes        *payload,
                   GError       **error)
{
  g_autoptr(FlowTensor) strings = flow_tensor_from_proto (payload, core->budget, error);
  g_autoptr(GBytes) encoded = NULL;

  if (strings == NULL)
    return NULL;
  FLOW_REQUIRE (strings->dtype == FLOW_DTYPE_STRING && strings->n_elements > 2, error, INVALID_ARGUMENT,
                "the summary holds no picture");
  encoded = flow_tensor_dup_string (strings, 2);
  return flow_picture_decode (encoded, core->budget, error);
}

/* Rows of lower edge, upper edge and count. */
static FlowTensor *
histogram_of (FlowDebugCore   *core,
              FlowEventFile   *events,
              FlowEventSeries *series,
              guint            i,
              GError         **error)
{
  g_autoptr(FlowEventHistogram) histogram = flow_event_file_dup_histogram (events, series, i, error);
  g_autoptr(FlowShape) shape = NULL;
  FlowTensor *tensor = NULL;

  if (histogram == NULL)
    return NULL;
  shape = flow_shape_new_matrix (histogram->n_buckets, 3);
  tensor = flow_tensor_new (FLOW_DTYPE_DOUBLE, shape, core->budget, error);
  for (guint k = 0; tensor != NULL && k < histogram->n_buckets; k++)
    {
      double *row = FLOW_WRITABLE (double, tensor) + 3 * k;

      row[0] = k > 0 ? histogram->limits[k - 1] : histogram->min;
      row[1] = MIN (histogram->limits[k], histogram->max);
      row[0] = CLAMP (row[0], histogram->min, row[1]);
      row[2] = histogram->counts[k];
    }
  return tensor;
}

/* `series:KIND:TAG@i`: what an event file holds, as a value. */
FlowTensor *
_flow_debug_core_dup_event (FlowDebugCore *core,
                            const char    *ref,
                            GError       **error)
{
  FlowEventFile *events = look_at_events (core);
  const char *kind = ref + strlen ("series:");
  const char *colon = strchr (kind, ':');
  const char *at = strrchr (ref, '@');
  g_autofree char *word = colon != NULL ? g_strndup (kind, (gsize) (colon - kind)) : NULL;
  g_autofree char *tag = colon != NULL && at != NULL && at > colon ? g_strndup (colon + 1, (gsize) (at - colon - 1)) : NULL;
  FlowEventSeries *series = NULL;
  g_autoptr(GBytes) payload = NULL;
  guint64 i = 0;

  FLOW_REQUIRE (tag != NULL && g_ascii_string_to_unsigned (at + 1, 10, 0, G_MAXUINT32, &i, NULL), error, INVALID_ARGUMENT,
                "%s: series:KIND:TAG@NUMBER is wanted", ref);
  series = find_series (events, word, tag, error);
  if (series == NULL)
    return NULL;
  FLOW_REQUIRE (i < series->points->len, error, OUT_OF_RANGE, "%s has %u points", tag, series->points->len);
  payload = flow_event_file_dup_payload (events, series, (guint) i);
  switch (series->kind)
    {
    case FLOW_EVENT_HISTOGRAM:
      return histogram_of (core, events, series, (guint) i, error);
    case FLOW_EVENT_IMAGE:
      return g_strcmp0 (series->plugin, "images") == 0 ? picture_of_tensor (core, payload, error)
                                                       : picture_of (core, payload, error);
    case FLOW_EVENT_TEXT:
    case FLOW_EVENT_TENSOR:
      return flow_tensor_from_proto (payload, core->budget, error);
    case FLOW_EVENT_SCALAR:
    case FLOW_EVENT_AUDIO:
    case FLOW_EVENT_RUN_METADATA:
    default:
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "of %s there is nothing to be shown as a value", word);
      return NULL;
    }
}

/* --- histograms over steps -------------------------------------------------------------------------- */

/* So fine that a row is a curve. */
#define N_BINS 80
/* More rows cannot be told apart. */
#define MAX_ROWS 200

static void
add_to_bins (double                   *bins,
             double                    low,
             double                    high,
             const FlowEventHistogram *histogram)
{
  double width = (high - low) / N_BINS;

  for (guint k = 0; k < histogram->n_buckets; k++)
    {
      double to = MIN (histogram->limits[k], histogram->max);
      double from = k > 0 ? CLAMP (histogram->limits[k - 1], histogram->min, to) : MIN (histogram->min, to);
      int first = 0;
      int last = 0;

      if (!(histogram->counts[k] > 0) || !isfinite (from) || !isfinite (to))
        continue;
      first = width > 0 ? (int) CLAMP ((from - low) / width, 0, N_BINS - 1) : 0;
      last = width > 0 ? (int) CLAMP ((to - low) / width, 0, N_BINS - 1) : 0;
      for (int bin = first; bin <= last; bin++)
        {
          double begin = MAX (from, low + bin * width);
          double end = MIN (to, low + (bin + 1) * width);

          bins[bin] += to > from && last > first ? histogram->counts[k] * MAX (0, end - begin) / (to - from)
                                                 : histogram->counts[k];
        }
    }
}

/* Every histogram of a tag over one range, spread evenly over as many rows as are wanted, the last one among them. */
FlowDebuggerReply *
_flow_core_series_histograms (FlowDebugCore *core,
                              GVariant      *arguments,
                              GPtrArray     *tensors,
                              GError       **error)
{
  FlowEventFile *events = look_at_events (core);
  g_autoptr(GPtrArray) histograms = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_event_histogram_free);
  g_autoptr(GArray) steps = g_array_new (FALSE, FALSE, sizeof (gint64));
  FlowEventSeries *series = NULL;
  const char *tag = NULL;
  guint32 max = 0;
  double low = INFINITY;
  double high = -INFINITY;
  GVariantBuilder rows;

  g_variant_get (arguments, "(&su)", &tag, &max);
  series = find_series (events, flow_event_kind_name (FLOW_EVENT_HISTOGRAM), tag, error);
  if (series == NULL)
    return NULL;
  max = MIN (CLAMP (max, 1, MAX_ROWS), series->points->len);
  for (guint i = 0; i < max; i++)
    {
      guint k = max > 1 ? (guint) ((guint64) i * (series->points->len - 1) / (max - 1)) : series->points->len - 1;
      FlowEventHistogram *histogram = flow_event_file_dup_histogram (events, series, k, NULL);

      if (histogram == NULL)
        continue;
      g_ptr_array_add (histograms, histogram);
      g_array_append_val (steps, g_array_index (series->points, FlowEventPoint, k).step);
      if (isfinite (histogram->min) && isfinite (histogram->max) && histogram->n_buckets > 0)
        {
          low = MIN (low, histogram->min);
          high = MAX (high, histogram->max);
        }
    }
  if (!(low <= high) || !isfinite (high - low))
    low = high = 0;
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(xdad)"));
  for (guint i = 0; i < histograms->len; i++)
    {
      double bins[N_BINS] = { 0 };

      add_to_bins (bins, low, high, histograms->pdata[i]);
      g_variant_builder_add (&rows, "(xd@ad)", g_array_index (steps, gint64, i),
                             ((FlowEventHistogram *) histograms->pdata[i])->num,
                             g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, bins, N_BINS, sizeof (double)));
    }
  return _flow_reply (g_variant_new ("(dda(xdad))", low, high, &rows));
}

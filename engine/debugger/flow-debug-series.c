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

#include <glib/gstdio.h>
#include <math.h>
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

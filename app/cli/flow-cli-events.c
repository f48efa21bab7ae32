/* flow-cli-events.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-events.h"

#include <math.h>
#include <stdio.h>

/* The JSON key of all series of a kind. */
static const char *const kind_keys[] = {
  [FLOW_EVENT_SCALAR] = "scalars",
  [FLOW_EVENT_HISTOGRAM] = "histograms",
  [FLOW_EVENT_IMAGE] = "images",
  [FLOW_EVENT_AUDIO] = "audio",
  [FLOW_EVENT_TEXT] = "texts",
  [FLOW_EVENT_TENSOR] = "tensors",
  [FLOW_EVENT_RUN_METADATA] = "run_metadata",
};

static const FlowEventPoint *
get_point (const FlowEventSeries *series,
           guint                  i)
{
  return &g_array_index (series->points, FlowEventPoint, i);
}

static const char *
status_name (int status)
{
  static const char *const names[] = { "unspecified", "start", "stop", "checkpoint" };

  return status >= 0 && status < (int) G_N_ELEMENTS (names) ? names[status] : "unknown";
}

/* Over the finite values; NaN where there are none. */
static void
find_range (const FlowEventSeries *series,
            double                *min,
            double                *max)
{
  *min = NAN;
  *max = NAN;
  for (guint i = 0; i < series->points->len; i++)
    {
      double value = get_point (series, i)->value;

      if (!isfinite (value))
        continue;
      *min = isnan (*min) ? value : MIN (*min, value);
      *max = isnan (*max) ? value : MAX (*max, value);
    }
}

static void
add_series (JsonBuilder           *builder,
            const FlowEventSeries *series)
{
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "tag", series->tag);
  if (series->display_name != NULL)
    flow_cli_json_set_text (builder, "display_name", series->display_name);
  if (series->plugin != NULL)
    flow_cli_json_set_text (builder, "plugin", series->plugin);
  flow_cli_json_set_int (builder, "n", series->points->len);
  flow_cli_json_set_int (builder, "restarts", series->n_restarts);
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
  for (guint i = 0; i < series->points->len; i++)
    json_builder_add_int_value (builder, get_point (series, i)->step);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "wall_times");
  json_builder_begin_array (builder);
  for (guint i = 0; i < series->points->len; i++)
    flow_cli_json_double (builder, get_point (series, i)->wall_time);
  json_builder_end_array (builder);
  if (series->kind == FLOW_EVENT_SCALAR)
    {
      json_builder_set_member_name (builder, "values");
      json_builder_begin_array (builder);
      for (guint i = 0; i < series->points->len; i++)
        flow_cli_json_double (builder, get_point (series, i)->value);
      json_builder_end_array (builder);
    }
  json_builder_end_object (builder);
}

static void
add_session_logs (JsonBuilder *builder,
                  GPtrArray   *logs)
{
  json_builder_set_member_name (builder, "session_logs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < logs->len; i++)
    {
      const FlowSessionLog *log = logs->pdata[i];

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "status", status_name (log->status));
      flow_cli_json_set_int (builder, "step", log->step);
      flow_cli_json_set_double (builder, "wall_time", log->wall_time);
      if (log->checkpoint_path != NULL)
        flow_cli_json_set_text (builder, "checkpoint_path", log->checkpoint_path);
      if (log->message != NULL)
        flow_cli_json_set_text (builder, "message", log->message);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
flow_cli_json_events (JsonBuilder   *builder,
                      FlowEventFile *events)
{
  GPtrArray *all = flow_event_file_get_series (events);

  flow_cli_json_set_text (builder, "file_version", flow_event_file_get_version (events));
  flow_cli_json_set_int (builder, "files", flow_event_file_get_n_files (events));
  flow_cli_json_set_int (builder, "events", (gint64) flow_event_file_get_n_events (events));
  flow_cli_json_set_double (builder, "first_time", flow_event_file_get_first_time (events));
  flow_cli_json_set_double (builder, "last_time", flow_event_file_get_last_time (events));
  for (guint kind = 0; kind < G_N_ELEMENTS (kind_keys); kind++)
    {
      json_builder_set_member_name (builder, kind_keys[kind]);
      json_builder_begin_array (builder);
      for (guint i = 0; i < all->len; i++)
        if (((FlowEventSeries *) all->pdata[i])->kind == kind)
          add_series (builder, all->pdata[i]);
      json_builder_end_array (builder);
    }
  add_session_logs (builder, flow_event_file_get_session_logs (events));
}

static void
print_series (const FlowEventSeries *series)
{
  guint n = series->points->len;
  g_autofree char *tag = flow_escape_display (series->tag, -1, 200);
  double min;
  double max;

  printf ("  %6u  %-12s %s", n, flow_event_kind_name (series->kind), tag);
  if (n > 0)
    printf ("  steps %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, get_point (series, 0)->step,
            get_point (series, n - 1)->step);
  if (n > 0 && series->kind == FLOW_EVENT_SCALAR)
    {
      find_range (series, &min, &max);
      printf (", min %g, max %g, last %g", min, max, get_point (series, n - 1)->value);
    }
  if (series->n_restarts > 0)
    printf (", started again %u times", series->n_restarts);
  putchar ('\n');
}

void
flow_cli_print_events (FlowEventFile *events)
{
  GPtrArray *all = flow_event_file_get_series (events);
  GPtrArray *logs = flow_event_file_get_session_logs (events);

  printf ("\n%" G_GUINT64_FORMAT " events in %u files, %s\n", flow_event_file_get_n_events (events),
          flow_event_file_get_n_files (events),
          flow_event_file_get_version (events) != NULL ? flow_event_file_get_version (events) : "without a version");
  if (all->len > 0)
    printf ("\nSeries:\n");
  for (guint i = 0; i < all->len; i++)
    print_series (all->pdata[i]);
  if (logs->len > 0)
    printf ("\nSessions:\n");
  for (guint i = 0; i < logs->len; i++)
    {
      const FlowSessionLog *log = logs->pdata[i];

      printf ("  %s at step %" G_GINT64_FORMAT "%s%s\n", status_name (log->status), log->step,
              log->checkpoint_path != NULL ? ": " : "", log->checkpoint_path != NULL ? log->checkpoint_path : "");
    }
}

/* flow-cli-stats.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-stats.h"

#include <stdio.h>

static void
set_finite (JsonBuilder *builder,
            const char  *key,
            gboolean     has,
            double       value)
{
  json_builder_set_member_name (builder, key);
  if (has)
    flow_cli_json_double (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
flow_cli_json_tensor_stats (JsonBuilder           *builder,
                     const FlowTensorStats *stats)
{
  gboolean has = stats->n_finite > 0;

  json_builder_begin_object (builder);
  flow_cli_json_set_int (builder, "n", stats->n_elements);
  set_finite (builder, "min", has, stats->min);
  set_finite (builder, "max", has, stats->max);
  set_finite (builder, "mean", has, stats->mean);
  set_finite (builder, "std", has, stats->std);
  flow_cli_json_set_int (builder, "nan", stats->n_nan);
  flow_cli_json_set_int (builder, "inf", flow_tensor_stats_get_n_inf (stats));
  flow_cli_json_set_int (builder, "pos_inf", stats->n_pos_inf);
  flow_cli_json_set_int (builder, "neg_inf", stats->n_neg_inf);
  flow_cli_json_set_int (builder, "zeros", stats->n_zero);
  flow_cli_json_set_int (builder, "negative", stats->n_negative);
  flow_cli_json_set_int (builder, "positive", stats->n_positive);
  flow_cli_json_set_int (builder, "denormal", stats->n_denormal);
  json_builder_end_object (builder);
}

void
flow_cli_print_tensor_stats (const FlowTensorStats *stats)
{
  printf ("%" G_GINT64_FORMAT " elements", stats->n_elements);
  if (stats->n_finite > 0)
    printf (", min %.9g, max %.9g, mean %.9g, std %.9g", stats->min, stats->max, stats->mean, stats->std);
  if (stats->is_number)
    printf (", %" G_GINT64_FORMAT " zeros", stats->n_zero);
  if (stats->n_nan > 0)
    printf (", %" G_GINT64_FORMAT " NaN", stats->n_nan);
  if (flow_tensor_stats_get_n_inf (stats) > 0)
    printf (", %" G_GINT64_FORMAT " infinite", flow_tensor_stats_get_n_inf (stats));
  if (stats->n_denormal > 0)
    printf (", %" G_GINT64_FORMAT " denormal", stats->n_denormal);
}

/* cli-checkpoint.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli-stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* More values than this are in a document for programs as a shape and statistics only. */
#define MAX_JSON_VALUES 100000

/* NULL after the error was printed. */
static FlowCheckpoint *
open_checkpoint (FlowCli    *cli,
                 const char *path)
{
  g_autoptr (GError) error = NULL;
  FlowCheckpoint *checkpoint = flow_checkpoint_open (path, &error);

  if (checkpoint == NULL)
    cli->status = flow_cli_bad_file (cli, path, error);
  return checkpoint;
}

static void
add_strings (JsonBuilder       *builder,
             const char        *key,
             const char *const *texts)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    flow_cli_json_text (builder, texts[i], -1);
  json_builder_end_array (builder);
}

static void
add_tensor_info (JsonBuilder                *builder,
                 const FlowCheckpointTensor *info)
{
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "name", info->name);
  flow_cli_json_set_text (builder, "dtype", flow_dtype_name (info->dtype));
  json_builder_set_member_name (builder, "shape");
  flow_cli_json_shape (builder, info->shape);
  if (info->shard >= 0)
    flow_cli_json_set_int (builder, "shard", info->shard);
  if (info->offset >= 0)
    flow_cli_json_set_int (builder, "offset", info->offset);
  flow_cli_json_set_int (builder, "size", info->size);
  if (info->n_slices > 0)
    add_strings (builder, "slices", (const char *const *) info->slices);
  if (info->problem != NULL)
    flow_cli_json_set_text (builder, "problem", info->problem);
  json_builder_end_object (builder);
}

static const char *
kind_name (FlowCheckpoint *checkpoint)
{
  return flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_V1 ? "checkpoint V1" : "checkpoint V2";
}

static int
list_tensors (FlowCli    *cli,
              const char *path)
{
  g_autoptr (FlowCheckpoint) checkpoint = open_checkpoint (cli, path);
  g_auto (GStrv) stale = NULL;
  guint n;

  if (checkpoint == NULL)
    return cli->status;
  n = flow_checkpoint_get_n_tensors (checkpoint);
  stale = flow_checkpoint_list_stale (flow_checkpoint_get_prefix (checkpoint));
  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "kind", kind_name (checkpoint));
      flow_cli_json_set_text (builder, "prefix", flow_checkpoint_get_prefix (checkpoint));
      flow_cli_json_set_int (builder, "shards", flow_checkpoint_get_n_shards (checkpoint));
      json_builder_set_member_name (builder, "tensors");
      json_builder_begin_array (builder);
      for (guint i = 0; i < n; i++)
        add_tensor_info (builder, flow_checkpoint_get_tensor (checkpoint, i));
      json_builder_end_array (builder);
      add_strings (builder, "problems", flow_checkpoint_get_problems (checkpoint));
      add_strings (builder, "stale", (const char *const *) stale);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
      return FLOW_CLI_OK;
    }
  printf ("%s: %s, %" G_GINT64_FORMAT " shards, %u tensors\n", flow_checkpoint_get_prefix (checkpoint),
          kind_name (checkpoint), flow_checkpoint_get_n_shards (checkpoint), n);
  for (guint i = 0; i < n; i++)
    {
      const FlowCheckpointTensor *info = flow_checkpoint_get_tensor (checkpoint, i);
      g_autofree char *shape = flow_shape_to_string (info->shape);

      printf ("%s  %s %s  %" G_GINT64_FORMAT " bytes", info->name, flow_dtype_name (info->dtype), shape, info->size);
      if (info->n_slices > 0)
        printf ("  in %u parts", info->n_slices);
      printf ("%s%s\n", info->problem != NULL ? "  damaged: " : "", info->problem != NULL ? info->problem : "");
    }
  for (guint i = 0; stale[i] != NULL; i++)
    printf ("left over from a save that was stopped: %s\n", stale[i]);
  return FLOW_CLI_OK;
}

static void
add_value (JsonBuilder      *builder,
           const FlowTensor *tensor,
           gint64            i)
{
  FlowDType dtype = flow_tensor_get_dtype (tensor);
  g_autofree char *text = NULL;
  gsize length;

  if (dtype == FLOW_DTYPE_BOOL)
    {
      json_builder_add_boolean_value (builder, flow_tensor_get_int (tensor, i) != 0);
    }
  else if (dtype == FLOW_DTYPE_STRING)
    {
      const char *bytes = flow_tensor_get_string (tensor, i, &length);

      flow_cli_json_text (builder, bytes != NULL ? bytes : "", (gssize) length);
    }
  else if (flow_dtype_is_floating (dtype))
    {
      flow_cli_json_double (builder, flow_tensor_get_double (tensor, i));
    }
  else if ((flow_dtype_is_integer (dtype) || flow_dtype_is_quantized (dtype)) && dtype != FLOW_DTYPE_UINT64)
    {
      json_builder_add_int_value (builder, flow_tensor_get_int (tensor, i));
    }
  else
    {
      text = flow_tensor_element_text (tensor, i);
      json_builder_add_string_value (builder, text);
    }
}

/* As nested lists. */
static gint64
add_values (JsonBuilder      *builder,
            const FlowTensor *tensor,
            int               axis,
            gint64            at)
{
  if (axis == flow_tensor_get_rank (tensor))
    {
      add_value (builder, tensor, at);
      return at + 1;
    }
  json_builder_begin_array (builder);
  for (gint64 i = 0; i < flow_tensor_get_dim (tensor, axis); i++)
    at = add_values (builder, tensor, axis + 1, at);
  json_builder_end_array (builder);
  return at;
}

static int
show_tensor (FlowCli    *cli,
             const char *path,
             const char *name,
             const char *slice,
             const char *npy_path)
{
  g_autoptr (FlowCheckpoint) checkpoint = open_checkpoint (cli, path);
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (FlowTensor) tensor = NULL;
  g_autoptr (FlowTensorStats) stats = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (checkpoint == NULL)
    return cli->status;
  tensor = flow_checkpoint_read_slice (checkpoint, name, slice, budget, &error);
  if (tensor == NULL)
    return error->code == FLOW_ERROR_NOT_FOUND || error->code == FLOW_ERROR_INVALID_ARGUMENT
             ? flow_cli_failed (cli, path, error)
             : flow_cli_bad_file (cli, path, error);
  if (npy_path != NULL && !flow_npy_save (tensor, npy_path, &error))
    return flow_cli_failed (cli, npy_path, error);

  stats = flow_tensor_stats_new (tensor, 0);
  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", name);
      flow_cli_json_set_text (builder, "dtype", flow_dtype_name (flow_tensor_get_dtype (tensor)));
      json_builder_set_member_name (builder, "shape");
      flow_cli_json_shape (builder, flow_tensor_get_shape (tensor));
      json_builder_set_member_name (builder, "stats");
      flow_cli_json_tensor_stats (builder, stats);
      json_builder_set_member_name (builder, "values");
      if (flow_tensor_get_n_elements (tensor) <= MAX_JSON_VALUES)
        add_values (builder, tensor, 0, 0);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
      return FLOW_CLI_OK;
    }
  text = flow_tensor_summary (tensor);
  printf ("%s: %s\n", name, text);
  flow_cli_print_tensor_stats (stats);
  g_free (text);
  text = flow_tensor_to_text (tensor, NULL);
  printf ("\n%s\n", text);
  return FLOW_CLI_OK;
}

typedef struct {
  const char *name;
  FlowTensorDiff *diff;        /* nullable: in one only, or not to be read */
  const FlowCheckpointTensor *a;
  const FlowCheckpointTensor *b;
  char *error;
} Difference;

static void
difference_free (gpointer data)
{
  Difference *self = data;

  flow_tensor_diff_free (self->diff);
  g_free (self->error);
  g_free (self);
}

/* What cannot be measured first, then the largest change. */
static double
difference_size (const Difference *self)
{
  if (self->diff == NULL || !self->diff->same_shape || self->diff->n_nan > 0)
    return INFINITY;
  return self->diff->max_abs;
}

static gint
compare_differences (gconstpointer a,
                     gconstpointer b)
{
  const Difference *x = *(const Difference *const *) a;
  const Difference *y = *(const Difference *const *) b;
  double dx = difference_size (x);
  double dy = difference_size (y);

  if (dx != dy)
    return dx < dy ? 1 : -1;
  return strcmp (x->name, y->name);
}

static Difference *
compare_tensor (FlowCheckpoint             *a,
                FlowCheckpoint             *b,
                const FlowCheckpointTensor *info,
                const FlowTolerance        *tolerance,
                FlowBudget                 *budget,
                gboolean                   *damaged)
{
  Difference *self = g_new0 (Difference, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowTensor) x = NULL;
  g_autoptr (FlowTensor) y = NULL;

  self->name = info->name;
  self->a = info;
  self->b = flow_checkpoint_find (b, info->name);
  x = flow_checkpoint_read (a, info->name, budget, &error);
  if (x != NULL)
    y = flow_checkpoint_read (b, info->name, budget, &error);
  if (y == NULL)
    {
      *damaged = TRUE;
      self->error = g_strdup (error->message);
      return self;
    }
  self->diff = flow_tensor_compare (x, y, tolerance);
  return self;
}

static void
add_difference (JsonBuilder      *builder,
                const Difference *self)
{
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "name", self->name);
  if (self->error != NULL)
    {
      flow_cli_json_set_text (builder, "problem", self->error);
    }
  else if (!self->diff->same_shape || !self->diff->same_dtype)
    {
      json_builder_set_member_name (builder, "shapes");
      json_builder_begin_array (builder);
      flow_cli_json_shape (builder, self->a->shape);
      flow_cli_json_shape (builder, self->b->shape);
      json_builder_end_array (builder);
      json_builder_set_member_name (builder, "dtypes");
      json_builder_begin_array (builder);
      flow_cli_json_text (builder, flow_dtype_name (self->a->dtype), -1);
      flow_cli_json_text (builder, flow_dtype_name (self->b->dtype), -1);
      json_builder_end_array (builder);
    }
  if (self->diff != NULL && self->diff->same_shape)
    {
      flow_cli_json_set_double (builder, "max_abs", self->diff->max_abs);
      flow_cli_json_set_double (builder, "max_rel", self->diff->max_rel);
      flow_cli_json_set_int (builder, "changed", self->diff->n_changed);
      flow_cli_json_set_int (builder, "elements", self->diff->n_elements);
      flow_cli_json_set_int (builder, "nan", self->diff->n_nan);
      flow_cli_json_set_int (builder, "max_ulp", (gint64) MIN (self->diff->max_ulp, (guint64) G_MAXINT64));
      flow_cli_json_set_int (builder, "worst_index", self->diff->worst_index);
    }
  json_builder_end_object (builder);
}

static void
print_difference (const Difference *self)
{
  if (self->error != NULL)
    {
      printf ("%s: %s\n", self->name, self->error);
      return;
    }
  if (!self->diff->same_shape || !self->diff->same_dtype)
    {
      g_autofree char *a = flow_shape_to_string (self->a->shape);
      g_autofree char *b = flow_shape_to_string (self->b->shape);

      printf ("%s: %s %s in the first, %s %s in the second\n", self->name, flow_dtype_name (self->a->dtype), a,
              flow_dtype_name (self->b->dtype), b);
    }
  if (self->diff->same_shape)
    printf ("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " changed, by %.9g at most (relative %.9g)\n", self->name,
            self->diff->n_changed, self->diff->n_elements, self->diff->max_abs, self->diff->max_rel);
}

static void
list_only (FlowCheckpoint *a,
           FlowCheckpoint *b,
           GPtrArray      *names)
{
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (a); i++)
    {
      FlowCheckpointTensor *info = flow_checkpoint_get_tensor (a, i);

      if (flow_checkpoint_find (b, info->name) == NULL)
        g_ptr_array_add (names, info->name);
    }
  g_ptr_array_add (names, NULL);
}

static int
diff_checkpoints (FlowCli             *cli,
                  const char          *path_a,
                  const char          *path_b,
                  const FlowTolerance *tolerance)
{
  g_autoptr (FlowCheckpoint) a = open_checkpoint (cli, path_a);
  g_autoptr (FlowCheckpoint) b = a != NULL ? open_checkpoint (cli, path_b) : NULL;
  g_autoptr (FlowBudget) budget = flow_budget_new (flow_budget_default_limit ());
  g_autoptr (GPtrArray) differences = g_ptr_array_new_with_free_func (difference_free);
  g_autoptr (GPtrArray) only_a = g_ptr_array_new ();
  g_autoptr (GPtrArray) only_b = g_ptr_array_new ();
  guint n_same = 0;
  gboolean damaged = FALSE;

  if (b == NULL)
    return cli->status;
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (a); i++)
    {
      FlowCheckpointTensor *info = flow_checkpoint_get_tensor (a, i);
      Difference *difference;

      if (flow_checkpoint_find (b, info->name) == NULL)
        continue;
      difference = compare_tensor (a, b, info, tolerance, budget, &damaged);
      if (difference->diff != NULL && difference->diff->same_dtype && difference->diff->within
          && (difference->diff->equal_bits || tolerance != NULL))
        {
          difference_free (difference);
          n_same++;
        }
      else
        {
          g_ptr_array_add (differences, difference);
        }
    }
  g_ptr_array_sort (differences, compare_differences);
  list_only (a, b, only_a);
  list_only (b, a, only_b);

  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      flow_cli_json_set_int (builder, "same", n_same);
      json_builder_set_member_name (builder, "differences");
      json_builder_begin_array (builder);
      for (guint i = 0; i < differences->len; i++)
        add_difference (builder, differences->pdata[i]);
      json_builder_end_array (builder);
      add_strings (builder, "only_a", (const char *const *) only_a->pdata);
      add_strings (builder, "only_b", (const char *const *) only_b->pdata);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  else
    {
      for (guint i = 0; i < differences->len; i++)
        print_difference (differences->pdata[i]);
      for (guint i = 0; only_a->pdata[i] != NULL; i++)
        printf ("%s: only in %s\n", (char *) only_a->pdata[i], path_a);
      for (guint i = 0; only_b->pdata[i] != NULL; i++)
        printf ("%s: only in %s\n", (char *) only_b->pdata[i], path_b);
      printf ("%u tensors are the same, %u differ\n", n_same, differences->len);
    }
  if (damaged)
    return FLOW_CLI_BAD_FILE;
  return differences->len > 0 || only_a->len > 1 || only_b->len > 1 ? FLOW_CLI_NO : FLOW_CLI_OK;
}

static FlowCheckpointMatch *
match_variables (FlowCheckpoint *checkpoint,
                 GPtrArray      *variables)
{
  g_autofree const char **names = g_new0 (const char *, variables->len + 1);
  g_autofree int *dtypes = g_new0 (int, variables->len + 1);
  g_autofree FlowShape **shapes = g_new0 (FlowShape *, variables->len + 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < variables->len; i++)
    {
      const FlowGraphVariable *variable = variables->pdata[i];

      if (!g_hash_table_add (seen, variable->key))
        continue;
      names[n] = variable->key;
      dtypes[n] = variable->dtype;
      /* A part's shape is not the whole's. */
      shapes[n] = *variable->spec == '\0' ? variable->shape : NULL;
      n++;
    }
  return flow_checkpoint_match (checkpoint, names, dtypes, shapes, n);
}

static void
add_match_items (JsonBuilder         *builder,
                 const char          *key,
                 FlowCheckpointMatch *match,
                 FlowMatchKind        kind)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
    {
      const FlowMatchItem *item = flow_checkpoint_match_get_item (match, i);

      if (item->kind != kind)
        continue;
      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "name", item->name);
      if (kind != FLOW_MATCH_ONLY_FILE)
        {
          flow_cli_json_set_text (builder, "dtype", flow_dtype_name (item->graph_dtype));
          json_builder_set_member_name (builder, "shape");
          flow_cli_json_shape (builder, item->graph_shape);
        }
      if (kind == FLOW_MATCH_ONLY_FILE || kind == FLOW_MATCH_CLASH)
        {
          flow_cli_json_set_text (builder, "file_dtype", flow_dtype_name (item->file_dtype));
          json_builder_set_member_name (builder, "file_shape");
          flow_cli_json_shape (builder, item->file_shape);
        }
      if (kind != FLOW_MATCH_MATCHED)
        add_strings (builder, "nearest", (const char *const *) item->nearest);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_match_item (const FlowMatchItem *item)
{
  static const char *const words[] = { "matched", "clash", "only in the graph", "only in the checkpoint" };
  g_autofree char *graph_shape = item->graph_shape != NULL ? flow_shape_to_string (item->graph_shape) : g_strdup ("");
  g_autofree char *file_shape = item->file_shape != NULL ? flow_shape_to_string (item->file_shape) : g_strdup ("");

  printf ("%s: %s", item->name, words[item->kind]);
  if (item->kind == FLOW_MATCH_CLASH)
    printf (": %s %s in the graph, %s %s in the checkpoint", flow_dtype_name (item->graph_dtype), graph_shape,
            flow_dtype_name (item->file_dtype), file_shape);
  for (guint i = 0; item->nearest[i] != NULL; i++)
    printf ("%s%s", i == 0 ? "; near: " : ", ", item->nearest[i]);
  putchar ('\n');
}

static int
match_graph (FlowCli    *cli,
             const char *graph_path,
             const char *checkpoint_path,
             const char *tags)
{
  g_autoptr (FlowModel) model = flow_cli_load_model (cli, graph_path, tags);
  g_autoptr (FlowCheckpoint) checkpoint = model != NULL ? open_checkpoint (cli, checkpoint_path) : NULL;
  g_autoptr (GPtrArray) variables = NULL;
  g_autoptr (FlowCheckpointMatch) match = NULL;

  if (checkpoint == NULL)
    return cli->status;
  variables = flow_graph_list_variables (flow_model_get_graph (model));
  match = match_variables (checkpoint, variables);
  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      add_match_items (builder, "matched", match, FLOW_MATCH_MATCHED);
      add_match_items (builder, "only_graph", match, FLOW_MATCH_ONLY_GRAPH);
      add_match_items (builder, "only_file", match, FLOW_MATCH_ONLY_FILE);
      add_match_items (builder, "clashes", match, FLOW_MATCH_CLASH);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  else
    {
      for (guint i = 0; i < flow_checkpoint_match_get_n_items (match); i++)
        if (flow_checkpoint_match_get_item (match, i)->kind != FLOW_MATCH_MATCHED)
          print_match_item (flow_checkpoint_match_get_item (match, i));
      printf ("%u matched, %u clash, %u only in the graph, %u only in the checkpoint\n",
              flow_checkpoint_match_count (match, FLOW_MATCH_MATCHED),
              flow_checkpoint_match_count (match, FLOW_MATCH_CLASH),
              flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_GRAPH),
              flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_FILE));
    }
  if (flow_checkpoint_match_count (match, FLOW_MATCH_CLASH) > 0
      || flow_checkpoint_match_count (match, FLOW_MATCH_ONLY_GRAPH) > 0)
    return FLOW_CLI_NO;
  return FLOW_CLI_OK;
}

int
flow_cli_checkpoint (FlowCli  *cli,
                     int       argc,
                     char    **argv)
{
  g_autofree char *tags = NULL;
  g_autofree char *slice = NULL;
  g_autofree char *npy_path = NULL;
  double abs_tolerance = 0;
  double rel_tolerance = 0;
  gint64 ulp_tolerance = 0;
  const GOptionEntry entries[] = {
    { "slice", 0, 0, G_OPTION_ARG_STRING, &slice, "show: only this part, as \"10 9 0,5:-\"", "SPEC" },
    { "npy", 0, 0, G_OPTION_ARG_FILENAME, &npy_path, "show: write the values to this file as well", "OUT" },
    { "abs", 0, 0, G_OPTION_ARG_DOUBLE, &abs_tolerance, "diff: absolute difference to let pass", "X" },
    { "rel", 0, 0, G_OPTION_ARG_DOUBLE, &rel_tolerance, "diff: relative difference to let pass", "X" },
    { "ulp", 0, 0, G_OPTION_ARG_INT64, &ulp_tolerance, "diff: units in the last place to let pass", "N" },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "match: tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  FlowTolerance tolerance;
  const char *what;

  if (!flow_cli_parse (cli, &argc, &argv, entries, 2, 3))
    return cli->status;
  if (!(abs_tolerance >= 0) || !(rel_tolerance >= 0) || ulp_tolerance < 0)
    return flow_cli_usage (cli, "a tolerance cannot be negative");
  what = argv[1];
  tolerance = (FlowTolerance) { abs_tolerance, rel_tolerance, (guint64) ulp_tolerance };
  if (strcmp (what, "list") == 0 && argc == 3)
    return list_tensors (cli, argv[2]);
  if (strcmp (what, "show") == 0 && argc == 4)
    return show_tensor (cli, argv[2], argv[3], slice, npy_path);
  if (strcmp (what, "diff") == 0 && argc == 4)
    return diff_checkpoints (cli, argv[2], argv[3],
                             abs_tolerance > 0 || rel_tolerance > 0 || ulp_tolerance > 0 ? &tolerance : NULL);
  if (strcmp (what, "match") == 0 && argc == 4)
    return match_graph (cli, argv[2], argv[3], tags);
  return flow_cli_usage (cli, "checkpoint takes %s", cli->args);
}

/* cli-plan.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* The three sets of a run, as given on the command line. */
typedef struct {
  char **fetches;
  char **targets;
  char **feeds;
} Ends;

static void
ends_clear (Ends *ends)
{
  g_strfreev (ends->fetches);
  g_strfreev (ends->targets);
  g_strfreev (ends->feeds);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ends, ends_clear)

/* A feed may carry its value, which a plan does not look at. */
static void
drop_specs (Ends *ends)
{
  for (guint i = 0; ends->feeds != NULL && ends->feeds[i] != NULL; i++)
    {
      char *equals = strchr (ends->feeds[i], '=');

      if (equals != NULL)
        *equals = '\0';
    }
}

/* As Session.run: what is fetched and fed at once is not asked of the engine. %TRUE where nothing else was asked. */
static gboolean
drop_fed_fetches (Ends *ends)
{
  gboolean any = ends->fetches != NULL && ends->fetches[0] != NULL;
  guint kept = 0;

  for (guint i = 0; ends->fetches != NULL && ends->fetches[i] != NULL; i++)
    {
      char *fetch = ends->fetches[i];

      ends->fetches[i] = NULL;
      if (ends->feeds != NULL && g_strv_contains ((const char *const *) ends->feeds, fetch))
        g_free (fetch);
      else
        ends->fetches[kept++] = fetch;
    }
  return any && kept == 0 && (ends->targets == NULL || ends->targets[0] == NULL);
}

static FlowPlan *
make_plan (FlowSession *session,
           Ends        *ends,
           GError     **error)
{
  return flow_session_get_plan (session, (const char *const *) ends->feeds, (const char *const *) ends->fetches,
                                (const char *const *) ends->targets, NULL, error);
}

static void
add_names (JsonBuilder *builder,
           const char  *key,
           char       **names)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    flow_cli_json_text (builder, names[i], -1);
  json_builder_end_array (builder);
}

/* The nodes of a run, of which @lowered are those that TensorFlow does not keep: it lowers what calls functions,
 * and what no output needs of that is gone. */
static void
list_nodes (FlowPlan   *plan,
            char     ***nodes,
            char     ***lowered)
{
  guint n = flow_plan_get_n_items (plan);
  FlowGraph *graph = flow_plan_get_graph (plan);
  g_autofree guint8 *kept = flow_prune_find_kept_after_lowering (flow_plan_get_prune (plan));
  guint n_nodes = 0;
  guint n_others = 0;

  *nodes = g_new0 (char *, n + 1);
  *lowered = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 node = flow_plan_get_node (plan, i);
      char *name = g_strdup (flow_graph_get_node_name (graph, node));

      if (kept[node])
        (*nodes)[n_nodes++] = name;
      else
        (*lowered)[n_others++] = name;
    }
}

static char **
list_fed (FlowPlan *plan)
{
  GPtrArray *fed = g_ptr_array_new ();
  const char *name = NULL;

  for (guint i = 0; (name = flow_plan_get_feed (plan, i)) != NULL; i++)
    g_ptr_array_add (fed, g_strdup (name));
  g_ptr_array_add (fed, NULL);
  return (char **) g_ptr_array_free (fed, FALSE);
}

static void
print_names (const char *title,
             char      **names)
{
  if (names[0] == NULL)
    return;
  printf ("%s:\n", title);
  for (guint i = 0; names[i] != NULL; i++)
    printf ("  %s\n", names[i]);
}

/* What is told of a plan, as names. */
typedef struct {
  char **nodes;
  char **lowered;
  char **fed;
  char **executed;
  char **skipped;
  char **uninitialized;
  guint n_pruned;
} Told;

static void
told_clear (Told *told)
{
  g_strfreev (told->nodes);
  g_strfreev (told->lowered);
  g_strfreev (told->fed);
  g_strfreev (told->executed);
  g_strfreev (told->skipped);
  g_strfreev (told->uninitialized);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

static void
tell_json (const Told *told)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_names (builder, "nodes", told->nodes);
  flow_cli_json_set_int (builder, "pruned", told->n_pruned);
  add_names (builder, "fed", told->fed);
  json_builder_set_member_name (builder, "update_ops");
  json_builder_begin_object (builder);
  add_names (builder, "executed", told->executed);
  add_names (builder, "skipped", told->skipped);
  json_builder_end_object (builder);
  add_names (builder, "uninitialized", told->uninitialized);
  add_names (builder, "lowered", told->lowered);
  json_builder_end_object (builder);
  flow_cli_json_print (builder);
}

static int
show_plan (FlowCli     *cli,
           FlowSession *session,
           FlowPlan    *plan)
{
  g_auto(Told) told = {
    .fed = list_fed (plan),
    .uninitialized = flow_session_list_uninitialized (session, plan),
    .n_pruned = flow_graph_get_n_nodes (flow_plan_get_graph (plan)) - flow_plan_get_n_items (plan)
  };

  list_nodes (plan, &told.nodes, &told.lowered);
  flow_plan_list_update_ops (plan, &told.executed, &told.skipped);
  if (cli->json)
    {
      tell_json (&told);
      return FLOW_CLI_OK;
    }
  for (guint i = 0; i < flow_plan_get_n_items (plan); i++)
    printf ("%6u  %-24s %s\n", i, flow_graph_get_node_type (flow_plan_get_graph (plan), flow_plan_get_node (plan, i)),
            flow_graph_get_node_name (flow_plan_get_graph (plan), flow_plan_get_node (plan, i)));
  printf ("%u nodes, %u pruned\n", flow_plan_get_n_items (plan), told.n_pruned);
  print_names ("fed", told.fed);
  if (told.executed[0] != NULL || told.skipped[0] != NULL)
    printf ("UPDATE_OPS: %u executed, %u skipped\n", g_strv_length (told.executed), g_strv_length (told.skipped));
  print_names ("skipped", told.skipped);
  print_names ("without a value", told.uninitialized);
  print_names ("lowered away by TensorFlow", told.lowered);
  return FLOW_CLI_OK;
}

/* All that is fetched is fed: Session.run gives it back and the engine runs nothing. */
static int
show_nothing (FlowCli    *cli,
              FlowGraph  *graph,
              const Ends *ends)
{
  g_auto(Told) told = { .fed = g_strdupv (ends->feeds), .n_pruned = flow_graph_get_n_nodes (graph) };

  if (cli->json)
    tell_json (&told);
  else
    {
      printf ("0 nodes, %u pruned\n", told.n_pruned);
      print_names ("fed", told.fed);
    }
  return FLOW_CLI_OK;
}

static int
show_why (FlowCli    *cli,
          FlowPlan   *plan,
          const char *name)
{
  guint32 node = flow_graph_find_op (flow_plan_get_graph (plan), name[0] == '^' ? name + 1 : name);
  g_autofree char *reason = NULL;
  g_auto(GStrv) chain = NULL;
  gboolean in = FALSE;

  if (node == FLOW_NODE_NONE)
    return flow_cli_usage (cli, "--why %s: the graph has no such node", name);
  chain = flow_prune_explain (flow_plan_get_prune (plan), node, &in, &reason);
  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "why");
      json_builder_begin_object (builder);
      flow_cli_json_set_bool (builder, "in", in);
      add_names (builder, "chain", chain);
      flow_cli_json_set_text (builder, "reason", reason);
      json_builder_end_object (builder);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
      return FLOW_CLI_OK;
    }
  printf ("%s is %s the run: %s\n", name, in ? "in" : "not in", reason);
  for (guint i = 0; chain != NULL && chain[i] != NULL; i++)
    printf ("%s%s\n", i > 0 ? "  -> " : "  ", chain[i]);
  return FLOW_CLI_OK;
}

/* Names of plan @a that plan @b has (or has not), in @a's order. */
static char **
pick (FlowPlan *a,
      FlowPlan *b,
      gboolean  in_b,
      gboolean  only_stateful)
{
  GPtrArray *names = g_ptr_array_new ();
  FlowGraph *graph = flow_plan_get_graph (a);

  for (guint i = 0; i < flow_plan_get_n_items (a); i++)
    {
      guint32 node = flow_plan_get_node (a, i);

      if ((flow_plan_find_item (b, node) != FLOW_PLAN_ITEM_NONE) == in_b
          && (!only_stateful || (flow_graph_get_node_flags (graph, node) & FLOW_OP_STATEFUL) != 0))
        g_ptr_array_add (names, g_strdup (flow_graph_get_node_name (graph, node)));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static int
show_comparison (FlowCli  *cli,
                 FlowPlan *a,
                 FlowPlan *b)
{
  g_auto(GStrv) shared = pick (a, b, TRUE, FALSE);
  g_auto(GStrv) only_a = pick (a, b, FALSE, FALSE);
  g_auto(GStrv) only_b = pick (b, a, FALSE, FALSE);
  g_auto(GStrv) stateful = pick (a, b, TRUE, TRUE);

  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      add_names (builder, "shared", shared);
      add_names (builder, "only_a", only_a);
      add_names (builder, "only_b", only_b);
      add_names (builder, "shared_stateful", stateful);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
      return FLOW_CLI_OK;
    }
  printf ("%u nodes in both, %u only in A, %u only in B, %u with state in both\n", g_strv_length (shared),
          g_strv_length (only_a), g_strv_length (only_b), g_strv_length (stateful));
  print_names ("only in A", only_a);
  print_names ("only in B", only_b);
  print_names ("with state, in both", stateful);
  return FLOW_CLI_OK;
}

/* What stands behind --compare is the other run's. */
static gboolean
parse_second (FlowCli *cli,
              int      argc,
              char   **argv,
              Ends    *ends)
{
  const GOptionEntry entries[] = {
    { "fetch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &ends->fetches, NULL, NULL },
    { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &ends->targets, NULL, NULL },
    { "feed", 0, 0, G_OPTION_ARG_STRING_ARRAY, &ends->feeds, NULL, NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &cli->json, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, &argc, &argv, &error) && argc == 1)
    return TRUE;
  cli->status = flow_cli_usage (cli, "--compare: %s", error != NULL ? error->message : "too many arguments");
  return FALSE;
}

static int
fail_plan (FlowCli    *cli,
           const char *file,
           GError     *error)
{
  return flow_cli_failed (cli, file, error);
}

int
flow_cli_plan (FlowCli *cli,
               int      argc,
               char   **argv)
{
  g_auto(Ends) a = { 0 };
  g_auto(Ends) b = { 0 };
  g_autofree char *why = NULL;
  g_autofree char *tags = NULL;
  gboolean compare = FALSE;
  const GOptionEntry entries[] = {
    { "fetch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.fetches, "A tensor wanted", "T" },
    { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.targets, "An op to run", "N" },
    { "feed", 0, 0, G_OPTION_ARG_STRING_ARRAY, &a.feeds, "A tensor fed", "T" },
    { "why", 0, 0, G_OPTION_ARG_STRING, &why, "Why this node is in or out", "NODE" },
    { "compare", 0, 0, G_OPTION_ARG_NONE, &compare, "What follows is a second run: compare the two", NULL },
    { "tags", 0, 0, G_OPTION_ARG_STRING, &tags, "Tag set of the meta graph of a SavedModel", "A,B" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(FlowModel) model = NULL;
  g_autoptr(FlowSession) session = NULL;
  g_autoptr(FlowPlan) plan = NULL;
  g_autoptr(FlowPlan) other = NULL;
  g_autoptr(GError) error = NULL;
  int first = argc;

  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--compare") == 0)
      {
        first = i;
        break;
      }
  if (first < argc && !parse_second (cli, argc - first, argv + first, &b))
    return cli->status;
  compare = first < argc;
  argc = first;
  if (!flow_cli_parse (cli, &argc, &argv, entries, 1, 1))
    return cli->status;
  model = flow_cli_load_model (cli, argv[1], tags);
  if (model == NULL)
    return cli->status;
  session = flow_session_new (flow_model_get_graph (model), NULL);
  drop_specs (&a);
  drop_specs (&b);
  if (drop_fed_fetches (&a) && !compare && why == NULL)
    return show_nothing (cli, flow_model_get_graph (model), &a);
  drop_fed_fetches (&b);
  plan = make_plan (session, &a, &error);
  if (plan == NULL)
    return fail_plan (cli, argv[1], error);
  if (!compare)
    return why != NULL ? show_why (cli, plan, why) : show_plan (cli, session, plan);
  other = make_plan (session, &b, &error);
  return other != NULL ? show_comparison (cli, plan, other) : fail_plan (cli, argv[1], error);
}

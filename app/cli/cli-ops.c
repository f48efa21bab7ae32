/* cli-ops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* `ops`: the definitions of the op table, and, with --coverage, what we have for each and what TensorFlow's
 * CPU has that we have not. TensorFlow's list is recorded and part of the program, and so is how many recorded
 * cases each op stands in. */
#define KERNELS_RESOURCE "/org/flowstep/cli/kernels-1.15.5.json"
#define CASES_RESOURCE "/org/flowstep/cli/golden-cases.json"

#define N_FAMILIES (FLOW_OP_FAMILY_IO + 1)

static gboolean
has_kernel (const FlowOpDef *op)
{
  return op->kernels != NULL && op->kernels[0].compute != NULL;
}

/* --- TensorFlow's kernels -------------------------------------------------------------------------- */

/* Returns: (transfer none): the member `ops` of a recorded list, which lives as long as @parser */
static JsonObject *
load_list (JsonParser  *parser,
           const char  *resource,
           GError     **error)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (resource, 0, error);
  gsize size;
  const char *text;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &size);
  if (!json_parser_load_from_data (parser, text, (gssize) size, error))
    return NULL;
  return json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "ops");
}

/* One of TensorFlow's kernels serves one or more dtypes of each attr it names: we cover it if a kernel
 * of ours serves all of them. */
static gboolean
covers (const FlowKernelDef *kernel,
        JsonObject          *wanted)
{
  g_autoptr (GList) attrs = json_object_get_members (wanted);

  for (GList *l = attrs; l != NULL; l = l->next)
    {
      g_auto (GStrv) dtypes = g_strsplit (json_object_get_string_member (wanted, l->data), " ", -1);
      FlowDTypeSet served;

      if (!flow_kernel_constraint_dtypes (kernel, l->data, &served))
        return FALSE;
      for (guint i = 0; served != 0 && dtypes[i] != NULL; i++)
        if ((served & FLOW_DTYPE_BIT (flow_dtype_from_string (dtypes[i]))) == 0)
          return FALSE;
    }
  return TRUE;
}

/* TensorFlow registers some kernels for dtypes that the op's own definition refuses. */
static gboolean
is_reachable (const FlowOpSignature *signature,
              JsonObject            *wanted)
{
  g_autoptr (GList) attrs = json_object_get_members (wanted);

  for (GList *l = attrs; l != NULL; l = l->next)
    {
      g_auto (GStrv) dtypes = g_strsplit (json_object_get_string_member (wanted, l->data), " ", -1);
      const FlowAttrDef *def = flow_op_signature_find_attr (signature, l->data);

      if (def == NULL || def->kind != FLOW_ATTR_TYPE)
        return FALSE;
      for (guint i = 0; def->allowed_types != 0 && dtypes[i] != NULL; i++)
        if ((def->allowed_types & FLOW_DTYPE_BIT (flow_dtype_from_string (dtypes[i]))) == 0)
          return FALSE;
    }
  return TRUE;
}

static char *
describe_kernel (JsonObject *wanted)
{
  g_autoptr (GList) attrs = json_object_get_members (wanted);
  g_autoptr (GString) text = g_string_new (NULL);

  for (GList *l = attrs; l != NULL; l = l->next)
    g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", (char *) l->data,
                            json_object_get_string_member (wanted, l->data));
  return g_string_free (g_steal_pointer (&text), text->len == 0);
}

/* Adds a text for each of TensorFlow's kernels of an op that none of ours covers; returns how many it
 * has that can be reached. */
static guint
find_missing (const FlowOpSignature *signature,
              JsonObject            *tensorflow,
              GPtrArray             *missing)
{
  JsonArray *rows;
  guint n = 0;

  if (!json_object_has_member (tensorflow, signature->name))
    return 0;
  rows = json_object_get_array_member (tensorflow, signature->name);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *wanted = json_array_get_object_element (rows, i);
      const FlowKernelDef *kernel = signature->op != NULL ? signature->op->kernels : NULL;
      gboolean covered = FALSE;

      if (!is_reachable (signature, wanted))
        continue;
      n++;
      for (; !covered && kernel != NULL && kernel->compute != NULL; kernel++)
        covered = covers (kernel, wanted);
      if (!covered)
        {
          char *text = describe_kernel (wanted);

          g_ptr_array_add (missing, text != NULL ? text : g_strdup ("any"));
        }
    }
  return n;
}

/* --- definitions ------------------------------------------------------------------------------------- */

static void
json_texts (JsonBuilder *builder,
            const char  *key,
            GPtrArray   *texts)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (builder, texts->pdata[i]);
  json_builder_end_array (builder);
}

static gboolean
has_gradient (const FlowOpDef *op)
{
  FlowGradientFunc rule = NULL;

  return flow_gradient_registry_lookup (op->name, &rule) && rule != NULL;
}

static void
add_op (JsonBuilder           *builder,
        const FlowOpSignature *signature,
        GPtrArray             *missing,
        gint64                 n_cases)
{
  const FlowOpDef *op = signature->op;
  g_autoptr (GPtrArray) kernels = g_ptr_array_new ();

  for (const FlowKernelDef *k = op->kernels; k != NULL && k->compute != NULL; k++)
    g_ptr_array_add (kernels, (gpointer) (k->constraint != NULL ? k->constraint : ""));
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "type", op->name);
  flow_cli_json_set_text (builder, "summary", op->summary);
  flow_cli_json_set_text (builder, "inputs", op->inputs != NULL ? op->inputs : "");
  flow_cli_json_set_text (builder, "outputs", op->outputs != NULL ? op->outputs : "");
  flow_cli_json_set_text (builder, "attrs", op->attrs != NULL ? op->attrs : "");
  flow_cli_json_set_bool (builder, "stateful", (op->flags & FLOW_OP_STATEFUL) != 0);
  json_texts (builder, "kernels", kernels);
  flow_cli_json_set_bool (builder, "shape", op->infer != NULL);
  flow_cli_json_set_bool (builder, "flops", op->flops != NULL);
  flow_cli_json_set_bool (builder, "gradient", has_gradient (op));
  if (missing != NULL)
    {
      flow_cli_json_set_int (builder, "cases", n_cases);
      json_texts (builder, "missing", missing);
    }
  json_builder_end_object (builder);
}

static void
print_op (const FlowOpSignature *signature)
{
  const FlowOpDef *op = signature->op;

  printf ("%s: %s\n", op->name, op->summary);
  if (op->inputs != NULL && op->inputs[0] != 0)
    printf ("  inputs   %s\n", op->inputs);
  if (op->outputs != NULL && op->outputs[0] != 0)
    printf ("  outputs  %s\n", op->outputs);
  if (op->attrs != NULL && op->attrs[0] != 0)
    printf ("  attrs    %s\n", op->attrs);
  for (const FlowKernelDef *k = op->kernels; k != NULL && k->compute != NULL; k++)
    printf ("  kernel   %s\n", k->constraint != NULL ? k->constraint : "every dtype");
  if (!has_kernel (op))
    printf ("  no kernel: it is drawn and planned, not run\n");
  if (op->flops != NULL)
    printf ("  flops    counted\n");
}

/* --- coverage ------------------------------------------------------------------------------------------ */

/* What the ops of a family have. */
typedef struct {
  guint n_ops;
  guint n_computed;            /* have a kernel */
  guint n_shapes;
  guint n_flops;
  guint n_gradients;
  guint n_compared;            /* stand in recorded cases */
  gint64 n_cases;
} Tally;

/* In the order of FlowOpFamily. */
static const char *const family_titles[N_FAMILIES] = {
  "constants, random numbers, tables, the rest", "variables and other state", "matrices and convolutions",
  "element by element", "shapes, slices, segments, strings", "control flow and functions", "gradients", "files, queues, datasets",
};

static void
count_op (Tally           *tally,
          const FlowOpDef *op,
          gint64           n_cases)
{
  tally->n_ops++;
  tally->n_computed += has_kernel (op);
  tally->n_shapes += op->infer != NULL;
  tally->n_flops += op->flops != NULL;
  tally->n_gradients += has_gradient (op);
  tally->n_compared += n_cases > 0;
  tally->n_cases += n_cases;
}

static void
print_tally (const char  *title,
             const Tally *tally)
{
  printf ("| %s | %u | %u | %u | %u | %u | %u | %" G_GINT64_FORMAT " |\n", title, tally->n_ops, tally->n_computed,
          tally->n_shapes, tally->n_flops, tally->n_gradients, tally->n_compared, tally->n_cases);
}

/* The dtypes that the kernels serve, attr by attr: "T: float double". */
static char *
describe_dtypes (const FlowOpSignature *signature)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint a = 0; a < signature->n_attrs; a++)
    {
      const FlowAttrDef *attr = &signature->attrs[a];
      FlowDTypeSet all = 0;

      for (const FlowKernelDef *k = signature->op->kernels; k != NULL && k->compute != NULL; k++)
        {
          FlowDTypeSet served = 0;

          if (attr->kind == FLOW_ATTR_TYPE && flow_kernel_constraint_dtypes (k, attr->name, &served))
            all |= served;
        }
      if (all != 0)
        g_string_append_printf (text, "%s%s:", text->len > 0 ? "; " : "", attr->name);
      for (int dtype = 1; all != 0 && dtype < FLOW_N_DTYPES; dtype++)
        if ((all & FLOW_DTYPE_BIT (dtype)) != 0)
          g_string_append_printf (text, " %s", flow_dtype_name (dtype));
    }
  if (text->len == 0)
    g_string_append (text, has_kernel (signature->op) ? "every dtype" : "no kernel");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_coverage (const FlowOpSignature *signature,
                gint64                 n_cases)
{
  const FlowOpDef *op = signature->op;
  g_autofree char *dtypes = describe_dtypes (signature);

  printf ("%-36s %5" G_GINT64_FORMAT " %s %s %s %s  %s\n", op->name, n_cases, n_cases == 1 ? "case " : "cases",
          op->infer != NULL ? "shape" : "-    ", op->flops != NULL ? "flops" : "-    ",
          has_gradient (op) ? "gradient" : "-       ", dtypes);
}

/* --- the command --------------------------------------------------------------------------------------- */

typedef struct {
  JsonBuilder *builder;        /* NULL: text */
  JsonObject *tensorflow;      /* NULL: no coverage */
  JsonObject *cases;           /* likewise */
  gboolean whole;              /* text: whole definitions, not one line each */
  gboolean only_table;
  guint n_ops;
  guint n_incomplete;
  guint n_wanted;
  guint n_missing;
  Tally families[N_FAMILIES];
} Listing;

static void
list_op (Listing    *listing,
         const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  gint64 n_cases = 0;

  if (listing->tensorflow != NULL)
    {
      listing->n_wanted += find_missing (signature, listing->tensorflow, missing);
      n_cases = json_object_get_int_member_with_default (listing->cases, type, 0);
      count_op (&listing->families[signature->family], signature->op, n_cases);
    }
  listing->n_ops++;
  listing->n_missing += missing->len;
  listing->n_incomplete += missing->len > 0;
  if (listing->builder != NULL)
    add_op (listing->builder, signature, listing->tensorflow != NULL ? missing : NULL, n_cases);
  else if (listing->whole)
    print_op (signature);
  else if (listing->tensorflow == NULL)
    printf ("%-36s %s\n", type, signature->op->summary);
  if (listing->builder != NULL || listing->only_table || listing->tensorflow == NULL)
    return;
  print_coverage (signature, n_cases);
  for (guint i = 0; i < missing->len; i++)
    printf ("%s%s", i > 0 ? ", " : "  lacks ", (char *) missing->pdata[i]);
  if (missing->len > 0)
    printf ("\n");
}

/* As it stands in the README. */
static void
print_table (const Listing *listing)
{
  Tally all = { 0 };

  printf ("| ops of | types | kernel | shape function | flop rule | gradient | compared with TensorFlow | in recorded cases |\n"
          "| --- | --: | --: | --: | --: | --: | --: | --: |\n");
  for (guint i = 0; i < N_FAMILIES; i++)
    {
      const Tally *one = &listing->families[i];

      print_tally (family_titles[i], one);
      all.n_ops += one->n_ops;
      all.n_computed += one->n_computed;
      all.n_shapes += one->n_shapes;
      all.n_flops += one->n_flops;
      all.n_gradients += one->n_gradients;
      all.n_compared += one->n_compared;
      all.n_cases += one->n_cases;
    }
  print_tally ("all", &all);
}

int
flow_cli_ops (FlowCli  *cli,
              int       argc,
              char    **argv)
{
  gboolean coverage = FALSE;
  gboolean table = FALSE;
  const GOptionEntry entries[] = {
    { "coverage", 0, 0, G_OPTION_ARG_NONE, &coverage,
      "Kernels, dtypes, shape function, flop rule, recorded cases; what TensorFlow 1.15.5's CPU has and we have not", NULL },
    { "table", 0, 0, G_OPTION_ARG_NONE, &table, "With --coverage: a table by kinds of ops, as Markdown", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (JsonParser) cases_parser = json_parser_new ();
  g_auto (GStrv) types = NULL;
  g_autoptr (GError) error = NULL;
  Listing listing = { NULL };

  if (!flow_cli_parse (cli, &argc, &argv, entries, 0, 1))
    return cli->status;
  if (argc > 1 && !flow_op_registry_has_type (argv[1]))
    {
      g_set_error (&error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Op type not registered '%s'", argv[1]);
      return flow_cli_failed (cli, argv[1], error);
    }
  if (table && (!coverage || argc > 1 || cli->json))
    return flow_cli_usage (cli, "--table goes with --coverage, of all ops, as text");
  if (coverage && (listing.tensorflow = load_list (parser, KERNELS_RESOURCE, &error)) == NULL)
    return flow_cli_failed (cli, KERNELS_RESOURCE, error);
  if (coverage && (listing.cases = load_list (cases_parser, CASES_RESOURCE, &error)) == NULL)
    return flow_cli_failed (cli, CASES_RESOURCE, error);
  listing.whole = argc > 1;
  listing.only_table = table;
  if (cli->json)
    {
      listing.builder = json_builder_new ();
      json_builder_begin_object (listing.builder);
      json_builder_set_member_name (listing.builder, "ops");
      json_builder_begin_array (listing.builder);
    }
  types = flow_op_registry_list_types ();
  for (guint i = 0; types[i] != NULL; i++)
    if (argc < 2 || strcmp (types[i], argv[1]) == 0)
      list_op (&listing, types[i]);
  if (cli->json)
    {
      json_builder_end_array (listing.builder);
      if (coverage)
        {
          flow_cli_json_set_int (listing.builder, "tensorflow_kernels", listing.n_wanted);
          flow_cli_json_set_int (listing.builder, "missing_kernels", listing.n_missing);
        }
      json_builder_end_object (listing.builder);
      flow_cli_json_print (listing.builder);
    }
  else if (table)
    {
      print_table (&listing);
    }
  else if (coverage && argc < 2)
    {
      printf ("%u ops; %u of TensorFlow's %u CPU kernels of them are there; %u ops lack some\n",
              listing.n_ops, listing.n_wanted - listing.n_missing, listing.n_wanted,
              listing.n_incomplete);
    }
  return FLOW_CLI_OK;
}

/* cli-ops.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <stdio.h>
#include <string.h>

/* `ops`: the definitions of the op table, and, with --coverage, what TensorFlow's CPU has that we have
 * not. TensorFlow's list is recorded and part of the program. */
#define KERNELS_RESOURCE "/org/flowstep/cli/kernels-1.15.5.json"

/* --- TensorFlow's kernels -------------------------------------------------------------------------- */

static JsonObject *
load_tensorflow_kernels (JsonParser  *parser,
                         GError     **error)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (KERNELS_RESOURCE, 0, error);
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

static void
add_op (JsonBuilder           *builder,
        const FlowOpSignature *signature,
        GPtrArray             *missing)
{
  const FlowOpDef *op = signature->op;
  FlowGradientFunc rule = NULL;
  gboolean has_rule = flow_gradient_registry_lookup (op->name, &rule) && rule != NULL;
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
  flow_cli_json_set_bool (builder, "gradient", has_rule);
  if (missing != NULL)
    json_texts (builder, "missing", missing);
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
  if (op->kernels == NULL)
    printf ("  no kernel: it is drawn and planned, not run\n");
  if (op->flops != NULL)
    printf ("  flops    counted\n");
}

/* --- the command --------------------------------------------------------------------------------------- */

typedef struct {
  JsonBuilder *builder;        /* NULL: text */
  JsonObject *tensorflow;      /* NULL: no coverage */
  gboolean whole;              /* text: whole definitions, not one line each */
  guint n_ops;
  guint n_incomplete;
  guint n_wanted;
  guint n_missing;
} Listing;

static void
list_op (Listing    *listing,
         const char *type)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);

  if (listing->tensorflow != NULL)
    listing->n_wanted += find_missing (signature, listing->tensorflow, missing);
  listing->n_ops++;
  listing->n_missing += missing->len;
  listing->n_incomplete += missing->len > 0;
  if (listing->builder != NULL)
    add_op (listing->builder, signature, listing->tensorflow != NULL ? missing : NULL);
  else if (listing->whole)
    print_op (signature);
  else if (listing->tensorflow == NULL)
    printf ("%-36s %s\n", type, signature->op->summary);
  if (listing->builder == NULL && missing->len > 0)
    {
      printf ("%s lacks", type);
      for (guint i = 0; i < missing->len; i++)
        printf ("%s %s", i > 0 ? "," : "", (char *) missing->pdata[i]);
      printf ("\n");
    }
}

int
flow_cli_ops (FlowCli  *cli,
              int       argc,
              char    **argv)
{
  gboolean coverage = FALSE;
  const GOptionEntry entries[] = {
    { "coverage", 0, 0, G_OPTION_ARG_NONE, &coverage,
      "What TensorFlow 1.15.5 computes on the CPU and we do not", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (JsonParser) parser = json_parser_new ();
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
  if (coverage && (listing.tensorflow = load_tensorflow_kernels (parser, &error)) == NULL)
    return flow_cli_failed (cli, KERNELS_RESOURCE, error);
  listing.whole = argc > 1;
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
  else if (coverage && argc < 2)
    {
      printf ("%u ops; %u of TensorFlow's %u CPU kernels of them are there; %u ops lack some\n",
              listing.n_ops, listing.n_wanted - listing.n_missing, listing.n_wanted,
              listing.n_incomplete);
    }
  return FLOW_CLI_OK;
}

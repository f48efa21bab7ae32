/* flow-cli.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

gboolean
flow_cli_parse (FlowCli             *cli,
                int                 *argc,
                char              ***argv,
                const GOptionEntry  *entries,
                int                  min,
                int                  max)
{
  const GOptionEntry common[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &cli->json, "Print one JSON document", NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autofree char *text = g_strdup_printf ("%s - %s", cli->args, cli->summary);
  g_autoptr (GOptionContext) context = g_option_context_new (text);
  g_autofree char *name = g_strdup_printf ("flowstep-cli %s", cli->command);
  g_autoptr (GError) error = NULL;

  /* Known before parsing, so that a bad option is told in JSON too. */
  for (int i = 1; i < *argc; i++)
    if (strcmp ((*argv)[i], "--json") == 0)
      cli->json = TRUE;
  (*argv)[0] = name;
  g_option_context_add_main_entries (context, common, NULL);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_help_enabled (context, FALSE);
  for (int i = 1; i < *argc && strcmp ((*argv)[i], "--") != 0; i++)
    if (strcmp ((*argv)[i], "--help") == 0 || strcmp ((*argv)[i], "-h") == 0)
      {
        g_autofree char *help = NULL;

        g_set_prgname (name);
        help = g_option_context_get_help (context, TRUE, NULL);
        fputs (help, stdout);
        cli->status = FLOW_CLI_OK;
        return FALSE;
      }
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      cli->status = flow_cli_usage (cli, "%s", error->message);
      return FALSE;
    }
  if (*argc > 1 && strcmp ((*argv)[1], "--") == 0)
    {
      (*argv)++;
      (*argc)--;
    }
  if (*argc - 1 < min || (max >= 0 && *argc - 1 > max))
    {
      cli->status = flow_cli_usage (cli, "%s takes %s", cli->command, cli->args);
      return FALSE;
    }
  return TRUE;
}

/* One line: what stands on several is joined by blanks. */
static void
print_line (const char *file,
            const char *message)
{
  g_autofree char *line = g_strdup (message);

  for (char *p = line; *p != '\0'; p++)
    if (*p == '\n' || *p == '\r')
      *p = ' ';
  if (file != NULL)
    fprintf (stderr, "flowstep-cli: %s: %s\n", file, line);
  else
    fprintf (stderr, "flowstep-cli: %s\n", line);
}

int
flow_cli_usage (FlowCli    *cli,
                const char *format,
                ...)
{
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, format);
  error = g_error_new_valist (FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, format, args);
  va_end (args);
  flow_cli_print_error (cli, NULL, error);
  return FLOW_CLI_USAGE;
}

int
flow_cli_bad_file (FlowCli      *cli,
                   const char   *file,
                   const GError *error)
{
  flow_cli_print_error (cli, file, error);
  return FLOW_CLI_BAD_FILE;
}

int
flow_cli_failed (FlowCli      *cli,
                 const char   *file,
                 const GError *error)
{
  flow_cli_print_error (cli, file, error);
  return FLOW_CLI_NO;
}

void
flow_cli_print_error (FlowCli      *cli,
                      const char   *file,
                      const GError *error)
{
  if (cli->json)
    {
      JsonBuilder *builder = json_builder_new ();

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "error");
      flow_cli_json_error (builder, error);
      json_builder_end_object (builder);
      flow_cli_json_print (builder);
    }
  print_line (file, error->message);
}

void
flow_cli_json_error (JsonBuilder  *builder,
                     const GError *error)
{
  const char *code = "UNKNOWN";

  if (error->domain == FLOW_ERROR)
    code = flow_error_code_name (error->code);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    code = "CANCELLED";
  json_builder_begin_object (builder);
  flow_cli_json_set_text (builder, "code", code);
  flow_cli_json_set_text (builder, "message", error->message);
  if (flow_error_get_node (error) != NULL)
    flow_cli_json_set_text (builder, "node", flow_error_get_node (error));
  if (flow_error_get_op_type (error) != NULL)
    flow_cli_json_set_text (builder, "op", flow_error_get_op_type (error));
  json_builder_end_object (builder);
}

void
flow_cli_json_double (JsonBuilder *builder,
                      double       value)
{
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_string_value (builder, isnan (value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

void
flow_cli_json_text (JsonBuilder *builder,
                    const char  *bytes,
                    gssize       length)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *p = bytes;
  const char *end;

  if (bytes == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  end = bytes + (length < 0 ? strlen (bytes) : (gsize) length);
  while (p < end)
    {
      const char *bad = NULL;

      /* A 00 byte is not valid to GLib; JSON can have it, C strings on the way there cannot. */
      g_utf8_validate_len (p, (gsize) (end - p), &bad);
      g_string_append_len (text, p, bad - p);
      p = bad;
      if (p < end)
        g_string_append_printf (text, "\\x%02x", (guchar) *p++);
    }
  json_builder_add_string_value (builder, text->str);
}

void
flow_cli_json_shape (JsonBuilder     *builder,
                     const FlowShape *shape)
{
  int rank = shape != NULL ? flow_shape_get_rank (shape) : FLOW_RANK_UNKNOWN;

  if (rank == FLOW_RANK_UNKNOWN)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (int i = 0; i < rank; i++)
    json_builder_add_int_value (builder, flow_shape_get_dim (shape, i));
  json_builder_end_array (builder);
}

void
flow_cli_json_set_text (JsonBuilder *builder,
                        const char  *key,
                        const char  *text)
{
  json_builder_set_member_name (builder, key);
  flow_cli_json_text (builder, text, -1);
}

void
flow_cli_json_set_int (JsonBuilder *builder,
                       const char  *key,
                       gint64       value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_int_value (builder, value);
}

void
flow_cli_json_set_double (JsonBuilder *builder,
                          const char  *key,
                          double       value)
{
  json_builder_set_member_name (builder, key);
  flow_cli_json_double (builder, value);
}

void
flow_cli_json_set_bool (JsonBuilder *builder,
                        const char  *key,
                        gboolean     value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_boolean_value (builder, value);
}

/* Dictionaries, arrays, strings, int64, doubles and booleans, as decoded messages have them. */
void
flow_cli_json_variant (JsonBuilder *builder,
                       GVariant    *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT))
    {
      g_autoptr (GVariant) inner = g_variant_get_variant (value);

      flow_cli_json_variant (builder, inner);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    {
      GVariantIter iter;
      const char *key;
      GVariant *item;

      json_builder_begin_object (builder);
      g_variant_iter_init (&iter, value);
      while (g_variant_iter_loop (&iter, "{&sv}", &key, &item))
        {
          json_builder_set_member_name (builder, key);
          flow_cli_json_variant (builder, item);
        }
      json_builder_end_object (builder);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE ("a{ss}")))
    {
      GVariantIter iter;
      const char *key;
      const char *text;

      json_builder_begin_object (builder);
      g_variant_iter_init (&iter, value);
      while (g_variant_iter_next (&iter, "{&s&s}", &key, &text))
        flow_cli_json_set_text (builder, key, text);
      json_builder_end_object (builder);
    }
  else if (g_variant_is_container (value))
    {
      gsize n = g_variant_n_children (value);

      json_builder_begin_array (builder);
      for (gsize i = 0; i < n; i++)
        {
          g_autoptr (GVariant) item = g_variant_get_child_value (value, i);

          flow_cli_json_variant (builder, item);
        }
      json_builder_end_array (builder);
    }
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    flow_cli_json_text (builder, g_variant_get_string (value, NULL), -1);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    json_builder_add_int_value (builder, g_variant_get_int32 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    json_builder_add_int_value (builder, g_variant_get_uint32 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    json_builder_add_int_value (builder, (gint64) MIN (g_variant_get_uint64 (value), G_MAXINT64));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    json_builder_add_int_value (builder, g_variant_get_int64 (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    flow_cli_json_double (builder, g_variant_get_double (value));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    json_builder_add_boolean_value (builder, g_variant_get_boolean (value));
  else
    json_builder_add_null_value (builder);
}

void
flow_cli_json_problems (JsonBuilder *builder,
                        GPtrArray   *problems)
{
  static const char *const severities[] = { "note", "warning", "damage" };

  json_builder_begin_array (builder);
  for (guint i = 0; i < problems->len; i++)
    {
      const FlowProblem *problem = problems->pdata[i];

      json_builder_begin_object (builder);
      flow_cli_json_set_text (builder, "severity", severities[CLAMP (problem->severity, 0, 2)]);
      flow_cli_json_set_text (builder, "code", flow_error_code_name (problem->code));
      if (problem->node != NULL)
        flow_cli_json_set_text (builder, "node", problem->node);
      if (problem->field != NULL)
        flow_cli_json_set_text (builder, "field", problem->field);
      if (problem->offset >= 0)
        flow_cli_json_set_int (builder, "offset", problem->offset);
      flow_cli_json_set_text (builder, "text", problem->text);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (JsonBuilder *builder,
            gboolean     pretty)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = NULL;
  gsize length;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, pretty);
  text = flow_json_mend_numbers (json_generator_to_data (generator, NULL));
  length = strlen (text);
  /* json-glib 1.6 leaves the last control character as it is; it can only stand in a string. */
  for (const char *p = text; p < text + length; p++)
    {
      if (*p == 0x1f)
        fputs ("\\u001f", stdout);
      else
        putchar_unlocked (*p);
    }
  putchar ('\n');
  g_object_unref (builder);
}

void
flow_cli_json_print (JsonBuilder *builder)
{
  print_json (builder, TRUE);
}

void
flow_cli_json_print_line (JsonBuilder *builder)
{
  print_json (builder, FALSE);
}

static void
progress_cb (double      fraction,
             const char *message,
             gpointer    data)
{
  fprintf (stderr, "\r%s: %3.0f %%\033[K", message, fraction * 100);
  if (fraction >= 1)
    fprintf (stderr, "\r\033[K");
}

FlowModel *
flow_cli_load_model (FlowCli    *cli,
                     const char *file,
                     const char *tags)
{
  FlowLoadOptions options = { .tags = tags, .progress = cli->progress ? progress_cb : NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *graph = NULL;
  FlowModel *model = NULL;

  /* A run file stands for the graph it names. */
  if (flow_run_file_looks_like (file))
    {
      g_autoptr (FlowRunFile) run = flow_run_file_load (file, &error);

      if (run != NULL)
        graph = flow_run_file_resolve (run, run->graph);
    }
  if (error == NULL)
    model = flow_model_load_file (graph != NULL ? graph : file, &options, &error);
  if (model == NULL)
    {
      if (cli->progress)
        fprintf (stderr, "\r\033[K");
      cli->status = flow_cli_bad_file (cli, file, error);
    }
  return model;
}

void
flow_cli_print_problems (FlowCli   *cli,
                         GPtrArray *problems)
{
  static const char *const severities[] = { "note", "warning", "damage" };

  for (guint i = 0; i < problems->len; i++)
    {
      const FlowProblem *problem = problems->pdata[i];

      printf ("%s: ", severities[CLAMP (problem->severity, 0, 2)]);
      if (problem->node != NULL)
        printf ("node '%s': ", problem->node);
      else if (problem->field != NULL)
        printf ("%s: ", problem->field);
      printf ("%s", problem->text);
      if (problem->offset >= 0)
        printf (" (byte %" G_GINT64_FORMAT ")", problem->offset);
      putchar ('\n');
    }
}

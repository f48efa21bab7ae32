/* flow-format.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-format.h"

#include <glib/gi18n.h>
#include <math.h>

/* One formatter for each kind of figure, so that a number reads the same in every view. */

static char *
format_with_digits (double value,
                    int    digits)
{
  g_autofree char *text = NULL;
  double size = fabs (value);

  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value > 0 ? "Inf" : "−Inf");
  if (value == 0)
    return g_strdup ("0");
  if (value == floor (value) && size < 1e7)
    text = g_strdup_printf ("%.0f", value);
  else
    text = g_strdup_printf ("%.*g", digits, value);
  /* A real minus sign is as wide as a digit: columns of figures line up. */
  if (text[0] == '-')
    return g_strconcat ("−", text + 1, NULL);
  return g_steal_pointer (&text);
}

/* Returns: (transfer full): a figure for tables and inspector, six digits. */
char *
flow_format_number (double value)
{
  return format_with_digits (value, 6);
}

/* Returns: (transfer full): a figure for narrow columns, three digits. */
char *
flow_format_number_compact (double value)
{
  return format_with_digits (value, 3);
}

char *
flow_format_bytes (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

/* Returns: (transfer full): digits in groups of three, parted by a thin space. */
char *
flow_format_count (guint64 count)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  GString *text = g_string_new (NULL);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, " ");
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

char *
flow_format_duration (guint64 ns)
{
  if (ns < 1000)
    return g_strdup_printf (_("%u ns"), (guint) ns);
  if (ns < 1000 * 1000)
    return g_strdup_printf (_("%.1f µs"), ns / 1e3);
  if (ns < G_GUINT64_CONSTANT (1000000000))
    return g_strdup_printf (_("%.1f ms"), ns / 1e6);
  return g_strdup_printf (_("%.2f s"), ns / 1e9);
}

/* Returns: (transfer full): `[32, 10]`, `[]`, or `?` where nothing is known. */
char *
flow_format_shape (GVariant *shape)
{
  GString *text = NULL;
  gsize n = 0;

  if (shape == NULL || !g_variant_is_of_type (shape, G_VARIANT_TYPE ("ax")))
    return g_strdup ("");
  text = g_string_new ("[");
  n = g_variant_n_children (shape);
  for (gsize i = 0; i < n; i++)
    {
      gint64 dim = 0;

      g_variant_get_child (shape, i, "x", &dim);
      if (i > 0)
        g_string_append_c (text, ',');
      if (dim < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, dim);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

char *
flow_format_dims (FlowShape *shape)
{
  GString *text = NULL;
  int rank = flow_shape_get_rank (shape);

  if (rank < 0)
    return g_strdup ("");
  text = g_string_new ("[");
  for (int i = 0; i < rank; i++)
    {
      gint64 dim = flow_shape_get_dim (shape, i);

      if (i > 0)
        g_string_append_c (text, ',');
      if (dim < 0)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, dim);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Returns: (transfer full): `float32 [32,10]` */
char *
flow_format_type (GVariant *info)
{
  g_autoptr(GVariant) shape = g_variant_lookup_value (info, "shape", NULL);
  g_autofree char *dims = flow_format_shape (shape);
  const char *dtype = flow_lookup_string (info, "dtype");

  return g_strstrip (g_strdup_printf ("%s %s", dtype != NULL ? dtype : "", dims));
}

/* Returns: (transfer full): a value in one short line: the scalar, `min … max`, or mean and deviation. */
char *
flow_format_range (GVariant *info)
{
  g_autoptr(GVariant) shape = g_variant_lookup_value (info, "shape", G_VARIANT_TYPE ("ax"));
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;
  double min = flow_lookup_double (info, "min", NAN);
  double max = flow_lookup_double (info, "max", NAN);
  double mean = flow_lookup_double (info, "mean", NAN);
  double std = flow_lookup_double (info, "std", NAN);
  gint64 nan = flow_lookup_int (info, "nan", 0);
  gint64 inf = flow_lookup_int (info, "inf", 0);

  if (nan + inf > 0 && isnan (min))
    return g_strdup (nan > 0 ? "NaN" : "Inf");
  if (isnan (min) && isnan (max))
    return g_strdup ("");
  if (min == max)
    return flow_format_number (min);
  if (shape != NULL && g_variant_n_children (shape) >= 2 && !isnan (std))
    {
      a = format_with_digits (mean, 2);
      b = format_with_digits (std, 2);
      return g_strdup_printf ("μ %s σ %s", a, b);
    }
  a = flow_format_number_compact (min);
  b = flow_format_number_compact (max);
  return g_strdup_printf ("%s … %s", a, b);
}

const char *
flow_node_state_title (guint8 state)
{
  switch ((FlowNodeState) state)
    {
    case FLOW_NODE_NOT_IN_RUN: return _("not in this run");
    case FLOW_NODE_FED: return _("fed");
    case FLOW_NODE_PENDING: return _("pending");
    case FLOW_NODE_READY: return _("ready");
    case FLOW_NODE_NEXT: return _("next op");
    case FLOW_NODE_WAITING: return _("waiting");
    case FLOW_NODE_DONE: return _("executed");
    case FLOW_NODE_DEAD: return _("dead");
    case FLOW_NODE_FAILED: return _("failed");
    case FLOW_NODE_STALE: return _("stale");
    default: return "";
    }
}

/* Style class of a state's dot and chip. */
const char *
flow_node_state_css (guint8 state)
{
  static const char *const classes[] = {
    [FLOW_NODE_NOT_IN_RUN] = "state-out",
    [FLOW_NODE_FED] = "state-fed",
    [FLOW_NODE_PENDING] = "state-pending",
    [FLOW_NODE_READY] = "state-ready",
    [FLOW_NODE_NEXT] = "state-next",
    [FLOW_NODE_WAITING] = "state-waiting",
    [FLOW_NODE_DONE] = "state-done",
    [FLOW_NODE_DEAD] = "state-dead",
    [FLOW_NODE_FAILED] = "state-failed",
    [FLOW_NODE_STALE] = "state-stale",
  };

  return state < G_N_ELEMENTS (classes) ? classes[state] : "state-pending";
}

const char *
flow_stop_reason_title (FlowStopReason reason)
{
  switch (reason)
    {
    case FLOW_STOP_STEP: return _("Stepped");
    case FLOW_STOP_BREAKPOINT: return _("Breakpoint");
    case FLOW_STOP_WATCHPOINT: return _("A watched variable was written");
    case FLOW_STOP_BAD_VALUE: return _("NaN or Inf");
    case FLOW_STOP_ERROR: return _("The op failed");
    case FLOW_STOP_PAUSE: return _("Paused");
    case FLOW_STOP_WAITING: return _("Waiting");
    case FLOW_STOP_RUN_START: return _("Start of the run");
    case FLOW_STOP_RUN_END: return _("End of the run");
    case FLOW_STOP_START: return _("Nothing happened before this");
    case FLOW_STOP_END: return _("All runs are done");
    case FLOW_STOP_LIMIT: return _("A limit was reached");
    case FLOW_STOP_ENGINE_ENDED: return _("The engine ended");
    case FLOW_STOP_INPUT: return _("The script waits for a line of input");
    case FLOW_STOP_NONE:
    default: return "";
    }
}

/*
 * Entries of the dictionaries a debugger answers with. An entry that is missing or of another type
 * gives the fallback: an older or newer engine process must not take the window down.
 */
static gboolean
read_integer (GVariant *value,
              gint64   *integer)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *integer = g_variant_get_int64 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    *integer = (gint64) g_variant_get_uint64 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    *integer = g_variant_get_uint32 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    *integer = g_variant_get_int32 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    *integer = g_variant_get_boolean (value);
  else
    return FALSE;
  return TRUE;
}

double
flow_lookup_double (GVariant   *dict,
                    const char *key,
                    double      fallback)
{
  g_autoptr(GVariant) value = dict != NULL ? g_variant_lookup_value (dict, key, NULL) : NULL;
  gint64 integer;

  if (value == NULL)
    return fallback;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (value);
  return read_integer (value, &integer) ? (double) integer : fallback;
}

gint64
flow_lookup_int (GVariant   *dict,
                 const char *key,
                 gint64      fallback)
{
  g_autoptr(GVariant) value = dict != NULL ? g_variant_lookup_value (dict, key, NULL) : NULL;
  gint64 integer;

  return value != NULL && read_integer (value, &integer) ? integer : fallback;
}

gboolean
flow_lookup_bool (GVariant   *dict,
                  const char *key)
{
  gboolean value = FALSE;

  return dict != NULL && g_variant_lookup (dict, key, "b", &value) && value;
}

const char *
flow_lookup_string (GVariant   *dict,
                    const char *key)
{
  const char *value = NULL;

  if (dict == NULL || !g_variant_lookup (dict, key, "&s", &value))
    return NULL;
  return value;
}

/* Returns: (transfer full): never %NULL. */
char **
flow_lookup_strv (GVariant   *dict,
                  const char *key)
{
  char **value = NULL;

  if (dict == NULL || !g_variant_lookup (dict, key, "^as", &value))
    return g_new0 (char *, 1);
  return value;
}

gboolean
flow_lookup_has (GVariant   *dict,
                 const char *key)
{
  g_autoptr(GVariant) value = dict != NULL ? g_variant_lookup_value (dict, key, NULL) : NULL;

  return value != NULL;
}

gboolean
flow_is_variable_type (const char *type)
{
  return g_strcmp0 (type, "VariableV2") == 0 || g_strcmp0 (type, "Variable") == 0 || g_strcmp0 (type, "VarHandleOp") == 0;
}

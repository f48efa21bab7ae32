/* flow-kernels-logging.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a graph says to people.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-step-private.h"
#include "flow-summarize-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* --- Assert ---------------------------------------------------------------------------------------------- */

static gboolean
assert_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *condition = flow_kernel_input (c, 0);
  gint64 summarize = flow_kernel_attr_int (c, "summarize");
  g_autoptr (GString) text = NULL;

  if (!flow_is_scalar (condition))
    return _flow_refuse_shapes (error, condition, NULL, "In[0] should be a scalar: %s");
  if (FLOW_DATA (guint8, condition)[0] != 0)
    return TRUE;
  text = g_string_new ("assertion failed: ");
  for (guint i = 1; i < c->n_inputs; i++)
    {
      g_string_append (text, i > 1 ? " [" : "[");
      _flow_summarize (text, flow_kernel_input (c, i), summarize);
      g_string_append_c (text, ']');
    }
  return _flow_refuse (error, "%s", text->str);
}

/* --- Print, PrintV2 --------------------------------------------------------------------------------------- */

/* Whether first_n allows one more. */
static gboolean
may_print (FlowKernelContext *c,
           gboolean          *may,
           GError           **error)
{
  gint64 first_n = flow_kernel_attr_int (c, "first_n");
  FlowCount *count;

  *may = TRUE;
  if (first_n < 0)
    return TRUE;
  count = _flow_count_of_node (c, error);
  if (count == NULL)
    return FALSE;
  *may = count->n < first_n;
  if (*may)
    {
      flow_kernel_will_write (c, count);
      count->n++;
      flow_kernel_wrote (c, count);
    }
  flow_resource_unref (count);
  return TRUE;
}

static gboolean
print_compute (FlowKernelContext *c,
               GError           **error)
{
  gint64 summarize = flow_kernel_attr_int (c, "summarize");
  g_autoptr (GString) text = NULL;
  gboolean may;

  if (!may_print (c, &may, error))
    return FALSE;
  if (may)
    {
      text = g_string_new (flow_kernel_attr_string (c, "message"));
      for (guint i = 1; i < c->n_inputs; i++)
        {
          g_string_append_c (text, '[');
          _flow_summarize (text, flow_kernel_input (c, i), summarize);
          g_string_append_c (text, ']');
        }
      g_string_append_c (text, '\n');
      c->host->print (c->host_data, "stderr", text->str);
    }
  flow_kernel_set_output (c, 0, flow_kernel_input (c, 0));
  return TRUE;
}

static gboolean
print_infer (FlowInferContext *c,
             GError          **error)
{
  flow_infer_set_output (c, 0, flow_infer_input (c, 0));
  return TRUE;
}

static gboolean
print_v2_infer (FlowInferContext *c,
                GError          **error)
{
  FlowShape *in = flow_infer_input (c, 0);

  /* TF: an unknown rank is refused as well. */
  if (!c->running && in->rank != 0)
    return _flow_refuse (error, "input must be a scalar, but has rank: %d", in->rank);
  return TRUE;
}

/* "file://PATH": the text goes to the end of that file, if the graph may touch it. */
static gboolean
append_to_file (FlowKernelContext *c,
                const char        *path,
                const char        *text,
                GError           **error)
{
  g_autofree char *resolved = c->host->resolve_path (c->host_data, path, FLOW_PATH_WRITE, error);
  FILE *file;
  gboolean ok;

  if (resolved == NULL)
    return FALSE;
  file = g_fopen (resolved, "a");
  if (file == NULL)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  ok = fwrite (text, 1, strlen (text), file) == strlen (text);
  ok = fclose (file) == 0 && ok;
  if (!ok)
    flow_error_set_from_errno (error, errno, path);
  return ok;
}

static gboolean
print_v2_compute (FlowKernelContext *c,
                  GError           **error)
{
  static const char *const streams[] = {
    "stdout", "stderr", "log(info)", "log(warning)", "log(error)", NULL,
  };
  FlowTensor *input = flow_kernel_input (c, 0);
  const char *stream = flow_kernel_attr_string (c, "output_stream");
  g_autofree char *text = NULL;
  const char *bytes;
  gsize length;

  if (!flow_is_scalar (input))
    return _flow_refuse_shapes (error, input, NULL, "Input is expected to be scalar, but got %s");
  bytes = flow_tensor_get_string (input, 0, &length);
  text = g_strdup_printf ("%.*s%s", (int) MIN (length, (gsize) G_MAXINT32), bytes, flow_kernel_attr_string (c, "end"));
  if (g_str_has_prefix (stream, "file://"))
    return append_to_file (c, stream + strlen ("file://"), text, error);
  if (!g_strv_contains (streams, stream))
    return _flow_refuse (error, "Unknown output stream: %s, Valid streams are: stdout stderr log(info) log(warning) "
                         "log(error)", stream);
  c->host->print (c->host_data, stream, text);
  return TRUE;
}

/* --- Timestamp ---------------------------------------------------------------------------------------------- */

static gboolean
timestamp_compute (FlowKernelContext *c,
                   GError           **error)
{
  double seconds = (double) g_get_real_time () / G_USEC_PER_SEC;

  flow_kernel_take_output (c, 0, flow_tensor_new_scalar (FLOW_DTYPE_DOUBLE, &seconds));
  return TRUE;
}

/* --- BytesLimit --------------------------------------------------------------------------------------------- */

/* TF: a processor's memory has no limit of its own. */
static gboolean
bytes_limit_compute (FlowKernelContext *c,
                     GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (-1));
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "Assert",
    .inputs = "condition: bool; data: T",
    .attrs = "T: list(type) >= 1; summarize: int = 3",
    .summary = "Fails, and shows the data, if the condition is false",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_OTHER,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, assert_compute }, { NULL } },
  },
  {
    .name = "Print",
    .inputs = "input: T; data: U",
    .outputs = "output: T",
    .attrs = "T: type; U: list(type) >= 0; message: string = \"\"; first_n: int = -1; summarize: "
             "int = 3",
    .summary = "Prints data whenever its input passes through",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = print_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, print_compute }, { NULL } },
  },
  {
    .name = "PrintV2",
    .inputs = "input: string",
    .attrs = "output_stream: string = \"stderr\"; end: string = \"\n\"",
    .summary = "Prints a string",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = print_v2_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, print_v2_compute }, { NULL } },
  },
  {
    .name = "BytesLimit",
    .outputs = "out: int64",
    .summary = "How much memory a device gives",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, bytes_limit_compute }, { NULL } },
  },
  {
    .name = "Timestamp",
    .outputs = "ts: double",
    .summary = "The time in seconds since 1970",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, timestamp_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (logging, ops)

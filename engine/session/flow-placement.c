/* flow-placement.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-session-private.h"

#include <string.h>

static gboolean
is_any_or (const char *value,
           const char *wanted)
{
  return strcmp (value, "*") == 0 || strcmp (value, wanted) == 0;
}

/* TF: soft placement is free to take another device of the same task, not another task. */
static gboolean
is_processor (const char    *type,
              const char    *number,
              FlowPlacement  placement,
              guint          n_processors)
{
  guint64 index = 0;

  if (placement != FLOW_PLACEMENT_STRICT)
    return TRUE;
  return is_any_or (type, "CPU")
         && (strcmp (number, "*") == 0
             || (g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT, &index, NULL) && index < n_processors));
}

/* Whether "/job:x/task:1/cpu:0" is a device that is here, and how TensorFlow writes it. */
static gboolean
is_here (const char    *device,
         FlowPlacement  placement,
         guint          n_processors,
         char         **canonical)
{
  g_auto(GStrv) parts = g_strsplit (device, "/", -1);
  GString *text = g_string_new (NULL);
  gboolean here = TRUE;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *part = g_str_has_prefix (parts[i], "device:") ? parts[i] + strlen ("device:") : parts[i];
      g_auto(GStrv) words = g_strsplit (part, ":", 2);
      const char *value = words[0] != NULL && words[1] != NULL ? words[1] : "*";

      if (*part == '\0')
        continue;
      if (part == parts[i] && (strcmp (words[0], "job") == 0 || strcmp (words[0], "replica") == 0
                               || strcmp (words[0], "task") == 0))
        {
          here = here && is_any_or (value, *words[0] == 'j' ? "localhost" : "0");
          g_string_append_printf (text, "/%s:%s", words[0], value);
        }
      else
        {
          g_autofree char *type = g_ascii_strup (words[0], -1);

          here = here && is_processor (type, value, placement, n_processors);
          g_string_append_printf (text, "/device:%s:%s", type, value);
        }
    }
  *canonical = g_string_free (text, FALSE);
  return here;
}

static gboolean
refuse_device (FlowGraph  *graph,
               guint32     node,
               GError    **error,
               char       *why)
{
  const char *name = flow_graph_get_node_name (graph, node);

  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Cannot assign a device for operation %s: %s", name, why);
  if (error != NULL)
    flow_error_set_node (*error, name, flow_graph_get_node_type (graph, node));
  g_free (why);
  return FALSE;
}

/* TF says so while it places ops; whether other devices have the kernel does not matter here. */
static gboolean
check_cpu_kernel (FlowGraph  *graph,
                  guint32     node,
                  const char *device,
                  GError    **error)
{
  const FlowOpSignature *signature = flow_graph_get_signature (graph, node);
  g_autoptr (GError) failure = NULL;

  if (signature == NULL || signature->op == NULL
      || flow_op_find_kernel (signature, flow_graph_get_node_attrs (graph, node), &failure) != NULL
      || failure->code != FLOW_ERROR_INVALID_ARGUMENT)
    return TRUE;
  return refuse_device (graph, node, error,
                        g_strdup_printf ("Could not satisfy explicit device specification '%s' because no supported "
                                         "kernel for CPU devices is available.\n%s\n\t [[{{node %s}}]]", device,
                                         failure->message, flow_graph_get_node_name (graph, node)));
}

/* As TensorFlow's own processors are listed. */
static char *
list_devices (guint n_processors)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_processors; i++)
    g_string_append_printf (text, "/job:localhost/replica:0/task:0/device:CPU:%u, ", i);
  g_string_append (text, "/job:localhost/replica:0/task:0/device:XLA_CPU:0");
  return g_string_free (text, FALSE);
}

static gboolean
check_device (FlowGraph     *graph,
              guint32        node,
              FlowPlacement  placement,
              guint          n_processors,
              GError       **error)
{
  const char *name = flow_graph_get_node_name (graph, node);
  const char *device = flow_graph_get_node_device (graph, node);
  g_autofree char *canonical = NULL;
  g_autofree char *devices = NULL;

  if (device == NULL || *device == '\0')
    return TRUE;
  if (is_here (device, placement, n_processors, &canonical))
    return placement != FLOW_PLACEMENT_STRICT || strstr (canonical, "/device:") == NULL
           || check_cpu_kernel (graph, node, device, error);
  devices = list_devices (n_processors);
  return refuse_device (graph, node, error,
                        g_strdup_printf ("{{node %s}} was explicitly assigned to %s but available devices are [ %s ]. "
                                         "Make sure the device specification refers to a valid device.%s\n\t [[%s]]",
                                         name, canonical, devices,
                                         strstr (canonical, "/device:GPU:") != NULL
                                           ? " The requested device appears to be a GPU, but CUDA is not enabled." : "",
                                         name));
}

/* TF gives constants and the like, which take nothing and give no reference, a device after all others. */
static gboolean
is_placed_late (FlowGraph *graph,
                guint32   node)
{
  guint n_data = 0;

  flow_graph_peek_inputs (graph, node, &n_data, NULL);
  return n_data == 0 && flow_graph_get_n_outputs (graph, node) > 0
         && !flow_dtype_is_ref (flow_graph_get_output_dtype (graph, node, 0));
}

/* TF places the whole graph, whatever of it runs; those before @first are placed. */
gboolean
_flow_graph_check_devices (FlowGraph      *graph,
                           guint32         first,
                           FlowPlacement   placement,
                           guint           n_processors,
                           GError        **error)
{
  guint n_nodes = flow_graph_get_n_nodes (graph);

  if (placement == FLOW_PLACEMENT_ANYWHERE)
    return TRUE;
  for (guint late = 0; late < 2; late++)
    for (guint32 node = first; node < n_nodes; node++)
      if (is_placed_late (graph, node) == (late == 1) && !check_device (graph, node, placement, n_processors, error))
        return FALSE;
  return TRUE;
}

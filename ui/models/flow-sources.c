/* flow-sources.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-sources.h"

typedef struct {
  guint32 file;
  guint32 line;
  guint32 function;
} Frame;

struct _FlowSources
{
  GVariant *value;             /* what the arrays below point into */
  char **files;
  char **functions;
  GVariant *frame_list;
  const Frame *frames;
  gsize n_frames;
  GPtrArray *stacks;           /* of GVariant au */
  GVariant *node_list;
  const guint32 *nodes;        /* node -> stack */
  gsize n_nodes;
};

FlowSources *
flow_sources_new (GVariant *value)
{
  FlowSources *self = NULL;
  g_autoptr(GVariant) stacks = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("(asasa(uuu)aauau)")))
    return NULL;
  self = g_new0 (FlowSources, 1);
  self->value = g_variant_ref (value);
  g_variant_get (value, "(^as^as@a(uuu)@aau@au)", &self->files, &self->functions, &self->frame_list, &stacks,
                 &self->node_list);
  self->frames = g_variant_get_fixed_array (self->frame_list, &self->n_frames, sizeof (Frame));
  self->nodes = g_variant_get_fixed_array (self->node_list, &self->n_nodes, sizeof (guint32));
  self->stacks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  for (gsize i = 0; i < g_variant_n_children (stacks); i++)
    g_ptr_array_add (self->stacks, g_variant_get_child_value (stacks, i));
  return self;
}

void
flow_sources_free (FlowSources *self)
{
  g_strfreev (self->files);
  g_strfreev (self->functions);
  g_ptr_array_unref (self->stacks);
  g_variant_unref (self->frame_list);
  g_variant_unref (self->node_list);
  g_variant_unref (self->value);
  g_free (self);
}

/* NULL with no frames for what is not there: it comes from another process. */
static const guint32 *
get_stack (const FlowSources *self,
           guint32            node,
           gsize             *n)
{
  *n = 0;
  if (node >= self->n_nodes || self->nodes[node] >= self->stacks->len)
    return NULL;
  return g_variant_get_fixed_array (self->stacks->pdata[self->nodes[node]], n, sizeof (guint32));
}

static const Frame *
get_frame (const FlowSources *self,
           guint32            index)
{
  const Frame *frame = index < self->n_frames ? &self->frames[index] : NULL;

  if (frame == NULL || frame->file >= g_strv_length (self->files) || frame->function >= g_strv_length (self->functions))
    return NULL;
  return frame;
}

guint
flow_sources_get_n_frames (const FlowSources *self,
                           guint32            node)
{
  gsize n = 0;

  get_stack (self, node, &n);
  return (guint) n;
}

gboolean
flow_sources_get_frame (const FlowSources  *self,
                        guint32             node,
                        guint               frame,
                        const char        **file,
                        guint              *line,
                        const char        **function)
{
  gsize n = 0;
  const guint32 *stack = get_stack (self, node, &n);
  const Frame *found = frame < n ? get_frame (self, stack[frame]) : NULL;

  if (found == NULL)
    return FALSE;
  *file = self->files[found->file];
  *line = found->line;
  if (function != NULL)
    *function = self->functions[found->function];
  return TRUE;
}

static guint32
find_file (const FlowSources *self,
           const char        *file)
{
  for (guint32 i = 0; self->files[i] != NULL; i++)
    if (g_strcmp0 (self->files[i], file) == 0)
      return i;
  return G_MAXUINT32;
}

char **
flow_sources_list_files (const FlowSources *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < self->stacks->len; i++)
    {
      gsize n = 0;
      const guint32 *stack = g_variant_get_fixed_array (self->stacks->pdata[i], &n, sizeof (guint32));
      const Frame *frame = n > 0 ? get_frame (self, stack[0]) : NULL;

      if (frame != NULL && g_hash_table_add (seen, GUINT_TO_POINTER (frame->file + 1)))
        g_strv_builder_add (builder, self->files[frame->file]);
    }
  return g_strv_builder_end (builder);
}

/* Which stacks have the line, as their first frame or as any: one byte each. */
static guint8 *
match_stacks (const FlowSources *self,
              guint32            file,
              guint              line,
              gboolean          *first)
{
  guint8 *matches = g_new0 (guint8, self->stacks->len + 1);

  *first = FALSE;
  for (gsize i = 0; i < self->stacks->len; i++)
    {
      gsize n = 0;
      const guint32 *stack = g_variant_get_fixed_array (self->stacks->pdata[i], &n, sizeof (guint32));

      for (gsize k = 0; k < n && matches[i] == 0; k++)
        {
          const Frame *frame = get_frame (self, stack[k]);

          if (frame != NULL && frame->file == file && frame->line == line)
            matches[i] = k == 0 ? 2 : 1;
        }
      *first = *first || matches[i] == 2;
    }
  return matches;
}

GArray *
flow_sources_list_nodes (const FlowSources *self,
                         const char        *file,
                         guint              line)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean first = FALSE;
  g_autofree guint8 *matches = match_stacks (self, find_file (self, file), line, &first);

  /* A line that makes ops itself means these; one that calls what makes ops means all of those. */
  for (guint32 node = 0; node < self->n_nodes; node++)
    if (self->nodes[node] < self->stacks->len && matches[self->nodes[node]] >= (first ? 2 : 1))
      g_array_append_val (nodes, node);
  return nodes;
}

GHashTable *
flow_sources_count_lines (const FlowSources *self,
                          const char        *file)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  guint32 index = find_file (self, file);

  for (guint32 node = 0; node < self->n_nodes; node++)
    {
      gsize n = 0;
      const guint32 *stack = get_stack (self, node, &n);
      const Frame *frame = n > 0 ? get_frame (self, stack[0]) : NULL;
      gpointer key = NULL;

      if (frame == NULL || frame->file != index)
        continue;
      key = GUINT_TO_POINTER (frame->line);
      g_hash_table_insert (counts, key, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
    }
  return counts;
}

/* flow-collection.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-collection.h"

G_DEFINE_BOXED_TYPE (FlowCollectionItem, flow_collection_item, flow_collection_item_copy,
                     flow_collection_item_free)

/**
 * flow_collection_item_new:
 * @kind: what it was on disk
 * @name: (nullable): the node or tensor it points to
 * @fields: (nullable): what it says; a floating reference is taken
 * @encoded: (nullable): its bytes as they stood
 *
 * Returns: (transfer full): an item of a graph collection
 */
FlowCollectionItem *
flow_collection_item_new (FlowCollectionKind  kind,
                          const char         *name,
                          GVariant           *fields,
                          GBytes             *encoded)
{
  FlowCollectionItem *self = g_new0 (FlowCollectionItem, 1);

  self->kind = kind;
  self->name = g_strdup (name);
  if (fields != NULL)
    {
      self->fields = g_variant_ref_sink (fields);
      /* Laid out in one block now, so that strings borrowed from it live as long as the item. */
      g_variant_get_data (self->fields);
    }
  self->encoded = encoded != NULL ? g_bytes_ref (encoded) : NULL;
  return self;
}

/**
 * flow_collection_item_copy:
 * @self: an item
 *
 * Returns: (transfer full): another of the same content
 */
FlowCollectionItem *
flow_collection_item_copy (const FlowCollectionItem *self)
{
  FlowCollectionItem *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = flow_collection_item_new (self->kind, self->name, self->fields, self->encoded);
  copy->problem = g_strdup (self->problem);
  return copy;
}

/**
 * flow_collection_item_free:
 * @self: (transfer full): an item
 */
void
flow_collection_item_free (FlowCollectionItem *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->name);
  g_clear_pointer (&self->fields, g_variant_unref);
  g_clear_pointer (&self->encoded, g_bytes_unref);
  g_free (self->problem);
  g_free (self);
}

/**
 * flow_collection_item_get_text:
 * @self: an item
 * @field: a field's name, such as `initializer_name`
 *
 * Returns: (transfer none) (nullable): the text of that field, %NULL if the message does not say it
 */
const char *
flow_collection_item_get_text (const FlowCollectionItem *self,
                               const char               *field)
{
  const char *text = NULL;

  g_return_val_if_fail (self != NULL && field != NULL, NULL);

  if (self->fields != NULL && g_variant_is_of_type (self->fields, G_VARIANT_TYPE_VARDICT))
    g_variant_lookup (self->fields, field, "&s", &text);
  return text;
}

/**
 * flow_collection_item_get_int:
 * @self: an item
 * @field: a field's name, such as `max_to_keep`
 * @fallback: what to give when the message does not say it
 *
 * Returns: the number of that field; of a bool 0 or 1
 */
gint64
flow_collection_item_get_int (const FlowCollectionItem *self,
                              const char               *field,
                              gint64                    fallback)
{
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (self != NULL && field != NULL, fallback);

  if (self->fields != NULL && g_variant_is_of_type (self->fields, G_VARIANT_TYPE_VARDICT))
    value = g_variant_lookup_value (self->fields, field, NULL);
  if (value == NULL)
    return fallback;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_variant_get_int64 (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_get_boolean (value);
  return fallback;
}

/**
 * flow_collection_item_dup_slice:
 * @self: an item
 * @full_name: (out) (transfer full): the name of the whole variable, which is its key in a checkpoint
 *
 * A part of a partitioned variable is saved under the name of the whole, as a part of it.
 *
 * Returns: (transfer full) (nullable): which part this variable is, as Save ops have it, `8 5 0,4:0,5`;
 *   %NULL if the item is no variable or a whole one
 */
char *
flow_collection_item_dup_slice (const FlowCollectionItem  *self,
                                char                     **full_name)
{
  g_autoptr (GVariant) info = NULL;
  g_autoptr (GVariant) shape = NULL;
  g_autoptr (GVariant) offset = NULL;
  g_autoptr (GVariant) length = NULL;
  GString *spec = NULL;
  const char *name = NULL;
  gsize rank;

  g_return_val_if_fail (self != NULL && full_name != NULL, NULL);

  if (self->kind != FLOW_COLLECTION_VARIABLE || self->fields == NULL
      || !g_variant_is_of_type (self->fields, G_VARIANT_TYPE_VARDICT))
    return NULL;
  info = g_variant_lookup_value (self->fields, "save_slice_info_def", G_VARIANT_TYPE_VARDICT);
  if (info == NULL || !g_variant_lookup (info, "full_name", "&s", &name) || *name == '\0')
    return NULL;
  shape = g_variant_lookup_value (info, "full_shape", G_VARIANT_TYPE ("ax"));
  offset = g_variant_lookup_value (info, "var_offset", G_VARIANT_TYPE ("ax"));
  length = g_variant_lookup_value (info, "var_shape", G_VARIANT_TYPE ("ax"));
  rank = shape != NULL ? g_variant_n_children (shape) : 0;
  if (rank == 0 || offset == NULL || g_variant_n_children (offset) != rank || length == NULL
      || g_variant_n_children (length) != rank)
    return NULL;

  spec = g_string_new (NULL);
  for (gsize i = 0; i < rank; i++)
    {
      gint64 dim;

      g_variant_get_child (shape, i, "x", &dim);
      g_string_append_printf (spec, "%" G_GINT64_FORMAT " ", dim);
    }
  for (gsize i = 0; i < rank; i++)
    {
      gint64 start;
      gint64 n;

      g_variant_get_child (offset, i, "x", &start);
      g_variant_get_child (length, i, "x", &n);
      g_string_append_printf (spec, "%s%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT, i > 0 ? ":" : "", start, n);
    }
  *full_name = g_strdup (name);
  return g_string_free (spec, FALSE);
}

/**
 * flow_collection_item_to_string:
 * @self: an item
 *
 * Returns: (transfer full): the item in one line, for people
 */
char *
flow_collection_item_to_string (const FlowCollectionItem *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->kind == FLOW_COLLECTION_NODE && self->name != NULL)
    return g_strdup (self->name);
  if (self->fields != NULL && g_variant_is_of_type (self->fields, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (self->fields, NULL);
  if (self->fields != NULL)
    return g_variant_print (self->fields, FALSE);
  if (self->name != NULL)
    return g_strdup (self->name);
  if (self->encoded != NULL)
    return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes", g_bytes_get_size (self->encoded));
  return g_strdup ("");
}

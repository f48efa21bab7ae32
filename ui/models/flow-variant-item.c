/* flow-variant-item.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variant-item.h"

#include "flow-format.h"

/**
 * FlowVariantItem:
 *
 * A row of what a debugger answers with: a dictionary. The row stays the same object while its
 * dictionary changes, so that a list keeps its scroll position and selection when it is refreshed.
 */
struct _FlowVariantItem
{
  GObject parent_instance;

  /* owned */
  GVariant *value;
};

enum {
  PROP_0,
  PROP_VALUE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FlowVariantItem, flow_variant_item, G_TYPE_OBJECT)

static void
flow_variant_item_finalize (GObject *object)
{
  FlowVariantItem *self = FLOW_VARIANT_ITEM (object);

  g_clear_pointer (&self->value, g_variant_unref);

  G_OBJECT_CLASS (flow_variant_item_parent_class)->finalize (object);
}

static void
flow_variant_item_get_property (GObject    *object,
                                guint       prop_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  FlowVariantItem *self = FLOW_VARIANT_ITEM (object);

  switch (prop_id)
    {
    case PROP_VALUE:
      g_value_set_variant (value, self->value);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_variant_item_class_init (FlowVariantItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = flow_variant_item_finalize;
  object_class->get_property = flow_variant_item_get_property;

  properties[PROP_VALUE] =
    g_param_spec_variant ("value", NULL, NULL, G_VARIANT_TYPE_ANY, NULL,
                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
flow_variant_item_init (FlowVariantItem *self)
{
}

FlowVariantItem *
flow_variant_item_new (GVariant *value)
{
  FlowVariantItem *self = g_object_new (FLOW_TYPE_VARIANT_ITEM, NULL);

  self->value = g_variant_ref_sink (value);
  return self;
}

GVariant *
flow_variant_item_get_value (FlowVariantItem *self)
{
  g_return_val_if_fail (FLOW_IS_VARIANT_ITEM (self), NULL);

  return self->value;
}

void
flow_variant_item_set_value (FlowVariantItem *self,
                             GVariant        *value)
{
  g_autoptr(GVariant) sunk = g_variant_ref_sink (value);

  g_return_if_fail (FLOW_IS_VARIANT_ITEM (self));

  if (self->value != NULL && g_variant_equal (self->value, sunk))
    return;
  g_clear_pointer (&self->value, g_variant_unref);
  self->value = g_steal_pointer (&sunk);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
}

/* Returns: (nullable): the string entry @key. */
const char *
flow_variant_item_get_string (FlowVariantItem *self,
                              const char      *key)
{
  g_return_val_if_fail (FLOW_IS_VARIANT_ITEM (self), NULL);

  return flow_lookup_string (self->value, key);
}

static char *
row_key (GVariant   *row,
         const char *key)
{
  g_autoptr(GVariant) value = g_variant_lookup_value (row, key, NULL);

  return value != NULL ? g_variant_print (value, FALSE) : g_strdup ("");
}

static gboolean
same_keys (GListStore *store,
           GVariant   *rows,
           const char *key)
{
  gsize n = g_variant_n_children (rows);

  if (n != g_list_model_get_n_items (G_LIST_MODEL (store)))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);
      g_autofree char *a = row_key (item->value, key);
      g_autofree char *b = row_key (row, key);

      if (g_strcmp0 (a, b) != 0)
        return FALSE;
    }
  return TRUE;
}

/*
 * Rows added at once, and how many a table makes widgets for: a table that is new grows in slices, so
 * that the main loop is never kept for long.
 */
#define SLICE_ROWS 12
#define WIDGET_ROWS 230
#define SLICE_MS 12

typedef struct {
  GListStore *store;         /* borrowed: it owns this */
  GPtrArray *items;
  guint next;
  guint source;
} Growth;

static void
growth_free (gpointer data)
{
  Growth *growth = data;

  g_clear_handle_id (&growth->source, g_source_remove);
  g_ptr_array_unref (growth->items);
  g_free (growth);
}

static gboolean
grow_cb (gpointer data)
{
  Growth *growth = data;
  guint left = growth->items->len - growth->next;
  guint n = growth->next >= WIDGET_ROWS ? left : MIN (left, SLICE_ROWS);

  g_list_store_splice (growth->store, growth->next, 0, growth->items->pdata + growth->next, n);
  growth->next += n;
  if (growth->next < growth->items->len)
    return G_SOURCE_CONTINUE;
  growth->source = 0;
  g_object_set_data (G_OBJECT (growth->store), "flow-growth", NULL);
  return G_SOURCE_REMOVE;
}

/* @taken: (transfer full) */
static void
grow_from (GListStore *store,
           GPtrArray  *taken,
           guint       first)
{
  Growth *growth = g_new0 (Growth, 1);

  growth->store = store;
  growth->items = taken;
  growth->next = first;
  growth->source = g_timeout_add (SLICE_MS, grow_cb, growth);
  g_object_set_data_full (G_OBJECT (store), "flow-growth", growth, growth_free);
}

/*
 * Makes @store show @rows (aa{sv}). Rows are known by their entry @key: where the keys are the same
 * as before, rows change in place and nothing scrolls.
 */
void
flow_variant_store_update (GListStore *store,
                           GVariant   *rows,
                           const char *key)
{
  gsize n = 0;
  GPtrArray *items = NULL;
  guint first = 0;

  g_return_if_fail (G_IS_LIST_STORE (store));
  g_return_if_fail (g_variant_is_of_type (rows, G_VARIANT_TYPE ("aa{sv}")));

  n = g_variant_n_children (rows);
  if (same_keys (store, rows, key))
    {
      for (gsize i = 0; i < n; i++)
        {
          g_autoptr(FlowVariantItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);
          g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

          flow_variant_item_set_value (item, row);
        }
      return;
    }
  items = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr(GVariant) row = g_variant_get_child_value (rows, i);

      g_ptr_array_add (items, flow_variant_item_new (row));
    }
  first = MIN (items->len, 2 * SLICE_ROWS);
  g_object_set_data (G_OBJECT (store), "flow-growth", NULL);
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), items->pdata,
                       first);
  if (first < items->len)
    grow_from (store, items, first);
  else
    g_ptr_array_unref (items);
}

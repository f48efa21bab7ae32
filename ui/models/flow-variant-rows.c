/* flow-variant-rows.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-variant-rows.h"

#include <string.h>

#include "flow-variant-item.h"

/**
 * FlowVariantRows:
 *
 * A list of dictionaries that a debugger answered with, taken apart. It never changes, so that it can be made on
 * another thread: a graph has thousands of variables, and a person steps through it.
 */
struct _FlowVariantRows
{
  gatomicrefcount ref_count;
  GPtrArray *rows;             /* of GVariant */
  GPtrArray *keys;             /* of strings: what tells the rows apart */
};

static char *
dup_key (GVariant   *row,
         const char *key)
{
  g_autoptr(GVariant) value = g_variant_lookup_value (row, key, NULL);

  if (value == NULL)
    return g_strdup ("");
  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                             : g_variant_print (value, FALSE);
}

/*
 * flow_variant_rows_new:
 * @rows: aa{sv}
 * @key: the entry by which rows are known
 *
 * On any thread.
 *
 * Returns: (transfer full): the rows
 */
FlowVariantRows *
flow_variant_rows_new (GVariant   *rows,
                       const char *key)
{
  FlowVariantRows *self = NULL;
  gsize n = 0;

  g_return_val_if_fail (g_variant_is_of_type (rows, G_VARIANT_TYPE ("aa{sv}")), NULL);

  n = g_variant_n_children (rows);
  self = g_new0 (FlowVariantRows, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->rows = g_ptr_array_new_full ((guint) n, (GDestroyNotify) g_variant_unref);
  self->keys = g_ptr_array_new_full ((guint) n, g_free);
  for (gsize i = 0; i < n; i++)
    {
      GVariant *row = g_variant_get_child_value (rows, i);

      g_ptr_array_add (self->rows, row);
      g_ptr_array_add (self->keys, dup_key (row, key));
    }
  return self;
}

FlowVariantRows *
flow_variant_rows_ref (FlowVariantRows *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_variant_rows_unref (FlowVariantRows *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->keys);
  g_free (self);
}

guint
flow_variant_rows_get_n (FlowVariantRows *self)
{
  return self->rows->len;
}

/* Returns: (transfer none): row @i */
GVariant *
flow_variant_rows_get (FlowVariantRows *self,
                       guint            i)
{
  return g_ptr_array_index (self->rows, i);
}

static gboolean
has_same_keys (FlowVariantRows *a,
               FlowVariantRows *b)
{
  if (a->keys->len != b->keys->len)
    return FALSE;
  for (guint i = 0; i < a->keys->len; i++)
    if (strcmp (g_ptr_array_index (a->keys, i), g_ptr_array_index (b->keys, i)) != 0)
      return FALSE;
  return TRUE;
}

/*
 * Whether two values are written alike. g_variant_equal() prints what came from another process to compare it, which
 * takes a hundred times as long; that two ways to write the same are taken for two values does no harm here.
 */
static gboolean
is_written_alike (GVariant *a,
                  GVariant *b)
{
  gsize size = g_variant_get_size (a);

  return g_variant_is_of_type (a, g_variant_get_type (b)) && size == g_variant_get_size (b) &&
         (size == 0 || memcmp (g_variant_get_data (a), g_variant_get_data (b), size) == 0);
}

/* --- in a store ------------------------------------------------------------------------------------- */

/*
 * Rows added at once, and how many a table makes widgets for: a table that is new grows in slices, so
 * that the main loop is never kept for long.
 */
#define SLICE_ROWS 12
#define WIDGET_ROWS 230
#define SLICE_MS 12

/* What a store shows, or will in a moment. */
typedef struct {
  GListStore *store;         /* borrowed: it owns this */
  FlowVariantRows *rows;
  GPtrArray *items;          /* of FlowVariantItem, one a row */
  guint next;                /* how many of them are in the store */
  guint source;
} Shown;

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  g_clear_handle_id (&shown->source, g_source_remove);
  flow_variant_rows_unref (shown->rows);
  g_ptr_array_unref (shown->items);
  g_free (shown);
}

static void
add_items (Shown *shown,
           guint  n)
{
  g_list_store_splice (shown->store, shown->next, 0, shown->items->pdata + shown->next, n);
  shown->next += n;
}

static gboolean
grow_cb (gpointer data)
{
  Shown *shown = data;
  guint left = shown->items->len - shown->next;

  add_items (shown, shown->next >= WIDGET_ROWS ? left : MIN (left, SLICE_ROWS));
  if (shown->next < shown->items->len)
    return G_SOURCE_CONTINUE;
  shown->source = 0;
  return G_SOURCE_REMOVE;
}

static void
show_other_rows (GListStore      *store,
                 FlowVariantRows *rows)
{
  Shown *shown = g_new0 (Shown, 1);

  shown->store = store;
  shown->rows = flow_variant_rows_ref (rows);
  shown->items = g_ptr_array_new_full (rows->rows->len, g_object_unref);
  for (guint i = 0; i < rows->rows->len; i++)
    g_ptr_array_add (shown->items, flow_variant_item_new (g_ptr_array_index (rows->rows, i)));
  g_object_set_data_full (G_OBJECT (store), "flow-shown", shown, shown_free);
  shown->next = MIN (shown->items->len, 2 * SLICE_ROWS);
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), shown->items->pdata, shown->next);
  if (shown->next < shown->items->len)
    shown->source = g_timeout_add (SLICE_MS, grow_cb, shown);
}

/*
 * flow_variant_store_show:
 *
 * Makes @store show @rows. Where their keys are those it shows, rows change in place and nothing scrolls.
 */
void
flow_variant_store_show (GListStore      *store,
                         FlowVariantRows *rows)
{
  Shown *shown = NULL;

  g_return_if_fail (G_IS_LIST_STORE (store));
  g_return_if_fail (rows != NULL);

  shown = g_object_get_data (G_OBJECT (store), "flow-shown");
  /* Who owns the store may have emptied it. */
  if (shown == NULL || shown->next != g_list_model_get_n_items (G_LIST_MODEL (store)) || !has_same_keys (shown->rows, rows))
    {
      show_other_rows (store, rows);
      return;
    }
  for (guint i = 0; i < rows->rows->len; i++)
    if (!is_written_alike (g_ptr_array_index (shown->rows->rows, i), g_ptr_array_index (rows->rows, i)))
      flow_variant_item_set_value (g_ptr_array_index (shown->items, i), g_ptr_array_index (rows->rows, i));
  flow_variant_rows_ref (rows);
  flow_variant_rows_unref (shown->rows);
  shown->rows = rows;
}

/*
 * flow_variant_store_update:
 * @rows: aa{sv}
 * @key: the entry by which rows are known
 *
 * As flow_variant_store_show(), of few rows that need no other thread.
 */
void
flow_variant_store_update (GListStore *store,
                           GVariant   *rows,
                           const char *key)
{
  g_autoptr(FlowVariantRows) taken = flow_variant_rows_new (rows, key);

  if (taken != NULL)
    flow_variant_store_show (store, taken);
}

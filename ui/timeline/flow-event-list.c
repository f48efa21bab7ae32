/* flow-event-list.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-event-list.h"

#include "flow-variant-item.h"

/**
 * FlowEventList:
 *
 * The executed ops, as many as there are. Rows are asked of the engine a page at a time when they come
 * into view; a million of them cost nothing until then.
 */
struct _FlowEventList
{
  GObject parent_instance;

  /* owned */
  FlowUiSession *session;
  GHashTable *pages;          /* page -> GPtrArray of FlowVariantItem */

  guint n_items;
};

#define PAGE 128
/* Pages kept; the one asked for longest ago is dropped when there are more. */
#define MAX_PAGES 64
/* GListModel counts in guint; nobody scrolls further. */
#define MAX_ITEMS (G_MAXUINT32 - 1)

static void ask_page (FlowEventList *self,
                      guint          page);

static GType
flow_event_list_get_item_type (GListModel *model)
{
  return FLOW_TYPE_VARIANT_ITEM;
}

static guint
flow_event_list_get_n_items (GListModel *model)
{
  return FLOW_EVENT_LIST (model)->n_items;
}

static FlowVariantItem *
new_item (guint64 position)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "position", "t", position);
  return flow_variant_item_new (g_variant_dict_end (&dict));
}

static GPtrArray *
get_page (FlowEventList *self,
          guint          page)
{
  GPtrArray *items = g_hash_table_lookup (self->pages, GUINT_TO_POINTER (page + 1));

  if (items != NULL)
    return items;
  if (g_hash_table_size (self->pages) >= MAX_PAGES)
    g_hash_table_remove_all (self->pages);
  items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < PAGE; i++)
    g_ptr_array_add (items, new_item ((guint64) page * PAGE + i));
  g_hash_table_insert (self->pages, GUINT_TO_POINTER (page + 1), items);
  ask_page (self, page);
  return items;
}

static gpointer
flow_event_list_get_item (GListModel *model,
                          guint       position)
{
  FlowEventList *self = FLOW_EVENT_LIST (model);

  if (position >= self->n_items)
    return NULL;
  return g_object_ref (g_ptr_array_index (get_page (self, position / PAGE), position % PAGE));
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = flow_event_list_get_item_type;
  iface->get_n_items = flow_event_list_get_n_items;
  iface->get_item = flow_event_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FlowEventList, flow_event_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static GVariant *
event_to_dict (GVariant *event)
{
  guint64 position = 0;
  guint32 node = 0;
  const char *run = NULL;
  guint32 i = 0;
  gint64 iteration = 0;
  gboolean dead = FALSE;
  guint64 ns = 0;
  gint64 bytes = 0;
  GVariantDict dict;

  g_variant_get (event, "(tu&suxbtx)", &position, &node, &run, &i, &iteration, &dead, &ns, &bytes);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "position", "t", position);
  g_variant_dict_insert (&dict, "node", "u", node);
  g_variant_dict_insert (&dict, "run", "s", run);
  g_variant_dict_insert (&dict, "i", "u", i);
  g_variant_dict_insert (&dict, "iteration", "x", iteration);
  g_variant_dict_insert (&dict, "dead", "b", dead);
  g_variant_dict_insert (&dict, "ns", "t", ns);
  g_variant_dict_insert (&dict, "bytes", "x", bytes);
  return g_variant_dict_end (&dict);
}

static void
page_cb (GObject           *owner,
         FlowDebuggerReply *reply,
         const GError      *error,
         gpointer           data)
{
  FlowEventList *self = FLOW_EVENT_LIST (owner);
  guint page = GPOINTER_TO_UINT (data);
  GPtrArray *items = g_hash_table_lookup (self->pages, GUINT_TO_POINTER (page + 1));
  g_autoptr(GVariant) events = NULL;

  if (items == NULL || reply == NULL ||
      !g_variant_is_of_type (reply->value, G_VARIANT_TYPE ("(a(tusuxbtx))")))
    return;
  events = g_variant_get_child_value (reply->value, 0);
  for (gsize i = 0; i < MIN (items->len, g_variant_n_children (events)); i++)
    {
      g_autoptr(GVariant) event = g_variant_get_child_value (events, i);

      flow_variant_item_set_value (g_ptr_array_index (items, i), event_to_dict (event));
    }
}

static void
ask_page (FlowEventList *self,
          guint          page)
{
  g_autofree char *tag = g_strdup_printf ("page-%u", page);

  flow_ui_session_query (self->session, self, tag, "Events",
                         g_variant_new ("(tu)", (guint64) page * PAGE, PAGE), page_cb,
                         GUINT_TO_POINTER (page));
}

static void
flow_event_list_dispose (GObject *object)
{
  FlowEventList *self = FLOW_EVENT_LIST (object);

  g_clear_pointer (&self->pages, g_hash_table_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (flow_event_list_parent_class)->dispose (object);
}

static void
flow_event_list_class_init (FlowEventListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = flow_event_list_dispose;
}

static void
flow_event_list_init (FlowEventList *self)
{
  self->pages = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

FlowEventList *
flow_event_list_new (FlowUiSession *session)
{
  FlowEventList *self = g_object_new (FLOW_TYPE_EVENT_LIST, NULL);

  self->session = g_object_ref (session);
  return self;
}

/* Events are only appended or, when a person goes another way, cut off: what stays stays as it is. */
void
flow_event_list_set_n_events (FlowEventList *self,
                              guint64        n_events)
{
  guint n = (guint) MIN (n_events, MAX_ITEMS);
  guint old = self->n_items;

  g_return_if_fail (FLOW_IS_EVENT_LIST (self));

  if (n == old)
    return;
  self->n_items = n;
  if (n < old)
    {
      GHashTableIter iter;
      gpointer key = NULL;

      g_hash_table_iter_init (&iter, self->pages);
      while (g_hash_table_iter_next (&iter, &key, NULL))
        if ((guint64) GPOINTER_TO_UINT (key) * PAGE > n)
          g_hash_table_iter_remove (&iter);
      g_list_model_items_changed (G_LIST_MODEL (self), n, old - n, 0);
    }
  else
    {
      /* The last page was asked for when it was shorter. */
      if (g_hash_table_contains (self->pages, GUINT_TO_POINTER (old / PAGE + 1)))
        ask_page (self, old / PAGE);
      g_list_model_items_changed (G_LIST_MODEL (self), old, 0, n - old);
    }
}

/* Another session: nothing of what is kept is true. */
void
flow_event_list_forget (FlowEventList *self)
{
  guint old = self->n_items;

  g_return_if_fail (FLOW_IS_EVENT_LIST (self));

  g_hash_table_remove_all (self->pages);
  self->n_items = 0;
  if (old > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, old, 0);
}

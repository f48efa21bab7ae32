/* flow-window-arrange.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-window-arrange.h"

#include <glib/gi18n.h>
#include <string.h>

#include "flow-window-view.h"

/* --- applying --------------------------------------------------------------------------------------- */

static void
show_switch (FlowWindow *window,
             const char *name,
             gboolean    on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
}

/* @nick: (nullable) */
static const GEnumValue *
find_direction (const char *nick)
{
  g_autoptr(GEnumClass) klass = g_type_class_ref (FLOW_TYPE_CANVAS_DIRECTION);

  return nick != NULL ? g_enum_get_value_by_nick (klass, nick) : NULL;
}

/* What is kept of the graph, and what rules say besides; a name goes before a rule. */
void
_flow_window_apply_arrange (FlowWindow *window)
{
  const FlowSceneWishes *kept = _flow_window_get_view_doc (window)->wishes;
  const FlowSceneWishes *shown = flow_canvas_get_wishes (window->canvas);
  g_autoptr(FlowSceneWishes) wishes = flow_scene_wishes_copy (kept);
  const GEnumValue *direction = find_direction (_flow_window_get_view_doc (window)->direction);

  wishes->rules = shown->rules != NULL ? g_bytes_ref (shown->rules) : NULL;
  flow_canvas_set_wishes (window->canvas, wishes);
  flow_canvas_set_direction (window->canvas, direction != NULL ? direction->value : FLOW_CANVAS_AS_IT_FITS);
  show_switch (window, "series", !kept->flat);
  show_switch (window, "sections", !kept->whole);
  _flow_window_queue_state (window);
}

/* @places: (nullable): a FlowPlaceWish byte per node */
void
_flow_window_place_by_rules (FlowWindow *window,
                             GBytes     *places)
{
  g_autoptr(FlowSceneWishes) wishes = flow_scene_wishes_copy (flow_canvas_get_wishes (window->canvas));

  g_clear_pointer (&wishes->rules, g_bytes_unref);
  wishes->rules = places != NULL ? g_bytes_ref (places) : NULL;
  flow_canvas_set_wishes (window->canvas, wishes);
}

static void
changed (FlowWindow *window)
{
  _flow_window_view_changed (window);
  _flow_window_apply_arrange (window);
}

/* --- switches --------------------------------------------------------------------------------------- */

/* On or off for all of the graph: what was said of single series before does not count any more. */
static void
series_cb (GSimpleAction *action,
           GVariant      *state,
           FlowWindow    *window)
{
  FlowSceneWishes *wishes = _flow_window_get_view_doc (window)->wishes;

  wishes->flat = !g_variant_get_boolean (state);
  g_hash_table_remove_all (wishes->series);
  changed (window);
}

static void
sections_cb (GSimpleAction *action,
             GVariant      *state,
             FlowWindow    *window)
{
  _flow_window_get_view_doc (window)->wishes->whole = !g_variant_get_boolean (state);
  changed (window);
}

/* --- actions ---------------------------------------------------------------------------------------- */

/* The parameter is a node, scope or series; empty: the selected one. The repeats it is one of are folded, or are not. */
void
_flow_window_fold_series (FlowWindow *window,
                          GVariant   *parameter)
{
  FlowSceneWishes *wishes = _flow_window_get_view_doc (window)->wishes;
  gboolean is_folded = FALSE;
  g_autofree char *key = flow_canvas_dup_series (window->canvas, _flow_window_text_or_null (parameter), &is_folded);

  if (key == NULL)
    {
      _flow_window_toast (window, _("Nothing beside it is numbered and built as it is"));
      return;
    }
  g_hash_table_insert (wishes->series, g_steal_pointer (&key), GUINT_TO_POINTER (is_folded ? FLOW_WISH_FLAT : FLOW_WISH_FOLDED));
  changed (window);
}

static void
place (FlowWindow    *window,
       GVariant      *parameter,
       FlowPlaceWish  wish)
{
  FlowGraph *graph = flow_ui_session_get_graph (window->session);
  const char *text = _flow_window_text_or_null (parameter);
  g_autofree char *name = text != NULL ? g_strdup (text) : flow_ui_session_dup_selected_name (window->session);

  if (name != NULL && g_str_has_suffix (name, "/"))
    name[strlen (name) - 1] = '\0';
  if (name == NULL || (flow_graph_find_node (graph, name) == FLOW_NODE_NONE && flow_graph_find_scope (graph, name) == FLOW_SCOPE_NONE))
    {
      _flow_window_toast (window, _("Select a node or scope first"));
      return;
    }
  g_hash_table_insert (_flow_window_get_view_doc (window)->wishes->places, g_steal_pointer (&name), GUINT_TO_POINTER (wish));
  changed (window);
}

/* The parameter is a node or scope; empty: the selected one. */
void
_flow_window_move_aside (FlowWindow *window,
                         GVariant   *parameter)
{
  place (window, parameter, FLOW_WISH_ASIDE);
}

void
_flow_window_move_back (FlowWindow *window,
                        GVariant   *parameter)
{
  place (window, parameter, FLOW_WISH_BACK);
}

/* The parameter is a nick of FlowCanvasDirection. What a person says goes before what fits. */
void
_flow_window_set_direction (FlowWindow *window,
                            GVariant   *parameter)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);
  const GEnumValue *direction = find_direction (g_variant_get_string (parameter, NULL));

  if (direction == NULL)
    return;
  g_free (doc->direction);
  doc->direction = direction->value != FLOW_CANVAS_AS_IT_FITS ? g_strdup (direction->value_nick) : NULL;
  changed (window);
}

/* As the rules of the scene have it, and laid out afresh. */
void
_flow_window_arrange_anew (FlowWindow *window,
                           GVariant   *parameter)
{
  FlowViewDoc *doc = _flow_window_get_view_doc (window);

  if (!flow_scene_wishes_is_empty (doc->wishes))
    {
      flow_scene_wishes_free (doc->wishes);
      doc->wishes = flow_scene_wishes_new ();
      changed (window);
    }
  flow_canvas_tidy (window->canvas);
}

/* The parameter is how many names deep scopes are to be open. */
void
_flow_window_expand_depth (FlowWindow *window,
                           GVariant   *parameter)
{
  const char *text = g_variant_get_string (parameter, NULL);
  guint64 depth = 0;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &depth, NULL))
    {
      _flow_window_toast (window, _("How deep scopes are to be open is a number"));
      return;
    }
  flow_canvas_expand_to_depth (window->canvas, (guint) depth);
}

void
_flow_window_init_arrange (FlowWindow *window)
{
  static const struct {
    const char *name;
    GCallback callback;
  } switches[] = {
    { "series", G_CALLBACK (series_cb) },
    { "sections", G_CALLBACK (sections_cb) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      g_autoptr(GSimpleAction) action =
        g_simple_action_new_stateful (switches[i].name, NULL, g_variant_new_boolean (TRUE));

      g_signal_connect_object (action, "change-state", switches[i].callback, window, 0);
      g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (action));
    }
}

/* flow-view.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-view.h"

/**
 * FlowView:
 *
 * What all views of a session have in common: they listen to it without outliving it, and ask for
 * values only while somebody can see them.
 */
typedef struct {
  /* owned */
  FlowUiSession *session;

  guint refresh_source;
  guint plan_source;
  guint graph_source;          /* holds the session's count of what is pending */
  guint needs_refresh : 1;
  guint needs_plan : 1;
} FlowViewPrivate;

enum {
  PROP_0,
  PROP_SESSION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (FlowView, flow_view, ADW_TYPE_BIN)

#define CALL(self, vfunc)                                         \
  G_STMT_START {                                                  \
    if (FLOW_VIEW_GET_CLASS (self)->vfunc != NULL)                \
      FLOW_VIEW_GET_CLASS (self)->vfunc (self);                   \
  } G_STMT_END

static void
forget_graph (FlowView *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  if (priv->graph_source == 0)
    return;
  g_clear_handle_id (&priv->graph_source, g_source_remove);
  flow_ui_session_release_pending (priv->session);
}

/* Makes up for what was put off while nobody saw the view. */
static void
catch_up (FlowView *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  if (priv->graph_source == 0)
    return;
  forget_graph (self);
  CALL (self, graph_changed);
  CALL (self, selection_changed);
  CALL (self, node_states_changed);
}

static gboolean
refresh_cb (gpointer data)
{
  FlowView *self = FLOW_VIEW (data);
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  priv->refresh_source = 0;
  priv->needs_refresh = FALSE;
  catch_up (self);
  CALL (self, refresh);
  return G_SOURCE_REMOVE;
}

/* Asks for a refresh: once, soon, or when the view is next seen. */
void
flow_view_queue_refresh (FlowView *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  g_return_if_fail (FLOW_IS_VIEW (self));

  priv->needs_refresh = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && priv->refresh_source == 0)
    priv->refresh_source = g_idle_add (refresh_cb, self);
}

static gboolean
graph_cb (gpointer data)
{
  catch_up (FLOW_VIEW (data));
  return G_SOURCE_REMOVE;
}

/* What is seen changes at once; the other views one after the other, each in a moment of its own, so that
 * a large graph never keeps the window from being drawn. */
static void
graph_changed_cb (FlowUiSession *session,
                  FlowView      *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  forget_graph (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      CALL (self, graph_changed);
    }
  else
    {
      flow_ui_session_hold_pending (session);
      priv->graph_source = g_idle_add (graph_cb, self);
    }
  flow_view_queue_refresh (self);
}

static gboolean
plan_cb (gpointer data)
{
  FlowView *self = FLOW_VIEW (data);
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  priv->plan_source = 0;
  priv->needs_plan = FALSE;
  catch_up (self);
  CALL (self, plan_changed);
  return G_SOURCE_REMOVE;
}

/* As for a refresh: several changes are one, and what is not seen waits until it is. */
static void
queue_plan (FlowView *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  priv->needs_plan = TRUE;
  if (priv->plan_source == 0 &&
      (FLOW_VIEW_GET_CLASS (self)->works_unseen || gtk_widget_get_mapped (GTK_WIDGET (self))))
    priv->plan_source = g_idle_add (plan_cb, self);
}

static void
plan_changed_cb (FlowUiSession *session,
                 FlowView      *self)
{
  if (FLOW_VIEW_GET_CLASS (self)->plan_changed != NULL)
    queue_plan (self);
}

static void
selection_changed_cb (FlowUiSession *session,
                      FlowView      *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  if (priv->graph_source == 0)
    CALL (self, selection_changed);
}

static void
node_states_changed_cb (FlowUiSession *session,
                        FlowView      *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  if (priv->graph_source == 0)
    CALL (self, node_states_changed);
}

static void
state_changed_cb (FlowUiSession *session,
                  FlowView      *self)
{
  flow_view_queue_refresh (self);
}

static void
flow_view_map (GtkWidget *widget)
{
  FlowView *self = FLOW_VIEW (widget);
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  GTK_WIDGET_CLASS (flow_view_parent_class)->map (widget);

  catch_up (self);
  if (priv->needs_plan)
    queue_plan (self);
  if (priv->needs_refresh)
    flow_view_queue_refresh (self);
}

static void
flow_view_dispose (GObject *object)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (FLOW_VIEW (object));

  g_clear_handle_id (&priv->refresh_source, g_source_remove);
  g_clear_handle_id (&priv->plan_source, g_source_remove);
  if (priv->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (priv->session, object);
      forget_graph (FLOW_VIEW (object));
    }
  g_clear_object (&priv->session);

  G_OBJECT_CLASS (flow_view_parent_class)->dispose (object);
}

static void
flow_view_get_property (GObject    *object,
                        guint       prop_id,
                        GValue     *value,
                        GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_SESSION:
      g_value_set_object (value, flow_view_get_session (FLOW_VIEW (object)));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_view_set_property (GObject      *object,
                        guint         prop_id,
                        const GValue *value,
                        GParamSpec   *pspec)
{
  switch (prop_id)
    {
    case PROP_SESSION:
      flow_view_set_session (FLOW_VIEW (object), g_value_get_object (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
flow_view_class_init (FlowViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = flow_view_dispose;
  object_class->get_property = flow_view_get_property;
  object_class->set_property = flow_view_set_property;
  GTK_WIDGET_CLASS (klass)->map = flow_view_map;

  properties[PROP_SESSION] =
    g_param_spec_object ("session", NULL, NULL, FLOW_TYPE_UI_SESSION,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
flow_view_init (FlowView *self)
{
}

FlowUiSession *
flow_view_get_session (FlowView *self)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  g_return_val_if_fail (FLOW_IS_VIEW (self), NULL);

  return priv->session;
}

/* A view is given its session once, by the window that owns both. */
void
flow_view_set_session (FlowView      *self,
                       FlowUiSession *session)
{
  FlowViewPrivate *priv = flow_view_get_instance_private (self);

  g_return_if_fail (FLOW_IS_VIEW (self));
  g_return_if_fail (session == NULL || FLOW_IS_UI_SESSION (session));

  if (priv->session == session)
    return;
  if (priv->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (priv->session, self);
      forget_graph (self);
    }
  g_set_object (&priv->session, session);
  if (session != NULL)
    {
      g_signal_connect_object (session, "graph-changed", G_CALLBACK (graph_changed_cb), self, 0);
      g_signal_connect_object (session, "plan-changed", G_CALLBACK (plan_changed_cb), self, 0);
      g_signal_connect_object (session, "selection-changed", G_CALLBACK (selection_changed_cb),
                               self, 0);
      g_signal_connect_object (session, "node-states-changed",
                               G_CALLBACK (node_states_changed_cb), self, 0);
      g_signal_connect_object (session, "state-changed", G_CALLBACK (state_changed_cb), self, 0);
      CALL (self, setup);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SESSION]);
}

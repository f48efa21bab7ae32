/* flow-link-debugger-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-link.h"

#include "flow-engine-bus.h"
#include "flow-link-journal.h"
#include "flow-link-output.h"

G_BEGIN_DECLS

struct _FlowLinkDebugger
{
  GObject parent_instance;

  /* owned */
  char *engine_path;
  GSubprocess *process;
  GDBusConnection *connection;
  FlowLinkBusEngine *proxy;    /* NULL until the engine answers */
  GCancellable *starting;      /* while it is being started */
  GQueue waiting;              /* of FlowLinkCall, until the proxy is there */
  GHashTable *calls;           /* FlowLinkCall: asked and not answered */
  FlowGraph *graph;
  FlowDebugState *state;
  FlowLinkJournal *journal;
  guint64 serial;

  guint64 graph_serial;        /* of the graph at hand, by the engine's count */
  FlowLinkOutput *output;      /* what the script prints; NULL without one */
  char *script;                /* NULL: the engine is flowstep-engine */
  GVariant *script_options;
  GVariant *late_state;        /* speaks of nodes that are on their way */
  GQueue late_replies;         /* of LateReply: they speak of these too */
  guint kill_source;           /* a script that was interrupted has until then */

  guint has_ended : 1;
  guint is_opening : 1;        /* Open fetches the graph itself */
  guint is_fetching : 1;
  guint fetch_again : 1;       /* the graph has grown since it was asked for */
  guint late_stop : 1;
};

/* A call on its way. The task holds the debugger. */
typedef struct {
  GTask *task;
  char *method;
  GVariant *arguments;
  GPtrArray *tensors;
  guint64 serial;
  guint64 position;            /* of the debugger when it was asked */
  GCancellable *cancellable;
  gulong cancelled_id;
  gboolean is_orphan;          /* the connection broke; the engine's end will say why */
} FlowLinkCall;

/* Calls; those that end one free it. */
void _flow_link_call_free (FlowLinkCall *call);
void _flow_link_call_fail (FlowLinkCall *call,
                           GError       *error);
void _flow_link_call_reply (FlowLinkDebugger *self,
                            FlowLinkCall     *call,
                            GVariant         *value,
                            GPtrArray        *tensors);
void _flow_link_call_send (FlowLinkDebugger *self,
                           FlowLinkCall     *call);

/* What goes to the engine and comes back. */
gboolean _flow_link_debugger_send (FlowLinkDebugger     *self,
                                   guint64               serial,
                                   const char           *method,
                                   GVariant             *arguments,
                                   GPtrArray            *tensors,
                                   GAsyncReadyCallback   callback,
                                   gpointer              data,
                                   GError              **error);
GVariant *_flow_link_debugger_read (FlowLinkDebugger  *self,
                                    GObject           *source,
                                    GAsyncResult      *result,
                                    GPtrArray        **tensors,
                                    GError           **error);
void _flow_link_debugger_set_state (FlowLinkDebugger *self,
                                    GVariant         *variant);
void _flow_link_debugger_forget_state (FlowLinkDebugger *self);

/* flow-link-fetch.c */
void _flow_link_debugger_fetch_graph (FlowLinkDebugger *self,
                                      FlowLinkCall     *open,
                                      GVariant         *value,
                                      GPtrArray        *tensors);
/* An answer that speaks of nodes that are on their way. */
void _flow_link_debugger_keep_late (FlowLinkDebugger *self,
                                    FlowLinkCall     *call,
                                    GVariant         *value,
                                    GPtrArray        *tensors);
void _flow_link_debugger_return_late (FlowLinkDebugger *self);

/* flow-link-engine.c */
gboolean _flow_link_debugger_start (FlowLinkDebugger  *self,
                                    GError           **error);
void _flow_link_debugger_drop (FlowLinkDebugger *self);
void _flow_link_debugger_interrupt (FlowLinkDebugger *self);
void _flow_link_debugger_fail_all (FlowLinkDebugger *self,
                                   const char       *message);

G_END_DECLS

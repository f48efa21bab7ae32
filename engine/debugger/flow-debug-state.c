/* flow-debug-state.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debugger.h"

G_DEFINE_BOXED_TYPE (FlowDebugState, flow_debug_state, flow_debug_state_copy, flow_debug_state_free)

/* The members that are plain numbers: one row serves copying to a variant and back. */
typedef enum {
  AS_UINT,
  AS_INT,
  AS_UINT64,
  AS_INT64,
  AS_BOOL,
} MemberType;

#define MEMBER(name, type) { #name, G_STRUCT_OFFSET (FlowDebugState, name), type }

static const struct {
  const char *name;
  gsize offset;
  MemberType type;
} members[] = {
  MEMBER (status, AS_UINT),
  MEMBER (reason, AS_UINT),
  MEMBER (error_code, AS_INT),
  MEMBER (position, AS_UINT64),
  MEMBER (n_events, AS_UINT64),
  MEMBER (exact_from, AS_UINT64),
  MEMBER (iteration_of_run, AS_UINT),
  MEMBER (run_start, AS_UINT64),
  MEMBER (next_node, AS_UINT),
  MEMBER (iteration, AS_INT64),
  MEMBER (visit, AS_UINT),
  MEMBER (n_visits, AS_UINT),
  MEMBER (n_done, AS_UINT),
  MEMBER (n_planned, AS_UINT),
  MEMBER (plan_hits, AS_UINT64),
  MEMBER (reverse_is_exact, AS_BOOL),
  MEMBER (history_bytes, AS_UINT64),
  MEMBER (history_limit, AS_UINT64),
  MEMBER (memory_bytes, AS_UINT64),
  MEMBER (memory_limit, AS_UINT64),
  MEMBER (stop_node, AS_UINT),
  MEMBER (n_stale, AS_UINT),
  MEMBER (n_pins, AS_UINT),
};

G_STATIC_ASSERT (sizeof (FlowDebugStatus) == sizeof (guint) && sizeof (FlowStopReason) == sizeof (guint));

/**
 * flow_debug_state_copy:
 * @self: a state
 *
 * Returns: (transfer full): a copy
 */
FlowDebugState *
flow_debug_state_copy (const FlowDebugState *self)
{
  FlowDebugState *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->message = g_strdup (self->message);
  copy->run = g_strdup (self->run);
  copy->op = g_strdup (self->op);
  copy->frame = g_strdup (self->frame);
  copy->restored_from = g_strdup (self->restored_from);
  return copy;
}

/**
 * flow_debug_state_free:
 * @self: (transfer full): a state
 */
void
flow_debug_state_free (FlowDebugState *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->message);
  g_free (self->run);
  g_free (self->op);
  g_free (self->frame);
  g_free (self->restored_from);
  g_free (self);
}

/**
 * flow_debug_state_to_variant:
 * @self: a state
 *
 * Returns: (transfer floating): `a{sv}`, its members by their names; strings that are %NULL are left out
 */
GVariant *
flow_debug_state_to_variant (const FlowDebugState *self)
{
  GVariantBuilder builder;

  g_return_val_if_fail (self != NULL, NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      gconstpointer at = (const guint8 *) self + members[i].offset;
      GVariant *value = NULL;

      switch (members[i].type)
        {
        case AS_UINT: value = g_variant_new_uint32 (*(const guint *) at); break;
        case AS_INT: value = g_variant_new_int32 (*(const int *) at); break;
        case AS_UINT64: value = g_variant_new_uint64 (*(const guint64 *) at); break;
        case AS_INT64: value = g_variant_new_int64 (*(const gint64 *) at); break;
        case AS_BOOL: value = g_variant_new_boolean (*(const gboolean *) at); break;
        default: continue;
        }
      g_variant_builder_add (&builder, "{sv}", members[i].name, value);
    }
  if (self->message != NULL)
    g_variant_builder_add (&builder, "{sv}", "message", g_variant_new_string (self->message));
  if (self->run != NULL)
    g_variant_builder_add (&builder, "{sv}", "run", g_variant_new_string (self->run));
  if (self->op != NULL)
    g_variant_builder_add (&builder, "{sv}", "op", g_variant_new_string (self->op));
  if (self->frame != NULL)
    g_variant_builder_add (&builder, "{sv}", "frame", g_variant_new_string (self->frame));
  if (self->restored_from != NULL)
    g_variant_builder_add (&builder, "{sv}", "restored_from", g_variant_new_string (self->restored_from));
  return g_variant_builder_end (&builder);
}

static void
set_member (gpointer    at,
            MemberType  type,
            GVariant   *value)
{
  if (type == AS_UINT && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    *(guint *) at = g_variant_get_uint32 (value);
  else if (type == AS_INT && g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    *(int *) at = g_variant_get_int32 (value);
  else if (type == AS_UINT64 && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    *(guint64 *) at = g_variant_get_uint64 (value);
  else if (type == AS_INT64 && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *(gint64 *) at = g_variant_get_int64 (value);
  else if (type == AS_BOOL && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    *(gboolean *) at = g_variant_get_boolean (value);
}

/**
 * flow_debug_state_from_variant:
 * @variant: `a{sv}` as flow_debug_state_to_variant() makes it; other keys and types are ignored
 *
 * Returns: (transfer full): a state; what is not said is zero
 */
FlowDebugState *
flow_debug_state_from_variant (GVariant *variant)
{
  FlowDebugState *self;

  g_return_val_if_fail (variant != NULL && g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT), NULL);

  self = g_new0 (FlowDebugState, 1);
  self->next_node = FLOW_NODE_NONE;
  self->stop_node = FLOW_NODE_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autoptr (GVariant) value = g_variant_lookup_value (variant, members[i].name, NULL);

      if (value != NULL)
        set_member ((guint8 *) self + members[i].offset, members[i].type, value);
    }
  g_variant_lookup (variant, "message", "s", &self->message);
  g_variant_lookup (variant, "run", "s", &self->run);
  g_variant_lookup (variant, "op", "s", &self->op);
  g_variant_lookup (variant, "frame", "s", &self->frame);
  g_variant_lookup (variant, "restored_from", "s", &self->restored_from);
  return self;
}

/**
 * flow_stop_reason_name:
 * @reason: why a debugger stopped
 *
 * Returns: (transfer none): a word for programs: `breakpoint`, `error`, ...
 */
const char *
flow_stop_reason_name (FlowStopReason reason)
{
  static const char *const names[] = {
    "none", "step", "breakpoint", "watchpoint", "bad-value", "error", "pause", "waiting",
    "run-start", "run-end", "start", "end", "limit", "engine-ended", "input",
  };

  return (guint) reason < G_N_ELEMENTS (names) ? names[reason] : names[0];
}

/**
 * flow_debug_status_name:
 * @status: how a debugger stands
 *
 * Returns: (transfer none): a word for programs: `paused`, `running`, ...
 */
const char *
flow_debug_status_name (FlowDebugStatus status)
{
  static const char *const names[] = {
    "empty", "idle", "paused", "running", "waiting", "failed", "finished", "ended",
  };

  return (guint) status < G_N_ELEMENTS (names) ? names[status] : names[0];
}

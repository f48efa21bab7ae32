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

static const struct {
  const char *name;
  gsize offset;
} texts[] = {
  { "message", G_STRUCT_OFFSET (FlowDebugState, message) },
  { "run", G_STRUCT_OFFSET (FlowDebugState, run) },
  { "op", G_STRUCT_OFFSET (FlowDebugState, op) },
  { "frame", G_STRUCT_OFFSET (FlowDebugState, frame) },
  { "restored_from", G_STRUCT_OFFSET (FlowDebugState, restored_from) },
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
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, copy, texts[i].offset) = g_strdup (G_STRUCT_MEMBER (char *, self, texts[i].offset));
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

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (G_STRUCT_MEMBER (char *, self, texts[i].offset));
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
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = G_STRUCT_MEMBER (const char *, self, texts[i].offset);

      if (text != NULL)
        g_variant_builder_add (&builder, "{sv}", texts[i].name, g_variant_new_string (text));
    }
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

/* The first value of a name counts, as it does for g_variant_lookup(). */
static void
take_text (char     **at,
           GVariant  *value)
{
  if (*at == NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    *at = g_variant_dup_string (value, NULL);
}

/* A state comes with every answer: its dictionary is read once from end to end, not once for each name. */
static void
set_named (FlowDebugState *self,
           const char     *name,
           GVariant       *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (g_str_equal (name, members[i].name))
      {
        set_member ((guint8 *) self + members[i].offset, members[i].type, value);
        return;
      }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_equal (name, texts[i].name))
      {
        take_text (G_STRUCT_MEMBER_P (self, texts[i].offset), value);
        return;
      }
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
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_return_val_if_fail (variant != NULL && g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT), NULL);

  self = g_new0 (FlowDebugState, 1);
  self->next_node = FLOW_NODE_NONE;
  self->stop_node = FLOW_NODE_NONE;
  g_variant_iter_init (&iter, variant);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value))
    set_named (self, name, value);
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

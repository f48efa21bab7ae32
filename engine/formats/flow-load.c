/* flow-load.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-formats-private.h"

/* The budget is asked in steps of this size, so that it costs nothing per field. */
#define CHARGE_STEP (1 << 20)

/* Starts the reading of @file, a message of type @root. @problems collects what does not stop it. */
FlowLoad *
_flow_load_new (GBytes                *file,
                FlowProtoMessageId     root,
                const char            *label,
                const FlowLoadOptions *options,
                FlowBudget            *budget,
                GPtrArray             *problems)
{
  FlowLoad *self = g_new0 (FlowLoad, 1);

  self->file = g_bytes_ref (file);
  self->base = g_bytes_get_data (file, NULL);
  self->root = &flow_proto_messages[root];
  self->label = g_strdup (label);
  self->options = options;
  self->budget = flow_budget_ref (budget);
  self->problems = problems;
  return self;
}

void
_flow_load_free (FlowLoad *self)
{
  for (guint i = 0; i < FLOW_LOAD_CACHE_SIZE; i++)
    g_clear_pointer (&self->cache[i].attr, flow_attr_unref);
  flow_budget_release (self->budget, self->reserved);
  flow_budget_unref (self->budget);
  g_bytes_unref (self->file);
  g_clear_error (&self->error);
  g_free (self->label);
  g_free (self);
}

void
_flow_load_init_reader (FlowLoad        *self,
                        FlowProtoReader *reader)
{
  flow_proto_reader_init (reader, self->base, g_bytes_get_size (self->file));
}

/* Takes an error that is not about bytes; the first stays. */
void
_flow_load_take_error (FlowLoad        *self,
                       FlowProtoReader *reader,
                       GError          *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
  flow_proto_reader_fail (reader, "the message is refused");
}

/* Counts memory that decoding is about to take: two bytes of file can ask for hundreds. */
gboolean
_flow_load_charge (FlowLoad        *self,
                   FlowProtoReader *reader,
                   gsize            n_bytes)
{
  gsize missing;

  if (!g_size_checked_add (&self->charged, self->charged, n_bytes))
    self->charged = G_MAXSIZE;
  if (G_LIKELY (self->charged <= self->reserved))
    return TRUE;
  missing = MAX (self->charged - self->reserved, CHARGE_STEP);
  if (!flow_budget_reserve (self->budget, missing))
    {
      _flow_load_take_error (self, reader,
                             g_error_new (FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                                          "%s; decoding it takes more than the memory budget of %"
                                          G_GUINT64_FORMAT " bytes", self->label,
                                          flow_budget_get_limit (self->budget)));
      return FALSE;
    }
  self->reserved += missing;
  return TRUE;
}

gboolean
_flow_load_check_cancelled (FlowLoad        *self,
                            FlowProtoReader *reader,
                            double           fraction)
{
  GError *error = NULL;

  if (self->options == NULL)
    return FALSE;
  if (self->options->progress != NULL)
    self->options->progress (fraction, "Reading the graph", self->options->progress_data);
  if (!g_cancellable_set_error_if_cancelled (self->options->cancellable, &error))
    return FALSE;
  _flow_load_take_error (self, reader, error);
  return TRUE;
}

/* Says how reading ended: TRUE, or FALSE with the error, which names field and byte. */
gboolean
_flow_load_finish (FlowLoad         *self,
                   FlowProtoReader  *reader,
                   GError          **error)
{
  g_autofree char *where = NULL;
  gsize offset;

  if (!flow_proto_reader_failed (reader) && self->error == NULL)
    return TRUE;
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  offset = flow_proto_reader_get_offset (reader);
  where = _flow_proto_locate (self->root, self->base, g_bytes_get_size (self->file), offset);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
               "Can't parse %s as binary proto: %s, at byte %" G_GSIZE_FORMAT "%s%s%s", self->label,
               reader->source->problem, offset, where != NULL ? " (" : "",
               where != NULL ? where : "", where != NULL ? ")" : "");
  return FALSE;
}

/* Notes something that does not stop the file from opening. */
void
_flow_load_add_problem (FlowLoad     *self,
                        int           severity,
                        const GError *error,
                        const char   *field,
                        gint64        offset)
{
  int code = error->domain == FLOW_ERROR ? error->code : FLOW_ERROR_UNKNOWN;

  g_ptr_array_add (self->problems, flow_problem_new (code, severity, flow_error_get_node (error), field,
                                                     offset, "%s", error->message));
}

/* An illegal value of an attr: the node that is being read carries it, the file still opens. */
void
_flow_load_take_node_problem (FlowLoad        *self,
                              FlowProtoReader *reader,
                              GError          *error)
{
  flow_error_set_node (error, self->node_name, self->node_op);
  if (self->problems->len < FLOW_MAX_PROBLEMS)
    _flow_load_add_problem (self, 2, error, "attr", (gint64) flow_proto_reader_get_offset (reader));
  g_error_free (error);
}

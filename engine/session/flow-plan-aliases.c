/* flow-plan-aliases.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-plan-private.h"

#include <string.h>

/* TF: who reads a reference variable reads its buffer, and an optimizer writes there. Mostly an edge says which of the
 * two comes first. A summary or a metric of a weight that is run together with the training op has no such edge, nor has
 * a learning rate of the step that the same run assigns: there it is the order in which the executor begins ops that
 * decides, and for most graphs that is the same every time. What assigns copies into the buffer, too. A variable
 * that is a resource is read by an op of its own, whose place among the writes is decided likewise. */

/* Ops that give the buffer on that they were given. */
static const char *const passing_types[] = {
  "ExpandDims", "Identity", "PreventGradient", "Reshape", "Snapshot", "Squeeze", "StopGradient",
};

/* More reads against writes of the same variable than these are not looked through. */
#define MAX_PAIRS 1000000

/* Ops that read a variable that is a resource, and how the types of those begin that write one. */
static const char *const reading_types[] = { "ReadVariableOp", "ResourceGather", "ResourceGatherNd" };
static const char *const writing_prefixes[] = {
  "AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp", "ResourceApply", "ResourceScatter", "ResourceSparseApply",
  "ResourceStridedSliceAssign",
};

/* An op that reads a variable, or writes it in place. */
typedef struct {
  guint32 variable;
  guint32 item;
  gboolean is_resource;
} Access;

typedef struct {
  FlowPlan *plan;
  guint32 *variable_of;        /* item -> the variable whose buffer its output 0 is, or FLOW_PLAN_ITEM_NONE */
  GArray *writes;              /* of Access, those of a variable side by side */
  GArray *reads;               /* of Access */
} Aliases;

static int
compare_types (const void *a,
               const void *b)
{
  return strcmp (a, *(const char *const *) b);
}

#define IS_ONE_OF(type, types) (bsearch (type, types, G_N_ELEMENTS (types), sizeof (char *), compare_types) != NULL)

static const char *
type_of (FlowPlan *plan,
         guint32   item)
{
  return flow_graph_get_node_type (plan->graph, plan->items[item].node);
}

static guint32
variable_behind (const Aliases *self,
                 guint32        item,
                 guint          input)
{
  const FlowPlanInput *at = &self->plan->inputs[self->plan->items[item].first_input + input];

  return at->feed >= 0 || at->item == FLOW_PLAN_ITEM_NONE || at->slot != 0 ? FLOW_PLAN_ITEM_NONE
                                                                          : self->variable_of[at->item];
}

static void
find_buffers (Aliases *self)
{
  FlowPlan *plan = self->plan;

  for (guint32 i = 0; i < plan->n_items; i++)
    {
      const FlowPlanItem *item = &plan->items[i];

      self->variable_of[i] = FLOW_PLAN_ITEM_NONE;
      if (item->n_inputs == 0 && item->n_outputs == 1
          && (flow_dtype_is_ref (flow_graph_get_output_dtype (plan->graph, item->node, 0))
              || strcmp (type_of (plan, i), "VarHandleOp") == 0))
        self->variable_of[i] = i;
      else if (item->n_inputs > 0 && IS_ONE_OF (type_of (plan, i), passing_types))
        self->variable_of[i] = variable_behind (self, i, 0);
    }
}

static gboolean
writes_resource (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (writing_prefixes); i++)
    if (g_str_has_prefix (type, writing_prefixes[i]))
      return TRUE;
  return FALSE;
}

static void
find_writes (Aliases *self)
{
  FlowPlan *plan = self->plan;

  for (guint32 i = 0; i < plan->n_items; i++)
    for (guint j = 0; j < plan->items[i].n_inputs; j++)
      {
        int dtype = flow_graph_get_input_dtype (plan->graph, plan->items[i].node, j);
        Access write = { FLOW_PLAN_ITEM_NONE, i, dtype == FLOW_DTYPE_RESOURCE };

        if (!flow_dtype_is_ref (dtype) && !write.is_resource)
          continue;
        write.variable = variable_behind (self, i, j);
        if (write.variable != FLOW_PLAN_ITEM_NONE
            && (write.is_resource ? writes_resource (type_of (plan, i)) : _flow_plan_may_write (plan, i)))
          g_array_append_val (self->writes, write);
      }
}

static void
find_reads (Aliases *self)
{
  FlowPlan *plan = self->plan;
  g_autofree guint8 *is_written = g_new0 (guint8, (gsize) plan->n_items + 1);

  for (guint i = 0; i < self->writes->len; i++)
    is_written[g_array_index (self->writes, Access, i).variable] = TRUE;
  for (guint32 i = 0; i < plan->n_items; i++)
    for (guint j = 0; j < plan->items[i].n_inputs && self->variable_of[i] == FLOW_PLAN_ITEM_NONE; j++)
      {
        int dtype = flow_graph_get_input_dtype (plan->graph, plan->items[i].node, j);
        Access read = { variable_behind (self, i, j), i, dtype == FLOW_DTYPE_RESOURCE };

        if (read.variable != FLOW_PLAN_ITEM_NONE && !flow_dtype_is_ref (dtype) && is_written[read.variable]
            && (!read.is_resource || IS_ONE_OF (type_of (plan, i), reading_types)))
          g_array_append_val (self->reads, read);
      }
}

static int
compare_variables (gconstpointer a,
                   gconstpointer b)
{
  const Access *x = a;
  const Access *y = b;

  return x->variable != y->variable ? (x->variable < y->variable ? -1 : 1) : (x->item > y->item) - (x->item < y->item);
}

/* Item -> where the writes of that variable begin. */
static guint32 *
sort_writes (Aliases *self)
{
  guint32 *first = g_new (guint32, (gsize) self->plan->n_items + 1);

  memset (first, 0xff, sizeof (guint32) * ((gsize) self->plan->n_items + 1));
  g_array_sort (self->writes, compare_variables);
  for (guint i = self->writes->len; i > 0; i--)
    first[g_array_index (self->writes, Access, i - 1).variable] = i - 1;
  return first;
}

static int
compare_races (gconstpointer a,
               gconstpointer b)
{
  const FlowPlanRace *x = a;
  const FlowPlanRace *y = b;

  return x->waits < y->waits ? -1 : x->waits > y->waits;
}

static void
add_race (GArray   *races,
          FlowPlan *plan,
          guint32   waits,
          guint32   source,
          gboolean  is_write)
{
  FlowPlanRace race = { plan->items[waits].node, plan->items[source].node, is_write };

  g_array_append_val (races, race);
}

/* Of references both ways for those reads that come after a write at all: what such an op reads of other variables is
 * what they are then, too. Empty where the order at hand is that of TensorFlow. */
static GArray *
list_races (Aliases *self)
{
  FlowPlan *plan = self->plan;
  g_autoptr(GArray) begun = _flow_plan_list_as_begun (plan);
  g_autofree guint32 *when = g_new0 (guint32, (gsize) plan->n_items + 1);
  g_autofree guint32 *first_write = sort_writes (self);
  g_autofree guint8 *comes_after = g_new0 (guint8, (gsize) plan->n_items + 1);
  GArray *races = g_array_new (FALSE, FALSE, sizeof (FlowPlanRace));
  gboolean some_wrong = FALSE;
  guint n_pairs = 0;

  if (begun->len != plan->n_items)
    return races;
  for (guint32 i = 0; i < begun->len; i++)
    when[g_array_index (begun, guint32, i)] = i;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->reads->len; i++)
      for (guint j = first_write[g_array_index (self->reads, Access, i).variable]; j < self->writes->len; j++)
        {
          const Access *read = &g_array_index (self->reads, Access, i);
          const Access *write = &g_array_index (self->writes, Access, j);
          gboolean is_write = when[write->item] < when[read->item];

          if (read->variable != write->variable || n_pairs > MAX_PAIRS)
            break;
          n_pairs += pass == 0;
          if (read->item == write->item)
            continue;
          some_wrong |= is_write != (write->item < read->item) || (is_write && !read->is_resource);
          if (pass == 0)
            comes_after[read->item] |= is_write || read->is_resource;
          else if (comes_after[read->item] && is_write)
            add_race (races, plan, read->item, write->item, !read->is_resource);
          else if (comes_after[read->item])
            add_race (races, plan, write->item, read->item, FALSE);
        }
  if (!some_wrong || n_pairs > MAX_PAIRS)
    g_array_set_size (races, 0);
  g_array_sort (races, compare_races);
  return races;
}

/**
 * _flow_plan_find_races: (skip)
 * @self: a plan whose items are ordered and connected
 *
 * Which ops read a variable that another op of the plan writes, with no edge between the two, and which of them
 * TensorFlow's executor begins first.
 *
 * Returns: (transfer full) (nullable) (element-type FlowPlanRace): by what waits; %NULL where nothing is like that, and
 *   for plans with loops
 */
GArray *
_flow_plan_find_races (FlowPlan *self)
{
  Aliases aliases = { .plan = self };
  GArray *races = NULL;

  for (guint32 i = 0; i < self->n_items; i++)
    if ((self->items[i].flags & FLOW_OP_ENTER) != 0)
      return NULL;
  aliases.variable_of = g_new (guint32, (gsize) self->n_items + 1);
  aliases.writes = g_array_new (FALSE, FALSE, sizeof (Access));
  aliases.reads = g_array_new (FALSE, FALSE, sizeof (Access));
  find_buffers (&aliases);
  find_writes (&aliases);
  if (aliases.writes->len > 0)
    find_reads (&aliases);
  if (aliases.reads->len > 0)
    races = list_races (&aliases);
  g_free (aliases.variable_of);
  g_array_unref (aliases.writes);
  g_array_unref (aliases.reads);
  if (races != NULL && races->len == 0)
    g_clear_pointer (&races, g_array_unref);
  return races;
}

guint
_flow_plan_first_race (FlowPlan *self,
                       guint32   node)
{
  guint low = 0;
  guint high = self->races->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->races, FlowPlanRace, middle).waits < node)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

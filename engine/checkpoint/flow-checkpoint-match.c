/* flow-checkpoint-match.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-match.h"

#include <string.h>

/* Names to propose for one that is missing. */
#define MAX_NEAREST 3

/* Cells of edit-distance tables that one comparison fills at most, some tenths of a second. Ten
 * thousand missing names have no proposals each, and nobody would read them. */
#define MAX_WORK 30000000

/* What has fewer than half of its letters in common is another name. */
#define MAX_DISTANCE(length) (MAX (2, (length) / 2))

struct _FlowCheckpointMatch
{
  gatomicrefcount ref_count;
  GPtrArray *items;
};

typedef struct {
  const char *name;
  guint distance;
} Candidate;

static void
item_free (gpointer data)
{
  FlowMatchItem *self = data;

  g_free (self->name);
  g_clear_pointer (&self->graph_shape, flow_shape_unref);
  g_clear_pointer (&self->file_shape, flow_shape_unref);
  g_strfreev (self->nearest);
  g_free (self);
}

/**
 * flow_checkpoint_match_ref:
 * @self: a comparison
 *
 * Returns: (transfer full): @self
 */
FlowCheckpointMatch *
flow_checkpoint_match_ref (FlowCheckpointMatch *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * flow_checkpoint_match_unref:
 * @self: (transfer full): a comparison
 */
void
flow_checkpoint_match_unref (FlowCheckpointMatch *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->items);
  g_free (self);
}

G_DEFINE_BOXED_TYPE (FlowCheckpointMatch, flow_checkpoint_match, flow_checkpoint_match_ref,
                     flow_checkpoint_match_unref)

/* Whether one name is the other below some more scopes: the usual case of a renamed model. */
static gboolean
is_same_below_scope (const char *a,
                     gsize       a_length,
                     const char *b,
                     gsize       b_length)
{
  if (a_length < b_length)
    return is_same_below_scope (b, b_length, a, a_length);
  return a_length > b_length + 1 && a[a_length - b_length - 1] == '/'
         && memcmp (a + a_length - b_length, b, b_length) == 0;
}

/* Levenshtein's distance if it is at most @limit, else @limit + 1. Only the cells that can be within
 * the limit are filled. */
static guint
edit_distance (const char *a,
               guint       a_length,
               const char *b,
               guint       b_length,
               guint       limit,
               guint      *row,
               guint64    *work)
{
  if ((a_length > b_length ? a_length - b_length : b_length - a_length) > limit)
    return limit + 1;
  for (guint j = 0; j <= b_length; j++)
    row[j] = j;
  for (guint i = 1; i <= a_length; i++)
    {
      guint first = i > limit ? i - limit : 1;
      guint last = MIN (b_length, i + limit);
      guint diagonal = row[first - 1];
      guint best = G_MAXUINT;

      row[first - 1] = first == 1 ? i : limit + 1;
      for (guint j = first; j <= last; j++)
        {
          guint above = j == i + limit ? limit + 1 : row[j];
          guint cost = MIN (MIN (above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));

          diagonal = row[j];
          row[j] = cost;
          best = MIN (best, cost);
        }
      *work += last - MIN (first, last) + 1;
      if (best > limit)
        return limit + 1;
    }
  return MIN (row[b_length], limit + 1);
}

static char **
find_nearest (const char *name,
              GPtrArray  *others,
              guint64    *work)
{
  Candidate best[MAX_NEAREST];
  guint n_best = 0;
  gsize length = strlen (name);
  guint limit = (guint) MIN (MAX_DISTANCE (length), 1000);
  g_autofree guint *row = NULL;
  gsize row_length = 0;
  char **names;

  for (guint i = 0; i < others->len && *work < MAX_WORK; i++)
    {
      const char *other = others->pdata[i];
      gsize other_length = strlen (other);
      guint worst = n_best == MAX_NEAREST ? best[n_best - 1].distance : limit + 1;
      guint distance;
      guint at;

      if (worst == 0)
        break;
      if (other_length + 1 > row_length)
        {
          row_length = other_length + 1;
          row = g_renew (guint, row, row_length);
        }
      (*work)++;
      if (is_same_below_scope (name, length, other, other_length))
        distance = 1;
      else
        distance = edit_distance (name, (guint) length, other, (guint) other_length, worst - 1, row, work);
      if (distance >= worst)
        continue;
      if (n_best < MAX_NEAREST)
        n_best++;
      for (at = n_best - 1; at > 0 && best[at - 1].distance > distance; at--)
        best[at] = best[at - 1];
      best[at] = (Candidate) { other, distance };
    }
  names = g_new0 (char *, n_best + 1);
  for (guint i = 0; i < n_best; i++)
    names[i] = g_strdup (best[i].name);
  return names;
}

static FlowMatchItem *
add_item (GPtrArray  *items,
          const char *name)
{
  FlowMatchItem *item = g_new0 (FlowMatchItem, 1);

  item->name = g_strdup (name);
  g_ptr_array_add (items, item);
  return item;
}

static gboolean
fits (const FlowMatchItem        *item,
      const FlowCheckpointTensor *info)
{
  return item->graph_dtype == info->dtype
         && (item->graph_shape == NULL || flow_shape_is_compatible (item->graph_shape, info->shape));
}

/* Names of the other side that match nothing; for a variable with dtype and shape those that fit come
 * before all others. */
static void
propose (FlowMatchItem  *item,
         FlowCheckpoint *checkpoint,
         GPtrArray      *others,
         guint64        *work)
{
  g_autoptr (GPtrArray) fitting = NULL;
  g_auto (GStrv) more = NULL;
  guint n = 0;

  if (item->kind == FLOW_MATCH_ONLY_FILE)
    {
      item->nearest = find_nearest (item->name, others, work);
      return;
    }
  fitting = g_ptr_array_new ();
  for (guint i = 0; i < others->len; i++)
    if (fits (item, flow_checkpoint_find (checkpoint, others->pdata[i])))
      g_ptr_array_add (fitting, others->pdata[i]);
  item->nearest = find_nearest (item->name, fitting, work);
  if (item->kind == FLOW_MATCH_CLASH || item->nearest[0] != NULL)
    return;
  more = find_nearest (item->name, others, work);
  for (n = 0; more[n] != NULL; n++)
    ;
  if (n > 0)
    {
      g_strfreev (item->nearest);
      item->nearest = g_steal_pointer (&more);
    }
}

/**
 * flow_checkpoint_match: (skip)
 * @checkpoint: a checkpoint
 * @names: (array length=n_names): the keys that a graph's variables have
 * @dtypes: (array length=n_names): their dtypes; a reference counts as its base
 * @shapes: (array length=n_names): their shapes, which may be partly unknown; entries may be %NULL
 * @n_names: how many
 *
 * Compares what a graph wants with what a checkpoint has, and proposes names where they differ. Reads
 * no values.
 *
 * Returns: (transfer full): the comparison: first the graph's names in their order, then what only the
 *   checkpoint has, in order of the keys
 */
FlowCheckpointMatch *
flow_checkpoint_match (FlowCheckpoint     *checkpoint,
                       const char *const  *names,
                       const int          *dtypes,
                       FlowShape         **shapes,
                       guint               n_names)
{
  FlowCheckpointMatch *self;
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) free_keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();
  guint64 work = 0;

  g_return_val_if_fail (FLOW_IS_CHECKPOINT (checkpoint), NULL);

  self = g_new0 (FlowCheckpointMatch, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->items = g_ptr_array_new_with_free_func (item_free);
  for (guint i = 0; i < n_names; i++)
    {
      FlowCheckpointTensor *info = flow_checkpoint_find (checkpoint, names[i]);
      FlowMatchItem *item = add_item (self->items, names[i]);

      g_hash_table_add (wanted, (gpointer) names[i]);
      item->graph_dtype = flow_dtype_base (dtypes[i]);
      item->graph_shape = shapes[i] != NULL ? flow_shape_ref (shapes[i]) : NULL;
      if (info == NULL)
        {
          item->kind = FLOW_MATCH_ONLY_GRAPH;
          g_ptr_array_add (missing, item->name);
          continue;
        }
      item->file_dtype = info->dtype;
      item->file_shape = flow_shape_ref (info->shape);
      item->kind = fits (item, info) ? FLOW_MATCH_MATCHED : FLOW_MATCH_CLASH;
    }
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      FlowCheckpointTensor *info = flow_checkpoint_get_tensor (checkpoint, i);
      FlowMatchItem *item;

      if (g_hash_table_contains (wanted, info->name))
        continue;
      item = add_item (self->items, info->name);
      item->kind = FLOW_MATCH_ONLY_FILE;
      item->file_dtype = info->dtype;
      item->file_shape = flow_shape_ref (info->shape);
      g_ptr_array_add (free_keys, item->name);
    }
  for (guint i = 0; i < self->items->len; i++)
    {
      FlowMatchItem *item = self->items->pdata[i];

      if (item->kind == FLOW_MATCH_MATCHED)
        item->nearest = g_new0 (char *, 1);
      else
        propose (item, checkpoint, item->kind == FLOW_MATCH_ONLY_FILE ? missing : free_keys, &work);
    }
  return self;
}

/**
 * flow_checkpoint_match_get_n_items:
 * @self: a comparison
 *
 * Returns: how many names there are in both together
 */
guint
flow_checkpoint_match_get_n_items (FlowCheckpointMatch *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->items->len;
}

/**
 * flow_checkpoint_match_get_item: (skip)
 * @self: a comparison
 * @i: from 0 to the number of items less one
 *
 * Returns: (transfer none): one name
 */
const FlowMatchItem *
flow_checkpoint_match_get_item (FlowCheckpointMatch *self,
                                guint                i)
{
  g_return_val_if_fail (self != NULL && i < self->items->len, NULL);

  return self->items->pdata[i];
}

/**
 * flow_checkpoint_match_count:
 * @self: a comparison
 * @kind: what may become of a name
 *
 * Returns: of how many names it became that
 */
guint
flow_checkpoint_match_count (FlowCheckpointMatch *self,
                             FlowMatchKind        kind)
{
  guint n = 0;

  g_return_val_if_fail (self != NULL, 0);

  for (guint i = 0; i < self->items->len; i++)
    n += ((FlowMatchItem *) self->items->pdata[i])->kind == kind;
  return n;
}

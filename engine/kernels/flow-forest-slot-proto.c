/* flow-forest-slot-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The leaves of growing trees as bytes.
 */

#include "config.h"

#include "flow-forest-slot-private.h"

/* Fields of fertile_stats.proto. */
enum { SLOT_CANDIDATES = 1, SLOT_NODE = 5, SLOT_STATS, SLOT_DEPTH };
enum { CANDIDATE_SPLIT = 1, CANDIDATE_LEFT = 4, CANDIDATE_RIGHT };
enum { STAT_CLASSES = 1, STAT_NUMBERS, STAT_WEIGHT };
enum { NUMBERS_MEAN = 1, NUMBERS_SQUARES };
enum { STATS_SLOT = 1 };

/* What a LeafStat says. */
typedef struct {
  float weight;
  FlowForestLeaf classes;
  GArray *means;               /* of FlowForestValue; nullable, as what follows */
  GArray *squares;
} Stat;

static void
stat_clear (Stat *self)
{
  _flow_forest_leaf_clear (&self->classes);
  g_clear_pointer (&self->means, g_array_unref);
  g_clear_pointer (&self->squares, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stat, stat_clear)

/* --- reading --------------------------------------------------------------------------------------------------------- */

static void
read_stat (FlowProtoReader *r,
           Stat            *stat)
{
  FlowProtoReader sub;
  FlowProtoReader part;

  if (!flow_proto_reader_enter (r, &sub))
    return;
  while (flow_proto_reader_next (&sub))
    if (sub.field == STAT_WEIGHT)
      {
        flow_proto_reader_get_float (&sub, &stat->weight);
      }
    else if (sub.field == STAT_CLASSES && flow_proto_reader_enter (&sub, &part))
      {
        _flow_forest_leaf_parse (&part, &stat->classes);
      }
    else if (sub.field == STAT_NUMBERS && flow_proto_reader_enter (&sub, &part))
      {
        while (flow_proto_reader_next (&part))
          {
            GArray **to = part.field == NUMBERS_MEAN ? &stat->means : &stat->squares;

            g_clear_pointer (to, g_array_unref);
            *to = _flow_forest_vector_parse (&part);
          }
      }
}

/* TF: trusts that there is a number for each output. */
static gboolean
take_numbers (const GArray *values,
              float        *to,
              guint         n)
{
  if ((values != NULL ? values->len : 0) < n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    to[i] = g_array_index (values, FlowForestValue, i).number;
  return TRUE;
}

static gboolean
take_counts (const FlowForestSlot *self,
             const FlowForestLeaf *classes,
             FlowIntMap           *map)
{
  const gint32 n = self->params->n_outputs;

  if (self->params->stats_type != FLOW_FOREST_STATS_DENSE)
    {
      for (guint i = 0; classes->sparse != NULL && i < classes->sparse->len; i++)
        {
          const FlowForestPair *pair = &g_array_index (classes->sparse, FlowForestPair, i);

          _flow_int_map_set (map, pair->label, pair->value.number);
        }
      return TRUE;
    }
  if ((gint64) (classes->dense != NULL ? classes->dense->len : 0) < n)
    return FALSE;
  for (gint32 i = 0; i < n; i++)
    {
      const float count = g_array_index (classes->dense, FlowForestValue, i).number;

      if (count != 0)
        _flow_int_map_set (map, i, count);
    }
  return TRUE;
}

static gboolean
take_totals (FlowForestSlot *self,
             const Stat     *stat)
{
  const guint n = self->total_sums->len;

  self->weight_sum = stat->weight;
  if (self->params->stats_type == FLOW_FOREST_STATS_REGRESSION)
    return take_numbers (stat->means, (float *) (gpointer) self->total_sums->data, n) &&
           take_numbers (stat->squares, (float *) (gpointer) self->total_squares->data, n);
  if (self->params->stats_type == FLOW_FOREST_STATS_FIXED)
    return TRUE;
  if (!take_counts (self, &stat->classes, self->totals))
    return FALSE;
  self->n_seen = _flow_int_map_size (self->totals);
  return TRUE;
}

/* TF: the sides' sums begin with those of the left one, both of them. */
static void
begin_scores (FlowForestSlot *self,
              guint           i)
{
  FlowForestScore *score = &g_array_index (self->scores, FlowForestScore, i);
  gint32 at = -1;
  gint32 label;
  float count;

  while (_flow_int_map_next (self->left->pdata[i], &at, &label, &count))
    {
      score->left_sum += count;
      score->left_square += count * count;
      score->right_sum += count;
      score->right_square += count * count;
    }
}

static gboolean
take_candidate (FlowForestSlot *self,
                const Stat     *left,
                const Stat     *right)
{
  const guint n = self->total_sums->len;
  const guint i = self->splits->len - 1;

  if (self->params->stats_type == FLOW_FOREST_STATS_REGRESSION)
    {
      g_array_index (self->counts, float, i) = left->weight;
      return take_numbers (left->means, (float *) (gpointer) self->sums->data + i * n, n) &&
             take_numbers (left->squares, (float *) (gpointer) self->squares->data + i * n, n);
    }
  if (!take_counts (self, &left->classes, self->left->pdata[i]))
    return FALSE;
  if (self->params->stats_type == FLOW_FOREST_STATS_FIXED)
    return take_counts (self, &right->classes, self->right->pdata[i]);
  begin_scores (self, i);
  return TRUE;
}

static gboolean
read_candidate (FlowProtoReader *r,
                FlowForestSlot  *self)
{
  g_autoptr (FlowForestSplit) split = NULL;
  g_auto (Stat) left = { 0 };
  g_auto (Stat) right = { 0 };
  FlowProtoReader sub;
  FlowProtoReader part;

  if (!flow_proto_reader_enter (r, &sub))
    return FALSE;
  while (flow_proto_reader_next (&sub))
    if (sub.field == CANDIDATE_SPLIT && split == NULL && flow_proto_reader_enter (&sub, &part))
      split = _flow_forest_split_parse (&part);
    else if (sub.field == CANDIDATE_LEFT)
      read_stat (&sub, &left);
    else if (sub.field == CANDIDATE_RIGHT)
      read_stat (&sub, &right);
  if (split == NULL)
    split = _flow_forest_split_new (FLOW_FOREST_NO_TEST);
  /* TF: those that are too many have no place, but their counts are written. */
  return !_flow_forest_slot_add_candidate (self, split) || take_candidate (self, &left, &right);
}

gboolean
_flow_forest_slot_parse (FlowForestSlot  *self,
                         FlowProtoReader *r)
{
  const FlowProtoReader begin = *r;
  gboolean has_stats = FALSE;
  gboolean fits = TRUE;

  while (flow_proto_reader_next (r))
    if (r->field == SLOT_STATS)
      {
        g_auto (Stat) stat = { 0 };

        read_stat (r, &stat);
        has_stats = TRUE;
        fits = take_totals (self, &stat) && fits;
      }
  /* Candidates stand before what tells that there are some. */
  *r = begin;
  while (has_stats && flow_proto_reader_next (r))
    if (r->field == SLOT_CANDIDATES)
      fits = read_candidate (r, self) && fits;
  return fits;
}

/* --- writing --------------------------------------------------------------------------------------------------------- */

/* Of @n outputs; @values has as many. */
static GArray *
list_numbers (const float *numbers,
              guint        n)
{
  GArray *values = g_array_sized_new (FALSE, FALSE, sizeof (FlowForestValue), n);

  for (guint i = 0; i < n; i++)
    {
      const FlowForestValue value = { numbers[i], TRUE };

      g_array_append_val (values, value);
    }
  return values;
}

static void
write_numbers (FlowProtoWriter *w,
               const float     *means,
               const float     *squares,
               guint            n)
{
  g_autoptr (GArray) mean = list_numbers (means, n);
  g_autoptr (GArray) square = list_numbers (squares, n);

  flow_proto_writer_begin (w, STAT_NUMBERS);
  _flow_forest_vector_write (w, NUMBERS_MEAN, mean);
  _flow_forest_vector_write (w, NUMBERS_SQUARES, square);
  flow_proto_writer_end (w);
}

static void
write_classes (FlowProtoWriter      *w,
               const FlowForestSlot *self,
               const FlowIntMap     *map)
{
  FlowForestLeaf leaf = { FLOW_FOREST_DENSE_LEAF };
  gint32 at = -1;
  FlowForestPair pair = { 0, { 0, TRUE } };

  if (self->params->stats_type == FLOW_FOREST_STATS_DENSE)
    {
      leaf.dense = g_array_new (FALSE, TRUE, sizeof (FlowForestValue));
      for (gint32 i = 0; i < self->params->n_outputs; i++)
        {
          const FlowForestValue value = { _flow_int_map_get (map, i), TRUE };

          g_array_append_val (leaf.dense, value);
        }
    }
  else
    {
      leaf.kind = FLOW_FOREST_SPARSE_LEAF;
      leaf.sparse = g_array_new (FALSE, TRUE, sizeof (FlowForestPair));
      while (_flow_int_map_next (map, &at, &pair.label, &pair.value.number))
        g_array_append_val (leaf.sparse, pair);
    }
  flow_proto_writer_begin (w, STAT_CLASSES);
  _flow_forest_leaf_write (w, &leaf);
  flow_proto_writer_end (w);
  _flow_forest_leaf_clear (&leaf);
}

static void
write_candidate (FlowProtoWriter      *w,
                 const FlowForestSlot *self,
                 guint                 i)
{
  const guint n = self->total_sums->len;

  flow_proto_writer_begin (w, SLOT_CANDIDATES);
  _flow_forest_split_write (w, CANDIDATE_SPLIT, self->splits->pdata[i]);
  flow_proto_writer_begin (w, CANDIDATE_LEFT);
  if (self->params->stats_type == FLOW_FOREST_STATS_REGRESSION)
    {
      write_numbers (w, (const float *) (gpointer) self->sums->data + i * n,
                     (const float *) (gpointer) self->squares->data + i * n, n);
      flow_proto_writer_set_float (w, STAT_WEIGHT, g_array_index (self->counts, float, i));
    }
  else
    {
      write_classes (w, self, self->left->pdata[i]);
    }
  flow_proto_writer_end (w);
  if (self->params->stats_type == FLOW_FOREST_STATS_FIXED)
    {
      flow_proto_writer_begin (w, CANDIDATE_RIGHT);
      write_classes (w, self, self->right->pdata[i]);
      flow_proto_writer_end (w);
    }
  flow_proto_writer_end (w);
}

static void
write_totals (FlowProtoWriter      *w,
              const FlowForestSlot *self)
{
  flow_proto_writer_begin (w, SLOT_STATS);
  if (self->params->stats_type == FLOW_FOREST_STATS_REGRESSION)
    write_numbers (w, (const float *) (gpointer) self->total_sums->data,
                   (const float *) (gpointer) self->total_squares->data, self->total_sums->len);
  else if (self->params->stats_type != FLOW_FOREST_STATS_FIXED)
    write_classes (w, self, self->totals);
  flow_proto_writer_set_float (w, STAT_WEIGHT, self->weight_sum);
  flow_proto_writer_end (w);
}

void
_flow_forest_slot_write (const FlowForestSlot *self,
                         FlowProtoWriter      *w,
                         gint32                node)
{
  flow_proto_writer_begin (w, STATS_SLOT);
  for (guint i = 0; self->params->saves_stats && i < self->splits->len; i++)
    write_candidate (w, self, i);
  flow_proto_writer_set_int (w, SLOT_NODE, node);
  if (self->params->saves_stats)
    write_totals (w, self);
  flow_proto_writer_set_int (w, SLOT_DEPTH, self->depth);
  flow_proto_writer_end (w);
}

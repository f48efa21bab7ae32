/* flow-structure.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-structure.h"

#include <string.h>

/* Groups that are built alike: found by the hash of their ops' types, then compared op by op in the
 * order in which they were made, inputs and all. The same code makes its ops in the same order, so
 * that what is said to be alike is alike; two that were made in different orders are not found. */

/* Fewer ops are alike by chance. */
#define OPS_MIN 3
/* Lines of the legend. */
#define LEGEND_MAX 10

/* What a worker needs to know of a scene; nothing in it changes. */
struct _FlowStructureJob
{
  FlowGraph *graph;
  guint n_ops;
  guint n_groups;
  guint32 *op_group;
  guint32 *parent;               /* per group */
  guint32 *size;                 /* per group: its ops; 0: not looked at */
  guint64 *hash;
  char **path;
};

/* Groups with one hash. */
typedef struct {
  guint32 first;
  guint32 n;
  guint32 number;
  guint64 weight;
} Bucket;

typedef struct {
  const FlowStructureJob *job;
  guint32 *begin;                /* per group: where its ops begin among @ops */
  guint32 *ops;                  /* of the groups that may be alike, in the order they were made */
  guint32 *index_a;              /* per op: its place in a group + 1, where @stamp_a says so */
  guint32 *index_b;
  guint32 *stamp_a;
  guint32 *stamp_b;
  guint32 *like;                 /* per group: the first one that it is like; itself; NONE */
} Finder;

/**
 * flow_structure_job_new:
 * @scene: on the thread it belongs to
 *
 * Returns: (transfer full): a copy of what flow_structure_job_run() looks at on any thread
 */
FlowStructureJob *
flow_structure_job_new (const FlowScene *scene)
{
  FlowStructureJob *self = g_new0 (FlowStructureJob, 1);

  self->graph = g_object_ref (scene->graph);
  self->n_ops = scene->n_ops;
  self->n_groups = scene->groups->len;
  self->op_group = g_memdup2 (scene->op_group, sizeof *scene->op_group * MAX (scene->n_ops, 1));
  self->parent = g_new (guint32, self->n_groups);
  self->size = g_new0 (guint32, self->n_groups);
  self->hash = g_new (guint64, self->n_groups);
  self->path = g_new0 (char *, self->n_groups);
  for (guint g = 0; g < self->n_groups; g++)
    {
      const FlowSceneGroup *group = flow_scene_group (scene, g);

      self->parent[g] = group->parent;
      self->hash[g] = group->hash;
      if (g != FLOW_GROUP_ROOT && group->kind != FLOW_GROUP_SECTION && group->n_ops >= OPS_MIN)
        {
          self->size[g] = group->n_ops;
          self->path[g] = g_strdup (group->kind == FLOW_GROUP_SERIES ? group->label : group->key);
        }
    }
  return self;
}

void
flow_structure_job_free (FlowStructureJob *self)
{
  for (guint g = 0; g < self->n_groups; g++)
    g_free (self->path[g]);
  g_free (self->path);
  g_object_unref (self->graph);
  g_free (self->op_group);
  g_free (self->parent);
  g_free (self->size);
  g_free (self->hash);
  g_free (self);
}

/* Groups whose hash no other one has are not like any. */
static void
drop_single (FlowStructureJob *self)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint g = 0; g < self->n_groups; g++)
    if (self->size[g] > 0)
      g_hash_table_insert (seen, &self->hash[g],
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (seen, &self->hash[g])) + 1));
  for (guint g = 0; g < self->n_groups; g++)
    if (self->size[g] > 0 && GPOINTER_TO_UINT (g_hash_table_lookup (seen, &self->hash[g])) < 2)
      self->size[g] = 0;
}

static void
list_ops (Finder *self)
{
  const FlowStructureJob *job = self->job;
  g_autofree guint32 *at = g_new (guint32, job->n_groups);
  guint32 n = 0;

  self->begin = g_new (guint32, job->n_groups);
  for (guint g = 0; g < job->n_groups; g++)
    {
      self->begin[g] = at[g] = n;
      n += job->size[g];
    }
  self->ops = g_new (guint32, (gsize) n + 1);
  for (guint32 op = 0; op < job->n_ops; op++)
    for (guint32 g = job->op_group[op]; g != FLOW_GROUP_NONE; g = job->parent[g])
      if (at[g] < self->begin[g] + job->size[g])
        self->ops[at[g]++] = op;
}

static void
stamp (Finder  *self,
       guint32  group,
       guint32 *index,
       guint32 *stamps)
{
  for (guint i = 0; i < self->job->size[group]; i++)
    {
      guint32 op = self->ops[self->begin[group] + i];

      index[op] = i;
      stamps[op] = group + 1;
    }
}

/* Both groups are stamped. */
static gboolean
ops_are_alike (Finder  *self,
               guint32  a,
               guint32  b,
               guint32  group_a,
               guint32  group_b)
{
  FlowGraph *graph = self->job->graph;
  guint n_data[2] = { 0, 0 };
  guint n_control[2] = { 0, 0 };
  const FlowEndpoint *x = flow_graph_peek_inputs (graph, a, &n_data[0], &n_control[0]);
  const FlowEndpoint *y = flow_graph_peek_inputs (graph, b, &n_data[1], &n_control[1]);

  if (n_data[0] != n_data[1] || n_control[0] != n_control[1]
      || strcmp (flow_graph_get_node_type (graph, a), flow_graph_get_node_type (graph, b)) != 0)
    return FALSE;
  for (guint i = 0; i < n_data[0] + n_control[0]; i++)
    {
      gboolean in_a = x[i].node < self->job->n_ops && self->stamp_a[x[i].node] == group_a + 1;
      gboolean in_b = y[i].node < self->job->n_ops && self->stamp_b[y[i].node] == group_b + 1;

      if (in_a != in_b || (in_a && (x[i].slot != y[i].slot
                                    || self->index_a[x[i].node] != self->index_b[y[i].node])))
        return FALSE;
    }
  return TRUE;
}

static gboolean
are_alike (Finder  *self,
           guint32  a,
           guint32  b)
{
  if (self->job->size[a] != self->job->size[b])
    return FALSE;
  stamp (self, b, self->index_b, self->stamp_b);
  for (guint i = 0; i < self->job->size[a]; i++)
    if (!ops_are_alike (self, self->ops[self->begin[a] + i], self->ops[self->begin[b] + i], a, b))
      return FALSE;
  return TRUE;
}

/* Within one hash: the first group that is left is compared with all that are left. */
static void
compare_bucket (Finder *self,
                GArray *groups)
{
  for (guint i = 0; i < groups->len; i++)
    {
      guint32 a = g_array_index (groups, guint32, i);

      if (self->like[a] != FLOW_GROUP_NONE)
        continue;
      self->like[a] = a;
      stamp (self, a, self->index_a, self->stamp_a);
      for (guint k = i + 1; k < groups->len; k++)
        {
          guint32 b = g_array_index (groups, guint32, k);

          if (self->like[b] == FLOW_GROUP_NONE && are_alike (self, a, b))
            self->like[b] = a;
        }
      /* Hashes that say nothing must not cost the square of their number. */
      if (i >= 8)
        break;
    }
}

static void
find_alike (Finder *self)
{
  const FlowStructureJob *job = self->job;
  g_autoptr(GHashTable) buckets = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
                                                         (GDestroyNotify) g_array_unref);

  for (guint32 g = 0; g < job->n_groups; g++)
    {
      GArray *groups = NULL;

      if (job->size[g] == 0)
        continue;
      groups = g_hash_table_lookup (buckets, &job->hash[g]);
      if (groups == NULL)
        {
          groups = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_hash_table_insert (buckets, &job->hash[g], groups);
        }
      g_array_append_val (groups, g);
    }
  for (guint32 g = 0; g < job->n_groups; g++)
    {
      GArray *groups = job->size[g] > 0 ? g_hash_table_lookup (buckets, &job->hash[g]) : NULL;

      if (groups != NULL && g_array_index (groups, guint32, 0) == g)
        compare_bucket (self, groups);
    }
}

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const Bucket *x = a;
  const Bucket *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Numbers the structures, those that save most reading first. */
static void
number (Finder        *self,
        FlowColouring *colouring)
{
  const FlowStructureJob *job = self->job;
  g_autofree guint32 *count = g_new0 (guint32, job->n_groups);
  g_autofree guint32 *number_of = g_new0 (guint32, job->n_groups);
  g_autoptr(GArray) found = g_array_new (FALSE, TRUE, sizeof (Bucket));

  for (guint g = 0; g < job->n_groups; g++)
    if (self->like[g] != FLOW_GROUP_NONE)
      count[self->like[g]]++;
  for (guint g = 0; g < job->n_groups; g++)
    if (count[g] > 1)
      {
        Bucket bucket = { g, count[g], 0, (guint64) job->size[g] * (count[g] - 1) };

        g_array_append_val (found, bucket);
      }
  g_array_sort (found, compare_weights);
  for (guint i = 0; i < found->len; i++)
    {
      const Bucket *bucket = &g_array_index (found, Bucket, i);
      g_autofree char *tag = g_strdup_printf ("%u", i + 1);
      g_autofree char *label = NULL;
      guint8 klass = 0;

      number_of[bucket->first] = i + 1;
      if (i >= LEGEND_MAX)
        continue;
      label = g_strdup_printf ("%s · %u ops", job->path[bucket->first], job->size[bucket->first]);
      klass = flow_colouring_add_class (colouring, flow_colouring_hue (i), tag, label);
      g_array_index (colouring->classes, FlowColourClass, klass).n_ops = bucket->n;
    }
  colouring->n_groups = job->n_groups;
  colouring->number_of = g_new0 (guint32, job->n_groups);
  for (guint g = 0; g < job->n_groups; g++)
    if (self->like[g] != FLOW_GROUP_NONE)
      colouring->number_of[g] = number_of[self->like[g]];
}

/**
 * flow_structure_job_run:
 *
 * Returns: (transfer full): a colouring of kind %FLOW_COLOURING_STRUCTURE, of the scene that the job was made of
 */
FlowColouring *
flow_structure_job_run (FlowStructureJob *self)
{
  FlowColouring *colouring = flow_colouring_new_classes (0);
  Finder finder = { .job = self };

  colouring->kind = FLOW_COLOURING_STRUCTURE;
  drop_single (self);
  list_ops (&finder);
  finder.index_a = g_new (guint32, (gsize) self->n_ops + 1);
  finder.index_b = g_new (guint32, (gsize) self->n_ops + 1);
  finder.stamp_a = g_new0 (guint32, (gsize) self->n_ops + 1);
  finder.stamp_b = g_new0 (guint32, (gsize) self->n_ops + 1);
  finder.like = g_new (guint32, self->n_groups);
  memset (finder.like, 0xff, sizeof *finder.like * self->n_groups);
  find_alike (&finder);
  number (&finder, colouring);
  g_free (finder.begin);
  g_free (finder.ops);
  g_free (finder.index_a);
  g_free (finder.index_b);
  g_free (finder.stamp_a);
  g_free (finder.stamp_b);
  g_free (finder.like);
  return colouring;
}

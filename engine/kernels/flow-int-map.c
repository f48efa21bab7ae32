/* flow-int-map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-int-map-private.h"

#include <string.h>

/* How many buckets C++ has, one step after the other: a prime that is at least double the last. It takes the next step
 * when there would be as many entries as buckets. */
static const guint32 sizes[] = {
  1, 3, 7, 17, 37, 79, 167, 337, 709, 1493, 3209, 6427, 12983, 26267, 53201, 107897, 218971, 444487, 902483, 1832561,
  3721303, 7556579, 15345007, 31160981, 63278561, 128499677,
};

/* All entries are one chain; a bucket names the entry before its own first. The first of a new bucket goes to the
 * head of the chain, any other behind the bucket's front. */
enum { NONE = -1, HEAD = -2 };

typedef struct {
  gint32 key;
  gint32 next;
  float value;
} Entry;

struct _FlowIntMap
{
  GArray *entries;             /* of Entry, as they came; removed ones are in the free chain */
  gint32 *buckets;
  guint step;
  guint n;
  gint32 first;
  gint32 free;
};

static gint32 *
make_buckets (guint step)
{
  gint32 *buckets = g_new (gint32, sizes[step]);

  for (guint i = 0; i < sizes[step]; i++)
    buckets[i] = NONE;
  return buckets;
}

FlowIntMap *
_flow_int_map_new (void)
{
  FlowIntMap *self = g_new0 (FlowIntMap, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->buckets = make_buckets (0);
  self->first = NONE;
  self->free = NONE;
  return self;
}

FlowIntMap *
_flow_int_map_copy (const FlowIntMap *self)
{
  FlowIntMap *copy = g_memdup2 (self, sizeof *self);

  copy->entries = g_array_copy (self->entries);
  copy->buckets = g_memdup2 (self->buckets, sizeof (gint32) * sizes[self->step]);
  return copy;
}

void
_flow_int_map_free (FlowIntMap *self)
{
  g_array_unref (self->entries);
  g_free (self->buckets);
  g_free (self);
}

guint
_flow_int_map_size (const FlowIntMap *self)
{
  return self->n;
}

static Entry *
entry_at (const FlowIntMap *self,
          gint32            i)
{
  return &g_array_index (self->entries, Entry, i);
}

static guint
bucket_of (const FlowIntMap *self,
           gint32            key)
{
  return (guint) ((guint64) (gint64) key % sizes[self->step]);
}

static gint32 *
link_after (FlowIntMap *self,
            gint32      before)
{
  return before == HEAD ? &self->first : &entry_at (self, before)->next;
}

/* What is before the entry of @key in the chain; NONE where there is no such entry. */
static gint32
find_before (const FlowIntMap *self,
             gint32            key)
{
  const guint bucket = bucket_of (self, key);
  gint32 before = self->buckets[bucket];

  while (before != NONE)
    {
      const gint32 at = *link_after ((FlowIntMap *) self, before);

      if (at == NONE || bucket_of (self, entry_at (self, at)->key) != bucket)
        return NONE;
      if (entry_at (self, at)->key == key)
        return before;
      before = at;
    }
  return NONE;
}

gboolean
_flow_int_map_has (const FlowIntMap *self,
                   gint32            key)
{
  return find_before (self, key) != NONE;
}

static Entry *
find (const FlowIntMap *self,
      gint32            key)
{
  const gint32 before = find_before (self, key);

  return before == NONE ? NULL : entry_at (self, *link_after ((FlowIntMap *) self, before));
}

float
_flow_int_map_get (const FlowIntMap *self,
                   gint32            key)
{
  const Entry *entry = find (self, key);

  return entry != NULL ? entry->value : 0;
}

static void
chain (FlowIntMap *self,
       gint32      at)
{
  Entry *entry = entry_at (self, at);
  gint32 *before = &self->buckets[bucket_of (self, entry->key)];

  if (*before != NONE)
    {
      gint32 *link = link_after (self, *before);

      entry->next = *link;
      *link = at;
      return;
    }
  entry->next = self->first;
  self->first = at;
  *before = HEAD;
  if (entry->next != NONE)
    self->buckets[bucket_of (self, entry_at (self, entry->next)->key)] = at;
}

static void
grow (FlowIntMap *self)
{
  gint32 at = self->first;

  g_free (self->buckets);
  self->buckets = make_buckets (++self->step);
  self->first = NONE;
  while (at != NONE)
    {
      const gint32 next = entry_at (self, at)->next;

      chain (self, at);
      at = next;
    }
}

void
_flow_int_map_set (FlowIntMap *self,
                   gint32      key,
                   float       value)
{
  Entry *entry = find (self, key);
  gint32 at = self->free;

  if (entry != NULL)
    {
      entry->value = value;
      return;
    }
  if (self->n + 1 >= sizes[self->step] && self->step + 1 < G_N_ELEMENTS (sizes))
    grow (self);
  if (at == NONE)
    {
      at = (gint32) self->entries->len;
      g_array_set_size (self->entries, self->entries->len + 1);
    }
  else
    {
      self->free = entry_at (self, at)->next;
    }
  *entry_at (self, at) = (Entry) { key, NONE, value };
  chain (self, at);
  self->n++;
}

void
_flow_int_map_remove (FlowIntMap *self,
                      gint32      key)
{
  const gint32 before = find_before (self, key);
  const guint bucket = bucket_of (self, key);
  gint32 *link;
  gint32 at;
  gint32 next;
  guint behind;

  if (before == NONE)
    return;
  link = link_after (self, before);
  at = *link;
  next = entry_at (self, at)->next;
  behind = next != NONE ? bucket_of (self, entry_at (self, next)->key) : bucket;
  if (self->buckets[bucket] == before && (next == NONE || behind != bucket))
    self->buckets[bucket] = NONE;
  if (next != NONE && behind != bucket)
    self->buckets[behind] = before;
  *link = next;
  entry_at (self, at)->next = self->free;
  self->free = at;
  self->n--;
}

gboolean
_flow_int_map_next (const FlowIntMap *self,
                    gint32           *at,
                    gint32           *key,
                    float            *value)
{
  const Entry *entry;

  *at = *at == NONE ? self->first : entry_at (self, *at)->next;
  if (*at == NONE)
    return FALSE;
  entry = entry_at (self, *at);
  *key = entry->key;
  if (value != NULL)
    *value = entry->value;
  return TRUE;
}

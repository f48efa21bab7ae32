/* flow-undo.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-undo.h"

/* Entries stand in blocks that stay where they are: a log that grows is never copied. */
#define BLOCK_ENTRIES 1024

typedef enum {
  ENTRY_WORD,
  ENTRY_WORD32,
  ENTRY_VALUE,
  ENTRY_POINTER,
  ENTRY_RESOURCE,
  ENTRY_CALL,
} EntryKind;

typedef struct {
  FlowUndoFunc func;
  GDestroyNotify free_func;
} CallFuncs;

typedef struct {
  EntryKind kind;
  guint32 word32;
  gpointer where;              /* address, resource, or owner of a call */
  union {
    guint64 word;
    FlowValue value;
    struct {
      gpointer pointer;
      GDestroyNotify free_func;
      gsize bytes;             /* what the log keeps by it */
    };
    struct {
      gpointer saved;
      guint64 version;
    };
    struct {
      gpointer data;
      CallFuncs *call;
    };
  };
} Entry;

struct _FlowUndo
{
  GPtrArray *blocks;           /* of BLOCK_ENTRIES Entry each */
  guint64 base;                /* mark of the first entry of the first block: forgotten, maybe, but not yet let go */
  guint64 first;               /* mark of the oldest entry that is kept */
  guint64 end;                 /* mark behind the newest */
  gsize owned_bytes;           /* of saved resource states and of what pointers lead to */
};

/**
 * flow_undo_new: (skip)
 *
 * Returns: (transfer full): an empty log
 */
FlowUndo *
flow_undo_new (void)
{
  FlowUndo *self = g_new0 (FlowUndo, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static inline Entry *
entry_at (FlowUndo *self,
          guint64   mark)
{
  guint64 i = mark - self->base;
  Entry *block = g_ptr_array_index (self->blocks, i / BLOCK_ENTRIES);

  return block + i % BLOCK_ENTRIES;
}

/* The caller fills in what the kind wants. */
static inline Entry *
append (FlowUndo *self,
        EntryKind kind,
        gpointer  where)
{
  Entry *entry = NULL;

  if ((self->end - self->base) / BLOCK_ENTRIES == self->blocks->len)
    g_ptr_array_add (self->blocks, g_new (Entry, BLOCK_ENTRIES));
  entry = entry_at (self, self->end++);
  entry->kind = kind;
  entry->where = where;
  return entry;
}

static gsize
saved_bytes (FlowResource *resource,
             gconstpointer saved)
{
  return resource->klass->saved_bytes != NULL ? resource->klass->saved_bytes (saved) : 0;
}

static void
entry_free (FlowUndo *self,
            Entry    *entry)
{
  switch (entry->kind)
    {
    case ENTRY_VALUE:
      flow_value_clear (&entry->value);
      break;
    case ENTRY_POINTER:
      self->owned_bytes -= MIN (self->owned_bytes, entry->bytes);
      if (entry->pointer != NULL)
        entry->free_func (entry->pointer);
      break;
    case ENTRY_RESOURCE:
      {
        FlowResource *resource = entry->where;

        self->owned_bytes -= MIN (self->owned_bytes, saved_bytes (resource, entry->saved));
        resource->klass->saved_free (entry->saved);
        flow_resource_unref (resource);
        break;
      }
    case ENTRY_CALL:
      {
        CallFuncs *funcs = entry->call;

        if (funcs->free_func != NULL)
          funcs->free_func (entry->data);
        g_free (funcs);
        break;
      }
    case ENTRY_WORD:
    case ENTRY_WORD32:
    default:
      break;
    }
}

static void
entry_restore (Entry *entry)
{
  switch (entry->kind)
    {
    case ENTRY_WORD:
      *(guint64 *) entry->where = entry->word;
      break;
    case ENTRY_WORD32:
      *(guint32 *) entry->where = entry->word32;
      break;
    case ENTRY_VALUE:
      {
        FlowValue *where = entry->where;

        flow_value_clear (where);
        *where = entry->value;
        entry->value = (FlowValue) { NULL, NULL, 0 };
        break;
      }
    case ENTRY_POINTER:
      {
        gpointer *where = entry->where;

        if (*where != NULL)
          entry->free_func (*where);
        *where = g_steal_pointer (&entry->pointer);
        break;
      }
    case ENTRY_RESOURCE:
      {
        FlowResource *resource = entry->where;

        resource->klass->restore (resource, entry->saved);
        resource->version = entry->version;
        break;
      }
    case ENTRY_CALL:
      {
        CallFuncs *funcs = entry->call;

        funcs->func (entry->where, entry->data);
        break;
      }
    default:
      break;
    }
}

/**
 * flow_undo_free: (skip)
 * @self: (transfer full) (nullable): a log
 *
 * Frees the log; what it holds is forgotten, not restored.
 */
void
flow_undo_free (FlowUndo *self)
{
  if (self == NULL)
    return;
  /* Newest first: an old entry may own the memory that a newer one points into. */
  for (guint64 mark = self->end; mark > self->first; mark--)
    entry_free (self, entry_at (self, mark - 1));
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/**
 * flow_undo_mark: (skip)
 * @self: a log
 *
 * Returns: the place behind the last entry
 */
guint64
flow_undo_mark (FlowUndo *self)
{
  return self->end;
}

/**
 * flow_undo_get_first: (skip)
 * @self: a log
 *
 * Returns: the oldest mark that can still be rolled back to
 */
guint64
flow_undo_get_first (FlowUndo *self)
{
  return self->first;
}

/**
 * flow_undo_get_bytes: (skip)
 * @self: a log
 *
 * Returns: bytes that the log costs, values that others hold too not counted
 */
gsize
flow_undo_get_bytes (FlowUndo *self)
{
  return (self->end - self->first) * sizeof (Entry) + self->owned_bytes;
}

/**
 * flow_undo_rollback: (skip)
 * @self: a log
 * @mark: a mark that was not discarded
 *
 * Restores everything that was logged since @mark, newest first, and forgets it.
 */
void
flow_undo_rollback (FlowUndo *self,
                    guint64   mark)
{
  g_return_if_fail (mark >= self->first && mark <= self->end);

  while (self->end > mark)
    {
      Entry entry = *entry_at (self, --self->end);

      entry_restore (&entry);
      entry_free (self, &entry);
    }
  /* One block may stay empty: who goes back mostly goes on again. */
  if (self->blocks->len > (self->end - self->base) / BLOCK_ENTRIES + 1)
    g_ptr_array_set_size (self->blocks, (gint) ((self->end - self->base) / BLOCK_ENTRIES + 1));
}

/**
 * flow_undo_discard_before: (skip)
 * @self: a log
 * @mark: a mark
 *
 * Forgets what was logged before @mark: it cannot be rolled back to any more.
 */
void
flow_undo_discard_before (FlowUndo *self,
                          guint64   mark)
{
  guint64 n_blocks = 0;

  mark = MIN (mark, self->end);
  for (; self->first < mark; self->first++)
    entry_free (self, entry_at (self, self->first));
  n_blocks = (self->first - self->base) / BLOCK_ENTRIES;
  if (n_blocks == 0)
    return;
  g_ptr_array_remove_range (self->blocks, 0, (guint) n_blocks);
  self->base += n_blocks * BLOCK_ENTRIES;
}

/**
 * flow_undo_word: (skip)
 * @self: a log
 * @where: what will be overwritten
 */
void
flow_undo_word (FlowUndo *self,
                guint64  *where)
{
  append (self, ENTRY_WORD, where)->word = *where;
}

/**
 * flow_undo_word32: (skip)
 * @self: a log
 * @where: what will be overwritten
 */
void
flow_undo_word32 (FlowUndo *self,
                  guint32  *where)
{
  append (self, ENTRY_WORD32, where)->word32 = *where;
}

/**
 * flow_undo_value: (skip)
 * @self: a log
 * @where: what will be overwritten; empty afterwards
 */
void
flow_undo_value (FlowUndo  *self,
                 FlowValue *where)
{
  append (self, ENTRY_VALUE, where)->value = *where;
  *where = (FlowValue) { NULL, NULL, 0 };
}

/**
 * flow_undo_pointer: (skip)
 * @self: a log
 * @where: what will be overwritten; %NULL afterwards
 * @free_func: frees what the pointer points to
 * @bytes: what it takes, for the account
 */
void
flow_undo_pointer (FlowUndo      *self,
                   gpointer      *where,
                   GDestroyNotify free_func,
                   gsize          bytes)
{
  Entry *entry = append (self, ENTRY_POINTER, where);

  entry->bytes = *where != NULL ? bytes : 0;
  entry->pointer = g_steal_pointer (where);
  entry->free_func = free_func;
  self->owned_bytes += entry->bytes;
}

/**
 * flow_undo_resource: (skip)
 * @self: a log
 * @resource: what will be written
 *
 * Saves the resource's state and version.
 */
void
flow_undo_resource (FlowUndo     *self,
                    FlowResource *resource)
{
  Entry *entry = append (self, ENTRY_RESOURCE, flow_resource_ref (resource));

  entry->saved = resource->klass->save (resource);
  entry->version = resource->version;
  self->owned_bytes += saved_bytes (resource, entry->saved);
}

/**
 * flow_undo_call: (skip)
 * @self: a log
 * @func: puts things back
 * @owner: given to @func first
 * @data: (transfer full): given to @func second
 * @free_func: (nullable): frees @data
 */
void
flow_undo_call (FlowUndo      *self,
                FlowUndoFunc   func,
                gpointer       owner,
                gpointer       data,
                GDestroyNotify free_func)
{
  CallFuncs *funcs = g_new (CallFuncs, 1);
  Entry *entry = append (self, ENTRY_CALL, owner);

  funcs->func = func;
  funcs->free_func = free_func;
  entry->data = data;
  entry->call = funcs;
}

/**
 * flow_undo_foreach_resource: (skip)
 * @self: a log
 * @from: first mark
 * @to: last mark
 * @func: called with each resource state saved between them, oldest first
 * @data: given to @func
 */
void
flow_undo_foreach_resource (FlowUndo *self,
                            guint64   from,
                            guint64   to,
                            void    (*func) (FlowResource *resource,
                                             gconstpointer saved,
                                             gpointer      data),
                            gpointer  data)
{
  from = MAX (from, self->first);
  to = MIN (to, self->end);
  for (guint64 mark = from; mark < to; mark++)
    {
      Entry *entry = entry_at (self, mark);

      if (entry->kind == ENTRY_RESOURCE)
        func (entry->where, entry->saved, data);
    }
}

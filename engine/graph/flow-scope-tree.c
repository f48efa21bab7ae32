/* flow-scope-tree.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-scope-tree.h"

#include "flow-graph.h"

#include <string.h>

/* An open-addressing table of entries keyed by (scope, leaf): one for scopes, one for nodes. */
typedef struct {
  guint32 entry;               /* + 1, 0: free */
  guint32 hash;                /* tells most strangers apart without looking at their names */
} NameCell;

typedef struct {
  NameCell *cells;
  guint size;                  /* power of two */
  guint used;
} NameTable;

typedef struct {
  guint32 scope;
  guint32 leaf_length;
  const char *leaf;            /* not ended by 00 */
} NameKey;

typedef struct {
  NameKey key;                 /* parent scope and leaf */
  char *leaf;                  /* ended by 00 */
  char *path;                  /* made when asked for; atomic */
  guint32 depth;
  guint32 total;
  guint32 own_node;
  guint32 path_length;
  GArray *children;            /* of guint32; NULL while empty */
  GArray *nodes;
} Scope;

struct _FlowScopeTree
{
  GArray *scopes;              /* of Scope */
  GArray *names;               /* of NameKey, by node */
  NameTable scope_table;
  NameTable node_table;
  GStringChunk *leaves;
  GArray *empty;
};

static guint32
hash_key (const NameKey *key)
{
  guint64 hash = (key->scope + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (guint32 i = 0; i < key->leaf_length; i++)
    hash = (hash ^ (guchar) key->leaf[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint32) (hash ^ (hash >> 29));
}

static gboolean
key_equal (const NameKey *a,
           const NameKey *b)
{
  return a->scope == b->scope && a->leaf_length == b->leaf_length
         && memcmp (a->leaf, b->leaf, a->leaf_length) == 0;
}

static const NameKey *
key_of (FlowScopeTree   *self,
        const NameTable *table,
        guint32          entry)
{
  if (table == &self->scope_table)
    return &g_array_index (self->scopes, Scope, entry).key;
  return &g_array_index (self->names, NameKey, entry);
}

static guint32
table_find (FlowScopeTree   *self,
            const NameTable *table,
            const NameKey   *key)
{
  guint32 hash = hash_key (key);

  if (table->size == 0)
    return G_MAXUINT32;
  for (guint at = hash & (table->size - 1);; at = (at + 1) & (table->size - 1))
    {
      const NameCell *cell = &table->cells[at];

      if (cell->entry == 0)
        return G_MAXUINT32;
      if (cell->hash == hash && key_equal (key_of (self, table, cell->entry - 1), key))
        return cell->entry - 1;
    }
}

static void
table_put (NameTable *table,
           NameCell   cell)
{
  guint at = cell.hash & (table->size - 1);

  while (table->cells[at].entry != 0)
    at = (at + 1) & (table->size - 1);
  table->cells[at] = cell;
}

static void
table_add (FlowScopeTree *self,
           NameTable     *table,
           guint32        entry)
{
  if (table->used * 2 >= table->size)
    {
      g_autofree NameCell *old = table->cells;
      guint old_size = table->size;

      table->size = MAX (64, old_size * 2);
      table->cells = g_new0 (NameCell, table->size);
      for (guint i = 0; i < old_size; i++)
        if (old[i].entry != 0)
          table_put (table, old[i]);
    }
  table->used++;
  table_put (table, (NameCell) { entry + 1, hash_key (key_of (self, table, entry)) });
}

static Scope *
scope_at (FlowScopeTree *self,
          guint32        scope)
{
  return &g_array_index (self->scopes, Scope, scope);
}

static void
append_index (GArray  **array,
              guint32   value)
{
  if (*array == NULL)
    *array = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (*array, value);
}

static guint32
add_scope (FlowScopeTree *self,
           const NameKey *key)
{
  guint32 index = self->scopes->len;
  guint32 parent = key->scope;
  Scope scope = { .key = *key, .own_node = FLOW_NODE_NONE };

  scope.leaf = g_string_chunk_insert_len (self->leaves, key->leaf, key->leaf_length);
  scope.key.leaf = scope.leaf;
  if (index > 0)
    {
      scope.depth = scope_at (self, parent)->depth + 1;
      scope.path_length = scope_at (self, parent)->path_length + key->leaf_length + (parent != FLOW_SCOPE_ROOT ? 1 : 0);
      scope.own_node = table_find (self, &self->node_table, key);
    }
  g_array_append_val (self->scopes, scope);
  if (index > 0)
    {
      append_index (&scope_at (self, parent)->children, index);
      table_add (self, &self->scope_table, index);
    }
  return index;
}

FlowScopeTree *
_flow_scope_tree_new (void)
{
  FlowScopeTree *self = g_new0 (FlowScopeTree, 1);
  NameKey root = { .scope = FLOW_SCOPE_NONE, .leaf = "" };

  self->scopes = g_array_new (FALSE, FALSE, sizeof (Scope));
  self->names = g_array_new (FALSE, FALSE, sizeof (NameKey));
  self->leaves = g_string_chunk_new (16384);
  self->empty = g_array_new (FALSE, FALSE, sizeof (guint32));
  add_scope (self, &root);
  return self;
}

void
_flow_scope_tree_free (FlowScopeTree *self)
{
  for (guint i = 0; i < self->scopes->len; i++)
    {
      Scope *scope = scope_at (self, i);

      g_clear_pointer (&scope->children, g_array_unref);
      g_clear_pointer (&scope->nodes, g_array_unref);
      g_free (scope->path);
    }
  g_array_unref (self->scopes);
  g_array_unref (self->names);
  g_array_unref (self->empty);
  g_string_chunk_free (self->leaves);
  g_free (self->scope_table.cells);
  g_free (self->node_table.cells);
  g_free (self);
}

/* Walks the parts before the last '/', making scopes on the way when @make. Most names that are met stand in
 * the scope of the node at hand: with @near the walk begins there if they do. */
static gboolean
walk (FlowScopeTree *self,
      guint32        near,
      const char    *name,
      gsize          length,
      gboolean       make,
      NameKey       *last)
{
  NameKey key = { .scope = FLOW_SCOPE_ROOT };
  const char *end = name + length;
  const char *begin = name;

  if (near < self->names->len)
    {
      const NameKey *other = &g_array_index (self->names, NameKey, near);
      gsize prefix = other->scope != FLOW_SCOPE_ROOT ? scope_at (self, other->scope)->path_length + 1 : 0;

      if (prefix < length && memcmp (name, other->leaf - prefix, prefix) == 0)
        {
          key.scope = other->scope;
          begin = name + prefix;
        }
    }
  for (const char *part = begin;;)
    {
      const char *slash = memchr (part, '/', (gsize) (end - part));
      guint32 scope;

      key.leaf = part;
      key.leaf_length = (guint32) ((slash != NULL ? slash : end) - part);
      if (slash == NULL)
        {
          *last = key;
          return TRUE;
        }
      scope = table_find (self, &self->scope_table, &key);
      if (scope == FLOW_SCOPE_NONE)
        {
          if (!make)
            return FALSE;
          scope = add_scope (self, &key);
        }
      key.scope = scope;
      part = slash + 1;
    }
}

void
_flow_scope_tree_add_node (FlowScopeTree *self,
                           guint32        node,
                           const char    *name,
                           gsize          length,
                           guint32       *scope,
                           guint32       *leaf)
{
  NameKey key;
  guint32 same;

  walk (self, node - 1, name, length, TRUE, &key);
  g_assert (node == self->names->len);
  g_array_append_val (self->names, key);
  table_add (self, &self->node_table, node);
  append_index (&scope_at (self, key.scope)->nodes, node);
  for (guint32 s = key.scope; s != FLOW_SCOPE_NONE; s = scope_at (self, s)->key.scope)
    scope_at (self, s)->total++;
  same = table_find (self, &self->scope_table, &key);
  if (same != FLOW_SCOPE_NONE)
    scope_at (self, same)->own_node = node;
  *scope = key.scope;
  *leaf = (guint32) (key.leaf - name);
}

static void
table_rebuild (FlowScopeTree *self,
               NameTable     *table,
               guint32        first,
               guint32        count)
{
  memset (table->cells, 0, sizeof (NameCell) * table->size);
  table->used = 0;
  for (guint32 i = first; i < count; i++)
    table_add (self, table, i);
}

static void
drop_from (GArray  *array,
           guint32  first)
{
  while (array != NULL && array->len > 0 && g_array_index (array, guint32, array->len - 1) >= first)
    g_array_set_size (array, array->len - 1);
}

void
_flow_scope_tree_truncate (FlowScopeTree *self,
                           guint          n_nodes,
                           guint          n_scopes)
{
  for (guint32 node = n_nodes; node < self->names->len; node++)
    {
      guint32 scope = g_array_index (self->names, NameKey, node).scope;

      drop_from (scope_at (self, scope)->nodes, n_nodes);
      for (guint32 s = scope; s != FLOW_SCOPE_NONE; s = scope_at (self, s)->key.scope)
        scope_at (self, s)->total--;
    }
  for (guint32 i = self->scopes->len; i > n_scopes; i--)
    {
      Scope *scope = scope_at (self, i - 1);

      drop_from (scope_at (self, scope->key.scope)->children, n_scopes);
      g_clear_pointer (&scope->children, g_array_unref);
      g_clear_pointer (&scope->nodes, g_array_unref);
      g_clear_pointer (&scope->path, g_free);
    }
  g_array_set_size (self->names, n_nodes);
  g_array_set_size (self->scopes, n_scopes);
  for (guint i = 0; i < n_scopes; i++)
    if (scope_at (self, i)->own_node != FLOW_NODE_NONE && scope_at (self, i)->own_node >= n_nodes)
      scope_at (self, i)->own_node = FLOW_NODE_NONE;
  if (self->node_table.size > 0)
    table_rebuild (self, &self->node_table, 0, n_nodes);
  if (self->scope_table.size > 0)
    table_rebuild (self, &self->scope_table, 1, n_scopes);
}

guint32
_flow_scope_tree_find_node (FlowScopeTree *self,
                            guint32        near,
                            const char    *name,
                            gsize          length)
{
  NameKey key;

  return walk (self, near, name, length, FALSE, &key) ? table_find (self, &self->node_table, &key) : FLOW_NODE_NONE;
}

guint32
_flow_scope_tree_find_scope (FlowScopeTree *self,
                             const char    *path,
                             gsize          length)
{
  NameKey key;

  if (length == 0)
    return FLOW_SCOPE_ROOT;
  return walk (self, FLOW_NODE_NONE, path, length, FALSE, &key) ? table_find (self, &self->scope_table, &key) : FLOW_SCOPE_NONE;
}

guint
_flow_scope_tree_get_n_scopes (FlowScopeTree *self)
{
  return self->scopes->len;
}

const char *
_flow_scope_tree_get_path (FlowScopeTree *self,
                           guint32        scope)
{
  Scope *record = scope_at (self, scope);
  char *path = g_atomic_pointer_get (&record->path);
  gsize at;

  if (path != NULL)
    return path;
  path = g_malloc (record->path_length + 1);
  at = record->path_length;
  path[at] = '\0';
  for (guint32 s = scope; s != FLOW_SCOPE_ROOT; s = scope_at (self, s)->key.scope)
    {
      const Scope *part = scope_at (self, s);

      at -= part->key.leaf_length;
      memcpy (path + at, part->key.leaf, part->key.leaf_length);
      if (at > 0)
        path[--at] = '/';
    }
  if (!g_atomic_pointer_compare_and_exchange (&record->path, NULL, path))
    {
      g_free (path);
      path = g_atomic_pointer_get (&record->path);
    }
  return path;
}

const char *
_flow_scope_tree_get_leaf (FlowScopeTree *self,
                           guint32        scope)
{
  return scope_at (self, scope)->leaf;
}

guint32
_flow_scope_tree_get_parent (FlowScopeTree *self,
                             guint32        scope)
{
  return scope_at (self, scope)->key.scope;
}

guint
_flow_scope_tree_get_depth (FlowScopeTree *self,
                            guint32        scope)
{
  return scope_at (self, scope)->depth;
}

guint
_flow_scope_tree_get_total (FlowScopeTree *self,
                            guint32        scope)
{
  return scope_at (self, scope)->total;
}

guint32
_flow_scope_tree_get_own_node (FlowScopeTree *self,
                               guint32        scope)
{
  return scope_at (self, scope)->own_node;
}

const GArray *
_flow_scope_tree_get_children (FlowScopeTree *self,
                               guint32        scope)
{
  GArray *children = scope_at (self, scope)->children;

  return children != NULL ? children : self->empty;
}

const GArray *
_flow_scope_tree_get_nodes (FlowScopeTree *self,
                            guint32        scope)
{
  GArray *nodes = scope_at (self, scope)->nodes;

  return nodes != NULL ? nodes : self->empty;
}

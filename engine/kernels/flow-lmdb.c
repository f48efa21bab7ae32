/* flow-lmdb.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-lmdb-private.h"

#include "flow-util.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The layout of LMDB's format 1 on 64-bit machines of this byte order. A page begins with its number (8 bytes), two
 * that do not matter, its kind (2), and where its free room begins and ends (2 and 2), or how many pages a long value
 * takes (4). */
#define MAGIC 0xbeefc0deu
#define FORMAT 1
#define PAGE_HEADER 16
#define NODE_HEADER 8
#define NO_PAGE G_MAXUINT64
/* Of the two first pages, which hold what the tree is as a whole: where the words are that are asked for. */
#define META_SIZE 136
#define META_VERSION 4
#define META_PAGE_SIZE 24
#define META_MAIN 72
#define META_ROOT (META_MAIN + 40)
#define META_TRANSACTION 128

enum {
  PAGE_BRANCH = 0x01,
  PAGE_LEAF = 0x02,
  PAGE_OVERFLOW = 0x04,
};

/* Flags of a leaf's node. */
enum {
  NODE_LONG = 0x01,            /* the value is on pages of its own */
  NODE_TREE = 0x02,            /* the value is a tree, of a database in the file or of several values */
  NODE_SEVERAL = 0x04,
};

/* A tree of 2^64 keys is not deeper. */
#define MAX_DEPTH 32

typedef struct {
  guint8 *page;
  guint at;                    /* the node that comes next */
  guint n;
} Level;

struct _FlowLmdb
{
  int file;
  char *name;
  guint64 n_pages;
  gsize page_size;
  guint64 root;
  Level levels[MAX_DEPTH];
  guint depth;
  gint64 next;                 /* the entry that comes next; -1: begin anew */
};

static guint16
get16 (const guint8 *bytes)
{
  guint16 value;

  memcpy (&value, bytes, sizeof value);
  return value;
}

static guint32
get32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return value;
}

static guint64
get64 (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return value;
}

static gboolean
refuse (const FlowLmdb  *self,
        const char      *what,
        GError         **error)
{
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS, "%s is no sound LMDB file: %s", self->name, what);
  return FALSE;
}

static gboolean
read_bytes (FlowLmdb  *self,
            guint64    offset,
            gpointer   bytes,
            gsize      length,
            GError   **error)
{
  gsize done = 0;

  while (done < length)
    {
      const gssize n = pread (self->file, (char *) bytes + done, length - done, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          flow_error_set_from_errno (error, errno, self->name);
          return FALSE;
        }
      if (n == 0)
        return refuse (self, "it ends within a page", error);
      done += (gsize) n;
    }
  return TRUE;
}

/* --- opening ------------------------------------------------------------------------------------------------------- */

static gboolean
read_meta (FlowLmdb  *self,
           guint64    offset,
           guint64   *transaction,
           GError   **error)
{
  guint8 page[PAGE_HEADER + META_SIZE];
  const guint8 *meta = page + PAGE_HEADER;
  gsize page_size;

  if (!read_bytes (self, offset, page, sizeof page, error))
    return FALSE;
  if (get32 (meta) != MAGIC)
    return refuse (self, "MDB_INVALID: File is not an LMDB file", error);
  if (get32 (meta + META_VERSION) != FORMAT)
    return refuse (self, "MDB_VERSION_MISMATCH: Database environment version mismatch", error);
  page_size = get32 (meta + META_PAGE_SIZE);
  if (page_size < 256 || page_size > 65536 || (page_size & (page_size - 1)) != 0 || (self->page_size != 0 && page_size != self->page_size))
    return refuse (self, "its pages have no size that pages have", error);
  self->page_size = page_size;
  if (get64 (meta + META_TRANSACTION) >= *transaction)
    {
      *transaction = get64 (meta + META_TRANSACTION);
      self->root = get64 (meta + META_ROOT);
    }
  return TRUE;
}

FlowLmdb *
_flow_lmdb_open (const char  *path,
                 const char  *name,
                 GError     **error)
{
  g_autofree char *within = g_file_test (path, G_FILE_TEST_IS_DIR) ? g_build_filename (path, "data.mdb", NULL) : NULL;
  FlowLmdb *self = g_new0 (FlowLmdb, 1);
  guint64 transaction = 0;
  struct stat about;

  self->name = g_strdup (name);
  self->next = -1;
  self->file = g_open (within != NULL ? within : path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  if (self->file < 0 || fstat (self->file, &about) != 0)
    {
      flow_error_set_from_errno (error, errno, name);
      _flow_lmdb_free (self);
      return NULL;
    }
  if (!S_ISREG (about.st_mode) ? !refuse (self, "not a regular file", error) : !read_meta (self, 0, &transaction, error)
      || !read_meta (self, self->page_size, &transaction, error))
    {
      _flow_lmdb_free (self);
      return NULL;
    }
  self->n_pages = (guint64) about.st_size / self->page_size;
  return self;
}

static void
leave (FlowLmdb *self)
{
  while (self->depth > 0)
    g_clear_pointer (&self->levels[--self->depth].page, g_free);
}

void
_flow_lmdb_free (FlowLmdb *self)
{
  leave (self);
  if (self->file >= 0)
    close (self->file);
  g_free (self->name);
  g_free (self);
}

/* --- the tree ------------------------------------------------------------------------------------------------------ */

/* One level further down, to @page. */
static gboolean
enter (FlowLmdb  *self,
       guint64    page,
       GError   **error)
{
  Level *level = &self->levels[self->depth];
  guint lower;

  if (self->depth == MAX_DEPTH)
    return refuse (self, "its tree is too deep", error);
  if (page < 2 || page >= self->n_pages)
    return refuse (self, "a page that is not there is referred to", error);
  level->page = g_malloc (self->page_size);
  level->at = 0;
  self->depth++;
  if (!read_bytes (self, page * self->page_size, level->page, self->page_size, error))
    return FALSE;
  lower = get16 (level->page + 12);
  if (get64 (level->page) != page || lower < PAGE_HEADER || lower > self->page_size)
    return refuse (self, "a page is not what it is referred to as", error);
  level->n = (lower - PAGE_HEADER) / 2;
  return TRUE;
}

/* The node of @level that comes next, all of whose header and key are in the page. */
static const guint8 *
find_node (const FlowLmdb  *self,
           const Level     *level,
           GError         **error)
{
  const gsize offset = get16 (level->page + PAGE_HEADER + 2 * level->at);
  const guint8 *node = level->page + offset;

  if (offset >= PAGE_HEADER && offset + NODE_HEADER <= self->page_size
      && offset + NODE_HEADER + get16 (node + 6) <= self->page_size)
    return node;
  refuse (self, "a node is outside of its page", error);
  return NULL;
}

/* What is behind a node: the page below, or the value's size. */
static guint64
get_low (const guint8 *node)
{
  return (guint64) get16 (node) | (guint64) get16 (node + 2) << 16;
}

/* Down to the leaf whose entry comes next; *@node NULL at the end. */
static gboolean
find_leaf (FlowLmdb      *self,
           const guint8 **node,
           GError       **error)
{
  *node = NULL;
  while (self->depth > 0)
    {
      Level *level = &self->levels[self->depth - 1];
      const guint kind = get16 (level->page + 10) & (PAGE_BRANCH | PAGE_LEAF | PAGE_OVERFLOW);

      if (level->at >= level->n)
        {
          g_clear_pointer (&level->page, g_free);
          self->depth--;
          continue;
        }
      *node = find_node (self, level, error);
      if (*node == NULL)
        return FALSE;
      level->at++;
      if (kind == PAGE_LEAF)
        return TRUE;
      if (kind != PAGE_BRANCH)
        return refuse (self, "a page is neither branch nor leaf", error);
      if (!enter (self, get_low (*node) | (guint64) get16 (*node + 4) << 32, error))
        return FALSE;
      *node = NULL;
    }
  return TRUE;
}

static GBytes *
read_long_value (FlowLmdb    *self,
                 guint64      page,
                 gsize        length,
                 FlowBudget  *budget,
                 GError     **error)
{
  guint8 header[PAGE_HEADER];
  g_autofree guint8 *bytes = NULL;

  if (page < 2 || page >= self->n_pages || length > (self->n_pages - page) * self->page_size - PAGE_HEADER)
    refuse (self, "a long value is outside of the file", error);
  else if (!read_bytes (self, page * self->page_size, header, sizeof header, error))
    return NULL;
  else if (get64 (header) != page || (get16 (header + 10) & PAGE_OVERFLOW) == 0)
    refuse (self, "a long value is not where it should be", error);
  else if (budget != NULL && !flow_budget_reserve (budget, length))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when reading a value of %" G_GSIZE_FORMAT " bytes", length);
  else
    {
      if (budget != NULL)
        flow_budget_release (budget, length);
      bytes = g_malloc (MAX (length, 1));
      if (read_bytes (self, page * self->page_size + PAGE_HEADER, bytes, length, error))
        return g_bytes_new_take (g_steal_pointer (&bytes), length);
    }
  return NULL;
}

static GBytes *
read_value (FlowLmdb      *self,
            const guint8  *node,
            FlowBudget    *budget,
            GError       **error)
{
  const guint8 *page = self->levels[self->depth - 1].page;
  const guint flags = get16 (node + 4);
  const guint8 *data = node + NODE_HEADER + get16 (node + 6);
  const gsize room = self->page_size - (gsize) (data - page);
  const gsize length = (gsize) get_low (node);

  if ((flags & (NODE_TREE | NODE_SEVERAL)) != 0)
    refuse (self, "MDB_INCOMPATIBLE: a value is a database of its own", error);
  else if ((flags & NODE_LONG) == 0 ? length > room : room < sizeof (guint64))
    refuse (self, "a value is outside of its page", error);
  else if ((flags & NODE_LONG) != 0)
    return read_long_value (self, get64 (data), length, budget, error);
  else
    return g_bytes_new (data, length);
  return NULL;
}

gboolean
_flow_lmdb_read (FlowLmdb    *self,
                 gint64       nth,
                 FlowBudget  *budget,
                 GBytes     **key,
                 GBytes     **value,
                 GError     **error)
{
  const guint8 *node = NULL;

  *key = NULL;
  *value = NULL;
  if (self->next < 0 || nth < self->next)
    {
      leave (self);
      self->next = 0;
      if (self->root != NO_PAGE && !enter (self, self->root, error))
        return FALSE;
    }
  for (; self->next <= nth; self->next++)
    {
      if (!find_leaf (self, &node, error))
        return FALSE;
      if (node == NULL)
        return TRUE;
    }
  *value = read_value (self, node, budget, error);
  if (*value != NULL)
    *key = g_bytes_new (node + NODE_HEADER, get16 (node + 6));
  return *value != NULL;
}

/* flow-save-io.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-save-io-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flow-checkpoint-private.h"

/* Many small tensors make few calls; large ones go past the buffer. */
#define BUFFER_BYTES ((gsize) 1 << 20)

static int
real_open (const char *path,
           int         flags,
           int         mode)
{
  return open (path, flags, mode);
}

static gssize
real_write (int           fd,
            gconstpointer data,
            gsize         n)
{
  return write (fd, data, n);
}

static int
real_mkdir (const char *path,
            int         mode)
{
  return mkdir (path, (mode_t) mode);
}

const FlowSaveIo *
_flow_save_io_get (void)
{
  static const FlowSaveIo io = {
    .open = real_open,
    .write = real_write,
    .fsync = fsync,
    .close = close,
    .rename = rename,
    .link = link,
    .unlink = unlink,
    .rmdir = rmdir,
    .mkdir = real_mkdir,
  };

  return &io;
}

/*
 * _flow_temp_file_open:
 * @path: what the file shall be called in the end; errors name this
 *
 * Begins under a name that nobody has, in the same folder.
 */
gboolean
_flow_temp_file_open (FlowTempFile      *self,
                      const FlowSaveIo  *io,
                      const char        *path,
                      GError           **error)
{
  memset (self, 0, sizeof *self);
  self->io = io;
  self->path = g_strdup (path);
  self->temp_path = g_strdup_printf ("%s.tempstate%08x%08x", path, g_random_int (), g_random_int ());
  self->fd = io->open (self->temp_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (self->fd < 0)
    {
      flow_error_set_from_errno (error, errno, path);
      g_clear_pointer (&self->temp_path, g_free);
      return FALSE;
    }
  self->buffer = g_malloc (BUFFER_BYTES);
  return TRUE;
}

static gboolean
write_out (FlowTempFile   *self,
           gconstpointer   data,
           gsize           n,
           GError        **error)
{
  const guint8 *p = data;

  while (n > 0)
    {
      gssize done = self->io->write (self->fd, p, MIN (n, (gsize) 1 << 30));

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        {
          flow_error_set_from_errno (error, done < 0 ? errno : ENOSPC, self->path);
          return FALSE;
        }
      p += done;
      n -= (gsize) done;
    }
  return TRUE;
}

static gboolean
flush (FlowTempFile  *self,
       GError       **error)
{
  gsize n = self->buffered;

  self->buffered = 0;
  return write_out (self, self->buffer, n, error);
}

gboolean
_flow_temp_file_write (FlowTempFile   *self,
                       gconstpointer   data,
                       gsize           n,
                       GError        **error)
{
  self->size += n;
  if (n > BUFFER_BYTES - self->buffered && !flush (self, error))
    return FALSE;
  if (n > BUFFER_BYTES)
    return write_out (self, data, n, error);
  if (n > 0)
    memcpy (self->buffer + self->buffered, data, n);
  self->buffered += n;
  return TRUE;
}

/* A failed fsync is not tried again: the second may succeed although the bytes are lost. */
gboolean
_flow_temp_file_close (FlowTempFile  *self,
                       GError       **error)
{
  int fd = self->fd;
  gboolean ok = flush (self, error);

  if (ok && self->io->fsync (fd) != 0)
    {
      flow_error_set_from_errno (error, errno, self->path);
      ok = FALSE;
    }
  self->fd = -1;
  if (self->io->close (fd) != 0 && ok)
    {
      flow_error_set_from_errno (error, errno, self->path);
      ok = FALSE;
    }
  return ok;
}

/* Gives the closed file its name, or another that its maker knows only now. */
gboolean
_flow_temp_file_rename (FlowTempFile  *self,
                        const char    *path,
                        GError       **error)
{
  if (self->io->rename (self->temp_path, path) != 0)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  g_clear_pointer (&self->temp_path, g_free);
  return TRUE;
}

/* Leaves nothing of a file that did not get its name. */
void
_flow_temp_file_clear (FlowTempFile *self)
{
  if (self->io == NULL)
    return;
  if (self->temp_path != NULL)
    {
      if (self->fd >= 0)
        self->io->close (self->fd);
      self->io->unlink (self->temp_path);
    }
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->temp_path, g_free);
  g_clear_pointer (&self->buffer, g_free);
  self->io = NULL;
}

/* Renames are on the disk once their folder is. */
gboolean
_flow_save_sync_folder (const FlowSaveIo  *io,
                        const char        *path,
                        GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = io->open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  gboolean ok;

  /* A folder that may be written but not read cannot be asked to be flushed. */
  if (fd < 0 && errno == EACCES)
    return TRUE;
  ok = fd >= 0 && (io->fsync (fd) == 0 || errno == EINVAL);
  if (!ok)
    flow_error_set_from_errno (error, errno, folder);
  if (fd >= 0)
    io->close (fd);
  return ok;
}

/* TensorFlow makes the last folder of a prefix, and no more. */
gboolean
_flow_save_make_folder (const FlowSaveIo  *io,
                        const char        *path,
                        GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_file_test (folder, G_FILE_TEST_EXISTS) || io->mkdir (folder, 0777) == 0 || errno == EEXIST)
    return TRUE;
  flow_error_set_from_errno (error, errno, folder);
  return FALSE;
}

char *
_flow_shard_path (const char *prefix,
                  gint64      shard,
                  gint64      n_shards)
{
  return g_strdup_printf ("%s.data-%05d-of-%05d", prefix, (int) shard, (int) n_shards);
}

/*
 * _flow_shard_names_choose:
 * @prefix: where a checkpoint shall be saved
 * @n_needed: how many data files it has
 *
 * Data files have their number in their names: as long as an old index is valid, its data files may
 * not be touched. A set of another number has other names. It may then have a data file more than it
 * needs, an empty one; every reader takes that. _flow_shard_names_settle() puts that right afterwards.
 */
void
_flow_shard_names_choose (FlowShardNames *self,
                          const char     *prefix,
                          gint64          n_needed)
{
  g_autofree char *index_path = g_strconcat (prefix, ".index", NULL);
  g_autoptr (GPtrArray) tensors = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (FlowBundle) old = NULL;

  self->old_n_shards = 0;
  self->n_needed = n_needed;
  self->n_shards = n_needed;
  if (!g_file_test (index_path, G_FILE_TEST_EXISTS))
    return;
  tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) _flow_stored_free);
  problems = g_ptr_array_new_with_free_func (g_free);
  old = _flow_bundle_open (index_path, prefix, tensors, problems, NULL);
  /* What cannot be read is no checkpoint to protect; a new one may take its place. */
  if (old == NULL)
    return;
  self->old_n_shards = _flow_bundle_get_n_shards (old);
  if (self->old_n_shards == self->n_shards)
    self->n_shards++;
}

void
_flow_shards_remove (const FlowSaveIo *io,
                     const char       *prefix,
                     gint64            n_shards)
{
  for (gint64 i = 0; i < n_shards; i++)
    {
      g_autofree char *path = _flow_shard_path (prefix, i, n_shards);

      io->unlink (path);
    }
}

static gboolean
replace_index (const FlowSaveIo *io,
               const char       *prefix,
               GBytes           *contents)
{
  g_autofree char *path = g_strconcat (prefix, ".index", NULL);
  FlowTempFile index = { 0 };
  gboolean ok = _flow_temp_file_open (&index, io, path, NULL)
                && _flow_temp_file_write (&index, g_bytes_get_data (contents, NULL), g_bytes_get_size (contents), NULL)
                && _flow_temp_file_close (&index, NULL) && _flow_temp_file_rename (&index, path, NULL);

  _flow_temp_file_clear (&index);
  return ok;
}

/*
 * _flow_shard_names_settle:
 * @prefix: where a checkpoint stands under these names, the data files of the older one removed
 * @index: what its index is with as many data files as it needs
 *
 * Gives the data files the names that TensorFlow gives them, which scripts look for: each has both names
 * until the index that reads them under the new ones is in place. Where that fails, as on a file system
 * without links, the checkpoint stays whole as it stands.
 */
void
_flow_shard_names_settle (FlowShardNames    *self,
                          const FlowSaveIo  *io,
                          const char        *prefix,
                          GBytes            *index)
{
  for (gint64 i = 0; i < self->n_needed; i++)
    {
      g_autofree char *path = _flow_shard_path (prefix, i, self->n_shards);
      g_autofree char *settled = _flow_shard_path (prefix, i, self->n_needed);

      if (io->link (path, settled) != 0)
        return;
    }
  if (_flow_save_sync_folder (io, prefix, NULL) && replace_index (io, prefix, index)
      && _flow_save_sync_folder (io, prefix, NULL))
    _flow_shards_remove (io, prefix, self->n_shards);
}

static gboolean
is_temp_name (const char *name,
              const char *base)
{
  static const char mark[] = ".tempstate";
  const char *at = g_strrstr (name, mark);

  if (at == NULL || !g_str_has_prefix (name, base) || (name[strlen (base)] != '.'))
    return FALSE;
  at += strlen (mark);
  if (*at == '\0')
    return FALSE;
  for (; *at != '\0'; at++)
    if (!g_ascii_isxdigit (*at))
      return FALSE;
  return TRUE;
}

/**
 * flow_checkpoint_list_stale:
 * @prefix: a checkpoint's prefix
 *
 * Finds what a save that was killed left behind. Nothing of it is needed; whether it is removed is
 * for a person to say, since another process may be saving just now.
 *
 * Returns: (transfer full) (array zero-terminated=1): paths of temporary files of this prefix
 */
char **
flow_checkpoint_list_stale (const char *prefix)
{
  g_autofree char *folder = NULL;
  g_autofree char *base = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir;
  const char *name;

  g_return_val_if_fail (prefix != NULL, NULL);

  folder = g_path_get_dirname (prefix);
  base = g_path_get_basename (prefix);
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_temp_name (name, base))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  if (dir != NULL)
    g_dir_close (dir);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

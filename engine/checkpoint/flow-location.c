/* flow-location.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "flow-checkpoint-state.h"

#define SHARD_SUFFIX_BYTES (sizeof "-00000-of-00001" - 1)

void
_flow_location_clear (FlowLocation *self)
{
  g_clear_pointer (&self->prefix, g_free);
  g_clear_pointer (&self->index_path, g_free);
}

static gboolean
is_regular (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* Whether @path ends as the files of a checkpoint in several do; where that end begins. */
static gboolean
find_shard_suffix (const char *path,
                   gsize      *at,
                   int        *n_shards)
{
  gsize n = strlen (path);
  const char *suffix;

  if (n <= SHARD_SUFFIX_BYTES)
    return FALSE;
  suffix = path + n - SHARD_SUFFIX_BYTES;
  for (guint i = 0; i < SHARD_SUFFIX_BYTES; i++)
    if ("-00000-of-00000"[i] == '0' ? !g_ascii_isdigit (suffix[i]) : suffix[i] != "-00000-of-00000"[i])
      return FALSE;
  *at = n - SHARD_SUFFIX_BYTES;
  *n_shards = (int) g_ascii_strtoll (suffix + SHARD_SUFFIX_BYTES - 5, NULL, 10);
  return TRUE;
}

static void
set_bundle (FlowLocation *self,
            const char   *prefix,
            const char   *index_path)
{
  self->kind = FLOW_CHECKPOINT_BUNDLE;
  self->prefix = g_strdup (prefix);
  self->index_path = g_strdup (index_path);
}

/* A table file is a bundle's index or a V1 checkpoint: the value of its first key tells. */
static gboolean
from_table (FlowLocation  *self,
            const char    *path,
            FlowTable     *table,
            GError       **error)
{
  g_autoptr (GBytes) value = NULL;
  FlowProtoReader reader;
  gboolean is_v1 = FALSE;
  gsize at;
  gsize n = 0;
  int n_shards;
  gconstpointer data;

  /* Whatever is wrong with its blocks is said when it is opened. */
  if (_flow_table_lookup (table, "", 0, NULL, &value, NULL) && value != NULL)
    {
      data = g_bytes_get_data (value, &n);
      flow_proto_reader_init (&reader, data, n);
      is_v1 = flow_proto_reader_next (&reader) && reader.field == 1 && reader.wire == FLOW_WIRE_BYTES;
    }
  if (is_v1)
    {
      self->kind = FLOW_CHECKPOINT_V1;
      if (find_shard_suffix (path, &at, &n_shards) && n_shards > 1)
        self->prefix = g_strdup_printf ("%.*s-?????" "-of-%05d", (int) at, path, n_shards);
      else
        self->prefix = g_strdup (path);
    }
  else if (g_str_has_suffix (path, ".index"))
    {
      g_autofree char *prefix = g_strndup (path, strlen (path) - strlen (".index"));

      set_bundle (self, prefix, path);
    }
  else
    {
      set_bundle (self, path, path);
    }
  return TRUE;
}

/*
 * _flow_location_from_prefix:
 *
 * As the op RestoreV2 looks: the bundle first, then a V1 checkpoint of that name or pattern.
 */
gboolean
_flow_location_from_prefix (FlowLocation  *self,
                            const char    *prefix,
                            GError       **error)
{
  g_autofree char *index_path = g_strconcat (prefix, ".index", NULL);

  if (g_file_test (index_path, G_FILE_TEST_EXISTS))
    {
      set_bundle (self, prefix, index_path);
      return TRUE;
    }
  self->kind = FLOW_CHECKPOINT_V1;
  if (_flow_v1_any_file (prefix))
    self->prefix = g_strdup (prefix);
  return self->prefix != NULL || _flow_v1_refuse_absent (prefix, error);
}

/* As a person means it: an old checkpoint may be in several files, of which the prefix names none. */
static gboolean
from_prefix (FlowLocation  *self,
             const char    *prefix,
             GError       **error)
{
  g_autofree char *sharded = g_strconcat (prefix, "-?????" "-of-?????", NULL);

  if (_flow_location_from_prefix (self, prefix, error))
    return TRUE;
  if (!_flow_v1_any_file (sharded))
    return FALSE;
  g_clear_error (error);
  self->prefix = g_steal_pointer (&sharded);
  return TRUE;
}

/* A state file names another file. Only one in the state file's own folder is taken at its word: a
 * stranger's state file shall not lead anywhere else. */
static gboolean
from_state (FlowLocation               *self,
            const char                 *path,
            const FlowCheckpointState  *state,
            GError                    **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole_folder = g_canonicalize_filename (folder, NULL);
  g_autofree char *target = g_canonicalize_filename (state->model_checkpoint_path, whole_folder);
  gsize n = strlen (whole_folder);

  FLOW_REQUIRE (*state->model_checkpoint_path != '\0', error, INVALID_ARGUMENT,
                "Invalid checkpoint state loaded from %s", folder);
  if (strncmp (target, whole_folder, n) != 0 || (target[n] != '/' && n > 1))
    {
      g_autofree char *base = g_path_get_basename (target);
      g_autofree char *moved = g_build_filename (whole_folder, base, NULL);

      /* Absolute paths of a folder that was moved since. */
      if (g_path_is_absolute (state->model_checkpoint_path) && from_prefix (self, moved, NULL))
        return TRUE;
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED,
                   "%s leads to a checkpoint outside its folder: %s; open that itself if it is the one you mean", path,
                   state->model_checkpoint_path);
      return FALSE;
    }
  return from_prefix (self, target, error);
}

static gboolean
looks_like_state (GBytes *start)
{
  gsize n;
  const char *text = g_bytes_get_data (start, &n);

  return n > 0 && g_strstr_len (text, (gssize) n, "model_checkpoint_path") != NULL && memchr (text, 0, n) == NULL;
}

static gboolean
from_file (FlowLocation  *self,
           const char    *path,
           GError       **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (FlowTable) table = _flow_table_open (path, &problem);
  g_autofree char *prefix = NULL;
  FlowFile file;
  gsize at;
  int n_shards;

  if (table != NULL)
    return from_table (self, path, table, error);

  if (find_shard_suffix (path, &at, &n_shards) && at > strlen (".data")
      && strncmp (path + at - strlen (".data"), ".data", strlen (".data")) == 0)
    {
      g_autofree char *index_path = NULL;

      prefix = g_strndup (path, at - strlen (".data"));
      index_path = g_strconcat (prefix, ".index", NULL);
      if (is_regular (index_path))
        {
          set_bundle (self, prefix, index_path);
          return TRUE;
        }
      g_set_error (error, FLOW_ERROR, problem->code, "%s; it holds a checkpoint's data, and there is no %s beside it",
                   problem->message, index_path);
      return FALSE;
    }
  if (_flow_file_open (&file, path, NULL))
    {
      guint8 start[4096];
      gsize n = (gsize) MIN (file.size, sizeof start);
      gboolean ok = _flow_file_read (&file, 0, start, n, NULL);

      _flow_file_close (&file);
      if (ok)
        {
          g_autoptr (GBytes) bytes = g_bytes_new (start, n);

          if (looks_like_state (bytes))
            {
              g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_load (path, error);

              return state != NULL && from_state (self, path, state, error);
            }
        }
    }
  /* What is named as an index is one, damaged; opening it says how. */
  if (g_str_has_suffix (path, ".index") && problem->code == FLOW_ERROR_DATA_LOSS)
    {
      prefix = g_strndup (path, strlen (path) - strlen (".index"));
      set_bundle (self, prefix, path);
      return TRUE;
    }
  if (problem->code == FLOW_ERROR_DATA_LOSS)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS,
                 "%s; choose a checkpoint's prefix, its .index, its state file or its folder", problem->message);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static gboolean
from_folder (FlowLocation  *self,
             const char    *path,
             GError       **error)
{
  g_autofree char *state_path = g_build_filename (path, "checkpoint", NULL);
  g_autofree char *variables = g_build_filename (path, "variables", "variables", NULL);
  g_autofree char *variables_index = g_strconcat (variables, ".index", NULL);
  g_autofree char *only = NULL;
  guint n_found = 0;
  GDir *dir;
  const char *name;

  if (is_regular (state_path))
    {
      g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_load (state_path, error);

      return state != NULL && from_state (self, state_path, state, error);
    }
  if (is_regular (variables_index))
    {
      set_bundle (self, variables, variables_index);
      return TRUE;
    }
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".index"))
      {
        n_found++;
        g_free (only);
        only = g_build_filename (path, name, NULL);
      }
  if (dir != NULL)
    g_dir_close (dir);
  FLOW_REQUIRE (n_found <= 1, error, FAILED_PRECONDITION,
                "%s holds %u checkpoints and no state file that says which is meant: choose one of its .index files",
                path, n_found);
  FLOW_REQUIRE (n_found == 1, error, NOT_FOUND, "%s; there is no checkpoint in this folder", path);
  return from_file (self, only, error);
}

/*
 * _flow_location_resolve:
 *
 * As a person means it: a regular file is that file, a folder is what is in it, anything else a prefix.
 */
gboolean
_flow_location_resolve (FlowLocation  *self,
                        const char    *path,
                        GError       **error)
{
  struct stat st;

  if (stat (path, &st) == 0)
    {
      if (S_ISDIR (st.st_mode))
        return from_folder (self, path, error);
      return from_file (self, path, error);
    }
  if (errno != ENOENT && errno != ENOTDIR)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  return from_prefix (self, path, error);
}

/* flow-checkpoint-path.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-checkpoint-path-private.h"

#include <string.h>

/* What TensorFlow says of a file that is no table, and of a folder, begins so. */
#define TABLE_PROBLEM "Unable to open table file "
#define INDEX_SUFFIX ".index"

void
_flow_given_path_clear (FlowGivenPath *self)
{
  g_clear_pointer (&self->given, g_free);
  g_clear_pointer (&self->resolved, g_free);
}

gboolean
_flow_get_text (const FlowTensor *tensor,
                gint64            i,
                char            **text,
                GError          **error)
{
  gsize length;
  const char *bytes = flow_tensor_get_string (tensor, i, &length);

  FLOW_REQUIRE (length == 0 || memchr (bytes, 0, length) == NULL, error, INVALID_ARGUMENT,
                "A name or path has a zero byte in it");
  *text = g_strndup (bytes != NULL ? bytes : "", length);
  return TRUE;
}

char *
_flow_resolve (FlowKernelContext *c,
               const char        *path,
               FlowPathAccess     access,
               GError           **error)
{
  return c->host->resolve_path (c->host_data, path, access, error);
}

gboolean
_flow_get_checkpoint_path (FlowKernelContext *c,
                           const FlowTensor  *tensor,
                           gint64             i,
                           FlowPathAccess     access,
                           FlowGivenPath     *path,
                           GError           **error)
{
  if (!_flow_get_text (tensor, i, &path->given, error))
    return FALSE;
  if (*path->given == '\0' || g_str_has_suffix (path->given, "/"))
    {
      /* TF: the files are ".index" and ".data-..." of the folder, and there is no old checkpoint of that name. */
      g_autofree char *name = g_strconcat (path->given, INDEX_SUFFIX, NULL);
      g_autofree char *index = _flow_resolve (c, name, access, error);
      g_autofree char *folder = index != NULL ? g_path_get_dirname (index) : NULL;

      if (index == NULL)
        return FALSE;
      FLOW_REQUIRE (access != FLOW_PATH_READ || g_file_test (index, G_FILE_TEST_EXISTS)
                    || !g_file_test (folder, G_FILE_TEST_IS_DIR), error, NOT_FOUND, FLOW_NO_CHECKPOINT "%s", path->given);
      path->resolved = g_strndup (index, strlen (index) - strlen (INDEX_SUFFIX));
      return TRUE;
    }
  path->resolved = _flow_resolve (c, path->given, access, error);
  return path->resolved != NULL;
}

/* Messages name files as the graph does: what was put before its names to find them is taken out. */
gboolean
_flow_fail_as_given (const FlowGivenPath *path,
                     GError              *problem,
                     GError             **error)
{
  gsize given = strlen (path->given);
  gsize resolved = strlen (path->resolved);

  if (resolved > given && strcmp (path->resolved + resolved - given, path->given) == 0)
    {
      g_autofree char *root = g_strndup (path->resolved, resolved - given);
      g_auto (GStrv) pieces = g_strsplit (problem->message, root, -1);

      g_free (problem->message);
      problem->message = g_strjoinv ("", pieces);
    }
  /* TF looks for the files of a bare name in ".", which it then has before it. */
  if (strchr (path->given, '/') == NULL && g_str_has_prefix (problem->message, TABLE_PROBLEM)
      && g_str_has_prefix (problem->message + strlen (TABLE_PROBLEM), path->given))
    {
      char *message = g_strconcat (TABLE_PROBLEM, "./", problem->message + strlen (TABLE_PROBLEM), NULL);

      g_free (problem->message);
      problem->message = message;
    }
  g_propagate_error (error, problem);
  return FALSE;
}

/* The files of a checkpoint may be links: each is asked for by itself. */
static gboolean
check_bundle_files (FlowKernelContext   *c,
                    const FlowGivenPath *path,
                    FlowCheckpoint      *checkpoint,
                    GError             **error)
{
  gint64 n_shards = flow_checkpoint_get_n_shards (checkpoint);
  g_autofree char *index_path = g_strconcat (path->resolved, INDEX_SUFFIX, NULL);
  g_autofree char *checked = _flow_resolve (c, index_path, FLOW_PATH_READ, error);

  if (checked == NULL)
    return FALSE;
  for (gint64 i = 0; i < n_shards; i++)
    {
      g_autofree char *shard = g_strdup_printf ("%s.data-%05d-of-%05d", path->resolved, (int) i, (int) n_shards);
      g_autofree char *checked_shard = _flow_resolve (c, shard, FLOW_PATH_READ, error);

      if (checked_shard == NULL)
        return FALSE;
    }
  return TRUE;
}

FlowCheckpoint *
_flow_open_for_restore (FlowKernelContext   *c,
                        const FlowGivenPath *path,
                        GError             **error)
{
  GError *problem = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open_prefix (path->resolved, &problem);

  if (checkpoint == NULL)
    {
      _flow_fail_as_given (path, problem, error);
      return NULL;
    }
  if (flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_BUNDLE
      && !check_bundle_files (c, path, checkpoint, error))
    return NULL;
  return g_steal_pointer (&checkpoint);
}

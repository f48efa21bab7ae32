/* flow-link-edit.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-link.h"

#include "flow-link-process.h"
#include "flow-model.h"

#include <glib/gstdio.h>
#include <string.h>

/* What the builder adds to a graph of a file: a Python process reads it, adds to it, and writes another file. Nothing of
 * a stranger's graph is read in the process that asks for it. */

typedef struct {
  char *engine_path;
  char *path;
  char **words;
} Edit;

static void
edit_free (gpointer data)
{
  Edit *self = data;

  g_free (self->engine_path);
  g_free (self->path);
  g_strfreev (self->words);
  g_free (self);
}

/* An exception's last line says what it is. */
static void
set_error_from (GError     **error,
                const char  *said)
{
  g_autofree char *text = g_strchomp (g_strdup (said != NULL ? said : ""));
  const char *line = strrchr (text, '\n');

  line = line != NULL ? line + 1 : text;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s", line[0] != '\0' ? line : "python3 ended");
}

/* The new file's name: the old one's without its endings, in a folder of its own. */
static char *
choose_target (const char  *path,
               GError     **error)
{
  g_autofree char *folder = g_dir_make_tmp ("flowstep-XXXXXX", error);
  g_autofree char *name = g_path_get_basename (path);
  char *dot = strchr (name, '.');

  if (folder == NULL)
    return NULL;
  if (dot != NULL && dot > name)
    *dot = '\0';
  return g_strdup_printf ("%s/%s.meta", folder, name);
}

static void
edit_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Edit *self = data;
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *said = NULL;
  g_autofree char *target = NULL;
  GError *error = NULL;

  target = choose_target (self->path, &error);
  if (target == NULL || !_flow_link_prepare_python (launcher, self->engine_path, "flowstep.edits", argv, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_add (argv, g_strdup (self->path));
  g_ptr_array_add (argv, g_strdup (target));
  for (guint i = 0; self->words[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (self->words[i]));
  g_ptr_array_add (argv, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  if (process != NULL && !g_subprocess_communicate_utf8 (process, NULL, cancellable, NULL, &said, &error))
    g_subprocess_force_exit (process);
  else if (process != NULL && !g_subprocess_get_successful (process))
    set_error_from (&error, said);
  if (error == NULL)
    {
      g_task_return_pointer (task, g_steal_pointer (&target), g_free);
      return;
    }
  g_unlink (target);
  *strrchr (target, '/') = '\0';
  g_rmdir (target);
  g_task_return_error (task, error);
}

/**
 * flow_link_edit_async:
 * @engine_path: (nullable): as for flow_link_debugger_new()
 * @path: a file with a graph
 * @words: (array zero-terminated=1): `clone SCOPE NAME...`, or `minimize OPTIMIZER RATE LOSS`
 * @cancellable: (nullable): ends it
 * @callback: called when it is done
 * @data: for @callback
 *
 * Has the builder add to a copy of the graph. The file itself stays as it is.
 */
void
flow_link_edit_async (const char          *engine_path,
                      const char          *path,
                      const char *const   *words,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             data)
{
  g_autoptr (GTask) task = NULL;
  Edit *edit = NULL;

  g_return_if_fail (path != NULL);
  g_return_if_fail (words != NULL);

  edit = g_new0 (Edit, 1);
  edit->engine_path = engine_path != NULL ? g_strdup (engine_path) : _flow_link_find_engine ();
  edit->path = g_canonicalize_filename (path, NULL);
  edit->words = g_strdupv ((char **) words);
  task = g_task_new (NULL, cancellable, callback, data);
  g_task_set_source_tag (task, flow_link_edit_async);
  g_task_set_task_data (task, edit, edit_free);
  g_task_run_in_thread (task, edit_worker);
}

/**
 * flow_link_edit_finish:
 * @result: what the callback was given
 * @error: where to put an error
 *
 * Returns: (transfer full) (nullable): the new file, a MetaGraphDef in a folder of its own; %NULL: what the builder or
 *   Python said
 */
char *
flow_link_edit_finish (GAsyncResult  *result,
                       GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * flow_link_read_meta_graph:
 * @path: a file with a graph, of any kind
 * @error: where to put an error
 *
 * For the process that flow_link_edit_async() starts.
 *
 * Returns: (transfer full) (nullable): the graph as a serialized MetaGraphDef
 */
GBytes *
flow_link_read_meta_graph (const char  *path,
                           GError     **error)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  flow_kernels_register ();
  bytes = flow_model_read_bytes (path, error);
  return bytes != NULL ? flow_model_convert_bytes (bytes, path, FLOW_MODEL_META_GRAPH, FALSE, error) : NULL;
}

/* flow-test-folder.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-test-folder.h"

#include <glib/gstdio.h>

void
test_folder_set_up (TestFolder    *self,
                    gconstpointer  data)
{
  self->folder = g_dir_make_tmp ("flow-window-XXXXXX", NULL);
}

/* What a script made may be folders in folders. */
static void
remove_all (const char *path)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  if (dir == NULL)
    {
      g_unlink (path);
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        g_unlink (child);
      else
        remove_all (child);
    }
  g_rmdir (path);
}

void
test_folder_tear_down (TestFolder    *self,
                       gconstpointer  data)
{
  g_clear_pointer (&self->window, drive_close);
  remove_all (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

char *
test_folder_path (TestFolder *self,
                  const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

char *
test_folder_write (TestFolder *self,
                   const char *name,
                   const char *text)
{
  char *path = test_folder_path (self, name);
  g_autoptr(GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

void
test_folder_open (TestFolder *self,
                  const char *name,
                  const char *text)
{
  g_autofree char *path = test_folder_write (self, name, text);

  self->window = drive_open (path);
}

static void
copy_file (const char *from,
           const char *to)
{
  g_autofree char *bytes = NULL;
  g_autoptr(GError) error = NULL;
  gsize length = 0;

  g_file_get_contents (from, &bytes, &length, &error);
  g_assert_no_error (error);
  g_file_set_contents (to, bytes, (gssize) length, &error);
  g_assert_no_error (error);
}

void
test_folder_copy (TestFolder *self,
                  const char *golden,
                  const char *to)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "golden", golden, NULL);
  g_autofree char *path = test_folder_path (self, to);

  copy_file (from, path);
}

void
test_folder_copy_all (TestFolder *self,
                      const char *golden)
{
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "golden", golden, NULL);
  g_autoptr(GDir) dir = g_dir_open (from, 0, NULL);
  const char *name = NULL;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = test_folder_path (self, name);

      copy_file (source, target);
    }
}

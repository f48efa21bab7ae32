/* test-write.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "flow-bundle-writer.h"
#include "flow-checkpoint.h"
#include "flow-checkpoint-state.h"
#include "flow-tensor-compare.h"

#include "flow-save-io-private.h"

typedef struct {
  char *folder;
  char *prefix;
} Fixture;

static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  f->folder = g_dir_make_tmp ("flow-save-XXXXXX", NULL);
  f->prefix = g_build_filename (f->folder, "model", NULL);
}

static void
remove_tree (const char *path)
{
  GDir *dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  if (dir != NULL)
    g_dir_close (dir);
  g_remove (path);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  remove_tree (f->folder);
  g_free (f->folder);
  g_free (f->prefix);
}

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "golden", "checkpoint", name, NULL);
}

static void
assert_same_file (const char *a,
                  const char *b)
{
  g_autofree char *x = NULL;
  g_autofree char *y = NULL;
  gsize x_length;
  gsize y_length;

  g_assert_true (g_file_get_contents (a, &x, &x_length, NULL));
  g_assert_true (g_file_get_contents (b, &y, &y_length, NULL));
  g_assert_cmpmem (x, x_length, y, y_length);
}

static gint
by_offset (gconstpointer a,
           gconstpointer b)
{
  const FlowCheckpointTensor *x = *(FlowCheckpointTensor *const *) a;
  const FlowCheckpointTensor *y = *(FlowCheckpointTensor *const *) b;

  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* What TensorFlow wrote, written again: the same bytes. */
static void
test_same_bytes (Fixture       *f,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *golden = golden_path (data);
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (golden, &error);
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (f->prefix, &error);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new ();
  g_autofree char *index = g_strconcat (f->prefix, ".index", NULL);
  g_autofree char *golden_index = g_strconcat (golden, ".index", NULL);
  g_autofree char *shard = g_strconcat (f->prefix, ".data-00000-of-00001", NULL);
  g_autofree char *golden_shard = g_strconcat (golden, ".data-00000-of-00001", NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    g_ptr_array_add (tensors, flow_checkpoint_get_tensor (checkpoint, i));
  g_ptr_array_sort (tensors, by_offset);
  for (guint i = 0; i < tensors->len; i++)
    {
      FlowCheckpointTensor *info = tensors->pdata[i];
      g_autoptr (FlowTensor) tensor = flow_checkpoint_read (checkpoint, info->name, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (flow_bundle_writer_add (writer, info->name, tensor, &error));
    }
  g_assert_false (g_file_test (index, G_FILE_TEST_EXISTS));
  g_assert_true (flow_bundle_writer_finish (writer, &error));
  assert_same_file (index, golden_index);
  assert_same_file (shard, golden_shard);
}

static void
test_same_slices (Fixture       *f,
                  gconstpointer  data)
{
  static const struct {
    const char *name;
    const char *spec;
  } parts[] = {
    { "emb", "10 6 0,4:-" }, { "emb", "10 6 4,6:0,2" }, { "emb", "10 6 4,6:2,4" }, { "text", "6 0,1" },
    { "text", "6 1,5" },     { "one", "10 6 0,10:0,6" }, { "w", "" },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *golden = golden_path ("sliced");
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (golden, &error);
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (f->prefix, &error);
  g_autofree char *index = g_strconcat (f->prefix, ".index", NULL);
  g_autofree char *golden_index = g_strconcat (golden, ".index", NULL);
  g_autofree char *shard = g_strconcat (f->prefix, ".data-00000-of-00001", NULL);
  g_autofree char *golden_shard = g_strconcat (golden, ".data-00000-of-00001", NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (FlowTensor) tensor = flow_checkpoint_read_slice (checkpoint, parts[i].name, parts[i].spec, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (flow_bundle_writer_add_slice (writer, parts[i].name, parts[i].spec, tensor, &error));
    }
  g_assert_true (flow_bundle_writer_finish (writer, &error));
  assert_same_file (index, golden_index);
  assert_same_file (shard, golden_shard);
}

static void
test_same_v1 (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *golden = golden_path ("all.v1");
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (golden, &error);
  guint n = flow_checkpoint_get_n_tensors (checkpoint);
  g_autofree const char **names = g_new0 (const char *, n);
  g_autofree const char **specs = g_new0 (const char *, n);
  g_autofree const FlowTensor **tensors = g_new0 (const FlowTensor *, n);

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      names[i] = flow_checkpoint_get_tensor (checkpoint, i)->name;
      specs[i] = "";
      tensors[i] = flow_checkpoint_read (checkpoint, names[i], NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_true (flow_checkpoint_save_v1 (f->prefix, names, specs, tensors, n, &error));
  assert_same_file (f->prefix, golden);
  for (guint i = 0; i < n; i++)
    flow_tensor_unref (tensors[i]);
}

static void
test_same_v1_slices (Fixture       *f,
                     gconstpointer  data)
{
  static const char *const names[] = { "emb", "emb", "emb", "w" };
  static const char *const specs[] = { "10 6 0,4:-", "10 6 4,6:0,2", "10 6 4,6:2,4", "" };
  g_autoptr (GError) error = NULL;
  g_autofree char *golden = golden_path ("sliced.v1");
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (golden, &error);
  const FlowTensor *tensors[4];

  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    {
      tensors[i] = flow_checkpoint_read_slice (checkpoint, names[i], specs[i], NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_true (flow_checkpoint_save_v1 (f->prefix, names, specs, tensors, 4, &error));
  assert_same_file (f->prefix, golden);
  for (guint i = 0; i < 4; i++)
    flow_tensor_unref (tensors[i]);
}

/* A table of more than one block of index and data. */
static void
test_large_index (Fixture       *f,
                  gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (f->prefix, &error);
  g_autoptr (FlowCheckpoint) back = NULL;
  const int n = 20000;

  g_assert_no_error (error);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("some/long/scope/name/of/variable/%d", i);
      g_autoptr (FlowTensor) tensor = flow_tensor_new_int32 (i);

      g_assert_true (flow_bundle_writer_add (writer, name, tensor, &error));
    }
  g_assert_true (flow_bundle_writer_finish (writer, &error));
  back = flow_checkpoint_open (f->prefix, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_checkpoint_get_n_tensors (back), ==, n);
  for (int i = 0; i < n; i += 777)
    {
      g_autofree char *name = g_strdup_printf ("some/long/scope/name/of/variable/%d", i);
      g_autoptr (FlowTensor) tensor = flow_checkpoint_read (back, name, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (flow_tensor_get_int (tensor, 0), ==, i);
    }
}

static int
no_fsync (int fd)
{
  return 0;
}

/* The thousand saves of these tests need not outlive a power failure. */
static const FlowSaveIo *
quick_io (void)
{
  static FlowSaveIo io;

  if (io.fsync == NULL)
    {
      io = *_flow_save_io_get ();
      io.fsync = no_fsync;
    }
  return &io;
}

static gboolean
save_value (const char       *prefix,
            gint32            value,
            const FlowSaveIo *io,
            GError          **error)
{
  g_autoptr (FlowBundleWriter) writer = _flow_bundle_writer_new (prefix, io, error);

  if (writer == NULL)
    return FALSE;
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%d", i);
      g_autoptr (FlowTensor) tensor = flow_tensor_new_int32 (value + i);

      if (!flow_bundle_writer_add (writer, name, tensor, error))
        return FALSE;
    }
  return flow_bundle_writer_finish (writer, error);
}

/* The value that a whole and sound checkpoint was saved with, -1 if there is none. */
static gint32
load_value (const char *prefix)
{
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open_prefix (prefix, NULL);
  gint32 value = -1;

  if (checkpoint == NULL || flow_checkpoint_get_n_tensors (checkpoint) != 3)
    return -1;
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%d", i);
      g_autoptr (FlowTensor) tensor = flow_checkpoint_read (checkpoint, name, NULL, NULL);

      if (tensor == NULL)
        return -1;
      if (i > 0 && flow_tensor_get_int (tensor, 0) != value + i)
        return -1;
      value = (gint32) flow_tensor_get_int (tensor, 0) - i;
    }
  return value;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
assert_files (const char *folder,
              const char *expected)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = NULL;
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  all = g_strjoinv (" ", (char **) names->pdata);
  g_assert_cmpstr (all, ==, expected);
}

static void
test_save_over (Fixture       *f,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  for (gint32 i = 0; i < 5; i++)
    {
      g_assert_true (save_value (f->prefix, 100 * i, quick_io (), &error));
      g_assert_cmpint (load_value (f->prefix), ==, 100 * i);
      /* The data files of the older ones are gone, and these have the names of a first save. */
      assert_files (f->folder, "model.data-00000-of-00001 model.index");
    }
}

static int
no_link (const char *from,
         const char *to)
{
  errno = EPERM;
  return -1;
}

/* Where files have one name only, the other names stay. */
static void
test_save_over_without_links (Fixture       *f,
                              gconstpointer  data)
{
  FlowSaveIo io = *quick_io ();

  io.link = no_link;
  for (gint32 i = 0; i < 3; i++)
    {
      g_assert_true (save_value (f->prefix, 100 * i, &io, NULL));
      g_assert_cmpint (load_value (f->prefix), ==, 100 * i);
      assert_files (f->folder, i % 2 == 0 ? "model.data-00000-of-00001 model.index"
                                          : "model.data-00000-of-00002 model.data-00001-of-00002 model.index");
    }
}

/* A wrapper around each system call: at call number @fail_at it does what it is told. */
static struct {
  int count;
  int fail_at;
  int error;             /* 0: the process ends there */
  gboolean after;        /* it ends when the call was made, not before */
  gboolean persistent;   /* all later calls fail as well */
  gboolean failed;
} trap;

static gboolean
trap_here (void)
{
  trap.count++;
  if (trap.persistent && trap.failed)
    {
      errno = trap.error;
      return TRUE;
    }
  if (trap.count != trap.fail_at)
    return FALSE;
  trap.failed = TRUE;
  if (trap.error == 0)
    kill (getpid (), SIGKILL);
  errno = trap.error;
  return TRUE;
}

static int
trap_open (const char *path,
           int         flags,
           int         mode)
{
  return trap_here () ? -1 : _flow_save_io_get ()->open (path, flags, mode);
}

static gssize
trap_write (int           fd,
            gconstpointer data,
            gsize         n)
{
  /* In pieces, so that a write can stop in the middle. */
  return trap_here () ? -1 : _flow_save_io_get ()->write (fd, data, MIN (n, 7));
}

static int
trap_fsync (int fd)
{
  return trap_here () ? -1 : 0;
}

static int
trap_close (int fd)
{
  gboolean fail = trap_here ();
  int saved = errno;
  int result = _flow_save_io_get ()->close (fd);

  errno = saved;
  return fail ? -1 : result;
}

static int
trap_rename (const char *from,
             const char *to)
{
  return trap_here () ? -1 : _flow_save_io_get ()->rename (from, to);
}

static int
trap_link (const char *from,
           const char *to)
{
  return trap_here () ? -1 : _flow_save_io_get ()->link (from, to);
}

static int
trap_unlink (const char *path)
{
  return trap_here () ? -1 : _flow_save_io_get ()->unlink (path);
}

static int
trap_rmdir (const char *path)
{
  return trap_here () ? -1 : _flow_save_io_get ()->rmdir (path);
}

static int
trap_mkdir (const char *path,
            int         mode)
{
  return trap_here () ? -1 : _flow_save_io_get ()->mkdir (path, mode);
}

static const FlowSaveIo trapped = {
  .open = trap_open,
  .write = trap_write,
  .fsync = trap_fsync,
  .close = trap_close,
  .rename = trap_rename,
  .link = trap_link,
  .unlink = trap_unlink,
  .rmdir = trap_rmdir,
  .mkdir = trap_mkdir,
};

static int
count_calls (const char *prefix,
             gint32      value)
{
  memset (&trap, 0, sizeof trap);
  g_assert_true (save_value (prefix, value, &trapped, NULL));
  return trap.count;
}

/* An error at every system call of a save over a checkpoint: the old one loads, nothing else is left,
 * and the error says what and where. */
static void
test_errors (Fixture       *f,
             gconstpointer  data)
{
  int errnum = GPOINTER_TO_INT (data);
  int n;

  g_assert_true (save_value (f->prefix, 1000, quick_io (), NULL));
  g_assert_true (save_value (f->prefix, 2000, quick_io (), NULL));
  n = count_calls (f->prefix, 2000);
  g_assert_cmpint (n, >, 20);
  for (int i = 1; i <= n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) stale = NULL;
      gboolean ok;
      gint32 value;

      g_assert_true (save_value (f->prefix, 1000, quick_io (), NULL));
      g_assert_true (save_value (f->prefix, 2000, quick_io (), NULL));
      memset (&trap, 0, sizeof trap);
      trap.fail_at = i;
      trap.error = errnum;
      ok = save_value (f->prefix, 3000, &trapped, &error);
      value = load_value (f->prefix);
      if (ok)
        {
          g_assert_cmpint (value, ==, 3000);
        }
      else
        {
          g_assert_error (error, FLOW_ERROR, flow_error_code_from_errno (errnum));
          g_assert_nonnull (strstr (error->message, f->folder));
          g_assert_nonnull (strstr (error->message, g_strerror (errnum)));
          g_assert_true (value == 2000 || value == 3000);
        }
      stale = flow_checkpoint_list_stale (f->prefix);
      g_assert_null (stale[0]);
    }
}

/* The disk stays full: even removing what was begun may fail; the old checkpoint loads. */
static void
test_persistent_errors (Fixture       *f,
                        gconstpointer  data)
{
  int n;

  g_assert_true (save_value (f->prefix, 2000, quick_io (), NULL));
  n = count_calls (f->prefix, 2000);
  for (int i = 1; i <= n; i++)
    {
      gint32 value;

      g_assert_true (save_value (f->prefix, 2000, quick_io (), NULL));
      memset (&trap, 0, sizeof trap);
      trap.fail_at = i;
      trap.error = EIO;
      trap.persistent = TRUE;
      save_value (f->prefix, 3000, &trapped, NULL);
      value = load_value (f->prefix);
      g_assert_true (value == 2000 || value == 3000);
    }
}

static guint
remove_stale (const char *prefix)
{
  g_auto (GStrv) stale = flow_checkpoint_list_stale (prefix);

  for (guint i = 0; stale[i] != NULL; i++)
    g_unlink (stale[i]);
  return g_strv_length (stale);
}

/* The process is killed at every system call; afterwards the old or the new checkpoint loads whole, and
 * what was left behind is known for what it is. */
static void
test_killed (Fixture       *f,
             gconstpointer  data)
{
  guint n_old = 0;
  guint n_new = 0;
  guint n_stale = 0;
  gboolean ended = FALSE;

  /* What was killed before may leave data files behind, and calls differ: to the last of them. */
  for (int i = 1; i < 200 && !ended; i++)
    {
      gint32 value;
      int status;
      pid_t child;

      g_assert_true (save_value (f->prefix, 2000, quick_io (), NULL));
      child = fork ();
      if (child == 0)
        {
          memset (&trap, 0, sizeof trap);
          trap.fail_at = i;
          save_value (f->prefix, 3000, &trapped, NULL);
          _exit (0);
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      ended = WIFEXITED (status) && i > 60;
      value = load_value (f->prefix);
      n_old += value == 2000;
      n_new += value == 3000;
      g_assert_true (value == 2000 || value == 3000);
      n_stale += remove_stale (f->prefix);
    }
  g_assert_true (ended);
  g_assert_cmpuint (n_old, >, 20);
  g_assert_cmpuint (n_new, >=, 2);
  g_assert_cmpuint (n_stale, >, 10);
}

/* The same where there was nothing before: afterwards there is nothing, or the new one. */
static void
test_first_save_killed (Fixture       *f,
                        gconstpointer  data)
{
  int n = count_calls (f->prefix, 3000);

  for (int i = 1; i <= n; i++)
    {
      g_autofree char *index = g_strconcat (f->prefix, ".index", NULL);
      int status;
      pid_t child;

      g_unlink (index);
      child = fork ();
      if (child == 0)
        {
          memset (&trap, 0, sizeof trap);
          trap.fail_at = i;
          save_value (f->prefix, 3000, &trapped, NULL);
          _exit (0);
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      if (g_file_test (index, G_FILE_TEST_EXISTS))
        g_assert_cmpint (load_value (f->prefix), ==, 3000);
    }
}

static void
assert_save_error (const char *prefix,
                   int         code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (save_value (prefix, 1, quick_io (), &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, FLOW_ERROR, code);
}

static void
test_places (Fixture       *f,
             gconstpointer  data)
{
  g_autofree char *file = g_build_filename (f->folder, "file", NULL);
  g_autofree char *below_file = g_build_filename (file, "model", NULL);
  g_autofree char *sub = g_build_filename (f->folder, "sub", NULL);
  g_autofree char *in_sub = g_build_filename (sub, "model", NULL);
  g_autofree char *nameless = g_strconcat (sub, G_DIR_SEPARATOR_S, NULL);
  g_autofree char *too_deep = g_build_filename (f->folder, "no", "dir", "model", NULL);
  g_autofree char *long_base = g_strnfill (300, 'x');
  g_autofree char *too_long = g_build_filename (f->folder, long_base, NULL);
  g_autofree char *target = g_build_filename (f->folder, "target", NULL);
  g_autofree char *link = g_strconcat (f->prefix, ".data-00000-of-00001", NULL);
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  assert_save_error ("", FLOW_ERROR_INVALID_ARGUMENT);
  assert_save_error (below_file, FLOW_ERROR_FAILED_PRECONDITION);
  assert_save_error (too_deep, FLOW_ERROR_NOT_FOUND);
  assert_save_error (too_long, FLOW_ERROR_INVALID_ARGUMENT);
  /* One folder is made, as TensorFlow does. */
  g_assert_true (save_value (in_sub, 5, quick_io (), NULL));
  g_assert_cmpint (load_value (in_sub), ==, 5);
  /* Beside a folder under its name, and in it under none. */
  g_assert_true (save_value (sub, 7, quick_io (), NULL));
  g_assert_cmpint (load_value (sub), ==, 7);
  g_assert_true (save_value (nameless, 8, quick_io (), NULL));
  g_assert_cmpint (load_value (nameless), ==, 8);
  g_assert_cmpint (load_value (in_sub), ==, 5);

  g_assert_true (g_file_set_contents (target, "mine", 4, NULL));
  g_assert_cmpint (symlink (target, link), ==, 0);
  g_assert_true (save_value (f->prefix, 6, quick_io (), NULL));
  g_assert_cmpint (load_value (f->prefix), ==, 6);
  g_assert_true (g_file_get_contents (target, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "mine");

  if (geteuid () != 0)
    {
      g_autofree char *locked = g_build_filename (f->folder, "locked", NULL);
      g_autofree char *in_locked = g_build_filename (locked, "model", NULL);

      g_assert_cmpint (g_mkdir (locked, 0500), ==, 0);
      assert_save_error (in_locked, FLOW_ERROR_PERMISSION_DENIED);
    }
}

static void
test_refused (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowHandle) handle = flow_handle_new ("", "a", "Var", FLOW_DTYPE_FLOAT, NULL);
  g_autoptr (FlowTensor) resource = flow_tensor_new_handle (handle);
  g_autoptr (FlowTensor) tensor = flow_tensor_new_float (1);
  FlowBundleWriter *writer = flow_bundle_writer_new (f->prefix, &error);
  GDir *dir;

  g_assert_no_error (error);
  g_assert_true (flow_bundle_writer_add (writer, "a", tensor, &error));
  g_assert_false (flow_bundle_writer_add (writer, "a", tensor, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "Adding duplicate key: a");
  g_clear_error (&error);
  g_assert_false (flow_bundle_writer_add (writer, "", tensor, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (flow_bundle_writer_add (writer, "r", resource, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED);
  g_clear_error (&error);
  g_assert_false (flow_bundle_writer_add_slice (writer, "s", "4 0,2", tensor, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==,
                   "Slice in shape_and_slice specification does not match the shape of the tensor to  save: 4 0,2, "
                   "tensor: []");
  flow_bundle_writer_unref (writer);
  dir = g_dir_open (f->folder, 0, NULL);
  g_assert_null (g_dir_read_name (dir));
  g_dir_close (dir);
}

static void
copy_golden (const char *from,
             const char *folder,
             const char *name)
{
  g_autofree char *source = golden_path (from);
  g_autofree char *target = g_build_filename (folder, name, NULL);
  g_autofree char *contents = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (source, &contents, &n, NULL));
  g_assert_true (g_file_set_contents (target, contents, (gssize) n, NULL));
}

static char *
make_unmerged (Fixture *f)
{
  static const char *const names[] = { "part-0.data-00000-of-00001", "part-0.index", "part-1.data-00000-of-00001",
                                       "part-1.index" };
  char *folder = g_build_filename (f->folder, "model_temp_1", NULL);

  g_mkdir (folder, 0777);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *from = g_build_filename ("unmerged", names[i], NULL);

      copy_golden (from, folder, names[i]);
    }
  return folder;
}

static void
test_merge (Fixture       *f,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = make_unmerged (f);
  g_autofree char *part0 = g_build_filename (folder, "part-0", NULL);
  g_autofree char *part1 = g_build_filename (folder, "part-1", NULL);
  g_autofree char *missing = g_build_filename (folder, "part-9", NULL);
  g_autofree char *elsewhere = g_dir_make_tmp ("flow-save-XXXXXX", NULL);
  g_autofree char *far = g_build_filename (elsewhere, "model", NULL);
  const char *prefixes[] = { part0, part1, NULL };
  const char *twice[] = { part0, part0, NULL };
  const char *with_missing[] = { part0, missing, NULL };

  g_assert_false (flow_bundle_merge (with_missing, f->prefix, FLOW_MERGE_DELETE_OLD_DIRS, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_suffix (error->message, "part-9.index; No such file or directory"));
  g_clear_error (&error);
  g_assert_false (flow_bundle_merge (twice, f->prefix, FLOW_MERGE_DELETE_OLD_DIRS, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "encountered, when merging prefix: "));
  g_clear_error (&error);
  g_assert_false (flow_bundle_merge (prefixes, far, FLOW_MERGE_DELETE_OLD_DIRS, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_PERMISSION_DENIED);
  g_clear_error (&error);
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));

  g_assert_true (flow_bundle_merge (prefixes, f->prefix, FLOW_MERGE_DELETE_OLD_DIRS, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  for (int i = 0; i < 3; i++)
    {
      static const char *const ends[] = { ".index", ".data-00000-of-00002", ".data-00001-of-00002" };
      g_autofree char *made = g_strconcat (f->prefix, ends[i], NULL);
      g_autofree char *name = g_strconcat ("sharded", ends[i], NULL);
      g_autofree char *golden = golden_path (name);

      assert_same_file (made, golden);
    }
  g_rmdir (elsewhere);
}

static gboolean
has_merged (const char *prefix)
{
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open_prefix (prefix, NULL);
  g_autoptr (FlowTensor) x = checkpoint != NULL ? flow_checkpoint_read (checkpoint, "x", NULL, NULL) : NULL;
  g_autoptr (FlowTensor) y = checkpoint != NULL ? flow_checkpoint_read (checkpoint, "y", NULL, NULL) : NULL;
  g_autoptr (FlowTensor) emb = checkpoint != NULL ? flow_checkpoint_read (checkpoint, "emb", NULL, NULL) : NULL;

  return x != NULL && y != NULL && emb != NULL && flow_tensor_get_double (emb, 59) == 59;
}

/* Killed at every system call of a merge over another checkpoint of as many data files. */
static void
test_merge_killed (Fixture       *f,
                   gconstpointer  data)
{
  FlowSaveIo io = *quick_io ();
  guint n_old = 0;
  guint n_new = 0;

  io.link = no_link;
  for (int i = 1; i < 80; i++)
    {
      g_autofree char *folder = make_unmerged (f);
      g_autofree char *part0 = g_build_filename (folder, "part-0", NULL);
      g_autofree char *part1 = g_build_filename (folder, "part-1", NULL);
      const char *prefixes[] = { part0, part1, NULL };
      int status;
      pid_t child;

      /* Twice, so that the old one has two data files. */
      g_assert_true (save_value (f->prefix, 1000, &io, NULL));
      g_assert_true (save_value (f->prefix, 2000, &io, NULL));
      child = fork ();
      if (child == 0)
        {
          memset (&trap, 0, sizeof trap);
          trap.fail_at = i;
          _flow_bundle_merge (prefixes, f->prefix, FLOW_MERGE_DELETE_OLD_DIRS, &trapped, NULL);
          _exit (0);
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      if (load_value (f->prefix) == 2000)
        n_old++;
      else
        {
          g_assert_true (has_merged (f->prefix));
          n_new++;
        }
      remove_tree (folder);
      remove_stale (f->prefix);
      {
        g_autofree char *index = g_strconcat (f->prefix, ".index", NULL);
        g_unlink (index);
      }
    }
  g_assert_cmpuint (n_old, >, 5);
  g_assert_cmpuint (n_new, >, 5);
}

static void
test_state (Fixture       *f,
            gconstpointer  data)
{
  static const char *const all[] = { "model-1", "a \"b\"\\\n", "model", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (f->folder, "checkpoint", NULL);
  g_autoptr (FlowCheckpointState) state = flow_checkpoint_state_new ("model", all);
  g_autoptr (FlowCheckpointState) back = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autofree char *contents = NULL;

  g_assert_true (flow_checkpoint_state_save (state, path, &error));
  back = flow_checkpoint_state_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (back->model_checkpoint_path, ==, "model");
  g_assert_true (g_strv_equal ((const char *const *) back->all_model_checkpoint_paths, all));
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_true (g_str_has_prefix (contents, "model_checkpoint_path: \"model\"\nall_model_checkpoint_paths: \"model-1\"\n"));

  /* A folder with a state file, and the state file itself, are the newest checkpoint. */
  g_assert_true (save_value (f->prefix, 7, quick_io (), NULL));
  checkpoint = flow_checkpoint_open (f->folder, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (flow_checkpoint_get_prefix (checkpoint), ==, f->prefix);
  g_clear_object (&checkpoint);
  checkpoint = flow_checkpoint_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (flow_checkpoint_get_prefix (checkpoint), ==, f->prefix);
}

static void
test_hostile_state (Fixture       *f,
                    gconstpointer  data)
{
  static const struct {
    const char *text;
    int code;
    const char *words;
  } cases[] = {
    { "model_checkpoint_path: \"model", FLOW_ERROR_DATA_LOSS, "line 1" },
    { "model_checkpoint_path: \"model\"\nall_model_checkpoint_paths: 'a\n'", FLOW_ERROR_DATA_LOSS, "line 2" },
    { "model_checkpoint_path: \"a\\q\"", FLOW_ERROR_DATA_LOSS, "line 1" },
    { "model_checkpoint_path: 5", FLOW_ERROR_DATA_LOSS, "line 1" },
    { "model_checkpoint_path \"a\"", FLOW_ERROR_DATA_LOSS, "line 1" },
    { "model_checkpoint_path: \"\"", FLOW_ERROR_INVALID_ARGUMENT, "Invalid checkpoint state" },
    { "model_checkpoint_path: \"../../../x\"", FLOW_ERROR_PERMISSION_DENIED, "../../../x" },
    { "model_checkpoint_path: \"/etc/passwd\"", FLOW_ERROR_PERMISSION_DENIED, "/etc/passwd" },
    { "model_checkpoint_path: \"absent\"", FLOW_ERROR_NOT_FOUND, "Failed to find any matching files" },
    { "# only a comment: model_checkpoint_path\n", FLOW_ERROR_INVALID_ARGUMENT, "Invalid checkpoint state" },
    { "model_checkpoint_path: \"/gone/model\"", 0, NULL },
    { "last_preserved_timestamp: 1.5e9\nall_model_checkpoint_timestamps: 3.0\nmodel_checkpoint_path: \"mo\" 'del'", 0, NULL },
  };
  g_autofree char *path = g_build_filename (f->folder, "checkpoint", NULL);

  g_assert_true (save_value (f->prefix, 7, quick_io (), NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowCheckpoint) checkpoint = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      checkpoint = flow_checkpoint_open (path, &error);
      if (cases[i].code == 0)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, FLOW_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].words));
    }
  {
    g_autoptr (GString) many = g_string_new ("model_checkpoint_path: \"model\"\n");
    g_autoptr (GError) error = NULL;
    g_autoptr (FlowCheckpoint) checkpoint = NULL;

    for (int i = 0; i < 1000000; i++)
      g_string_append_printf (many, "all_model_checkpoint_paths: \"m-%d\"\n", i);
    g_assert_true (g_file_set_contents (path, many->str, (gssize) many->len, NULL));
    checkpoint = flow_checkpoint_open (path, &error);
    g_assert_no_error (error);
  }
}

#define ADD(path, data, func) g_test_add (path, Fixture, data, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/checkpoint/write/same-bytes", "all", test_same_bytes);
  ADD ("/checkpoint/write/same-bytes-many", "many", test_same_bytes);
  ADD ("/checkpoint/write/same-bytes-empty", "empty", test_same_bytes);
  ADD ("/checkpoint/write/same-slices", NULL, test_same_slices);
  ADD ("/checkpoint/write/same-v1", NULL, test_same_v1);
  ADD ("/checkpoint/write/same-v1-slices", NULL, test_same_v1_slices);
  ADD ("/checkpoint/write/large-index", NULL, test_large_index);
  ADD ("/checkpoint/write/save-over", NULL, test_save_over);
  ADD ("/checkpoint/write/save-over-without-links", NULL, test_save_over_without_links);
  ADD ("/checkpoint/write/disk-full", GINT_TO_POINTER (ENOSPC), test_errors);
  ADD ("/checkpoint/write/io-error", GINT_TO_POINTER (EIO), test_errors);
  ADD ("/checkpoint/write/persistent-errors", NULL, test_persistent_errors);
  ADD ("/checkpoint/write/killed", NULL, test_killed);
  ADD ("/checkpoint/write/first-save-killed", NULL, test_first_save_killed);
  ADD ("/checkpoint/write/places", NULL, test_places);
  ADD ("/checkpoint/write/refused", NULL, test_refused);
  ADD ("/checkpoint/write/merge", NULL, test_merge);
  ADD ("/checkpoint/write/merge-killed", NULL, test_merge_killed);
  ADD ("/checkpoint/write/state", NULL, test_state);
  ADD ("/checkpoint/write/hostile-state", NULL, test_hostile_state);
  return g_test_run ();
}

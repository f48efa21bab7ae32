/* test-ui-render.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

/* Pictures without a display: flowstep FILE --render OUT, as a person calls it from a script. */

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  f->folder = g_dir_make_tmp ("flowstep-render-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  g_autoptr(GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
}

/* Returns: (transfer full) (nullable): what was drawn; NULL where the program refused, and says why in @said */
static GBytes *
render (Fixture            *f,
        const char         *name,
        const char *const  *options,
        char              **said)
{
  g_autofree char *graph = g_test_build_filename (G_TEST_DIST, "golden", "training", "log-of-zero", "model.run.json", NULL);
  g_autofree char *out = g_build_filename (f->folder, name, NULL);
  g_autoptr(GStrvBuilder) argv = g_strv_builder_new ();
  g_auto(GStrv) command = NULL;
  g_auto(GStrv) environment = g_get_environ ();
  g_autoptr(GError) error = NULL;
  g_autofree char *complaint = NULL;
  char *contents = NULL;
  gsize length = 0;
  int status = 0;

  g_strv_builder_add_many (argv, FLOW_APP_PATH, graph, "--render", out, NULL);
  g_strv_builder_addv (argv, (const char **) options);
  command = g_strv_builder_end (argv);
  environment = g_environ_unsetenv (environment, "DISPLAY");
  environment = g_environ_unsetenv (environment, "WAYLAND_DISPLAY");
  environment = g_environ_unsetenv (environment, "DBUS_SESSION_BUS_ADDRESS");
  g_assert_true (g_spawn_sync (NULL, command, environment, G_SPAWN_DEFAULT, NULL, NULL, NULL, &complaint, &status, &error));
  g_assert_no_error (error);
  if (said != NULL)
    *said = g_strdup (complaint);
  if (!g_spawn_check_wait_status (status, NULL))
    return NULL;
  g_assert_cmpstr (complaint, ==, "");
  g_assert_true (g_file_get_contents (out, &contents, &length, &error));
  g_assert_no_error (error);
  return g_bytes_new_take (contents, length);
}

static gboolean
begins_with (GBytes     *bytes,
             const char *text)
{
  gsize size = 0;
  const char *data = g_bytes_get_data (bytes, &size);

  return size > strlen (text) && memcmp (data, text, strlen (text)) == 0;
}

/* Pixels, from the head of a PNG. */
static guint
png_height (GBytes *png)
{
  const guint8 *data = g_bytes_get_data (png, NULL);

  g_assert_true (begins_with (png, "\x89PNG\r\n\x1a\n"));
  return (guint) data[20] << 24 | (guint) data[21] << 16 | (guint) data[22] << 8 | data[23];
}

static void
test_formats (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr(GBytes) png = render (f, "a.png", (const char *[]) { NULL }, NULL);
  g_autoptr(GBytes) svg = render (f, "a.svg", (const char *[]) { NULL }, NULL);
  g_autoptr(GBytes) pdf = render (f, "a.pdf", (const char *[]) { NULL }, NULL);

  g_assert_nonnull (png);
  g_assert_nonnull (svg);
  g_assert_nonnull (pdf);
  g_assert_cmpuint (png_height (png), >, 300);
  g_assert_true (begins_with (svg, "<?xml"));
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg), "<svg"));
  g_assert_true (begins_with (pdf, "%PDF-"));
}

/* Twice the same bytes; each option shows, and an open scope takes more room. */
static void
test_options (Fixture       *f,
              gconstpointer  data)
{
  g_autoptr(GBytes) plain = render (f, "a.png", (const char *[]) { NULL }, NULL);
  g_autoptr(GBytes) again = render (f, "b.png", (const char *[]) { NULL }, NULL);
  g_autoptr(GBytes) run = render (f, "c.png", (const char *[]) { "--run", "predict", NULL }, NULL);
  g_autoptr(GBytes) open = render (f, "d.png", (const char *[]) { "--expand", "loss", NULL }, NULL);
  g_autoptr(GBytes) dark = render (f, "e.png", (const char *[]) { "--dark", NULL }, NULL);
  g_autoptr(GBytes) contrast = render (f, "f.png", (const char *[]) { "--high-contrast", NULL }, NULL);

  g_assert_true (g_bytes_equal (plain, again));
  g_assert_false (g_bytes_equal (plain, run));
  g_assert_false (g_bytes_equal (plain, dark));
  g_assert_false (g_bytes_equal (plain, contrast));
  g_assert_cmpuint (png_height (open), >, png_height (plain));
}

static void
test_refused (Fixture       *f,
              gconstpointer  data)
{
  g_autofree char *run_said = NULL;
  g_autofree char *name_said = NULL;
  g_autoptr(GBytes) no_run = render (f, "a.png", (const char *[]) { "--run", "no such run", NULL }, &run_said);
  g_autoptr(GBytes) no_format = render (f, "a.gif", (const char *[]) { NULL }, &name_said);

  g_assert_null (no_run);
  g_assert_nonnull (strstr (run_said, "no such run"));
  g_assert_null (no_format);
  g_assert_nonnull (strstr (name_said, "a.gif"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/ui/render/formats", Fixture, NULL, set_up, test_formats, tear_down);
  g_test_add ("/ui/render/options", Fixture, NULL, set_up, test_options, tear_down);
  g_test_add ("/ui/render/refused", Fixture, NULL, set_up, test_refused, tear_down);

  return g_test_run ();
}

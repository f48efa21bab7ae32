/* test-painter.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>

#include "flow-painter-private.h"

/* What is painted can be read: contrast of all colours that words stand in or on, and names that are not
 * cut for what stands beside them. Nothing of it needs a display. */

/* --- contrast ------------------------------------------------------------------------------------- */

/* WCAG 2.1: words of any size. */
#define READABLE 4.5
/* What a colour is laid under text with: see flow-painter-tints.c. */
#define TINT_ALPHA 0.26

static double
linear (guint c)
{
  double x = c / 255.0;

  return x <= 0.04045 ? x / 12.92 : pow ((x + 0.055) / 1.055, 2.4);
}

static double
luminance (guint rgb)
{
  return 0.2126 * linear (rgb >> 16 & 0xff) + 0.7152 * linear (rgb >> 8 & 0xff) + 0.0722 * linear (rgb & 0xff);
}

static double
contrast (guint a,
          guint b)
{
  double x = luminance (a) + 0.05;
  double y = luminance (b) + 0.05;

  return MAX (x, y) / MIN (x, y);
}

static guint
mix (guint  ground,
     guint  over,
     double alpha)
{
  guint rgb = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    rgb |= (guint) lround ((ground >> shift & 0xff) * (1.0 - alpha) + (over >> shift & 0xff) * alpha) << shift;
  return rgb;
}

static void
assert_readable (guint       words,
                 guint       ground,
                 const char *what,
                 guint       which)
{
  if (contrast (words, ground) < READABLE)
    g_error ("%s, colour %u: #%06X on #%06X is %.2f:1", what, which, words, ground, contrast (words, ground));
}

static void
test_contrast (void)
{
  static const FlowColor grounds[] = { FLOW_COLOR_CANVAS, FLOW_COLOR_CARD, FLOW_COLOR_GROUP, FLOW_COLOR_GROUP_ALT,
                                       FLOW_COLOR_MINIMAP };
  static const FlowColor words[] = { FLOW_COLOR_TEXT, FLOW_COLOR_TEXT_DIM, FLOW_COLOR_CONTROL, FLOW_COLOR_DELTA,
                                     FLOW_COLOR_BREAK };
  static const guint window[] = { 0xfafafa, 0x242424 };

  for (guint theme = FLOW_THEME_LIGHT; theme <= FLOW_THEME_DARK; theme++)
    {
      guint card = flow_palette_get_rgb (FLOW_COLOR_CARD, theme);
      guint text = flow_palette_get_rgb (FLOW_COLOR_TEXT, theme);

      for (guint w = 0; w < G_N_ELEMENTS (words); w++)
        {
          for (guint g = 0; g < G_N_ELEMENTS (grounds); g++)
            assert_readable (flow_palette_get_rgb (words[w], theme), flow_palette_get_rgb (grounds[g], theme), "words", words[w]);
          assert_readable (flow_palette_get_rgb (words[w], theme), window[theme], "words of the window", words[w]);
        }
      for (guint c = 0; c < FLOW_N_COLORS; c++)
        {
          guint rgb = flow_palette_get_rgb (c, theme);

          /* Pills, chips, signs in discs. */
          assert_readable (flow_palette_get_rgb_on (c, theme), rgb, "written on", c);
          /* Cards that are coloured by health, state, device, amount. */
          if (c >= FLOW_COLOR_PENDING && c != FLOW_COLOR_DELTA)
            assert_readable (text, mix (card, rgb, TINT_ALPHA), "on a tint", c);
        }
    }
}

/* --- headers -------------------------------------------------------------------------------------- */

static FlowBox
make_frame (FlowPainter *painter,
            const char  *title,
            double       spare)
{
  FlowBox box = { 0 };

  box.kind = FLOW_BOX_FRAME;
  box.title = title;
  box.subtitle = "12 ops";
  box.x = 10.0f;
  box.y = 10.0f;
  box.width = (float) ceil (flow_painter_measure_text (painter, FLOW_TEXT_TITLE, title) + 37.0 + spare);
  box.height = 80.0f;
  return box;
}

/* Where what is shown begins; NAN: nothing is. */
static double
find_count (FlowPainter       *painter,
            const FlowBox     *box,
            const char *const *texts)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;

  flow_painter_set_color (painter, cr, FLOW_COLOR_TEXT_DIM, 1.0);
  flow_painter_show_count (painter, cr, box, flow_painter_get_header_end (painter, box), texts);
  cairo_recording_surface_ink_extents (surface, &x, &y, &width, &height);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return width > 0.0 ? x : NAN;
}

/* The name has the room; the count is said in what is left. */
static void
test_headers (void)
{
  const FlowPaintStyle style = FLOW_PAINT_STYLE_INIT;
  g_autoptr(FlowPainter) painter = flow_painter_new (&style);
  static const char *const texts[] = { "1000 of 2000 ops · 1000 done", "1000 of 1000 done", "1000/1000", NULL };
  double widths[3];
  FlowBox box = make_frame (painter, "Log_grad", 0.0);
  double name = flow_painter_measure_text (painter, FLOW_TEXT_TITLE, "Log_grad");

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    widths[i] = flow_painter_measure_text (painter, FLOW_TEXT_SUBTITLE, texts[i]);
  /* A box that is as wide as its name shows the name whole, and no count. */
  g_assert_cmpfloat_with_epsilon (flow_painter_get_header_end (painter, &box), box.x + 23.0 + name, 0.01);
  g_assert_true (isnan (find_count (painter, &box, texts)));
  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      double end;
      double x;

      box = make_frame (painter, "Log_grad", widths[i] + 14.0);
      end = box.x + box.width - 14.0;
      x = find_count (painter, &box, texts);
      g_assert_cmpfloat (x, >, flow_painter_get_header_end (painter, &box));
      /* With a ground a little wider than the words: lines pass under it. */
      g_assert_cmpfloat_with_epsilon (x, end - widths[i] - 5.0, 1.5);
    }
  /* A tag that there is room for stands between the two. */
  box = make_frame (painter, "while", 200.0);
  name = flow_painter_get_header_end (painter, &box);
  box.control = FLOW_CONTROL_LOOP;
  g_assert_cmpfloat (flow_painter_get_header_end (painter, &box), >, name + 20.0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/painter/contrast", test_contrast);
  g_test_add_func ("/painter/headers", test_headers);
  return g_test_run ();
}

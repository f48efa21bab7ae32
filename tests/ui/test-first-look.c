/* test-first-look.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "flow-display-private.h"
#include "flow-painter.h"

/* How a graph stands in the view it is first looked at in: whole where it can be read, filling it, nothing on
 * anything else. No display is needed. */

typedef struct {
  float width;
  float height;
} View;

/* Of a canvas in windows of 1280, 1600 and 1920 pixels. */
static const View views[] = { { 620.0f, 460.0f }, { 920.0f, 630.0f }, { 1240.0f, 700.0f } };

/* @zoom: that it is seen whole at in the view in the middle, at least; 0: it need not be seen whole;
 * @fill: so much of the view its box has then. */
static const struct {
  const char *path;
  gboolean is_shared;
  double zoom;
  double fill;
} fixtures[] = {
  { "golden/models/cond_test.meta", FALSE, 1.35, 0.0 },
  { "golden/models/while_with_cond.pbtxt.gz", FALSE, 0.72, 0.0 },
  { "golden/models/xor.meta", FALSE, 1.0, 0.8 },
  { "fixtures/real/siamese-momentum-v1-v2/model.ckpt.meta", TRUE, 1.1, 0.88 },
  { "fixtures/real/go-score-bn-adam/model.ckpt.meta", TRUE, 0.8, 0.9 },
  { "fixtures/real/cifar-cnn-adam/model.ckpt.meta", TRUE, 0.8, 0.9 },
  { "fixtures/real/vdcnn-bn-updateops/vd_cnn.meta", TRUE, 0.8, 0.9 },
  { "fixtures/real/utensor-cifar10-frozen/cifar10_cnn.pb", TRUE, 1.2, 0.6 },
  { "fixtures/real/mnist-lr-savedmodel/saved_model.pb", TRUE, 1.05, 0.85 },
  { "fixtures/real/lstm-crf-ner-while/lstm_crf_ner.meta", TRUE, 0.8, 0.9 },
  { "fixtures/real/td-gammon-v1/checkpoint-447880.meta", TRUE, 0.0, 0.0 },
  { "fixtures/real/gcn-nphard-adam/model.ckpt.meta", TRUE, 0.0, 0.0 },
  { "fixtures/real/rex-ppo-while/model.ckpt-2000000.meta", TRUE, 0.78, 0.88 },
  { "fixtures/real/tfx-taxi-estimator/model.ckpt-1000.meta", TRUE, 0.0, 0.0 },
};

static FlowGraph *
load (guint f)
{
  const char *shared = g_getenv ("FLOW_TEST_SHARED");
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FlowGraph *graph;

  if (fixtures[f].is_shared && shared == NULL)
    return NULL;
  path = fixtures[f].is_shared ? g_build_filename (shared, fixtures[f].path, NULL)
                               : g_test_build_filename (G_TEST_DIST, fixtures[f].path, NULL);
  if (fixtures[f].is_shared && !g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  graph = flow_graph_load_file (path, &error);
  g_assert_no_error (error);
  return graph;
}

static FlowScene *
make_scene (FlowGraph     *graph,
            FlowDirection  direction)
{
  const FlowPaintStyle style = FLOW_PAINT_STYLE_INIT;
  g_autoptr(FlowPainter) painter = flow_painter_new (&style);
  FlowTextMetrics metrics;

  flow_painter_get_metrics (painter, &metrics);
  return flow_scene_new (graph, &metrics, direction);
}

static FlowLayout *
lay_out (FlowScene  *scene,
         const View *view)
{
  FlowLayout *layout = flow_layout_new (scene, view != NULL);

  if (view != NULL)
    flow_layout_fit (layout, view->width, view->height);
  flow_layout_run (layout, NULL);
  flow_layout_commit (layout, scene);
  return layout;
}

/* --- nothing on anything ---------------------------------------------------------------------------- */

typedef struct {
  float x0;
  float y0;
  float x1;
  float y1;
} Rect;

static gboolean
meet (const Rect *a,
      const Rect *b)
{
  return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

static Rect
rect_of (const FlowBox *box)
{
  return (Rect) { box->x, box->y, box->x + box->width, box->y + box->height };
}

/* As they are painted. */
static Rect
words_of (const FlowWire *wire)
{
  static FlowPainter *painter = NULL;

  if (painter == NULL)
    {
      const FlowPaintStyle style = FLOW_PAINT_STYLE_INIT;

      painter = flow_painter_new (&style);
    }
  return (Rect) { wire->label_x, wire->label_y,
                  wire->label_x + flow_painter_measure_text (painter, FLOW_TEXT_LABEL, wire->label),
                  wire->label_y + FLOW_LABEL_HEIGHT };
}

static gboolean
crosses (const FlowDisplay *display,
         const FlowWire    *wire,
         const Rect        *rect)
{
  const float *points = display->points + 2 * wire->first_point;

  for (guint s = 0; s + 3 < wire->n_points; s += 3)
    for (guint i = 0; i <= 64; i++)
      {
        float x = 0.0f;
        float y = 0.0f;

        _flow_display_cubic_at (points + 2 * s, i / 64.0f, &x, &y);
        if (x > rect->x0 && x < rect->x1 && y > rect->y0 && y < rect->y1)
          return TRUE;
      }
  return FALSE;
}

static void
check_words (const FlowDisplay *display,
             guint              w)
{
  const FlowWire *wire = &display->wires[w];
  const FlowBox *frame = &display->boxes[display->layers[wire->layer].frame];
  Rect words = words_of (wire);

  /* Inside of their group, below its header. */
  g_assert_cmpfloat (words.x0, >=, frame->x);
  g_assert_cmpfloat (words.x1, <=, frame->x + frame->width);
  g_assert_cmpfloat (words.y0, >=, frame->y + (frame->depth > 0 ? FLOW_GROUP_HEADER - 6.0f : 0.0f));
  g_assert_cmpfloat (words.y1, <=, frame->y + frame->height);
  for (guint i = 1; i < display->n_boxes; i++)
    {
      Rect rect = rect_of (&display->boxes[i]);

      if (display->boxes[i].kind == FLOW_BOX_FRAME && words.x0 >= rect.x0 && words.x1 <= rect.x1
          && words.y0 >= rect.y0 + FLOW_GROUP_HEADER - 6.0f && words.y1 <= rect.y1)
        continue;
      g_assert_false (meet (&words, &rect));
    }
  for (guint v = 0; v < display->n_wires; v++)
    {
      const FlowWire *other = &display->wires[v];

      if (v == w)
        continue;
      if (other->layer == wire->layer)
        g_assert_false (crosses (display, other, &words));
      if (other->label != NULL)
        {
          Rect theirs = words_of (other);

          /* Far enough apart to be two. */
          theirs.x0 -= 6.0f;
          theirs.x1 += 6.0f;
          g_assert_false (meet (&words, &theirs));
        }
    }
}

static guint
check_display (const FlowDisplay *display)
{
  guint n_words = 0;

  for (guint i = 1; i < display->n_boxes; i++)
    for (guint k = i + 1; k < display->n_boxes; k++)
      {
        Rect a = rect_of (&display->boxes[i]);
        Rect b = rect_of (&display->boxes[k]);

        if (display->boxes[i].kind == FLOW_BOX_FRAME && b.x0 >= a.x0 && b.x1 <= a.x1 && b.y0 >= a.y0 + FLOW_GROUP_HEADER - 0.01f
            && b.y1 <= a.y1)
          continue;
        g_assert_false (meet (&a, &b));
      }
  for (guint w = 0; w < display->n_wires; w++)
    if (display->wires[w].label != NULL)
      {
        check_words (display, w);
        n_words++;
      }
  return n_words;
}

/* No line of the outermost group runs through a box. */
static void
check_lines (const FlowDisplay *display)
{
  for (guint w = 0; w < display->n_wires; w++)
    for (guint i = 1; i < display->n_boxes; i++)
      {
        const FlowWire *wire = &display->wires[w];
        Rect rect = rect_of (&display->boxes[i]);

        if (wire->layer != 0 || display->boxes[i].item == wire->from || display->boxes[i].item == wire->to)
          continue;
        rect = (Rect) { rect.x0 + 2.0f, rect.y0 + 2.0f, rect.x1 - 2.0f, rect.y1 - 2.0f };
        g_assert_false (crosses (display, wire, &rect));
      }
}

/* --- tests ------------------------------------------------------------------------------------------- */

static void
test_fills (gconstpointer data)
{
  guint f = GPOINTER_TO_UINT (data);
  g_autoptr(FlowGraph) graph = load (f);

  if (graph == NULL)
    return;
  for (guint direction = FLOW_FLOW_DOWN; direction <= FLOW_FLOW_RIGHT; direction++)
    for (guint v = 0; v < G_N_ELEMENTS (views); v++)
      {
        g_autoptr(FlowScene) scene = make_scene (graph, direction);
        g_autoptr(FlowLayout) layout = lay_out (scene, &views[v]);
        g_autoptr(FlowDisplay) display = flow_display_new (scene, layout, TRUE);
        double zoom = flow_layout_get_zoom (layout, views[v].width, views[v].height);
        double shown = MIN (zoom, FLOW_FIT_ZOOM_MAX);
        double fill = layout->width * shown / views[v].width * layout->height * shown / views[v].height;
        guint n_words = check_display (display);

        check_lines (display);
        g_test_message ("%s %u %.0fx%.0f: zoom %.2f, fills %.2f, %u boxes, %u of %u lines say what they carry",
                        fixtures[f].path, direction, views[v].width, views[v].height, zoom, fill, display->n_boxes,
                        n_words, display->n_wires);
        /* What has shapes says so on many of its lines. */
        if (n_words > 0)
          g_assert_cmpuint (5 * n_words, >=, 2 * display->n_wires);
        if (v == 1 && direction == FLOW_FLOW_DOWN)
          {
            g_assert_cmpfloat (zoom, >=, fixtures[f].zoom);
            g_assert_cmpfloat (fill, >=, fixtures[f].fill);
          }
      }
}

static void
assert_same (const FlowLayout *a,
             const FlowLayout *b)
{
  g_assert_cmpuint (a->n_nodes, ==, b->n_nodes);
  g_assert_cmpfloat (a->width, ==, b->width);
  g_assert_cmpfloat (a->height, ==, b->height);
  for (guint i = 0; i < a->n_nodes; i++)
    {
      guint n = a->nodes[i].n_items;
      guint n_points = a->nodes[i].line_first[a->nodes[i].n_lines];

      g_assert_cmpmem (a->nodes[i].item_x, sizeof (float) * n, b->nodes[i].item_x, sizeof (float) * n);
      g_assert_cmpmem (a->nodes[i].item_y, sizeof (float) * n, b->nodes[i].item_y, sizeof (float) * n);
      g_assert_cmpuint (n_points, ==, b->nodes[i].line_first[b->nodes[i].n_lines]);
      g_assert_cmpmem (a->nodes[i].points, 2 * sizeof (float) * n_points, b->nodes[i].points, 2 * sizeof (float) * n_points);
    }
}

/* The same graph in the same view is the same picture; with what was found kept, it is so without a view. */
static void
test_stays (gconstpointer data)
{
  guint f = GPOINTER_TO_UINT (data);
  g_autoptr(FlowGraph) graph = load (f);
  g_autoptr(FlowScene) first = NULL;
  g_autoptr(FlowScene) second = NULL;
  g_autoptr(FlowScene) third = NULL;
  g_autoptr(FlowLayout) a = NULL;
  g_autoptr(FlowLayout) b = NULL;
  g_autoptr(FlowLayout) c = NULL;

  if (graph == NULL)
    return;
  first = make_scene (graph, FLOW_FLOW_DOWN);
  a = lay_out (first, &views[1]);
  second = make_scene (graph, FLOW_FLOW_DOWN);
  b = lay_out (second, &views[1]);
  assert_same (a, b);
  third = make_scene (graph, FLOW_FLOW_DOWN);
  third->shape = first->shape;
  c = lay_out (third, NULL);
  assert_same (a, c);
}

/* With scopes open words keep to their group, too; closing them again gives back what was. */
static void
test_open (gconstpointer data)
{
  guint f = GPOINTER_TO_UINT (data);
  g_autoptr(FlowGraph) graph = load (f);
  g_autoptr(FlowScene) scene = NULL;
  g_autoptr(FlowLayout) closed = NULL;
  g_autoptr(FlowLayout) again = NULL;
  guint n_open = 0;

  if (graph == NULL)
    return;
  scene = make_scene (graph, FLOW_FLOW_DOWN);
  closed = lay_out (scene, &views[1]);
  for (guint i = 0; i < flow_scene_group (scene, FLOW_GROUP_ROOT)->items->len; i++)
    {
      FlowItem item = g_array_index (flow_scene_group (scene, FLOW_GROUP_ROOT)->items, FlowItem, i);
      FlowSceneGroup *group = flow_item_is_group (item) ? flow_scene_group (scene, flow_item_get_group (item)) : NULL;

      if (group == NULL || group->items->len > 60)
        continue;
      group->is_open = TRUE;
      {
        g_autoptr(FlowLayout) layout = lay_out (scene, NULL);
        g_autoptr(FlowDisplay) display = flow_display_new (scene, layout, TRUE);

        check_display (display);
        check_lines (display);
      }
      if (++n_open == 6)
        break;
    }
  for (guint g = 1; g < scene->groups->len; g++)
    flow_scene_group (scene, g)->is_open = FALSE;
  again = lay_out (scene, NULL);
  assert_same (closed, again);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint f = 0; f < G_N_ELEMENTS (fixtures); f++)
    {
      g_autofree char *name = g_path_get_basename (fixtures[f].path);
      g_autofree char *fills = g_strdup_printf ("/first-look/fills/%u-%s", f, name);
      g_autofree char *stays = g_strdup_printf ("/first-look/stays/%u-%s", f, name);
      g_autofree char *open = g_strdup_printf ("/first-look/open/%u-%s", f, name);

      g_test_add_data_func (fills, GUINT_TO_POINTER (f), test_fills);
      g_test_add_data_func (stays, GUINT_TO_POINTER (f), test_stays);
      g_test_add_data_func (open, GUINT_TO_POINTER (f), test_open);
    }
  return g_test_run ();
}

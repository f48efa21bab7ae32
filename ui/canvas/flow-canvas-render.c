/* flow-canvas-render.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-canvas-render.h"
#include "flow-canvas-render-private.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

/* cairo refuses larger images; PDF readers refuse larger pages. */
#define PNG_SIDE_MAX 32767.0
#define PNG_AREA_MAX 400e6
#define PDF_SIDE_MAX 14400.0

typedef enum {
  FORMAT_PNG,
  FORMAT_SVG,
  FORMAT_PDF,
} Format;

static gboolean
format_of_name (const char  *path,
                Format      *format,
                GError     **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".png"))
    *format = FORMAT_PNG;
  else if (g_str_has_suffix (lower, ".svg"))
    *format = FORMAT_SVG;
  else if (g_str_has_suffix (lower, ".pdf"))
    *format = FORMAT_PDF;
  else
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "%s: a picture's name ends in .png, .svg or .pdf", path);
      return FALSE;
    }
  return TRUE;
}

static cairo_status_t
append_cb (void                *closure,
           const unsigned char *data,
           unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
paint_picture (const FlowPicture *picture,
               cairo_t           *cr,
               double             width,
               double             height,
               double             scale)
{
  cairo_rectangle_t clip = { 0.0, 0.0, picture->display->width, picture->display->height };
  g_autoptr(FlowPainter) painter = flow_painter_new (&picture->style);
  g_autofree guint8 *dims = flow_display_dup_dims (picture->display, picture->scene, picture->focus);

  flow_painter_set_color (painter, cr, FLOW_COLOR_CANVAS, 1.0);
  cairo_paint (cr);
  cairo_translate (cr, (width - clip.width * scale) / 2.0, (height - clip.height * scale) / 2.0);
  cairo_scale (cr, scale, scale);
  flow_painter_set_tints (painter, picture->tints);
  flow_painter_paint (painter, cr, picture->display, dims, &clip, scale);
  flow_painter_draw_states (painter, cr, picture->display, picture->scene, dims,
                            flow_scene_visible_item (picture->scene, picture->next), &clip, scale);
}

/* cairo draws text as outlines: what can be searched, and told by the pointer, is laid over it. */
static void
add_svg_titles (const FlowPicture *picture,
                GByteArray        *data,
                double             width,
                double             height,
                double             scale)
{
  static const char end[] = "</svg>";
  const FlowDisplay *display = picture->display;
  double left = (width - display->width * scale) / 2.0;
  double top = (height - display->height * scale) / 2.0;
  g_autoptr(GString) text = g_string_new ("<g fill=\"none\" pointer-events=\"all\">\n");
  const char *last = g_strrstr_len ((const char *) data->data, data->len, end);
  g_autofree guint8 *dims = flow_display_dup_dims (display, picture->scene, picture->focus);

  if (last == NULL)
    return;
  for (guint i = 1; i < display->n_boxes; i++)
    {
      const FlowBox *box = &display->boxes[i];
      const char *name = flow_item_is_group (box->item)
                         ? flow_scene_group (picture->scene, flow_item_get_group (box->item))->key
                         : flow_graph_get_node_name (picture->scene->graph, box->item);
      g_autofree char *shown = flow_escape_display (name, -1, 1000);
      g_autofree char *escaped = g_markup_escape_text (shown, -1);
      char number[4][G_ASCII_DTOSTR_BUF_SIZE];

      if (dims != NULL && dims[i] == FLOW_DIM_HIDDEN)
        continue;
      g_ascii_formatd (number[0], sizeof number[0], "%.1f", left + box->x * scale);
      g_ascii_formatd (number[1], sizeof number[1], "%.1f", top + box->y * scale);
      g_ascii_formatd (number[2], sizeof number[2], "%.1f", box->width * scale);
      g_ascii_formatd (number[3], sizeof number[3], "%.1f", box->height * scale);
      g_string_append_printf (text, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">"
                              "<title>%s</title></rect>\n",
                              number[0], number[1], number[2], number[3], escaped);
    }
  g_string_append (text, "</g>\n</svg>\n");
  g_byte_array_set_size (data, last - (const char *) data->data);
  g_byte_array_append (data, (const guint8 *) text->str, text->len);
}

/*
 * _flow_picture_write:
 * @width: 0: as large as the drawing
 *
 * Draws to a temporary name and renames. Nothing of a window is needed.
 */
gboolean
_flow_picture_write (const FlowPicture  *picture,
                     guint               width,
                     guint               height,
                     const char         *path,
                     GError            **error)
{
  Format format = FORMAT_PNG;
  double w = width > 0 ? width : ceil (MAX (picture->display->width, 1.0));
  double h = height > 0 ? height : ceil (MAX (picture->display->height, 1.0));
  double scale;
  double largest;
  g_autoptr(GByteArray) data = g_byte_array_new ();
  g_autoptr(GBytes) bytes = NULL;
  cairo_surface_t *surface = NULL;
  cairo_status_t status;
  cairo_t *cr;

  if (!format_of_name (path, &format, error))
    return FALSE;
  largest = format == FORMAT_PDF ? PDF_SIDE_MAX : PNG_SIDE_MAX;
  scale = MIN (1.0, MIN (largest / w, largest / h));
  if (format == FORMAT_PNG)
    scale = MIN (scale, sqrt (PNG_AREA_MAX / (w * h)));
  w = MAX (floor (w * scale), 1.0);
  h = MAX (floor (h * scale), 1.0);
  scale = MIN (1.0, MIN (w / MAX (picture->display->width, 1.0),
                         h / MAX (picture->display->height, 1.0)));
  switch (format)
    {
    case FORMAT_SVG:
      surface = cairo_svg_surface_create_for_stream (append_cb, data, w, h);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      break;
    case FORMAT_PDF:
      surface = cairo_pdf_surface_create_for_stream (append_cb, data, w, h);
      break;
    case FORMAT_PNG:
    default:
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) w, (int) h);
    }
  cr = cairo_create (surface);
  paint_picture (picture, cr, w, h, scale);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == FORMAT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_cb, data);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "%s: a picture of %.0f x %.0f cannot be drawn: %s", path, w, h,
                   cairo_status_to_string (status));
      return FALSE;
    }
  if (format == FORMAT_SVG)
    add_svg_titles (picture, data, w, h, scale);
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&data));
  return flow_write_file_safely (path, bytes, error);
}

/*
 * _flow_scene_open_key:
 *
 * Opens a group and those around it.
 *
 * Returns: whether there is one of that name
 */
gboolean
_flow_scene_open_key (FlowScene  *scene,
                      const char *key)
{
  guint32 group = flow_scene_find_key (scene, key);

  if (group == FLOW_GROUP_NONE)
    return FALSE;
  for (; group != FLOW_GROUP_NONE; group = flow_scene_group (scene, group)->parent)
    flow_scene_group (scene, group)->is_open = TRUE;
  return TRUE;
}

/* Whether it says how deep scopes are to be open; a scope that has a number for its name is a scope. */
static gboolean
is_depth (const FlowScene *scene,
          const char      *text,
          guint           *depth)
{
  guint64 number = 0;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT16, &number, NULL)
      || flow_graph_find_scope (scene->graph, text) != FLOW_SCOPE_NONE)
    return FALSE;
  *depth = (guint) number;
  return TRUE;
}

/*
 * _flow_scene_open_listed:
 * @keys: (nullable): scopes, or how deep all are to be open
 *
 * Returns: (nullable): the first of them that is not in the graph
 */
const char *
_flow_scene_open_listed (FlowScene         *scene,
                         const char *const *keys)
{
  const char *missing = NULL;
  guint depth = 0;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (is_depth (scene, keys[i], &depth))
      flow_scene_open_to_depth (scene, depth);
  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (!is_depth (scene, keys[i], &depth) && !_flow_scene_open_key (scene, keys[i])
        && flow_graph_find_scope (scene->graph, keys[i]) == FLOW_SCOPE_NONE && missing == NULL)
      missing = keys[i];
  return missing;
}

/**
 * flow_canvas_render_file:
 * @graph: the graph
 * @options: what is open and how it looks
 * @path: where to; the kind by the name's end: .png, .svg or .pdf
 *
 * Draws the canvas without a window; no display is needed. Blocks.
 *
 * Sets `FLOW_ERROR_NOT_FOUND` if a scope to open does not exist, `FLOW_ERROR_INVALID_ARGUMENT` for
 * another kind of file.
 *
 * Returns: whether the file was written
 */
gboolean
flow_canvas_render_file (FlowGraph                      *graph,
                         const FlowCanvasRenderOptions  *options,
                         const char                     *path,
                         GError                        **error)
{
  FlowPicture picture = { .style = FLOW_PAINT_STYLE_INIT, .next = FLOW_ITEM_NONE };
  g_autoptr(FlowPainter) painter = NULL;
  g_autoptr(FlowScene) scene = NULL;
  g_autoptr(FlowLayout) layout = NULL;
  g_autoptr(FlowDisplay) display = NULL;
  const char *missing = NULL;
  FlowTextMetrics metrics;

  g_return_val_if_fail (FLOW_IS_GRAPH (graph), FALSE);
  g_return_val_if_fail (options != NULL && path != NULL, FALSE);

  picture.style.theme = options->dark ? FLOW_THEME_DARK : FLOW_THEME_LIGHT;
  picture.style.high_contrast = options->high_contrast;
  painter = flow_painter_new (&picture.style);
  flow_painter_get_metrics (painter, &metrics);
  scene = flow_scene_new (graph, &metrics, options->direction <= FLOW_FLOW_RIGHT ? (FlowDirection) options->direction : FLOW_FLOW_DOWN);
  missing = _flow_scene_open_listed (scene, options->open_scopes);
  if (missing != NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "Scope %s is not in the graph", missing);
      return FALSE;
    }
  if (options->expand_all)
    for (guint g = 0; g < scene->groups->len; g++)
      if (flow_scene_group (scene, g)->kind != FLOW_GROUP_SERIES)
        flow_scene_group (scene, g)->is_open = TRUE;
  flow_scene_set_states (scene, options->states);
  layout = flow_layout_new (scene, FALSE);
  if (options->width > 0 && options->height > 0)
    {
      flow_layout_fit (layout, options->width, options->height);
      if (options->direction > FLOW_FLOW_RIGHT)
        flow_layout_let_choose (layout, scene, FLOW_FLOW_RIGHT);
    }
  flow_layout_run (layout, NULL);
  flow_layout_commit (layout, scene);
  display = flow_display_new (scene, layout, !options->hide_edge_shapes);
  picture.scene = scene;
  picture.display = display;
  picture.next = flow_scene_item_of_op (scene, options->next_node);
  return _flow_picture_write (&picture, options->width, options->height, path, error);
}

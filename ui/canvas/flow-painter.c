/* flow-painter.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-painter-private.h"

#include <math.h>
#include <string.h>

/* Detail by scale (canvas, section 11); the rest of it is in the private header. */
#define SCALE_CARD 0.4
#define SCALE_CURVES 0.35
#define SCALE_HEADS 0.35
#define SCALE_LABELS 0.8
#define SCALE_WIRES 0.06

/* Sizes of the three texts, pixels. */
static const double text_sizes[FLOW_N_TEXT_KINDS] = { 12.0, 10.0, 10.0 };

/* What is not in the run (canvas, section 15). */
#define DIM_BOX 0.35
#define DIM_WIRE 0.2

/* Layouts kept; one over this drops them all, which is simpler than an order of use and as good. */
#define LAYOUTS_MAX 4000

typedef struct {
  char *text;
  guint kind;
  int width;
} LayoutKey;

struct _FlowPainter
{
  FlowPaintStyle style;
  PangoContext *context;
  PangoFontDescription *fonts[FLOW_N_TEXT_KINDS];
  GHashTable *layouts;         /* LayoutKey -> PangoLayout */
  const FlowTints *tints;      /* of the display that is painted, nullable, borrowed */
};

static guint
layout_key_hash (gconstpointer data)
{
  const LayoutKey *key = data;

  return g_str_hash (key->text) ^ (key->kind * 0x9e3779b9u) ^ ((guint) key->width * 31u);
}

static gboolean
layout_key_equal (gconstpointer a,
                  gconstpointer b)
{
  const LayoutKey *x = a;
  const LayoutKey *y = b;

  return x->kind == y->kind && x->width == y->width && strcmp (x->text, y->text) == 0;
}

static void
layout_key_free (gpointer data)
{
  LayoutKey *key = data;

  g_free (key->text);
  g_free (key);
}

static void
make_fonts (FlowPainter *self)
{
  for (guint i = 0; i < FLOW_N_TEXT_KINDS; i++)
    {
      g_clear_pointer (&self->fonts[i], pango_font_description_free);
      self->fonts[i] = pango_font_description_new ();
      pango_font_description_set_family (self->fonts[i], self->style.font);
      pango_font_description_set_absolute_size (self->fonts[i], text_sizes[i] * PANGO_SCALE);
      if (i == FLOW_TEXT_TITLE)
        pango_font_description_set_weight (self->fonts[i], PANGO_WEIGHT_BOLD);
    }
  g_hash_table_remove_all (self->layouts);
}

/**
 * flow_painter_new:
 * @style: theme, contrast and font
 *
 * Needs no display. Use from the thread that made it only.
 */
FlowPainter *
flow_painter_new (const FlowPaintStyle *style)
{
  FlowPainter *self = g_new0 (FlowPainter, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  self->style = *style;
  /* The default font map is one per thread. */
  self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (self->context, options);
  cairo_font_options_destroy (options);
  self->layouts = g_hash_table_new_full (layout_key_hash, layout_key_equal, layout_key_free,
                                         g_object_unref);
  make_fonts (self);
  return self;
}

void
flow_painter_free (FlowPainter *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < FLOW_N_TEXT_KINDS; i++)
    g_clear_pointer (&self->fonts[i], pango_font_description_free);
  g_hash_table_unref (self->layouts);
  g_object_unref (self->context);
  g_free (self);
}

void
flow_painter_set_style (FlowPainter          *self,
                        const FlowPaintStyle *style)
{
  if (memcmp (&self->style, style, sizeof *style) == 0)
    return;
  self->style = *style;
  make_fonts (self);
}

/**
 * flow_painter_set_tints:
 * @tints: (nullable): what the boxes of the display that flow_painter_paint() is given next are coloured with; %NULL:
 *   by op family. It must live as long as it is used
 */
void
flow_painter_set_tints (FlowPainter     *self,
                        const FlowTints *tints)
{
  self->tints = tints;
}

const FlowPaintStyle *
flow_painter_get_style (FlowPainter *self)
{
  return &self->style;
}

static PangoLayout *
get_layout (FlowPainter  *self,
            FlowTextKind  kind,
            const char   *text,
            double        max_width)
{
  LayoutKey probe = { (char *) text, kind, max_width > 0.0 ? (int) max_width : -1 };
  PangoLayout *layout = g_hash_table_lookup (self->layouts, &probe);
  LayoutKey *key;

  if (layout != NULL)
    return layout;
  if (g_hash_table_size (self->layouts) >= LAYOUTS_MAX)
    g_hash_table_remove_all (self->layouts);
  layout = pango_layout_new (self->context);
  pango_layout_set_font_description (layout, self->fonts[kind]);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  if (max_width > 0.0)
    {
      pango_layout_set_width (layout, (int) (max_width * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
    }
  key = g_memdup2 (&probe, sizeof probe);
  key->text = g_strdup (text);
  g_hash_table_insert (self->layouts, key, layout);
  return layout;
}

/**
 * flow_painter_get_metrics:
 * @metrics: out: advances of the ASCII characters
 *
 * What layout measures labels with.
 */
void
flow_painter_get_metrics (FlowPainter     *self,
                          FlowTextMetrics *metrics)
{
  memset (metrics, 0, sizeof *metrics);
  for (guint c = 32; c < 127; c++)
    {
      /* Ten at once, so that rounding does not add up. */
      char text[11];

      memset (text, (int) c, 10);
      text[10] = '\0';
      metrics->title[c] = flow_painter_measure_text (self, FLOW_TEXT_TITLE, text) / 10.0;
      metrics->subtitle[c] = flow_painter_measure_text (self, FLOW_TEXT_SUBTITLE, text) / 10.0;
    }
  g_hash_table_remove_all (self->layouts);
}

double
flow_painter_measure_text (FlowPainter  *self,
                           FlowTextKind  kind,
                           const char   *text)
{
  int width = 0;

  pango_layout_get_size (get_layout (self, kind, text, 0.0), &width, NULL);
  return (double) width / PANGO_SCALE;
}

/**
 * flow_painter_show_text:
 * @x: left edge
 * @y: the line's middle
 * @max_width: longer text is ellipsised in the middle; 0: as long as it is
 *
 * In the colour that is set.
 *
 * Returns: the width
 */
double
flow_painter_show_text (FlowPainter  *self,
                        cairo_t      *cr,
                        FlowTextKind  kind,
                        const char   *text,
                        double        x,
                        double        y,
                        double        max_width)
{
  PangoLayout *layout = get_layout (self, kind, text, max_width);
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  cairo_move_to (cr, x, y - logical.height / 2.0 / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
  return (double) logical.width / PANGO_SCALE;
}

static void
set_rgb (cairo_t *cr,
         guint    rgb,
         double   alpha)
{
  cairo_set_source_rgba (cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
                         (rgb & 0xff) / 255.0, alpha);
}

void
flow_painter_set_color (FlowPainter *self,
                        cairo_t     *cr,
                        FlowColor    color,
                        double       alpha)
{
  guint rgb = flow_palette_get_rgb (color, self->style.theme);

  if (self->style.high_contrast)
    switch (color)
      {
      case FLOW_COLOR_TEXT:
      case FLOW_COLOR_TEXT_DIM:
      case FLOW_COLOR_CARD_BORDER:
      case FLOW_COLOR_GROUP_BORDER:
      case FLOW_COLOR_EDGE:
        rgb = self->style.theme == FLOW_THEME_DARK ? 0xffffff : 0x000000;
        break;
      case FLOW_COLOR_CARD:
      case FLOW_COLOR_GROUP:
      case FLOW_COLOR_GROUP_ALT:
      case FLOW_COLOR_CANVAS:
        rgb = self->style.theme == FLOW_THEME_DARK ? 0x000000 : 0xffffff;
        break;
      default:
        break;
      }
  set_rgb (cr, rgb, alpha);
}

/**
 * flow_painter_set_color_on:
 * @ground: what is filled with this colour
 *
 * The colour of words and signs on that ground, whatever the theme: they can always be read.
 */
void
flow_painter_set_color_on (FlowPainter *self,
                           cairo_t     *cr,
                           FlowColor    ground,
                           double       alpha)
{
  set_rgb (cr, flow_palette_get_rgb_on (ground, self->style.theme), alpha);
}

void
flow_painter_round_box (cairo_t *cr,
                        double   x,
                        double   y,
                        double   width,
                        double   height,
                        double   radius)
{
  radius = MIN (radius, MIN (width, height) / 2.0);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0.0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0.0, G_PI_2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

double
_flow_painter_border_width (const FlowPainter *self,
                            double             scale)
{
  double pixels = self->style.high_contrast ? 2.0 : 1.0;

  return scale < 1.0 ? pixels / scale * MAX (scale, 0.5) : pixels;
}

FlowColor
_flow_painter_family_color (guint family)
{
  return FLOW_COLOR_FAMILY_OTHER + family % FLOW_N_FAMILIES;
}

/* --- cards ---------------------------------------------------------------------------------------- */

static void
paint_annotations (FlowPainter   *self,
                   cairo_t       *cr,
                   const FlowBox *box,
                   double         alpha)
{
  guint n = MIN (box->n_annotations, FLOW_ANNOTATIONS_MAX);
  double step = MIN (9.0, (box->height - 8.0) / MAX (n, 1));
  double y = box->y + box->height / 2.0 - step * (n - 1) / 2.0;
  double x = box->x + 4.0;

  cairo_set_line_width (cr, 1.0);
  for (guint i = 0; i < n; i++, y += step)
    {
      flow_painter_set_color (self, cr, FLOW_COLOR_EDGE, alpha * 0.7);
      cairo_move_to (cr, x + 3.0, y);
      cairo_line_to (cr, flow_box_card_x (box), y);
      cairo_stroke (cr);
      cairo_arc (cr, x, y, 3.0, 0.0, 2.0 * G_PI);
      flow_painter_set_color (self, cr, FLOW_COLOR_CARD, 1.0);
      cairo_fill_preserve (cr);
      flow_painter_set_color (self, cr, FLOW_COLOR_EDGE, alpha);
      if (i == FLOW_ANNOTATIONS_MAX - 1 && box->n_annotations > FLOW_ANNOTATIONS_MAX)
        cairo_fill (cr);
      else
        cairo_stroke (cr);
    }
}

static void
paint_stack (FlowPainter   *self,
             cairo_t       *cr,
             const FlowBox *box,
             guint          n,
             double         alpha,
             double         line)
{
  for (guint i = n; i > 0; i--)
    {
      flow_painter_round_box (cr, box->x + 3.0 * i + line / 2.0, box->y + 3.0 * i + line / 2.0,
                              box->width - line, box->height - line, FLOW_CARD_RADIUS);
      flow_painter_set_color (self, cr, FLOW_COLOR_GROUP_ALT, 1.0);
      cairo_fill_preserve (cr);
      flow_painter_set_color (self, cr, FLOW_COLOR_CARD_BORDER, alpha);
      cairo_set_line_width (cr, line);
      cairo_stroke (cr);
    }
}

static void
paint_card_text (FlowPainter    *self,
                 cairo_t        *cr,
                 const FlowBox  *box,
                 const FlowTint *tint,
                 double          alpha,
                 double          scale)
{
  gboolean is_group = box->kind != FLOW_BOX_OP;
  double x = flow_box_card_x (box) + 13.0;
  double room = box->x + box->width - x - (is_group ? 24.0 : 22.0);
  double middle = box->y + box->height / 2.0 - (is_group ? 3.5 : 0.0);
  gboolean two_lines = scale >= SCALE_SUBTITLE;

  flow_painter_set_color (self, cr, FLOW_COLOR_TEXT, alpha);
  flow_painter_show_text (self, cr, FLOW_TEXT_TITLE, box->title, x,
                          two_lines ? middle - 7.0 : middle, room);
  if (!two_lines)
    return;
  /* On a tint dim words could not be read. */
  flow_painter_set_color (self, cr, tint != NULL && tint->n_parts > 0 ? FLOW_COLOR_TEXT : FLOW_COLOR_TEXT_DIM, alpha);
  flow_painter_show_text (self, cr, FLOW_TEXT_SUBTITLE, box->subtitle, x, middle + 8.0,
                          room + (is_group ? 0.0 : 14.0));
  if (is_group)
    {
      double cx = box->x + box->width - 13.0;

      cairo_move_to (cr, cx - 2.0, middle + 4.0);
      cairo_line_to (cr, cx + 2.0, middle + 8.0);
      cairo_line_to (cr, cx - 2.0, middle + 12.0);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
    }
}

static void
paint_card (FlowPainter    *self,
            cairo_t        *cr,
            const FlowBox  *box,
            const FlowTint *tint,
            gboolean        dim,
            double          scale)
{
  double x = flow_box_card_x (box);
  double width = box->x + box->width - x;
  double alpha = dim ? DIM_BOX : 1.0;
  double line = _flow_painter_border_width (self, scale);

  if (scale < SCALE_CARD)
    {
      /* Too small for a card: its family is what can still be told. */
      double w = MAX (width, 2.0 / scale);
      double h = MAX (box->height, 2.0 / scale);

      if (scale >= SCALE_HEADERS)
        flow_painter_round_box (cr, x, box->y, w, h, FLOW_CARD_RADIUS);
      else
        cairo_rectangle (cr, x, box->y, w, h);
      flow_painter_set_color (self, cr, FLOW_COLOR_CARD, 1.0);
      cairo_fill_preserve (cr);
      flow_painter_set_color (self, cr, tint != NULL ? FLOW_COLOR_CARD_BORDER : _flow_painter_family_color (box->family),
                              alpha * 0.65);
      cairo_fill (cr);
      if (tint != NULL)
        _flow_painter_fill_tint (self, cr, box, tint, -alpha);
      return;
    }
  if (box->kind == FLOW_BOX_SERIES)
    paint_stack (self, cr, box, 2, alpha, line);
  else if (box->kind == FLOW_BOX_GROUP)
    paint_stack (self, cr, box, 1, alpha, line);
  flow_painter_round_box (cr, x + line / 2.0, box->y + line / 2.0, width - line,
                          box->height - line, FLOW_CARD_RADIUS);
  flow_painter_set_color (self, cr, FLOW_COLOR_CARD, 1.0);
  cairo_fill_preserve (cr);
  flow_painter_set_color (self, cr, FLOW_COLOR_CARD_BORDER, alpha);
  cairo_set_line_width (cr, line);
  if (dim)
    {
      const double dashes[] = { 3.0, 3.0 };

      cairo_set_dash (cr, dashes, 2, 0.0);
    }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  if (tint != NULL)
    _flow_painter_fill_tint (self, cr, box, tint, alpha);
  _flow_painter_paint_stripe (self, cr, box, tint, alpha, scale);
  if (scale >= SCALE_TITLE)
    paint_card_text (self, cr, box, tint, alpha, scale);
  if (box->kind != FLOW_BOX_OP && scale >= SCALE_SUBTITLE)
    _flow_painter_paint_shares (self, cr, box, tint, alpha);
  if (box->n_annotations > 0 && scale >= SCALE_SUBTITLE)
    paint_annotations (self, cr, box, alpha);
}

/* --- wires --------------------------------------------------------------------------------------- */

static void
paint_head (cairo_t *cr,
            double   x,
            double   y,
            double   dx,
            double   dy,
            double   size)
{
  double length = hypot (dx, dy);

  if (length < 1e-6)
    return;
  dx /= length;
  dy /= length;
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - dx * size - dy * size * 0.45, y - dy * size + dx * size * 0.45);
  cairo_line_to (cr, x - dx * size + dy * size * 0.45, y - dy * size - dx * size * 0.45);
  cairo_close_path (cr);
  cairo_fill (cr);
}

/**
 * flow_painter_stroke_wire:
 *
 * The line and its heads, in the colour and with the line width that are set.
 */
void
flow_painter_stroke_wire (FlowPainter       *self,
                          cairo_t           *cr,
                          const FlowDisplay *display,
                          const FlowWire    *wire,
                          double             scale)
{
  const float *p = display->points + 2 * wire->first_point;
  guint n = wire->n_points;
  static const double dashes[] = { 4.0, 3.0 };
  static const double dots[] = { 1.0, 2.5 };
  double head = CLAMP (5.5 + 1.5 * cairo_get_line_width (cr), 7.0, 12.0);
  gboolean has_head = scale >= SCALE_HEADS && n >= 4 && (wire->flags & FLOW_WIRE_HEAD) != 0;

  cairo_move_to (cr, p[0], p[1]);
  for (guint s = 1; s + 2 < n; s += 3)
    if (scale >= SCALE_CURVES)
      {
        double x = p[2 * s + 4];
        double y = p[2 * s + 5];

        /* A thick line ends in its head, not at the point of it. */
        if (has_head && s + 3 == n)
          {
            double dx = x - p[2 * s + 2];
            double dy = y - p[2 * s + 3];
            double length = MAX (hypot (dx, dy), 1e-6);

            x -= dx / length * head * 0.7;
            y -= dy / length * head * 0.7;
          }
        cairo_curve_to (cr, p[2 * s], p[2 * s + 1], p[2 * s + 2], p[2 * s + 3], x, y);
      }
    else
      cairo_line_to (cr, p[2 * s + 4], p[2 * s + 5]);
  if (scale >= 0.4 && (wire->flags & FLOW_WIRE_CONTROL) != 0)
    cairo_set_dash (cr, dashes, 2, 0.0);
  else if (scale >= 0.4 && (wire->flags & FLOW_WIRE_REF) != 0)
    cairo_set_dash (cr, dots, 2, 0.0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  if (!has_head)
    return;
  {
    double x = p[2 * n - 2];
    double y = p[2 * n - 1];
    double dx = x - p[2 * n - 4];
    double dy = y - p[2 * n - 3];

    paint_head (cr, x, y, dx, dy, head);
    if ((wire->flags & FLOW_WIRE_BACK) != 0)
      {
        double length = MAX (hypot (dx, dy), 1e-6);

        paint_head (cr, x - dx / length * head * 0.8, y - dy / length * head * 0.8, dx, dy, head);
      }
  }
}

static guint8
get_dim (const FlowDisplay *display,
         const guint8      *dims,
         FlowItem           item)
{
  guint i;

  if (dims == NULL || item == FLOW_ITEM_NONE)
    return 0;
  i = GPOINTER_TO_UINT (g_hash_table_lookup (display->box_of, GUINT_TO_POINTER (item)));
  return i > 0 ? dims[i - 1] : 0;
}

/* A line is as pale as the paler of its ends. */
static guint8
get_wire_dim (const FlowDisplay *display,
              const guint8      *dims,
              const FlowWire    *wire)
{
  return dims != NULL ? MAX (get_dim (display, dims, wire->from), get_dim (display, dims, wire->to)) : 0;
}

static void
paint_wires (FlowPainter             *self,
             cairo_t                 *cr,
             const FlowDisplay       *display,
             const FlowDisplayLayer  *layer,
             const guint8            *dims,
             const cairo_rectangle_t *clip,
             double                   scale)
{
  for (guint i = layer->first_wire; i < layer->first_wire + layer->n_wires; i++)
    {
      const FlowWire *wire = &display->wires[i];
      guint8 dim;
      double alpha;

      if (wire->x1 < clip->x - 8.0 || wire->x0 > clip->x + clip->width + 8.0
          || wire->y1 < clip->y - 8.0 || wire->y0 > clip->y + clip->height + 8.0)
        continue;
      if (scale < SCALE_HEADERS
          && ((wire->flags & FLOW_WIRE_CONTROL) != 0
              || MAX (wire->x1 - wire->x0, wire->y1 - wire->y0) * scale < 3.0))
        continue;
      dim = get_wire_dim (display, dims, wire);
      if (dim == FLOW_DIM_HIDDEN)
        continue;
      alpha = dim ? DIM_WIRE : scale < SCALE_HEADERS ? 0.4 : 1.0;
      flow_painter_set_color (self, cr, (wire->flags & FLOW_WIRE_UPDATE) != 0
                                        ? FLOW_COLOR_CONTROL : FLOW_COLOR_EDGE, alpha);
      cairo_set_line_width (cr, scale < SCALE_CURVES ? 1.0 / scale
                                : MAX (wire->width, 0.7 / scale));
      flow_painter_stroke_wire (self, cr, display, wire, scale);
    }
}

/* Lines that pass behind words must not strike them through. */
static void
paint_label_ground (FlowPainter            *self,
                    cairo_t                *cr,
                    const FlowDisplayLayer *layer,
                    double                  x,
                    double                  y,
                    double                  width)
{
  flow_painter_round_box (cr, x - 2.0, y + 0.5, width + 4.0, FLOW_LABEL_HEIGHT - 1.0, 3.0);
  flow_painter_set_color (self, cr, _flow_painter_ground_color (layer->depth), 0.85);
  cairo_fill (cr);
}

static void
paint_labels (FlowPainter             *self,
              cairo_t                 *cr,
              const FlowDisplay       *display,
              const FlowDisplayLayer  *layer,
              const guint8            *dims,
              const cairo_rectangle_t *clip)
{
  for (guint i = layer->first_wire; i < layer->first_wire + layer->n_wires; i++)
    {
      const FlowWire *wire = &display->wires[i];
      guint8 dim;

      if (wire->label == NULL
          || wire->label_x > clip->x + clip->width || wire->label_x + 260.0 < clip->x
          || wire->label_y > clip->y + clip->height || wire->label_y + 20.0 < clip->y)
        continue;
      dim = get_wire_dim (display, dims, wire);
      if (dim == FLOW_DIM_HIDDEN)
        continue;
      paint_label_ground (self, cr, layer, wire->label_x, wire->label_y,
                          flow_painter_measure_text (self, FLOW_TEXT_LABEL, wire->label));
      flow_painter_set_color (self, cr, (wire->flags & FLOW_WIRE_UPDATE) != 0
                                        ? FLOW_COLOR_CONTROL : FLOW_COLOR_TEXT_DIM,
                              dim ? DIM_BOX : 1.0);
      flow_painter_show_text (self, cr, FLOW_TEXT_LABEL, wire->label, wire->label_x,
                              wire->label_y + 6.5, 0.0);
    }
}

static void
paint_stubs (FlowPainter             *self,
             cairo_t                 *cr,
             const FlowDisplay       *display,
             const FlowDisplayLayer  *layer,
             const guint8            *dims,
             const cairo_rectangle_t *clip)
{
  gboolean sideways = display->direction == FLOW_FLOW_RIGHT;

  for (guint i = layer->first_stub; i < layer->first_stub + layer->n_stubs; i++)
    {
      const FlowStub *stub = &display->stubs[i];
      guint8 dim = get_dim (display, dims, stub->item);
      double alpha = dim ? DIM_BOX : 0.8;
      gboolean below = (stub->out != 0) == (display->direction != FLOW_FLOW_UP);
      double dx = sideways ? (stub->out ? FLOW_STUB_LENGTH : -FLOW_STUB_LENGTH) : 0.0;
      double dy = sideways ? 0.0 : below ? FLOW_STUB_LENGTH : -FLOW_STUB_LENGTH;

      if (stub->x < clip->x - 20.0 || stub->x > clip->x + clip->width + 20.0
          || stub->y < clip->y - 20.0 || stub->y > clip->y + clip->height + 20.0 || dim == FLOW_DIM_HIDDEN)
        continue;
      flow_painter_set_color (self, cr, stub->is_update ? FLOW_COLOR_CONTROL : FLOW_COLOR_EDGE,
                              alpha);
      cairo_set_line_width (cr, 1.2);
      cairo_move_to (cr, stub->x, stub->y);
      cairo_line_to (cr, stub->x + dx / 1.3, stub->y + dy / 1.3);
      cairo_stroke (cr);
      if (stub->is_named)
        {
          double width = flow_painter_measure_text (self, FLOW_TEXT_LABEL, stub->label);
          double x = stub->x + dx - (sideways ? 0.0 : width + 6.0);

          paint_label_ground (self, cr, layer, x, stub->y + dy - FLOW_LABEL_HEIGHT / 2.0, width);
          flow_painter_set_color (self, cr, FLOW_COLOR_CONTROL, alpha);
          flow_painter_show_text (self, cr, FLOW_TEXT_LABEL, stub->label, x, stub->y + dy, 0.0);
        }
      cairo_arc (cr, stub->x + dx, stub->y + dy, stub->n_edges > 1 ? 2.4 : 1.7, 0.0, 2.0 * G_PI);
      cairo_fill (cr);
    }
}

/* --- all of it ------------------------------------------------------------------------------------ */

static gboolean
box_in_clip (const FlowBox           *box,
             const cairo_rectangle_t *clip)
{
  return box->x <= clip->x + clip->width + 8.0 && box->x + box->width + 8.0 >= clip->x
         && box->y <= clip->y + clip->height + 14.0 && box->y + box->height + 8.0 >= clip->y;
}

static gboolean
is_hidden (const guint8 *dims,
           guint         box)
{
  return dims != NULL && dims[box] == FLOW_DIM_HIDDEN;
}

/* What a box is coloured with; NULL: by its family. */
static const FlowTint *
get_tint (FlowPainter *self,
          guint        box)
{
  return self->tints != NULL && box < self->tints->n_boxes ? &self->tints->boxes[box] : NULL;
}

static void
paint_frame_tint (FlowPainter    *self,
                  cairo_t        *cr,
                  const FlowBox  *frame,
                  const FlowTint *tint,
                  double          alpha,
                  double          scale)
{
  _flow_painter_paint_frame_tint (self, cr, frame, tint, alpha, scale);
  if (scale >= SCALE_TITLE)
    _flow_painter_paint_tag (self, cr, frame, tint, alpha);
}

/* After what is written at lines, which would strike them out. */
static void
paint_tags (FlowPainter             *self,
            cairo_t                 *cr,
            const FlowDisplay       *display,
            const FlowDisplayLayer  *layer,
            const guint8            *dims,
            const cairo_rectangle_t *clip)
{
  for (guint i = layer->first_box; i < layer->first_box + layer->n_boxes; i++)
    if (box_in_clip (&display->boxes[i], clip) && get_tint (self, i) != NULL && !is_hidden (dims, i))
      _flow_painter_paint_tag (self, cr, &display->boxes[i], get_tint (self, i), dims != NULL && dims[i] ? DIM_BOX : 1.0);
}

/**
 * flow_painter_paint:
 * @cr: moved and scaled to the display's coordinates
 * @dims: (nullable): as flow_display_dup_dims() gives them; also tells that there is a run, whose counts the
 *   overlay writes in the headers
 * @clip: what is asked for, in the display's coordinates
 * @scale: device pixels per unit: detail follows it
 *
 * Groups, then their wires, then their boxes, outside in.
 */
void
flow_painter_paint (FlowPainter             *self,
                    cairo_t                 *cr,
                    const FlowDisplay       *display,
                    const guint8            *dims,
                    const cairo_rectangle_t *clip,
                    double                   scale)
{
  for (guint l = 0; l < display->n_layers; l++)
    {
      const FlowDisplayLayer *layer = &display->layers[l];
      const FlowBox *frame = &display->boxes[layer->frame];
      double alpha = dims != NULL && dims[layer->frame] ? DIM_BOX : 1.0;

      if (!box_in_clip (frame, clip) || (l > 0 && is_hidden (dims, layer->frame)))
        continue;
      if (l > 0)
        {
          _flow_painter_paint_frame (self, cr, frame, layer->depth, alpha, scale);
          /* From far away an open group is a block. */
          if (frame->width * scale < 24.0)
            continue;
        }
      if (scale >= SCALE_WIRES || layer->depth == 0)
        paint_wires (self, cr, display, layer, dims, clip, scale);
      if (l > 0)
        {
          _flow_painter_paint_header (self, cr, frame, layer->depth, alpha, scale);
          if (get_tint (self, layer->frame) != NULL)
            paint_frame_tint (self, cr, frame, get_tint (self, layer->frame), alpha, scale);
          /* Where there is a run the overlay writes it. */
          if ((dims == NULL || dims[0] == 0) && scale >= SCALE_SUBTITLE)
            _flow_painter_paint_count (self, cr, frame, alpha);
        }
      for (guint i = layer->first_box; i < layer->first_box + layer->n_boxes; i++)
        if (box_in_clip (&display->boxes[i], clip) && !is_hidden (dims, i))
          paint_card (self, cr, &display->boxes[i], get_tint (self, i), dims != NULL && dims[i], scale);
      if (scale >= SCALE_LABELS)
        paint_labels (self, cr, display, layer, dims, clip);
      if (scale >= SCALE_SUBTITLE)
        paint_stubs (self, cr, display, layer, dims, clip);
      if (self->tints != NULL && scale >= SCALE_TITLE)
        paint_tags (self, cr, display, layer, dims, clip);
    }
}

/**
 * flow_painter_draw_headers:
 * @cr: moved and scaled to the display's coordinates
 * @dims: (nullable): per box, whether it is dimmed
 * @clip: what is asked for, in the display's coordinates
 * @scale: device pixels per unit
 *
 * The names of the open groups once more: over lines that were drawn after them.
 */
void
flow_painter_draw_headers (FlowPainter             *self,
                           cairo_t                 *cr,
                           const FlowDisplay       *display,
                           const guint8            *dims,
                           const cairo_rectangle_t *clip,
                           double                   scale)
{
  for (guint l = 1; l < display->n_layers; l++)
    {
      const FlowDisplayLayer *layer = &display->layers[l];
      const FlowBox *frame = &display->boxes[layer->frame];

      if (box_in_clip (frame, clip) && frame->width * scale >= 24.0 && !is_hidden (dims, layer->frame))
        _flow_painter_paint_header (self, cr, frame, layer->depth, dims != NULL && dims[layer->frame] ? DIM_BOX : 1.0, scale);
    }
}

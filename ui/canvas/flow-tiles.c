/* flow-tiles.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tiles.h"

#include <math.h>

/* One megabyte each, and a handful cover a window. */
#define TILE_SIZE 512

/* Tiles of one set before those out of sight go. */
#define TILES_MAX 96

/* Dots of the ground, in units of the drawing. */
#define DOT_STEP 24.0
#define DOT_SCALE_MIN 0.45

/* Everything a worker needs to paint. Never changes once made. */
typedef struct {
  gatomicrefcount ref_count;
  FlowDisplay *display;
  guint8 *dims;                /* nullable */
  FlowTints *tints;            /* nullable */
  FlowPaintStyle style;
} Content;

typedef struct {
  gatomicrefcount ref_count;
  Content *content;
  double scale;
  int is_dropped;              /* atomic: workers skip what waits for it */
  GHashTable *tiles;           /* key -> cairo_surface_t, or NULL while it is on its way */
} TileSet;

struct _FlowTiles
{
  FlowTilesReadyFunc ready;
  gpointer data;
  GThreadPool *workers;
  Content *content;            /* nullable */
  TileSet *current;            /* nullable */
  TileSet *previous;           /* nullable: shown where the current one has holes */
  cairo_surface_t *minimap;    /* nullable */
  Content *minimap_content;    /* of which, or of which one is on its way; borrowed for comparison */
  int minimap_width;
  int minimap_height;
  gboolean minimap_asked;
  guint n_alive;               /* jobs that will still report here */
  gboolean is_freed;
};

typedef struct {
  FlowTiles *tiles;
  TileSet *set;                /* NULL: the minimap */
  Content *content;
  gint64 key;
  double distance;
  int width;                   /* minimap */
  int height;
  double device_scale;
  cairo_surface_t *surface;
} Job;

static Content *
content_ref (Content *content)
{
  g_atomic_ref_count_inc (&content->ref_count);
  return content;
}

static void
content_unref (Content *content)
{
  if (!g_atomic_ref_count_dec (&content->ref_count))
    return;
  flow_display_unref (content->display);
  g_free (content->dims);
  g_clear_pointer (&content->tints, flow_tints_unref);
  g_free (content);
}

static void
surface_free (gpointer data)
{
  if (data != NULL)
    cairo_surface_destroy (data);
}

static TileSet *
tile_set_new (Content *content,
              double   scale)
{
  TileSet *set = g_new0 (TileSet, 1);

  g_atomic_ref_count_init (&set->ref_count);
  set->content = content_ref (content);
  set->scale = scale;
  set->tiles = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, surface_free);
  return set;
}

static void
tile_set_unref (TileSet *set)
{
  if (!g_atomic_ref_count_dec (&set->ref_count))
    return;
  content_unref (set->content);
  g_hash_table_unref (set->tiles);
  g_free (set);
}

static void
tile_set_drop (TileSet *set)
{
  g_atomic_int_set (&set->is_dropped, 1);
  tile_set_unref (set);
}

static gint64
tile_key (int column,
          int row)
{
  return (gint64) (((guint64) (guint32) column << 32) | (guint32) row);
}

static int
key_column (gint64 key)
{
  return (gint32) (guint32) ((guint64) key >> 32);
}

static int
key_row (gint64 key)
{
  return (gint32) (guint32) key;
}

static void
painter_free (gpointer data)
{
  flow_painter_free (data);
}

static FlowPainter *
get_painter (const FlowPaintStyle *style)
{
  static GPrivate painters = G_PRIVATE_INIT (painter_free);
  FlowPainter *painter = g_private_get (&painters);

  if (painter == NULL)
    {
      painter = flow_painter_new (style);
      g_private_set (&painters, painter);
    }
  flow_painter_set_style (painter, style);
  return painter;
}

/**
 * flow_tiles_paint_ground:
 *
 * The canvas under everything, with its dots.
 */
void
flow_tiles_paint_ground (FlowPainter             *painter,
                         cairo_t                 *cr,
                         const cairo_rectangle_t *clip,
                         double                   scale)
{
  double size = 1.4 / scale;

  flow_painter_set_color (painter, cr, FLOW_COLOR_CANVAS, 1.0);
  cairo_paint (cr);
  if (scale < DOT_SCALE_MIN || flow_painter_get_style (painter)->high_contrast)
    return;
  for (double y = floor (clip->y / DOT_STEP) * DOT_STEP; y <= clip->y + clip->height;
       y += DOT_STEP)
    for (double x = floor (clip->x / DOT_STEP) * DOT_STEP; x <= clip->x + clip->width;
         x += DOT_STEP)
      cairo_rectangle (cr, x, y, size, size);
  flow_painter_set_color (painter, cr, FLOW_COLOR_DOTS, 1.0);
  cairo_fill (cr);
}

static void
paint_tile (Job *job)
{
  int column = key_column (job->key);
  int row = key_row (job->key);
  double scale = job->set->scale;
  cairo_rectangle_t clip = { column * TILE_SIZE / scale, row * TILE_SIZE / scale,
                             TILE_SIZE / scale, TILE_SIZE / scale };
  FlowPainter *painter = get_painter (&job->content->style);
  cairo_t *cr;

  job->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, TILE_SIZE, TILE_SIZE);
  cr = cairo_create (job->surface);
  cairo_translate (cr, -column * (double) TILE_SIZE, -row * (double) TILE_SIZE);
  cairo_scale (cr, scale, scale);
  flow_tiles_paint_ground (painter, cr, &clip, scale);
  flow_painter_set_tints (painter, job->content->tints);
  flow_painter_paint (painter, cr, job->content->display, job->content->dims, &clip, scale);
  cairo_destroy (cr);
  cairo_surface_flush (job->surface);
}

static void
paint_minimap (Job *job)
{
  const FlowDisplay *display = job->content->display;
  double scale = MIN (job->width / MAX (display->width, 1.0f),
                      job->height / MAX (display->height, 1.0f)) * job->device_scale;
  cairo_rectangle_t clip = { 0.0, 0.0, display->width, display->height };
  FlowPainter *painter = get_painter (&job->content->style);
  cairo_t *cr;

  job->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                             (int) (job->width * job->device_scale),
                                             (int) (job->height * job->device_scale));
  cr = cairo_create (job->surface);
  cairo_translate (cr, (job->width * job->device_scale - display->width * scale) / 2.0,
                   (job->height * job->device_scale - display->height * scale) / 2.0);
  cairo_scale (cr, scale, scale);
  flow_painter_set_tints (painter, job->content->tints);
  flow_painter_paint (painter, cr, display, job->content->dims, &clip, MIN (scale, 0.19));
  cairo_destroy (cr);
  cairo_surface_flush (job->surface);
  cairo_surface_set_device_scale (job->surface, job->device_scale, job->device_scale);
}

static void
tiles_really_free (FlowTiles *self)
{
  g_thread_pool_free (self->workers, FALSE, FALSE);
  g_free (self);
}

static gboolean
job_done_cb (gpointer data)
{
  Job *job = data;
  FlowTiles *self = job->tiles;

  self->n_alive--;
  if (!self->is_freed && job->surface != NULL)
    {
      if (job->set == NULL)
        {
          if (job->content == self->content)
            {
              g_clear_pointer (&self->minimap, cairo_surface_destroy);
              self->minimap = g_steal_pointer (&job->surface);
              self->ready (self->data);
            }
          self->minimap_asked = FALSE;
        }
      else if (job->set == self->current || job->set == self->previous)
        {
          gint64 *key = g_memdup2 (&job->key, sizeof job->key);

          g_hash_table_replace (job->set->tiles, key, g_steal_pointer (&job->surface));
          self->ready (self->data);
        }
    }
  else if (job->set == NULL)
    self->minimap_asked = FALSE;
  if (self->is_freed && self->n_alive == 0)
    tiles_really_free (self);
  return G_SOURCE_REMOVE;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->set, tile_set_unref);
  content_unref (job->content);
  g_clear_pointer (&job->surface, cairo_surface_destroy);
  g_free (job);
}

static void
paint_worker (gpointer data,
              gpointer user_data)
{
  Job *job = data;

  if (job->set == NULL)
    paint_minimap (job);
  else if (!g_atomic_int_get (&job->set->is_dropped))
    paint_tile (job);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, job_done_cb, job, job_free);
}

static int
compare_jobs (gconstpointer a,
              gconstpointer b,
              gpointer      data)
{
  const Job *x = a;
  const Job *y = b;

  return x->distance < y->distance ? -1 : x->distance > y->distance;
}

/**
 * flow_tiles_new:
 * @ready: called on the main thread when a piece has been painted
 */
FlowTiles *
flow_tiles_new (FlowTilesReadyFunc ready,
                gpointer           data)
{
  FlowTiles *self = g_new0 (FlowTiles, 1);
  guint n_workers = CLAMP (g_get_num_processors () - 1, 1, 4);

  self->ready = ready;
  self->data = data;
  self->workers = g_thread_pool_new (paint_worker, NULL, n_workers, FALSE, NULL);
  g_thread_pool_set_sort_function (self->workers, compare_jobs, NULL);
  return self;
}

void
flow_tiles_free (FlowTiles *self)
{
  flow_tiles_set_content (self, NULL, NULL, NULL, NULL);
  g_clear_pointer (&self->minimap, cairo_surface_destroy);
  self->is_freed = TRUE;
  if (self->n_alive == 0)
    tiles_really_free (self);
}

/**
 * flow_tiles_set_content:
 * @display: (nullable): what to paint from now on
 * @dims: (nullable): see flow_painter_paint(); copied
 * @tints: (nullable): what the boxes are coloured with
 *
 * What is painted already stays in sight until the new pieces arrive.
 */
void
flow_tiles_set_content (FlowTiles            *self,
                        FlowDisplay          *display,
                        const guint8         *dims,
                        FlowTints            *tints,
                        const FlowPaintStyle *style)
{
  double scale = self->current != NULL ? self->current->scale : 0.0;

  g_clear_pointer (&self->content, content_unref);
  if (display == NULL)
    {
      g_clear_pointer (&self->current, tile_set_drop);
      g_clear_pointer (&self->previous, tile_set_drop);
      return;
    }
  self->content = g_new0 (Content, 1);
  g_atomic_ref_count_init (&self->content->ref_count);
  self->content->display = flow_display_ref (display);
  self->content->dims = dims != NULL ? g_memdup2 (dims, display->n_boxes) : NULL;
  self->content->tints = tints != NULL ? flow_tints_ref (tints) : NULL;
  self->content->style = *style;
  if (scale > 0.0)
    flow_tiles_settle (self, scale);
}

static gboolean
has_tiles (const TileSet *set)
{
  GHashTableIter iter;
  gpointer surface = NULL;

  g_hash_table_iter_init (&iter, set->tiles);
  while (g_hash_table_iter_next (&iter, NULL, &surface))
    if (surface != NULL)
      return TRUE;
  return FALSE;
}

/**
 * flow_tiles_settle:
 * @scale: device pixels per unit
 *
 * From now on pieces are painted at exactly this scale.
 */
void
flow_tiles_settle (FlowTiles *self,
                   double     scale)
{
  if (self->content == NULL
      || (self->current != NULL && self->current->scale == scale
          && self->current->content == self->content))
    return;
  /* A set that never got anywhere is no better a stand-in than the one before it. */
  if (self->current != NULL && (self->previous == NULL || has_tiles (self->current)))
    {
      g_clear_pointer (&self->previous, tile_set_drop);
      self->previous = g_steal_pointer (&self->current);
    }
  g_clear_pointer (&self->current, tile_set_drop);
  self->current = tile_set_new (self->content, scale);
}

static void
ask_for_tile (FlowTiles *self,
              int        column,
              int        row,
              double     distance)
{
  Job *job = g_new0 (Job, 1);
  gint64 *key = g_new (gint64, 1);

  *key = job->key = tile_key (column, row);
  job->tiles = self;
  g_atomic_ref_count_inc (&self->current->ref_count);
  job->set = self->current;
  job->content = content_ref (self->current->content);
  job->distance = distance;
  g_hash_table_insert (self->current->tiles, key, NULL);
  self->n_alive++;
  g_thread_pool_push (self->workers, job, NULL);
}

static void
draw_set (TileSet *set,
          cairo_t *cr,
          double   scale,
          double   x,
          double   y,
          int      width,
          int      height)
{
  double ratio = scale / set->scale;
  double size = TILE_SIZE * ratio;
  int first_column = (int) floor (-x / size);
  int last_column = (int) floor ((width - 1 - x) / size);
  int first_row = (int) floor (-y / size);
  int last_row = (int) floor ((height - 1 - y) / size);

  if ((gint64) (last_column - first_column + 1) * (last_row - first_row + 1) > 4096)
    return;
  for (int row = first_row; row <= last_row; row++)
    for (int column = first_column; column <= last_column; column++)
      {
        gint64 key = tile_key (column, row);
        cairo_surface_t *surface = g_hash_table_lookup (set->tiles, &key);

        if (surface == NULL)
          continue;
        cairo_save (cr);
        cairo_translate (cr, x + column * size, y + row * size);
        cairo_scale (cr, ratio, ratio);
        cairo_set_source_surface (cr, surface, 0.0, 0.0);
        cairo_pattern_set_filter (cairo_get_source (cr),
                                  ratio == 1.0 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
        cairo_rectangle (cr, 0.0, 0.0, TILE_SIZE, TILE_SIZE);
        cairo_fill (cr);
        cairo_restore (cr);
      }
}

/* Out of sight by more than a ring. */
static void
forget_tiles (TileSet *set,
              double   x,
              double   y,
              int      width,
              int      height)
{
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer surface = NULL;
  int first_column = (int) floor (-x / TILE_SIZE);
  int last_column = (int) floor ((width - 1 - x) / TILE_SIZE);
  int first_row = (int) floor (-y / TILE_SIZE);
  int last_row = (int) floor ((height - 1 - y) / TILE_SIZE);

  if (g_hash_table_size (set->tiles) <= TILES_MAX)
    return;
  g_hash_table_iter_init (&iter, set->tiles);
  while (g_hash_table_iter_next (&iter, &key, &surface))
    {
      int column = key_column (*(gint64 *) key);
      int row = key_row (*(gint64 *) key);

      if (surface != NULL && (column < first_column - 1 || column > last_column + 1
                              || row < first_row - 1 || row > last_row + 1))
        g_hash_table_iter_remove (&iter);
    }
}

/**
 * flow_tiles_ask:
 * @scale: device pixels per unit
 * @x: where the drawing's corner will be, device pixels
 * @y: likewise
 *
 * Asks for what flow_tiles_paint() would miss there, and for a ring around it, so that it is painted by then.
 *
 * Returns: whether nothing is missing
 */
gboolean
flow_tiles_ask (FlowTiles *self,
                double     scale,
                double     x,
                double     y,
                int        width,
                int        height)
{
  gboolean complete = TRUE;
  int first_column = (int) floor (-x / TILE_SIZE);
  int last_column = (int) floor ((width - 1 - x) / TILE_SIZE);
  int first_row = (int) floor (-y / TILE_SIZE);
  int last_row = (int) floor ((height - 1 - y) / TILE_SIZE);

  if (self->content == NULL)
    return TRUE;
  if (self->current == NULL || self->current->scale != scale)
    return FALSE;
  for (int row = first_row - 1; row <= last_row + 1; row++)
    for (int column = first_column - 1; column <= last_column + 1; column++)
      {
        gint64 key = tile_key (column, row);
        gpointer surface = NULL;
        gboolean known = g_hash_table_lookup_extended (self->current->tiles, &key, NULL, &surface);
        gboolean in_view = row >= first_row && row <= last_row && column >= first_column
                           && column <= last_column;

        if (in_view && surface == NULL)
          complete = FALSE;
        if (!known)
          ask_for_tile (self, column, row,
                        hypot (column - (first_column + last_column) / 2.0,
                               row - (first_row + last_row) / 2.0) + (in_view ? 0.0 : 1000.0));
      }
  return complete;
}

/**
 * flow_tiles_paint:
 * @cr: in device pixels
 * @scale: device pixels per unit
 * @x: where the drawing's corner is, device pixels; whole numbers keep the tiles sharp
 * @y: likewise
 *
 * Puts together what there is and asks for what is missing.
 *
 * Returns: whether nothing was missing
 */
gboolean
flow_tiles_paint (FlowTiles *self,
                  cairo_t   *cr,
                  double     scale,
                  double     x,
                  double     y,
                  int        width,
                  int        height)
{
  gboolean complete;

  if (self->content == NULL)
    return TRUE;
  if (self->current == NULL || scale / self->current->scale > 1.4
      || scale / self->current->scale < 0.7)
    flow_tiles_settle (self, scale);
  if (self->current->scale != scale)
    {
      if (self->previous != NULL)
        draw_set (self->previous, cr, scale, x, y, width, height);
      draw_set (self->current, cr, scale, x, y, width, height);
      return FALSE;
    }
  complete = flow_tiles_ask (self, scale, x, y, width, height);
  if (!complete && self->previous != NULL)
    draw_set (self->previous, cr, scale, x, y, width, height);
  draw_set (self->current, cr, scale, x, y, width, height);
  forget_tiles (self->current, x, y, width, height);
  if (complete)
    g_clear_pointer (&self->previous, tile_set_drop);
  return complete;
}

/**
 * flow_tiles_get_minimap:
 *
 * Returns: (transfer none) (nullable): the whole drawing in this size, as soon as it is there; an
 *   older picture until then
 */
cairo_surface_t *
flow_tiles_get_minimap (FlowTiles *self,
                        int        width,
                        int        height,
                        double     device_scale)
{
  if (self->content != NULL && !self->minimap_asked
      && (self->minimap_content != self->content || self->minimap_width != width
          || self->minimap_height != height))
    {
      Job *job = g_new0 (Job, 1);

      job->tiles = self;
      job->content = content_ref (self->content);
      job->width = width;
      job->height = height;
      job->device_scale = device_scale;
      job->distance = 500.0;
      self->minimap_content = self->content;
      self->minimap_width = width;
      self->minimap_height = height;
      self->minimap_asked = TRUE;
      self->n_alive++;
      g_thread_pool_push (self->workers, job, NULL);
    }
  return self->minimap;
}

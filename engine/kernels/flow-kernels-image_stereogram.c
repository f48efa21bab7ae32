/* flow-kernels-image_stereogram.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of dots that show a depth to who looks through them: each eye's dot of a place has the same colour.
 */

#include "config.h"

#include "flow-array-private.h"

#include <math.h>
#include <string.h>

/* --- colours ------------------------------------------------------------------------------------------------------- */

/* TF: draws with the C library's rand(), which nobody seeds: GNU's adds the third and the thirty-first number back,
 * after 310 that are left out. Each node has its own here, so that a step back draws the same. */
#define N_NUMBERS 31
#define N_APART 3
#define N_LEFT_OUT 310

typedef struct {
  guint32 numbers[N_NUMBERS];
  guint at;
} Numbers;

typedef struct {
  FlowResource parent;
  Numbers now;
} Colours;

static guint32
draw (Numbers *self)
{
  guint32 *number = &self->numbers[self->at];

  *number += self->numbers[(self->at + N_NUMBERS - N_APART) % N_NUMBERS];
  self->at = (self->at + 1) % N_NUMBERS;
  return *number >> 1;
}

static gpointer
colours_save (FlowResource *resource)
{
  return g_memdup2 (&((Colours *) resource)->now, sizeof (Numbers));
}

static void
colours_restore (FlowResource  *resource,
                 gconstpointer  saved)
{
  memcpy (&((Colours *) resource)->now, saved, sizeof (Numbers));
}

static gsize
colours_bytes (gconstpointer saved)
{
  return sizeof (Numbers);
}

static void
colours_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  const Numbers *now = &((Colours *) resource)->now;
  g_autoptr (FlowTensor) next = flow_tensor_new_int64 (now->numbers[now->at]);

  visitor ("generator", next, data);
}

static char *
colours_describe (FlowResource *resource)
{
  return g_strdup ("a generator of colours");
}

static const FlowResourceClass colours_class = {
  .type_name = "Colours",
  .save = colours_save,
  .restore = colours_restore,
  .saved_free = g_free,
  .saved_bytes = colours_bytes,
  .visit = colours_visit,
  .describe = colours_describe,
};

static gpointer
make_colours (FlowKernelContext  *c,
              GError            **error)
{
  Colours *self = flow_resource_alloc (&colours_class, sizeof (Colours), "", c->node_name);
  gint64 number = 1;

  for (guint i = 0; i < N_NUMBERS; i++)
    {
      self->now.numbers[i] = (guint32) number;
      number = number * 16807 % G_MAXINT32;
    }
  self->now.at = N_APART;
  for (guint i = 0; i < N_LEFT_OUT; i++)
    draw (&self->now);
  return self;
}

/* --- the picture --------------------------------------------------------------------------------------------------- */

typedef struct {
  const double *depths;        /* 0 far, 1 near */
  gint64 rows;
  gint64 columns;
  gint64 width;
  gint64 height;
  gint64 n_channels;
  gint64 box_left;             /* where the depths are in the picture */
  gint64 box_top;
  gint64 box_width;
  gint64 box_height;
  gint64 dots_end;
  gint64 dots_size;
  int eyes;                    /* pixels from one eye to the other */
  float mu;
  float border;
  gboolean hides;
  gboolean two_colours;
} Stereogram;

/* Pixels between the two dots of a place; -1 where that is no number. */
static gint64
separation (const Stereogram *self,
            double            depth)
{
  const double apart = (1 - self->mu * depth) * self->eyes / (2 - self->mu * depth) + 0.5;

  return apart > -1 && apart < G_MAXINT32 ? (gint64) apart : -1;
}

static double
depth_at (const Stereogram *self,
          gint64            x,
          gint64            y)
{
  const double column = (double) self->columns * (double) (x - self->box_left) / (double) self->box_width;
  const double row = (double) self->rows * (double) (y - self->box_top) / (double) self->box_height;

  if (!(column >= 0 && row >= 0 && row < (double) self->rows && column < (double) self->columns))
    return self->border;
  return self->depths[(gint64) row * self->columns + (gint64) column];
}

/* Whether nothing nearer stands between the place and an eye. */
static gboolean
is_visible (const Stereogram *self,
            gint64            x,
            gint64            y,
            double            depth)
{
  for (gint64 t = 1;; t++)
    {
      const double limit = depth + 2 * (2 - self->mu * depth) * (double) t / (self->mu * (float) self->eyes);

      if (!(depth_at (self, x - t, y) < limit && depth_at (self, x + t, y) < limit))
        return FALSE;
      /* Beyond the picture there is but its border. */
      if (!(limit < 1) || t > self->width)
        return TRUE;
    }
}

/* Dots @left and @right are to be alike: with whatever @left is alike to already. */
static void
tie (gint64 *same,
     gint64  width,
     gint64  left,
     gint64  right)
{
  gint64 other = same[left];

  for (gint64 i = 0; i < 2 * width && other != left && other != right; i++)
    if (other < right)
      {
        left = other;
        other = same[left];
      }
    else
      {
        same[left] = right;
        left = right;
        other = same[left];
        right = other;
      }
  same[left] = right;
}

static void
tie_row (const Stereogram *self,
         gint64            y,
         gint64           *same)
{
  for (gint64 x = 0; x < self->width; x++)
    same[x] = x;
  for (gint64 x = 0; x < self->width; x++)
    {
      const double depth = depth_at (self, x, y);
      const gint64 apart = separation (self, depth);
      const gint64 left = x - apart / 2;
      const gint64 right = left + apart;

      if (apart >= 0 && left >= 0 && right < self->width && (!self->hides || is_visible (self, x, y, depth)))
        tie (same, self->width, left, right);
    }
}

static void
paint_row (const Stereogram *self,
           const gint64     *same,
           Numbers          *numbers,
           guint8           *row)
{
  for (gint64 x = self->width - 1; x >= 0; x--)
    for (gint64 k = 0; k < self->n_channels; k++)
      {
        guint8 *dot = row + x * self->n_channels + k;

        if (same[x] != x)
          *dot = row[same[x] * self->n_channels + k];
        else if (self->two_colours)
          *dot = draw (numbers) % 2 == 0 ? 0 : 255;
        else
          *dot = (guint8) draw (numbers);
      }
}

static void
paint_black (const Stereogram *self,
             guint8           *image,
             gint64            x,
             gint64            y)
{
  if (x >= 0 && x < self->width && y >= 0 && y < self->height)
    memset (image + (y * self->width + x) * self->n_channels, 0, (gsize) self->n_channels);
}

/* Two squares at the bottom that help the eyes to meet. */
static void
paint_dots (const Stereogram *self,
            guint8           *image)
{
  const gint64 half = separation (self, 0.0) / 2;

  for (gint64 i = 0; i < MIN (self->dots_size, self->height); i++)
    for (gint64 k = 0; k < MIN (self->dots_size, 2 * self->width); k++)
      {
        paint_black (self, image, self->width / 2 - half - self->dots_size / 2 + k, self->dots_end - i);
        paint_black (self, image, self->width / 2 + half - self->dots_size / 2 + k, self->dots_end - i);
      }
}

/* --- the op --------------------------------------------------------------------------------------------------------- */

static double *
read_depths (FlowKernelContext  *c,
             GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  const gboolean normalise = flow_kernel_attr_bool (c, "normalize");
  double most = flow_kernel_attr_float (c, "normalize_max");
  double least = flow_kernel_attr_float (c, "normalize_min");
  double *depths = g_try_new (double, (gsize) input->n_elements);

  if (depths == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when reading depths");
      return NULL;
    }
  for (gint64 i = 0; i < input->n_elements; i++)
    depths[i] = flow_tensor_get_double (input, i);
  /* TF: a largest depth below the smallest asks for those that there are. */
  if (normalise && most < least)
    {
      most = least = depths[0];
      for (gint64 i = 0; i < input->n_elements; i++)
        {
          most = depths[i] > most ? depths[i] : most;
          least = depths[i] < least ? depths[i] : least;
        }
    }
  for (gint64 i = 0; i < input->n_elements; i++)
    {
      if (normalise)
        depths[i] = (depths[i] - least) / (most - least);
      depths[i] = depths[i] > 1.0 ? 1.0 : depths[i] < 0.0 ? 0.0 : depths[i];
    }
  return depths;
}

/* Where things are in the picture: the depths in its middle, with room for the dots below. */
static gboolean
lay_out (FlowKernelContext  *c,
         Stereogram         *self,
         GError            **error)
{
  const FlowShape *image = flow_attr_get_shape (flow_kernel_attr (c, "output_image_shape"));
  const FlowShape *window = flow_attr_get_shape (flow_kernel_attr (c, "output_data_window"));
  const FlowTensor *input = flow_kernel_input (c, 0);
  gint64 spare;

  if (image->rank < 3 || window->rank < 2)
    return _flow_refuse (error, "output_image_shape must be [X, Y, channels] and output_data_window [X, Y]");
  if (FLOW_RANK (input) != 2 || input->n_elements == 0)
    return _flow_refuse_shapes (error, input, NULL, "depth_values must be a matrix that is not empty, got shape %s");
  for (int i = 0; i < 3; i++)
    if (image->dims[i] < 0 || image->dims[i] > G_MAXINT32 / 2 || (i < 2 && (window->dims[i] < 0 || window->dims[i] > G_MAXINT32 / 2)))
      return _flow_refuse (error, "The sizes of a picture must be known, and not that large");
  self->rows = FLOW_DIMS (input)[0];
  self->columns = FLOW_DIMS (input)[1];
  self->width = image->dims[0];
  self->height = image->dims[1];
  self->n_channels = flow_kernel_attr_int (c, "number_colors") > 256 ? 3 : image->dims[2];
  self->box_width = window->dims[0];
  self->box_height = window->dims[1];
  self->box_left = (self->width - self->box_width) / 2;
  spare = self->height - self->box_height;
  self->dots_size = flow_kernel_attr_int (c, "convergence_dots_size");
  self->box_top = self->dots_size > 0 ? MAX (spare - self->dots_size, 0) / 3 : spare / 2;
  self->dots_end = self->height - 1 - (self->dots_size > 0 ? self->box_top : 0);
  return TRUE;
}

static gboolean
paint (FlowKernelContext  *c,
       const Stereogram   *self,
       FlowTensor         *out,
       GError            **error)
{
  Colours *colours = flow_kernel_node_state (c, &colours_class, make_colours, error);
  g_autofree gint64 *same = g_try_new (gint64, (gsize) self->width + 1);
  Numbers numbers;
  guint8 *image = FLOW_WRITABLE (guint8, out);

  if (colours == NULL)
    return FALSE;
  numbers = colours->now;
  for (gint64 y = 0; y < self->height && same != NULL; y++)
    {
      tie_row (self, y, same);
      paint_row (self, same, &numbers, image + y * self->width * self->n_channels);
      if (flow_kernel_is_cancelled (c))
        g_clear_pointer (&same, g_free);
    }
  if (same != NULL)
    {
      flow_kernel_will_write (c, colours);
      colours->now = numbers;
      flow_kernel_wrote (c, colours);
      paint_dots (self, image);
    }
  flow_resource_unref (colours);
  FLOW_REQUIRE (same != NULL, error, CANCELLED, "Stopped while painting");
  return TRUE;
}

static gboolean
stereogram_compute (FlowKernelContext  *c,
                    GError            **error)
{
  Stereogram self = { 0 };
  g_autofree double *depths = NULL;
  double eyes = (double) (flow_kernel_attr_float (c, "eye_separation") * (float) flow_kernel_attr_int (c, "dots_per_inch"));
  FlowTensor *out;
  gint64 dims[3];

  if (!lay_out (c, &self, error))
    return FALSE;
  if (!(fabs (eyes) < G_MAXINT32))
    return _flow_refuse (error, "The eyes cannot be that far apart");
  depths = read_depths (c, error);
  if (depths == NULL)
    return FALSE;
  self.depths = depths;
  self.eyes = (int) eyes;
  self.mu = flow_kernel_attr_float (c, "mu");
  self.border = flow_kernel_attr_float (c, "border_level");
  self.hides = flow_kernel_attr_bool (c, "hidden_surface_removal");
  self.two_colours = flow_kernel_attr_int (c, "number_colors") == 2;
  dims[0] = self.height;
  dims[1] = self.width;
  dims[2] = self.n_channels;
  out = flow_kernel_allocate_dims (c, 0, 3, dims, error);
  return out != NULL && paint (c, &self, out, error);
}

/* TF: the attr is [X, Y, channels], the picture [Y, X, channels]. */
static gboolean
stereogram_infer (FlowInferContext  *c,
                  GError           **error)
{
  const FlowShape *image = flow_infer_attr_shape (c, "output_image_shape");
  FlowShape *out;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  out = flow_shape_new_of_rank (3);
  for (int i = 0; i < 2; i++)
    out->dims[i] = image->rank > 1 - i ? image->dims[1 - i] : FLOW_DIM_UNKNOWN;
  out->dims[2] = flow_infer_attr_int (c, "number_colors") > 256 ? 3 : 1;
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "SingleImageRandomDotStereograms", .inputs = "depth_values: T", .outputs = "image: uint8",
    .attrs = "T: {double, float, int64, int32}; hidden_surface_removal: bool = true; convergence_dots_size: int = 8; "
             "dots_per_inch: int = 72; eye_separation: float = 2.5; mu: float = 0.3333; normalize: bool = true; "
             "normalize_max: float = -100; normalize_min: float = 100; border_level: float = 0; number_colors: int = 256; "
             "output_image_shape: shape = { dim { size: 1024 } dim { size: 768 } dim { size: 1 } }; "
             "output_data_window: shape = { dim { size: 1022 } dim { size: 757 } }",
    .summary = "A picture of dots that shows a depth", .flags = FLOW_OP_NOT_CONSTANT, .family = FLOW_OP_FAMILY_OTHER,
    .infer = stereogram_infer,
    .kernels = (const FlowKernelDef[]) { { "T: double float int64 int32", stereogram_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (image_stereogram, ops)

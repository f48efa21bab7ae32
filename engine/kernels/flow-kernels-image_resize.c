/* flow-kernels-image_resize.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Images made larger or smaller: between neighbours, by the nearest, by the area; with gradients.
 */

#include "config.h"

#include "flow-image-private.h"

#include "flow-array-private.h"
#include "flow-parallel.h"

#include <string.h>

typedef struct {
  const FlowResize *resize;
  const FlowLerp *rows;
  const FlowLerp *columns;
  const float *in;
  float *out;
} Job;

static gpointer
allocate_out (FlowKernelContext  *c,
              const FlowResize   *r,
              GError            **error)
{
  const gint64 dims[4] = { r->batch, r->out_height, r->out_width, r->channels };

  return flow_kernel_allocate_dims (c, 0, 4, dims, error);
}

/* --- ResizeBilinear ------------------------------------------------------------------------------------ */

static void
bilinear_rows (gint64   begin,
               gint64   end,
               gpointer data)
{
  const Job *job = data;
  const FlowResize *r = job->resize;
  const gint64 in_row = r->in_width * r->channels;

  for (gint64 row = begin; row < end; row++)
    {
      const FlowLerp *y = &job->rows[row % r->out_height];
      const float *image = job->in + row / r->out_height * r->in_height * in_row;
      const float *top = image + y->lower * in_row;
      const float *bottom = image + y->upper * in_row;
      float *out = job->out + row * r->out_width * r->channels;

      for (gint64 i = 0; i < r->out_width; i++)
        {
          const FlowLerp *x = &job->columns[i];
          const gint64 left = x->lower * r->channels;
          const gint64 right = x->upper * r->channels;

          for (gint64 k = 0; k < r->channels; k++)
            {
              const float above = top[left + k] + (top[right + k] - top[left + k]) * x->lerp;
              const float below = bottom[left + k] + (bottom[right + k] - bottom[left + k]) * x->lerp;

              *out++ = above + (below - above) * y->lerp;
            }
        }
    }
}

static gboolean
bilinear_compute (FlowKernelContext  *c,
                  GError            **error)
{
  FlowResize r = { 0 };
  g_autoptr (FlowTensor) image = NULL;
  g_autofree FlowLerp *rows = NULL;
  g_autofree FlowLerp *columns = NULL;
  FlowTensor *out;
  Job job;

  if (!_flow_resize_prepare (c, &r, error) || (out = allocate_out (c, &r, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  if ((image = _flow_image_to_float (c, flow_kernel_input (c, 0), error)) == NULL ||
      (rows = _flow_resize_lerps (&r, r.in_height, r.out_height, r.height_scale, error)) == NULL ||
      (columns = _flow_resize_lerps (&r, r.in_width, r.out_width, r.width_scale, error)) == NULL)
    return FALSE;
  job = (Job) { &r, rows, columns, image->data, out->data };
  flow_parallel_for (r.batch * r.out_height, flow_image_grain (r.out_width * r.channels), bilinear_rows, &job);
  return TRUE;
}

/* Each output's gradient goes to the four cells it came from. Sums are kept in the gradient's dtype, as
 * TensorFlow keeps them. */
#define DEFINE_SCATTER(name, dtype, storage, load, store)                                     \
  static void                                                                                 \
  scatter_##name (const Job *job, const FlowResize *r, storage *result)                       \
  {                                                                                           \
    const float *grad = job->in;                                                              \
                                                                                              \
    for (gint64 row = 0; row < r->batch * r->out_height; row++)                               \
      {                                                                                       \
        const FlowLerp *y = &job->rows[row % r->out_height];                                  \
        storage *image = result + row / r->out_height * r->in_height * r->in_width * r->channels; \
        storage *top = image + y->lower * r->in_width * r->channels;                          \
        storage *bottom = image + y->upper * r->in_width * r->channels;                       \
                                                                                              \
        for (gint64 i = 0; i < r->out_width; i++)                                             \
          for (gint64 k = 0; k < r->channels; k++)                                            \
            {                                                                                 \
              const FlowLerp *x = &job->columns[i];                                           \
              const gint64 left = x->lower * r->channels + k;                                 \
              const gint64 right = x->upper * r->channels + k;                                \
              const float g = *grad++;                                                        \
                                                                                              \
              top[left] = store (load (top[left]) + load (store (g * (1 - y->lerp) * (1 - x->lerp)))); \
              top[right] = store (load (top[right]) + load (store (g * (1 - y->lerp) * x->lerp))); \
              bottom[left] = store (load (bottom[left]) + load (store (g * y->lerp * (1 - x->lerp)))); \
              bottom[right] = store (load (bottom[right]) + load (store (g * y->lerp * x->lerp))); \
            }                                                                                 \
      }                                                                                       \
  }

FLOW_IMAGE_OF_FLOAT_TYPES (DEFINE_SCATTER)

static gboolean
bilinear_grad_compute (FlowKernelContext  *c,
                       GError            **error)
{
  const FlowTensor *grads = flow_kernel_input (c, 0);
  g_autofree FlowLerp *rows = NULL;
  g_autofree FlowLerp *columns = NULL;
  FlowResize r = { 0 };
  FlowTensor *out;
  gint64 dims[4];
  Job job;

  if (!_flow_resize_prepare_grad (c, &r, error))
    return FALSE;
  memcpy (dims, (gint64[]) { r.batch, r.in_height, r.in_width, r.channels }, sizeof dims);
  if ((out = flow_kernel_allocate_dims (c, 0, 4, dims, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  memset (out->data, 0, out->n_bytes);
  if ((rows = _flow_resize_lerps (&r, r.in_height, r.out_height, r.height_scale, error)) == NULL ||
      (columns = _flow_resize_lerps (&r, r.in_width, r.out_width, r.width_scale, error)) == NULL)
    return FALSE;
  job = (Job) { &r, rows, columns, grads->data, NULL };
  switch ((int) out->dtype)
    {
#define SCATTER_CASE(name, dtype, storage, load, store) case dtype: scatter_##name (&job, &r, out->data); break;
    FLOW_IMAGE_OF_FLOAT_TYPES (SCATTER_CASE)
    default:
      break;
    }
  return TRUE;
}

/* --- ResizeNearestNeighbor ----------------------------------------------------------------------------- */

static gint64
nearest (const FlowResize *r,
         gint64            x,
         float             scale,
         gint64            size)
{
  const float place = r->half_pixel ? ((float) x + 0.5f) * scale : (float) x * scale;

  return CLAMP ((gint64) (r->align_corners ? roundf (place) : floorf (place)), 0, size - 1);
}

static gboolean
nearest_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  FlowResize r = { 0 };
  FlowTensor *out;
  gsize pixel;
  char *to;

  if (!_flow_resize_prepare (c, &r, error) || (out = allocate_out (c, &r, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  pixel = (gsize) r.channels * _flow_cell_size (image->dtype);
  to = out->data;
  for (gint64 b = 0; b < r.batch; b++)
    for (gint64 y = 0; y < r.out_height; y++)
      {
        const gint64 row = b * r.in_height + nearest (&r, y, r.height_scale, r.in_height);
        const char *from = (const char *) image->data + (gsize) (row * r.in_width) * pixel;

        for (gint64 x = 0; x < r.out_width; x++, to += pixel)
          memcpy (to, from + (gsize) nearest (&r, x, r.width_scale, r.in_width) * pixel, pixel);
      }
  return TRUE;
}

/* Here "in" is what the gradient is of: its size is input 1. */
static gboolean
prepare_nearest_grad (FlowKernelContext  *c,
                      FlowResize         *r,
                      GError            **error)
{
  const FlowTensor *grads = flow_kernel_input (c, 0);
  const FlowTensor *size = flow_kernel_input (c, 1);

  r->align_corners = flow_kernel_attr_bool (c, "align_corners");
  r->half_pixel = flow_kernel_attr_bool (c, "half_pixel_centers");
  if (FLOW_RANK (grads) != 4)
    return _flow_refuse_shapes (error, grads, NULL, "input must be 4-dimensional%s");
  if (!flow_is_vector (size))
    return _flow_refuse_shapes (error, size, NULL, "shape_t must be 1-dimensional%s");
  if (size->n_elements != 2)
    return _flow_refuse_shapes (error, size, NULL, "shape_t must have two elements%s");
  r->in_height = FLOW_DATA (gint32, size)[0];
  r->in_width = FLOW_DATA (gint32, size)[1];
  FLOW_REQUIRE (r->in_height > 0 && r->in_width > 0, error, INVALID_ARGUMENT, "shape_t's elements must be positive");
  r->batch = FLOW_DIMS (grads)[0];
  r->out_height = FLOW_DIMS (grads)[1];
  r->out_width = FLOW_DIMS (grads)[2];
  r->channels = FLOW_DIMS (grads)[3];
  r->height_scale = _flow_resize_scale (r->in_height, r->out_height, r->align_corners);
  r->width_scale = _flow_resize_scale (r->in_width, r->out_width, r->align_corners);
  return TRUE;
}

static gboolean
nearest_grad_compute (FlowKernelContext  *c,
                      GError            **error)
{
  const FlowTensor *grads = flow_kernel_input (c, 0);
  FlowCombineFunc add = _flow_combine_func (FLOW_COMBINE_ADD, grads->dtype);
  FlowResize r = { 0 };
  FlowTensor *out;
  gsize pixel;
  gint64 dims[4];
  const char *from = grads->data;

  if (!prepare_nearest_grad (c, &r, error))
    return FALSE;
  memcpy (dims, (gint64[]) { r.batch, r.in_height, r.in_width, r.channels }, sizeof dims);
  if ((out = flow_kernel_allocate_dims (c, 0, 4, dims, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  memset (out->data, 0, out->n_bytes);
  pixel = (gsize) r.channels * _flow_cell_size (grads->dtype);
  for (gint64 b = 0; b < r.batch; b++)
    for (gint64 y = 0; y < r.out_height; y++)
      {
        const gint64 row = b * r.in_height + nearest (&r, y, r.height_scale, r.in_height);
        char *to = (char *) out->data + (gsize) (row * r.in_width) * pixel;

        for (gint64 x = 0; x < r.out_width; x++, from += pixel)
          add (to + (gsize) nearest (&r, x, r.width_scale, r.in_width) * pixel, from, r.channels, 1);
      }
  return TRUE;
}

/* --- ResizeArea ---------------------------------------------------------------------------------------- */

/* How much of cell @i lies in the stretch from @begin to @end. */
static float
share_of (gint64 i,
          float  begin,
          float  end,
          float  scale)
{
  if ((float) i < begin)
    return (float) (i + 1) > end ? scale : (float) (i + 1) - begin;
  return (float) (i + 1) > end ? end - (float) i : 1.0f;
}

/* TF: adds up each row, and then the rows. */
static float
sum_row (const FlowResize *r,
         const float      *from,
         float             left,
         float             right)
{
  float sum = 0;

  for (gint64 j = (gint64) floorf (left); j < (gint64) ceilf (right); j++)
    sum += from[CLAMP (j, 0, r->in_width - 1) * r->channels] * share_of (j, left, right, r->width_scale);
  return sum;
}

static void
area_rows (gint64   first,
           gint64   last,
           gpointer data)
{
  const Job *job = data;
  const FlowResize *r = job->resize;
  const float scale = (float) (1.0 / (double) (r->height_scale * r->width_scale));
  float *out = job->out + first * r->out_width * r->channels;

  for (gint64 row = first; row < last; row++)
    {
      const float *image = job->in + row / r->out_height * r->in_height * r->in_width * r->channels;
      const float top = (float) (row % r->out_height) * r->height_scale;
      const float bottom = (float) (row % r->out_height + 1) * r->height_scale;

      for (gint64 x = 0; x < r->out_width; x++, out += r->channels)
        {
          const float left = (float) x * r->width_scale;
          const float right = (float) (x + 1) * r->width_scale;

          for (gint64 k = 0; k < r->channels; k++)
            {
              float sum = 0;

              for (gint64 i = (gint64) floorf (top); i < (gint64) ceilf (bottom); i++)
                sum += sum_row (r, image + CLAMP (i, 0, r->in_height - 1) * r->in_width * r->channels + k, left, right)
                       * share_of (i, top, bottom, r->height_scale);
              out[k] = sum * scale;
            }
        }
    }
}

static gboolean
area_compute (FlowKernelContext  *c,
              GError            **error)
{
  g_autoptr (FlowTensor) image = NULL;
  FlowResize r = { 0 };
  FlowTensor *out;
  Job job;

  if (!_flow_resize_prepare (c, &r, error) || (out = allocate_out (c, &r, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  if ((image = _flow_image_to_float (c, flow_kernel_input (c, 0), error)) == NULL)
    return FALSE;
  job = (Job) { &r, NULL, NULL, image->data, out->data };
  flow_parallel_for (r.batch * r.out_height, flow_image_grain (r.out_width * r.channels), area_rows, &job);
  return TRUE;
}

/* --- the table ----------------------------------------------------------------------------------------- */

static const FlowKernelDef bilinear_kernels[] = { { FLOW_IMAGE_KERNELS_BFLOAT16, bilinear_compute }, { NULL } };
static const FlowKernelDef bilinear_grad_kernels[] = { { "T: float half double", bilinear_grad_compute }, { NULL } };
static const FlowKernelDef nearest_kernels[] = { { FLOW_IMAGE_KERNELS, nearest_compute }, { NULL } };
static const FlowKernelDef nearest_grad_kernels[] = {
  { "T: uint8 int8 int32 half float double", nearest_grad_compute }, { NULL }
};
static const FlowKernelDef area_kernels[] = { { FLOW_IMAGE_KERNELS, area_compute }, { NULL } };

#define MODES "align_corners: bool = false; half_pixel_centers: bool = false"

static const FlowOpDef ops[] = {
  { .name = "ResizeArea", .inputs = "images: T; size: int32", .outputs = "resized_images: float",
    .attrs = "T: " FLOW_IMAGE_TYPES "; align_corners: bool = false",
    .summary = "Images of another size, each cell the mean of the area it covers",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = _flow_resize_infer, .kernels = area_kernels },
  { .name = "ResizeBilinear", .inputs = "images: T; size: int32", .outputs = "resized_images: float",
    .attrs = "T: " FLOW_IMAGE_TYPES_BFLOAT16 "; " MODES,
    .summary = "Images of another size, between the four nearest cells",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = _flow_resize_infer, .kernels = bilinear_kernels },
  { .name = "ResizeBilinearGrad", .inputs = "grads: float; original_image: T", .outputs = "output: T",
    .attrs = "T: {float, bfloat16, half, double}; " MODES, .summary = "Gradient of ResizeBilinear",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = _flow_resize_grad_infer, .kernels = bilinear_grad_kernels },
  { .name = "ResizeNearestNeighbor", .inputs = "images: T; size: int32", .outputs = "resized_images: T",
    .attrs = "T: " FLOW_IMAGE_TYPES "; " MODES, .summary = "Images of another size, each cell the nearest one",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = _flow_resize_infer, .kernels = nearest_kernels },
  { .name = "ResizeNearestNeighborGrad", .inputs = "grads: T; size: int32", .outputs = "output: T",
    .attrs = "T: {uint8, int8, int32, half, float, double}; " MODES, .summary = "Gradient of ResizeNearestNeighbor",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = _flow_resize_infer, .kernels = nearest_grad_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_resize, ops)

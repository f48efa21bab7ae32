/* flow-kernels-image_scale.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Images scaled and moved by any amount, through a choice of sampling curves.
 */

#include "config.h"

#include "flow-image-private.h"

#include "flow-array-private.h"
#include "flow-parallel.h"

#include <string.h>

/* --- Curves, by the distance from the middle ------------------------------------------------------------- */

static float
lanczos (float radius,
         float x)
{
  const float pi = (float) G_PI;

  if (x > radius)
    return 0;
  if (x <= 1e-3f)
    return 1;
  return radius * sinf (pi * x) * sinf (pi * x / radius) / (pi * pi * x * x);
}

static float
gaussian (float radius,
          float x)
{
  const float sigma = radius / 3.0f;

  return x >= radius ? 0 : expf (-x * x / (2.0f * sigma * sigma));
}

static float
box (float radius,
     float x)
{
  return x < 0.5f ? 1.0f : x == 0.5f ? 0.5f : 0.0f;
}

static float
triangle (float radius,
          float x)
{
  return x < 1.0f ? 1.0f - x : 0.0f;
}

static float
keys_cubic (float radius,
            float x)
{
  if (x >= 2.0f)
    return 0;
  if (x >= 1.0f)
    return ((-0.5f * x + 2.5f) * x - 4.0f) * x + 2.0f;
  return ((1.5f * x - 2.5f) * x) * x + 1.0f;
}

static float
mitchell_cubic (float radius,
                float x)
{
  if (x >= 2.0f)
    return 0;
  if (x >= 1.0f)
    return (((-7.0f / 18.0f) * x + 2.0f) * x - 10.0f / 3.0f) * x + 16.0f / 9.0f;
  return (((7.0f / 6.0f) * x - 2.0f) * x) * x + 8.0f / 9.0f;
}

typedef struct {
  const char *name;
  float radius;
  float (*weight) (float radius, float x);
} Curve;

static const Curve curves[] = {
  { "lanczos1", 1, lanczos }, { "lanczos3", 3, lanczos }, { "lanczos5", 5, lanczos }, { "gaussian", 1.5f, gaussian },
  { "box", 1, box }, { "triangle", 1, triangle }, { "keyscubic", 2, keys_cubic }, { "mitchellcubic", 2, mitchell_cubic },
};

static const Curve *
find_curve (FlowKernelContext  *c,
            GError            **error)
{
  const char *name = flow_kernel_attr_string (c, "kernel_type");

  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    if (g_ascii_strcasecmp (curves[i].name, name) == 0)
      return &curves[i];
  return _flow_refuse (error, "Unrecognized kernel type: %s", name), NULL;
}

/* --- Spans ------------------------------------------------------------------------------------------------ */

/* Which cells of one side, from @starts[i] on, make cell i of the other, and their weights. */
typedef struct {
  gint64 width;
  gint64 *starts;
  float *weights;              /* [cells][width] */
} Spans;

static void
spans_clear (Spans *self)
{
  g_free (self->starts);
  g_free (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spans, spans_clear)

static gboolean
spans_allocate (Spans   *self,
                gint64   n,
                GError **error)
{
  gint64 n_weights;

  FLOW_REQUIRE (flow_mul_int64 (MAX (self->width, 1), MAX (n, 1), &n_weights) && n_weights <= G_MAXINT32, error,
                RESOURCE_EXHAUSTED, "OOM when sampling an image");
  self->starts = g_try_new0 (gint64, (gsize) MAX (n, 1));
  self->weights = g_try_new0 (float, (gsize) n_weights);
  FLOW_REQUIRE (self->starts != NULL && self->weights != NULL, error, RESOURCE_EXHAUSTED, "OOM when sampling an image");
  return TRUE;
}

static gint64
to_cell (float  place,
         gint64 size)
{
  return place < 0 ? 0 : place > (float) (size - 1) ? size - 1 : (gint64) place;
}

/* One output cell: the curve is laid over the place it comes from; the weights sum to one. */
static void
fill_span (Spans       *spans,
           const Curve *curve,
           gint64       x,
           gint64       in,
           float        place,
           float        stretch)
{
  const gint64 begin = to_cell (ceilf (place - curve->radius * stretch - 0.5f), in);
  const gint64 end = MIN (to_cell (floorf (place + curve->radius * stretch - 0.5f), in) + 1, begin + spans->width);
  float *weights = spans->weights + x * spans->width;
  float sum = 0;

  spans->starts[x] = begin;
  for (gint64 i = begin; i < end; i++)
    {
      weights[i - begin] = curve->weight (curve->radius, fabsf (((float) i + 0.5f - place) * (1.0f / stretch)));
      sum += weights[i - begin];
    }
  for (gint64 i = begin; i < end; i++)
    weights[i - begin] = fabsf (sum) >= 1000.0f * G_MINFLOAT ? weights[i - begin] * (1.0f / sum) : 0;
}

static gboolean
spans_make (Spans        *self,
            const Curve  *curve,
            gint64        out,
            gint64        in,
            float         scale,
            float         move,
            gboolean      antialias,
            GError      **error)
{
  const float inverse = (float) (1.0 / (double) scale);
  const float shift = -inverse * move;
  /* Made smaller, the curve is as wide as an output cell, so that no input cell is passed over. */
  const float stretch = antialias ? MAX (inverse, 1.0f) : 1.0f;
  const float reach = ceilf (curve->radius * stretch);

  self->width = reach < (float) in ? MIN (2 * (gint64) reach + 1, in) : in;
  if (!spans_allocate (self, out, error))
    return FALSE;
  for (gint64 x = 0; x < out; x++)
    {
      const float place = ((float) x + 0.5f) * inverse + shift;

      if (place >= 0 && place <= (float) in)
        fill_span (self, curve, x, in, place, stretch);
    }
  return TRUE;
}

/* The same weights seen from the other side. */
static gboolean
spans_transpose (const Spans  *spans,
                 gint64        out,
                 gint64        in,
                 Spans        *result,
                 GError      **error)
{
  g_autofree gint64 *last = g_try_new (gint64, (gsize) MAX (in, 1));
  g_autofree gint64 *first = g_try_new (gint64, (gsize) MAX (in, 1));

  FLOW_REQUIRE (last != NULL && first != NULL, error, RESOURCE_EXHAUSTED, "OOM when sampling an image");
  for (gint64 i = 0; i < in; i++)
    {
      first[i] = -1;
      last[i] = -1;
    }
  for (int pass = 0; pass < 2; pass++)
    {
      for (gint64 x = 0; x < out; x++)
        for (gint64 j = 0; j < spans->width && spans->starts[x] + j < in; j++)
          {
            const float weight = spans->weights[x * spans->width + j];
            const gint64 i = spans->starts[x] + j;

            if (weight == 0)
              continue;
            if (pass == 1)
              result->weights[i * result->width + x - first[i]] += weight;
            else if (first[i] < 0)
              first[i] = x;
            last[i] = x;
          }
      for (gint64 i = 0; i < in && pass == 0; i++)
        if (first[i] >= 0)
          result->width = MAX (result->width, last[i] - first[i] + 1);
      if (pass == 0 && !spans_allocate (result, in, error))
        return FALSE;
    }
  for (gint64 i = 0; i < in; i++)
    result->starts[i] = MAX (first[i], 0);
  return TRUE;
}

/* --- Gathering ---------------------------------------------------------------------------------------------- */

typedef struct {
  const Spans *spans;
  const float *in;
  float *out;
  gint64 n_in;                 /* cells along the dim that changes */
  gint64 n_out;
  gint64 inner;                /* floats of one such cell */
} Job;

static void
gather (gint64   begin,
        gint64   end,
        gpointer data)
{
  const Job *job = data;
  const Spans *spans = job->spans;

  for (gint64 row = begin; row < end; row++)
    {
      const gint64 x = row % job->n_out;
      const float *in = job->in + row / job->n_out * job->n_in * job->inner;
      float *out = job->out + row * job->inner;

      memset (out, 0, (gsize) job->inner * sizeof (float));
      for (gint64 j = 0; j < spans->width && spans->starts[x] + j < job->n_in; j++)
        {
          const float weight = spans->weights[x * spans->width + j];
          const float *from = in + (spans->starts[x] + j) * job->inner;

          /* TF: where the weight is zero, too, so that infinite cells leave NaN. */
          for (gint64 k = 0; k < job->inner; k++)
            out[k] += weight * from[k];
        }
    }
}

/* @dims: batch, height, width, channels of @in; first the rows, then the columns. */
static gboolean
sample (FlowKernelContext  *c,
        const float        *in,
        const gint64       *dims,
        const Spans        *rows,
        const Spans        *columns,
        FlowTensor         *out,
        GError            **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (4, dims);
  g_autoptr (FlowTensor) between = NULL;
  Job job;

  shape->dims[1] = FLOW_DIMS (out)[1];
  if ((between = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, shape, error)) == NULL)
    return FALSE;
  job = (Job) { rows, in, between->data, dims[1], shape->dims[1], dims[2] * dims[3] };
  flow_parallel_for (dims[0] * shape->dims[1], flow_image_grain (job.inner), gather, &job);
  job = (Job) { columns, between->data, out->data, dims[2], FLOW_DIMS (out)[2], dims[3] };
  flow_parallel_for (dims[0] * shape->dims[1] * FLOW_DIMS (out)[2], flow_image_grain (dims[3]), gather, &job);
  return TRUE;
}

/* --- The ops -------------------------------------------------------------------------------------------------- */

static gboolean
read_pair (FlowKernelContext  *c,
           guint               i,
           float               pair[2],
           GError            **error)
{
  const FlowTensor *t = flow_kernel_input (c, i);

  if (!flow_is_vector (t))
    return _flow_refuse_shapes (error, t, NULL, "t must be 1-dimensional%s");
  if (t->n_elements != 2)
    return _flow_refuse_shapes (error, t, NULL, "t must have two elements%s");
  memcpy (pair, t->data, 2 * sizeof (float));
  return TRUE;
}

static gboolean
check_scale (const float   *scale,
             GError       **error)
{
  FLOW_REQUIRE (scale[0] > 0 && scale[1] > 0, error, INVALID_ARGUMENT, "Scale must be greater than zero.");
  return TRUE;
}

static gboolean
scale_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *size = flow_kernel_input (c, 1);
  gboolean antialias = flow_kernel_attr_bool (c, "antialias");
  const Curve *curve = find_curve (c, error);
  g_auto (Spans) rows = { 0 };
  g_auto (Spans) columns = { 0 };
  g_autoptr (FlowTensor) in = NULL;
  FlowTensor *out;
  float scale[2];
  float move[2];
  gint64 dims[4];

  if (curve == NULL)
    return FALSE;
  if (FLOW_RANK (image) != 4)
    return _flow_refuse_shapes (error, image, NULL, "input must be 4-dimensional%s");
  if (!flow_is_vector (size))
    return _flow_refuse_shapes (error, size, NULL, "output_shape_t must be 1-dimensional%s");
  if (size->n_elements != 2)
    return _flow_refuse_shapes (error, size, NULL, "output_shape_t must have two elements%s");
  memcpy (dims, FLOW_DIMS (image), sizeof dims);
  FLOW_REQUIRE (dims[1] < G_MAXINT32 && dims[2] < G_MAXINT32, error, INVALID_ARGUMENT,
                "input sizes must be between 0 and max int32");
  FLOW_REQUIRE (FLOW_DATA (gint32, size)[0] > 0 && FLOW_DATA (gint32, size)[1] > 0, error, INVALID_ARGUMENT,
                "output dimensions must be positive");
  FLOW_REQUIRE (dims[3] > 0, error, INVALID_ARGUMENT, "image must have at least one channel");
  FLOW_REQUIRE (dims[1] > 0 && dims[2] > 0, error, INVALID_ARGUMENT, "input image must be of non-zero size");
  if (!read_pair (c, 2, scale, error) || !check_scale (scale, error) || !read_pair (c, 3, move, error))
    return FALSE;
  dims[1] = FLOW_DATA (gint32, size)[0];
  dims[2] = FLOW_DATA (gint32, size)[1];
  if ((out = flow_kernel_allocate_dims (c, 0, 4, dims, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  return (in = _flow_image_to_float (c, image, error)) != NULL &&
         spans_make (&columns, curve, dims[2], FLOW_DIMS (image)[2], scale[1], move[1], antialias, error) &&
         spans_make (&rows, curve, dims[1], FLOW_DIMS (image)[1], scale[0], move[0], antialias, error) &&
         sample (c, in->data, FLOW_DIMS (image), &rows, &columns, out, error);
}

/* Spans of the gradient of one dim. */
static gboolean
make_grad_spans (Spans        *result,
                 const Curve  *curve,
                 gint64        out,
                 gint64        in,
                 float         scale,
                 float         move,
                 gboolean      antialias,
                 GError      **error)
{
  g_auto (Spans) spans = { 0 };

  return spans_make (&spans, curve, out, in, scale, move, antialias, error) &&
         spans_transpose (&spans, out, in, result, error);
}

static gboolean
scale_grad_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensor *grads = flow_kernel_input (c, 0);
  const FlowTensor *image = flow_kernel_input (c, 1);
  gboolean antialias = flow_kernel_attr_bool (c, "antialias");
  const Curve *curve = find_curve (c, error);
  g_auto (Spans) rows = { 0 };
  g_auto (Spans) columns = { 0 };
  FlowTensor *out;
  float scale[2];
  float move[2];
  gint64 dims[4];

  if (curve == NULL)
    return FALSE;
  if (FLOW_RANK (grads) != 4)
    return _flow_refuse_shapes (error, grads, NULL, "input_grad must be 4-dimensional%s");
  if (FLOW_RANK (image) != 4)
    return _flow_refuse_shapes (error, image, NULL, "original_image must be 4-dimensional%s");
  memcpy (dims, FLOW_DIMS (grads), sizeof dims);
  dims[1] = FLOW_DIMS (image)[1];
  dims[2] = FLOW_DIMS (image)[2];
  FLOW_REQUIRE (dims[1] < G_MAXINT32 && dims[2] < G_MAXINT32, error, INVALID_ARGUMENT,
                "original sizes must be between 0 and max int32");
  if (!read_pair (c, 2, scale, error) || !check_scale (scale, error) || !read_pair (c, 3, move, error) ||
      (out = flow_kernel_allocate_dims (c, 0, 4, dims, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  return make_grad_spans (&columns, curve, FLOW_DIMS (grads)[2], dims[2], scale[1], move[1], antialias, error) &&
         make_grad_spans (&rows, curve, FLOW_DIMS (grads)[1], dims[1], scale[0], move[0], antialias, error) &&
         sample (c, grads->data, FLOW_DIMS (grads), &rows, &columns, out, error);
}

static const FlowKernelDef scale_kernels[] = { { FLOW_IMAGE_KERNELS_BFLOAT16, scale_compute }, { NULL } };
static const FlowKernelDef scale_grad_kernels[] = { { "T: float", scale_grad_compute }, { NULL } };

#define SAMPLING "kernel_type: string = 'lanczos3'; antialias: bool = true"

static const FlowOpDef ops[] = {
  { .name = "ScaleAndTranslate", .inputs = "images: T; size: int32; scale: float; translation: float",
    .outputs = "resized_images: float", .attrs = "T: " FLOW_IMAGE_TYPES_BFLOAT16 "; " SAMPLING,
    .summary = "Images scaled and moved, through a sampling curve", .family = FLOW_OP_FAMILY_ARRAY,
    .infer = _flow_resize_infer, .kernels = scale_kernels },
  { .name = "ScaleAndTranslateGrad", .inputs = "grads: T; original_image: T; scale: float; translation: float",
    .outputs = "output: T", .attrs = "T: {float}; " SAMPLING, .summary = "Gradient of ScaleAndTranslate",
    .family = FLOW_OP_FAMILY_GRADIENT, .infer = _flow_resize_grad_infer, .kernels = scale_grad_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_scale, ops)

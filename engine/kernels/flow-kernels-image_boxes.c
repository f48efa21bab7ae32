/* flow-kernels-image_boxes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Boxes drawn into images, and boxes drawn by lot for crops.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-candidates-private.h"
#include "flow-summarize-private.h"

#include <math.h>
#include <string.h>

/* --- DrawBoundingBoxes ------------------------------------------------------------------------------------- */

/* TensorFlow's colors: yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia. */
static const float default_colors[][4] = {
  { 1, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0.5f, 0, 0.5f, 1 },
  { 0.5f, 0.5f, 0, 1 }, { 0.5f, 0, 0, 1 }, { 0, 0, 0.5f, 1 }, { 0, 1, 1, 1 }, { 1, 0, 1, 1 },
};

/* In an image of one channel all are white. */
static const float white[] = { 1 };

typedef struct {
  gint64 top;
  gint64 left;
  gint64 bottom;
  gint64 right;
} Lines;

static gboolean
draw_infer (FlowInferContext  *c,
            GError           **error)
{
  g_autoptr (FlowShape) image = NULL;
  g_autoptr (FlowShape) boxes = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &image, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 3, &boxes, error))
    return FALSE;
  flow_infer_set_output (c, 0, image);
  return TRUE;
}

static gint64
to_line (float  place,
         gint64 size)
{
  const float line = place * (float) (size - 1);

  /* TF: what does not fit an integer is what the processor makes of it, the least of them, also where it is too large. */
  return fabsf (line) < 9223372036854775808.0f ? (gint64) line : G_MININT64;
}

static void
draw_cell (FlowTensor  *out,
           gint64       b,
           gint64       y,
           gint64       x,
           const float *color)
{
  const gint64 *dims = FLOW_DIMS (out);
  const gint64 at = ((b * dims[1] + y) * dims[2] + x) * dims[3];

  for (gint64 k = 0; k < dims[3]; k++)
    if (out->dtype == FLOW_DTYPE_HALF)
      FLOW_WRITABLE (guint16, out)[at + k] = flow_half_from_float (color[k]);
    else
      FLOW_WRITABLE (float, out)[at + k] = color[k];
}

static void
draw_box (FlowTensor  *out,
          gint64       b,
          const float *box,
          const float *color)
{
  const gint64 height = FLOW_DIMS (out)[1];
  const gint64 width = FLOW_DIMS (out)[2];
  const Lines lines = { to_line (box[0], height), to_line (box[1], width), to_line (box[2], height), to_line (box[3], width) };

  if (lines.top > lines.bottom || lines.left > lines.right || lines.top >= height || lines.bottom < 0 ||
      lines.left >= width || lines.right < 0)
    return;
  for (gint64 x = MAX (lines.left, 0); x <= MIN (lines.right, width - 1); x++)
    {
      if (lines.top >= 0)
        draw_cell (out, b, lines.top, x, color);
      if (lines.bottom < height)
        draw_cell (out, b, lines.bottom, x, color);
    }
  for (gint64 y = MAX (lines.top, 0); y <= MIN (lines.bottom, height - 1); y++)
    {
      if (lines.left >= 0)
        draw_cell (out, b, y, lines.left, color);
      if (lines.right < width)
        draw_cell (out, b, y, lines.right, color);
    }
}

static gboolean
check_draw (const FlowTensor  *image,
            const FlowTensor  *boxes,
            const FlowTensor  *colors,
            GError           **error)
{
  const gint64 *dims = FLOW_DIMS (image);

  FLOW_REQUIRE (FLOW_RANK (image) == 4, error, INVALID_ARGUMENT, "The rank of the images should be 4");
  FLOW_REQUIRE (FLOW_RANK (boxes) == 3, error, INVALID_ARGUMENT, "The rank of the boxes tensor should be 3");
  FLOW_REQUIRE (dims[0] == FLOW_DIMS (boxes)[0], error, INVALID_ARGUMENT, "The batch sizes should be the same");
  FLOW_REQUIRE (dims[3] == 1 || dims[3] == 3 || dims[3] == 4, error, INVALID_ARGUMENT,
                "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)");
  /* TF: more than it needs do no harm. */
  FLOW_REQUIRE (FLOW_DIMS (boxes)[2] >= 4 || boxes->n_elements == 0, error, INVALID_ARGUMENT,
                "The boxes should have 4 coordinates");
  if (colors == NULL)
    return TRUE;
  if (FLOW_RANK (colors) != 2)
    return _flow_refuse_shapes (error, colors, NULL, "colors must be a 2-D matrix%s");
  if (FLOW_DIMS (colors)[1] < dims[3])
    return _flow_refuse_shapes (error, colors, NULL,
                                "colors must have equal or more channels than the image provided: %s");
  return TRUE;
}

static gboolean
draw_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *boxes = flow_kernel_input (c, 1);
  const FlowTensor *colors = c->n_inputs > 2 ? flow_kernel_input (c, 2) : NULL;
  const gboolean gray = FLOW_RANK (image) == 4 && FLOW_DIMS (image)[3] == 1;
  const float *table = gray ? white : default_colors[0];
  gint64 n_colors = gray ? 1 : G_N_ELEMENTS (default_colors);
  gint64 n_channels = 4;
  gint64 n_boxes;
  FlowTensor *out;

  if (!check_draw (image, boxes, colors, error) || (out = flow_kernel_allocate (c, 0, image->shape, error)) == NULL)
    return FALSE;
  if (colors != NULL && colors->n_elements > 0)
    {
      table = colors->data;
      n_colors = FLOW_DIMS (colors)[0];
      n_channels = FLOW_DIMS (colors)[1];
    }
  if (out->n_elements == 0)
    return TRUE;
  memcpy (out->data, image->data, out->n_bytes);
  n_boxes = boxes->n_elements > 0 ? FLOW_DIMS (boxes)[1] : 0;
  for (gint64 b = 0; b < FLOW_DIMS (image)[0]; b++)
    for (gint64 i = 0; i < n_boxes; i++)
      draw_box (out, b, FLOW_DATA (float, boxes) + (b * n_boxes + i) * FLOW_DIMS (boxes)[2],
                table + n_channels * (i % n_colors));
  return TRUE;
}

/* --- SampleDistortedBoundingBox ------------------------------------------------------------------------------- */

typedef struct {
  gint32 left;
  gint32 top;
  gint32 right;
  gint32 bottom;
} Box;

typedef struct {
  gint64 height;
  gint64 width;
  float aspect[2];
  float area[2];
  float min_covered;
  gint64 max_attempts;
} Wish;

static gboolean
sample_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) size = NULL;
  g_autoptr (FlowShape) boxes = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &size, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 3, &boxes, error))
    return FALSE;
  FLOW_REQUIRE (size->dims[0] < 0 || size->dims[0] == 3, error, INVALID_ARGUMENT,
                "Dimension must be 3 but is %" G_GINT64_FORMAT, size->dims[0]);
  FLOW_REQUIRE (boxes->rank < 0 || boxes->dims[2] < 0 || boxes->dims[2] == 4, error, INVALID_ARGUMENT,
                "Dimension must be 4 but is %" G_GINT64_FORMAT, boxes->dims[2]);
  flow_infer_take_output (c, 0, flow_shape_new_vector (3));
  flow_infer_take_output (c, 1, flow_shape_new_vector (3));
  flow_infer_take_output (c, 2, flow_shape_new (3, (gint64[]) { 1, 1, 4 }));
  return TRUE;
}

static gboolean
read_range (FlowKernelContext  *c,
            const char         *attr,
            const char         *what,
            float               range[2],
            GError            **error)
{
  FlowAttr *list = flow_kernel_attr (c, attr);

  FLOW_REQUIRE (flow_attr_get_length (list) == 2, error, INVALID_ARGUMENT, "%s field must specify 2 dimensions", what);
  for (guint i = 0; i < 2; i++)
    range[i] = flow_attr_get_float (flow_attr_get_item (list, i));
  FLOW_REQUIRE (range[0] > 0 && range[1] > 0, error, INVALID_ARGUMENT, "%s must be non-negative: [%s, %s]", what,
                _flow_float_text (range[0]).text, _flow_float_text (range[1]).text);
  return TRUE;
}

static gboolean
read_wish (FlowKernelContext  *c,
           Wish               *wish,
           GError            **error)
{
  if (c->n_inputs == 2)
    {
      wish->min_covered = flow_kernel_attr_float (c, "min_object_covered");
      FLOW_REQUIRE (wish->min_covered >= 0, error, INVALID_ARGUMENT, "Min object covered must be non-negative: %s",
                    _flow_float_text (wish->min_covered).text);
    }
  if (!read_range (c, "aspect_ratio_range", "Aspect ratio range", wish->aspect, error) ||
      !read_range (c, "area_range", "Area range", wish->area, error))
    return FALSE;
  FLOW_REQUIRE (wish->area[0] <= 1 && wish->area[1] <= 1, error, INVALID_ARGUMENT,
                "Area range must be less then or equal to 1.0: [%s, %s]", _flow_float_text (wish->area[0]).text,
                _flow_float_text (wish->area[1]).text);
  wish->max_attempts = flow_kernel_attr_int (c, "max_attempts");
  FLOW_REQUIRE (wish->max_attempts > 0 && wish->max_attempts <= G_MAXINT32, error, INVALID_ARGUMENT,
                "Max attempts must be non-negative: %" G_GINT64_FORMAT, wish->max_attempts);
  return TRUE;
}

static gboolean
read_image_size (const FlowTensor  *size,
                 Wish              *wish,
                 GError           **error)
{
  if (!flow_is_vector (size))
    return _flow_refuse_shapes (error, size, NULL, "image_size must be 1-dimensional%s");
  if (size->n_elements != 3)
    return _flow_refuse_shapes (error, size, NULL, "image_size must contain 3 elements%s");
  wish->height = flow_tensor_get_int (size, 0);
  wish->width = flow_tensor_get_int (size, 1);
  FLOW_REQUIRE (wish->height >= 0 && wish->height < G_MAXINT32, error, INVALID_ARGUMENT,
                "image height cannot be >= int32 max");
  FLOW_REQUIRE (wish->width >= 0 && wish->width < G_MAXINT32, error, INVALID_ARGUMENT,
                "image width cannot be >= int32 max");
  return TRUE;
}

/* The objects' boxes in pixels; the whole image where there are none. */
/* TF: looks at it, where it is an input, before it looks into the boxes. */
static gboolean
read_covered (FlowKernelContext  *c,
              Wish               *wish,
              GError            **error)
{
  const FlowTensor *covered = c->n_inputs == 3 ? flow_kernel_input (c, 2) : NULL;
  g_autofree char *text = NULL;

  if (covered == NULL)
    return TRUE;
  text = flow_tensor_shape_text (covered);
  FLOW_REQUIRE (flow_is_scalar (covered), error, INVALID_ARGUMENT, "min_object_covered must be 0-D, got shape %s", text);
  wish->min_covered = *FLOW_DATA (float, covered);
  FLOW_REQUIRE (wish->min_covered >= 0, error, INVALID_ARGUMENT, "Min object covered must be non-negative: %s",
                _flow_float_text (wish->min_covered).text);
  return TRUE;
}

static Box *
read_objects (FlowKernelContext  *c,
              Wish               *wish,
              gint64             *n,
              GError            **error)
{
  const FlowTensor *boxes = flow_kernel_input (c, 1);
  const float *cells = boxes->data;
  Box *objects;

  if (FLOW_RANK (boxes) != 3)
    return _flow_refuse_shapes (error, boxes, NULL,
                                "input boxes must be 3-dimensional [batch, num_boxes, coords]: %s"), NULL;
  if (FLOW_DIMS (boxes)[2] != 4)
    return _flow_refuse_shapes (error, boxes, NULL, "bounding boxes must have shape [4] or [*, 4], got %s"), NULL;
  if (!read_covered (c, wish, error))
    return NULL;
  for (gint64 i = 0; i < boxes->n_elements; i++)
    if (!(cells[i] >= 0 && cells[i] <= 1))
      return _flow_refuse (error, "All bounding box coordinates must be in [0.0, 1.0]: %s",
                           _flow_float_text (cells[i]).text), NULL;
  *n = boxes->n_elements / 4;
  if (*n == 0 && !flow_kernel_attr_bool (c, "use_image_if_no_bounding_boxes"))
    return _flow_refuse (error, "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes "
                         "if you wish to not provide any bounding boxes."), NULL;
  objects = g_try_new (Box, (gsize) MAX (*n, 1));
  if (objects == NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when reading boxes");
      return NULL;
    }
  for (gint64 i = 0; i < *n; i++)
    {
      const float height = (float) wish->height;
      const float width = (float) wish->width;

      objects[i] = (Box) { (gint32) MIN (cells[4 * i + 1] * width, 2147483520.0f),
                           (gint32) MIN (cells[4 * i] * height, 2147483520.0f),
                           (gint32) MIN (cells[4 * i + 3] * width, 2147483520.0f),
                           (gint32) MIN (cells[4 * i + 2] * height, 2147483520.0f) };
    }
  if (*n == 0)
    {
      objects[0] = (Box) { 0, 0, (gint32) wish->width, (gint32) wish->height };
      *n = 1;
    }
  return objects;
}

static gint64
rounded_up_to (double value,
               gint64 limit)
{
  return value >= (double) limit ? limit : value > 0 ? (gint64) lrintf ((float) value) : 0;
}

/* One try: a box of @aspect (width by height) and of an area within the wish's. */
static gboolean
draw_crop (const Wish       *wish,
           float             aspect,
           FlowPhiloxStream *stream,
           Box              *crop)
{
  const float min_area = wish->area[0] * (float) wish->width * (float) wish->height;
  const float max_area = wish->area[1] * (float) wish->width * (float) wish->height;
  gint64 height = rounded_up_to (sqrtf (min_area / aspect), G_MAXINT32);
  gint64 max_height = rounded_up_to (sqrtf (max_area / aspect), G_MAXINT32);
  gint64 width;
  gint64 x = 0;
  gint64 y = 0;

  if (aspect <= 0 || wish->width <= 0 || wish->height <= 0 || wish->area[0] > wish->area[1])
    return FALSE;
  if (lrintf ((float) max_height * aspect) > wish->width)
    {
      const float a_little = 0.0000001f;

      max_height = rounded_up_to (floor (((double) wish->width + 0.5 - (double) a_little) / (double) aspect), G_MAXINT32);
      /* Rounding may miss by one. */
      if (lrintf ((float) max_height * aspect) > wish->width)
        max_height--;
    }
  max_height = MIN (max_height, wish->height);
  height = MIN (height, max_height);
  if (height < max_height)
    height += _flow_draw_below (stream, (guint32) (max_height - height + 1));
  width = lrintf ((float) height * aspect);
  if ((float) (width * height) < min_area)
    {
      height++;
      width = lrintf ((float) height * aspect);
    }
  if ((float) (width * height) > max_area)
    {
      height--;
      width = lrintf ((float) height * aspect);
    }
  if ((float) (width * height) < min_area || (float) (width * height) > max_area || width > wish->width ||
      height > wish->height || width <= 0 || height <= 0)
    return FALSE;
  if (height < wish->height)
    y = _flow_draw_below (stream, (guint32) (wish->height - height));
  if (width < wish->width)
    x = _flow_draw_below (stream, (guint32) (wish->width - width));
  *crop = (Box) { (gint32) x, (gint32) y, (gint32) (x + width), (gint32) (y + height) };
  return TRUE;
}

static float
area_of (const Box *box)
{
  return (float) (((gint64) box->right - box->left) * ((gint64) box->bottom - box->top));
}

/* Whether the crop covers enough of one object. */
static gboolean
covers (const Box *crop,
        const Box *objects,
        gint64     n,
        float      min_covered)
{
  if (area_of (crop) < 1)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const Box *object = &objects[i];
      const Box both = { MAX (crop->left, object->left), MAX (crop->top, object->top), MIN (crop->right, object->right),
                         MIN (crop->bottom, object->bottom) };
      const float area = area_of (object);

      if (area >= 1 && (both.left > both.right || both.top > both.bottom ? 0 : area_of (&both) / area) >= min_covered)
        return TRUE;
    }
  return FALSE;
}

static void
put_int (FlowTensor *out,
         gint64      i,
         gint64      value)
{
  memcpy ((char *) out->data + (gsize) i * flow_dtype_size (out->dtype), &value, flow_dtype_size (out->dtype));
}

static gboolean
put_crop (FlowKernelContext  *c,
          const Wish         *wish,
          const Box          *crop,
          GError            **error)
{
  FlowTensor *begin = flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { 3 }, error);
  FlowTensor *size = begin != NULL ? flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { 3 }, error) : NULL;
  FlowTensor *box = size != NULL ? flow_kernel_allocate_dims (c, 2, 3, (gint64[]) { 1, 1, 4 }, error) : NULL;

  if (box == NULL)
    return FALSE;
  put_int (begin, 0, crop->top);
  put_int (begin, 1, crop->left);
  put_int (begin, 2, 0);
  put_int (size, 0, crop->bottom - crop->top);
  put_int (size, 1, crop->right - crop->left);
  put_int (size, 2, -1);
  FLOW_WRITABLE (float, box)[0] = (float) crop->top / (float) wish->height;
  FLOW_WRITABLE (float, box)[1] = (float) crop->left / (float) wish->width;
  FLOW_WRITABLE (float, box)[2] = (float) crop->bottom / (float) wish->height;
  FLOW_WRITABLE (float, box)[3] = (float) crop->right / (float) wish->width;
  return TRUE;
}

static gboolean
sample_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autofree Box *objects = NULL;
  FlowPhiloxStream stream;
  FlowPhilox generator;
  Wish wish;
  Box crop;
  gint64 n;

  if (!read_wish (c, &wish, error) || !read_image_size (flow_kernel_input (c, 0), &wish, error) ||
      (objects = read_objects (c, &wish, &n, error)) == NULL)
    return FALSE;
  if (!flow_random_reserve (c, (guint64) wish.max_attempts, &generator, error))
    return FALSE;
  flow_philox_stream_init (&stream, &generator);
  for (gint64 i = 0; i < wish.max_attempts; i++)
    {
      const float aspect = flow_random_to_float (flow_philox_stream_next (&stream)) * (wish.aspect[1] - wish.aspect[0]) +
                           wish.aspect[0];

      if ((i & 0xfff) == 0xfff && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return FALSE;
      if (draw_crop (&wish, aspect, &stream, &crop) && covers (&crop, objects, n, wish.min_covered))
        return put_crop (c, &wish, &crop, error);
    }
  crop = (Box) { 0, 0, (gint32) wish.width, (gint32) wish.height };
  return put_crop (c, &wish, &crop, error);
}

/* --- RandomCrop ------------------------------------------------------------------------------------------------- */

static gboolean
random_crop_infer (FlowInferContext  *c,
                   GError           **error)
{
  g_autoptr (FlowShape) image = NULL;
  g_autoptr (FlowShape) size = NULL;
  const FlowShape *values;
  FlowShape *out;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 3, &image, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &size, error))
    return FALSE;
  values = flow_infer_value_list (c, 1);
  out = flow_shape_new_of_rank (3);
  out->dims[2] = flow_shape_get_dim (image, 2);
  for (int i = 0; values != NULL && values->rank == 2 && i < 2; i++)
    out->dims[i] = MAX (values->dims[i], FLOW_DIM_UNKNOWN);
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

static gboolean
random_crop_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowTensor *image = flow_kernel_input (c, 0);
  const FlowTensor *size = flow_kernel_input (c, 1);
  FlowPhiloxStream stream;
  FlowPhilox generator;
  FlowTensor *out;
  gint32 height;
  gint32 width;
  gint64 dims[3];
  gint64 top = 0;
  gint64 left = 0;
  gsize row;

  if (FLOW_RANK (image) != 3)
    return _flow_refuse_shapes (error, image, NULL, "input must be 3-dimensional%s");
  if (!flow_is_vector (size))
    return _flow_refuse_shapes (error, size, NULL, "shape_t must be 1-dimensional%s");
  if (size->n_elements != 2)
    return _flow_refuse_shapes (error, size, NULL, "shape_t must have two elements%s");
  memcpy (dims, FLOW_DIMS (image), sizeof dims);
  FLOW_REQUIRE (dims[0] <= G_MAXINT32 && dims[1] <= G_MAXINT32, error, INVALID_ARGUMENT, "input is too large to crop");
  /* TF: goes on with an int of each. */
  height = (gint32) FLOW_DATA (gint64, size)[0];
  width = (gint32) FLOW_DATA (gint64, size)[1];
  FLOW_REQUIRE (dims[1] >= width, error, FAILED_PRECONDITION,
                "width must be >= target_width: width = %" G_GINT64_FORMAT ", target_width = %d", dims[1], width);
  FLOW_REQUIRE (dims[0] >= height, error, FAILED_PRECONDITION,
                "height must be >= target_height: height = %" G_GINT64_FORMAT ", target_height = %d", dims[0], height);
  dims[0] = height;
  dims[1] = width;
  FLOW_REQUIRE (dims[0] >= 0 && dims[1] >= 0, error, INVALID_ARGUMENT, "Dimension %" G_GINT64_FORMAT " must be >= 0",
                MIN (dims[0], dims[1]));
  if ((out = flow_kernel_allocate_dims (c, 0, 3, dims, error)) == NULL || !flow_random_reserve (c, 1, &generator, error))
    return FALSE;
  flow_philox_stream_init (&stream, &generator);
  if (FLOW_DIMS (image)[1] > dims[1])
    left = flow_philox_stream_next (&stream) % (guint32) (FLOW_DIMS (image)[1] - dims[1] + 1);
  if (FLOW_DIMS (image)[0] > dims[0])
    top = flow_philox_stream_next (&stream) % (guint32) (FLOW_DIMS (image)[0] - dims[0] + 1);
  row = (gsize) (dims[1] * dims[2]) * _flow_cell_size (image->dtype);
  for (gint64 y = 0; y < dims[0] && row > 0; y++)
    memcpy ((char *) out->data + (gsize) y * row,
            (const char *) image->data +
            (gsize) (((y + top) * FLOW_DIMS (image)[1] + left) * dims[2]) * _flow_cell_size (image->dtype), row);
  return TRUE;
}

/* --- the table --------------------------------------------------------------------------------------------------- */

/* --- BipartiteMatch: the nearest pairs first ------------------------------------------------------------------- */

typedef struct {
  gint32 row;
  gint32 column;
  float distance;
} Pair;

/* A heap with the nearest pair on top, step by step that of the C++ library, for of equal distances the
 * order in which it gives them counts. */
static void
heap_rise (Pair  *heap,
           gint64 hole,
           Pair   value)
{
  while (hole > 0 && heap[(hole - 1) / 2].distance > value.distance)
    {
      heap[hole] = heap[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
  heap[hole] = value;
}

/* Takes the top away; @n is how many there were. */
static void
heap_pop (Pair  *heap,
          gint64 n)
{
  const Pair value = heap[n - 1];
  gint64 hole = 0;
  gint64 child = 0;

  n--;
  while (child < (n - 1) / 2)
    {
      child = 2 * (child + 1);
      if (heap[child].distance > heap[child - 1].distance)
        child--;
      heap[hole] = heap[child];
      hole = child;
    }
  if (n % 2 == 0 && n > 0 && child == (n - 2) / 2)
    {
      child = 2 * (child + 1);
      heap[hole] = heap[child - 1];
      hole = child - 1;
    }
  if (n > 0)
    heap_rise (heap, hole, value);
}

static gboolean
match_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) distances = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &distances, error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    flow_infer_take_output (c, (guint) i, flow_shape_new_vector (flow_shape_get_dim (distances, i)));
  return TRUE;
}

static gboolean
count_valid_rows (const FlowTensor  *distances,
                  const FlowTensor  *valid,
                  gint64            *rows,
                  GError           **error)
{
  if (FLOW_RANK (distances) != 2)
    return _flow_refuse_shapes (error, distances, NULL, "distance_mat should be 2-dimensional, but got %s");
  if (valid->n_elements != 1)
    return _flow_refuse (error, "num_valid_rows argument should be a tensor with 1 element, but got %" G_GINT64_FORMAT,
                         valid->n_elements);
  *rows = FLOW_DIMS (distances)[0];
  if (FLOW_DATA (float, valid)[0] >= 0)
    *rows = FLOW_DATA (float, valid)[0] < 2147483647.0f ? (gint64) ((double) FLOW_DATA (float, valid)[0] + 0.1) : G_MAXINT32;
  if (FLOW_DIMS (distances)[0] < *rows)
    return _flow_refuse (error, "There should be at least %" G_GINT64_FORMAT " rows in distance_mat, but only got %"
                         G_GINT64_FORMAT " rows.", *rows, FLOW_DIMS (distances)[0]);
  return TRUE;
}

static gboolean
match_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensor *distances = flow_kernel_input (c, 0);
  g_autofree Pair *heap = NULL;
  FlowTensor *out[2];
  gint64 n;
  gint64 wanted = flow_kernel_attr_int (c, "top_k");
  gint64 rows = 0;

  if (!count_valid_rows (distances, flow_kernel_input (c, 1), &rows, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      out[i] = flow_kernel_allocate_dims (c, i, 1, FLOW_DIMS (distances) + i, error);
      if (out[i] == NULL)
        return FALSE;
      for (gint64 k = 0; k < out[i]->n_elements; k++)
        FLOW_WRITABLE (gint32, out[i])[k] = -1;
    }
  n = rows * FLOW_DIMS (distances)[1];
  heap = g_try_new (Pair, (gsize) n + 1);
  FLOW_REQUIRE (heap != NULL, error, RESOURCE_EXHAUSTED, "no memory for %" G_GINT64_FORMAT " pairs", n);
  for (gint64 i = 0; i < n; i++)
    heap_rise (heap, i, (Pair) { (gint32) (i / FLOW_DIMS (distances)[1]), (gint32) (i % FLOW_DIMS (distances)[1]),
                                 FLOW_DATA (float, distances)[i] });
  wanted = wanted > 0 ? wanted : n;
  for (; n > 0 && wanted > 0; heap_pop (heap, n--))
    if (FLOW_DATA (gint32, out[0])[heap[0].row] == -1 && FLOW_DATA (gint32, out[1])[heap[0].column] == -1)
      {
        FLOW_WRITABLE (gint32, out[0])[heap[0].row] = heap[0].column;
        FLOW_WRITABLE (gint32, out[1])[heap[0].column] = heap[0].row;
        wanted--;
      }
  return TRUE;
}

static const FlowKernelDef match_kernels[] = { { NULL, match_compute }, { NULL } };

static const FlowKernelDef draw_kernels[] = { { "T: float half", draw_compute }, { NULL } };
static const FlowKernelDef sample_kernels[] = { { "T: uint8 int8 int16 int32 int64", sample_compute }, { NULL } };
static const FlowKernelDef random_crop_kernels[] = {
  { "T: uint8 int8 int16 int32 int64 float double", random_crop_compute }, { NULL }
};

#define INTEGERS "T: {uint8, int8, int16, int32, int64}; seed: int = 0; seed2: int = 0; "
#define WISHES                                                                                \
  "aspect_ratio_range: list(float) = [0.75, 1.33]; area_range: list(float) = [0.05, 1.0]; "   \
  "max_attempts: int = 100; use_image_if_no_bounding_boxes: bool = false"
#define RANDOM (FLOW_OP_STATEFUL | FLOW_OP_RANDOM)
#define CROP_OUTPUTS "begin: T; size: T; bboxes: float"

static const FlowOpDef ops[] = {
  { .name = "BipartiteMatch", .inputs = "distance_mat: float; num_valid_rows: float",
    .outputs = "row_to_col_match_indices: int32; col_to_row_match_indices: int32", .attrs = "top_k: int = -1",
    .summary = "Rows and columns paired, the nearest first", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = match_infer, .kernels = match_kernels },
  { .name = "DrawBoundingBoxes", .inputs = "images: T; boxes: float", .outputs = "output: T",
    .attrs = "T: {float, half} = DT_FLOAT", .summary = "Images with boxes drawn into them",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = draw_infer, .kernels = draw_kernels },
  { .name = "DrawBoundingBoxesV2", .inputs = "images: T; boxes: float; colors: float", .outputs = "output: T",
    .attrs = "T: {float, half} = DT_FLOAT", .summary = "Images with boxes drawn into them in given colors",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = draw_infer, .kernels = draw_kernels },
  { .name = "RandomCrop", .inputs = "image: T; size: int64", .outputs = "output: T",
    .attrs = "T: {uint8, int8, int16, int32, int64, float, double}; seed: int = 0; seed2: int = 0",
    .summary = "A part of an image, where by lot", .flags = RANDOM, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = random_crop_infer, .kernels = random_crop_kernels },
  { .name = "SampleDistortedBoundingBox", .inputs = "image_size: T; bounding_boxes: float", .outputs = CROP_OUTPUTS,
    .attrs = INTEGERS "min_object_covered: float = 0.1; " WISHES,
    .summary = "A crop by lot that shows enough of an object", .flags = RANDOM, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = sample_infer, .kernels = sample_kernels },
  { .name = "SampleDistortedBoundingBoxV2", .inputs = "image_size: T; bounding_boxes: float; min_object_covered: float",
    .outputs = CROP_OUTPUTS, .attrs = INTEGERS WISHES, .summary = "A crop by lot that shows enough of an object",
    .flags = RANDOM, .family = FLOW_OP_FAMILY_ARRAY, .infer = sample_infer, .kernels = sample_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_boxes, ops)

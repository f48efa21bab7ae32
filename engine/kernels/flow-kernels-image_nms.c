/* flow-kernels-image_nms.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of boxes that overlap too much, the best one: non-max suppression.
 */

#include "config.h"

#include "flow-image-private.h"

#include "flow-array-private.h"

#include <string.h>

/* More boxes than anybody selects. */
#define MAX_SELECTED (1u << 24)

typedef struct {
  gint32 index;
  float score;
  gint64 seen;                 /* selected boxes it was already held against */
} Candidate;

/* What one suppression needs. Halves are computed with as TensorFlow does: every step is rounded. */
typedef struct {
  const float *boxes;          /* [n][4], or the [n][n] overlaps */
  const float *scores;
  gint64 n;
  gboolean overlaps;
  gboolean half;
  gint64 max_output;
  float threshold;
  float score_threshold;
  float sigma;
} Suppression;

static inline float
rounded (gboolean half,
         float    x)
{
  return half ? flow_half_to_float (flow_half_from_float (x)) : x;
}

/* Intersection over union; nothing where a box has no area. */
static float
overlap (const Suppression *s,
         gint64             i,
         gint64             j)
{
  const float *a = s->boxes + 4 * i;
  const float *b = s->boxes + 4 * j;
  const gboolean h = s->half;
  float area_a;
  float area_b;
  float tall;
  float broad;
  float both;

  if (s->overlaps)
    return s->boxes[i * s->n + j];
  area_a = rounded (h, rounded (h, MAX (a[0], a[2]) - MIN (a[0], a[2])) * rounded (h, MAX (a[1], a[3]) - MIN (a[1], a[3])));
  area_b = rounded (h, rounded (h, MAX (b[0], b[2]) - MIN (b[0], b[2])) * rounded (h, MAX (b[1], b[3]) - MIN (b[1], b[3])));
  if (area_a <= 0 || area_b <= 0)
    return 0;
  tall = rounded (h, MIN (MAX (a[0], a[2]), MAX (b[0], b[2])) - MAX (MIN (a[0], a[2]), MIN (b[0], b[2])));
  broad = rounded (h, MIN (MAX (a[1], a[3]), MAX (b[1], b[3])) - MAX (MIN (a[1], a[3]), MIN (b[1], b[3])));
  both = rounded (h, MAX (tall, 0) * MAX (broad, 0));
  return rounded (h, both / rounded (h, rounded (h, area_a + area_b) - both));
}

/* --- A heap of candidates, the best first -------------------------------------------------------------------- */

/* Which of equal scores comes first follows from how the C++ library's heap moves its items; TensorFlow's
 * answers show it, so these do as it does. */

static void
sift_up (Candidate *items,
         gint64     hole,
         Candidate  value)
{
  while (hole > 0 && items[(hole - 1) / 2].score < value.score)
    {
      items[hole] = items[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
  items[hole] = value;
}

static void
heap_push (GArray    *heap,
           Candidate  value)
{
  g_array_append_val (heap, value);
  sift_up ((Candidate *) heap->data, (gint64) heap->len - 1, value);
}

/* The hole left by the first goes down to a leaf; the last item is put there and rises again. */
static Candidate
heap_pop (GArray *heap)
{
  Candidate *items = (Candidate *) heap->data;
  const Candidate first = items[0];
  const Candidate last = items[heap->len - 1];
  const gint64 n = (gint64) heap->len - 1;
  gint64 hole = 0;

  g_array_set_size (heap, (guint) n);
  while (2 * hole + 1 < n)
    {
      gint64 child = 2 * hole + 2;

      if (child == n || items[child].score < items[child - 1].score)
        child--;
      items[hole] = items[child];
      hole = child;
    }
  if (n > 0)
    sift_up (items, hole, last);
  return first;
}

/* The scores above the threshold; those that are no number are not. */
static GArray *
make_heap (const Suppression *s)
{
  GArray *heap = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (gint64 i = 0; i < s->n; i++)
    if (s->scores[i] > s->score_threshold)
      heap_push (heap, (Candidate) { (gint32) i, s->scores[i], 0 });
  return heap;
}

/* Holds @candidate against the boxes selected since it was last looked at; FALSE if one excludes it. */
static gboolean
weigh (const Suppression *s,
       const GArray      *selected,
       Candidate         *candidate)
{
  const float scale = s->sigma > 0 ? rounded (s->half, -0.5f / s->sigma) : 0;

  for (gint64 j = (gint64) selected->len - 1; j >= candidate->seen; j--)
    {
      const float similarity = overlap (s, candidate->index, g_array_index (selected, Candidate, j).index);

      if (similarity >= s->threshold)
        return FALSE;
      if (s->sigma > 0)
        {
          const float power = rounded (s->half, rounded (s->half, scale * similarity) * similarity);

          candidate->score = rounded (s->half, candidate->score * rounded (s->half, expf (power)));
        }
      if (candidate->score <= s->score_threshold)
        break;
    }
  candidate->seen = selected->len;
  return TRUE;
}

/* The selected candidates in order, or NULL. As in TensorFlow 1.15 what was selected goes back on the
 * heap: it is excluded by its overlap with itself, where it has one. What has none (a box without an
 * area) is selected again and again until the output is full, so that memory must be asked for. */
static GArray *
suppress (FlowKernelContext  *c,
          const Suppression  *s,
          GError            **error)
{
  g_autoptr (GArray) heap = make_heap (s);
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (Candidate));
  /* TF: the count is compared as an unsigned number, so a negative one sets no limit. */
  const gint64 limit = s->max_output >= 0 ? s->max_output : s->n;
  guint n_looked_at = 0;

  while ((gint64) selected->len < limit && heap->len > 0)
    {
      Candidate next = heap_pop (heap);
      const float score = next.score;

      if ((++n_looked_at & 255) == 0 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return NULL;
      if (!weigh (s, selected, &next))
        continue;
      if (next.score == score)
        g_array_append_val (selected, next);
      if (next.score > s->score_threshold)
        heap_push (heap, next);
      if (selected->len >= MAX_SELECTED)
        {
          g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when selecting boxes");
          return NULL;
        }
    }
  return g_steal_pointer (&selected);
}

/* --- NonMaxSuppression V1 to V5, WithOverlaps -------------------------------------------------------------------- */

static gboolean
nms_infer (FlowInferContext  *c,
           GError           **error)
{
  const gboolean padded = flow_op_signature_find_attr (c->signature, "pad_to_max_output_size") != NULL &&
                          flow_infer_attr_bool (c, "pad_to_max_output_size");
  g_autoptr (FlowShape) boxes = NULL;
  g_autoptr (FlowShape) scores = NULL;
  gint64 n = FLOW_DIM_UNKNOWN;
  gint64 size = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &boxes, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 1, &scores, error) ||
      !flow_infer_merge_dim (c, flow_shape_get_dim (boxes, 0), flow_shape_get_dim (scores, 0), &n, error))
    return FALSE;
  for (guint i = 2; i < c->n_inputs; i++)
    {
      g_autoptr (FlowShape) scalar = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 0, &scalar, error))
        return FALSE;
    }
  if (padded && flow_infer_scalar_value (c, 2, &size))
    FLOW_REQUIRE (size >= 0, error, INVALID_ARGUMENT, "Dimension size, given by scalar input 2 must be non-negative but is %"
                  G_GINT64_FORMAT, size);
  flow_infer_take_output (c, 0, flow_shape_new_vector (size));
  if (c->n_outputs == 3)
    flow_infer_take_output (c, 1, flow_shape_new_vector (size));
  if (c->n_outputs > 1)
    flow_infer_take_output (c, c->n_outputs - 1, flow_shape_new_scalar ());
  return TRUE;
}

/* A scalar among the inputs, as float. */
static gboolean
read_scalar (FlowKernelContext  *c,
             guint               i,
             const char         *name,
             float              *value,
             GError            **error)
{
  const FlowTensor *t = flow_kernel_input (c, i);
  g_autofree char *text = flow_tensor_shape_text (t);

  FLOW_REQUIRE (flow_is_scalar (t), error, INVALID_ARGUMENT, "%s must be 0-D, got shape %s", name, text);
  *value = (float) flow_tensor_get_double (t, 0);
  return TRUE;
}

static gboolean
read_max_output (FlowKernelContext  *c,
                 guint               i,
                 const char         *name,
                 gint64             *value,
                 GError            **error)
{
  const FlowTensor *t = flow_kernel_input (c, i);
  g_autofree char *text = flow_tensor_shape_text (t);

  FLOW_REQUIRE (flow_is_scalar (t), error, INVALID_ARGUMENT, "%s must be 0-D, got shape %s", name, text);
  *value = FLOW_DATA (gint32, t)[0];
  return TRUE;
}

static gboolean
check_boxes (Suppression       *s,
             const FlowTensor  *boxes,
             const FlowTensor  *scores,
             GError           **error)
{
  if (FLOW_RANK (boxes) != 2)
    return _flow_refuse_shapes (error, boxes, NULL, s->overlaps ? "overlaps must be 2-D%s" : "boxes must be 2-D%s");
  s->n = FLOW_DIMS (boxes)[0];
  if (s->overlaps && FLOW_DIMS (boxes)[1] != s->n)
    return _flow_refuse_shapes (error, boxes, NULL, "overlaps must be square%s");
  FLOW_REQUIRE (s->overlaps || FLOW_DIMS (boxes)[1] == 4, error, INVALID_ARGUMENT, "boxes must have 4 columns");
  if (FLOW_RANK (scores) != 1)
    return _flow_refuse_shapes (error, scores, NULL, "scores must be 1-D%s");
  FLOW_REQUIRE (FLOW_DIMS (scores)[0] == s->n && s->n <= G_MAXINT32, error, INVALID_ARGUMENT,
                "scores has incompatible shape");
  return TRUE;
}

/* The thresholds of whichever version this is; those it has not leave everything in. */
static gboolean
read_thresholds (FlowKernelContext  *c,
                 Suppression        *s,
                 GError            **error)
{
  s->score_threshold = s->half ? -65504.0f : -G_MAXFLOAT;
  if (c->n_inputs == 3)
    s->threshold = flow_kernel_attr_float (c, "iou_threshold");
  if (!read_max_output (c, 2, "max_output_size", &s->max_output, error) ||
      (c->n_inputs > 3 && !read_scalar (c, 3, s->overlaps ? "overlap_threshold" : "iou_threshold", &s->threshold, error)) ||
      (c->n_inputs > 4 && !read_scalar (c, 4, "score_threshold", &s->score_threshold, error)) ||
      (c->n_inputs > 5 && !read_scalar (c, 5, "soft_nms_sigma", &s->sigma, error)))
    return FALSE;
  FLOW_REQUIRE (s->overlaps || (s->threshold >= 0 && s->threshold <= 1), error, INVALID_ARGUMENT,
                "iou_threshold must be in [0, 1]");
  FLOW_REQUIRE (s->sigma >= 0, error, INVALID_ARGUMENT, "soft_nms_sigma_val must be >= 0");
  return TRUE;
}

static gboolean
put_selected (FlowKernelContext  *c,
              const GArray       *selected,
              gint64              n_out,
              GError            **error)
{
  FlowTensor *out = flow_kernel_allocate_dims (c, 0, 1, &n_out, error);
  FlowTensor *scores = NULL;
  FlowTensor *count = NULL;

  if (out == NULL ||
      (c->n_outputs == 3 && (scores = flow_kernel_allocate_dims (c, 1, 1, &n_out, error)) == NULL) ||
      (c->n_outputs > 1 && (count = flow_kernel_allocate_dims (c, c->n_outputs - 1, 0, NULL, error)) == NULL))
    return FALSE;
  for (gint64 i = 0; i < n_out; i++)
    {
      const Candidate *picked = i < selected->len ? &g_array_index (selected, Candidate, i) : NULL;
      const float score = picked != NULL ? picked->score : 0;

      FLOW_WRITABLE (gint32, out)[i] = picked != NULL ? picked->index : 0;
      if (scores != NULL && scores->dtype == FLOW_DTYPE_HALF)
        FLOW_WRITABLE (guint16, scores)[i] = flow_half_from_float (score);
      else if (scores != NULL)
        FLOW_WRITABLE (float, scores)[i] = score;
    }
  if (count != NULL)
    *FLOW_WRITABLE (gint32, count) = (gint32) selected->len;
  return TRUE;
}

static gboolean
run_nms (FlowKernelContext  *c,
         gboolean            overlaps,
         GError            **error)
{
  const FlowTensor *boxes = flow_kernel_input (c, 0);
  const FlowTensor *scores = flow_kernel_input (c, 1);
  const gboolean padded = flow_op_signature_find_attr (c->signature, "pad_to_max_output_size") != NULL &&
                          flow_kernel_attr_bool (c, "pad_to_max_output_size");
  Suppression s = { .overlaps = overlaps, .half = boxes->dtype == FLOW_DTYPE_HALF };
  g_autoptr (FlowTensor) wide_boxes = NULL;
  g_autoptr (FlowTensor) wide_scores = NULL;
  g_autoptr (GArray) selected = NULL;

  if (!read_thresholds (c, &s, error) || !check_boxes (&s, boxes, scores, error) ||
      (wide_boxes = _flow_image_to_float (c, boxes, error)) == NULL ||
      (wide_scores = _flow_image_to_float (c, scores, error)) == NULL)
    return FALSE;
  s.boxes = wide_boxes->data;
  s.scores = wide_scores->data;
  if ((selected = suppress (c, &s, error)) == NULL)
    return FALSE;
  return put_selected (c, selected, padded ? MAX (s.max_output, 0) : (gint64) selected->len, error);
}

static gboolean
nms_compute (FlowKernelContext  *c,
             GError            **error)
{
  return run_nms (c, FALSE, error);
}

static gboolean
overlaps_compute (FlowKernelContext  *c,
                  GError            **error)
{
  return run_nms (c, TRUE, error);
}

/* --- CombinedNonMaxSuppression ------------------------------------------------------------------------------------ */

static gboolean
combined_infer (FlowInferContext  *c,
                GError           **error)
{
  g_autoptr (FlowShape) boxes = NULL;
  g_autoptr (FlowShape) scores = NULL;
  gint64 total = FLOW_DIM_UNKNOWN;
  gint64 per_class = FLOW_DIM_UNKNOWN;
  gint64 batch;
  gint64 size = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 4, &boxes, error) ||
      !flow_infer_with_rank (c, flow_infer_input (c, 1), 3, &scores, error) ||
      !flow_infer_merge_dim (c, flow_shape_get_dim (boxes, 0), flow_shape_get_dim (scores, 0), &batch, error))
    return FALSE;
  if (flow_infer_scalar_value (c, 3, &total))
    {
      FLOW_REQUIRE (total > 0, error, INVALID_ARGUMENT, "max_total_size should be > 0 ");
      size = total;
      if (flow_infer_attr_bool (c, "pad_per_class"))
        {
          gint64 n_classes = flow_shape_get_dim (scores, 2);

          size = flow_infer_scalar_value (c, 2, &per_class) && n_classes >= 0 && per_class >= 0 &&
                 per_class <= G_MAXINT32 && n_classes <= G_MAXINT32 ? MIN (total, per_class * n_classes) : FLOW_DIM_UNKNOWN;
        }
    }
  flow_infer_take_output (c, 0, flow_shape_new (3, (gint64[]) { batch, size, 4 }));
  flow_infer_take_output (c, 1, flow_shape_new_matrix (batch, size));
  flow_infer_take_output (c, 2, flow_shape_new_matrix (batch, size));
  flow_infer_take_output (c, 3, flow_shape_new_vector (batch));
  return TRUE;
}

/* A box that its class selected. */
typedef struct {
  float score;
  gint64 order;                /* of equal scores the first */
  gint64 class_index;
  float box[4];
} Found;

static int
compare_found (gconstpointer a,
               gconstpointer b)
{
  const Found *x = a;
  const Found *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const Candidate *x = a;
  const Candidate *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

typedef struct {
  const float *boxes;          /* [n][q][4] of one image */
  const float *scores;         /* [n][classes] */
  gint64 n;
  gint64 q;
  gint64 n_classes;
  gint64 per_class;
  float threshold;
  float score_threshold;
} Image;

/* As suppress(), but in one pass over the scores in order: of equal scores the first box is first. */
static GArray *
suppress_class (FlowKernelContext  *c,
                const Suppression  *s,
                GError            **error)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (gint64 i = 0; i < s->n; i++)
    if (s->scores[i] > s->score_threshold)
      g_array_append_vals (order, &(Candidate) { (gint32) i, s->scores[i], 0 }, 1);
  g_array_sort (order, compare_candidates);
  for (guint i = 0; i < order->len && (gint64) selected->len < s->max_output; i++)
    {
      const Candidate *next = &g_array_index (order, Candidate, i);
      gboolean good = TRUE;

      if ((i & 255) == 255 && g_cancellable_set_error_if_cancelled (c->cancellable, error))
        return NULL;
      for (gint64 j = (gint64) selected->len - 1; j >= 0 && good; j--)
        good = !(overlap (s, next->index, g_array_index (selected, Candidate, j).index) > s->threshold);
      if (good)
        g_array_append_vals (selected, next, 1);
    }
  return g_steal_pointer (&selected);
}

static GArray *
find_in_image (FlowKernelContext  *c,
               const Image        *image,
               float              *boxes,
               float              *scores,
               GError            **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 k = 0; k < image->n_classes; k++)
    {
      Suppression s = { boxes, scores, image->n, FALSE, FALSE, MIN (image->per_class, image->n), image->threshold,
                        image->score_threshold, 0 };
      g_autoptr (GArray) selected = NULL;

      for (gint64 i = 0; i < image->n; i++)
        {
          scores[i] = image->scores[i * image->n_classes + k];
          memcpy (boxes + 4 * i, image->boxes + (i * image->q + (image->q > 1 ? k : 0)) * 4, 4 * sizeof (float));
        }
      if ((selected = suppress_class (c, &s, error)) == NULL)
        return NULL;
      for (guint i = 0; i < selected->len; i++)
        {
          const Candidate *picked = &g_array_index (selected, Candidate, i);
          Found one = { picked->score, found->len, k, { 0 } };

          memcpy (one.box, boxes + 4 * (gint64) picked->index, sizeof one.box);
          g_array_append_val (found, one);
        }
    }
  g_array_sort (found, compare_found);
  return g_steal_pointer (&found);
}

static gboolean
check_combined (FlowKernelContext  *c,
                Image              *image,
                gint64             *total,
                GError            **error)
{
  const FlowTensor *boxes = flow_kernel_input (c, 0);
  const FlowTensor *scores = flow_kernel_input (c, 1);

  FLOW_REQUIRE (FLOW_RANK (boxes) < 1 || FLOW_RANK (scores) < 1 || FLOW_DIMS (boxes)[0] == FLOW_DIMS (scores)[0], error,
                INVALID_ARGUMENT, "boxes and scores must have same batch size");
  if (FLOW_RANK (boxes) != 4)
    return _flow_refuse_shapes (error, boxes, NULL, "boxes must be 4-D%s");
  if (FLOW_RANK (scores) != 3)
    return _flow_refuse_shapes (error, scores, NULL, "scores must be 3-D%s");
  image->n = FLOW_DIMS (boxes)[1];
  image->q = FLOW_DIMS (boxes)[2];
  image->n_classes = FLOW_DIMS (scores)[2];
  if (!read_max_output (c, 2, "max_size_per_class", &image->per_class, error))
    return FALSE;
  /* TF: likewise no limit. */
  if (image->per_class < 0)
    image->per_class = G_MAXINT32;
  if (!read_max_output (c, 3, "max_total_size", total, error))
    return FALSE;
  FLOW_REQUIRE (*total > 0, error, INVALID_ARGUMENT, "max_total_size must be > 0");
  if (!read_scalar (c, 4, "iou_threshold", &image->threshold, error) ||
      !read_scalar (c, 5, "score_threshold", &image->score_threshold, error))
    return FALSE;
  FLOW_REQUIRE (image->threshold >= 0 && image->threshold <= 1, error, INVALID_ARGUMENT,
                "iou_threshold must be in [0, 1]");
  FLOW_REQUIRE (image->q == 1 || image->q == image->n_classes, error, INVALID_ARGUMENT,
                "third dimension of boxes must be either 1 or num classes");
  FLOW_REQUIRE (FLOW_DIMS (boxes)[3] == 4, error, INVALID_ARGUMENT, "boxes must have 4 columns");
  FLOW_REQUIRE (FLOW_DIMS (scores)[1] == image->n && image->n <= G_MAXINT32, error, INVALID_ARGUMENT,
                "scores has incompatible shape");
  return TRUE;
}

static void
put_found (const GArray *found,
           gint64        n_found,
           gint64        size,
           gboolean      clip,
           float        *boxes,
           float        *scores,
           float        *classes)
{
  memset (boxes, 0, (gsize) size * 4 * sizeof (float));
  memset (scores, 0, (gsize) size * sizeof (float));
  memset (classes, 0, (gsize) size * sizeof (float));
  for (gint64 i = 0; i < n_found; i++)
    {
      const Found *one = &g_array_index (found, Found, i);

      for (int k = 0; k < 4; k++)
        boxes[4 * i + k] = clip ? MAX (MIN (one->box[k], 1.0f), 0.0f) : one->box[k];
      scores[i] = one->score;
      classes[i] = (float) one->class_index;
    }
}

static gboolean
combined_compute (FlowKernelContext  *c,
                  GError            **error)
{
  const FlowTensor *boxes = flow_kernel_input (c, 0);
  const FlowTensor *scores = flow_kernel_input (c, 1);
  g_autofree float *class_boxes = NULL;
  g_autofree float *class_scores = NULL;
  FlowTensor *out[4];
  gint64 total = 0;
  gint64 batch;
  Image image = { 0 };

  if (!check_combined (c, &image, &total, error))
    return FALSE;
  batch = FLOW_DIMS (boxes)[0];
  if (flow_kernel_attr_bool (c, "pad_per_class"))
    total = MIN (total, image.per_class * MIN (image.n_classes, G_MAXINT32));
  for (guint i = 0; i < 4; i++)
    if ((out[i] = flow_kernel_allocate_dims (c, i, i == 0 ? 3 : i == 3 ? 1 : 2, (gint64[]) { batch, total, 4 }, error)) == NULL)
      return FALSE;
  class_boxes = g_try_new (float, (gsize) image.n * 4 + 1);
  class_scores = g_try_new (float, (gsize) image.n + 1);
  FLOW_REQUIRE (class_boxes != NULL && class_scores != NULL, error, RESOURCE_EXHAUSTED, "OOM when suppressing boxes");
  for (gint64 b = 0; b < batch; b++)
    {
      g_autoptr (GArray) found = NULL;
      gint64 n_found;

      image.boxes = FLOW_DATA (float, boxes) + b * image.n * image.q * 4;
      image.scores = FLOW_DATA (float, scores) + b * image.n * image.n_classes;
      if ((found = find_in_image (c, &image, class_boxes, class_scores, error)) == NULL)
        return FALSE;
      n_found = MIN ((gint64) found->len, total);
      put_found (found, n_found, total, flow_kernel_attr_bool (c, "clip_boxes"), FLOW_WRITABLE (float, out[0]) + b * total * 4,
                 FLOW_WRITABLE (float, out[1]) + b * total, FLOW_WRITABLE (float, out[2]) + b * total);
      FLOW_WRITABLE (gint32, out[3])[b] = (gint32) n_found;
    }
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

static const FlowKernelDef nms_kernels[] = { { NULL, nms_compute }, { NULL } };
static const FlowKernelDef overlaps_kernels[] = { { NULL, overlaps_compute }, { NULL } };
static const FlowKernelDef combined_kernels[] = { { NULL, combined_compute }, { NULL } };

#define TYPE "T: {half, float} = DT_FLOAT"
#define TYPES TYPE "; T_threshold: {half, float} = DT_FLOAT"
#define BEST "Of boxes that overlap too much the one with the best score"

static const FlowOpDef ops[] = {
  { .name = "CombinedNonMaxSuppression",
    .inputs = "boxes: float; scores: float; max_output_size_per_class: int32; max_total_size: int32; "
              "iou_threshold: float; score_threshold: float",
    .outputs = "nmsed_boxes: float; nmsed_scores: float; nmsed_classes: float; valid_detections: int32",
    .attrs = "pad_per_class: bool = false; clip_boxes: bool = true",
    .summary = BEST ", for each class and image", .family = FLOW_OP_FAMILY_ARRAY, .infer = combined_infer,
    .kernels = combined_kernels },
  { .name = "NonMaxSuppression", .inputs = "boxes: float; scores: float; max_output_size: int32",
    .outputs = "selected_indices: int32", .attrs = "iou_threshold: float = 0.5", .summary = BEST,
    .family = FLOW_OP_FAMILY_ARRAY, .infer = nms_infer, .kernels = nms_kernels },
  { .name = "NonMaxSuppressionV2", .inputs = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold",
    .outputs = "selected_indices: int32", .attrs = TYPES, .summary = BEST, .family = FLOW_OP_FAMILY_ARRAY,
    .infer = nms_infer, .kernels = nms_kernels },
  { .name = "NonMaxSuppressionV3",
    .inputs = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; score_threshold: T_threshold",
    .outputs = "selected_indices: int32", .attrs = TYPES, .summary = BEST ", above a least score",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = nms_infer, .kernels = nms_kernels },
  { .name = "NonMaxSuppressionV4",
    .inputs = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T_threshold; score_threshold: T_threshold",
    .outputs = "selected_indices: int32; valid_outputs: int32",
    .attrs = TYPES "; pad_to_max_output_size: bool = false", .summary = BEST ", and how many there are",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = nms_infer, .kernels = nms_kernels },
  { .name = "NonMaxSuppressionV5",
    .inputs = "boxes: T; scores: T; max_output_size: int32; iou_threshold: T; score_threshold: T; soft_nms_sigma: T",
    .outputs = "selected_indices: int32; selected_scores: T; valid_outputs: int32",
    .attrs = TYPE "; pad_to_max_output_size: bool = false", .summary = BEST ", or with overlapping scores lowered",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = nms_infer, .kernels = nms_kernels },
  { .name = "NonMaxSuppressionWithOverlaps",
    .inputs = "overlaps: float; scores: float; max_output_size: int32; overlap_threshold: float; score_threshold: float",
    .outputs = "selected_indices: int32", .attrs = "", .summary = BEST ", overlaps given",
    .family = FLOW_OP_FAMILY_ARRAY, .infer = nms_infer, .kernels = overlaps_kernels },
};

FLOW_DEFINE_OP_FAMILY (image_nms, ops)

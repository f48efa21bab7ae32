/* flow-kernels-einsum.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products by an equation of labels, "ij,jk->ik": operands are brought into the order that a matrix
 * product wants, and its result into the order that the equation says.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-blas-private.h"

#include <complex.h>
#include <string.h>

/* Labels are letters; the dims under an ellipsis count from the last one. */
#define FIRST_ELLIPSIS 128
#define N_LABELS (FIRST_ELLIPSIS + FLOW_SHAPE_MAX_RANK)
/* Dims of one operand, after an ellipsis is spelled out. */
#define MAX_TERMS 32

typedef struct {
  int n;
  int labels[MAX_TERMS];
} Terms;

typedef struct {
  int n_inputs;
  Terms in[2];
  Terms out;
  int n_ellipsis;              /* the most dims that an operand has under its dots */
  gboolean out_has_ellipsis;
} Equation;

/* --- The equation --------------------------------------------------------------------------------------------- */

/* Subscripts @text of @length; @n_ellipsis dims stand for the dots. Without a rank (-1) dots fail. */
static gboolean
parse_terms (const char *text,
             gsize       length,
             int         n_ellipsis,
             gboolean   *has_ellipsis,
             Terms      *terms,
             GError    **error)
{
  *has_ellipsis = FALSE;
  terms->n = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (g_ascii_isspace (text[i]))
        continue;
      if (g_ascii_isalpha (text[i]) && terms->n < MAX_TERMS)
        {
          terms->labels[terms->n++] = text[i];
          continue;
        }
      if (g_ascii_isalpha (text[i]) || n_ellipsis > MAX_TERMS - terms->n)
        return _flow_refuse (error, "too many subscripts: %.*s", (int) MIN (length, 100), text);
      if (*has_ellipsis || i + 3 > length || memcmp (text + i, "...", 3) != 0)
        return _flow_refuse (error, "Invalid character or more than one ellipsis in subscripts: %.*s",
                             (int) MIN (length, 100), text);
      *has_ellipsis = TRUE;
      for (int k = n_ellipsis; k-- > 0;)
        terms->labels[terms->n++] = FIRST_ELLIPSIS + k;
      i += 2;
    }
  return TRUE;
}

/* How many dims an operand of @rank has under its dots. */
static gboolean
parse_input (const char *text,
             gsize       length,
             int         input,
             int         rank,
             Terms      *terms,
             int        *n_ellipsis,
             GError    **error)
{
  gboolean has_ellipsis;

  if (!parse_terms (text, length, 0, &has_ellipsis, terms, error))
    return FALSE;
  if (has_ellipsis && rank >= terms->n)
    {
      *n_ellipsis = MAX (*n_ellipsis, rank - terms->n);
      return parse_terms (text, length, rank - terms->n, &has_ellipsis, terms, error);
    }
  if (terms->n == rank)
    return TRUE;
  return _flow_refuse (error, has_ellipsis ? "Expected input %d to have rank at least %d but got: %d"
                              : "Expected input %d to have rank %d but got: %d", input, terms->n, rank);
}

static gboolean
parse_equation (const char             *text,
                const FlowShape *const *shapes,
                guint                   n_inputs,
                Equation               *self,
                GError                **error)
{
  const char *arrow = strstr (text, "->");
  const char *comma;

  if (arrow == NULL || strstr (arrow + 2, "->") != NULL)
    return _flow_refuse (error, "Expecting exactly one '->' in einsum equation: %s", text);
  comma = memchr (text, ',', (gsize) (arrow - text));
  self->n_inputs = comma != NULL ? 2 : 1;
  if (comma != NULL && memchr (comma + 1, ',', (gsize) (arrow - comma - 1)) != NULL)
    return _flow_refuse (error, "Expecting 1 or 2 input subscripts in equation '%s'", text);
  if (n_inputs != (guint) self->n_inputs)
    return _flow_refuse (error, "Expected %d inputs for equation %s but got: %u", self->n_inputs, text, n_inputs);
  self->n_ellipsis = 0;
  return parse_input (text, (gsize) ((comma != NULL ? comma : arrow) - text), 0, shapes[0]->rank, &self->in[0],
                      &self->n_ellipsis, error) &&
         (comma == NULL ||
          parse_input (comma + 1, (gsize) (arrow - comma - 1), 1, shapes[1]->rank, &self->in[1],
                       &self->n_ellipsis, error)) &&
         parse_terms (arrow + 2, strlen (arrow + 2), self->n_ellipsis, &self->out_has_ellipsis, &self->out, error);
}

static gboolean
has_label (const Terms *terms,
           int          label)
{
  for (int i = 0; i < terms->n; i++)
    if (terms->labels[i] == label)
      return TRUE;
  return FALSE;
}

/* What becomes of a label of operand @k, in the order in which TensorFlow puts operands; contracted and free change places
 * where an operand has them so. */
typedef enum {
  BROADCAST,
  BATCH,
  CONTRACTED,
  FREE,
  SUMMED,
} Place;

static Place
place_of (const Equation *self,
          int             k,
          int             label)
{
  gboolean is_shared = self->n_inputs > 1 && has_label (&self->in[1 - k], label);

  if (label >= FIRST_ELLIPSIS)
    return BROADCAST;
  if (has_label (&self->out, label))
    return is_shared ? BATCH : FREE;
  return is_shared ? CONTRACTED : SUMMED;
}

/* TF: operand @k as its products of matrices see it: broadcast dims, batches, rows and columns. */
static char *
matrices_text (const Equation  *self,
               const FlowShape *shape,
               int              k)
{
  const Terms *terms = &self->in[k];
  g_autoptr (FlowShape) seen = flow_shape_new_of_rank (FLOW_SHAPE_MAX_RANK);
  gint64 products[SUMMED + 1] = { 1, 1, 1, 1, 1 };
  gboolean contracted_first = TRUE;
  Place before = BROADCAST;
  int n = 0;

  for (Place place = BROADCAST; place <= SUMMED; place++)
    for (int i = 0; i < terms->n; i++)
      if (place_of (self, k, terms->labels[i]) == place)
        {
          if (place <= BATCH && n < FLOW_SHAPE_MAX_RANK - 2)
            seen->dims[n++] = shape->dims[i];
          /* For a text alone: dims beside a 0 may be too large for a product. */
          products[place] = (gint64) ((guint64) products[place] * (guint64) shape->dims[i]);
        }
  for (int i = 0; i < terms->n; i++)
    {
      Place place = place_of (self, k, terms->labels[i]);

      if (place == SUMMED)
        continue;
      contracted_first &= place >= before;
      before = place;
    }
  seen->dims[n++] = products[contracted_first ? CONTRACTED : FREE];
  seen->dims[n++] = products[contracted_first ? FREE : CONTRACTED];
  return flow_dims_to_string (n, seen->dims);
}

/* Dims under the dots go with each other where they are equal or one of them is 1. */
static gboolean
find_broadcast_sizes (const Equation         *self,
                      const FlowShape *const *shapes,
                      gint64                 *sizes,
                      GError                **error)
{
  for (int k = 0; k < self->n_inputs; k++)
    for (int i = 0; i < self->in[k].n; i++)
      {
        const gint64 dim = shapes[k]->dims[i];
        gint64 *size = &sizes[self->in[k].labels[i]];

        if (self->in[k].labels[i] < FIRST_ELLIPSIS)
          continue;
        if (*size < 0 || *size == 1)
          *size = dim;
        else if (dim >= 0 && dim != 1 && dim != *size)
          {
            g_autofree char *first = matrices_text (self, shapes[0], 0);
            g_autofree char *second = matrices_text (self, shapes[1], 1);

            return _flow_refuse (error, "Invalid broadcasting dimensions: %s vs. %s", first, second);
          }
      }
  return TRUE;
}

static gboolean
find_label_sizes (const Equation         *self,
                  const FlowShape *const *shapes,
                  gint64                 *sizes,
                  GError                **error)
{
  for (int k = 0; k < self->n_inputs; k++)
    for (int i = 0; i < self->in[k].n; i++)
      {
        const gint64 dim = shapes[k]->dims[i];
        gint64 *size = &sizes[self->in[k].labels[i]];
        g_autofree char *text = NULL;

        if (self->in[k].labels[i] >= FIRST_ELLIPSIS)
          continue;
        if (*size < 0 || *size == dim)
          *size = dim;
        else if (dim >= 0)
          {
            text = flow_shape_to_string (shapes[k]);
            return _flow_refuse (error, "Expected dimension %" G_GINT64_FORMAT " at axis %d of the input shaped %s but got "
                                 "dimension %" G_GINT64_FORMAT, *size, i, text, dim);
          }
      }
  return TRUE;
}

/* The size of every label. */
static gboolean
find_sizes (const Equation         *self,
            const FlowShape *const *shapes,
            gint64                 *sizes,
            GError                **error)
{
  for (int i = 0; i < N_LABELS; i++)
    sizes[i] = -1;
  if (!find_label_sizes (self, shapes, sizes, error))
    return FALSE;
  if (self->n_ellipsis > 0 && !self->out_has_ellipsis)
    return _flow_refuse (error, "Output contains %d broadcasting dimension(s) but no ellipsis (...) was found in the output "
                         "subscripts.", self->n_ellipsis);
  for (int i = 0; i < self->out.n; i++)
    if (!has_label (&self->in[0], self->out.labels[i]) &&
        (self->n_inputs < 2 || !has_label (&self->in[1], self->out.labels[i])))
      return _flow_refuse (error, "Output subscripts has label not appearing in input: %c", self->out.labels[i]);
  return find_broadcast_sizes (self, shapes, sizes, error);
}

static gboolean
infer_einsum (FlowInferContext  *c,
              GError           **error)
{
  const FlowShape *shapes[2] = { NULL, NULL };
  gint64 sizes[N_LABELS];
  FlowShape *out;
  Equation equation;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < c->n_inputs && i < 2; i++)
    if ((shapes[i] = flow_infer_input (c, i))->rank < 0)
      return flow_infer_unknown_shape (c, error);
  if (!parse_equation (flow_infer_attr_string (c, "equation"), shapes, c->n_inputs, &equation, error) ||
      !find_sizes (&equation, shapes, sizes, error))
    return FALSE;
  out = flow_shape_new_of_rank (equation.out.n);
  for (int i = 0; i < equation.out.n; i++)
    out->dims[i] = sizes[equation.out.labels[i]];
  flow_infer_take_output (c, 0, out);
  return TRUE;
}

/* --- Moving cells ------------------------------------------------------------------------------------------------ */

/* A loop over labels: how many steps each takes and how far they go in the one operand. */
typedef struct {
  int n;
  gint64 sizes[2 * MAX_TERMS];
  gint64 strides[2 * MAX_TERMS];
} Loop;

static gint64
loop_size (const Loop *loop)
{
  gint64 n = 1;

  for (int i = 0; i < loop->n; i++)
    n *= loop->sizes[i];
  return n;
}

static void
loop_add (Loop  *loop,
          gint64 size,
          gint64 stride)
{
  loop->sizes[loop->n] = size;
  loop->strides[loop->n++] = stride;
}

/* To the next place in row-major order. */
static inline void
loop_next (const Loop *loop,
           gint64     *index,
           gint64     *at)
{
  for (int i = loop->n - 1; i >= 0; i--)
    {
      *at += loop->strides[i];
      if (++index[i] < loop->sizes[i])
        return;
      *at -= loop->strides[i] * loop->sizes[i];
      index[i] = 0;
    }
}

/* @out in the order of @kept, each cell the sum over @summed; or, the other way, cells to their places. */
#define DEFINE_MOVES(name, type)                                                              \
  static void                                                                                 \
  gather_##name (const type *in, const Loop *kept, const Loop *summed, type *out)             \
  {                                                                                           \
    gint64 index[2 * MAX_TERMS] = { 0 };                                                      \
    const gint64 n = loop_size (kept);                                                        \
    const gint64 n_summed = loop_size (summed);                                               \
    gint64 at = 0;                                                                            \
                                                                                              \
    for (gint64 i = 0; i < n; i++, loop_next (kept, index, &at))                              \
      {                                                                                       \
        gint64 inner[2 * MAX_TERMS] = { 0 };                                                  \
        gint64 place = at;                                                                    \
        type sum = 0;                                                                         \
                                                                                              \
        for (gint64 k = 0; k < n_summed; k++, loop_next (summed, inner, &place))              \
          sum += in[place];                                                                   \
        out[i] = sum;                                                                         \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  scatter_##name (const type *in, const Loop *places, type *out)                              \
  {                                                                                           \
    gint64 index[2 * MAX_TERMS] = { 0 };                                                      \
    const gint64 n = loop_size (places);                                                      \
    gint64 at = 0;                                                                            \
                                                                                              \
    for (gint64 i = 0; i < n; i++, loop_next (places, index, &at))                            \
      out[at] = in[i];                                                                        \
  }

DEFINE_MOVES (float, float)
DEFINE_MOVES (double, double)
DEFINE_MOVES (complex64, float complex)
DEFINE_MOVES (complex128, double complex)

static void
gather (const FlowTensor *in,
        const Loop       *kept,
        const Loop       *summed,
        FlowTensor       *out)
{
  switch ((int) in->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      gather_float (in->data, kept, summed, out->data);
      break;
    case FLOW_DTYPE_DOUBLE:
      gather_double (in->data, kept, summed, out->data);
      break;
    case FLOW_DTYPE_COMPLEX64:
      gather_complex64 (in->data, kept, summed, out->data);
      break;
    default:
      gather_complex128 (in->data, kept, summed, out->data);
      break;
    }
}

static void
scatter (const FlowTensor *in,
         const Loop       *places,
         FlowTensor       *out)
{
  switch ((int) in->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      scatter_float (in->data, places, out->data);
      break;
    case FLOW_DTYPE_DOUBLE:
      scatter_double (in->data, places, out->data);
      break;
    case FLOW_DTYPE_COMPLEX64:
      scatter_complex64 (in->data, places, out->data);
      break;
    default:
      scatter_complex128 (in->data, places, out->data);
      break;
    }
}

/* --- Compute -------------------------------------------------------------------------------------------------------- */

enum {
  ROLE_BATCH,                  /* in both operands and the output */
  ROLE_FREE,                   /* in one operand and the output */
  ROLE_CONTRACTED,             /* in both operands alone */
  ROLE_SUMMED,                 /* in one operand alone */
  N_ROLES
};

/* How far one step of each label goes in each operand: a label that stands twice goes along the diagonal;
 * -1 where the operand has it not (or only a 1 to broadcast). */
typedef struct {
  Equation equation;
  gint64 sizes[N_LABELS];
  gint64 strides[2][N_LABELS];
  gint64 out_strides[N_LABELS];
} Einsum;

static void
add_strides (const Terms  *terms,
             const gint64 *dims,
             const gint64 *sizes,
             gint64       *strides)
{
  gint64 own[MAX_TERMS];

  _flow_row_major_strides (terms->n, dims, own);
  for (int i = 0; i < N_LABELS; i++)
    strides[i] = -1;
  for (int i = 0; i < terms->n; i++)
    if (dims[i] == sizes[terms->labels[i]])
      strides[terms->labels[i]] = MAX (strides[terms->labels[i]], 0) + own[i];
}

static int
role_of (const Einsum *self,
         int           label)
{
  const gboolean both = self->strides[0][label] >= 0 && self->strides[1][label] >= 0;
  const gboolean kept = self->out_strides[label] >= 0;

  return both ? (kept ? ROLE_BATCH : ROLE_CONTRACTED) : kept ? ROLE_FREE : ROLE_SUMMED;
}

static void
add_role (const Einsum *self,
          int           operand,
          int           role,
          Loop         *loop)
{
  for (int i = 0; i < N_LABELS; i++)
    if (self->sizes[i] >= 0 && self->strides[operand][i] >= 0 && role_of (self, i) == role)
      loop_add (loop, self->sizes[i], self->strides[operand][i]);
}

/* One operand in the order batch, first, second, the labels of nobody else summed. */
static FlowTensor *
arrange (FlowKernelContext  *c,
         const Einsum       *self,
         int                 operand,
         int                 first,
         int                 second,
         gint64              n[3],
         GError            **error)
{
  const int roles[3] = { ROLE_BATCH, first, second };
  const FlowTensor *in = flow_kernel_input (c, (guint) operand);
  g_autoptr (FlowShape) shape = NULL;
  Loop summed = { 0 };
  Loop kept = { 0 };
  FlowTensor *out;

  for (int i = 0; i < 3; i++)
    {
      Loop part = { 0 };

      add_role (self, operand, roles[i], &part);
      add_role (self, operand, roles[i], &kept);
      n[i] = loop_size (&part);
    }
  add_role (self, operand, ROLE_SUMMED, &summed);
  shape = flow_shape_new (3, n);
  out = flow_kernel_allocate_temp (c, in->dtype, shape, error);
  if (out != NULL && out->n_elements > 0)
    gather (in, &kept, &summed, out);
  return out;
}

/* Where the cells of the result, in the order batch, free of the one, free of the other, go. */
static void
add_places (const Einsum *self,
            int           operand,
            int           role,
            Loop         *places)
{
  for (int i = 0; i < N_LABELS; i++)
    if (self->sizes[i] >= 0 && self->strides[operand][i] >= 0 && role_of (self, i) == role)
      loop_add (places, self->sizes[i], self->out_strides[i]);
}

static FlowTensor *
multiply (FlowKernelContext  *c,
          const Einsum       *self,
          GError            **error)
{
  gint64 a_n[3];
  gint64 b_n[3];
  g_autoptr (FlowTensor) a = arrange (c, self, 0, ROLE_FREE, ROLE_CONTRACTED, a_n, error);
  g_autoptr (FlowTensor) b = a != NULL ? arrange (c, self, 1, ROLE_CONTRACTED, ROLE_FREE, b_n, error) : NULL;
  g_autoptr (FlowTensor) product = NULL;
  g_autoptr (FlowShape) shape = NULL;
  g_autofree gint64 *offsets = NULL;
  FlowGemm job;

  if (b == NULL)
    return NULL;
  shape = flow_shape_new (3, (gint64[]) { a_n[0], a_n[1], b_n[2] });
  if ((product = flow_kernel_allocate_temp (c, a->dtype, shape, error)) == NULL || product->n_elements == 0)
    return g_steal_pointer (&product);
  if (a_n[2] == 0)
    {
      memset (product->data, 0, product->n_bytes);
      return g_steal_pointer (&product);
    }
  offsets = g_try_new (gint64, (gsize) a_n[0] * 2);
  if (offsets == NULL)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when multiplying");
      return NULL;
    }
  for (gint64 i = 0; i < a_n[0]; i++)
    {
      offsets[i] = i * a_n[1] * a_n[2];
      offsets[a_n[0] + i] = i * b_n[1] * b_n[2];
    }
  job = (FlowGemm) { a->dtype, FLOW_BLAS_PLAIN, FLOW_BLAS_PLAIN, a_n[1], b_n[2], a_n[2], a->data, a_n[2], b->data, b_n[2],
                     product->data, b_n[2], .release = flow_kernel_release (c) };
  if (!flow_blas_gemm_many (&job, a_n[0], offsets, offsets + a_n[0], a_n[1] * b_n[2], error))
    return NULL;
  return g_steal_pointer (&product);
}

static gboolean
einsum_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowShape *shapes[2] = { NULL, NULL };
  g_autofree Einsum *self = g_new0 (Einsum, 1);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) result = NULL;
  FlowTensor *out;
  Loop places = { 0 };

  for (guint i = 0; i < c->n_inputs && i < 2; i++)
    shapes[i] = flow_kernel_input (c, i)->shape;
  if (!parse_equation (flow_kernel_attr_string (c, "equation"), shapes, c->n_inputs, &self->equation, error) ||
      !find_sizes (&self->equation, shapes, self->sizes, error))
    return FALSE;
  shape = flow_shape_new_of_rank (self->equation.out.n);
  for (int i = 0; i < shape->rank; i++)
    shape->dims[i] = self->sizes[self->equation.out.labels[i]];
  if ((out = flow_kernel_allocate (c, 0, shape, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  memset (out->data, 0, out->n_bytes);
  add_strides (&self->equation.out, shape->dims, self->sizes, self->out_strides);
  add_strides (&self->equation.in[0], shapes[0]->dims, self->sizes, self->strides[0]);
  for (int i = 0; i < N_LABELS; i++)
    self->strides[1][i] = -1;
  if (self->equation.n_inputs == 2)
    add_strides (&self->equation.in[1], shapes[1]->dims, self->sizes, self->strides[1]);
  if (self->equation.n_inputs == 2)
    result = multiply (c, self, error);
  else
    result = arrange (c, self, 0, ROLE_FREE, ROLE_CONTRACTED, (gint64[3]) { 0 }, error);
  if (result == NULL)
    return FALSE;
  add_places (self, 0, ROLE_BATCH, &places);
  add_places (self, 0, ROLE_FREE, &places);
  if (self->equation.n_inputs == 2)
    add_places (self, 1, ROLE_FREE, &places);
  scatter (result, &places, out);
  return TRUE;
}

static const FlowKernelDef einsum_kernels[] = { { "T: float double complex64 complex128", einsum_compute }, { NULL } };

static const FlowOpDef ops[] = {
  { .name = "Einsum", .inputs = "inputs: N * T", .outputs = "output: T", .attrs = "equation: string; N: int >= 1; T: type",
    .summary = "Sums of products by an equation of labels", .family = FLOW_OP_FAMILY_LINEAR, .infer = infer_einsum,
    .kernels = einsum_kernels },
};

FLOW_DEFINE_OP_FAMILY (einsum, ops)

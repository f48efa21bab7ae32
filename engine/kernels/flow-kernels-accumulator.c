/* flow-kernels-accumulator.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Accumulators of gradients: those of an old step are dropped, and who wants the mean of so many waits
 * until they are there.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- the resource --------------------------------------------------------------------------------------------- */

/* The sum is never written once it is there: a new one takes its place. */
typedef struct {
  gint64 global_step;
  gint64 n;                    /* gradients in the sum */
  FlowTensor *values;          /* nullable */
  FlowTensor *indices;         /* of sparse ones: int64, rising as they came */
  FlowTensor *counts;          /* of sparse ones: gradients in each row */
} Sum;

typedef struct {
  FlowResource parent;
  int dtype;
  FlowShape *shape;
  gboolean is_sparse;
  gboolean is_mean;
  Sum sum;
} Accumulator;

static FlowTensor *
ref_or_null (FlowTensor *tensor)
{
  return tensor != NULL ? flow_tensor_ref (tensor) : NULL;
}

static Sum
sum_copy (const Sum *sum)
{
  return (Sum) { sum->global_step, sum->n, ref_or_null (sum->values), ref_or_null (sum->indices),
                 ref_or_null (sum->counts) };
}

static void
sum_clear (Sum *sum)
{
  g_clear_pointer (&sum->values, flow_tensor_unref);
  g_clear_pointer (&sum->indices, flow_tensor_unref);
  g_clear_pointer (&sum->counts, flow_tensor_unref);
}

static void
accumulator_finalize (FlowResource *resource)
{
  Accumulator *self = (Accumulator *) resource;

  sum_clear (&self->sum);
  flow_shape_unref (self->shape);
}

static gpointer
accumulator_save (FlowResource *resource)
{
  Sum *saved = g_new (Sum, 1);

  *saved = sum_copy (&((Accumulator *) resource)->sum);
  return saved;
}

static void
accumulator_restore (FlowResource  *resource,
                     gconstpointer  saved)
{
  Accumulator *self = (Accumulator *) resource;

  sum_clear (&self->sum);
  self->sum = sum_copy (saved);
}

static void
saved_free (gpointer saved)
{
  sum_clear (saved);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer data)
{
  const Sum *saved = data;

  return sizeof *saved + (saved->values != NULL ? saved->values->n_bytes : 0);
}

static void
accumulator_visit (FlowResource        *resource,
                   FlowResourceVisitor  visitor,
                   gpointer             data)
{
  const Sum *sum = &((Accumulator *) resource)->sum;
  g_autoptr (FlowTensor) step = flow_tensor_new_int64 (sum->global_step);
  g_autoptr (FlowTensor) n = flow_tensor_new_int64 (sum->n);

  visitor ("global step", step, data);
  visitor ("gradients", n, data);
  if (sum->values != NULL)
    visitor ("sum", sum->values, data);
  if (sum->indices != NULL)
    visitor ("indices", sum->indices, data);
  if (sum->counts != NULL)
    visitor ("counts", sum->counts, data);
}

static char *
accumulator_describe (FlowResource *resource)
{
  const Sum *sum = &((Accumulator *) resource)->sum;

  return g_strdup_printf ("%" G_GINT64_FORMAT " gradients of step %" G_GINT64_FORMAT, sum->n, sum->global_step);
}

static const FlowResourceClass accumulator_class = {
  .type_name = "N10tensorflow26ConditionalAccumulatorBaseE",
  .finalize = accumulator_finalize,
  .save = accumulator_save,
  .restore = accumulator_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = accumulator_visit,
  .describe = accumulator_describe,
};

/* --- making --------------------------------------------------------------------------------------------------- */

static gboolean
accumulator_infer (FlowInferContext *c,
                   GError          **error)
{
  /* TF: also for ResourceConditionalAccumulator, whose handle has no dimension. */
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gpointer
make_accumulator (FlowKernelContext        *c,
                  const FlowResourceClass  *klass,
                  const char               *container,
                  const char               *name)
{
  Accumulator *self = flow_resource_alloc (klass, sizeof (Accumulator), container, name);

  self->dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "dtype"));
  self->shape = flow_shape_ref (flow_attr_get_shape (flow_kernel_attr (c, "shape")));
  self->is_mean = strcmp (flow_kernel_attr_string (c, "reduction_type"), "SUM") != 0;
  return self;
}

static gpointer
make_sparse_accumulator (FlowKernelContext        *c,
                         const FlowResourceClass  *klass,
                         const char               *container,
                         const char               *name)
{
  Accumulator *self = make_accumulator (c, klass, container, name);

  self->is_sparse = TRUE;
  return self;
}

/* TF takes what is there under that name, whatever was asked for. */
static gboolean
dense_compute (FlowKernelContext *c,
               GError           **error)
{
  return _flow_put_placed (c, &accumulator_class, make_accumulator, error);
}

static gboolean
sparse_compute (FlowKernelContext *c,
                GError           **error)
{
  return _flow_put_placed (c, &accumulator_class, make_sparse_accumulator, error);
}

/* --- what the ops share --------------------------------------------------------------------------------------- */

typedef gboolean (*AccumulatorFunc) (FlowKernelContext *c, Accumulator *self, GError **error);

static gboolean
with_accumulator (FlowKernelContext *c,
                  AccumulatorFunc    func,
                  GError           **error)
{
  Accumulator *self = _flow_lookup_handle (c, 0, &accumulator_class, NULL,
                                           "Resource handle must have 2 elements, but had shape: %s", error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

/* @values come behind those that are there; takes @sum. */
static void
take_sum (FlowKernelContext *c,
          Accumulator       *self,
          Sum                sum)
{
  flow_kernel_will_write (c, self);
  sum_clear (&self->sum);
  self->sum = sum;
  flow_kernel_wrote (c, self);
}

/* The dtypes of @args from @first on, those that the op has for its own attr as @dtype. */
static void
append_dtypes (GString          *text,
               const FlowArgDef *args,
               guint            first,
               guint            n,
               int              dtype)
{
  for (guint i = first; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            flow_dtype_string (args[i].type_attr != NULL ? dtype : (int) args[i].dtype));
}

/* TF: the op's own dtype attr may be anything, what the accumulator holds is asked for when it runs. */
static gboolean
match_signature (FlowKernelContext *c,
                 const Accumulator *self,
                 GError           **error)
{
  int dtype = flow_dtype_base (flow_kernel_attr_dtype (c, "dtype"));
  const char *handle = c->signature->inputs[0].is_ref ? "string_ref" : "resource";
  g_autoptr (GString) text = NULL;

  if (dtype == self->dtype)
    return TRUE;
  text = g_string_new ("Signature mismatch, have: ");
  for (int pass = 0; pass < 2; pass++)
    {
      g_string_append (text, handle);
      append_dtypes (text, c->signature->inputs, 1, c->n_inputs, pass == 0 ? dtype : self->dtype);
      g_string_append (text, "->");
      append_dtypes (text, c->signature->outputs, 0, c->n_outputs, pass == 0 ? dtype : self->dtype);
      g_string_append (text, pass == 0 ? " expected: " : "");
    }
  return _flow_refuse (error, "%s", text->str);
}

static gboolean
check_gradient (FlowKernelContext *c,
                const Accumulator *self,
                GError           **error)
{
  const FlowTensor *step = flow_kernel_input (c, 1);

  if (!match_signature (c, self, error))
    return FALSE;
  if (!flow_is_scalar (step))
    return _flow_refuse_shapes (error, step, NULL, "Argument local_step must be scalar, but had bad shape %s");
  return TRUE;
}

/* TF: what comes too late is dropped unseen and nothing is said. */
static gboolean
is_stale (FlowKernelContext *c,
          const Accumulator *self)
{
  return FLOW_DATA (gint64, flow_kernel_input (c, 1))[0] < self->sum.global_step;
}

/* A copy of @a with @b added to it. */
static FlowTensor *
add_tensors (FlowKernelContext *c,
             const FlowTensor  *a,
             const FlowTensor  *b,
             GError           **error)
{
  FlowTensor *sum = flow_tensor_copy (a, c->budget, error);

  if (sum != NULL)
    _flow_combine_func (FLOW_COMBINE_ADD, a->dtype) (sum->data, b->data, sum->n_elements, 1);
  return sum;
}

static gboolean
apply_dense (FlowKernelContext *c,
             Accumulator       *self,
             GError           **error)
{
  FlowTensor *gradient = flow_kernel_input (c, 2);
  Sum sum = { 0 };

  if (!check_gradient (c, self, error))
    return FALSE;
  if (is_stale (c, self))
    return TRUE;
  FLOW_REQUIRE (!self->is_sparse, error, INVALID_ARGUMENT, "%s holds sparse gradients", self->parent.name);
  if (self->sum.values != NULL && !flow_shape_equal (self->sum.values->shape, gradient->shape))
    return _flow_refuse_shapes (error, self->sum.values, gradient, "Shape mismatch: expected %s, got %s");
  if (!flow_shape_is_compatible (self->shape, gradient->shape))
    {
      g_autofree char *a = flow_shape_to_string (self->shape);
      g_autofree char *b = flow_tensor_shape_text (gradient);

      return _flow_refuse (error, "Shape mismatch: expected %s, got %s", a, b);
    }
  sum = (Sum) { self->sum.global_step, self->sum.n + 1, NULL, NULL, NULL };
  sum.values = self->sum.values == NULL ? flow_tensor_ref (gradient) : add_tensors (c, self->sum.values, gradient, error);
  if (sum.values == NULL)
    return FALSE;
  take_sum (c, self, sum);
  return TRUE;
}

static gboolean
apply_dense_compute (FlowKernelContext *c,
                     GError           **error)
{
  return with_accumulator (c, apply_dense, error);
}

/* --- sparse gradients --------------------------------------------------------------------------------------------- */

static gboolean
refuse_dim (int          d,
            const char  *what,
            gint64       expected,
            gint64       got,
            GError     **error)
{
  return _flow_refuse (error, "Shape mismatch: expected %s %d to be %" G_GINT64_FORMAT ", got %" G_GINT64_FORMAT, what, d,
                       expected, got);
}

/* Of a gradient whose sender says how many rows there are. */
static gboolean
check_known_shape (const Accumulator *self,
                   const FlowTensor  *shape,
                   GError           **error)
{
  if (self->shape->rank > shape->n_elements)
    return _flow_refuse (error, "Shape mismatch: expected shape rank at least %d, got %" G_GINT64_FORMAT, self->shape->rank,
                         shape->n_elements);
  for (int d = 0; d < self->shape->rank; d++)
    if (self->shape->dims[d] >= 0 && self->shape->dims[d] != FLOW_DATA (gint64, shape)[d])
      return refuse_dim (d, "shape dim", self->shape->dims[d], FLOW_DATA (gint64, shape)[d], error);
  return TRUE;
}

/* The rows must suit those that are there; the first ones, what the accumulator was made for. */
static gboolean
check_rows (const Accumulator *self,
            const FlowTensor  *values,
            GError           **error)
{
  const FlowTensor *there = self->sum.values;
  const FlowShape *shape = there != NULL ? there->shape : self->shape;

  if (there != NULL && FLOW_RANK (there) != FLOW_RANK (values))
    return _flow_refuse (error, "Shape mismatch: expected values rank %d, got %d", FLOW_RANK (there), FLOW_RANK (values));
  if (shape->rank > FLOW_RANK (values))
    return _flow_refuse (error, "Shape mismatch: expected values rank at least %d, got %d", shape->rank, FLOW_RANK (values));
  for (int d = 1; d < shape->rank; d++)
    if (shape->dims[d] >= 0 && shape->dims[d] != FLOW_DIMS (values)[d])
      return refuse_dim (d, "values dim", shape->dims[d], FLOW_DIMS (values)[d], error);
  return TRUE;
}

static gboolean
check_sparse (FlowKernelContext *c,
              Accumulator       *self,
              GError           **error)
{
  const FlowTensor *indices = flow_kernel_input (c, 2);
  const FlowTensor *values = flow_kernel_input (c, 3);
  gint64 rows = self->shape->rank > 0 ? self->shape->dims[0] : -1;

  FLOW_REQUIRE (self->is_sparse, error, INVALID_ARGUMENT, "%s holds dense gradients", self->parent.name);
  if (!flow_is_vector (indices))
    return _flow_refuse_shapes (error, indices, NULL, "Input indices should be vector but received shape: %s");
  if (FLOW_RANK (values) < 1)
    return _flow_refuse (error, "Values cannot be 0-dimensional.");
  if (FLOW_DIMS (values)[0] != indices->n_elements)
    return _flow_refuse (error, "Expected %" G_GINT64_FORMAT " non-empty input values, got %" G_GINT64_FORMAT,
                         indices->n_elements, FLOW_DIMS (values)[0]);
  if (flow_kernel_attr_bool (c, "has_known_shape") && !check_known_shape (self, flow_kernel_input (c, 4), error))
    return FALSE;
  for (gint64 i = 0; i < indices->n_elements; i++)
    if (rows >= 0 && FLOW_DATA (gint64, indices)[i] >= rows)
      return _flow_refuse (error, "Shape mismatch: index of slice %" G_GINT64_FORMAT " exceeded limits of shape; index is %"
                           G_GINT64_FORMAT " exceeded %" G_GINT64_FORMAT, i, FLOW_DATA (gint64, indices)[i], rows);
  return check_rows (self, values, error);
}

static FlowTensor *
rows_like (FlowKernelContext *c,
           const FlowTensor  *values,
           gint64             rows,
           GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new (FLOW_RANK (values), FLOW_DIMS (values));

  shape->dims[0] = rows;
  return flow_tensor_new (values->dtype, shape, c->budget, error);
}

static FlowTensor *
numbers (FlowKernelContext *c,
         gint64             n,
         GError           **error)
{
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);

  return flow_tensor_new (FLOW_DTYPE_INT64, shape, c->budget, error);
}

/* Two lists of rows by rising index become one; rows of one index are added. Without room only counts. */
static gint64
merge_rows (const Sum        *a,
            const FlowTensor *indices,
            const FlowTensor *values,
            Sum              *to)
{
  const gint64 *x = FLOW_DATA (gint64, a->indices);
  const gint64 *y = FLOW_DATA (gint64, indices);
  gint64 n_x = a->indices->n_elements;
  gint64 n_y = indices->n_elements;
  gint64 cells = n_y > 0 ? values->n_elements / n_y : 0;
  gsize row = (gsize) (n_x > 0 ? a->values->n_bytes / (gsize) n_x : n_y > 0 ? values->n_bytes / (gsize) n_y : 0);
  gint64 n = 0;

  for (gint64 i = 0, j = 0; i < n_x || j < n_y; n++)
    {
      gboolean from_x = j >= n_y || (i < n_x && x[i] <= y[j]);
      gboolean from_y = i >= n_x || (j < n_y && y[j] <= x[i]);

      if (to != NULL)
        {
          char *at = (char *) to->values->data + (gsize) n * row;

          FLOW_WRITABLE (gint64, to->indices)[n] = from_x ? x[i] : y[j];
          FLOW_WRITABLE (gint64, to->counts)[n] = (from_x ? FLOW_DATA (gint64, a->counts)[i] : 0) + from_y;
          memcpy (at, from_x ? (const char *) a->values->data + (gsize) i * row
                             : (const char *) values->data + (gsize) j * row, row);
          if (from_x && from_y)
            _flow_combine_func (FLOW_COMBINE_ADD, values->dtype) (at, (const char *) values->data + (gsize) j * row, cells, 1);
        }
      i += from_x;
      j += from_y;
    }
  return n;
}

static gboolean
apply_sparse (FlowKernelContext *c,
              Accumulator       *self,
              GError           **error)
{
  FlowTensor *indices = flow_kernel_input (c, 2);
  FlowTensor *values = flow_kernel_input (c, 3);
  Sum sum = { 0 };
  gint64 n;

  if (!check_gradient (c, self, error))
    return FALSE;
  if (is_stale (c, self))
    return TRUE;
  if (!check_sparse (c, self, error))
    return FALSE;
  sum = (Sum) { self->sum.global_step, self->sum.n + 1, NULL, NULL, NULL };
  if (self->sum.values == NULL)
    {
      sum.values = flow_tensor_ref (values);
      sum.indices = flow_tensor_ref (indices);
      sum.counts = numbers (c, indices->n_elements, error);
      for (gint64 i = 0; sum.counts != NULL && i < indices->n_elements; i++)
        FLOW_WRITABLE (gint64, sum.counts)[i] = 1;
    }
  else
    {
      n = merge_rows (&self->sum, indices, values, NULL);
      sum.values = rows_like (c, values, n, error);
      sum.indices = sum.values != NULL ? numbers (c, n, error) : NULL;
      sum.counts = sum.indices != NULL ? numbers (c, n, error) : NULL;
      if (sum.counts != NULL)
        merge_rows (&self->sum, indices, values, &sum);
    }
  if (sum.counts == NULL)
    {
      sum_clear (&sum);
      return FALSE;
    }
  take_sum (c, self, sum);
  return TRUE;
}

static gboolean
apply_sparse_compute (FlowKernelContext *c,
                      GError           **error)
{
  return with_accumulator (c, apply_sparse, error);
}

/* --- taking --------------------------------------------------------------------------------------------------- */

/* Whether enough gradients are there; if not, the op waits. */
static gboolean
has_enough (FlowKernelContext *c,
            Accumulator       *self,
            gboolean          *enough,
            GError           **error)
{
  FlowTensor *wanted = flow_kernel_input (c, 1);
  gint64 n;

  *enough = FALSE;
  if (!match_signature (c, self, error))
    return FALSE;
  if (!flow_is_scalar (wanted))
    return _flow_refuse_shapes (error, wanted, NULL, "Argument num_required must be scalar, but had bad shape %s");
  n = FLOW_DATA (gint32, wanted)[0];
  if (n <= 0)
    return _flow_refuse (error, "Argument num_required must be positive, but was %" G_GINT64_FORMAT, n);
  *enough = self->sum.n >= n;
  if (*enough)
    return TRUE;
  FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "TakeGrad operation was cancelled");
  return flow_kernel_wait (c, self, "accumulator %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " gradients",
                           self->parent.name, self->sum.n, n);
}

/* @n rows of @values divided by what @counts says, or all by one number. */
static FlowTensor *
divide (FlowKernelContext *c,
        const FlowTensor  *values,
        const FlowTensor  *counts,
        gint64             count,
        GError           **error)
{
  FlowTensor *out = flow_tensor_copy (values, c->budget, error);
  gint64 rows = counts != NULL ? counts->n_elements : 1;
  guint64 cell[2];

  for (gint64 i = 0; out != NULL && i < rows && out->n_elements > 0; i++)
    {
      gint64 n = counts != NULL ? FLOW_DATA (gint64, counts)[i] : count;

      if (_flow_cell_from_int (out->dtype, (int) MIN (n, G_MAXINT32), cell))
        _flow_combine_func (FLOW_COMBINE_DIV, out->dtype) ((char *) out->data + (gsize) i * (out->n_bytes / (gsize) rows),
                                                           cell, out->n_elements / rows, 0);
    }
  return out;
}

static void
begin_step (FlowKernelContext *c,
            Accumulator       *self)
{
  take_sum (c, self, (Sum) { self->sum.global_step + 1, 0, NULL, NULL, NULL });
}

static gboolean
take_dense (FlowKernelContext *c,
            Accumulator       *self,
            GError           **error)
{
  gboolean enough;
  FlowTensor *out;

  if (!has_enough (c, self, &enough, error))
    return FALSE;
  if (!enough)
    return TRUE;
  FLOW_REQUIRE (!self->is_sparse, error, INVALID_ARGUMENT, "%s holds sparse gradients", self->parent.name);
  out = self->is_mean ? divide (c, self->sum.values, NULL, self->sum.n, error) : flow_tensor_ref (self->sum.values);
  if (out == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, out);
  begin_step (c, self);
  return TRUE;
}

static gboolean
take_dense_compute (FlowKernelContext *c,
                    GError           **error)
{
  return with_accumulator (c, take_dense, error);
}

static gboolean
take_sparse (FlowKernelContext *c,
             Accumulator       *self,
             GError           **error)
{
  gboolean enough;
  FlowTensor *values;
  FlowTensor *shape;

  if (!has_enough (c, self, &enough, error))
    return FALSE;
  if (!enough)
    return TRUE;
  FLOW_REQUIRE (self->is_sparse, error, INVALID_ARGUMENT, "%s holds dense gradients", self->parent.name);
  values = self->is_mean ? divide (c, self->sum.values, self->sum.counts, 0, error) : flow_tensor_ref (self->sum.values);
  shape = values != NULL ? numbers (c, FLOW_RANK (values), error) : NULL;
  if (shape == NULL)
    {
      g_clear_pointer (&values, flow_tensor_unref);
      return FALSE;
    }
  for (int d = 0; d < FLOW_RANK (values); d++)
    FLOW_WRITABLE (gint64, shape)[d] = d > 0 ? FLOW_DIMS (values)[d] : self->shape->rank > 0 ? self->shape->dims[0] : -1;
  flow_kernel_set_output (c, 0, self->sum.indices);
  flow_kernel_take_output (c, 1, values);
  flow_kernel_take_output (c, 2, shape);
  begin_step (c, self);
  return TRUE;
}

static gboolean
take_sparse_compute (FlowKernelContext *c,
                     GError           **error)
{
  return with_accumulator (c, take_sparse, error);
}

/* --- counts and steps ----------------------------------------------------------------------------------------- */

static gboolean
put_count (FlowKernelContext *c,
           Accumulator       *self,
           GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) MIN (self->sum.n, G_MAXINT32)));
  return TRUE;
}

static gboolean
num_accumulated_compute (FlowKernelContext *c,
                         GError           **error)
{
  return with_accumulator (c, put_count, error);
}

static gboolean
set_step (FlowKernelContext *c,
          Accumulator       *self,
          GError           **error)
{
  FlowTensor *step = flow_kernel_input (c, 1);
  Sum sum;

  if (!flow_is_scalar (step))
    return _flow_refuse_shapes (error, step, NULL, "Argument num_required must be scalar, but had bad shape %s");
  sum = sum_copy (&self->sum);
  sum.global_step = FLOW_DATA (gint64, step)[0];
  take_sum (c, self, sum);
  return TRUE;
}

static gboolean
set_step_compute (FlowKernelContext *c,
                  GError           **error)
{
  return with_accumulator (c, set_step, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "ConditionalAccumulator",
    .outputs = "handle: Ref(string)",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; shape: shape; "
             "container: string = \"\"; shared_name: string = \"\"; reduction_type: {'MEAN', "
             "'SUM'} = \"MEAN\"",
    .summary = "Adds up dense gradients of one step",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = accumulator_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half float double", dense_compute, _flow_place_construct_by_node, _flow_place_destruct },
      { NULL },
    },
  },
  {
    .name = "SparseConditionalAccumulator",
    .outputs = "handle: Ref(string)",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; shape: shape; "
             "container: string = \"\"; shared_name: string = \"\"; reduction_type: {'MEAN', "
             "'SUM'} = \"MEAN\"",
    .summary = "Adds up sparse gradients of one step",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = accumulator_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half float double", sparse_compute, _flow_place_construct_by_node, _flow_place_destruct },
      { NULL },
    },
  },
  {
    .name = "ResourceConditionalAccumulator",
    .outputs = "handle: resource",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; shape: shape; "
             "container: string = \"\"; shared_name: string = \"\"; reduction_type: {'MEAN', "
             "'SUM'} = \"MEAN\"",
    .summary = "Adds up dense gradients of one step",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = accumulator_infer,
    .kernels = (const FlowKernelDef[]) {
      { "dtype: half float double", dense_compute, _flow_place_construct_by_node, _flow_place_destruct },
      { NULL },
    },
  },
  {
    .name = "AccumulatorApplyGradient",
    .inputs = "handle: Ref(string); local_step: int64; gradient: dtype",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
    .summary = "Gives a gradient to an accumulator",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, apply_dense_compute }, { NULL } },
  },
  {
    .name = "ResourceAccumulatorApplyGradient",
    .inputs = "handle: resource; local_step: int64; gradient: dtype",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
    .summary = "Gives a gradient to an accumulator",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, apply_dense_compute }, { NULL } },
  },
  {
    .name = "SparseAccumulatorApplyGradient",
    .inputs = "handle: Ref(string); local_step: int64; gradient_indices: int64; gradient_values: "
              "dtype; gradient_shape: int64",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}; has_known_shape: bool",
    .summary = "Gives a sparse gradient to an accumulator",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, apply_sparse_compute }, { NULL } },
  },
  {
    .name = "AccumulatorTakeGradient",
    .inputs = "handle: Ref(string); num_required: int32",
    .outputs = "average: dtype",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
    .summary = "The mean of the gradients in an accumulator, once enough are there",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, take_dense_compute }, { NULL } },
  },
  {
    .name = "ResourceAccumulatorTakeGradient",
    .inputs = "handle: resource; num_required: int32",
    .outputs = "average: dtype",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
    .summary = "The mean of the gradients in an accumulator, once enough are there",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, take_dense_compute }, { NULL } },
  },
  {
    .name = "SparseAccumulatorTakeGradient",
    .inputs = "handle: Ref(string); num_required: int32",
    .outputs = "indices: int64; values: dtype; shape: int64",
    .attrs = "dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
             "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
    .summary = "The mean of the sparse gradients in an accumulator, once enough are there",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, take_sparse_compute }, { NULL } },
  },
  {
    .name = "AccumulatorNumAccumulated",
    .inputs = "handle: Ref(string)",
    .outputs = "num_accumulated: int32",
    .summary = "How many gradients an accumulator has",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_accumulated_compute }, { NULL } },
  },
  {
    .name = "ResourceAccumulatorNumAccumulated",
    .inputs = "handle: resource",
    .outputs = "num_accumulated: int32",
    .summary = "How many gradients an accumulator has",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_accumulated_compute }, { NULL } },
  },
  {
    .name = "AccumulatorSetGlobalStep",
    .inputs = "handle: Ref(string); new_global_step: int64",
    .summary = "From which step on an accumulator takes gradients",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, set_step_compute }, { NULL } },
  },
  {
    .name = "ResourceAccumulatorSetGlobalStep",
    .inputs = "handle: resource; new_global_step: int64",
    .summary = "From which step on an accumulator takes gradients",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, set_step_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (accumulator, ops)

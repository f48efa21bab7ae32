/* flow-kernels-tensor_list_many.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lists of tensors in variants: many elements in one tensor and back.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-tensor-list-private.h"

#include <string.h>

/* --- one tensor after the other into an output ------------------------------------------------------------ */

typedef struct {
  FlowTensor *out;
  gint64 at;                   /* cells written */
} Filler;

/* The cells of @tensor, or @n zeros where there is none. */
static gboolean
fill (Filler            *filler,
      const FlowTensor  *tensor,
      gint64             n,
      GError           **error)
{
  FlowTensor *out = filler->out;
  gsize cell = _flow_cell_size (out->dtype);
  guint8 *to = (guint8 *) out->data + (gsize) filler->at * cell;

  if (n > out->n_elements - filler->at || (tensor != NULL && tensor->n_elements != n))
    return _flow_refuse (error, "Elements of a list do not fill a tensor of %" G_GINT64_FORMAT " elements", out->n_elements);
  if (tensor != NULL)
    _flow_replace_cells (out->dtype, to, tensor->data, n);
  else if (!flow_dtype_has_references (out->dtype) && n > 0)
    memset (to, 0, (gsize) n * cell);
  filler->at += n;
  return TRUE;
}

static FlowTensor *
allocate_rows (FlowKernelContext  *c,
               gint64              rows,
               const FlowShape    *element,
               GError            **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (element->rank >= FLOW_SHAPE_MAX_RANK)
    {
      _flow_refuse (error, "Shape has too many dimensions: %d", element->rank + 1);
      return NULL;
    }
  shape = flow_shape_new_of_rank (element->rank + 1);
  shape->dims[0] = rows;
  memcpy (shape->dims + 1, element->dims, sizeof (gint64) * (gsize) element->rank);
  return flow_kernel_allocate (c, 0, shape, error);
}

/* --- TensorListStack, TensorListGather ---------------------------------------------------------------------- */

static gboolean
infer_rows (FlowInferContext  *c,
            gint64             rows,
            guint              shape_input,
            GError           **error)
{
  g_autoptr (FlowShape) element = NULL;
  FlowShape *all;

  if (!_flow_infer_list_shape (c, 0, shape_input, &element, error))
    return FALSE;
  if (element->rank == FLOW_RANK_UNKNOWN || element->rank >= FLOW_SHAPE_MAX_RANK)
    return flow_infer_unknown_shape (c, error);
  all = flow_shape_new_of_rank (element->rank + 1);
  all->dims[0] = rows;
  memcpy (all->dims + 1, element->dims, sizeof (gint64) * (gsize) element->rank);
  flow_infer_take_output (c, 0, all);
  return TRUE;
}

static gboolean
stack_infer (FlowInferContext *c,
             GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_rows (c, flow_infer_attr_int (c, "num_elements"), 1, error);
}

static gboolean
stack_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  gint64 wanted = flow_kernel_attr_int (c, "num_elements");
  g_autoptr (FlowShape) element = NULL;
  Filler filler = { NULL, 0 };

  if (list == NULL || !_flow_kernel_list_dtype (c, list, error))
    return FALSE;
  element = _flow_kernel_asked_shape (c, list, 1, error);
  if (element == NULL)
    return FALSE;
  for (gint64 i = 0; !flow_shape_is_known (list->shape) && i < list->n; i++)
    if (!_flow_tensor_list_merge (list, i, &element, error))
      return FALSE;
  if (!flow_shape_is_known (element) && list->n == 0)
    {
      g_autofree char *text = flow_shape_to_string (element);

      return _flow_refuse (error, "Tried to stack elements of an empty list with non-fully-defined element_shape: %s", text);
    }
  if (wanted != -1 && list->n != wanted)
    return _flow_refuse (error, "Operation expected a list with %" G_GINT64_FORMAT " elements but got a list with %"
                         G_GINT64_FORMAT " elements.", wanted, list->n);
  if (!flow_shape_is_known (element))
    {
      g_autofree char *text = flow_shape_to_string (element);

      return _flow_refuse (error, "Tried to stack list which only contains uninitialized tensors and has a "
                           "non-fully-defined element_shape: %s", text);
    }
  filler.out = allocate_rows (c, list->n, element, error);
  for (gint64 i = 0; filler.out != NULL && i < list->n; i++)
    if (!fill (&filler, list->tensors[i], filler.out->n_elements / list->n, error))
      return FALSE;
  return filler.out != NULL;
}

static gboolean
gather_infer (FlowInferContext *c,
              GError          **error)
{
  FlowShape *indices = flow_infer_input (c, 1);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return infer_rows (c, indices->rank == 1 ? indices->dims[0] : FLOW_DIM_UNKNOWN, 2, error);
}

static gboolean
gather_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  FlowTensor *indices = flow_kernel_input (c, 1);
  const gint32 *index = FLOW_DATA (gint32, indices);
  g_autoptr (FlowShape) element = NULL;
  Filler filler = { NULL, 0 };

  if (list == NULL || !_flow_kernel_list_dtype (c, list, error))
    return FALSE;
  element = _flow_kernel_asked_shape (c, list, 2, error);
  if (element == NULL)
    return FALSE;
  for (gint64 k = 0; !flow_shape_is_known (list->shape) && k < indices->n_elements; k++)
    if (!_flow_tensor_list_merge (list, index[k], &element, error))
      return FALSE;
  if (!flow_shape_is_known (element))
    {
      g_autofree char *text = flow_shape_to_string (element);

      return _flow_refuse (error, indices->n_elements == 0
                           ? "Tried to gather 0-elements from a list with non-fully-defined shape: %s"
                           : "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: %s",
                           text);
    }
  for (gint64 k = 0; k < indices->n_elements; k++)
    if (index[k] < 0 || index[k] >= list->n)
      return _flow_refuse (error, "Index %d out o range; list only has %" G_GINT64_FORMAT " elements.", index[k], list->n);
  filler.out = allocate_rows (c, indices->n_elements, element, error);
  for (gint64 k = 0; filler.out != NULL && k < indices->n_elements; k++)
    if (!fill (&filler, list->tensors[index[k]], filler.out->n_elements / indices->n_elements, error))
      return FALSE;
  return filler.out != NULL;
}

/* --- TensorListConcat ---------------------------------------------------------------------------------------- */

static gboolean
concat_infer (FlowInferContext *c,
              GError          **error)
{
  g_autoptr (FlowShape) element = NULL;
  FlowShape *all;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->n_inputs == 1)
    element = flow_shape_ref (flow_infer_attr_shape (c, "element_shape"));
  else if (!_flow_infer_list_shape (c, 0, 1, &element, error))
    return FALSE;
  if (element->rank > 0)
    {
      all = flow_shape_new (element->rank, element->dims);
      all->dims[0] = FLOW_DIM_UNKNOWN;
      flow_infer_take_output (c, 0, all);
    }
  else
    {
      flow_infer_take_output (c, 0, flow_shape_new_unknown ());
    }
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

typedef struct {
  FlowTensorList *list;
  FlowShape *rest;             /* of an element without its first dim */
  gint64 first;                /* that dim where it is the same for all, else -1 */
  FlowTensor *leading;         /* nullable: first dims of places that are not written */
} Concat;

static FlowShape *
without_first (const FlowShape *shape)
{
  return shape->rank > 0 ? flow_shape_new (shape->rank - 1, shape->dims + 1) : flow_shape_new_unknown ();
}

static gboolean
read_concat (FlowKernelContext  *c,
             Concat             *concat,
             GError            **error)
{
  g_autoptr (FlowShape) asked = NULL;
  g_autoptr (FlowShape) shape = NULL;

  concat->first = -1;
  if (c->n_inputs == 1)
    {
      concat->rest = without_first (flow_attr_get_shape (flow_kernel_attr (c, "element_shape")));
      return TRUE;
    }
  asked = _flow_kernel_element_shape (c, 1, error);
  shape = asked != NULL ? _flow_merge_shapes (asked, concat->list->shape, error) : NULL;
  if (shape == NULL)
    return FALSE;
  if (shape->rank == 0)
    return _flow_refuse (error, "Concat requires elements to be at least vectors, found scalars instead.");
  if (shape->rank > 0)
    concat->first = shape->dims[0];
  concat->rest = without_first (shape);
  concat->leading = flow_kernel_input (c, 2);
  return TRUE;
}

/* All elements must agree but for their first dim, and in that where it is asked for. */
static gboolean
check_concat (Concat  *concat,
              GError **error)
{
  FlowTensorList *list = concat->list;
  gint64 same = concat->first;
  gboolean differ = FALSE;

  for (gint64 i = 0; i < list->n; i++)
    {
      g_autoptr (FlowShape) rest = NULL;
      FlowShape *merged;
      gint64 dim;

      if (list->tensors[i] == NULL)
        continue;
      if (FLOW_RANK (list->tensors[i]) < 1)
        return _flow_refuse (error, "Concat saw a scalar shape at index %" G_GINT64_FORMAT
                             " but requires at least vectors.", i);
      dim = FLOW_DIMS (list->tensors[i])[0];
      rest = without_first (list->tensors[i]->shape);
      merged = _flow_merge_shapes (concat->rest, rest, error);
      if (merged == NULL)
        return FALSE;
      flow_shape_unref (concat->rest);
      concat->rest = merged;
      if (concat->first != -1 && dim != concat->first)
        return _flow_refuse (error, "First entry of element_shape input does not match the first dim of list element at "
                             "index: %" G_GINT64_FORMAT " Expected: %" G_GINT64_FORMAT " Actual: %" G_GINT64_FORMAT, i,
                             concat->first, dim);
      differ = differ || (same != -1 && same != dim);
      same = dim;
    }
  concat->first = differ ? -1 : same;
  return TRUE;
}

static gboolean
row_count (const Concat  *concat,
           gint64         i,
           gint64        *count,
           GError       **error)
{
  gint64 given = concat->leading != NULL ? concat->leading->n_elements : 0;

  if (concat->list->tensors[i] != NULL)
    *count = FLOW_DIMS (concat->list->tensors[i])[0];
  else if (concat->leading == NULL)
    return _flow_refuse (error, "Concating lists with uninitialized tensors is not supported in this version of "
                         "TensorListConcat. Consider updating your GraphDef to run the newer version.");
  else if (i < given)
    *count = FLOW_DATA (gint64, concat->leading)[i];
  else if (concat->first != -1)
    *count = concat->first;
  else
    return _flow_refuse (error, "List contains uninitialized tensor at index %" G_GINT64_FORMAT
                         " but leading_dims has only %" G_GINT64_FORMAT " elements.", i, given);
  if (*count < 0)
    return _flow_refuse (error, "Invalid value in lengths: %" G_GINT64_FORMAT, *count);
  return TRUE;
}

static gboolean
put_concat (FlowKernelContext  *c,
            Concat             *concat,
            GError            **error)
{
  FlowTensorList *list = concat->list;
  FlowTensor *lengths = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { list->n }, error);
  gint64 total = 0;
  Filler filler = { NULL, 0 };

  if (lengths == NULL)
    return FALSE;
  for (gint64 i = 0; i < list->n; i++)
    {
      gint64 *count = &FLOW_WRITABLE (gint64, lengths)[i];

      if (!row_count (concat, i, count, error))
        return FALSE;
      if (!flow_add_int64 (total, *count, &total))
        return _flow_refuse (error, "Shape has too many rows");
    }
  filler.out = allocate_rows (c, total, concat->rest, error);
  for (gint64 i = 0; filler.out != NULL && i < list->n; i++)
    if (!fill (&filler, list->tensors[i], total > 0 ? filler.out->n_elements / total * FLOW_DATA (gint64, lengths)[i] : 0, error))
      return FALSE;
  return filler.out != NULL;
}

static gboolean
concat_rows (FlowKernelContext  *c,
             Concat             *concat,
             GError            **error)
{
  if (!read_concat (c, concat, error))
    return FALSE;
  if (concat->list->n == 0 && !flow_shape_is_known (concat->rest))
    {
      g_autofree char *text = flow_shape_to_string (concat->rest);

      return _flow_refuse (error, "All except the first dimension must be fully defined when concating an empty tensor "
                           "list. element_shape: %s", text);
    }
  if (!check_concat (concat, error))
    return FALSE;
  if (!flow_shape_is_known (concat->rest))
    {
      g_autofree char *text = flow_shape_to_string (concat->rest);

      return _flow_refuse (error, "Trying to concat list with only uninitialized tensors but "
                           "element_shape_except_first_dim_ is not fully defined: %s", text);
    }
  return put_concat (c, concat, error);
}

static gboolean
concat_compute (FlowKernelContext *c,
                GError           **error)
{
  Concat concat = { _flow_kernel_list (c, 0, error), NULL, -1, NULL };
  gboolean ok;

  if (concat.list == NULL || !_flow_kernel_list_dtype (c, concat.list, error))
    return FALSE;
  ok = concat_rows (c, &concat, error);
  g_clear_pointer (&concat.rest, flow_shape_unref);
  return ok;
}

/* --- TensorListFromTensor, TensorListScatter --------------------------------------------------------------- */

static gboolean
from_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowShape) merged = NULL;
  FlowShape *tensor = flow_infer_input (c, 0);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_tensor_list_asked_shape (c, c->n_inputs > 2 ? 2 : 1, &shape, error))
    return FALSE;
  if (tensor->rank != FLOW_RANK_UNKNOWN && tensor->rank > 0)
    {
      rest = flow_shape_new (tensor->rank - 1, tensor->dims + 1);
      if (!flow_infer_merge (c, shape, rest, &merged, error))
        return FALSE;
    }
  _flow_infer_put_list (c, 0, shape);
  return TRUE;
}

/* Row @i of a tensor, without the first dim. */
static FlowTensor *
row_of (const FlowTensor  *tensor,
        gint64             i,
        const FlowShape   *element,
        GError           **error)
{
  g_autoptr (FlowTensor) row = flow_tensor_slice_rows (tensor, i, i + 1);

  return flow_tensor_reshape (row, element, error);
}

/* The shape of rows, if it suits that of elements. */
static FlowShape *
check_rows (const FlowTensor  *tensor,
            const FlowShape   *shape,
            GError           **error)
{
  g_autoptr (FlowShape) rest = NULL;

  if (FLOW_RANK (tensor) < 1)
    {
      _flow_refuse_shapes (error, tensor, NULL, "Tensor must be at least a vector, but saw shape: %s");
      return NULL;
    }
  rest = without_first (tensor->shape);
  if (!flow_shape_is_compatible (shape, rest))
    {
      g_autofree char *a = flow_shape_to_string (shape);
      g_autofree char *b = flow_shape_to_string (rest);

      _flow_refuse (error, "Specified a list with shape %s from a tensor with shape %s", a, b);
      return NULL;
    }
  return g_steal_pointer (&rest);
}

static gboolean
from_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);
  g_autoptr (FlowShape) shape = _flow_kernel_element_shape (c, 1, error);
  g_autoptr (FlowShape) rest = shape != NULL ? check_rows (tensor, shape, error) : NULL;
  g_autoptr (FlowTensorList) list = NULL;

  if (rest == NULL)
    return FALSE;
  list = _flow_tensor_list_new (tensor->dtype, shape, FLOW_DIMS (tensor)[0], c->budget, error);
  for (gint64 i = 0; list != NULL && i < list->n; i++)
    {
      g_autoptr (FlowTensor) row = row_of (tensor, i, rest, error);

      if (row == NULL || !_flow_tensor_list_set (list, i, row, error))
        return FALSE;
    }
  return list != NULL && _flow_kernel_take_list (c, 0, g_steal_pointer (&list));
}

static gboolean
check_scatter (const FlowTensor  *tensor,
               const FlowTensor  *indices,
               gint64            *highest,
               GError           **error)
{
  *highest = -1;
  if (FLOW_DIMS (tensor)[0] != indices->n_elements)
    return _flow_refuse (error, "Invalid number of rows in input tensor. Expected: %" G_GINT64_FORMAT " Actual: %"
                         G_GINT64_FORMAT, indices->n_elements, FLOW_DIMS (tensor)[0]);
  for (gint64 k = 0; k < indices->n_elements; k++)
    {
      if (FLOW_DATA (gint32, indices)[k] < 0)
        return _flow_refuse (error, "Indices in TensorListScatter must all be non-negative.");
      *highest = MAX (*highest, FLOW_DATA (gint32, indices)[k]);
    }
  return TRUE;
}

static gboolean
put_rows (FlowTensorList    *list,
          const FlowTensor  *tensor,
          const FlowTensor  *indices,
          const FlowShape   *element,
          GError           **error)
{
  for (gint64 k = 0; k < indices->n_elements; k++)
    {
      g_autoptr (FlowTensor) row = row_of (tensor, k, element, error);

      if (row == NULL || !_flow_tensor_list_set (list, FLOW_DATA (gint32, indices)[k], row, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
scatter_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowTensor *indices = flow_kernel_input (c, 1);
  g_autoptr (FlowShape) shape = _flow_kernel_element_shape (c, 2, error);
  g_autoptr (FlowShape) rest = NULL;
  g_autoptr (FlowTensorList) list = NULL;
  gint64 highest;
  gint64 n = -1;

  if (shape == NULL)
    return FALSE;
  if (c->n_inputs > 3)
    {
      FlowTensor *count = flow_kernel_input (c, 3);

      if (count->n_elements != 1)
        return _flow_refuse_shapes (error, count, NULL, "Expected a scalar or one element, but saw shape: %s");
      n = FLOW_DATA (gint32, count)[0];
      if (n < -1)
        return _flow_refuse (error, "TensorListScatter expects num_elements >= -1, found: %" G_GINT64_FORMAT, n);
    }
  rest = check_rows (tensor, shape, error);
  if (rest == NULL || !check_scatter (tensor, indices, &highest, error))
    return FALSE;
  if (n != -1 && highest >= n)
    return _flow_refuse (error, "TensorListScatter: Trying to scatter at index %" G_GINT64_FORMAT " in list with size %"
                         G_GINT64_FORMAT, highest, n);
  list = _flow_tensor_list_new (tensor->dtype, shape, n != -1 ? n : highest + 1, c->budget, error);
  return list != NULL && put_rows (list, tensor, indices, rest, error)
         && _flow_kernel_take_list (c, 0, g_steal_pointer (&list));
}

static gboolean
scatter_into_infer (FlowInferContext *c,
                    GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  _flow_infer_same_list (c, 0, 0);
  return TRUE;
}

/* TF: refuses no negative index and fills up with empty float tensors; here a place between is one that was
 * never written. */
static gboolean
scatter_into_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowTensorList *list = _flow_kernel_list (c, 0, error);
  FlowTensor *tensor = flow_kernel_input (c, 1);
  FlowTensor *indices = flow_kernel_input (c, 2);
  g_autoptr (FlowShape) any = flow_shape_new_unknown ();
  g_autoptr (FlowShape) rest = NULL;
  gint64 highest;

  if (list == NULL)
    return FALSE;
  if (tensor->dtype != list->dtype)
    return _flow_refuse (error, "Invalid data types; input tensor type: %s list element_type: %s",
                         flow_dtype_string (tensor->dtype), flow_dtype_string (list->dtype));
  if (!flow_is_vector (indices))
    return _flow_refuse_shapes (error, indices, NULL, "Expected indices to be a vector, but received shape: %s");
  /* TF: the list's own shape is not asked. */
  rest = check_rows (tensor, any, error);
  if (rest == NULL)
    return FALSE;
  if (FLOW_DIMS (tensor)[0] != indices->n_elements)
    return _flow_refuse (error, "Expected len(indices) == tensor.shape[0], but saw: %" G_GINT64_FORMAT " vs. %"
                         G_GINT64_FORMAT, indices->n_elements, FLOW_DIMS (tensor)[0]);
  if (!check_scatter (tensor, indices, &highest, error))
    return FALSE;
  list = _flow_kernel_own_list (c, 0, 0, error);
  if (list == NULL || (highest >= list->n && !_flow_tensor_list_resize (list, highest + 1, error)))
    return FALSE;
  return put_rows (list, tensor, indices, rest, error);
}

/* --- TensorListSplit ------------------------------------------------------------------------------------------ */

static gboolean
split_infer (FlowInferContext *c,
             GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!_flow_tensor_list_asked_shape (c, 1, &shape, error))
    return FALSE;
  _flow_infer_put_list (c, 0, shape);
  return TRUE;
}

static gboolean
check_split (FlowTensor   *tensor,
             FlowTensor   *lengths,
             FlowShape    *shape,
             GError      **error)
{
  g_autoptr (FlowShape) wanted = NULL;
  g_autoptr (FlowShape) rest = NULL;
  gint64 start = 0;

  if (shape->rank == 0)
    return _flow_refuse (error, "TensorListSplit requires element_shape to be at least of rank 1, but saw: []");
  if (FLOW_RANK (tensor) < 1)
    return _flow_refuse_shapes (error, tensor, NULL, "Tensor must be at least a vector, but saw shape: %s");
  if (!flow_is_vector (lengths))
    return _flow_refuse_shapes (error, lengths, NULL, "Expected lengths to be a vector, received shape: %s");
  wanted = without_first (shape);
  rest = without_first (tensor->shape);
  if (!flow_shape_is_compatible (wanted, rest))
    {
      g_autofree char *a = flow_tensor_shape_text (tensor);
      g_autofree char *b = flow_shape_to_string (shape);

      return _flow_refuse (error, "tensor shape %s is not compatible with element_shape %s", a, b);
    }
  for (gint64 i = 0; i < lengths->n_elements; i++)
    {
      gint64 length = FLOW_DATA (gint64, lengths)[i];
      gint64 end;

      if (length < 0)
        return _flow_refuse (error, "Invalid value in lengths: %" G_GINT64_FORMAT, length);
      if (!flow_add_int64 (start, length, &end) || end > FLOW_DIMS (tensor)[0])
        return _flow_refuse (error, "Attempting to slice [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                             "] from tensor with length %" G_GINT64_FORMAT, start, start + length, FLOW_DIMS (tensor)[0]);
      start = end;
    }
  if (start != FLOW_DIMS (tensor)[0])
    return _flow_refuse (error, "Unused values in tensor. Length of tensor: %" G_GINT64_FORMAT " Values used: %"
                         G_GINT64_FORMAT, FLOW_DIMS (tensor)[0], start);
  return TRUE;
}

static gboolean
split_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowTensor *lengths = flow_kernel_input (c, 2);
  g_autoptr (FlowShape) shape = _flow_kernel_element_shape (c, 1, error);
  g_autoptr (FlowTensorList) list = NULL;
  gint64 start = 0;

  if (shape == NULL || !check_split (tensor, lengths, shape, error))
    return FALSE;
  list = _flow_tensor_list_new (tensor->dtype, shape, lengths->n_elements, c->budget, error);
  for (gint64 i = 0; list != NULL && i < list->n; i++)
    {
      gint64 end = start + FLOW_DATA (gint64, lengths)[i];
      g_autoptr (FlowTensor) rows = flow_tensor_slice_rows (tensor, start, end);

      if (!_flow_tensor_list_set (list, i, rows, error))
        return FALSE;
      start = end;
    }
  return list != NULL && _flow_kernel_take_list (c, 0, g_steal_pointer (&list));
}

/* --- TensorListConcatLists -------------------------------------------------------------------------------------- */

static gboolean
concat_lists_infer (FlowInferContext *c,
                    GError          **error)
{
  FlowShape *merged;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_merge (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &merged, error))
    return FALSE;
  flow_infer_take_output (c, 0, merged);
  if (c->input_handles != NULL && c->input_handles[0].shape != NULL)
    flow_infer_set_handle (c, 0, c->input_handles[0].dtype, c->input_handles[0].shape);
  return TRUE;
}

static FlowTensorList *
list_at (FlowKernelContext  *c,
         guint               input,
         gint64              i,
         GError            **error)
{
  FlowVariant *variant = flow_tensor_get_variant (flow_kernel_input (c, input), i);
  int dtype = flow_kernel_attr_dtype (c, "element_dtype");
  char which = input == 0 ? 'a' : 'b';

  if (variant == NULL || !FLOW_IS_TENSOR_LIST (variant))
    {
      g_autofree char *what = _flow_variant_text (variant);

      _flow_refuse (error, "input_%c is not a TensorList at index %" G_GINT64_FORMAT ".  Saw: '%s'", which, i, what);
      return NULL;
    }
  if (dtype == (int) FLOW_TENSOR_LIST (variant)->dtype)
    return FLOW_TENSOR_LIST (variant);
  _flow_refuse (error, "input_%c[%" G_GINT64_FORMAT "].dtype != element_dtype.  Saw: %s vs. %s", which, i,
                flow_dtype_string (FLOW_TENSOR_LIST (variant)->dtype), flow_dtype_string (dtype));
  return NULL;
}

static FlowTensorList *
join_lists (FlowKernelContext  *c,
            gint64              i,
            GError            **error)
{
  FlowTensorList *a = list_at (c, 0, i, error);
  FlowTensorList *b = a != NULL ? list_at (c, 1, i, error) : NULL;
  g_autoptr (FlowTensorList) both = NULL;

  if (b == NULL)
    return NULL;
  if (!flow_shape_equal (a->shape, b->shape))
    {
      g_autofree char *a_text = flow_shape_to_string (a->shape);
      g_autofree char *b_text = flow_shape_to_string (b->shape);

      _flow_refuse (error, "input_a and input_b TensorList element shapes are not identical at index %" G_GINT64_FORMAT
                    ".  Saw %s vs. %s", i, a_text, b_text);
      return NULL;
    }
  both = _flow_tensor_list_new (a->dtype, a->shape, a->n + b->n, c->budget, error);
  for (gint64 k = 0; both != NULL && k < both->n; k++)
    if (!_flow_tensor_list_set (both, k, k < a->n ? a->tensors[k] : b->tensors[k - a->n], error))
      return NULL;
  if (both != NULL)
    both->max_elements = a->max_elements;
  return g_steal_pointer (&both);
}

static gboolean
concat_lists_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowTensor *a = flow_kernel_input (c, 0);
  FlowTensor *b = flow_kernel_input (c, 1);
  FlowTensor *out;

  if (!flow_shape_equal (a->shape, b->shape))
    return _flow_refuse_shapes (error, a, b, "Incompatible input TensorList tensor shapes: %s vs. %s");
  out = flow_kernel_allocate (c, 0, a->shape, error);
  for (gint64 i = 0; out != NULL && i < out->n_elements; i++)
    {
      FlowTensorList *both = join_lists (c, i, error);

      if (both == NULL)
        return FALSE;
      FLOW_WRITABLE (FlowTensorList *, out)[i] = both;
    }
  return out != NULL;
}

/* --- the table ------------------------------------------------------------------------------------------------ */

#define TYPE "element_dtype: type"
#define TYPES TYPE "; shape_type: {int32, int64}"
#define LIST_OP(op, in, out, attr, infer_func, compute, text)                                       \
  { .name = op, .inputs = in, .outputs = out, .attrs = attr, .summary = text,                       \
    .family = FLOW_OP_FAMILY_CONTROL, .infer = infer_func,                                          \
    .kernels = (const FlowKernelDef[]) { { FLOW_LIST_TYPES, compute }, { NULL } } }

static const FlowOpDef ops[] = {
  LIST_OP ("TensorListConcat", "input_handle: variant", "tensor: element_dtype; lengths: int64",
           TYPE "; element_shape: shape = { unknown_rank: true }", concat_infer, concat_compute,
           "The elements of a list one after the other"),
  { .name = "TensorListConcatLists", .inputs = "input_a: variant; input_b: variant", .outputs = "output: variant",
    .attrs = TYPE, .summary = "Two lists as one", .family = FLOW_OP_FAMILY_CONTROL, .infer = concat_lists_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, concat_lists_compute }, { NULL } } },
  LIST_OP ("TensorListConcatV2", "input_handle: variant; element_shape: shape_type; leading_dims: int64",
           "tensor: element_dtype; lengths: int64", TYPES, concat_infer, concat_compute,
           "The elements of a list one after the other"),
  LIST_OP ("TensorListFromTensor", "tensor: element_dtype; element_shape: shape_type",
           "output_handle: variant", TYPES, from_infer, from_compute, "The rows of a tensor as a list"),
  LIST_OP ("TensorListGather", "input_handle: variant; indices: int32; element_shape: int32",
           "values: element_dtype", TYPE, gather_infer, gather_compute, "Some elements of a list as rows"),
  LIST_OP ("TensorListScatter", "tensor: element_dtype; indices: int32; element_shape: shape_type",
           "output_handle: variant", TYPES, from_infer, scatter_compute, "A list with rows at some places"),
  LIST_OP ("TensorListScatterIntoExistingList", "input_handle: variant; tensor: element_dtype; indices: int32",
           "output_handle: variant", TYPE, scatter_into_infer, scatter_into_compute,
           "A list with rows put at some places"),
  LIST_OP ("TensorListScatterV2",
           "tensor: element_dtype; indices: int32; element_shape: shape_type; num_elements: int32",
           "output_handle: variant", TYPES, from_infer, scatter_compute, "A list with rows at some places"),
  LIST_OP ("TensorListSplit", "tensor: element_dtype; element_shape: shape_type; lengths: int64",
           "output_handle: variant", TYPES, split_infer, split_compute, "Runs of rows of a tensor as a list"),
  LIST_OP ("TensorListStack", "input_handle: variant; element_shape: int32", "tensor: element_dtype",
           TYPE "; num_elements: int = -1", stack_infer, stack_compute, "The elements of a list as rows"),
};

FLOW_DEFINE_OP_FAMILY (tensor_list_many, ops)

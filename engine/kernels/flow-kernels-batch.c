/* flow-kernels-batch.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ops that put the inputs of several runs together and take the results apart again. TensorFlow closes a batch when
 * it is full or when its time is over, whichever comes first; here runs happen one after the other, so that the time
 * of a batch is over as soon as its run has nothing else to do: each run is a batch of its own, padded as asked.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- what is kept between runs -------------------------------------------------------------------------------- */

/* Tensors that wait for the run of their id, and the last id that was given. */
typedef struct {
  FlowResource parent;
  gint64 last_id;
  GArray *ids;                 /* of gint64 */
  GPtrArray *tensors;
} Shelf;

typedef struct {
  gint64 last_id;
  GArray *ids;
  GPtrArray *tensors;
} SavedShelf;

static void
unref_tensor (gpointer tensor)
{
  flow_tensor_unref (tensor);
}

static GPtrArray *
copy_tensors (GPtrArray *tensors)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (unref_tensor);

  for (guint i = 0; i < tensors->len; i++)
    g_ptr_array_add (copy, flow_tensor_ref (tensors->pdata[i]));
  return copy;
}

static void
shelf_finalize (FlowResource *resource)
{
  Shelf *self = (Shelf *) resource;

  g_array_unref (self->ids);
  g_ptr_array_unref (self->tensors);
}

static gpointer
shelf_save (FlowResource *resource)
{
  Shelf *self = (Shelf *) resource;
  SavedShelf *saved = g_new (SavedShelf, 1);

  saved->last_id = self->last_id;
  saved->ids = g_array_copy (self->ids);
  saved->tensors = copy_tensors (self->tensors);
  return saved;
}

static void
shelf_restore (FlowResource  *resource,
               gconstpointer  data)
{
  Shelf *self = (Shelf *) resource;
  const SavedShelf *saved = data;

  shelf_finalize (resource);
  self->last_id = saved->last_id;
  self->ids = g_array_copy (saved->ids);
  self->tensors = copy_tensors (saved->tensors);
}

static void
saved_shelf_free (gpointer data)
{
  SavedShelf *saved = data;

  g_array_unref (saved->ids);
  g_ptr_array_unref (saved->tensors);
  g_free (saved);
}

static gsize
saved_shelf_bytes (gconstpointer data)
{
  return sizeof (SavedShelf) + ((const SavedShelf *) data)->ids->len * (sizeof (gint64) + sizeof (gpointer));
}

static void
shelf_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  Shelf *self = (Shelf *) resource;
  g_autoptr (FlowTensor) last = flow_tensor_new_int64 (self->last_id);

  visitor ("last id", last, data);
  for (guint i = 0; i < self->ids->len; i++)
    {
      g_autofree char *label = g_strdup_printf ("%" G_GINT64_FORMAT, g_array_index (self->ids, gint64, i));

      visitor (label, self->tensors->pdata[i], data);
    }
}

static char *
shelf_describe (FlowResource *resource)
{
  return g_strdup_printf ("%u wait", ((Shelf *) resource)->ids->len);
}

#define SHELF_CLASS(variable, name)                                                                    \
  static const FlowResourceClass variable = {                                                          \
    .type_name = name, .finalize = shelf_finalize, .save = shelf_save, .restore = shelf_restore,       \
    .saved_free = saved_shelf_free, .saved_bytes = saved_shelf_bytes, .visit = shelf_visit,            \
    .describe = shelf_describe,                                                                        \
  }

SHELF_CLASS (batch_class, "N10tensorflow13BatchResourceE");
SHELF_CLASS (unbatch_class, "N10tensorflow15UnbatchResourceE");
SHELF_CLASS (unbatch_grad_class, "N10tensorflow19UnbatchGradResourceE");

/* The node's shelf, made by whoever comes first. A new reference. */
static Shelf *
find_shelf (FlowKernelContext        *c,
            const FlowResourceClass  *klass,
            GError                  **error)
{
  FlowPlace *place = flow_kernel_data (c);
  Shelf *self = _flow_place_lookup (place, c, klass);

  if (self != NULL)
    return self;
  self = flow_resource_alloc (klass, sizeof (Shelf), place->container, _flow_place_name (place));
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->tensors = g_ptr_array_new_with_free_func (unref_tensor);
  if (!flow_kernel_publish (c, self, error))
    g_clear_pointer (&self, flow_resource_unref);
  return self;
}

static int
shelf_find (Shelf  *self,
            gint64  id)
{
  for (guint i = 0; i < self->ids->len; i++)
    if (g_array_index (self->ids, gint64, i) == id)
      return (int) i;
  return -1;
}

static void
shelf_add (Shelf      *self,
           gint64      id,
           FlowTensor *tensor)
{
  g_array_append_val (self->ids, id);
  g_ptr_array_add (self->tensors, flow_tensor_ref (tensor));
}

/* A new reference. */
static FlowTensor *
shelf_take (Shelf *self,
            int    at)
{
  g_array_remove_index (self->ids, (guint) at);
  return g_ptr_array_steal_index (self->tensors, (guint) at);
}

/* --- batches -------------------------------------------------------------------------------------------------- */

/* @n rows of @from beginning with @first, and its very first row as often as it takes to be @padded. Without rows there
 * is none to repeat: zeros. */
static FlowTensor *
take_rows (FlowKernelContext  *c,
           const FlowTensor   *from,
           gint64              first,
           gint64              n,
           gint64              padded,
           GError            **error)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  g_autoptr (FlowShape) shape = NULL;
  gsize row = _flow_cell_size (from->dtype);
  FlowTensor *out;

  memcpy (dims, FLOW_DIMS (from), sizeof (gint64) * (gsize) FLOW_RANK (from));
  dims[0] = padded;
  shape = flow_shape_new (FLOW_RANK (from), dims);
  out = flow_kernel_allocate_temp (c, from->dtype, shape, error);
  if (out == NULL || out->n_elements == 0)
    return out;
  row *= (gsize) (out->n_elements / padded);
  if (FLOW_DIMS (from)[0] == 0)
    {
      if (!flow_dtype_has_references (out->dtype))
        memset (out->data, 0, row * (gsize) padded);
      return out;
    }
  memcpy (out->data, (const guint8 *) from->data + (gsize) first * row, (gsize) n * row);
  for (gint64 i = n; i < padded; i++)
    memcpy ((guint8 *) out->data + (gsize) i * row, from->data, row);
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out;
}

/* TF: checked before anything else of the node. */
static gboolean
check_allowed_sizes (FlowKernelContext  *c,
                     GError            **error)
{
  FlowAttr *allowed = flow_kernel_attr (c, "allowed_batch_sizes");
  gsize n = flow_attr_get_length (allowed);
  gint64 last = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 size = flow_attr_get_int (flow_attr_get_item (allowed, i));

      if (i > 0 && size <= last)
        return _flow_refuse (error, "allowed_batch_sizes entries must be monotonically increasing");
      if (i == n - 1 && size != flow_kernel_attr_int (c, "max_batch_size"))
        return _flow_refuse (error, "final entry in allowed_batch_sizes must equal max_batch_size");
      last = size;
    }
  return TRUE;
}

/* How many rows each of the first @n inputs has, and how many with the padding. */
static gboolean
measure_batch (FlowKernelContext  *c,
               guint               n,
               gint64             *rows,
               gint64             *padded,
               GError            **error)
{
  FlowAttr *allowed = flow_kernel_attr (c, "allowed_batch_sizes");
  gint64 limit = flow_kernel_attr_int (c, "max_batch_size");

  if (!check_allowed_sizes (c, error))
    return FALSE;
  FLOW_REQUIRE (flow_kernel_attr_int (c, "num_batch_threads") > 0, error, INVALID_ARGUMENT,
                "num_batch_threads must be positive; was %" G_GINT64_FORMAT, flow_kernel_attr_int (c, "num_batch_threads"));
  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *x = flow_kernel_input (c, i);

      FLOW_REQUIRE (FLOW_RANK (x) > 0, error, INVALID_ARGUMENT, "Batching input tensors must have at least one dimension");
      FLOW_REQUIRE (FLOW_DIMS (x)[0] == FLOW_DIMS (flow_kernel_input (c, 0))[0], error, INVALID_ARGUMENT,
                    "Batching input tensors supplied in a given op invocation must have equal 0th-dimension size");
    }
  FLOW_REQUIRE (limit != 0, error, INVALID_ARGUMENT, "max_batch_size must be positive; was 0");
  *rows = *padded = FLOW_DIMS (flow_kernel_input (c, 0))[0];
  /* TF: a negative limit is a very large one. */
  FLOW_REQUIRE (limit < 0 || *rows <= limit, error, INVALID_ARGUMENT, "Task size %" G_GINT64_FORMAT
                " is larger than maximum batch size %" G_GINT64_FORMAT, *rows, limit);
  for (gsize i = 0; i < flow_attr_get_length (allowed); i++)
    {
      gint64 size = flow_attr_get_int (flow_attr_get_item (allowed, i));

      if (size >= *rows)
        {
          *padded = size;
          break;
        }
    }
  return TRUE;
}

/* The shape of input @i with any number of rows. */
static gboolean
any_rows (FlowInferContext *c,
          guint             i,
          guint             output,
          GError          **error)
{
  const FlowShape *shape = flow_infer_input (c, i);
  FlowShape *rows = NULL;

  if (shape->rank == FLOW_RANK_UNKNOWN)
    {
      flow_infer_set_output (c, output, shape);
      return TRUE;
    }
  FLOW_REQUIRE (shape->rank > 0, error, INVALID_ARGUMENT, "Out of range dim_index 0 for shape with 0 dimensions");
  rows = flow_shape_new (shape->rank, shape->dims);
  rows->dims[0] = FLOW_DIM_UNKNOWN;
  flow_infer_take_output (c, output, rows);
  return TRUE;
}

static gboolean
batch_infer (FlowInferContext *c,
             GError          **error)
{
  const gint64 index[] = { FLOW_DIM_UNKNOWN, 3 };

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < c->n_inputs; i++)
    if (!any_rows (c, i, i, error))
      return FALSE;
  flow_infer_take_output (c, c->n_inputs, flow_shape_new (2, index));
  flow_infer_take_output (c, c->n_inputs + 1, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
batch_compute (FlowKernelContext *c,
               GError           **error)
{
  guint n = c->n_inputs;
  gint64 rows = 0;
  gint64 padded = 0;
  FlowTensor *index;
  Shelf *shelf;

  if (!measure_batch (c, n, &rows, &padded, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *out = take_rows (c, flow_kernel_input (c, i), 0, rows, padded, error);

      if (out == NULL)
        return FALSE;
      flow_kernel_take_output (c, i, out);
    }
  index = flow_kernel_allocate_dims (c, n, 2, (const gint64[]) { 1, 3 }, error);
  shelf = index != NULL ? find_shelf (c, &batch_class, error) : NULL;
  if (shelf == NULL)
    return FALSE;
  flow_kernel_will_write (c, shelf);
  ((gint64 *) index->data)[0] = ++shelf->last_id;
  ((gint64 *) index->data)[1] = 0;
  ((gint64 *) index->data)[2] = rows;
  flow_kernel_take_output (c, n + 1, flow_tensor_new_int64 (shelf->last_id));
  flow_kernel_wrote (c, shelf);
  flow_resource_unref (shelf);
  return TRUE;
}

/* --- taken apart again ---------------------------------------------------------------------------------------- */

static gboolean
unbatch_infer (FlowInferContext *c,
               GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return any_rows (c, 0, 0, error);
}

/* The id of a run: input @i. */
static gboolean
read_id (FlowKernelContext *c,
         guint              i,
         gint64            *id,
         GError           **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, i);

  if (tensor->n_elements != 1)
    return _flow_refuse_shapes (error, tensor, NULL, "The id must be a scalar, but had shape: %s");
  *id = FLOW_DATA (gint64, tensor)[0];
  return TRUE;
}

/* Every row of the index names a run and how many rows are its: those, one after the other, are put on the shelf, but
 * those of the run @own: a new reference in *@mine. */
static gboolean
share_out (FlowKernelContext  *c,
           Shelf              *shelf,
           gint64              own,
           FlowTensor        **mine,
           GError            **error)
{
  const FlowTensor *data = flow_kernel_input (c, 0);
  const FlowTensor *index = flow_kernel_input (c, 1);
  const gint64 *row = FLOW_DATA (gint64, index);
  gint64 at = 0;

  for (gint64 i = 0; i < FLOW_DIMS (index)[0]; i++, row += 3)
    {
      gint64 n = 0;
      FlowTensor *part = NULL;

      FLOW_REQUIRE (row[2] >= row[1] && (row[1] >= 0 || row[2] <= G_MAXINT64 + row[1]), error, INVALID_ARGUMENT,
                    "Split size must be non-negative");
      n = row[2] - row[1];
      FLOW_REQUIRE (n <= FLOW_DIMS (data)[0] - at, error, INVALID_ARGUMENT,
                    "Sum of split sizes must not exceed dim0-size of input tensor");
      part = take_rows (c, data, at, n, n, error);
      if (part == NULL)
        return FALSE;
      at += n;
      if (row[0] == own && *mine == NULL)
        {
          *mine = part;
          continue;
        }
      shelf_add (shelf, row[0], part);
      flow_tensor_unref (part);
    }
  return TRUE;
}

static gboolean
check_index (const FlowTensor *data,
             const FlowTensor *index,
             GError          **error)
{
  gint64 columns = FLOW_RANK (index) == 2 ? FLOW_DIMS (index)[1] : 0;

  FLOW_REQUIRE (FLOW_RANK (data) > 0 && FLOW_RANK (index) > 0, error, INVALID_ARGUMENT,
                "Batched tensors and their index must have at least one dimension");
  FLOW_REQUIRE (FLOW_DIMS (index)[0] <= FLOW_DIMS (data)[0], error, INVALID_ARGUMENT,
                "Wrong shape for index tensor. Expected 0th dimension size to be no greater than %" G_GINT64_FORMAT
                "; Got: %" G_GINT64_FORMAT ".", FLOW_DIMS (data)[0], FLOW_DIMS (index)[0]);
  FLOW_REQUIRE (columns == 3, error, INVALID_ARGUMENT,
                "Wrong shape for index tensor. Expected 1st dimension size to be 3 ; Got: %" G_GINT64_FORMAT ".", columns);
  return TRUE;
}

/* TF: a run whose rows have not come waits so long as timeout_micros says; see the head of this file. */
static gboolean
unbatch_compute (FlowKernelContext *c,
                 GError           **error)
{
  Shelf *shelf = NULL;
  gint64 id = 0;
  FlowTensor *mine = NULL;
  gboolean ok = TRUE;
  int at = -1;

  if (!read_id (c, 2, &id, error) || !check_index (flow_kernel_input (c, 0), flow_kernel_input (c, 1), error))
    return FALSE;
  shelf = find_shelf (c, &unbatch_class, error);
  if (shelf == NULL)
    return FALSE;
  flow_kernel_will_write (c, shelf);
  at = shelf_find (shelf, id);
  if (at >= 0)
    mine = shelf_take (shelf, at);
  ok = share_out (c, shelf, id, &mine, error);
  flow_kernel_wrote (c, shelf);
  flow_resource_unref (shelf);
  if (ok && mine != NULL)
    {
      flow_kernel_take_output (c, 0, mine);
      return TRUE;
    }
  if (mine != NULL)
    flow_tensor_unref (mine);
  if (ok)
    g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_DEADLINE_EXCEEDED, "Batched data did not arrive within timeout window.");
  return FALSE;
}

static gboolean
unbatch_grad_infer (FlowInferContext *c,
                    GError          **error)
{
  const FlowShape *grad = flow_infer_input (c, 2);

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, grad->rank == FLOW_RANK_UNKNOWN ? flow_shape_new_unknown ()
                                                                : flow_shape_new_of_rank (grad->rank));
  return TRUE;
}

/* TF: the words of a concatenation along the first dimension. */
static gboolean
check_same_rows (const FlowTensor *first,
                 const FlowTensor *part,
                 guint             i,
                 GError          **error)
{
  gboolean same_rank = FLOW_RANK (first) == FLOW_RANK (part) && FLOW_RANK (part) > 0;
  gboolean same = same_rank;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  for (int d = 1; same && d < FLOW_RANK (part); d++)
    same = FLOW_DIMS (first)[d] == FLOW_DIMS (part)[d];
  if (same)
    return TRUE;
  a = flow_tensor_shape_text (first);
  b = flow_tensor_shape_text (part);
  return _flow_refuse (error, "%s should match: shape[0] = %s vs. shape[%u] = %s",
                       same_rank ? "Dimensions of inputs" : "Ranks of all input tensors", a, i, b);
}

/* The gradients of the runs that the index names, one below the other, leave the shelf. */
static gboolean
join_gradients (FlowKernelContext  *c,
                Shelf              *shelf,
                GError            **error)
{
  const FlowTensor *index = flow_kernel_input (c, 1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (unref_tensor);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  guint8 *to = NULL;
  FlowTensor *out;

  for (gint64 i = 0; i < FLOW_DIMS (index)[0]; i++)
    {
      int at = shelf_find (shelf, FLOW_DATA (gint64, index)[i * FLOW_DIMS (index)[1]]);
      FlowTensor *part = NULL;

      FLOW_REQUIRE (at >= 0, error, INTERNAL, "bad internal state: ID is missing.");
      part = shelf_take (shelf, at);
      g_ptr_array_add (parts, part);
      if (i == 0)
        memcpy (dims, FLOW_DIMS (part), sizeof (gint64) * (gsize) FLOW_RANK (part));
      else if (!check_same_rows (parts->pdata[0], part, (guint) i, error))
        return FALSE;
      else
        FLOW_REQUIRE (flow_add_int64 (dims[0], FLOW_DIMS (part)[0], &dims[0]), error, RESOURCE_EXHAUSTED,
                      "OOM when allocating the gradient of a batch");
    }
  /* TF: a gradient alone passes whatever its rank. */
  if (parts->len == 1)
    {
      flow_kernel_set_output (c, 0, parts->pdata[0]);
      return TRUE;
    }
  out = flow_kernel_allocate_dims (c, 0, FLOW_RANK ((FlowTensor *) parts->pdata[0]), dims, error);
  if (out == NULL)
    return FALSE;
  to = out->data;
  for (guint i = 0; i < parts->len; i++)
    {
      const FlowTensor *part = parts->pdata[i];
      gsize size = (gsize) part->n_elements * _flow_cell_size (part->dtype);

      if (size > 0)
        memcpy (to, part->data, size);
      to += size;
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

/* Nothing where the gradients of all runs in the batch are there, else the first that is not. */
static gboolean
find_missing (FlowKernelContext *c,
              Shelf             *shelf,
              gint64            *missing)
{
  const FlowTensor *index = flow_kernel_input (c, 1);

  for (gint64 i = 0; i < FLOW_DIMS (index)[0]; i++)
    {
      *missing = FLOW_DATA (gint64, index)[i * FLOW_DIMS (index)[1]];
      if (shelf_find (shelf, *missing) < 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
give_gradient (FlowKernelContext  *c,
               Shelf              *shelf,
               GError            **error)
{
  const FlowTensor *index = flow_kernel_input (c, 1);
  FlowTensor *grad = flow_kernel_input (c, 2);
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 missing = 0;

  if (flow_kernel_input (c, 0)->n_elements == 0)
    {
      FLOW_REQUIRE (FLOW_RANK (grad) > 0, error, INVALID_ARGUMENT, "The gradient must have at least one dimension");
      memcpy (dims, FLOW_DIMS (grad), sizeof (gint64) * (gsize) FLOW_RANK (grad));
      dims[0] = 0;
      return flow_kernel_allocate_dims (c, 0, FLOW_RANK (grad), dims, error) != NULL;
    }
  FLOW_REQUIRE (index->n_elements > 0, error, INVALID_ARGUMENT, "batch_index is empty while the tensor isn't.");
  FLOW_REQUIRE (FLOW_RANK (index) == 2 && FLOW_DIMS (index)[1] == 3, error, INVALID_ARGUMENT,
                "Wrong shape for index tensor. Expected 1st dimension size to be 3");
  if (find_missing (c, shelf, &missing))
    return flow_kernel_wait (c, shelf, "%s: the gradient of %" G_GINT64_FORMAT " has not come", shelf->parent.name, missing);
  return join_gradients (c, shelf, error);
}

static gboolean
unbatch_grad_compute (FlowKernelContext *c,
                      GError           **error)
{
  Shelf *shelf = NULL;
  gint64 id = 0;
  gboolean ok;

  if (!read_id (c, 3, &id, error))
    return FALSE;
  shelf = find_shelf (c, &unbatch_grad_class, error);
  if (shelf == NULL)
    return FALSE;
  if (shelf_find (shelf, id) >= 0)
    {
      flow_resource_unref (shelf);
      return _flow_refuse (error, "Two runs with the same batch key.");
    }
  flow_kernel_will_write (c, shelf);
  shelf_add (shelf, id, flow_kernel_input (c, 2));
  ok = give_gradient (c, shelf, error);
  if (c->waiting_for != NULL)
    flow_tensor_unref (shelf_take (shelf, shelf_find (shelf, id)));
  else
    flow_kernel_wrote (c, shelf);
  flow_resource_unref (shelf);
  return ok;
}

/* --- a function of a batch -------------------------------------------------------------------------------------- */

/* Without the padding. */
static gboolean
set_parts (FlowKernelContext  *c,
           gint64              rows,
           gint64              padded,
           GError            **error)
{
  guint n = 0;
  FlowTensor *const *returned = flow_kernel_get_returned (c, &n);

  FLOW_REQUIRE (n == c->n_outputs, error, INTERNAL, "Expect to produce %u tensors, but only get %u", c->n_outputs, n);
  for (guint i = 0; i < n; i++)
    {
      FlowTensor *part;

      FLOW_REQUIRE (FLOW_RANK (returned[i]) > 0, error, FAILED_PRECONDITION, "Batched output tensor has 0 dimensions");
      FLOW_REQUIRE (FLOW_DIMS (returned[i])[0] == padded, error, FAILED_PRECONDITION,
                    "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the input "
                    "tensors");
      part = take_rows (c, returned[i], 0, rows, rows, error);
      if (part == NULL)
        return FALSE;
      flow_kernel_take_output (c, i, part);
    }
  return TRUE;
}

static gboolean
batch_function_compute (FlowKernelContext *c,
                        GError           **error)
{
  guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, "Tin"));
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func (unref_tensor);
  gint64 rows = 0;
  gint64 padded = 0;

  if (!measure_batch (c, n, &rows, &padded, error))
    return FALSE;
  if (flow_kernel_get_turn (c) > 0)
    return set_parts (c, rows, padded, error);
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowTensor *arg = i < n ? take_rows (c, flow_kernel_input (c, i), 0, rows, padded, error)
                              : flow_tensor_ref (flow_kernel_input (c, i));

      if (arg == NULL)
        return FALSE;
      g_ptr_array_add (args, arg);
    }
  flow_kernel_call (c, flow_kernel_attr (c, "f"), "", 0, (FlowTensor *const *) args->pdata, args->len);
  return TRUE;
}

#define PLACED(func) (const FlowKernelDef[]) { { NULL, func, _flow_place_construct_by_node, _flow_place_destruct }, { NULL } }

static const FlowOpDef ops[] = {
  {
    .name = "Batch",
    .inputs = "in_tensors: T",
    .outputs = "batched_tensors: T; batch_index: int64; id: int64",
    .attrs = "num_batch_threads: int; max_batch_size: int; max_enqueued_batches: int = 10; batch_timeout_micros: int; "
             "allowed_batch_sizes: list(int) = []; grad_timeout_micros: int; container: string = \"\"; "
             "shared_name: string = \"\"; batching_queue: string = \"\"; T: list(type) >= 1",
    .summary = "Puts the inputs of several runs together",
    .flags = FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = batch_infer,
    .kernels = PLACED (batch_compute),
  },
  {
    .name = "Unbatch",
    .inputs = "batched_tensor: T; batch_index: int64; id: int64",
    .outputs = "unbatched_tensor: T",
    .attrs = "timeout_micros: int; container: string = \"\"; shared_name: string = \"\"; T: type",
    .summary = "The part of a batch that is this run's",
    .flags = FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = unbatch_infer,
    .kernels = PLACED (unbatch_compute),
  },
  {
    .name = "UnbatchGrad",
    .inputs = "original_input: T; batch_index: int64; grad: T; id: int64",
    .outputs = "batched_grad: T",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; T: type",
    .summary = "Puts the gradients of a batch's runs together",
    .flags = FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = unbatch_grad_infer,
    .kernels = PLACED (unbatch_grad_compute),
  },
  {
    .name = "BatchFunction",
    .inputs = "in_tensors: Tin; captured_tensors: Tcaptured",
    .outputs = "out_tensors: Tout",
    .attrs = "f: func; num_batch_threads: int; max_batch_size: int; batch_timeout_micros: int; "
             "max_enqueued_batches: int = 10; allowed_batch_sizes: list(int) = []; container: string = \"\"; "
             "shared_name: string = \"\"; batching_queue: string = \"\"; Tin: list(type) >= 1; Tcaptured: list(type) >= 0; "
             "Tout: list(type) >= 1",
    .summary = "Runs a function on the inputs of several runs",
    .flags = FLOW_OP_FUNCTION | FLOW_OP_NOT_CONSTANT,
    .family = FLOW_OP_FAMILY_CONTROL,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, batch_function_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (batch, ops)

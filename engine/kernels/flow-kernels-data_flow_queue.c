/* flow-kernels-data_flow_queue.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Queues. An op that must wait changes nothing: it is computed again once the queue was written.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-queue-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- what the ops on queues share -------------------------------------------------------------------------- */

static FlowQueue *
lookup_queue (FlowKernelContext *c,
              GError           **error)
{
  return _flow_lookup_handle (c, 0, &_flow_queue_class, NULL,
                              "Queue handle must have two elements, but had shape: %s", error);
}

static gboolean
refuse_signature (FlowKernelContext *c,
                  FlowQueue         *queue,
                  gboolean           enqueues,
                  GError           **error)
{
  g_autofree char *components = _flow_queue_types_text (queue->dtypes, queue->n_components);
  const char *handle = c->signature->inputs[0].is_ref ? "string_ref" : "resource";
  g_autoptr (GString) have = g_string_new (handle);
  g_autoptr (GString) expected = g_string_new (handle);
  gboolean counts = !enqueues && c->n_inputs > 1;

  for (guint i = 1; i < c->n_inputs; i++)
    g_string_append_printf (have, ", %s", flow_dtype_string (flow_kernel_input (c, i)->dtype));
  g_string_append (have, "->");
  for (guint i = 0; i < c->n_outputs; i++)
    g_string_append_printf (have, "%s%s", i > 0 ? ", " : "", flow_dtype_string (c->output_dtypes[i]));
  if (enqueues)
    g_string_append_printf (expected, "%s%s->", *components != '\0' ? ", " : "", components);
  else
    g_string_append_printf (expected, "%s->%s", counts ? ", int32" : "", components);
  return _flow_refuse (error, "Signature mismatch, have: %s expected: %s", have->str, expected->str);
}

/* TF: refused when the kernel is made. There is nothing to keep. */
static gpointer
check_timeout (FlowKernelConstruction *c,
               GError                **error)
{
  if (flow_attr_get_int (flow_construction_attr (c, "timeout_ms")) == -1)
    return GINT_TO_POINTER (TRUE);
  _flow_refuse (error, "Timeout not supported yet.");
  return NULL;
}

/* Parks the op, or gives up where the run was cancelled. */
static gboolean
wait_for (FlowKernelContext *c,
          FlowQueue         *queue,
          const char        *what,
          gint64             wanted,
          GError           **error)
{
  FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "%s operation was cancelled", what);
  if (strcmp (what, "Dequeue") == 0)
    return flow_kernel_wait (c, queue, "queue %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements are there",
                             queue->parent.name, _flow_queue_get_size (queue), wanted);
  return flow_kernel_wait (c, queue, "queue %s: full, %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements",
                           queue->parent.name, _flow_queue_get_size (queue), queue->capacity);
}

/* --- enqueue ------------------------------------------------------------------------------------------------ */

static gboolean
refuse_component (guint             i,
                  const FlowShape  *expected,
                  const FlowTensor *value,
                  GError          **error)
{
  g_autofree char *a = flow_shape_to_string (expected);
  g_autofree char *b = flow_tensor_shape_text (value);

  return _flow_refuse (error, "Shape mismatch in tuple component %u. Expected %s, got %s", i, a, b);
}

/* @batch: how many elements at once, -1 for one without a dimension for them. */
static gboolean
check_components (FlowKernelContext *c,
                  FlowQueue         *queue,
                  gint64             batch,
                  GError           **error)
{
  for (guint i = 0; i < queue->n_components; i++)
    {
      FlowTensor *value = flow_kernel_input (c, i + 1);
      g_autoptr (FlowShape) expected = NULL;

      if (queue->shapes != NULL && batch < 0)
        {
          expected = flow_shape_ref (queue->shapes[i]);
        }
      else if (queue->shapes != NULL)
        {
          expected = flow_shape_new_of_rank (MIN (queue->shapes[i]->rank + 1, FLOW_SHAPE_MAX_RANK));
          expected->dims[0] = batch;
          for (int d = 1; d < expected->rank; d++)
            expected->dims[d] = queue->shapes[i]->dims[d - 1];
        }
      if (expected != NULL && !flow_shape_is_compatible (expected, value->shape))
        return refuse_component (i, expected, value, error);
      if (batch >= 0 && FLOW_RANK (value) < 1)
        return _flow_refuse (error, "Component %u must be at least a vector", i);
      if (batch >= 0 && FLOW_DIMS (value)[0] != batch)
        return _flow_refuse (error, "All input tensors must have the same size in the 0th dimension. Component %u "
                             "has %" G_GINT64_FORMAT ", and should have %" G_GINT64_FORMAT, i, FLOW_DIMS (value)[0],
                             batch);
    }
  return TRUE;
}

static gboolean
check_enqueue (FlowKernelContext *c,
               FlowQueue         *queue,
               gboolean           many,
               gint64            *batch,
               GError           **error)
{
  gboolean same = c->n_inputs - 1 == queue->n_components;

  for (guint i = 0; same && i < queue->n_components; i++)
    same = (int) flow_kernel_input (c, i + 1)->dtype == queue->dtypes[i];
  if (!same)
    return refuse_signature (c, queue, TRUE, error);
  *batch = -1;
  if (many)
    {
      FlowTensor *first = flow_kernel_input (c, 1);

      /* TF ends the process for a scalar. With shapes given it has other words. */
      *batch = FLOW_RANK (first) > 0 ? FLOW_DIMS (first)[0] : 0;
    }
  return check_components (c, queue, *batch, error);
}

/* Whether @n more elements may come in. More than the capacity come into an empty queue at once. */
static gboolean
has_room (FlowQueue *queue,
          gint64     n)
{
  gint64 size = _flow_queue_get_size (queue);
  gint64 limit = MAX (queue->capacity, queue->appetite);

  return size + n <= limit || (size == 0 && n > limit);
}

static FlowTuple *
make_tuple (FlowKernelContext *c,
            FlowQueue         *queue,
            gint64             row,
            GError           **error)
{
  FlowTuple *tuple = _flow_tuple_new (queue->n_components);

  for (guint i = 0; i < queue->n_components; i++)
    {
      FlowTensor *value = flow_kernel_input (c, i + 1);
      g_autoptr (FlowTensor) rows = NULL;
      g_autoptr (FlowShape) shape = NULL;

      if (row < 0)
        {
          tuple->tensors[i] = flow_tensor_ref (value);
          continue;
        }
      rows = flow_tensor_slice_rows (value, row, row + 1);
      shape = flow_shape_new (FLOW_RANK (value) - 1, FLOW_DIMS (value) + 1);
      tuple->tensors[i] = flow_tensor_reshape (rows, shape, error);
      if (tuple->tensors[i] == NULL)
        {
          _flow_tuple_unref (tuple);
          return NULL;
        }
    }
  return tuple;
}

static gboolean
put_all (FlowKernelContext *c,
         FlowQueue         *queue,
         gint64             batch,
         GError           **error)
{
  gint64 n = batch < 0 ? 1 : batch;
  g_autoptr (GPtrArray) tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);

  for (gint64 i = 0; i < n; i++)
    {
      FlowTuple *tuple = make_tuple (c, queue, batch < 0 ? -1 : i, error);

      if (tuple == NULL)
        return FALSE;
      g_ptr_array_add (tuples, tuple);
    }
  flow_kernel_will_write (c, queue);
  for (guint i = 0; i < tuples->len; i++)
    _flow_queue_put (queue, g_steal_pointer (&tuples->pdata[i]));
  flow_kernel_wrote (c, queue);
  return TRUE;
}

static gboolean
enqueue_into (FlowKernelContext *c,
              FlowQueue         *queue,
              gboolean           many,
              GError           **error)
{
  g_autofree char *who = g_strdup_printf ("%p/%s", c->host_data, c->node_name);
  gboolean waited = g_hash_table_contains (queue->enqueuers, who);
  gint64 batch = -1;

  if (!check_enqueue (c, queue, many, &batch, error))
    return FALSE;
  if (batch == 0)
    return TRUE;
  /* TF: an enqueue that waited before the queue was closed is still served, or cancelled. */
  if (queue->closed && waited && queue->cancelled)
    {
      g_hash_table_remove (queue->enqueuers, who);
      FLOW_REQUIRE (FALSE, error, CANCELLED, "Enqueue operation was cancelled");
    }
  FLOW_REQUIRE (!queue->closed || waited, error, CANCELLED, "%s '%s' is closed.", _flow_queue_plain_name (queue),
                queue->parent.name);
  if (!has_room (queue, batch < 0 ? 1 : batch))
    {
      g_hash_table_add (queue->enqueuers, g_steal_pointer (&who));
      return wait_for (c, queue, "Enqueue", 0, error);
    }
  g_hash_table_remove (queue->enqueuers, who);
  return put_all (c, queue, batch, error);
}

static gboolean
enqueue (FlowKernelContext *c,
         gboolean           many,
         GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  ok = enqueue_into (c, queue, many, error);
  flow_resource_unref (queue);
  return ok;
}

static gboolean
enqueue_compute (FlowKernelContext *c,
                 GError           **error)
{
  return enqueue (c, FALSE, error);
}

static gboolean
enqueue_many_compute (FlowKernelContext *c,
                      GError           **error)
{
  return enqueue (c, TRUE, error);
}

/* --- dequeue ------------------------------------------------------------------------------------------------ */

static gboolean
check_dequeue (FlowKernelContext *c,
               FlowQueue         *queue,
               GError           **error)
{
  gboolean same = c->n_outputs == queue->n_components;

  for (guint i = 0; same && i < queue->n_components; i++)
    same = (int) flow_dtype_base (c->output_dtypes[i]) == queue->dtypes[i];
  return same || refuse_signature (c, queue, FALSE, error);
}

/* Those who want more than the queue holds make it larger while they wait. */
static gboolean
wait_for_elements (FlowKernelContext *c,
                   FlowQueue         *queue,
                   gint64             wanted,
                   GError           **error)
{
  gint64 needed;

  if (!flow_add_int64 (wanted, queue->min_after_dequeue, &needed))
    needed = wanted;
  if (needed > queue->capacity && needed > queue->appetite)
    {
      queue->appetite = needed;
      flow_kernel_wrote (c, queue);
    }
  return wait_for (c, queue, "Dequeue", needed, error);
}

static gboolean
dequeue_one (FlowKernelContext *c,
             FlowQueue         *queue,
             GError           **error)
{
  FlowTuple *tuple;
  gint64 n;

  if (!check_dequeue (c, queue, error) || !_flow_queue_count_available (queue, 1, FALSE, _flow_queue_plain_name (queue), &n, error))
    return FALSE;
  if (n < 0)
    return wait_for_elements (c, queue, 1, error);
  flow_kernel_will_write (c, queue);
  tuple = _flow_queue_take (queue);
  queue->appetite = 0;
  flow_kernel_wrote (c, queue);
  for (guint i = 0; i < c->n_outputs; i++)
    flow_kernel_set_output (c, i, tuple->tensors[i]);
  _flow_tuple_unref (tuple);
  return TRUE;
}

static gboolean
dequeue_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  ok = dequeue_one (c, queue, error);
  flow_resource_unref (queue);
  return ok;
}

/* Dims of a batch of component @i: the largest of each, where the kind pads. */
static void
measure_batch (FlowQueue *queue,
               GPtrArray *tuples,
               guint      i,
               gint64    *dims)
{
  const FlowShape *shape = queue->shapes[i];

  dims[0] = tuples->len;
  for (int d = 0; d < shape->rank; d++)
    {
      dims[d + 1] = MAX (shape->dims[d], 0);
      for (guint k = 0; k < tuples->len && shape->dims[d] == FLOW_DIM_UNKNOWN; k++)
        dims[d + 1] = MAX (dims[d + 1], FLOW_DIMS (((FlowTuple *) tuples->pdata[k])->tensors[i])[d]);
    }
}

static gboolean
put_batch (FlowKernelContext *c,
           FlowQueue         *queue,
           GPtrArray         *tuples,
           guint              i,
           GError           **error)
{
  int rank = queue->shapes[i]->rank;
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  gint64 dst_strides[FLOW_SHAPE_MAX_RANK + 1];
  gint64 src_strides[FLOW_SHAPE_MAX_RANK + 1];
  FlowTensor *out;
  gsize cell;

  if (rank + 1 > FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  measure_batch (queue, tuples, i, dims);
  out = flow_kernel_allocate_dims (c, i, rank + 1, dims, error);
  if (out == NULL)
    return FALSE;
  memset (out->data, 0, out->n_bytes);
  cell = _flow_cell_size (out->dtype);
  _flow_row_major_strides (rank + 1, dims, dst_strides);
  for (guint k = 0; k < tuples->len; k++)
    {
      FlowTensor *value = ((FlowTuple *) tuples->pdata[k])->tensors[i];

      if (value->n_elements == 0)
        continue;
      _flow_row_major_strides (rank, FLOW_DIMS (value), src_strides);
      _flow_copy_strided (cell, rank, FLOW_DIMS (value), (char *) out->data + (gsize) (k * dst_strides[0]) * cell,
                          dst_strides + 1, value->data, src_strides);
    }
  _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return TRUE;
}

static gboolean
take_many (FlowKernelContext *c,
           FlowQueue         *queue,
           gint64             n,
           GError           **error)
{
  g_autoptr (GPtrArray) tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  gpointer saved;
  gboolean ok = TRUE;

  if (n > 0)
    flow_kernel_will_write (c, queue);
  saved = _flow_queue_class.save (&queue->parent);
  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (tuples, _flow_queue_take (queue));
  for (guint i = 0; ok && i < c->n_outputs; i++)
    ok = put_batch (c, queue, tuples, i, error);
  if (!ok)
    _flow_queue_class.restore (&queue->parent, saved);
  else
    queue->appetite = 0;
  _flow_queue_class.saved_free (saved);
  if (ok && n > 0)
    flow_kernel_wrote (c, queue);
  return ok;
}

static gboolean
dequeue_many_from (FlowKernelContext *c,
                   FlowQueue         *queue,
                   gboolean           up_to,
                   GError           **error)
{
  FlowTensor *count = flow_kernel_input (c, 1);
  gint64 wanted;
  gint64 n;

  /* TF: takes the first number of whatever shape, and what is in memory where there is none. */
  if (count->n_elements < 1)
    return _flow_refuse_shapes (error, count, NULL, "The number of elements must be a scalar, but had shape: %s");
  wanted = FLOW_DATA (gint32, count)[0];
  if (wanted < 0)
    return _flow_refuse (error, "%sOp requested %" G_GINT64_FORMAT " < 0 elements", up_to ? "DequeueUpTo" : "DequeueMany",
                         wanted);
  if (!check_dequeue (c, queue, error))
    return FALSE;
  if (queue->shapes == NULL)
    return _flow_refuse (error, "%s's DequeueMany and DequeueUpTo require the components to have specified shapes.",
                         _flow_queue_kind_name (queue->kind));
  n = 0;
  if (wanted > 0 && !_flow_queue_count_available (queue, wanted, up_to, _flow_queue_kind_name (queue->kind), &n, error))
    return FALSE;
  if (n < 0)
    return wait_for_elements (c, queue, wanted, error);
  return take_many (c, queue, n, error);
}

static gboolean
dequeue_many (FlowKernelContext *c,
              gboolean           up_to,
              GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  ok = dequeue_many_from (c, queue, up_to, error);
  flow_resource_unref (queue);
  return ok;
}

static gboolean
dequeue_many_compute (FlowKernelContext *c,
                      GError           **error)
{
  return dequeue_many (c, FALSE, error);
}

static gboolean
dequeue_up_to_compute (FlowKernelContext *c,
                       GError           **error)
{
  return dequeue_many (c, TRUE, error);
}

/* --- close, size --------------------------------------------------------------------------------------------- */

static gboolean
close_queue (FlowKernelContext *c,
             FlowQueue         *queue,
             GError           **error)
{
  gboolean cancel = flow_kernel_attr_bool (c, "cancel_pending_enqueues");

  FLOW_REQUIRE (!queue->closed || cancel, error, CANCELLED, "Queue '%s' is already closed.", queue->parent.name);
  flow_kernel_will_write (c, queue);
  queue->closed = TRUE;
  queue->cancelled = queue->cancelled || cancel;
  flow_kernel_wrote (c, queue);
  return TRUE;
}

static gboolean
close_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  ok = close_queue (c, queue, error);
  flow_resource_unref (queue);
  return ok;
}

static gboolean
size_compute (FlowKernelContext *c,
              GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);

  if (queue == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) _flow_queue_get_size (queue)));
  flow_resource_unref (queue);
  return TRUE;
}

static gboolean
is_closed_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowQueue *queue = lookup_queue (c, error);

  if (queue == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_bool (queue->closed));
  flow_resource_unref (queue);
  return TRUE;
}

/* TF: what comes out of a queue is known by its resource only, but how many there shall be may be. */
static gboolean
infer_dequeue_many (FlowInferContext  *c,
                    GError           **error)
{
  gint64 n;

  if (!c->running && flow_infer_scalar_value (c, 1, &n) && n < 0)
    return _flow_refuse (error, "Input 'n' must be >= 0, but is %" G_GINT64_FORMAT, n);
  return flow_infer_unknown_shape (c, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "QueueClose",
    .inputs = "handle: Ref(string)",
    .attrs = "cancel_pending_enqueues: bool = false",
    .summary = "Closes a queue: nothing more comes in",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "QueueCloseV2",
    .inputs = "handle: resource",
    .attrs = "cancel_pending_enqueues: bool = false",
    .summary = "Closes a queue: nothing more comes in",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "QueueDequeue",
    .inputs = "handle: Ref(string)",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes an element out of a queue; waits for one",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueDequeueMany",
    .inputs = "handle: Ref(string); n: int32",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes elements out of a queue as one batch; waits for them",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_many_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueDequeueManyV2",
    .inputs = "handle: resource; n: int32",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes elements out of a queue as one batch; waits for them",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = infer_dequeue_many,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_many_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueDequeueUpTo",
    .inputs = "handle: Ref(string); n: int32",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes elements out of a queue as one batch; fewer once it is closed",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_up_to_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueDequeueUpToV2",
    .inputs = "handle: resource; n: int32",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes elements out of a queue as one batch; fewer once it is closed",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_up_to_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueDequeueV2",
    .inputs = "handle: resource",
    .outputs = "components: component_types",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Takes an element out of a queue; waits for one",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, dequeue_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueEnqueue",
    .inputs = "handle: Ref(string); components: Tcomponents",
    .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Puts an element into a queue; waits for room",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, enqueue_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueEnqueueMany",
    .inputs = "handle: Ref(string); components: Tcomponents",
    .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Puts rows into a queue, each an element; waits for room",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, enqueue_many_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueEnqueueManyV2",
    .inputs = "handle: resource; components: Tcomponents",
    .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Puts rows into a queue, each an element; waits for room",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, enqueue_many_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueEnqueueV2",
    .inputs = "handle: resource; components: Tcomponents",
    .attrs = "Tcomponents: list(type) >= 1; timeout_ms: int = -1",
    .summary = "Puts an element into a queue; waits for room",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, enqueue_compute, check_timeout }, { NULL } },
  },
  {
    .name = "QueueIsClosed",
    .inputs = "handle: Ref(string)",
    .outputs = "is_closed: bool",
    .summary = "Whether a queue was closed",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, is_closed_compute }, { NULL } },
  },
  {
    .name = "QueueIsClosedV2",
    .inputs = "handle: resource",
    .outputs = "is_closed: bool",
    .summary = "Whether a queue was closed",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, is_closed_compute }, { NULL } },
  },
  {
    .name = "QueueSize",
    .inputs = "handle: Ref(string)",
    .outputs = "size: int32",
    .summary = "How many elements are in a queue",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
  {
    .name = "QueueSizeV2",
    .inputs = "handle: resource",
    .outputs = "size: int32",
    .summary = "How many elements are in a queue",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_queue, ops)

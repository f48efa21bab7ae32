/* flow-queue.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-queue-private.h"

#include "flow-random-private.h"

/* Taken elements stay in front of the array until this many of them can go at once. */
#define COMPACT_AT 64
/* What an element and each of its tensors take in structures and alignment, about. */
#define TUPLE_BYTES ((gsize) 64)
#define TENSOR_BYTES ((gsize) 256)

FlowTuple *
_flow_tuple_new (guint n)
{
  FlowTuple *self = g_malloc0 (sizeof (FlowTuple) + n * sizeof (FlowTensor *));

  g_atomic_ref_count_init (&self->ref_count);
  self->n = n;
  return self;
}

FlowTuple *
_flow_tuple_new_counted (guint       n,
                         FlowBudget *budget,
                         GError    **error)
{
  FlowTuple *self;

  if (budget != NULL && !flow_budget_reserve (budget, TUPLE_BYTES + n * TENSOR_BYTES))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when allocating an element of %u tensors", n);
      return NULL;
    }
  self = _flow_tuple_new (n);
  self->budget = budget != NULL ? flow_budget_ref (budget) : NULL;
  return self;
}

FlowTuple *
_flow_tuple_ref (FlowTuple *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_flow_tuple_unref (gpointer tuple)
{
  FlowTuple *self = tuple;

  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->n; i++)
    if (self->tensors[i] != NULL)
      flow_tensor_unref (self->tensors[i]);
  g_clear_error (&self->failure);
  if (self->budget != NULL)
    {
      flow_budget_release (self->budget, TUPLE_BYTES + self->n * TENSOR_BYTES);
      flow_budget_unref (self->budget);
    }
  g_free (self);
}

/* --- the resource --------------------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *tuples;
  gboolean closed;
  gboolean cancelled;
  guint64 n_draws;
} Saved;

static GPtrArray *
copy_tuples (GPtrArray *tuples,
             guint      head)
{
  GPtrArray *copy = g_ptr_array_new_full (tuples->len - head, _flow_tuple_unref);

  for (guint i = head; i < tuples->len; i++)
    g_ptr_array_add (copy, _flow_tuple_ref (tuples->pdata[i]));
  return copy;
}

static void
queue_finalize (FlowResource *resource)
{
  FlowQueue *self = (FlowQueue *) resource;

  g_ptr_array_unref (self->tuples);
  g_hash_table_unref (self->enqueuers);
  if (self->shapes != NULL)
    for (guint i = 0; i < self->n_components; i++)
      flow_shape_unref (self->shapes[i]);
  g_free (self->shapes);
  g_free (self->dtypes);
}

static gpointer
queue_save (FlowResource *resource)
{
  FlowQueue *self = (FlowQueue *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { copy_tuples (self->tuples, self->head), self->closed, self->cancelled, self->n_draws };
  return saved;
}

static void
queue_restore (FlowResource  *resource,
               gconstpointer  data)
{
  FlowQueue *self = (FlowQueue *) resource;
  const Saved *saved = data;

  g_ptr_array_unref (self->tuples);
  self->tuples = copy_tuples (saved->tuples, 0);
  self->head = 0;
  self->closed = saved->closed;
  self->cancelled = saved->cancelled;
  self->n_draws = saved->n_draws;
}

static void
saved_free (gpointer data)
{
  g_ptr_array_unref (((Saved *) data)->tuples);
  g_free (data);
}

/* An op takes few elements away; the others are shared. */
static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + saved->tuples->len * sizeof (gpointer);
}

static void
queue_visit (FlowResource        *resource,
             FlowResourceVisitor  visitor,
             gpointer             data)
{
  FlowQueue *self = (FlowQueue *) resource;

  for (guint i = self->head; i < self->tuples->len; i++)
    {
      FlowTuple *tuple = self->tuples->pdata[i];

      for (guint k = 0; k < tuple->n; k++)
        {
          g_autofree char *label = g_strdup_printf ("%u/%u", i - self->head, k);

          visitor (label, tuple->tensors[k], data);
        }
    }
}

static char *
queue_describe (FlowResource *resource)
{
  FlowQueue *self = (FlowQueue *) resource;
  const char *closed = self->closed ? ", closed" : "";

  if (self->capacity == G_MAXINT32)
    return g_strdup_printf ("%" G_GINT64_FORMAT " elements%s", _flow_queue_get_size (self), closed);
  return g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements%s", _flow_queue_get_size (self),
                          self->capacity, closed);
}

const FlowResourceClass _flow_queue_class = {
  .type_name = "N10tensorflow14QueueInterfaceE",
  .finalize = queue_finalize,
  .save = queue_save,
  .restore = queue_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = queue_visit,
  .describe = queue_describe,
};

const char *
_flow_queue_kind_name (FlowQueueKind kind)
{
  static const char *const names[] = { "FIFOQueue", "RandomShuffleQueue", "PaddingFIFOQueue", "PriorityQueue" };

  return names[kind];
}

FlowQueue *
_flow_queue_new (const char       *container,
                 const char       *name,
                 FlowQueueKind     kind,
                 guint             n_components,
                 const int        *dtypes,
                 FlowShape *const *shapes)
{
  FlowQueue *self = flow_resource_alloc (&_flow_queue_class, sizeof (FlowQueue), container, name);

  self->kind = kind;
  self->n_components = n_components;
  self->dtypes = g_memdup2 (dtypes, n_components * sizeof (int));
  if (shapes != NULL)
    {
      self->shapes = g_new (FlowShape *, n_components + 1);
      for (guint i = 0; i < n_components; i++)
        self->shapes[i] = flow_shape_ref (shapes[i]);
    }
  self->tuples = g_ptr_array_new_with_free_func (_flow_tuple_unref);
  self->enqueuers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

char *
_flow_queue_types_text (const int *dtypes,
                        guint      n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", flow_dtype_string (dtypes[i]));
  return g_string_free (text, FALSE);
}

char *
_flow_queue_shapes_text (FlowShape *const *shapes,
                         guint             n)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < n && shapes != NULL; i++)
    {
      g_autofree char *shape = flow_shape_to_string (shapes[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", shape);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

gint64
_flow_queue_get_size (FlowQueue *self)
{
  return (gint64) self->tuples->len - self->head;
}

const char *
_flow_queue_plain_name (FlowQueue *queue)
{
  return _flow_queue_kind_name (queue->kind == FLOW_QUEUE_PADDING ? FLOW_QUEUE_FIFO : queue->kind);
}

gboolean
_flow_queue_count_available (FlowQueue   *queue,
                             gint64       wanted,
                             gboolean     up_to,
                             const char  *kind,
                             gint64      *n,
                             GError     **error)
{
  gint64 size = _flow_queue_get_size (queue);
  gint64 usable = queue->closed ? size : size - queue->min_after_dequeue;

  *n = wanted;
  if (usable >= wanted)
    return TRUE;
  *n = -1;
  if (!queue->closed)
    return TRUE;
  if (up_to && size > 0)
    {
      *n = size;
      return TRUE;
    }
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE,
               "%s '%s' is closed and has insufficient elements (requested %" G_GINT64_FORMAT ", current size %"
               G_GINT64_FORMAT ")", kind, queue->parent.name, wanted, size);
  return FALSE;
}

/* --- the heap of the priority kind: as libstdc++ keeps it, so that equal priorities come out in
 *     TensorFlow's order --------------------------------------------------------------------------------- */

static gint64
priority_of (const FlowTuple *tuple)
{
  return FLOW_DATA (gint64, tuple->tensors[0])[0];
}

/* Moves @tuple from the hole at @at up to where its parent is not of larger number. */
static void
sift_up (gpointer  *heap,
         gint64     at,
         FlowTuple *tuple)
{
  gint64 parent = (at - 1) / 2;

  while (at > 0 && priority_of (heap[parent]) > priority_of (tuple))
    {
      heap[at] = heap[parent];
      at = parent;
      parent = (at - 1) / 2;
    }
  heap[at] = tuple;
}

/* The hole at the top sinks to the bottom along the smaller children, then @tuple rises from there. */
static void
sift_down (gpointer  *heap,
           gint64     n,
           FlowTuple *tuple)
{
  gint64 at = 0;
  gint64 child = 0;

  while (child < (n - 1) / 2)
    {
      child = 2 * (child + 1);
      if (priority_of (heap[child]) > priority_of (heap[child - 1]))
        child--;
      heap[at] = heap[child];
      at = child;
    }
  if ((n & 1) == 0 && child == (n - 2) / 2)
    {
      child = 2 * (child + 1);
      heap[at] = heap[child - 1];
      at = child - 1;
    }
  sift_up (heap, at, tuple);
}

/* --- put and take ---------------------------------------------------------------------------------------- */

void
_flow_queue_put (FlowQueue *self,
                 FlowTuple *tuple)
{
  g_ptr_array_add (self->tuples, tuple);
  if (self->kind == FLOW_QUEUE_PRIORITY)
    sift_up (self->tuples->pdata, (gint64) self->tuples->len - 1, tuple);
}

static FlowTuple *
take_random (FlowQueue *self)
{
  FlowPhilox generator;
  guint32 numbers[4];

  flow_philox_init (&generator, self->seeds[0], self->seeds[1]);
  flow_philox_skip (&generator, self->n_draws / 4);
  flow_philox_next (&generator, numbers);
  /* The last element takes the place of the one that goes, as in TensorFlow. */
  return g_ptr_array_steal_index_fast (self->tuples,
                                       (guint) (numbers[self->n_draws++ % 4] % (guint64) self->tuples->len));
}

static FlowTuple *
take_priority (FlowQueue *self)
{
  FlowTuple *top = self->tuples->pdata[0];
  guint last = self->tuples->len - 1;
  FlowTuple *tuple = self->tuples->pdata[last];

  if (last > 0)
    sift_down (self->tuples->pdata, last, tuple);
  self->tuples->pdata[last] = NULL;
  g_ptr_array_set_size (self->tuples, (int) last);
  return top;
}

FlowTuple *
_flow_queue_take (FlowQueue *self)
{
  FlowTuple *tuple;

  if (self->kind == FLOW_QUEUE_RANDOM)
    return take_random (self);
  if (self->kind == FLOW_QUEUE_PRIORITY)
    return take_priority (self);
  tuple = self->tuples->pdata[self->head];
  self->tuples->pdata[self->head++] = NULL;
  if (self->head >= COMPACT_AT && self->head * 2 >= self->tuples->len)
    {
      g_ptr_array_remove_range (self->tuples, 0, self->head);
      self->head = 0;
    }
  return tuple;
}

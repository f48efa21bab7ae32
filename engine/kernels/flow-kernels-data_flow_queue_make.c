/* flow-kernels-data_flow_queue_make.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * The four kinds of queues.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-queue-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- making ----------------------------------------------------------------------------------------------- */

typedef struct {
  FlowQueueKind kind;
  FlowPlace place;
  guint n_components;
  int *dtypes;
  FlowShape **shapes;          /* nullable */
  gint64 capacity;
  gint64 min_after_dequeue;
  gint64 seeds[2];
} QueueData;

static void
queue_destruct (gpointer pointer)
{
  QueueData *data = pointer;

  if (data->shapes != NULL)
    for (guint i = 0; i < data->n_components; i++)
      flow_shape_unref (data->shapes[i]);
  g_free (data->shapes);
  g_free (data->dtypes);
  _flow_place_clear (&data->place);
  g_free (data);
}

/* The priority is a component of its own, in front. */
static gboolean
read_components (QueueData *data,
                 FlowAttr  *types,
                 FlowAttr  *shapes,
                 GError   **error)
{
  guint extra = data->kind == FLOW_QUEUE_PRIORITY ? 1 : 0;
  gsize n_types = flow_attr_get_length (types);
  gsize n_shapes = flow_attr_get_length (shapes);

  data->n_components = (guint) n_types + extra;
  data->dtypes = g_new (int, data->n_components + 1);
  data->dtypes[0] = FLOW_DTYPE_INT64;
  for (gsize i = 0; i < n_types; i++)
    data->dtypes[i + extra] = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (types, i)));
  if (n_shapes == 0 && data->kind == FLOW_QUEUE_PADDING)
    return _flow_refuse (error, "Shapes must be provided for all components, but received %" G_GSIZE_FORMAT
                         " dtypes and 0 shapes.", n_types);
  if (n_shapes == 0)
    return TRUE;
  if (n_shapes != n_types)
    {
      g_autofree char *t = _flow_queue_types_text (data->dtypes + extra, (guint) n_types);
      g_autoptr (GString) s = g_string_new ("[");

      for (gsize i = 0; i < n_shapes; i++)
        {
          g_autofree char *one = flow_shape_to_string (flow_attr_get_shape (flow_attr_get_item (shapes, i)));

          g_string_append_printf (s, "%s%s", i > 0 ? ", " : "", one);
        }
      return _flow_refuse (error, "Different number of component types.  Types: %s, Shapes: %s]", t, s->str);
    }
  data->shapes = g_new0 (FlowShape *, data->n_components + 1);
  if (extra > 0)
    data->shapes[0] = flow_shape_new_scalar ();
  for (gsize i = 0; i < n_shapes; i++)
    data->shapes[i + extra] = flow_shape_ref (flow_attr_get_shape (flow_attr_get_item (shapes, i)));
  for (guint i = 0; i < data->n_components; i++)
    {
      g_autofree char *text = flow_shape_to_string (data->shapes[i]);

      if (data->kind == FLOW_QUEUE_PADDING ? data->shapes[i]->rank != FLOW_RANK_UNKNOWN
                                           : flow_shape_is_known (data->shapes[i]))
        continue;
      return data->kind == FLOW_QUEUE_PADDING ? _flow_refuse (error, "shape %s must have known rank.", text)
                                              : _flow_refuse (error, "Shape %s is not fully defined", text);
    }
  return TRUE;
}

static gboolean
read_random (QueueData              *data,
             FlowKernelConstruction *c,
             GError                **error)
{
  data->min_after_dequeue = flow_attr_get_int (flow_construction_attr (c, "min_after_dequeue"));
  data->seeds[0] = flow_attr_get_int (flow_construction_attr (c, "seed"));
  data->seeds[1] = flow_attr_get_int (flow_construction_attr (c, "seed2"));
  if (data->min_after_dequeue < 0)
    return _flow_refuse (error, "min_after_dequeue %" G_GINT64_FORMAT " must be >= 0", data->min_after_dequeue);
  if (data->min_after_dequeue >= data->capacity)
    return _flow_refuse (error, "min_after_dequeue %" G_GINT64_FORMAT " must be < capacity %" G_GINT64_FORMAT,
                         data->min_after_dequeue, data->capacity);
  return TRUE;
}

static gpointer
queue_construct (FlowKernelConstruction *c,
                 FlowQueueKind           kind,
                 GError                **error)
{
  gint64 capacity = flow_attr_get_int (flow_construction_attr (c, "capacity"));
  QueueData *data;

  data = g_new0 (QueueData, 1);
  data->kind = kind;
  data->capacity = capacity < 0 ? G_MAXINT32 : capacity;
  if ((kind == FLOW_QUEUE_RANDOM && !read_random (data, c, error)) ||
      !read_components (data, flow_construction_attr (c, "component_types"), flow_construction_attr (c, "shapes"), error) ||
      !_flow_place_init (&data->place, c, FALSE, error))
    {
      /* Shapes may be there in part. */
      if (data->shapes != NULL)
        for (guint i = 0; i < data->n_components; i++)
          g_clear_pointer (&data->shapes[i], flow_shape_unref);
      g_clear_pointer (&data->shapes, g_free);
      queue_destruct (data);
      return NULL;
    }
  return data;
}

#define DEFINE_QUEUE(name, kind)                                                        \
  static gpointer                                                                       \
  name##_construct (FlowKernelConstruction *c, GError **error)                          \
  {                                                                                     \
    return queue_construct (c, kind, error);                                            \
  }

DEFINE_QUEUE (fifo, FLOW_QUEUE_FIFO)
DEFINE_QUEUE (random, FLOW_QUEUE_RANDOM)
DEFINE_QUEUE (padding, FLOW_QUEUE_PADDING)
DEFINE_QUEUE (priority, FLOW_QUEUE_PRIORITY)

static gboolean
queue_v1_infer (FlowInferContext *c,
                GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

/* Seeds that are both 0 ask for none, and go with any. */
static gboolean
check_shared_draws (const FlowQueue *queue,
                    const QueueData *data,
                    GError         **error)
{
  if (queue->min_after_dequeue != data->min_after_dequeue)
    return _flow_refuse (error, "Shared queue '%s' has min_after_dequeue %" G_GINT64_FORMAT " but requested "
                         "min_after_dequeue was %" G_GINT64_FORMAT ".", queue->parent.name, queue->min_after_dequeue,
                         data->min_after_dequeue);
  if ((data->seeds[0] == 0 && data->seeds[1] == 0) || memcmp (queue->given_seeds, data->seeds, sizeof data->seeds) == 0)
    return TRUE;
  return _flow_refuse (error, "Shared queue '%s' has random seeds (%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ") but requested "
                       "seeds are (%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ").", queue->parent.name,
                       queue->given_seeds[0], queue->given_seeds[1], data->seeds[0], data->seeds[1]);
}

/* A queue found under a shared name must be what this node would have made. */
static gboolean
check_shared (FlowQueue       *queue,
              const QueueData *data,
              const char      *op,
              GError         **error)
{
  const char *name = queue->parent.name;
  g_autofree char *have = NULL;
  g_autofree char *want = NULL;
  gboolean same_shapes = (queue->shapes != NULL) == (data->shapes != NULL);

  if (queue->kind != data->kind)
    return _flow_refuse (error, "Expected %s, found %s", _flow_queue_kind_name (queue->kind), op);
  if (queue->capacity != data->capacity)
    return _flow_refuse (error, "Shared queue '%s' has capacity %" G_GINT64_FORMAT " but requested capacity was %"
                         G_GINT64_FORMAT, name, queue->capacity, data->capacity);
  if (queue->kind == FLOW_QUEUE_RANDOM && !check_shared_draws (queue, data, error))
    return FALSE;
  if (queue->n_components != data->n_components ||
      memcmp (queue->dtypes, data->dtypes, sizeof (int) * data->n_components) != 0)
    {
      have = _flow_queue_types_text (queue->dtypes, queue->n_components);
      want = _flow_queue_types_text (data->dtypes, data->n_components);
      return _flow_refuse (error, "Shared queue '%s' has component types %s but requested component types were %s",
                           name, have, want);
    }
  for (guint i = 0; same_shapes && data->shapes != NULL && i < data->n_components; i++)
    same_shapes = flow_shape_equal (queue->shapes[i], data->shapes[i]);
  if (same_shapes)
    return TRUE;
  have = _flow_queue_shapes_text (queue->shapes, queue->n_components);
  want = _flow_queue_shapes_text (data->shapes, data->n_components);
  return _flow_refuse (error, "Shared queue '%s' has component shapes %s but requested component shapes were %s",
                       name, have, want);
}

static FlowQueue *
make_queue (FlowKernelContext *c,
            QueueData         *data,
            GError           **error)
{
  FlowQueue *queue = _flow_queue_new (data->place.container, _flow_place_name (&data->place), data->kind,
                                      data->n_components, data->dtypes, data->shapes);

  queue->capacity = data->capacity;
  queue->min_after_dequeue = data->min_after_dequeue;
  for (int i = 0; i < 2; i++)
    {
      queue->given_seeds[i] = data->seeds[i];
      queue->seeds[i] = (guint64) data->seeds[i];
    }
  if (data->kind == FLOW_QUEUE_RANDOM && data->seeds[0] == 0 && data->seeds[1] == 0)
    c->host->draw_seed (c->host_data, c->node_name, queue->seeds);
  if (flow_kernel_publish (c, queue, error))
    return queue;
  flow_resource_unref (queue);
  return NULL;
}

static gboolean
queue_compute (FlowKernelContext *c,
               GError           **error)
{
  QueueData *data = flow_kernel_data (c);
  FlowQueue *queue = _flow_place_lookup (&data->place, c, &_flow_queue_class);
  gboolean ok;

  if (queue == NULL)
    queue = make_queue (c, data, error);
  if (queue == NULL)
    return FALSE;
  ok = check_shared (queue, data, c->signature->name, error) &&
       _flow_put_handle (c, 0, &queue->parent, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (queue);
  return ok;
}

static const FlowOpDef ops[] = {
  {
    .name = "FIFOQueue",
    .outputs = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue: first in, first out",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = queue_v1_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, fifo_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "FIFOQueueV2",
    .outputs = "handle: resource",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue: first in, first out",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, fifo_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "PaddingFIFOQueue",
    .outputs = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue that pads what is taken together to one shape",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = queue_v1_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, padding_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "PaddingFIFOQueueV2",
    .outputs = "handle: resource",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue that pads what is taken together to one shape",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, padding_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "PriorityQueue",
    .outputs = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 0 = []; shapes: list(shape) >= 0; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue: the lowest number first",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = queue_v1_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, priority_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "PriorityQueueV2",
    .outputs = "handle: resource",
    .attrs = "component_types: list(type) >= 0 = []; shapes: list(shape) >= 0; capacity: int = "
             "-1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A queue: the lowest number first",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, priority_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "RandomShuffleQueue",
    .outputs = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; container: string = "
             "\"\"; shared_name: string = \"\"",
    .summary = "A queue whose elements come out in random order",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_IO,
    .infer = queue_v1_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, random_construct, queue_destruct }, { NULL } },
  },
  {
    .name = "RandomShuffleQueueV2",
    .outputs = "handle: resource",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = "
             "-1; min_after_dequeue: int = 0; seed: int = 0; seed2: int = 0; container: string = "
             "\"\"; shared_name: string = \"\"",
    .summary = "A queue whose elements come out in random order",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_RANDOM,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, queue_compute, random_construct, queue_destruct }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (data_flow_queue_make, ops)

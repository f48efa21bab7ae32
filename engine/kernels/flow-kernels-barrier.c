/* flow-kernels-barrier.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Barriers: elements that come in components, by key, and are taken once they are whole.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-elements-private.h"
#include "flow-queue-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- the resource --------------------------------------------------------------------------------------------- */

typedef struct {
  FlowElements elements;       /* by when the first component came */
  gint64 next_index;
  gboolean closed;
  gboolean cancelled;
} State;

typedef struct {
  FlowResource parent;
  guint n_components;
  int *dtypes;
  FlowShape **shapes;          /* nullable */
  State state;
} Barrier;

static State
state_copy (const State *state)
{
  State copy = *state;

  _flow_elements_copy (&copy.elements, &state->elements);
  return copy;
}

static void
barrier_finalize (FlowResource *resource)
{
  Barrier *self = (Barrier *) resource;

  _flow_elements_clear (&self->state.elements);
  if (self->shapes != NULL)
    for (guint i = 0; i < self->n_components; i++)
      flow_shape_unref (self->shapes[i]);
  g_free (self->shapes);
  g_free (self->dtypes);
}

static gpointer
barrier_save (FlowResource *resource)
{
  State *saved = g_new (State, 1);

  *saved = state_copy (&((Barrier *) resource)->state);
  return saved;
}

static void
barrier_restore (FlowResource  *resource,
                 gconstpointer  saved)
{
  Barrier *self = (Barrier *) resource;

  _flow_elements_clear (&self->state.elements);
  self->state = state_copy (saved);
}

static void
saved_free (gpointer saved)
{
  _flow_elements_clear (&((State *) saved)->elements);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (State) + _flow_elements_weigh (&((const State *) saved)->elements);
}

static void
barrier_visit (FlowResource        *resource,
               FlowResourceVisitor  visitor,
               gpointer             data)
{
  const State *state = &((Barrier *) resource)->state;
  g_autoptr (FlowTensor) closed = flow_tensor_new_int32 (state->closed + 2 * state->cancelled);

  visitor ("closed", closed, data);
  _flow_elements_visit (&state->elements, visitor, data);
}

static char *
barrier_describe (FlowResource *resource)
{
  const State *state = &((Barrier *) resource)->state;

  return g_strdup_printf ("%u elements ready, %u incomplete%s", state->elements.whole->len, state->elements.parts->len,
                          state->closed ? ", closed" : "");
}

static const FlowResourceClass barrier_class = {
  .type_name = "N10tensorflow7barrier7BarrierE",
  .finalize = barrier_finalize,
  .save = barrier_save,
  .restore = barrier_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = barrier_visit,
  .describe = barrier_describe,
};

/* --- making --------------------------------------------------------------------------------------------------- */

static gpointer
barrier_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  FlowAttr *types = flow_construction_attr (c, "component_types");
  FlowAttr *shapes = flow_construction_attr (c, "shapes");
  gsize n = flow_attr_get_length (types);

  if (flow_attr_get_length (shapes) != n)
    {
      _flow_refuse (error, "All of the component shapes must be specified");
      return NULL;
    }
  if (flow_attr_get_int (flow_construction_attr (c, "capacity")) != -1)
    {
      _flow_refuse (error, "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to enforce a "
                    "limited capacity.");
      return NULL;
    }
  /* TF: a barrier without a shared name belongs to its node alone, as a queue does. */
  return _flow_place_construct (c, error);
}

static gboolean
barrier_infer (FlowInferContext *c,
               GError          **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  return TRUE;
}

static gpointer
make_barrier (FlowKernelContext        *c,
              const FlowResourceClass  *klass,
              const char               *container,
              const char               *name)
{
  FlowAttr *types = flow_kernel_attr (c, "component_types");
  FlowAttr *shapes = flow_kernel_attr (c, "shapes");
  Barrier *self = flow_resource_alloc (klass, sizeof (Barrier), container, name);

  self->n_components = (guint) flow_attr_get_length (types);
  self->dtypes = g_new0 (int, self->n_components + 1);
  if (flow_attr_get_length (shapes) > 0)
    self->shapes = g_new0 (FlowShape *, self->n_components + 1);
  for (guint i = 0; i < self->n_components; i++)
    {
      self->dtypes[i] = flow_dtype_base (flow_attr_get_dtype (flow_attr_get_item (types, i)));
      if (self->shapes != NULL)
        self->shapes[i] = flow_shape_ref (flow_attr_get_shape (flow_attr_get_item (shapes, i)));
    }
  _flow_elements_init (&self->state.elements);
  /* TF counts from the lowest number on. */
  self->state.next_index = G_MININT64;
  return self;
}

/* A barrier that is there under the name that @wanted would have must be as it. */
static gboolean
check_shared (const Barrier  *self,
              const Barrier  *wanted,
              GError        **error)
{
  gboolean same_types = self->n_components == wanted->n_components &&
                        memcmp (self->dtypes, wanted->dtypes, sizeof (int) * self->n_components) == 0;
  gboolean same_shapes = same_types && (self->shapes != NULL) == (wanted->shapes != NULL);
  g_autofree char *have = NULL;
  g_autofree char *want = NULL;

  for (guint i = 0; same_shapes && self->shapes != NULL && i < self->n_components; i++)
    same_shapes = flow_shape_equal (self->shapes[i], wanted->shapes[i]);
  if (same_shapes)
    return TRUE;
  have = same_types ? _flow_queue_shapes_text (self->shapes, self->n_components)
         : _flow_queue_types_text (self->dtypes, self->n_components);
  want = same_types ? _flow_queue_shapes_text (wanted->shapes, wanted->n_components)
         : _flow_queue_types_text (wanted->dtypes, wanted->n_components);
  return _flow_refuse (error, "Shared barrier '%s' has component %s %s but requested component %s were %s",
                       self->parent.name, same_types ? "shapes" : "types", have, same_types ? "shapes" : "types", want);
}

static gboolean
barrier_compute (FlowKernelContext *c,
                 GError           **error)
{
  FlowPlace *place = flow_kernel_data (c);
  Barrier *self = _flow_place_find (c, &barrier_class, make_barrier, error);
  Barrier *wanted = NULL;
  gboolean is_same;

  if (self == NULL)
    return FALSE;
  wanted = make_barrier (c, &barrier_class, place->container, _flow_place_name (place));
  is_same = check_shared (self, wanted, error);
  flow_resource_unref (wanted);
  if (!is_same)
    {
      flow_resource_unref (self);
      return FALSE;
    }
  return _flow_put_taken (c, self, error);
}

typedef gboolean (*BarrierFunc) (FlowKernelContext *c, Barrier *self, GError **error);

static gboolean
with_barrier (FlowKernelContext *c,
              BarrierFunc        func,
              GError           **error)
{
  Barrier *self = _flow_lookup_handle (c, 0, &barrier_class, NULL,
                                       "Resource handle must have 2 elements, but had shape: %s", error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

/* --- insert --------------------------------------------------------------------------------------------------- */

static FlowElement *
find_element (GArray     *list,
              const char *key)
{
  for (guint i = 0; i < list->len; i++)
    if (strcmp (g_array_index (list, FlowElement, i).name, key) == 0)
      return &g_array_index (list, FlowElement, i);
  return NULL;
}

static void
make_ready (State   *state,
            FlowElement *element)
{
  FlowElement ready = { g_strdup (element->name), element->key, 0, _flow_tuple_ref (element->tuple) };
  guint at = state->elements.whole->len;

  while (at > 0 && g_array_index (state->elements.whole, FlowElement, at - 1).key > ready.key)
    at--;
  g_array_insert_val (state->elements.whole, at, ready);
  g_array_remove_index (state->elements.parts, (guint) (element - (FlowElement *) (gpointer) state->elements.parts->data));
}

static gboolean
check_insert (FlowKernelContext *c,
              Barrier           *self,
              guint              component,
              GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);
  gint64 rows = FLOW_RANK (values) > 0 ? FLOW_DIMS (values)[0] : 1;

  if (component >= self->n_components)
    return _flow_refuse (error, "The component ID is out of range %u > num_components (= %u)", component,
                         self->n_components);
  if ((int) values->dtype != self->dtypes[component])
    return _flow_refuse (error, "Signature mismatch, have: string_ref, string, %s-> expected: string_ref, string, %s->",
                         flow_dtype_string (values->dtype), flow_dtype_string (self->dtypes[component]));
  if (values->n_elements == 0 && keys->n_elements > 0)
    {
      g_autofree char *shape = flow_tensor_shape_text (values);

      return _flow_refuse (error, "Tensors with no elements are not supported %s: received shape %s", self->parent.name,
                           shape);
    }
  /* TF reads beyond the values. */
  if (rows < keys->n_elements)
    return _flow_refuse_shapes (error, keys, values, "keys and values must have the same number of elements.  Received "
                                "shapes: %s and %s");
  return TRUE;
}

/* TF: a queue takes what is whole, and looks at the shapes then; its first two components are index and key. */
static gboolean
check_shapes (const Barrier    *self,
              const FlowTuple  *tuple,
              GError          **error)
{
  for (guint i = 0; i < tuple->n; i++)
    if (!flow_shape_equal (self->shapes[i], tuple->tensors[i]->shape))
      {
        g_autofree char *expected = flow_shape_to_string (self->shapes[i]);
        g_autofree char *got = flow_tensor_shape_text (tuple->tensors[i]);

        return _flow_refuse (error, "Shape mismatch in tuple component %u. Expected %s, got %s", i + 2, expected, got);
      }
  return TRUE;
}

static gboolean
insert_one (Barrier     *self,
            State       *state,
            const char  *key,
            gint64       at,
            guint        component,
            FlowTensor  *value,
            FlowBudget  *budget,
            gboolean    *is_new,
            GError     **error)
{
  FlowElement *element = find_element (state->elements.parts, key);
  FlowTuple *tuple;

  FLOW_REQUIRE (element != NULL || !state->closed, error, CANCELLED,
                "Barrier %s is closed, but attempted to insert a brand new key: %s.  Pending enqueues cancelled: %d.  "
                "Insertion index: %" G_GINT64_FORMAT ".  Number of incomplete keys: %u.", self->parent.name, key, state->cancelled,
                at, state->elements.parts->len);
  if (element != NULL && element->tuple->tensors[component] != NULL)
    return _flow_refuse (error, "Key %s already has a value for component %u in barrier %s", key, component,
                         self->parent.name);
  tuple = _flow_tuple_new_counted (self->n_components, budget, error);
  if (tuple == NULL)
    return FALSE;
  if (element == NULL)
    {
      FlowElement fresh = { g_strdup (key), state->next_index, 0, tuple };

      *is_new = TRUE;
      g_array_append_val (state->elements.parts, fresh);
      element = &g_array_index (state->elements.parts, FlowElement, state->elements.parts->len - 1);
    }
  else
    {
      for (guint i = 0; i < tuple->n; i++)
        tuple->tensors[i] = element->tuple->tensors[i] != NULL ? flow_tensor_ref (element->tuple->tensors[i]) : NULL;
      _flow_tuple_unref (element->tuple);
      element->tuple = tuple;
    }
  tuple->tensors[component] = flow_tensor_ref (value);
  if (!_flow_tuple_is_whole (tuple))
    return TRUE;
  if (!check_shapes (self, tuple, error))
    return FALSE;
  make_ready (state, element);
  return TRUE;
}

/* TF: of several keys those before the one that is wrong are in; here all or none. */
static gboolean
insert_many (FlowKernelContext *c,
             Barrier           *self,
             GError           **error)
{
  FlowTensor *keys = flow_kernel_input (c, 1);
  FlowTensor *values = flow_kernel_input (c, 2);
  gint64 component = flow_kernel_attr_int (c, "component_index");
  State state;
  gboolean is_new = FALSE;
  gboolean ok = TRUE;

  if (component < 0 || !check_insert (c, self, (guint) MIN (component, G_MAXINT32), error))
    return component < 0 ? _flow_refuse (error, "The component ID is out of range %" G_GINT64_FORMAT, component) : FALSE;
  /* TF: a closed barrier takes what completes keys, as long as there are any. */
  FLOW_REQUIRE (!self->state.cancelled
                && (!self->state.closed || keys->n_elements == 0 || self->state.elements.parts->len > 0), error, CANCELLED,
                "Barrier %s is closed.  Pending enqueues cancelled: %d.  Number of new insertions: %" G_GINT64_FORMAT
                ".  Number of incomplete keys: %u.", self->parent.name, self->state.cancelled, keys->n_elements,
                self->state.elements.parts->len);
  state = state_copy (&self->state);
  for (gint64 i = 0; ok && i < keys->n_elements; i++)
    {
      Text text = text_at (keys, i);
      g_autofree char *key = g_strndup (text.length > 0 ? text.bytes : "", text.length);
      gboolean has_rows = FLOW_RANK (values) > 0;
      g_autoptr (FlowTensor) rows = has_rows ? flow_tensor_slice_rows (values, i, i + 1) : flow_tensor_ref (values);
      g_autoptr (FlowShape) shape = has_rows ? flow_shape_new (FLOW_RANK (values) - 1, FLOW_DIMS (values) + 1)
                                             : flow_shape_new_scalar ();
      g_autoptr (FlowTensor) value = flow_tensor_reshape (rows, shape, error);

      ok = value != NULL
           && insert_one (self, &state, key, i, (guint) component, value, c->budget, &is_new, error);
    }
  if (ok)
    {
      /* TF: the keys of one call come at the same time. */
      state.next_index += is_new;
      flow_kernel_will_write (c, self);
      _flow_elements_clear (&self->state.elements);
      self->state = state;
      flow_kernel_wrote (c, self);
    }
  else
    {
      _flow_elements_clear (&state.elements);
    }
  return ok;
}

static gboolean
insert_compute (FlowKernelContext *c,
                GError           **error)
{
  return with_barrier (c, insert_many, error);
}

/* --- take ----------------------------------------------------------------------------------------------------- */

/* TF: refused when the kernel is made. There is nothing to keep. */
static gpointer
take_construct (FlowKernelConstruction *c,
                GError                **error)
{
  if (flow_attr_get_int (flow_construction_attr (c, "timeout_ms")) == -1)
    return GINT_TO_POINTER (TRUE);
  _flow_refuse (error, "Timeout not supported yet.");
  return NULL;
}

static gboolean
take_infer (FlowInferContext *c,
            GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < c->n_outputs; i++)
    if (i < 2)
      flow_infer_take_output (c, i, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
    else
      flow_infer_take_output (c, i, flow_shape_new_unknown ());
  return TRUE;
}

static gboolean
put_component (FlowKernelContext *c,
               Barrier           *self,
               guint              i,
               gint64             n,
               GError           **error)
{
  GArray *ready = self->state.elements.whole;
  const FlowTensor *first = n > 0 ? g_array_index (ready, FlowElement, 0).tuple->tensors[i] : NULL;
  const FlowShape *known = first != NULL ? first->shape
                           : self->shapes != NULL && flow_shape_is_known (self->shapes[i]) ? self->shapes[i] : NULL;
  int rank = known != NULL ? known->rank : 0;
  g_autoptr (FlowShape) shape = flow_shape_new_of_rank (MIN (rank + 1, FLOW_SHAPE_MAX_RANK));
  FlowTensor *out;

  shape->dims[0] = n;
  for (int d = 1; d < shape->rank; d++)
    shape->dims[d] = known->dims[d - 1];
  for (gint64 k = 1; k < n; k++)
    if (!flow_shape_equal (g_array_index (ready, FlowElement, k).tuple->tensors[i]->shape, first->shape))
      return _flow_refuse_shapes (error, first, g_array_index (ready, FlowElement, k).tuple->tensors[i],
                                  "Elements of shapes %s and %s cannot be taken together");
  out = flow_kernel_allocate (c, 2 + i, shape, error);
  for (gint64 k = 0; out != NULL && k < n && first->n_bytes > 0; k++)
    memcpy ((char *) out->data + (gsize) k * first->n_bytes, g_array_index (ready, FlowElement, k).tuple->tensors[i]->data,
            first->n_bytes);
  if (out != NULL)
    _flow_adopt_cells (out->dtype, out->data, out->n_elements);
  return out != NULL;
}

static gboolean
put_elements (FlowKernelContext *c,
              Barrier           *self,
              gint64             n,
              GError           **error)
{
  FlowTensor *indices = flow_kernel_allocate_dims (c, 0, 1, &n, error);
  FlowTensor *keys = indices != NULL ? flow_kernel_allocate_dims (c, 1, 1, &n, error) : NULL;

  if (keys == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      const FlowElement *element = &g_array_index (self->state.elements.whole, FlowElement, i);

      FLOW_WRITABLE (gint64, indices)[i] = element->key;
      put_text (keys, i, element->name, strlen (element->name));
    }
  for (guint i = 0; i < self->n_components; i++)
    if (!put_component (c, self, i, n, error))
      return FALSE;
  return TRUE;
}

static void
append_types (GString   *text,
              const int *dtypes,
              guint      n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, ", %s", flow_dtype_string (flow_dtype_base (dtypes[i])));
}

static gboolean
check_take (FlowKernelContext *c,
            Barrier           *self,
            GError           **error)
{
  gboolean same = c->n_outputs == self->n_components + 2;

  if (!flow_is_scalar (flow_kernel_input (c, 1)))
    return _flow_refuse (error, "num_elements must be a scalar.");
  for (guint i = 0; same && i < self->n_components; i++)
    same = (int) flow_dtype_base (c->output_dtypes[2 + i]) == self->dtypes[i];
  if (!same)
    {
      g_autoptr (GString) text = g_string_new ("Signature mismatch, have: string_ref, int32->int64, string");

      append_types (text, c->output_dtypes + 2, c->n_outputs - 2);
      g_string_append (text, " expected: string_ref, int32->int64, string");
      append_types (text, self->dtypes, self->n_components);
      return _flow_refuse (error, "%s", text->str);
    }
  return TRUE;
}

static gboolean
take_many (FlowKernelContext *c,
           Barrier           *self,
           GError           **error)
{
  const State *state = &self->state;
  gint64 ready = state->elements.whole->len;
  gint64 n;

  if (!check_take (c, self, error))
    return FALSE;
  n = FLOW_DATA (gint32, flow_kernel_input (c, 1))[0];
  if (state->closed)
    {
      gboolean small = flow_kernel_attr_bool (c, "allow_small_batch");
      gint64 available = ready + (small ? 0 : (gint64) state->elements.parts->len);

      n = small ? MIN (n, ready) : n;
      FLOW_REQUIRE (available >= MAX (n, 1), error, OUT_OF_RANGE, "Barrier '%s' is closed and has insufficient elements "
                    "(requested %" G_GINT64_FORMAT ", total size %" G_GINT64_FORMAT ")", self->parent.name, n, available);
    }
  if (n < 0)
    return _flow_refuse (error, "Argument num_elements must be >= 0, got %" G_GINT64_FORMAT, n);
  if (ready < n)
    {
      FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "Dequeue operation was cancelled");
      return flow_kernel_wait (c, self, "barrier %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements are ready",
                               self->parent.name, ready, n);
    }
  if (!put_elements (c, self, n, error))
    return FALSE;
  flow_kernel_will_write (c, self);
  if (n > 0)
    g_array_remove_range (self->state.elements.whole, 0, (guint) n);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
take_compute (FlowKernelContext *c,
              GError           **error)
{
  return with_barrier (c, take_many, error);
}

/* --- close, sizes --------------------------------------------------------------------------------------------- */

static gboolean
close_barrier (FlowKernelContext *c,
               Barrier           *self,
               GError           **error)
{
  gboolean cancels = flow_kernel_attr_bool (c, "cancel_pending_enqueues");

  FLOW_REQUIRE (!self->state.closed || (cancels && !self->state.cancelled), error, CANCELLED,
                "Barrier '%s' is already closed.", self->parent.name);
  flow_kernel_will_write (c, self);
  self->state.closed = TRUE;
  if (cancels)
    {
      self->state.cancelled = TRUE;
      g_array_set_size (self->state.elements.parts, 0);
    }
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
close_compute (FlowKernelContext *c,
               GError           **error)
{
  return with_barrier (c, close_barrier, error);
}

static gboolean
put_ready (FlowKernelContext *c,
           Barrier           *self,
           GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->state.elements.whole->len));
  return TRUE;
}

static gboolean
ready_size_compute (FlowKernelContext *c,
                    GError           **error)
{
  return with_barrier (c, put_ready, error);
}

static gboolean
put_incomplete (FlowKernelContext *c,
                Barrier           *self,
                GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->state.elements.parts->len));
  return TRUE;
}

static gboolean
incomplete_size_compute (FlowKernelContext *c,
                         GError           **error)
{
  return with_barrier (c, put_incomplete, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "Barrier",
    .outputs = "handle: Ref(string)",
    .attrs = "component_types: list(type) >= 1; shapes: list(shape) >= 0 = []; capacity: int = -1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A barrier: elements that come in components by key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = barrier_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, barrier_compute, barrier_construct, _flow_place_destruct }, { NULL } },
  },
  {
    .name = "BarrierInsertMany",
    .inputs = "handle: Ref(string); keys: string; values: T",
    .attrs = "T: type; component_index: int",
    .summary = "Gives one component of several elements to a barrier",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, insert_compute }, { NULL } },
  },
  {
    .name = "BarrierTakeMany",
    .inputs = "handle: Ref(string); num_elements: int32",
    .outputs = "indices: int64; keys: string; values: component_types",
    .attrs = "component_types: list(type) >= 1; allow_small_batch: bool = false; "
             "wait_for_incomplete: bool = false; timeout_ms: int = -1",
    .summary = "Takes whole elements out of a barrier",
    .family = FLOW_OP_FAMILY_IO,
    .infer = take_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, take_compute, take_construct }, { NULL } },
  },
  {
    .name = "BarrierClose",
    .inputs = "handle: Ref(string)",
    .attrs = "cancel_pending_enqueues: bool = false",
    .summary = "Closes a barrier for new keys",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, close_compute }, { NULL } },
  },
  {
    .name = "BarrierReadySize",
    .inputs = "handle: Ref(string)",
    .outputs = "size: int32",
    .summary = "How many elements of a barrier are whole",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, ready_size_compute }, { NULL } },
  },
  {
    .name = "BarrierIncompleteSize",
    .inputs = "handle: Ref(string)",
    .outputs = "size: int32",
    .summary = "How many elements of a barrier are not whole yet",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, incomplete_size_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (barrier, ops)

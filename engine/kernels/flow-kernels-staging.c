/* flow-kernels-staging.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Staging areas: elements set down and taken up again in order, or by a key.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-queue-private.h"
#include "flow-step-private.h"

#include <string.h>

/* --- the resource --------------------------------------------------------------------------------------------- */

/* An element of an area with keys may come in parts: entries of its tuple are NULL until they are there. */
typedef struct {
  FlowTuple *tuple;
  gint64 key;
  gint64 bytes;
} Staged;

typedef enum {
  AREA_PLAIN,
  AREA_MAP,
  AREA_ORDERED,                /* by key */
} AreaKind;

typedef struct {
  FlowResource parent;
  AreaKind kind;
  gint64 capacity;             /* 0: any */
  gint64 memory_limit;         /* 0: any */
  GArray *staged;              /* of Staged, in the order they came or of their keys */
  GArray *parts;               /* of Staged: those not whole yet */
} Area;

typedef struct {
  GArray *staged;
  GArray *parts;
} Saved;

static void
staged_clear (gpointer data)
{
  _flow_tuple_unref (((Staged *) data)->tuple);
}

static GArray *
new_list (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Staged));

  g_array_set_clear_func (list, staged_clear);
  return list;
}

static GArray *
copy_list (GArray *list)
{
  GArray *copy = new_list ();

  g_array_append_vals (copy, list->data, list->len);
  for (guint i = 0; i < copy->len; i++)
    _flow_tuple_ref (g_array_index (copy, Staged, i).tuple);
  return copy;
}

static void
area_finalize (FlowResource *resource)
{
  Area *self = (Area *) resource;

  g_array_unref (self->staged);
  g_array_unref (self->parts);
}

static gpointer
area_save (FlowResource *resource)
{
  Area *self = (Area *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { copy_list (self->staged), copy_list (self->parts) };
  return saved;
}

static void
area_restore (FlowResource  *resource,
              gconstpointer  data)
{
  Area *self = (Area *) resource;
  const Saved *saved = data;

  g_array_unref (self->staged);
  g_array_unref (self->parts);
  self->staged = copy_list (saved->staged);
  self->parts = copy_list (saved->parts);
}

static void
saved_free (gpointer data)
{
  Saved *saved = data;

  g_array_unref (saved->staged);
  g_array_unref (saved->parts);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer data)
{
  const Saved *saved = data;

  return sizeof *saved + (saved->staged->len + saved->parts->len) * sizeof (Staged);
}

static void
visit_list (GArray              *list,
            const char          *label,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  for (guint i = 0; i < list->len; i++)
    {
      const Staged *staged = &g_array_index (list, Staged, i);

      for (guint k = 0; k < staged->tuple->n; k++)
        {
          g_autofree char *name = g_strdup_printf ("%s%u key %" G_GINT64_FORMAT "/%u", label, i, staged->key, k);

          visitor (name, staged->tuple->tensors[k], data);
        }
    }
}

static void
area_visit (FlowResource        *resource,
            FlowResourceVisitor  visitor,
            gpointer             data)
{
  visit_list (((Area *) resource)->staged, "", visitor, data);
  visit_list (((Area *) resource)->parts, "part of ", visitor, data);
}

static char *
area_describe (FlowResource *resource)
{
  Area *self = (Area *) resource;

  if (self->parts->len > 0)
    return g_strdup_printf ("%u elements, %u more in parts", self->staged->len, self->parts->len);
  return g_strdup_printf ("%u elements", self->staged->len);
}

static const FlowResourceClass area_class = {
  .type_name = "N10tensorflow12_GLOBAL__N_16BufferE",
  .finalize = area_finalize,
  .save = area_save,
  .restore = area_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = area_visit,
  .describe = area_describe,
};

/* --- what the ops share --------------------------------------------------------------------------------------- */

static void
place_destruct (gpointer place)
{
  _flow_place_clear (place);
  g_free (place);
}

static gpointer
area_construct (FlowKernelConstruction  *c,
                GError                 **error)
{
  FlowPlace *place = g_new0 (FlowPlace, 1);

  if (_flow_place_init (place, c, TRUE, error))
    return place;
  g_free (place);
  return NULL;
}

/* The area of the node's name, made by whoever comes first. */
static Area *
find_area (FlowKernelContext *c,
           GError           **error)
{
  const FlowPlace *place = flow_kernel_data (c);
  const char *op = c->signature->name;
  Area *self = flow_kernel_lookup (c, place->container, place->name, &area_class, NULL);

  if (self != NULL)
    return self;
  self = flow_resource_alloc (&area_class, sizeof (Area), place->container, place->name);
  self->kind = g_str_has_prefix (op, "OrderedMap") ? AREA_ORDERED : g_str_has_prefix (op, "Map") ? AREA_MAP : AREA_PLAIN;
  self->capacity = flow_kernel_attr_int (c, "capacity");
  self->memory_limit = flow_kernel_attr_int (c, "memory_limit");
  self->staged = new_list ();
  self->parts = new_list ();
  if (!flow_kernel_publish (c, self, error))
    g_clear_pointer (&self, flow_resource_unref);
  return self;
}

typedef gboolean (*AreaFunc) (FlowKernelContext *c, Area *self, GError **error);

static gboolean
with_area (FlowKernelContext *c,
           AreaFunc           func,
           GError           **error)
{
  Area *self = find_area (c, error);
  gboolean ok;

  if (self == NULL)
    return FALSE;
  ok = func (c, self, error);
  flow_resource_unref (self);
  return ok;
}

static gboolean
wait_for (FlowKernelContext *c,
          Area              *self,
          const char        *what,
          GError           **error)
{
  FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "%s operation was cancelled", c->signature->name);
  return flow_kernel_wait (c, self, "staging area %s: %s, %u elements are there", self->parent.name, what,
                           self->staged->len);
}

static gint64
count_bytes (const FlowTuple *tuple)
{
  gint64 n = 0;

  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i] != NULL)
      n += (gint64) tuple->tensors[i]->n_bytes;
  return n;
}

static gint64
count_area (Area *self)
{
  gint64 n = 0;

  for (guint i = 0; i < self->staged->len; i++)
    n += g_array_index (self->staged, Staged, i).bytes;
  for (guint i = 0; i < self->parts->len; i++)
    n += g_array_index (self->parts, Staged, i).bytes;
  return n;
}

/* Whether @bytes more, and one more element if it @counts, may come in; refuses what never could. */
static gboolean
check_room (Area      *self,
            gint64     bytes,
            gboolean   counts,
            gboolean  *room,
            GError   **error)
{
  FLOW_REQUIRE (self->memory_limit <= 0 || bytes <= self->memory_limit, error, RESOURCE_EXHAUSTED,
                "Attempted to insert tensors with combined size of '%" G_GINT64_FORMAT "' bytes into Staging Area with a "
                "memory limit of '%" G_GINT64_FORMAT "'.", bytes, self->memory_limit);
  *room = (!counts || self->capacity <= 0 || self->staged->len < self->capacity)
          && (self->memory_limit <= 0 || count_area (self) + bytes <= self->memory_limit);
  return TRUE;
}

static gboolean
put_outputs (FlowKernelContext *c,
             const FlowTuple   *tuple,
             guint              first,
             GError           **error)
{
  if (tuple->n != c->n_outputs - first)
    return _flow_refuse (error, "Mismatch stage/unstage: %u vs. %u", tuple->n, c->n_outputs - first);
  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i]->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[first + i]))
      return _flow_refuse (error, "Component %u is of type %s, not %s", i, flow_dtype_string (tuple->tensors[i]->dtype),
                           flow_dtype_string (c->output_dtypes[first + i]));
  for (guint i = 0; i < tuple->n; i++)
    flow_kernel_set_output (c, first + i, tuple->tensors[i]);
  return TRUE;
}

/* --- in order ------------------------------------------------------------------------------------------------- */

static gboolean
stage (FlowKernelContext *c,
       Area              *self,
       GError           **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (c->n_inputs, c->budget, error);
  Staged staged = { tuple, 0, 0 };
  gboolean room = FALSE;

  if (tuple == NULL)
    return FALSE;
  for (guint i = 0; i < c->n_inputs; i++)
    tuple->tensors[i] = flow_tensor_ref (flow_kernel_input (c, i));
  staged.bytes = count_bytes (tuple);
  if (!check_room (self, staged.bytes, TRUE, &room, error) || !room)
    {
      _flow_tuple_unref (tuple);
      return room || (error != NULL && *error != NULL) ? FALSE : wait_for (c, self, "full", error);
    }
  flow_kernel_will_write (c, self);
  g_array_append_val (self->staged, staged);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
stage_compute (FlowKernelContext *c,
               GError           **error)
{
  return with_area (c, stage, error);
}

static gboolean
unstage (FlowKernelContext *c,
         Area              *self,
         GError           **error)
{
  if (self->staged->len == 0)
    return wait_for (c, self, "empty", error);
  if (!put_outputs (c, g_array_index (self->staged, Staged, 0).tuple, 0, error))
    return FALSE;
  flow_kernel_will_write (c, self);
  g_array_remove_index (self->staged, 0);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
unstage_compute (FlowKernelContext *c,
                 GError           **error)
{
  return with_area (c, unstage, error);
}

static gboolean
peek (FlowKernelContext *c,
      Area              *self,
      GError           **error)
{
  FlowTensor *index = flow_kernel_input (c, 0);
  gint32 i;

  if (!flow_is_scalar (index))
    return _flow_refuse_shapes (error, index, NULL, "index must be scalar, but had shape: %s");
  i = FLOW_DATA (gint32, index)[0];
  /* TF waits for ever for an element before the first. */
  if (i < 0 || i >= (gint64) self->staged->len)
    return wait_for (c, self, "the element is not there", error);
  return put_outputs (c, g_array_index (self->staged, Staged, i).tuple, 0, error);
}

static gboolean
peek_compute (FlowKernelContext *c,
              GError           **error)
{
  return with_area (c, peek, error);
}

static gboolean
put_size (FlowKernelContext *c,
          Area              *self,
          GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->staged->len));
  return TRUE;
}

static gboolean
size_compute (FlowKernelContext *c,
              GError           **error)
{
  return with_area (c, put_size, error);
}

static gboolean
put_parts (FlowKernelContext *c,
           Area              *self,
           GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) self->parts->len));
  return TRUE;
}

static gboolean
incomplete_size_compute (FlowKernelContext *c,
                         GError           **error)
{
  return with_area (c, put_parts, error);
}

static gboolean
clear (FlowKernelContext *c,
       Area              *self,
       GError           **error)
{
  flow_kernel_will_write (c, self);
  g_array_set_size (self->staged, 0);
  g_array_set_size (self->parts, 0);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
clear_compute (FlowKernelContext *c,
               GError           **error)
{
  return with_area (c, clear, error);
}

/* --- by key --------------------------------------------------------------------------------------------------- */

static gboolean
find_key (GArray *list,
          gint64  key,
          guint  *at)
{
  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, Staged, i).key == key)
      {
        *at = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_key (FlowKernelContext *c,
          gint64            *key,
          GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);

  if (tensor->n_elements < 1)
    return _flow_refuse_shapes (error, tensor, NULL, "key must be an int64 scalar, but had shape: %s");
  *key = FLOW_DATA (gint64, tensor)[0];
  return TRUE;
}

/* Indices name components, in rising order. TF: none are in no order. */
static gboolean
check_order (const FlowTensor *indices,
             GError          **error)
{
  gboolean ordered = indices->n_elements > 0;

  for (gint64 i = 1; ordered && i < indices->n_elements; i++)
    ordered = FLOW_DATA (gint32, indices)[i] > FLOW_DATA (gint32, indices)[i - 1];
  return ordered || _flow_refuse (error, "Indices are not strictly ordered");
}

/* TF: the index as a number without a sign. */
static gboolean
check_index (gint32   index,
             gint64   key,
             guint    n_components,
             GError **error)
{
  guint64 shown = (guint64) (gint64) index;

  return shown < n_components
         || _flow_refuse (error, "Index '%" G_GUINT64_FORMAT "' for key '%" G_GINT64_FORMAT "' was out of bounds '%u'.", shown,
                          key, n_components);
}

/* The values as the op was given them: TF looks at no index where there are as many as components. */
static FlowTuple *
all_parts (FlowKernelContext *c,
           guint              n_components,
           GError           **error)
{
  FlowTuple *tuple = _flow_tuple_new_counted (n_components, c->budget, error);

  for (guint i = 0; tuple != NULL && i < n_components; i++)
    tuple->tensors[i] = flow_tensor_ref (flow_kernel_input (c, 2 + i));
  return tuple;
}

/* The element @old, or none, with what the op was given put into it. */
static FlowTuple *
with_parts (FlowKernelContext *c,
            const FlowTuple   *old,
            guint              n_components,
            GError           **error)
{
  FlowTensor *indices = flow_kernel_input (c, 1);
  gint64 key = FLOW_DATA (gint64, flow_kernel_input (c, 0))[0];
  FlowTuple *tuple;

  if (old != NULL && old->n != n_components)
    {
      _flow_refuse (error, "The part that is there is of %u components, not %u", old->n, n_components);
      return NULL;
    }
  tuple = _flow_tuple_new_counted (n_components, c->budget, error);
  for (guint i = 0; tuple != NULL && old != NULL && i < n_components; i++)
    tuple->tensors[i] = old->tensors[i] != NULL ? flow_tensor_ref (old->tensors[i]) : NULL;
  for (guint i = 0; tuple != NULL && i < c->n_inputs - 2; i++)
    {
      gint32 index = FLOW_DATA (gint32, indices)[i];

      if (!check_index (index, key, n_components, error)
          || (tuple->tensors[index] != NULL
              && !_flow_refuse (error, "The tensor for index '%d' for key '%" G_GINT64_FORMAT "' was already initialized '%u'.",
                                index, key, n_components)))
        {
          _flow_tuple_unref (tuple);
          return NULL;
        }
      tuple->tensors[index] = flow_tensor_ref (flow_kernel_input (c, 2 + i));
    }
  return tuple;
}

static gboolean
is_whole (const FlowTuple *tuple)
{
  for (guint i = 0; i < tuple->n; i++)
    if (tuple->tensors[i] == NULL)
      return FALSE;
  return TRUE;
}

static void
insert_whole (Area   *self,
              Staged  staged)
{
  guint at = self->staged->len;

  if (self->kind == AREA_ORDERED)
    for (at = 0; at < self->staged->len && g_array_index (self->staged, Staged, at).key < staged.key; at++)
      ;
  g_array_insert_val (self->staged, at, staged);
}

static gint64
count_values (FlowKernelContext *c)
{
  gint64 n = 0;

  for (guint i = 2; i < c->n_inputs; i++)
    n += (gint64) flow_kernel_input (c, i)->n_bytes;
  return n;
}

static gboolean
map_stage (FlowKernelContext *c,
           Area              *self,
           GError           **error)
{
  guint n = (guint) flow_attr_get_length (flow_kernel_attr (c, "dtypes"));
  FlowTensor *indices = flow_kernel_input (c, 1);
  Staged staged = { NULL, 0, 0 };
  gboolean all = indices->n_elements == n;
  gboolean is_part;
  gboolean room = FALSE;
  guint at = 0;
  guint same;

  if (!read_key (c, &staged.key, error) || !check_order (indices, error))
    return FALSE;
  if (indices->n_elements != c->n_inputs - 2)
    return _flow_refuse (error, "number of indices and values must be equal");
  /* TF: parts wait for room in memory alone. */
  if (!check_room (self, count_values (c), all, &room, error))
    return FALSE;
  if (!room)
    return wait_for (c, self, "full", error);
  is_part = !all && find_key (self->parts, staged.key, &at);
  staged.tuple = all ? all_parts (c, n, error)
                     : with_parts (c, is_part ? g_array_index (self->parts, Staged, at).tuple : NULL, n, error);
  if (staged.tuple == NULL)
    return FALSE;
  staged.bytes = count_bytes (staged.tuple);
  flow_kernel_will_write (c, self);
  if (is_part)
    g_array_remove_index (self->parts, at);
  /* TF: a key that is there stays as it is. */
  if (!is_whole (staged.tuple))
    g_array_append_val (self->parts, staged);
  else if (find_key (self->staged, staged.key, &same))
    _flow_tuple_unref (staged.tuple);
  else
    insert_whole (self, staged);
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
map_stage_compute (FlowKernelContext *c,
                   GError           **error)
{
  return with_area (c, map_stage, error);
}

/* The components that input @indices names become outputs from @first on. */
static gboolean
put_named (FlowKernelContext *c,
           const Staged      *staged,
           const FlowTensor  *indices,
           guint              first,
           GError           **error)
{
  const FlowTuple *tuple = staged->tuple;

  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      gint32 index = FLOW_DATA (gint32, indices)[i];

      if (!check_index (index, staged->key, tuple->n, error))
        return FALSE;
      if (tuple->tensors[index] == NULL)
        return _flow_refuse (error, "Tensor at index '%d' for key '%" G_GINT64_FORMAT "' has already been removed.", index,
                             staged->key);
    }
  /* TF: of fewer the rest are outputs that are missing, which the run tells. */
  if (indices->n_elements > c->n_outputs - first)
    return _flow_refuse (error, "output/indices size mismatch: %u vs. %" G_GINT64_FORMAT, c->n_outputs - first,
                         indices->n_elements);
  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      FlowTensor *tensor = tuple->tensors[FLOW_DATA (gint32, indices)[i]];

      if (tensor->dtype != (FlowDType) flow_dtype_base (c->output_dtypes[first + i]))
        return _flow_refuse (error, "Component %" G_GINT64_FORMAT " is of type %s, not %s", i,
                             flow_dtype_string (tensor->dtype), flow_dtype_string (c->output_dtypes[first + i]));
      flow_kernel_set_output (c, first + (guint) i, tensor);
    }
  return TRUE;
}

/* What is not named stays; an element of which nothing is left goes. */
static void
remove_named (Area             *self,
              guint             at,
              const FlowTensor *indices)
{
  Staged *staged = &g_array_index (self->staged, Staged, at);
  FlowTuple *rest = _flow_tuple_new (staged->tuple->n);
  gboolean any = FALSE;

  for (guint i = 0; i < rest->n; i++)
    rest->tensors[i] = staged->tuple->tensors[i] != NULL ? flow_tensor_ref (staged->tuple->tensors[i]) : NULL;
  for (gint64 i = 0; i < indices->n_elements; i++)
    g_clear_pointer (&rest->tensors[FLOW_DATA (gint32, indices)[i]], flow_tensor_unref);
  for (guint i = 0; i < rest->n; i++)
    any = any || rest->tensors[i] != NULL;
  if (any)
    {
      _flow_tuple_unref (staged->tuple);
      staged->tuple = rest;
      staged->bytes = count_bytes (rest);
      return;
    }
  _flow_tuple_unref (rest);
  g_array_remove_index (self->staged, at);
}

static gboolean
map_take (FlowKernelContext *c,
          Area              *self,
          gboolean           removes,
          GError           **error)
{
  gint64 key = 0;
  guint at;

  if (!read_key (c, &key, error) || !check_order (flow_kernel_input (c, 1), error))
    return FALSE;
  if (!find_key (self->staged, key, &at))
    return wait_for (c, self, "the key is not there", error);
  if (!put_named (c, &g_array_index (self->staged, Staged, at), flow_kernel_input (c, 1), 0, error))
    return FALSE;
  if (removes)
    {
      flow_kernel_will_write (c, self);
      remove_named (self, at, flow_kernel_input (c, 1));
      flow_kernel_wrote (c, self);
    }
  return TRUE;
}

static gboolean
map_unstage (FlowKernelContext *c,
             Area              *self,
             GError           **error)
{
  return map_take (c, self, TRUE, error);
}

static gboolean
map_unstage_compute (FlowKernelContext *c,
                     GError           **error)
{
  return with_area (c, map_unstage, error);
}

static gboolean
map_peek (FlowKernelContext *c,
          Area              *self,
          GError           **error)
{
  return map_take (c, self, FALSE, error);
}

static gboolean
map_peek_compute (FlowKernelContext *c,
                  GError           **error)
{
  return with_area (c, map_peek, error);
}

static gboolean
map_unstage_any (FlowKernelContext *c,
                 Area              *self,
                 GError           **error)
{
  const Staged *first;

  if (!check_order (flow_kernel_input (c, 0), error))
    return FALSE;
  if (self->staged->len == 0)
    return wait_for (c, self, "empty", error);
  first = &g_array_index (self->staged, Staged, 0);
  if (!put_named (c, first, flow_kernel_input (c, 0), 1, error))
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (first->key));
  flow_kernel_will_write (c, self);
  remove_named (self, 0, flow_kernel_input (c, 0));
  flow_kernel_wrote (c, self);
  return TRUE;
}

static gboolean
map_unstage_any_compute (FlowKernelContext *c,
                         GError           **error)
{
  return with_area (c, map_unstage_any, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "Stage",
    .inputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Sets an element down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, stage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "Unstage",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Takes the first element up",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, unstage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "StagePeek",
    .inputs = "index: int32",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Looks at an element that was set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, peek_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "StageSize",
    .outputs = "size: int32",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "How many elements are set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "StageClear",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "Takes all elements away",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, clear_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "MapStage",
    .inputs = "key: int64; indices: int32; values: fake_dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); fake_dtypes: "
             "list(type) >= 1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "Sets an element down under a key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, map_stage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "MapPeek",
    .inputs = "key: int64; indices: int32",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Looks at the element under a key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, map_peek_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "MapUnstage",
    .inputs = "key: int64; indices: int32",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Takes the element under a key up",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, map_unstage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "MapUnstageNoKey",
    .inputs = "indices: int32",
    .outputs = "key: int64; values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Takes some element up, and its key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) {
      { NULL, map_unstage_any_compute, area_construct, place_destruct },
      { NULL },
    },
  },
  {
    .name = "MapSize",
    .outputs = "size: int32",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "How many elements are set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "MapIncompleteSize",
    .outputs = "size: int32",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "How many elements are set down in part",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { NULL, incomplete_size_compute, area_construct, place_destruct },
      { NULL },
    },
  },
  {
    .name = "MapClear",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "Takes all elements away",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, clear_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "OrderedMapStage",
    .inputs = "key: int64; indices: int32; values: fake_dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); fake_dtypes: "
             "list(type) >= 1; container: string = \"\"; shared_name: string = \"\"",
    .summary = "Sets an element down under a key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, map_stage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "OrderedMapPeek",
    .inputs = "key: int64; indices: int32",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Looks at the element under a key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, map_peek_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "OrderedMapUnstage",
    .inputs = "key: int64; indices: int32",
    .outputs = "values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Takes the element under a key up",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, map_unstage_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "OrderedMapUnstageNoKey",
    .inputs = "indices: int32",
    .outputs = "key: int64; values: dtypes",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type) >= 1; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "Takes some element up, and its key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) {
      { NULL, map_unstage_any_compute, area_construct, place_destruct },
      { NULL },
    },
  },
  {
    .name = "OrderedMapSize",
    .outputs = "size: int32",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "How many elements are set down",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, size_compute, area_construct, place_destruct }, { NULL } },
  },
  {
    .name = "OrderedMapIncompleteSize",
    .outputs = "size: int32",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "How many elements are set down in part",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { NULL, incomplete_size_compute, area_construct, place_destruct },
      { NULL },
    },
  },
  {
    .name = "OrderedMapClear",
    .attrs = "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; dtypes: list(type); container: "
             "string = \"\"; shared_name: string = \"\"",
    .summary = "Takes all elements away",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, clear_compute, area_construct, place_destruct }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (staging, ops)

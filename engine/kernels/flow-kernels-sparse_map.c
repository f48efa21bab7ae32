/* flow-kernels-sparse_map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sparse tensors kept in the session under numbers: how batches of them pass through queues.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-sparse-rows-private.h"

#include <string.h>

/* --- the map -------------------------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 handle;
  FlowSparseRow row;
} Entry;

typedef struct {
  FlowResource parent;
  gint64 next;
  GArray *entries;             /* of Entry, handles rise */
} SparseMap;

typedef struct {
  gint64 next;
  GArray *entries;
} Saved;

static void
clear_entry (gpointer data)
{
  _flow_sparse_row_clear (&((Entry *) data)->row);
}

static GArray *
new_entries (void)
{
  GArray *entries = g_array_new (FALSE, TRUE, sizeof (Entry));

  g_array_set_clear_func (entries, clear_entry);
  return entries;
}

static GArray *
copy_entries (const GArray *entries)
{
  GArray *copy = new_entries ();

  for (guint i = 0; i < entries->len; i++)
    {
      Entry entry = g_array_index (entries, Entry, i);

      flow_tensor_ref (entry.row.indices);
      flow_tensor_ref (entry.row.values);
      flow_tensor_ref (entry.row.shape);
      g_array_append_val (copy, entry);
    }
  return copy;
}

static void
map_finalize (FlowResource *resource)
{
  g_array_unref (((SparseMap *) resource)->entries);
}

static gpointer
map_save (FlowResource *resource)
{
  SparseMap *self = (SparseMap *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { self->next, copy_entries (self->entries) };
  return saved;
}

static void
map_restore (FlowResource  *resource,
             gconstpointer  data)
{
  SparseMap *self = (SparseMap *) resource;
  const Saved *saved = data;
  GArray *old = self->entries;

  self->next = saved->next;
  self->entries = copy_entries (saved->entries);
  g_array_unref (old);
}

static void
saved_free (gpointer data)
{
  g_array_unref (((Saved *) data)->entries);
  g_free (data);
}

static gsize
saved_bytes (gconstpointer data)
{
  return sizeof (Saved) + ((const Saved *) data)->entries->len * sizeof (Entry);
}

static void
map_visit (FlowResource        *resource,
           FlowResourceVisitor  visitor,
           gpointer             data)
{
  SparseMap *self = (SparseMap *) resource;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);
      const FlowTensor *parts[] = { entry->row.indices, entry->row.values, entry->row.shape };
      static const char *const names[] = { "indices", "values", "shape" };

      for (guint k = 0; k < 3; k++)
        {
          g_autofree char *label = g_strdup_printf ("%" G_GINT64_FORMAT "/%s", entry->handle, names[k]);

          visitor (label, parts[k], data);
        }
    }
}

static char *
map_describe (FlowResource *resource)
{
  SparseMap *self = (SparseMap *) resource;

  return g_strdup_printf ("%u sparse tensors, the next is %" G_GINT64_FORMAT, self->entries->len, self->next);
}

static const FlowResourceClass map_class = {
  .type_name = "N10tensorflow16SparseTensorsMapE",
  .finalize = map_finalize,
  .save = map_save,
  .restore = map_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = map_visit,
  .describe = map_describe,
};

/* --- finding it ------------------------------------------------------------------------------------------------------------ */

/* The map of this op: by its shared name, else by the node's own. */
static SparseMap *
lookup_map (FlowKernelContext  *c,
            GError            **error)
{
  const char *container = flow_kernel_attr_string (c, "container");
  const char *shared = flow_kernel_attr_string (c, "shared_name");
  const char *name = shared != NULL && *shared != '\0' ? shared : c->node_name;
  SparseMap *map;

  container = container != NULL && *container != '\0' ? container : "localhost";
  map = flow_kernel_lookup (c, container, name, &map_class, NULL);
  if (map != NULL)
    return map;
  map = flow_resource_alloc (&map_class, sizeof (SparseMap), container, name);
  map->entries = new_entries ();
  if (flow_kernel_publish (c, map, error))
    return map;
  flow_resource_unref (map);
  return NULL;
}

/* Takes what is in @row. */
static gint64
add_row (SparseMap     *map,
         FlowSparseRow *row)
{
  Entry entry = { map->next++, *row };

  g_array_append_val (map->entries, entry);
  *row = (FlowSparseRow) { NULL };
  return entry.handle;
}

static gint64
find_row (SparseMap *map,
          gint64     handle)
{
  gint64 low = 0;
  gint64 high = map->entries->len;

  while (low < high)
    {
      gint64 middle = (low + high) / 2;

      if (g_array_index (map->entries, Entry, middle).handle < handle)
        low = middle + 1;
      else
        high = middle;
    }
  return low < map->entries->len && g_array_index (map->entries, Entry, low).handle == handle ? low : -1;
}

/* --- AddSparseToTensorsMap, AddManySparseToTensorsMap -------------------------------------------------------------------------- */

static gboolean
add_many_infer (FlowInferContext  *c,
                GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
add_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowSparseRow row = { NULL };
  FlowSparse sparse;
  SparseMap *map;

  if (!_flow_sparse_row_read (c, 0, &row, error))
    return FALSE;
  map = _flow_sparse_check_dims (row.shape, error) && _flow_sparse_make (row.indices, row.values, row.shape, &sparse, error)
        ? lookup_map (c, error) : NULL;
  if (map != NULL)
    {
      flow_kernel_will_write (c, map);
      flow_kernel_take_output (c, 0, flow_tensor_new_int64 (add_row (map, &row)));
      flow_kernel_wrote (c, map);
      flow_resource_unref (map);
    }
  _flow_sparse_row_clear (&row);
  return map != NULL;
}

static gboolean
add_many_compute (FlowKernelContext  *c,
                  GError            **error)
{
  g_autoptr (GArray) rows = _flow_sparse_rows_split (c, 0, error);
  FlowTensor *out = rows != NULL ? flow_kernel_allocate_dims (c, 0, 1, (gint64[]) { rows->len }, error) : NULL;
  SparseMap *map = out != NULL ? lookup_map (c, error) : NULL;

  if (map == NULL)
    return FALSE;
  flow_kernel_will_write (c, map);
  /* TF: rows with something in them first. */
  for (int empty = 0; empty < 2; empty++)
    for (guint i = 0; i < rows->len; i++)
      {
        FlowSparseRow *row = &g_array_index (rows, FlowSparseRow, i);

        if (row->values != NULL && (row->values->n_elements == 0) == empty)
          FLOW_WRITABLE (gint64, out)[i] = add_row (map, row);
      }
  flow_kernel_wrote (c, map);
  flow_resource_unref (map);
  return TRUE;
}

/* --- TakeManySparseFromTensorsMap ------------------------------------------------------------------------------------------------- */

static gboolean
take_infer (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

/* The rows that the handles name, borrowed. */
static gboolean
find_rows (FlowKernelContext  *c,
           SparseMap          *map,
           GArray             *rows,
           GError            **error)
{
  FlowTensor *handles = flow_kernel_input (c, 0);

  for (gint64 i = 0; i < handles->n_elements; i++)
    {
      gint64 handle = FLOW_DATA (gint64, handles)[i];
      gint64 at = find_row (map, handle);
      const FlowSparseRow *row;

      for (gint64 k = 0; k < i && at >= 0; k++)
        if (FLOW_DATA (gint64, handles)[k] == handle)
          at = -1;
      if (at < 0)
        return _flow_refuse (error, "Unable to find SparseTensor: %" G_GINT64_FORMAT " in map: %s", handle, map->parent.name);
      row = &g_array_index (map->entries, Entry, at).row;
      g_array_append_vals (rows, row, 1);
    }
  for (guint i = 0; i < rows->len; i++)
    if (!_flow_sparse_row_check (&g_array_index (rows, FlowSparseRow, i), i, flow_dtype_base (c->output_dtypes[1]),
                                 "sparse_handles", FALSE, error))
      return FALSE;
  return TRUE;
}

static gboolean
take_rows (FlowKernelContext  *c,
           SparseMap          *map,
           GError            **error)
{
  FlowTensor *handles = flow_kernel_input (c, 0);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (FlowSparseRow));

  if (!find_rows (c, map, rows, error) || !_flow_sparse_rows_check_ranks (rows, "rank", 1, error) ||
      !_flow_sparse_rows_join (c, rows, 1, &handles->n_elements, error))
    return FALSE;
  flow_kernel_will_write (c, map);
  for (gint64 i = 0; i < handles->n_elements; i++)
    g_array_remove_index (map->entries, (guint) find_row (map, FLOW_DATA (gint64, handles)[i]));
  flow_kernel_wrote (c, map);
  return TRUE;
}

static gboolean
take_compute (FlowKernelContext  *c,
              GError            **error)
{
  FlowTensor *handles = flow_kernel_input (c, 0);
  SparseMap *map;
  gboolean ok;

  if (!flow_is_vector (handles))
    return _flow_refuse_shapes (error, handles, NULL, "sparse_handles should be a vector but received shape %s");
  if (handles->n_elements == 0)
    return _flow_refuse (error, "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
  map = lookup_map (c, error);
  if (map == NULL)
    return FALSE;
  ok = take_rows (c, map, error);
  flow_resource_unref (map);
  return ok;
}

#define CELLS "bfloat16 double float half int16 int32 int64 int8 uint16 uint8 bool complex128 complex64 string resource variant"
#define NAMES "; container: string = \"\"; shared_name: string = \"\""
#define SPARSE "sparse_indices: int64; sparse_values: T; sparse_shape: int64"

static const FlowOpDef ops[] = {
  { .name = "AddManySparseToTensorsMap", .inputs = SPARSE, .outputs = "sparse_handles: int64", .attrs = "T: type" NAMES,
    .summary = "Keeps each row of a sparse tensor under a number", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,
    .infer = add_many_infer, .kernels = (const FlowKernelDef[]) { { "T: " CELLS, add_many_compute }, { NULL } } },
  { .name = "AddSparseToTensorsMap", .inputs = SPARSE, .outputs = "sparse_handle: int64", .attrs = "T: type" NAMES,
    .summary = "Keeps a sparse tensor under a number", .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape, .kernels = (const FlowKernelDef[]) { { NULL, add_compute }, { NULL } } },
  { .name = "TakeManySparseFromTensorsMap", .inputs = "sparse_handles: int64",
    .outputs = "sparse_indices: int64; sparse_values: dtype; sparse_shape: int64", .attrs = "dtype: type" NAMES,
    .summary = "Takes kept sparse tensors by their numbers, as one", .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO, .infer = take_infer,
    .kernels = (const FlowKernelDef[]) { { "dtype: " CELLS, take_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (sparse_map, ops)

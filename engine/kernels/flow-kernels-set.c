/* flow-kernels-set.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sets: the values that have all indices but the last in common. A set is given as a row of a dense tensor or in a
 * sparse one; results are sparse, sorted by value.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-sparse-private.h"

#include <string.h>

/* One value of one set. */
typedef struct {
  gint64 group;                /* all indices but the last, as one number */
  gint64 number;               /* the value, if it is no string */
  const char *text;
  gsize length;
  const FlowTensor *from;
  gint64 at;
} Entry;

/* All values of one argument, sorted by group and value, each once. */
typedef struct {
  FlowShape *group_shape;
  Entry *entries;
  gint64 n;
} Sets;

static void
sets_clear (Sets *self)
{
  g_clear_pointer (&self->group_shape, flow_shape_unref);
  g_clear_pointer (&self->entries, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sets, sets_clear)

static int
compare_values (const Entry *x,
                const Entry *y)
{
  int order;

  if (x->text == NULL)
    return x->number < y->number ? -1 : x->number > y->number;
  order = memcmp (x->text, y->text, MIN (x->length, y->length));
  return order != 0 ? order : x->length < y->length ? -1 : x->length > y->length;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const Entry *x = a;
  const Entry *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return compare_values (x, y);
}

static void
fill_entry (Entry            *entry,
            gint64            group,
            const FlowTensor *values,
            gint64            i)
{
  *entry = (Entry) { .group = group, .from = values, .at = i };
  if (values->dtype == FLOW_DTYPE_STRING)
    entry->text = flow_tensor_get_string (values, i, &entry->length);
  else
    entry->number = flow_tensor_get_int (values, i);
}

static void
sort_sets (Sets *sets)
{
  gint64 kept = 0;

  if (sets->n == 0)
    return;
  g_qsort_with_data (sets->entries, (int) sets->n, sizeof (Entry), compare_entries, NULL);
  for (gint64 i = 0; i < sets->n; i++)
    if (kept == 0 || compare_entries (&sets->entries[kept - 1], &sets->entries[i], NULL) != 0)
      sets->entries[kept++] = sets->entries[i];
  sets->n = kept;
}

static gboolean
make_sets (Sets          *sets,
           int            rank,
           const gint64  *dims,
           gint64         n,
           GError       **error)
{
  gint64 n_groups;

  if (rank < 2)
    {
      g_autofree char *text = flow_dims_to_string (rank, dims);

      return _flow_refuse (error, "Shape %s has rank %d < 2", text, rank);
    }
  sets->group_shape = flow_shape_new (rank - 1, dims);
  if (!flow_shape_n_elements (sets->group_shape, &n_groups))
    return _flow_refuse (error, "Shape of sets has too many elements");
  FLOW_REQUIRE (n <= G_MAXINT, error, RESOURCE_EXHAUSTED, "OOM when sorting %" G_GINT64_FORMAT " values", n);
  sets->entries = g_try_new (Entry, (gsize) MAX (n, 1));
  FLOW_REQUIRE (sets->entries != NULL, error, RESOURCE_EXHAUSTED, "OOM when sorting %" G_GINT64_FORMAT " values", n);
  sets->n = n;
  return TRUE;
}

static gboolean
read_dense (FlowKernelContext  *c,
            guint               input,
            Sets               *sets,
            GError            **error)
{
  FlowTensor *values = flow_kernel_input (c, input);
  gint64 width;

  if (!make_sets (sets, FLOW_RANK (values), FLOW_DIMS (values), values->n_elements, error))
    return FALSE;
  width = FLOW_DIMS (values)[FLOW_RANK (values) - 1];
  for (gint64 i = 0; i < values->n_elements; i++)
    fill_entry (&sets->entries[i], i / width, values, i);
  sort_sets (sets);
  return TRUE;
}

static gboolean
make_sparse (FlowKernelContext  *c,
             guint               first,
             FlowSparse         *sparse,
             GError            **error)
{
  FlowTensor *shape = flow_kernel_input (c, first + 2);

  if (!_flow_sparse_check_dims (shape, error))
    return FALSE;
  if (shape->n_elements < 2)
    return _flow_refuse (error, "Invalid rank %" G_GINT64_FORMAT ".", shape->n_elements);
  return _flow_sparse_make (flow_kernel_input (c, first), flow_kernel_input (c, first + 1), shape, sparse, error);
}

/* 1.15 looks at the order whatever validate_indices says. */
static gboolean
read_sparse_sets (FlowKernelContext  *c,
                  guint               first,
                  Sets               *sets,
                  GError            **error)
{
  FlowSparse sparse;

  if (!make_sparse (c, first, &sparse, error) || !_flow_sparse_check_order (&sparse, error)
      || !make_sets (sets, sparse.rank, sparse.dims, sparse.n, error))
    return FALSE;
  for (gint64 i = 0; i < sparse.n; i++)
    {
      gint64 group = 0;

      for (int d = 0; d < sparse.rank - 1; d++)
        group = group * sparse.dims[d] + sparse.indices[i * sparse.rank + d];
      fill_entry (&sets->entries[i], group, sparse.values, i);
    }
  sort_sets (sets);
  return TRUE;
}

/* --- SetSize -------------------------------------------------------------------------------------------------- */

static gboolean
size_infer (FlowInferContext  *c,
            GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return flow_infer_unknown_shape (c, error);
}

static gboolean
size_compute (FlowKernelContext  *c,
              GError            **error)
{
  g_auto (Sets) sets = { NULL };
  FlowTensor *out;

  if (!read_sparse_sets (c, 0, &sets, error))
    return FALSE;
  out = flow_kernel_allocate (c, 0, sets.group_shape, error);
  if (out == NULL)
    return FALSE;
  if (out->n_bytes > 0)
    memset (out->data, 0, out->n_bytes);
  for (gint64 i = 0; i < sets.n; i++)
    FLOW_WRITABLE (gint32, out)[sets.entries[i].group]++;
  return TRUE;
}

/* --- two sets each -------------------------------------------------------------------------------------------- */

/* Two dense tensors hold as many sets: all dims are the same but the last. */
static gboolean
merge_groups (FlowInferContext  *c,
              GError           **error)
{
  FlowShape *a = flow_infer_input (c, 0);
  FlowShape *b = flow_infer_input (c, 1);
  g_autoptr (FlowShape) front = NULL;
  g_autoptr (FlowShape) back = NULL;
  g_autoptr (FlowShape) both = NULL;

  if (a->rank < 2 || b->rank < 2)
    return TRUE;
  return flow_infer_subshape (c, a, 0, a->rank - 1, &front, error) &&
         flow_infer_subshape (c, b, 0, b->rank - 1, &back, error) && flow_infer_merge (c, front, back, &both, error);
}

static gboolean
set_infer (FlowInferContext  *c,
           GError           **error)
{
  gint64 rank = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (c->n_inputs == 2 && !merge_groups (c, error))
    return FALSE;
  for (guint i = 0; i < c->n_inputs; i++)
    {
      const FlowShape *shape = flow_infer_input (c, i);
      gboolean is_shape = (c->n_inputs == 6 && i % 3 == 2) || (c->n_inputs == 4 && i == 3);
      gboolean is_dense = c->n_inputs == 2 || (c->n_inputs == 4 && i == 0);

      if (is_dense && shape->rank >= 0)
        rank = shape->rank;
      else if (is_shape && shape->rank == 1 && shape->dims[0] >= 0)
        rank = shape->dims[0];
    }
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, rank));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (rank));
  return TRUE;
}

typedef struct {
  gboolean only_a;
  gboolean only_b;
  gboolean both;
} SetOp;

static gpointer
set_construct (FlowKernelConstruction  *c,
               GError                 **error)
{
  gsize length;
  const char *given = flow_attr_get_string (flow_construction_attr (c, "set_operation"), &length);
  g_autofree char *name = g_ascii_strdown (given, (gssize) length);
  SetOp op = { FALSE, FALSE, FALSE };

  if (g_str_equal (name, "a-b"))
    op.only_a = TRUE;
  else if (g_str_equal (name, "b-a"))
    op.only_b = TRUE;
  else if (g_str_equal (name, "intersection"))
    op.both = TRUE;
  else if (g_str_equal (name, "union"))
    op = (SetOp) { TRUE, TRUE, TRUE };
  else
    {
      _flow_refuse (error, "Invalid set_operation %s.", name);
      return NULL;
    }
  return g_memdup2 (&op, sizeof op);
}

/* The values that @op keeps, sorted. */
static GArray *
combine (const Sets  *a,
         const Sets  *b,
         const SetOp *op)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (Entry));
  gint64 i = 0;
  gint64 j = 0;

  while (i < a->n || j < b->n)
    {
      int order = i == a->n ? 1 : j == b->n ? -1 : compare_entries (&a->entries[i], &b->entries[j], NULL);
      const Entry *entry = order <= 0 ? &a->entries[i] : &b->entries[j];

      if (order < 0 ? op->only_a : order > 0 ? op->only_b : op->both)
        g_array_append_vals (kept, entry, 1);
      if (order <= 0)
        i++;
      if (order >= 0)
        j++;
    }
  return kept;
}

static gboolean
put_sets (FlowKernelContext  *c,
          const GArray       *kept,
          const FlowShape    *groups,
          GError            **error)
{
  int rank = groups->rank + 1;
  FlowTensor *indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { kept->len, rank }, error);
  FlowTensor *values = flow_kernel_allocate_dims (c, 1, 1, (gint64[]) { kept->len }, error);
  FlowTensor *shape = flow_kernel_allocate_dims (c, 2, 1, (gint64[]) { rank }, error);
  gint64 place = 0;
  gint64 widest = 0;

  if (indices == NULL || values == NULL || shape == NULL)
    return FALSE;
  for (guint i = 0; i < kept->len; i++)
    {
      const Entry *entry = &g_array_index (kept, Entry, i);
      gint64 *row = FLOW_WRITABLE (gint64, indices) + (gint64) i * rank;
      gint64 rest = entry->group;

      place = i > 0 && g_array_index (kept, Entry, i - 1).group == entry->group ? place + 1 : 0;
      widest = MAX (widest, place + 1);
      row[rank - 1] = place;
      for (int d = rank - 2; d >= 0; d--)
        {
          row[d] = rest % groups->dims[d];
          rest /= groups->dims[d];
        }
      _flow_copy_cell (values, i, entry->from, entry->at);
    }
  memcpy (shape->data, groups->dims, sizeof (gint64) * (gsize) groups->rank);
  FLOW_WRITABLE (gint64, shape)[rank - 1] = widest;
  return TRUE;
}

static gboolean
check_groups (int            rank_a,
              const gint64  *dims_a,
              int            rank_b,
              const gint64  *dims_b,
              GError       **error)
{
  g_autofree char *a_text = NULL;
  g_autofree char *b_text = NULL;

  if (rank_a == rank_b && memcmp (dims_a, dims_b, sizeof (gint64) * (gsize) rank_a) == 0)
    return TRUE;
  a_text = _flow_sparse_spell (rank_a, dims_a);
  b_text = _flow_sparse_spell (rank_b, dims_b);
  return _flow_refuse (error, "Mismatched shapes %s vs %s", a_text, b_text);
}

static gboolean
operate (FlowKernelContext  *c,
         const Sets         *a,
         const Sets         *b,
         GError            **error)
{
  g_autoptr (GArray) kept = NULL;

  if (!check_groups (a->group_shape->rank, a->group_shape->dims, b->group_shape->rank, b->group_shape->dims, error))
    return FALSE;
  kept = combine (a, b, flow_kernel_data (c));
  return put_sets (c, kept, a->group_shape, error);
}

static gboolean
dense_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_auto (Sets) a = { NULL };
  g_auto (Sets) b = { NULL };

  return read_dense (c, 0, &a, error) && read_dense (c, 1, &b, error) && operate (c, &a, &b, error);
}

static gboolean
dense_sparse_compute (FlowKernelContext  *c,
                      GError            **error)
{
  g_auto (Sets) a = { NULL };
  g_auto (Sets) b = { NULL };

  return read_sparse_sets (c, 1, &b, error) && read_dense (c, 0, &a, error) && operate (c, &a, &b, error);
}

static gboolean
sparse_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_auto (Sets) a = { NULL };
  g_auto (Sets) b = { NULL };
  FlowSparse second;

  /* TF: asks whether the second one is in order only after comparing the shapes. */
  return read_sparse_sets (c, 0, &a, error) && make_sparse (c, 3, &second, error)
         && check_groups (a.group_shape->rank, a.group_shape->dims, second.rank - 1, second.dims, error)
         && read_sparse_sets (c, 3, &b, error) && operate (c, &a, &b, error);
}

#define SET_TYPES "T: {int8, int16, int32, int64, uint8, uint16, string}"
#define SET_KERNEL "T: int16 int32 int64 int8 string uint16 uint8"
#define SET_OP(op, in, compute, text)                                                               \
  { .name = op, .inputs = in,                                                                       \
    .outputs = "result_indices: int64; result_values: T; result_shape: int64",                      \
    .attrs = "set_operation: string; validate_indices: bool = true; " SET_TYPES, .summary = text,   \
    .family = FLOW_OP_FAMILY_MATH, .infer = set_infer,                                              \
    .kernels = (const FlowKernelDef[]) { { SET_KERNEL, compute, set_construct, g_free }, { NULL } } }

static const FlowOpDef ops[] = {
  SET_OP ("DenseToDenseSetOperation", "set1: T; set2: T", dense_compute, "Combines sets in rows of two tensors"),
  SET_OP ("DenseToSparseSetOperation", "set1: T; set2_indices: int64; set2_values: T; set2_shape: int64",
          dense_sparse_compute, "Combines sets in rows with sparse ones"),
  { .name = "SetSize", .inputs = "set_indices: int64; set_values: T; set_shape: int64", .outputs = "size: int32",
    .attrs = "validate_indices: bool = true; " SET_TYPES, .summary = "How many different values each set has",
    .family = FLOW_OP_FAMILY_MATH, .infer = size_infer,
    .kernels = (const FlowKernelDef[]) { { SET_KERNEL, size_compute }, { NULL } } },
  SET_OP ("SparseToSparseSetOperation", "set1_indices: int64; set1_values: T; set1_shape: int64; set2_indices: int64; "
          "set2_values: T; set2_shape: int64", sparse_compute, "Combines sparse sets"),
};

FLOW_DEFINE_OP_FAMILY (set, ops)

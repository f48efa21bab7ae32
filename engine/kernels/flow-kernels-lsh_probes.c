/* flow-kernels-lsh_probes.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hashing by hyperplanes: which cells of several hash tables the near neighbours of a point may be in, the likeliest
 * first. A point's own cell of a table has a bit for each hyperplane, the side that the point is on; further cells
 * flip the bits of those planes that the point is nearest to.
 */

#include "config.h"

#include "flow-array-private.h"

#include <math.h>

#define MAX_TABLES 1000
#define MAX_PLANES 30

/* A cell to look in: how far it is, of which table, and by what it differs from the point's own. */
typedef struct {
  double score;
  gint32 table;
  gint32 mask;
  int last;                    /* the last plane of the order that was flipped */
} Candidate;

typedef struct {
  gint32 n_tables;
  gint32 n_planes;
  gint32 n_probes;
  gboolean is_float;           /* distances are summed as floats */
  const FlowTensor *products;
  gint64 point;
  int *order;                  /* of each table: its planes, the nearest first */
  gint32 *main_probes;
  Candidate *heap;
  gsize n_heap;
} Probing;

static void
probing_clear (Probing *self)
{
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->main_probes, g_free);
  g_clear_pointer (&self->heap, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Probing, probing_clear)

static double
product_at (const Probing *self,
            gint32         table,
            int            plane)
{
  const gint64 i = (self->point * self->n_tables + table) * self->n_planes + plane;

  return self->is_float ? (double) FLOW_DATA (float, self->products)[i] : FLOW_DATA (double, self->products)[i];
}

static double
rounded (const Probing *self,
         double         x)
{
  return self->is_float ? (double) (float) x : x;
}

static double
square_at (const Probing *self,
           gint32         table,
           int            plane)
{
  const double x = product_at (self, table, plane);

  return rounded (self, x * x);
}

/* --- the heap: of equal ones the order is that of TensorFlow's binary heap ----------------------------------------- */

static void
sift_up (Probing *self,
         gsize    i)
{
  while (i > 0 && self->heap[i].score < self->heap[(i - 1) / 2].score)
    {
      const Candidate candidate = self->heap[i];

      self->heap[i] = self->heap[(i - 1) / 2];
      self->heap[(i - 1) / 2] = candidate;
      i = (i - 1) / 2;
    }
}

static void
sift_down (Probing *self,
           gsize    i)
{
  for (;;)
    {
      const gsize left = 2 * i + 1;
      gsize least = i;
      Candidate candidate;

      if (left < self->n_heap && self->heap[left].score < self->heap[least].score)
        least = left;
      if (left + 1 < self->n_heap && self->heap[left + 1].score < self->heap[least].score)
        least = left + 1;
      if (least == i)
        return;
      candidate = self->heap[i];
      self->heap[i] = self->heap[least];
      self->heap[least] = candidate;
      i = least;
    }
}

static void
heap_insert (Probing   *self,
             Candidate  candidate)
{
  self->heap[self->n_heap++] = candidate;
  sift_up (self, self->n_heap - 1);
}

static Candidate
heap_take (Probing *self)
{
  const Candidate first = self->heap[0];

  self->heap[0] = self->heap[--self->n_heap];
  sift_down (self, 0);
  return first;
}

/* --- the probes of a point ------------------------------------------------------------------------------------------ */

static void
sort_planes (Probing *self,
             gint32   table)
{
  int *order = self->order + (gsize) table * (gsize) self->n_planes;

  /* TF: sorts what the point before has left; up to sixteen planes its sort is one by insertion. */
  for (int i = 1; i < self->n_planes; i++)
    {
      const int plane = order[i];
      const double distance = fabs (product_at (self, table, plane));
      int k = i;

      for (; k > 0 && distance < fabs (product_at (self, table, order[k - 1])); k--)
        order[k] = order[k - 1];
      order[k] = plane;
    }
}

static void
begin_point (Probing *self)
{
  for (gint32 table = 0; table < self->n_tables; table++)
    {
      gint32 probe = 0;

      for (int plane = 0; plane < self->n_planes; plane++)
        probe = (probe << 1) | (product_at (self, table, plane) >= 0.0);
      self->main_probes[table] = probe;
    }
  self->n_heap = 0;
  if (self->n_probes <= self->n_tables)
    return;
  for (gint32 table = 0; table < self->n_tables; table++)
    {
      int first;

      sort_planes (self, table);
      first = self->order[(gsize) table * (gsize) self->n_planes];
      self->heap[self->n_heap++] = (Candidate) { square_at (self, table, first), table, 1 << (self->n_planes - first - 1), 0 };
    }
  for (gsize i = self->n_heap / 2; i-- > 0;)
    sift_down (self, i);
}

/* Behind a cell come two: the last flipped plane given up for the next one, and the next one flipped as well. */
static void
go_on_from (Probing         *self,
            const Candidate *from)
{
  const int *order = self->order + (gsize) from->table * (gsize) self->n_planes;
  const int next = from->last + 1;
  gint32 bit;
  gint32 next_bit;
  double square;

  if (next >= self->n_planes)
    return;
  bit = 1 << (self->n_planes - order[from->last] - 1);
  next_bit = 1 << (self->n_planes - order[next] - 1);
  square = square_at (self, from->table, order[next]);
  heap_insert (self, (Candidate) {
    rounded (self, rounded (self, from->score - square_at (self, from->table, order[from->last])) + square),
    from->table, from->mask ^ bit ^ next_bit, next });
  heap_insert (self, (Candidate) { rounded (self, from->score + square), from->table, from->mask ^ next_bit, next });
}

static gboolean
probe_point (Probing     *self,
             FlowTensor  *probes,
             FlowTensor  *tables,
             GError     **error)
{
  gint32 *probe = FLOW_WRITABLE (gint32, probes) + self->point * self->n_probes;
  gint32 *table = FLOW_WRITABLE (gint32, tables) + self->point * self->n_probes;

  begin_point (self);
  for (gint32 i = 0; i < self->n_probes; i++)
    {
      Candidate candidate;

      if (i < self->n_tables)
        {
          probe[i] = self->main_probes[i];
          table[i] = i;
          continue;
        }
      FLOW_REQUIRE (self->n_heap > 0, error, INTERNAL,
                    "Failed to get probe number %d for point number %" G_GINT64_FORMAT ".", i, self->point);
      candidate = heap_take (self);
      probe[i] = self->main_probes[candidate.table] ^ candidate.mask;
      table[i] = candidate.table;
      go_on_from (self, &candidate);
    }
  return TRUE;
}

/* --- the op ------------------------------------------------------------------------------------------------------------ */

static gboolean
read_scalar (FlowKernelContext  *c,
             guint               i,
             gint32             *value,
             GError            **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, i);

  if (!flow_is_scalar (tensor))
    return _flow_refuse (error, "Need a scalar %s tensor, got %d dimensions.", c->signature->inputs[i].name, FLOW_RANK (tensor));
  *value = *FLOW_DATA (gint32, tensor);
  return TRUE;
}

static gboolean
read_probing (FlowKernelContext  *c,
              Probing            *self,
              GError            **error)
{
  self->products = flow_kernel_input (c, 0);
  self->is_float = self->products->dtype == FLOW_DTYPE_FLOAT;
  if (FLOW_RANK (self->products) != 2)
    return _flow_refuse (error, "Need a two-dimensional products tensor, got %d dimensions.", FLOW_RANK (self->products));
  if (!read_scalar (c, 1, &self->n_tables, error))
    return FALSE;
  if (self->n_tables < 1)
    return _flow_refuse (error, "num_tables must be at least 1 but got %d.", self->n_tables);
  if (self->n_tables > MAX_TABLES)
    return _flow_refuse (error, "Need num_tables <= 1000, got %d. This is mostly to protect against incorrect use of this Op. "
                         "If you really need more tables, change the code.", self->n_tables);
  if (!read_scalar (c, 2, &self->n_planes, error))
    return FALSE;
  if (self->n_planes < 1)
    return _flow_refuse (error, "num_hyperplanes_per_table must be at least 1 but got %d.", self->n_planes);
  if (self->n_planes > MAX_PLANES)
    return _flow_refuse (error, "Need num_hyperplanes_per_table <= 30, got %d. If you need more hyperplanes, change this Op to "
                         "work for larger integer types (int64).", self->n_planes);
  if (!read_scalar (c, 3, &self->n_probes, error))
    return FALSE;
  if (self->n_probes < 1)
    return _flow_refuse (error, "num_probes must be at least 1.");
  if (FLOW_DIMS (self->products)[1] != (gint64) self->n_tables * self->n_planes)
    return _flow_refuse (error, "Expected number of hyperplanes is %d but received %" G_GINT64_FORMAT " inner products per "
                         "point.", self->n_tables * self->n_planes, FLOW_DIMS (self->products)[1]);
  return TRUE;
}

static gboolean
reserve_probing (Probing  *self,
                 GError  **error)
{
  const gsize n_order = (gsize) self->n_tables * (gsize) self->n_planes;

  self->order = g_new (int, n_order);
  for (gsize i = 0; i < n_order; i++)
    self->order[i] = (int) (i % (gsize) self->n_planes);
  self->main_probes = g_new (gint32, (gsize) self->n_tables);
  self->heap = g_try_new (Candidate, 2 * (gsize) self->n_probes + (gsize) self->n_tables);
  FLOW_REQUIRE (self->heap != NULL, error, RESOURCE_EXHAUSTED, "OOM when allocating %d probes", self->n_probes);
  return TRUE;
}

static gboolean
probes_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_auto (Probing) self = { 0 };
  FlowTensor *probes;
  FlowTensor *tables;
  gint64 dims[2];

  if (!read_probing (c, &self, error))
    return FALSE;
  dims[0] = FLOW_DIMS (self.products)[0];
  dims[1] = self.n_probes;
  probes = flow_kernel_allocate_dims (c, 0, 2, dims, error);
  tables = probes != NULL ? flow_kernel_allocate_dims (c, 1, 2, dims, error) : NULL;
  if (tables == NULL || !reserve_probing (&self, error))
    return FALSE;
  for (self.point = 0; self.point < dims[0]; self.point++)
    if (g_cancellable_set_error_if_cancelled (c->cancellable, error) || !probe_point (&self, probes, tables, error))
      return FALSE;
  return TRUE;
}

static gboolean
probes_infer (FlowInferContext  *c,
              GError           **error)
{
  g_autoptr (FlowShape) products = NULL;
  gint64 n_probes = FLOW_DIM_UNKNOWN;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank (c, flow_infer_input (c, 0), 2, &products, error))
    return FALSE;
  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (FlowShape) scalar = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 0, &scalar, error))
        return FALSE;
    }
  if (flow_infer_scalar_value (c, 3, &n_probes) && n_probes < 0)
    return _flow_refuse (error, "Dimension size, given by scalar input 3, must be non-negative but is %" G_GINT64_FORMAT, n_probes);
  for (guint i = 0; i < 2; i++)
    flow_infer_take_output (c, i, flow_shape_new_matrix (products->dims[0], n_probes));
  return TRUE;
}

static const FlowOpDef ops[] = {
  { .name = "HyperplaneLSHProbes",
    .inputs = "point_hyperplane_product: CoordinateType; num_tables: int32; num_hyperplanes_per_table: int32; num_probes: int32",
    .outputs = "probes: int32; table_ids: int32", .attrs = "CoordinateType: {float, double}",
    .summary = "Which cells of hash tables a point's neighbours may be in", .family = FLOW_OP_FAMILY_MATH, .infer = probes_infer,
    .kernels = (const FlowKernelDef[]) { { "CoordinateType: float double", probes_compute }, { NULL } } },
};

FLOW_DEFINE_OP_FAMILY (lsh_probes, ops)

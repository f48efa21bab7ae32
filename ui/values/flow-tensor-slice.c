/* flow-tensor-slice.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-slice.h"

#include <math.h>
#include <string.h>

#include "flow-format.h"

/**
 * FlowTensorSlice:
 *
 * A value cut down to two dimensions: which dimension runs down, which runs across, and where the others
 * stand. Written as numpy does: `[0, :, :, 7]`. The value itself stays in the engine: what is in view is
 * asked for in blocks, and a picture of all of it is a block with gaps.
 */
typedef struct {
  FlowTensor *tensor;        /* NULL: none yet */
  gint64 *begin;             /* per dimension of the value */
  gint64 *count;
  gint64 *step;
} Block;

struct _FlowTensorSlice
{
  GObject parent_instance;

  /* owned */
  FlowUiSession *session;    /* NULL when the tensor is at hand */
  char *ref;
  FlowValueInfo *info;
  gint64 *fixed;             /* per dimension; 0 where it is shown */
  gint64 *strides;
  Block blocks[2];           /* all of it, maybe with gaps; and what is in view */
  Block asked[2];            /* the places of blocks that are on their way */

  int rank;
  int row_dim;               /* -1: one row */
  int column_dim;            /* -1: one column */
  guint n_asked;
};

enum {
  BLOCK_OVERVIEW,
  BLOCK_VIEW,
};

/* How much of a string element a cell shows. */
#define MAX_STRING_CHARS 60
/* Values up to this many elements are fetched whole. */
#define MAX_WHOLE 65536
/* Samples of a picture along each dimension, and of a vector; pictures side by side. */
#define MAX_SAMPLES 512
#define MAX_TILES 64
/* Cells fetched around those in view, so that scrolling rarely waits. */
#define MARGIN_ROWS 64
#define MARGIN_COLUMNS 24

enum {
  SIGNAL_CHANGED,
  SIGNAL_CELLS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FlowTensorSlice, flow_tensor_slice, G_TYPE_OBJECT)

/* --- What is known of a value --- */

FlowValueInfo *
flow_value_info_ref (FlowValueInfo *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
flow_value_info_unref (FlowValueInfo *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  flow_shape_unref (self->shape);
  g_free (self->bins);
  g_free (self);
}

static FlowValueInfo *
info_new (void)
{
  FlowValueInfo *self = g_new0 (FlowValueInfo, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->min = self->max = self->mean = self->std = NAN;
  return self;
}

/* @info: as the debugger's method Describe gives it, of a value that is there */
FlowValueInfo *
flow_value_info_new (GVariant *info)
{
  FlowValueInfo *self = info_new ();
  g_autoptr(GVariant) shape = g_variant_lookup_value (info, "shape", G_VARIANT_TYPE ("ax"));
  g_autoptr(GVariant) bins = g_variant_lookup_value (info, "bins", G_VARIANT_TYPE ("ax"));
  const char *dtype = flow_lookup_string (info, "dtype");
  gsize rank = 0;
  const gint64 *dims = shape != NULL ? g_variant_get_fixed_array (shape, &rank, sizeof (gint64)) : NULL;

  self->dtype = dtype != NULL ? (FlowDType) flow_dtype_from_string (dtype) : FLOW_DTYPE_INVALID;
  self->shape = flow_shape_new ((int) MIN (rank, FLOW_SHAPE_MAX_RANK), dims);
  self->n_elements = flow_lookup_int (info, "n_elements", 0);
  self->is_number = flow_lookup_has (info, "nan");
  self->n_nan = flow_lookup_int (info, "nan", 0);
  self->n_inf = flow_lookup_int (info, "inf", 0);
  self->n_zero = flow_lookup_int (info, "zero", 0);
  self->n_finite = flow_lookup_int (info, "finite", self->n_elements - self->n_nan - self->n_inf);
  self->min = flow_lookup_double (info, "min", NAN);
  self->max = flow_lookup_double (info, "max", NAN);
  self->mean = flow_lookup_double (info, "mean", NAN);
  self->std = flow_lookup_double (info, "std", NAN);
  if (bins != NULL)
    {
      gsize n = 0;
      const gint64 *counts = g_variant_get_fixed_array (bins, &n, sizeof (gint64));

      self->n_bins = (guint) n;
      self->bins = g_memdup2 (counts, n * sizeof (gint64));
    }
  return self;
}

FlowValueInfo *
flow_value_info_new_for_tensor (const FlowTensor *tensor)
{
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (tensor, FLOW_HISTOGRAM_BINS);
  FlowValueInfo *self = info_new ();

  self->dtype = flow_tensor_get_dtype (tensor);
  self->shape = flow_shape_ref (flow_tensor_get_shape (tensor));
  self->n_elements = flow_tensor_get_n_elements (tensor);
  self->is_number = stats->is_number;
  self->n_nan = stats->n_nan;
  self->n_inf = flow_tensor_stats_get_n_inf (stats);
  self->n_zero = stats->n_zero;
  self->n_finite = stats->n_finite;
  self->min = stats->min;
  self->max = stats->max;
  self->mean = stats->mean;
  self->std = stats->std;
  self->n_bins = stats->n_bins;
  self->bins = stats->n_bins > 0 ? g_memdup2 (stats->bins, stats->n_bins * sizeof (gint64)) : NULL;
  return self;
}

/* --- Blocks --- */

static void
block_init (Block *self,
            int    rank)
{
  gsize n = (gsize) MAX (1, rank);

  self->begin = g_new0 (gint64, n);
  self->count = g_new0 (gint64, n);
  self->step = g_new0 (gint64, n);
}

static void
block_clear (Block *self)
{
  g_clear_pointer (&self->tensor, flow_tensor_unref);
  g_clear_pointer (&self->begin, g_free);
  g_clear_pointer (&self->count, g_free);
  g_clear_pointer (&self->step, g_free);
}

static void
block_copy_place (Block       *self,
                  const Block *other,
                  int          rank)
{
  gsize size = (gsize) MAX (1, rank) * sizeof (gint64);

  memcpy (self->begin, other->begin, size);
  memcpy (self->count, other->count, size);
  memcpy (self->step, other->step, size);
}

static gboolean
block_is_at (const Block *self,
             const Block *other,
             int          rank)
{
  gsize size = (gsize) MAX (1, rank) * sizeof (gint64);

  return memcmp (self->begin, other->begin, size) == 0 && memcmp (self->count, other->count, size) == 0 &&
         memcmp (self->step, other->step, size) == 0;
}

/* The element of the block at an index of the value; -1 when it has none. @near: the next sample will do. */
static gint64
block_find (const Block  *self,
            const gint64 *index,
            int           rank,
            gboolean      near)
{
  gint64 element = 0;

  if (self->tensor == NULL)
    return -1;
  for (int i = 0; i < rank; i++)
    {
      gint64 at = index[i] - self->begin[i];

      if (at < 0 || self->step[i] < 1 || (!near && at % self->step[i] != 0))
        return -1;
      at /= self->step[i];
      if (at >= self->count[i])
        return -1;
      element = element * self->count[i] + at;
    }
  return element;
}

static gint64
dim_of (FlowTensorSlice *self,
        int              i)
{
  return flow_shape_get_dim (self->info->shape, i);
}

static void
fill_index (FlowTensorSlice *self,
            gint64           row,
            gint64           column,
            gint64          *index)
{
  for (int i = 0; i < self->rank; i++)
    index[i] = i == self->row_dim ? row : i == self->column_dim ? column : self->fixed[i];
}

static const Block *
find_cell (FlowTensorSlice *self,
           const gint64    *index,
           gboolean         near,
           gint64          *element)
{
  static const int order[] = { BLOCK_VIEW, BLOCK_OVERVIEW };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      *element = block_find (&self->blocks[order[i]], index, self->rank, FALSE);
      if (*element >= 0)
        return &self->blocks[order[i]];
    }
  *element = near ? block_find (&self->blocks[BLOCK_OVERVIEW], index, self->rank, TRUE) : -1;
  return *element >= 0 ? &self->blocks[BLOCK_OVERVIEW] : NULL;
}

/* --- Fetching --- */

static void
cells_cb (GObject           *owner,
          FlowDebuggerReply *reply,
          const GError      *error,
          gpointer           data)
{
  FlowTensorSlice *self = FLOW_TENSOR_SLICE (owner);
  int which = GPOINTER_TO_INT (data);
  Block *block = &self->blocks[which];
  FlowTensor *tensor = NULL;
  gint64 n = 1;

  if (reply == NULL || reply->tensors == NULL || reply->tensors->len == 0)
    return;
  tensor = g_ptr_array_index (reply->tensors, 0);
  for (int i = 0; i < self->rank; i++)
    n *= self->asked[which].count[i];
  /* The value has become another one meanwhile: its owner asks anew. */
  if (flow_tensor_get_n_elements (tensor) != n || flow_tensor_get_dtype (tensor) != self->info->dtype)
    return;
  g_clear_pointer (&block->tensor, flow_tensor_unref);
  block->tensor = flow_tensor_ref (tensor);
  block_copy_place (block, &self->asked[which], self->rank);
  g_signal_emit (self, signals[SIGNAL_CELLS_CHANGED], 0);
}

static GVariant *
sizes_variant (const gint64 *sizes,
               int           rank)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, sizes, (gsize) rank, sizeof (gint64));
}

static void
fetch (FlowTensorSlice *self,
       int              which,
       const Block     *place)
{
  if (self->session == NULL ||
      (self->blocks[which].tensor != NULL && block_is_at (&self->blocks[which], place, self->rank)) ||
      ((self->n_asked & (1u << which)) != 0 && block_is_at (&self->asked[which], place, self->rank)))
    return;
  self->n_asked |= 1u << which;
  block_copy_place (&self->asked[which], place, self->rank);
  flow_ui_session_query (self->session, self, which == BLOCK_VIEW ? "cells" : "overview", "Slice",
                         g_variant_new ("(s@ax@ax@ax)", self->ref, sizes_variant (place->begin, self->rank),
                                        sizes_variant (place->count, self->rank),
                                        sizes_variant (place->step, self->rank)),
                         cells_cb, GINT_TO_POINTER (which));
}

static void
fetch_whole (FlowTensorSlice *self)
{
  Block place = { NULL };

  block_init (&place, self->rank);
  for (int i = 0; i < self->rank; i++)
    {
      place.count[i] = dim_of (self, i);
      place.step[i] = 1;
    }
  fetch (self, BLOCK_OVERVIEW, &place);
  block_clear (&place);
}

/* Whether the value is small enough to be fetched whole, and so needs asking for only once. */
gboolean
flow_tensor_slice_is_whole (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), FALSE);

  return self->session == NULL || self->info->n_elements <= MAX_WHOLE;
}

static gboolean
can_fetch (FlowTensorSlice *self)
{
  return self->session != NULL && self->info->n_elements > 0 && self->info->dtype != FLOW_DTYPE_RESOURCE &&
         self->info->dtype != FLOW_DTYPE_VARIANT;
}

static void
widen (gint64  first,
       gint64  last,
       gint64  margin,
       gint64  dim,
       gint64 *begin,
       gint64 *count)
{
  *begin = CLAMP (first - margin, 0, MAX (0, dim - 1));
  *count = MIN (last + margin + 1, dim) - *begin;
}

void
flow_tensor_slice_want_cells (FlowTensorSlice *self,
                              gint64           first_row,
                              gint64           last_row,
                              gint64           first_column,
                              gint64           last_column)
{
  Block place = { NULL };

  g_return_if_fail (FLOW_IS_TENSOR_SLICE (self));

  if (!can_fetch (self))
    return;
  if (self->info->n_elements <= MAX_WHOLE)
    {
      fetch_whole (self);
      return;
    }
  if (flow_tensor_slice_has_cell (self, first_row, first_column) &&
      flow_tensor_slice_has_cell (self, last_row, last_column))
    return;
  block_init (&place, self->rank);
  for (int i = 0; i < self->rank; i++)
    {
      place.begin[i] = self->fixed[i];
      place.count[i] = 1;
      place.step[i] = 1;
      if (i == self->row_dim)
        widen (first_row, last_row, MARGIN_ROWS, dim_of (self, i), &place.begin[i], &place.count[i]);
      else if (i == self->column_dim)
        widen (first_column, last_column, MARGIN_COLUMNS, dim_of (self, i), &place.begin[i],
               &place.count[i]);
    }
  fetch (self, BLOCK_VIEW, &place);
  block_clear (&place);
}

static int
tile_dim (FlowTensorSlice *self)
{
  for (int i = self->rank - 1; i >= 0; i--)
    if (i != self->row_dim && i != self->column_dim)
      return i;
  return -1;
}

/* A picture of all of the slice: as many samples as a screen can show. */
void
flow_tensor_slice_want_overview (FlowTensorSlice *self,
                                 gboolean         tiles)
{
  Block place = { NULL };
  gint64 samples = self->column_dim < 0 ? MAX_SAMPLES * MAX_SAMPLES : tiles ? MAX_SAMPLES / 4 : MAX_SAMPLES;

  g_return_if_fail (FLOW_IS_TENSOR_SLICE (self));

  if (!can_fetch (self))
    return;
  if (self->info->n_elements <= MAX_WHOLE)
    {
      fetch_whole (self);
      return;
    }
  block_init (&place, self->rank);
  for (int i = 0; i < self->rank; i++)
    {
      gint64 dim = dim_of (self, i);

      place.begin[i] = self->fixed[i];
      place.count[i] = 1;
      place.step[i] = 1;
      if (i == self->row_dim || i == self->column_dim)
        {
          place.begin[i] = 0;
          place.step[i] = (dim + samples - 1) / samples;
          place.count[i] = (dim + place.step[i] - 1) / place.step[i];
        }
      else if (tiles && i == tile_dim (self))
        {
          place.begin[i] = 0;
          place.count[i] = MIN (dim, MAX_TILES);
        }
    }
  fetch (self, BLOCK_OVERVIEW, &place);
  block_clear (&place);
}

/* --- Object --- */

static void
flow_tensor_slice_finalize (GObject *object)
{
  FlowTensorSlice *self = FLOW_TENSOR_SLICE (object);

  g_clear_object (&self->session);
  g_clear_pointer (&self->info, flow_value_info_unref);
  g_free (self->ref);
  g_free (self->fixed);
  g_free (self->strides);
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    {
      block_clear (&self->blocks[i]);
      block_clear (&self->asked[i]);
    }

  G_OBJECT_CLASS (flow_tensor_slice_parent_class)->finalize (object);
}

static void
flow_tensor_slice_class_init (FlowTensorSliceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = flow_tensor_slice_finalize;

  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  signals[SIGNAL_CELLS_CHANGED] =
    g_signal_new ("cells-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
flow_tensor_slice_init (FlowTensorSlice *self)
{
}

/*
 * Which two dimensions to show first: the picture of an image batch (NHWC) or of a convolution's
 * filter (HWIO), else the last two.
 */
static void
choose_dims (FlowTensorSlice *self)
{
  int rank = self->rank;

  self->row_dim = rank >= 1 ? rank - 2 : -1;
  self->column_dim = rank >= 1 ? rank - 1 : -1;
  if (rank == 1)
    {
      self->row_dim = 0;
      self->column_dim = -1;
    }
  if (rank == 4)
    {
      gint64 d0 = dim_of (self, 0);
      gint64 d1 = dim_of (self, 1);
      gint64 d2 = dim_of (self, 2);

      if (d0 == d1 && d0 <= 11 && d0 > 1)
        {
          self->row_dim = 0;
          self->column_dim = 1;
        }
      else if (d1 == d2)
        {
          self->row_dim = 1;
          self->column_dim = 2;
        }
    }
}

static FlowTensorSlice *
slice_new (FlowValueInfo *info)
{
  FlowTensorSlice *self = g_object_new (FLOW_TYPE_TENSOR_SLICE, NULL);
  gint64 stride = 1;

  self->info = flow_value_info_ref (info);
  self->rank = MAX (0, flow_shape_get_rank (info->shape));
  self->fixed = g_new0 (gint64, MAX (1, self->rank));
  self->strides = g_new0 (gint64, MAX (1, self->rank));
  /* The value exists, so the product of its dimensions fits. */
  for (int i = self->rank - 1; i >= 0; i--)
    {
      self->strides[i] = stride;
      stride *= MAX (1, dim_of (self, i));
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    {
      block_init (&self->blocks[i], self->rank);
      block_init (&self->asked[i], self->rank);
    }
  choose_dims (self);
  return self;
}

/* A value that stays in the engine: what is looked at is fetched. */
FlowTensorSlice *
flow_tensor_slice_new (FlowUiSession *session,
                       const char    *ref,
                       FlowValueInfo *info)
{
  FlowTensorSlice *self = slice_new (info);

  self->session = g_object_ref (session);
  self->ref = g_strdup (ref);
  return self;
}

/* A tensor that is at hand. */
FlowTensorSlice *
flow_tensor_slice_new_for_tensor (const FlowTensor *tensor)
{
  g_autoptr(FlowValueInfo) info = flow_value_info_new_for_tensor (tensor);
  FlowTensorSlice *self = slice_new (info);

  self->blocks[BLOCK_OVERVIEW].tensor = flow_tensor_ref (tensor);
  for (int i = 0; i < self->rank; i++)
    {
      self->blocks[BLOCK_OVERVIEW].count[i] = dim_of (self, i);
      self->blocks[BLOCK_OVERVIEW].step[i] = 1;
    }
  return self;
}

FlowValueInfo *
flow_tensor_slice_get_info (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), NULL);

  return self->info;
}

const char *
flow_tensor_slice_get_ref (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), NULL);

  return self->ref;
}

gint64
flow_tensor_slice_get_n_rows (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), 0);

  if (self->info->n_elements == 0)
    return 0;
  return self->row_dim >= 0 ? dim_of (self, self->row_dim) : 1;
}

gint64
flow_tensor_slice_get_n_columns (FlowTensorSlice *self)
{
  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), 0);

  if (self->info->n_elements == 0)
    return 0;
  return self->column_dim >= 0 ? dim_of (self, self->column_dim) : 1;
}

/* Pictures side by side: one for each place of the last dimension that is not shown. */
guint
flow_tensor_slice_get_n_tiles (FlowTensorSlice *self)
{
  int dim = 0;

  g_return_val_if_fail (FLOW_IS_TENSOR_SLICE (self), 0);

  dim = tile_dim (self);
  return dim >= 0 ? (guint) MIN (dim_of (self, dim), MAX_TILES) : 1;
}

/* Returns: the index of an element in the tensor, row-major */
gint64
flow_tensor_slice_get_element (FlowTensorSlice *self,
                               gint64           row,
                               gint64           column)
{
  gint64 element = 0;

  for (int i = 0; i < self->rank; i++)
    {
      gint64 at = i == self->row_dim ? row : i == self->column_dim ? column : self->fixed[i];

      element += at * self->strides[i];
    }
  return element;
}

/* Moves the slice to where an element of the value can be seen, and says in which cell. */
void
flow_tensor_slice_show_element (FlowTensorSlice *self,
                                gint64           element,
                                gint64          *row,
                                gint64          *column)
{
  *row = 0;
  *column = 0;
  for (int i = 0; i < self->rank; i++)
    {
      gint64 at = element / self->strides[i];

      element %= self->strides[i];
      if (i == self->row_dim)
        *row = at;
      else if (i == self->column_dim)
        *column = at;
      else
        self->fixed[i] = at;
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

gboolean
flow_tensor_slice_is_number (FlowTensorSlice *self)
{
  return self->info->dtype == FLOW_DTYPE_BOOL || flow_dtype_is_number (self->info->dtype);
}

/* Whether a cell has been fetched. */
gboolean
flow_tensor_slice_has_cell (FlowTensorSlice *self,
                            gint64           row,
                            gint64           column)
{
  gint64 index[FLOW_SHAPE_MAX_RANK];
  gint64 element = 0;

  fill_index (self, row, column, index);
  return find_cell (self, index, FALSE, &element) != NULL;
}

/* Returns: the element as a number, NaN where it is none or is not there yet */
double
flow_tensor_slice_get_double (FlowTensorSlice *self,
                              gint64           row,
                              gint64           column)
{
  gint64 index[FLOW_SHAPE_MAX_RANK];
  gint64 element = 0;
  const Block *block = NULL;

  if (!flow_tensor_slice_is_number (self))
    return NAN;
  fill_index (self, row, column, index);
  block = find_cell (self, index, FALSE, &element);
  return block != NULL ? flow_tensor_get_double (block->tensor, element) : NAN;
}

/**
 * flow_tensor_slice_look:
 * @tile: which picture; G_MAXUINT for the one that the slice stands at
 * @value: (out): the cell or the sample next to it
 *
 * For pictures. Returns: whether anything is there
 */
gboolean
flow_tensor_slice_look (FlowTensorSlice *self,
                        guint            tile,
                        gint64           row,
                        gint64           column,
                        double          *value)
{
  gint64 index[FLOW_SHAPE_MAX_RANK];
  gint64 element = 0;
  const Block *block = NULL;

  fill_index (self, row, column, index);
  if (tile != G_MAXUINT && tile_dim (self) >= 0)
    index[tile_dim (self)] = tile;
  block = find_cell (self, index, TRUE, &element);
  if (block == NULL)
    return FALSE;
  *value = flow_tensor_get_double (block->tensor, element);
  return TRUE;
}

static char *
complex_to_string (const FlowTensor *tensor,
                   gint64            element)
{
  double real = 0;
  double imaginary = 0;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (flow_tensor_get_dtype (tensor) == FLOW_DTYPE_COMPLEX64)
    {
      const float *data = flow_tensor_get_data (tensor);

      real = data[2 * element];
      imaginary = data[2 * element + 1];
    }
  else
    {
      const double *data = flow_tensor_get_data (tensor);

      real = data[2 * element];
      imaginary = data[2 * element + 1];
    }
  a = flow_format_number (real);
  b = flow_format_number (fabs (imaginary));
  return g_strdup_printf ("%s%s%sj", a, imaginary < 0 ? "−" : "+", b);
}

/* Returns: (transfer full): one element in words, for a cell or a scalar */
char *
flow_tensor_element_to_string (const FlowTensor *tensor,
                               gint64            element)
{
  FlowDType dtype = flow_tensor_get_dtype (tensor);

  if (dtype == FLOW_DTYPE_STRING)
    {
      gsize length = 0;
      const char *bytes = flow_tensor_get_string (tensor, element, &length);
      g_autofree char *text = flow_escape_display (bytes, (gssize) length, MAX_STRING_CHARS);

      return g_strdup_printf ("“%s”", text);
    }
  if (dtype == FLOW_DTYPE_BOOL)
    return g_strdup (flow_tensor_get_int (tensor, element) != 0 ? "True" : "False");
  if (flow_dtype_is_complex (dtype))
    return complex_to_string (tensor, element);
  if (dtype == FLOW_DTYPE_UINT64)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) flow_tensor_get_int (tensor, element));
  if (flow_dtype_is_integer (dtype))
    return g_strdup_printf ("%" G_GINT64_FORMAT, flow_tensor_get_int (tensor, element));
  if (flow_dtype_is_number (dtype))
    return flow_format_number (flow_tensor_get_double (tensor, element));
  return g_strdup (flow_dtype_name (dtype));
}

/* Returns: (transfer full): a cell in words; an ellipsis while it is not there */
char *
flow_tensor_slice_dup_text (FlowTensorSlice *self,
                            gint64           row,
                            gint64           column)
{
  gint64 index[FLOW_SHAPE_MAX_RANK];
  gint64 element = 0;
  const Block *block = NULL;

  fill_index (self, row, column, index);
  block = find_cell (self, index, FALSE, &element);
  return block != NULL ? flow_tensor_element_to_string (block->tensor, element) : g_strdup ("…");
}

/* Returns: (transfer full) (nullable): the only element of a value that has one, if it is there */
char *
flow_tensor_slice_dup_scalar (FlowTensorSlice *self)
{
  const Block *block = &self->blocks[BLOCK_OVERVIEW];

  if (block->tensor == NULL || flow_tensor_get_n_elements (block->tensor) < 1)
    return NULL;
  return flow_tensor_element_to_string (block->tensor, 0);
}

/* Returns: (transfer full): where a cell is in the tensor: `[0, 3, 5, 7]` */
char *
flow_tensor_slice_dup_index (FlowTensorSlice *self,
                             gint64           row,
                             gint64           column)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < self->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            i == self->row_dim ? row
                                               : i == self->column_dim ? column : self->fixed[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* Returns: (transfer full): `[0, :, :, 7]` */
char *
flow_tensor_slice_to_string (FlowTensorSlice *self)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < self->rank; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (i == self->row_dim || i == self->column_dim)
        g_string_append_c (text, ':');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, self->fixed[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/**
 * flow_tensor_slice_parse:
 * @text: `[0, :, :, 7]`, brackets optional; at most two colons; -1 is the last
 *
 * Returns: whether it was understood; then `changed` is emitted
 */
gboolean
flow_tensor_slice_parse (FlowTensorSlice *self,
                         const char      *text)
{
  g_autofree char *copy = g_strdup (text);
  g_auto(GStrv) words = NULL;
  g_autofree gint64 *fixed = g_new0 (gint64, MAX (1, self->rank));
  int shown[2] = { -1, -1 };
  int n_shown = 0;

  g_strdelimit (copy, "[]", ' ');
  words = g_strsplit (g_strstrip (copy), ",", -1);
  if (self->rank == 0 || (int) g_strv_length (words) != self->rank)
    return FALSE;
  for (int i = 0; i < self->rank; i++)
    {
      const char *word = g_strstrip (words[i]);
      gint64 dim = dim_of (self, i);
      char *end = NULL;

      if (strcmp (word, ":") == 0)
        {
          if (n_shown == 2)
            return FALSE;
          shown[n_shown++] = i;
          continue;
        }
      fixed[i] = g_ascii_strtoll (word, &end, 10);
      if (end == word || *end != '\0')
        return FALSE;
      if (fixed[i] < 0)
        fixed[i] += dim;
      if (fixed[i] < 0 || fixed[i] >= dim)
        return FALSE;
    }
  self->row_dim = shown[0];
  self->column_dim = shown[1];
  memcpy (self->fixed, fixed, sizeof (gint64) * self->rank);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  return TRUE;
}

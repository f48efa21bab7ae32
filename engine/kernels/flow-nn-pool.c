/* flow-nn-pool.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-nn-pool-private.h"

#include <string.h>

/* The loops of pooling. Work is split by rows of the output, and by images where a result cell is
 * reached from several outputs, so that each cell is written by one thread, always in one order. */

#define LOWEST_float (-__FLT_MAX__)
#define LOWEST_double (-__DBL_MAX__)
#define LOWEST_int32 G_MININT32
#define LOWEST_uint8 0
#define LOWEST_int16 G_MININT16
#define LOWEST_int8 G_MININT8
#define LOWEST_int64 G_MININT64
#define LOWEST_uint16 0

#define EACH_TYPE(M) FLOW_OF_FLOAT (M) FLOW_OF_DOUBLE (M) FLOW_OF_SMALL_INTS (M)
#define EACH_REAL(M) FLOW_OF_FLOAT (M) FLOW_OF_DOUBLE (M)

/* Integers wrap, as the processor does for TensorFlow. */
#define WRAPPED_SUM(S, a, b)                                                                  \
  _Generic ((S) 0, gint32: (S) ((guint32) (a) + (guint32) (b)),                               \
            gint64: (S) ((guint64) (a) + (guint64) (b)), default: (S) ((a) + (b)))

#define TYPE_TABLE(op)                                                                        \
  [FLOW_DTYPE_FLOAT] = op##_float, [FLOW_DTYPE_DOUBLE] = op##_double,                         \
  [FLOW_DTYPE_INT32] = op##_int32, [FLOW_DTYPE_UINT8] = op##_uint8,                           \
  [FLOW_DTYPE_INT16] = op##_int16, [FLOW_DTYPE_INT8] = op##_int8,                             \
  [FLOW_DTYPE_INT64] = op##_int64, [FLOW_DTYPE_UINT16] = op##_uint16

/* The part of a window that lies on the image. */
typedef struct {
  gint64 begin[3];
  gint64 end[3];
} Cells;

static inline void
clip (const FlowPool *self,
      int             dim,
      gint64          output,
      Cells          *cells)
{
  const FlowWindow *w = &self->window[dim];
  gint64 first = output * w->stride - w->pad_before;

  cells->begin[dim] = MAX (first, 0);
  cells->end[dim] = MIN (first + w->filter, w->input);
}

static inline gint64
cell_offset (const FlowPool *self,
             gint64          plane,
             gint64          row,
             gint64          column)
{
  return ((plane * self->window[1].input + row) * self->window[2].input + column) * self->channels;
}

/* Output row @i (of all images) to its image and the rows of cells under it. */
static inline gint64
locate_row (const FlowPool *self,
            gint64          i,
            Cells          *cells)
{
  gint64 row = i % self->window[1].output;
  gint64 plane = i / self->window[1].output % self->window[0].output;

  clip (self, 0, plane, cells);
  clip (self, 1, row, cells);
  return i / (self->window[1].output * self->window[0].output);
}

#define FOR_CELLS(self, cells, at)                                                            \
  for (gint64 z_ = (cells).begin[0]; z_ < (cells).end[0]; z_++)                               \
    for (gint64 y_ = (cells).begin[1]; y_ < (cells).end[1]; y_++)                             \
      for (gint64 x_ = (cells).begin[2], at = cell_offset (self, z_, y_, x_);                 \
           x_ < (cells).end[2]; x_++, at += (self)->channels)

/* TF starts from the lowest number and keeps it where no cell compares greater: NaN is passed over. */
#define MAX_LOOP(name, S, C, LOAD, STORE)                                                     \
  static FLOW_HOT void                                                                        \
  max_##name (gint64 begin, gint64 end, gpointer data)                                        \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const gint64 n = self->channels;                                                          \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        Cells cells;                                                                          \
        const S *image = (const S *) self->input +                                            \
                         locate_row (self, i, &cells) * flow_pool_input_size (self);          \
        S *out = (S *) self->result + i * self->window[2].output * n;                         \
                                                                                              \
        for (gint64 column = 0; column < self->window[2].output; column++, out += n)          \
          {                                                                                   \
            clip (self, 2, column, &cells);                                                   \
            for (gint64 k = 0; k < n; k++)                                                    \
              out[k] = LOWEST_##name;                                                         \
            FOR_CELLS (self, cells, at)                                                       \
              for (gint64 k = 0; k < n; k++)                                                  \
                out[k] = out[k] < image[at + k] ? image[at + k] : out[k];                     \
          }                                                                                   \
      }                                                                                       \
  }

EACH_TYPE (MAX_LOOP)

/* The first greatest cell; a NaN that comes first stays. */
#define FIRST_MAX(name, S, C, LOAD, STORE)                                                    \
  static inline gint64                                                                        \
  first_max_##name (const FlowPool *self, const S *image, const Cells *cells, gint64 channel) \
  {                                                                                           \
    gint64 best = -1;                                                                         \
                                                                                              \
    FOR_CELLS (self, *cells, at)                                                              \
      if (best < 0 || image[best] < image[at + channel])                                      \
        best = at + channel;                                                                  \
    return best;                                                                              \
  }

EACH_TYPE (FIRST_MAX)

#define ARGMAX_LOOP(name, S, C, LOAD, STORE)                                                  \
  static void                                                                                 \
  argmax_##name (gint64 begin, gint64 end, gpointer data)                                     \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        Cells cells;                                                                          \
        const gint64 base = locate_row (self, i, &cells) * flow_pool_input_size (self);       \
        const S *image = (const S *) self->input + base;                                      \
        gint64 out = i * self->window[2].output * self->channels;                             \
                                                                                              \
        for (gint64 column = 0; column < self->window[2].output; column++)                    \
          {                                                                                   \
            clip (self, 2, column, &cells);                                                   \
            for (gint64 k = 0; k < self->channels; k++, out++)                                \
              {                                                                               \
                const gint64 best = first_max_##name (self, image, &cells, k);                \
                                                                                              \
                ((S *) self->result)[out] = image[best];                                      \
                self->argmax[out] = best + (self->batch_in_index ? base : 0);                 \
              }                                                                               \
          }                                                                                   \
      }                                                                                       \
  }

EACH_TYPE (ARGMAX_LOOP)

/* TF: the gradient of an average, or of a greatest cell in three dimensions, goes to the cells of its window, but where the window begins before the image and would, begun at its
 * edge, end behind it, to all cells of the image. */
static gint64
reach (const FlowPool *self,
       Cells          *cells)
{
  gint64 count = 1;

  for (int dim = 0; dim < 3; dim++)
    {
      if (cells->begin[dim] + self->window[dim].filter > self->window[dim].input)
        cells->end[dim] = self->window[dim].input;
      count *= cells->end[dim] - cells->begin[dim];
    }
  return count;
}

/* Walks the outputs of image @i: out_ is the offset of the first channel in the output, and cells is
 * set; then @body for all channels. */
#define FOR_PIXELS(self, i, body)                                                             \
  {                                                                                           \
    Cells cells;                                                                              \
    gint64 out_ = (i) * flow_pool_output_size (self);                                         \
                                                                                              \
    for (gint64 p_ = 0; p_ < (self)->window[0].output; p_++)                                  \
      {                                                                                       \
        clip (self, 0, p_, &cells);                                                           \
        for (gint64 r_ = 0; r_ < (self)->window[1].output; r_++)                              \
          {                                                                                   \
            clip (self, 1, r_, &cells);                                                       \
            for (gint64 c_ = 0; c_ < (self)->window[2].output; c_++, out_ += (self)->channels) \
              {                                                                               \
                clip (self, 2, c_, &cells);                                                   \
                body                                                                          \
              }                                                                               \
          }                                                                                   \
      }                                                                                       \
  }

/* Channels whose greatest cells are searched side by side. */
#define LANES 64

#define GRAD_LOOPS(name, S, C, LOAD, STORE)                                                   \
  /* As first_max(), for @n channels from @first on. */                                       \
  static FLOW_HOT void                                                                        \
  first_max_lanes_##name (const FlowPool *self, const S *image, const Cells *cells,           \
                          gint64 first, gint64 n, gint64 *where)                              \
  {                                                                                           \
    S best[LANES];                                                                            \
    gint32 cell[LANES];                                                                       \
    gint32 n_cells = 0;                                                                       \
                                                                                              \
    for (gint64 k = 0; k < n; k++)                                                            \
      where[k] = -1;                                                                          \
    FOR_CELLS (self, *cells, at)                                                              \
      {                                                                                       \
        const S *x = image + at + first;                                                      \
                                                                                              \
        if (n_cells == 0)                                                                     \
          for (gint64 k = 0; k < n; k++)                                                      \
            {                                                                                 \
              best[k] = x[k];                                                                 \
              cell[k] = 0;                                                                    \
            }                                                                                 \
        else                                                                                  \
          for (gint64 k = 0; k < n; k++)                                                      \
            {                                                                                 \
              cell[k] = best[k] < x[k] ? n_cells : cell[k];                                   \
              best[k] = best[k] < x[k] ? x[k] : best[k];                                      \
            }                                                                                 \
        n_cells++;                                                                            \
      }                                                                                       \
    n_cells = 0;                                                                              \
    FOR_CELLS (self, *cells, at)                                                              \
      {                                                                                       \
        for (gint64 k = 0; k < n; k++)                                                        \
          where[k] = cell[k] == n_cells ? at + first + k : where[k];                          \
        n_cells++;                                                                            \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  max_grad_##name (gint64 begin, gint64 end, gpointer data)                                   \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const S *gradient = self->gradient;                                                       \
    gint64 where[LANES];                                                                      \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const S *image = (const S *) self->input + i * flow_pool_input_size (self);           \
        S *result = (S *) self->result + i * flow_pool_input_size (self);                     \
                                                                                              \
        FOR_PIXELS (self, i, {                                                                \
          for (gint64 first = 0; first < self->channels; first += LANES)                      \
            {                                                                                 \
              const gint64 n = MIN (LANES, self->channels - first);                           \
                                                                                              \
              first_max_lanes_##name (self, image, &cells, first, n, where);                  \
              for (gint64 k = 0; k < n; k++)                                                  \
                result[where[k]] = WRAPPED_SUM (S, result[where[k]], gradient[out_ + first + k]);\
            }                                                                                 \
        })                                                                                    \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  max_grad_ties_##name (gint64 begin, gint64 end, gpointer data)                              \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const S *gradient = self->gradient;                                                       \
    const S *output = self->output;                                                           \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const S *image = (const S *) self->input + i * flow_pool_input_size (self);           \
        S *result = (S *) self->result + i * flow_pool_input_size (self);                     \
                                                                                              \
        FOR_PIXELS (self, i, {                                                                \
          reach (self, &cells);                                                               \
          FOR_CELLS (self, cells, at)                                                         \
            for (gint64 k = 0; k < self->channels; k++)                                       \
              if (image[at + k] == output[out_ + k])                                          \
                result[at + k] = WRAPPED_SUM (S, result[at + k], gradient[out_ + k]);         \
        })                                                                                    \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  max_grad_grad_##name (gint64 begin, gint64 end, gpointer data)                              \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const S *output = self->output;                                                           \
    S *result = self->result;                                                                 \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const S *image = (const S *) self->input + i * flow_pool_input_size (self);           \
        const S *gradient = (const S *) self->gradient + i * flow_pool_input_size (self);     \
                                                                                              \
        FOR_PIXELS (self, i, {                                                                \
          for (gint64 k = 0; k < self->channels; k++)                                         \
            {                                                                                 \
              gboolean found = FALSE;                                                         \
                                                                                              \
              result[out_ + k] = 0;                                                           \
              FOR_CELLS (self, cells, at)                                                     \
                if (!found && image[at + k] == output[out_ + k])                              \
                  {                                                                           \
                    result[out_ + k] = gradient[at + k];                                      \
                    found = TRUE;                                                             \
                  }                                                                           \
            }                                                                                 \
        })                                                                                    \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  scatter_##name (gint64 begin, gint64 end, gpointer data)                                    \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const S *gradient = self->gradient;                                                       \
    const gint64 n = flow_pool_output_size (self);                                            \
    S *result = self->result;                                                                 \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      for (gint64 k = i * n; k < (i + 1) * n; k++)                                            \
        {                                                                                     \
          const gint64 at = self->argmax_in[k] +                                              \
                            (self->batch_in_index ? 0 : i * flow_pool_input_size (self));     \
                                                                                              \
          result[at] = WRAPPED_SUM (S, result[at], gradient[k]);                              \
        }                                                                                     \
  }

EACH_TYPE (GRAD_LOOPS)

/* TF: floats are multiplied by a rounded 1 / count. */
#define SHARE_OF(g, count) _Generic ((g), float: (g) * (1 / (count)), default: (g) / (count))

#define AVERAGE_LOOPS(name, S, C, LOAD, STORE)                                                \
  static FLOW_HOT void                                                                        \
  average_##name (gint64 begin, gint64 end, gpointer data)                                    \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const gint64 n = self->channels;                                                          \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        Cells cells;                                                                          \
        const S *image = (const S *) self->input +                                            \
                         locate_row (self, i, &cells) * flow_pool_input_size (self);          \
        S *out = (S *) self->result + i * self->window[2].output * n;                         \
                                                                                              \
        for (gint64 column = 0; column < self->window[2].output; column++, out += n)          \
          {                                                                                   \
            gint64 count = 0;                                                                 \
                                                                                              \
            clip (self, 2, column, &cells);                                                   \
            memset (out, 0, (gsize) n * sizeof (S));                                          \
            FOR_CELLS (self, cells, at)                                                       \
              {                                                                               \
                count++;                                                                      \
                for (gint64 k = 0; k < n; k++)                                                \
                  out[k] += image[at + k];                                                    \
              }                                                                               \
            for (gint64 k = 0; k < n; k++)                                                    \
              out[k] /= (S) count;                                                            \
          }                                                                                   \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  static FLOW_HOT void                                                                        \
  average_grad_##name (gint64 begin, gint64 end, gpointer data)                               \
  {                                                                                           \
    const FlowPool *self = data;                                                              \
    const S *gradient = self->gradient;                                                       \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        S *result = (S *) self->result + i * flow_pool_input_size (self);                     \
                                                                                              \
        FOR_PIXELS (self, i, {                                                                \
          const S count = (S) reach (self, &cells);                                           \
                                                                                              \
          FOR_CELLS (self, cells, at)                                                         \
            for (gint64 k = 0; k < self->channels; k++)                                       \
              result[at + k] += SHARE_OF (gradient[out_ + k], count);                         \
        })                                                                                    \
      }                                                                                       \
  }

EACH_REAL (AVERAGE_LOOPS)

typedef struct {
  const FlowPool *pool;
  gint64 window;
} DepthJob;

#define DEPTH_LOOP(name, S, C, LOAD, STORE)                                                   \
  static void                                                                                 \
  max_depth_##name (gint64 begin, gint64 end, gpointer data)                                  \
  {                                                                                           \
    const DepthJob *job = data;                                                               \
                                                                                              \
    for (gint64 i = begin; i < end; i++)                                                      \
      {                                                                                       \
        const S *from = (const S *) job->pool->input + i * job->window;                       \
        S best = from[0];                                                                     \
                                                                                              \
        for (gint64 k = 1; k < job->window; k++)                                              \
          best = best < from[k] ? from[k] : best;                                             \
        ((S *) job->pool->result)[i] = best;                                                  \
      }                                                                                       \
  }

EACH_TYPE (DEPTH_LOOP)

static void
by_rows (FlowPool             *self,
         const FlowRangeFunc  *funcs)
{
  gint64 rows = self->batch * self->window[0].output * self->window[1].output;
  gint64 work = self->window[2].output * self->channels * self->window[0].filter * self->window[1].filter;

  if (flow_pool_output_size (self) > 0)
    flow_parallel_for (rows, 1 + FLOW_NN_GRAIN / MAX (work, 1), funcs[self->dtype], self);
}

static void
by_images (FlowPool             *self,
           const FlowRangeFunc  *funcs)
{
  if (flow_pool_output_size (self) > 0)
    flow_parallel_for (self->batch, 1 + FLOW_NN_GRAIN / flow_pool_output_size (self), funcs[self->dtype], self);
}

static void
clear_input_shaped (FlowPool *self)
{
  gsize n = (gsize) (self->batch * flow_pool_input_size (self)) * flow_dtype_size (self->dtype);

  if (n > 0)
    memset (self->result, 0, n);
}

void
flow_pool_max (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (max) };

  by_rows (self, funcs);
}

void
flow_pool_max_argmax (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (argmax) };

  by_rows (self, funcs);
}

/* The gradient goes to the first greatest cell of each window. */
void
flow_pool_max_grad (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (max_grad) };

  clear_input_shaped (self);
  by_images (self, funcs);
}

/* The gradient goes to every cell that equals the output: TF's rule for three dimensions. */
void
flow_pool_max_grad_ties (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (max_grad_ties) };

  clear_input_shaped (self);
  by_images (self, funcs);
}

void
flow_pool_max_grad_grad (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (max_grad_grad) };

  by_images (self, funcs);
}

/* Adds each gradient to the cell that argmax names; every index has been checked. */
void
flow_pool_scatter (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (scatter) };

  clear_input_shaped (self);
  /* An index that counts from the first image may name a cell of another one. */
  if (self->batch_in_index)
    funcs[self->dtype] (0, self->batch, self);
  else
    by_images (self, funcs);
}

void
flow_pool_max_depth (FlowPool *self,
                     gint64    depth_window)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = { TYPE_TABLE (max_depth) };
  DepthJob job = { self, depth_window };

  flow_parallel_for (self->batch * flow_pool_input_size (self) / depth_window, FLOW_NN_GRAIN, funcs[self->dtype],
                     &job);
}

void
flow_pool_average (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = {
    [FLOW_DTYPE_FLOAT] = average_float, [FLOW_DTYPE_DOUBLE] = average_double,
  };

  by_rows (self, funcs);
}

void
flow_pool_average_grad (FlowPool *self)
{
  static const FlowRangeFunc funcs[FLOW_N_DTYPES] = {
    [FLOW_DTYPE_FLOAT] = average_grad_float, [FLOW_DTYPE_DOUBLE] = average_grad_double,
  };

  clear_input_shaped (self);
  by_images (self, funcs);
}

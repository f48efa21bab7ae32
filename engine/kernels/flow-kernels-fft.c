/* flow-kernels-fft.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Fourier transforms of the inner one, two or three dims, of complex and of real values.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-fft-private.h"
#include "flow-nn-private.h"
#include "flow-tensor-cast.h"

#include <string.h>

#define MAX_RANK 3

/* What the op's name says: [I][R]FFT[2D|3D]. */
typedef struct {
  int rank;
  gboolean real;
  gboolean inverse;
} Kind;

static Kind
kind_of (const FlowOpSignature *signature)
{
  const char *name = signature->name;
  Kind kind = { 1, FALSE, FALSE };

  kind.inverse = name[0] == 'I';
  kind.real = name[kind.inverse] == 'R';
  if (g_str_has_suffix (name, "D"))
    kind.rank = name[strlen (name) - 2] - '0';
  return kind;
}

/* --- Shapes -------------------------------------------------------------------------------------------- */

static gboolean
infer_fft (FlowInferContext  *c,
           GError           **error)
{
  const Kind kind = kind_of (c->signature);
  g_autoptr (FlowShape) in = NULL;
  g_autoptr (FlowShape) out = NULL;
  const FlowShape *length;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_least (c, flow_infer_input (c, 0), kind.rank, &in, error))
    return FALSE;
  if (!kind.real || in->rank < 0)
    {
      flow_infer_set_output (c, 0, in);
      return TRUE;
    }
  length = flow_infer_value_list (c, 1);
  FLOW_REQUIRE (length == NULL || length->rank == kind.rank, error, INVALID_ARGUMENT, "fft_length must have shape [%d]",
                kind.rank);
  out = flow_shape_new (in->rank, in->dims);
  for (int i = 0; i < kind.rank; i++)
    {
      gint64 n = length != NULL ? MAX (length->dims[i], FLOW_DIM_UNKNOWN) : FLOW_DIM_UNKNOWN;

      if (i == kind.rank - 1 && !kind.inverse && n > 0)
        n = n / 2 + 1;
      out->dims[in->rank - kind.rank + i] = n;
    }
  flow_infer_take_output (c, 0, g_steal_pointer (&out));
  return TRUE;
}

/* --- Lines ------------------------------------------------------------------------------------------------ */

typedef struct {
  const FlowFft *fft;
  double complex *data;
  gint64 n;                    /* cells of a line */
  gint64 stride;               /* between them */
  gint failed;                 /* set where there was no memory */
} Lines;

static void
run_lines (gint64   begin,
           gint64   end,
           gpointer data)
{
  Lines *job = data;
  const gsize n_scratch = _flow_fft_n_scratch (job->fft);
  g_autofree double complex *line = g_try_new (double complex, n_scratch + (gsize) job->n);

  if (line == NULL)
    {
      g_atomic_int_set (&job->failed, 1);
      return;
    }
  for (gint64 i = begin; i < end; i++)
    {
      double complex *first = job->data + i / job->stride * job->n * job->stride + i % job->stride;

      for (gint64 k = 0; k < job->n; k++)
        line[k] = first[k * job->stride];
      _flow_fft_run (job->fft, line, line + job->n);
      for (gint64 k = 0; k < job->n; k++)
        first[k * job->stride] = line[k];
    }
}

/* Transforms axis @axis of @rank dims of size @dims (the last of which is innermost). */
static gboolean
transform_axis (FlowKernelContext  *c,
                double complex     *data,
                gint64              n_cells,
                int                 rank,
                const gint64       *dims,
                int                 axis,
                gboolean            inverse,
                GError            **error)
{
  g_autoptr (FlowFft) fft = NULL;
  Lines job = { .data = data, .n = dims[axis], .stride = 1 };

  if (g_cancellable_set_error_if_cancelled (c->cancellable, error))
    return FALSE;
  if ((fft = _flow_fft_new (job.n, inverse, error)) == NULL)
    return FALSE;
  job.fft = fft;
  for (int i = axis + 1; i < rank; i++)
    job.stride *= dims[i];
  flow_parallel_for (n_cells / job.n, 1 + 4096 / job.n, run_lines, &job);
  FLOW_REQUIRE (g_atomic_int_get (&job.failed) == 0, error, RESOURCE_EXHAUSTED, "OOM when running a Fourier transform");
  return TRUE;
}

/* --- Copies between the op's tensors and a complex double array ------------------------------------------- */

/* Goes over the cells of a box of @dims (the inner @rank of both arrays, whose sizes may differ):
 * @func gets the places in the one and in the other. */
typedef void (*CellFunc) (gint64 a, gint64 b, gpointer data);

static void
for_each_row (int           rank,
              const gint64 *box,
              const gint64 *a_dims,
              const gint64 *b_dims,
              gint64        n_outer,
              CellFunc      func,
              gpointer      data)
{
  gint64 a_size = 1;
  gint64 b_size = 1;
  gint64 n_rows = 1;

  for (int i = 0; i < rank; i++)
    {
      a_size *= a_dims[i];
      b_size *= b_dims[i];
      n_rows *= i < rank - 1 ? box[i] : 1;
    }
  for (gint64 o = 0; o < n_outer; o++)
    for (gint64 row = 0; row < n_rows; row++)
      {
        gint64 rest = row;
        gint64 a = 0;
        gint64 b = 0;
        gint64 a_step = a_dims[rank - 1];
        gint64 b_step = b_dims[rank - 1];

        for (int i = rank - 2; i >= 0; i--)
          {
            a += rest % box[i] * a_step;
            b += rest % box[i] * b_step;
            a_step *= a_dims[i];
            b_step *= b_dims[i];
            rest /= box[i];
          }
        func (o * a_size + a, o * b_size + b, data);
      }
}

typedef struct {
  const FlowTensor *in;
  FlowTensor *out;
  double complex *work;
  gint64 n;                    /* cells of a row to copy */
  double scale;
} Copy;

static void
row_from_real (gint64   a,
               gint64   b,
               gpointer data)
{
  const Copy *job = data;

  for (gint64 k = 0; k < job->n; k++)
    job->work[b + k] = (double) FLOW_DATA (float, job->in)[a + k];
}

static void
row_from_complex (gint64   a,
                  gint64   b,
                  gpointer data)
{
  const Copy *job = data;

  for (gint64 k = 0; k < job->n; k++)
    job->work[b + k] = (double complex) FLOW_DATA (float complex, job->in)[a + k];
}

static void
row_to_complex (gint64   a,
                gint64   b,
                gpointer data)
{
  const Copy *job = data;

  for (gint64 k = 0; k < job->n; k++)
    FLOW_WRITABLE (float complex, job->out)[a + k] = (float complex) job->work[b + k];
}

static void
row_to_real (gint64   a,
             gint64   b,
             gpointer data)
{
  const Copy *job = data;

  for (gint64 k = 0; k < job->n; k++)
    FLOW_WRITABLE (float, job->out)[a + k] = (float) (creal (job->work[b + k]) * job->scale);
}

/* --- FFT, IFFT ------------------------------------------------------------------------------------------------ */

static gboolean
check_rank (const FlowTensor  *in,
            int                rank,
            GError           **error)
{
  g_autofree char *text = flow_tensor_shape_text (in);

  FLOW_REQUIRE (FLOW_RANK (in) >= rank, error, INVALID_ARGUMENT, "Input must have rank of at least %d but got: %s", rank,
                text);
  return TRUE;
}

static gboolean
complex_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const Kind kind = kind_of (c->signature);
  g_autoptr (FlowShape) flat = NULL;
  g_autoptr (FlowTensor) work = NULL;
  double complex *cells;
  FlowTensor *out;
  double scale = 1;
  gint64 dims[MAX_RANK];

  if (!check_rank (in, kind.rank, error) || (out = flow_kernel_allocate (c, 0, in->shape, error)) == NULL)
    return FALSE;
  if (in->n_elements == 0)
    return TRUE;
  memcpy (dims, FLOW_DIMS (in) + FLOW_RANK (in) - kind.rank, sizeof (gint64) * (gsize) kind.rank);
  work = out->dtype == FLOW_DTYPE_COMPLEX128 ? flow_tensor_ref (out)
         : flow_kernel_allocate_temp (c, FLOW_DTYPE_COMPLEX128, in->shape, error);
  if (work == NULL)
    return FALSE;
  cells = work->data;
  for (gint64 i = 0; i < in->n_elements; i++)
    cells[i] = in->dtype == FLOW_DTYPE_COMPLEX128 ? FLOW_DATA (double complex, in)[i]
                                                  : (double complex) FLOW_DATA (float complex, in)[i];
  for (int axis = 0; axis < kind.rank; axis++)
    {
      if (!transform_axis (c, cells, in->n_elements, kind.rank, dims, axis, kind.inverse, error))
        return FALSE;
      scale /= (double) dims[axis];
    }
  for (gint64 i = 0; i < in->n_elements; i++)
    {
      if (kind.inverse)
        cells[i] *= scale;
      if (out->dtype == FLOW_DTYPE_COMPLEX64)
        FLOW_WRITABLE (float complex, out)[i] = (float complex) cells[i];
    }
  return TRUE;
}

/* --- RFFT, IRFFT ------------------------------------------------------------------------------------------------ */

/* The lengths and what they ask of the input; @wanted gets how much of each dim is read. */
static gboolean
read_lengths (FlowKernelContext  *c,
              const Kind         *kind,
              gint64              lengths[MAX_RANK],
              gint64              wanted[MAX_RANK],
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const FlowTensor *length = flow_kernel_input (c, 1);

  FLOW_REQUIRE (flow_is_vector (length) && length->n_elements == kind->rank, error, INVALID_ARGUMENT,
                "fft_length must have shape [%d]", kind->rank);
  for (int i = 0; i < kind->rank; i++)
    {
      const gint64 size = FLOW_DIMS (in)[FLOW_RANK (in) - kind->rank + i];

      /* TF: a negative length is a very large one. */
      const guint64 n = (guint64) (gint64) FLOW_DATA (gint32, length)[i];
      const guint64 least = kind->inverse && i == kind->rank - 1 ? n / 2 + 1 : n;

      FLOW_REQUIRE (size == 0 || (guint64) size >= least, error, INVALID_ARGUMENT, "Input dimension %d must have length of "
                    "at least %" G_GUINT64_FORMAT " but got: %" G_GINT64_FORMAT, FLOW_RANK (in) - kind->rank + i, least,
                    size);
      lengths[i] = FLOW_DATA (gint32, length)[i];
      wanted[i] = (gint64) least;
      FLOW_REQUIRE (lengths[i] >= 0, error, INVALID_ARGUMENT, "fft_length[%d] must be >= 0, but got: %" G_GINT64_FORMAT, i,
                    lengths[i]);
    }
  return TRUE;
}

/* Of the innermost dim only the first half is given: the rest is its mirror image. */
static void
mirror_rows (double complex *cells,
             gint64          n_rows,
             gint64          n)
{
  for (gint64 row = 0; row < n_rows; row++)
    for (gint64 k = n / 2 + 1; k < n; k++)
      cells[row * n + k] = conj (cells[row * n + n - k]);
}

/* The half spectrum is transformed along its outer dims first, then row by row. */
static gboolean
transform_real (FlowKernelContext  *c,
                const Kind         *kind,
                double complex     *cells,
                gint64              n_cells,
                const gint64       *lengths,
                GError            **error)
{
  const int last = kind->rank - 1;

  for (int axis = 0; axis < last; axis++)
    if (!transform_axis (c, cells, n_cells, kind->rank, lengths, axis, kind->inverse, error))
      return FALSE;
  if (kind->inverse)
    mirror_rows (cells, n_cells / lengths[last], lengths[last]);
  return transform_axis (c, cells, n_cells, kind->rank, lengths, last, kind->inverse, error);
}

static gboolean
real_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensor *in = flow_kernel_input (c, 0);
  const Kind kind = kind_of (c->signature);
  const int first = FLOW_RANK (in) - kind.rank;
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowShape) flat = NULL;
  g_autoptr (FlowTensor) work = NULL;
  FlowTensor *out;
  Copy copy = { .in = in, .scale = 1 };
  gint64 lengths[MAX_RANK];
  gint64 wanted[MAX_RANK];
  gint64 n_outer = 1;

  if (!check_rank (in, kind.rank, error) || !read_lengths (c, &kind, lengths, wanted, error))
    return FALSE;
  shape = flow_shape_new (FLOW_RANK (in), FLOW_DIMS (in));
  memcpy (shape->dims + first, lengths, sizeof (gint64) * (gsize) kind.rank);
  flat = flow_shape_new (FLOW_RANK (in), shape->dims);
  if (!kind.inverse && lengths[kind.rank - 1] > 0)
    shape->dims[FLOW_RANK (in) - 1] = lengths[kind.rank - 1] / 2 + 1;
  if ((out = flow_kernel_allocate (c, 0, shape, error)) == NULL)
    return FALSE;
  if (out->n_elements == 0)
    return TRUE;
  memset (out->data, 0, out->n_bytes);
  if (in->n_elements == 0)
    return TRUE;
  if ((work = flow_kernel_allocate_temp (c, FLOW_DTYPE_COMPLEX128, flat, error)) == NULL)
    return FALSE;
  memset (work->data, 0, work->n_bytes);
  for (int i = 0; i < first; i++)
    n_outer *= FLOW_DIMS (in)[i];
  copy.work = work->data;
  copy.n = wanted[kind.rank - 1];
  for_each_row (kind.rank, wanted, FLOW_DIMS (in) + first, lengths, n_outer,
                kind.inverse ? row_from_complex : row_from_real, &copy);
  if (!transform_real (c, &kind, work->data, work->n_elements, lengths, error))
    return FALSE;
  copy.out = out;
  copy.n = shape->dims[FLOW_RANK (in) - 1];
  for (int i = 0; i < kind.rank; i++)
    copy.scale /= (double) lengths[i];
  for_each_row (kind.rank, shape->dims + first, shape->dims + first, lengths, n_outer,
                kind.inverse ? row_to_real : row_to_complex, &copy);
  return TRUE;
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

static const FlowKernelDef complex_kernels[] = { { NULL, complex_compute }, { NULL } };
static const FlowKernelDef real_kernels[] = { { NULL, real_compute }, { NULL } };

#define COMPLEX(op, text)                                                                     \
  { .name = op, .inputs = "input: Tcomplex", .outputs = "output: Tcomplex",                   \
    .attrs = "Tcomplex: {complex64, complex128} = DT_COMPLEX64", .summary = text,             \
    .family = FLOW_OP_FAMILY_MATH, .infer = infer_fft, .kernels = complex_kernels }
#define REAL(op, from, to, text)                                                              \
  { .name = op, .inputs = "input: " from "; fft_length: int32", .outputs = "output: " to,     \
    .attrs = "", .summary = text, .family = FLOW_OP_FAMILY_MATH, .infer = infer_fft,          \
    .kernels = real_kernels }

static const FlowOpDef ops[] = {
  COMPLEX ("FFT", "Fourier transform of the last dim"),
  COMPLEX ("FFT2D", "Fourier transform of the last two dims"),
  COMPLEX ("FFT3D", "Fourier transform of the last three dims"),
  COMPLEX ("IFFT", "Inverse Fourier transform of the last dim"),
  COMPLEX ("IFFT2D", "Inverse Fourier transform of the last two dims"),
  COMPLEX ("IFFT3D", "Inverse Fourier transform of the last three dims"),
  REAL ("IRFFT", "complex64", "float", "Real values of half a spectrum, one dim"),
  REAL ("IRFFT2D", "complex64", "float", "Real values of half a spectrum, two dims"),
  REAL ("IRFFT3D", "complex64", "float", "Real values of half a spectrum, three dims"),
  REAL ("RFFT", "float", "complex64", "Half the spectrum of real values, one dim"),
  REAL ("RFFT2D", "float", "complex64", "Half the spectrum of real values, two dims"),
  REAL ("RFFT3D", "float", "complex64", "Half the spectrum of real values, three dims"),
};

FLOW_DEFINE_OP_FAMILY (fft, ops)

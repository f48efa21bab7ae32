/* flow-nn-cell-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-array-private.h"
#include "flow-blas-private.h"
#include "flow-nn-private.h"

#include <math.h>
#include <string.h>

G_BEGIN_DECLS

/* What the blocks of recurrent networks share: everything is computed in float. */

static inline float
flow_cell_sigmoid (float x)
{
  return 1.0f / (1.0f + expf (-x));
}

/* C[m][n] (+)= A[m][k] B[k][n], both perhaps stored transposed; @half: rounded as halves are. */
static inline gboolean
flow_cell_gemm (FlowRelease   release,
                const float  *a,
                gboolean      a_transposed,
                const float  *b,
                gboolean      b_transposed,
                float        *c,
                gint64        m,
                gint64        n,
                gint64        k,
                gboolean      accumulate,
                gboolean      half,
                GError      **error)
{
  const FlowGemm job = {
    half ? FLOW_DTYPE_HALF : FLOW_DTYPE_FLOAT,
    a_transposed ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN,
    b_transposed ? FLOW_BLAS_TRANSPOSED : FLOW_BLAS_PLAIN,
    m, n, k, a, a_transposed ? m : k, b, b_transposed ? k : n, c, n, accumulate, .release = release,
  };

  return half ? flow_blas_gemm_half (&job, error) : flow_blas_gemm (&job, error);
}

/* Rows of @a and of @b side by side. */
static inline void
flow_cell_concat (const float *a,
                  gint64       n_a,
                  const float *b,
                  gint64       n_b,
                  gint64       rows,
                  float       *out)
{
  for (gint64 i = 0; i < rows; i++, out += n_a + n_b)
    {
      memcpy (out, a + i * n_a, (gsize) n_a * sizeof (float));
      memcpy (out + n_a, b + i * n_b, (gsize) n_b * sizeof (float));
    }
}

/* Refuses in TensorFlow's words: "w.dim_size(1) != cell_size * 4: 3 vs. 8". */
static inline gboolean
flow_cell_require_dim (const FlowTensor  *t,
                       int                i,
                       gint64             size,
                       const char        *what,
                       GError           **error)
{
  FLOW_REQUIRE (FLOW_RANK (t) > i && FLOW_DIMS (t)[i] == size, error, INVALID_ARGUMENT, "%s: %" G_GINT64_FORMAT " vs. %"
                G_GINT64_FORMAT, what, FLOW_RANK (t) > i ? FLOW_DIMS (t)[i] : -1, size);
  return TRUE;
}

static inline gboolean
flow_cell_require_rank (const FlowTensor  *t,
                        int                rank,
                        const char        *name,
                        GError           **error)
{
  FLOW_REQUIRE (FLOW_RANK (t) == rank, error, INVALID_ARGUMENT, "%s must be %dD", name, rank);
  return TRUE;
}

G_END_DECLS

/* flow-ranks.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-ranks-private.h"

#include <gmodule.h>
#include <stdlib.h>
#include <string.h>

/* OpenMPI is loaded when the first op needs it, by the names of its own interface (that of its releases 1.7 to 4, whose
 * library is libmpi.so.40): so a program that never meets another rank neither links it nor waits for it. */

#define LIBRARY "libmpi.so.40"
/* As MPI_THREAD_MULTIPLE of OpenMPI's mpi.h. */
#define THREAD_MULTIPLE 3
/* Looked at so often without sleeping, then every so many microseconds. */
#define EAGER_POLLS 2000
#define POLL_US 100

/* Dimensions that are compared one by one; further ones by their hash. */
#define MEET_DIMS 8

typedef gpointer Request;

static struct {
  int (*init_thread) (int *argc, char ***argv, int required, int *provided);
  int (*initialized) (int *flag);
  int (*finalize) (void);
  int (*iallreduce) (gconstpointer send, gpointer receive, int count, gpointer type, gpointer op, gpointer comm, Request *request);
  int (*ibcast) (gpointer buffer, int count, gpointer type, int root, gpointer comm, Request *request);
  int (*iallgather) (gconstpointer send, int n_sent, gpointer send_type, gpointer receive, int n_received, gpointer receive_type,
                     gpointer comm, Request *request);
  int (*iallgatherv) (gconstpointer send, int n_sent, gpointer send_type, gpointer receive, const int *counts,
                      const int *offsets, gpointer receive_type, gpointer comm, Request *request);
  int (*test) (Request *request, int *done, gpointer status);
  gpointer world;
  gpointer sum;
  gpointer byte;
  gpointer int32;
  gpointer int64;
  gpointer float32;
  gpointer float64;
} mpi;

static const struct {
  const char *name;
  gpointer *at;
} symbols[] = {
  { "MPI_Init_thread", (gpointer *) &mpi.init_thread },
  { "MPI_Initialized", (gpointer *) &mpi.initialized },
  { "MPI_Finalize", (gpointer *) &mpi.finalize },
  { "MPI_Iallreduce", (gpointer *) &mpi.iallreduce },
  { "MPI_Ibcast", (gpointer *) &mpi.ibcast },
  { "MPI_Iallgather", (gpointer *) &mpi.iallgather },
  { "MPI_Iallgatherv", (gpointer *) &mpi.iallgatherv },
  { "MPI_Test", (gpointer *) &mpi.test },
  { "ompi_mpi_comm_world", &mpi.world },
  { "ompi_mpi_op_sum", &mpi.sum },
  { "ompi_mpi_byte", &mpi.byte },
  { "ompi_mpi_int32_t", &mpi.int32 },
  { "ompi_mpi_int64_t", &mpi.int64 },
  { "ompi_mpi_float", &mpi.float32 },
  { "ompi_mpi_double", &mpi.float64 },
};

/* What mpirun tells the processes it starts. */
static int
from_environment (const char *name,
                  int         fallback)
{
  const char *text = g_getenv (name);
  gint64 value = 0;

  if (text == NULL || !g_ascii_string_to_signed (text, 10, 0, G_MAXINT, &value, NULL))
    return fallback;
  return (int) value;
}

int
_flow_ranks_get_size (void)
{
  return MAX (1, from_environment ("OMPI_COMM_WORLD_SIZE", 1));
}

int
_flow_ranks_get_rank (void)
{
  return from_environment ("OMPI_COMM_WORLD_RANK", 0);
}

static void
finalize_at_exit (void)
{
  mpi.finalize ();
}

static char *
load (void)
{
  GModule *library = g_module_open (LIBRARY, G_MODULE_BIND_LAZY);
  int is_there = 0;
  int provided = 0;

  if (library == NULL)
    return g_strdup (g_module_error ());
  g_module_make_resident (library);
  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if (!g_module_symbol (library, symbols[i].name, symbols[i].at))
      return g_strdup_printf ("%s has no %s", LIBRARY, symbols[i].name);
  if (mpi.initialized (&is_there) != 0)
    return g_strdup ("MPI_Initialized failed");
  if (is_there)
    return NULL;
  if (mpi.init_thread (NULL, NULL, THREAD_MULTIPLE, &provided) != 0)
    return g_strdup ("MPI_Init_thread failed");
  /* A process that ends without it ends the others as well. */
  atexit (finalize_at_exit);
  return NULL;
}

static gboolean
ensure_loaded (GError **error)
{
  static gsize once = 0;
  static char *problem = NULL;

  if (g_once_init_enter (&once))
    {
      problem = load ();
      g_once_init_leave (&once, 1);
    }
  FLOW_REQUIRE (problem == NULL, error, FAILED_PRECONDITION, "There are %d ranks, but OpenMPI cannot be used: %s",
                _flow_ranks_get_size (), problem);
  return TRUE;
}

/* Waits for the other ranks, and stops waiting when the run is stopped. */
static gboolean
wait_for (FlowKernelContext  *c,
          int                 code,
          Request            *request,
          GError            **error)
{
  int done = 0;

  for (guint i = 0; code == 0 && !done; i++)
    {
      code = mpi.test (request, &done, NULL);
      if (flow_kernel_is_cancelled (c))
        {
          g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Stopped while waiting for the other ranks");
          return FALSE;
        }
      if (!done && i > EAGER_POLLS)
        g_usleep (POLL_US);
    }
  FLOW_REQUIRE (code == 0, error, INTERNAL, "MPI failed with code %d", code);
  return TRUE;
}

typedef struct {
  guint64 name;
  gint64 rank;
  gint64 dims[MEET_DIMS];
} Meeting;

static guint64
hash_text (guint64     hash,
           const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    hash = (hash ^ (guchar) *p) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static char *
describe_dims (const Meeting *meeting)
{
  GString *text = g_string_new ("[");

  for (gint64 i = 0; i < MIN (meeting->rank, MEET_DIMS); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", meeting->dims[i]);
  g_string_append (text, "]");
  return g_string_free (text, FALSE);
}

static gboolean
check_meeting (const Meeting  *first,
               const Meeting  *other,
               const char     *node_name,
               const char     *what,
               gboolean        any_first_dim,
               GError        **error)
{
  gsize from = any_first_dim ? 1 : 0;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  FLOW_REQUIRE (first->name == other->name, error, FAILED_PRECONDITION,
                "Mismatched operations: one rank is at %s, another at another op, dtype or root", node_name);
  if (first->rank == other->rank &&
      memcmp (first->dims + from, other->dims + from, sizeof (gint64) * (MEET_DIMS - from)) == 0)
    return TRUE;
  a = describe_dims (first);
  b = describe_dims (other);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
               "Mismatched %s tensor shapes: One rank sent a tensor of shape %s, but another rank sent a tensor of shape %s.",
               what, a, b);
  return FALSE;
}

gboolean
_flow_ranks_meet (FlowKernelContext  *c,
                  const FlowTensor   *tensor,
                  const char         *what,
                  int                 root,
                  gboolean            any_first_dim,
                  gint64             *first_dims,
                  GError            **error)
{
  int size = _flow_ranks_get_size ();
  g_autofree Meeting *all = g_new0 (Meeting, size);
  Meeting own = { .name = hash_text (G_GUINT64_CONSTANT (0xcbf29ce484222325), c->node_name) };
  Request request = NULL;

  if (!ensure_loaded (error))
    return FALSE;
  own.name = hash_text (own.name, what);
  own.name = (own.name ^ (guint64) tensor->dtype ^ (guint64) root << 8) * G_GUINT64_CONSTANT (0x100000001b3);
  own.rank = FLOW_RANK (tensor);
  for (int i = 0; i < FLOW_RANK (tensor); i++)
    if (i < MEET_DIMS)
      own.dims[i] = FLOW_DIMS (tensor)[i];
    else
      own.name = (own.name ^ (guint64) FLOW_DIMS (tensor)[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  if (!wait_for (c, mpi.iallgather (&own, sizeof own, mpi.byte, all, sizeof own, mpi.byte, mpi.world, &request), &request, error))
    return FALSE;
  for (int i = 1; i < size; i++)
    if (!check_meeting (&all[0], &all[i], c->node_name, what, any_first_dim, error))
      return FALSE;
  for (int i = 0; first_dims != NULL && i < size; i++)
    first_dims[i] = all[i].dims[0];
  return TRUE;
}

static gboolean
check_count (gint64    n,
             GError  **error)
{
  FLOW_REQUIRE (n <= G_MAXINT, error, INVALID_ARGUMENT, "Too much at once for MPI: %" G_GINT64_FORMAT, n);
  return TRUE;
}

static gpointer
mpi_type (FlowDType dtype)
{
  switch ((int) dtype)
    {
    case FLOW_DTYPE_INT32: return mpi.int32;
    case FLOW_DTYPE_INT64: return mpi.int64;
    case FLOW_DTYPE_DOUBLE: return mpi.float64;
    default: return mpi.float32;
    }
}

/* MPI has no half: it is summed in float. */
static gboolean
sum_half (FlowKernelContext  *c,
          const FlowTensor   *tensor,
          FlowTensor         *sum,
          GError            **error)
{
  FlowTensor *wide = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, tensor->shape, error);
  const guint16 *from = tensor->data;
  guint16 *to = sum->data;
  FlowTensor *total = NULL;
  gboolean ok = FALSE;

  if (wide == NULL)
    return FALSE;
  for (gint64 i = 0; i < tensor->n_elements; i++)
    ((float *) wide->data)[i] = flow_half_to_float (from[i]);
  total = flow_kernel_allocate_temp (c, FLOW_DTYPE_FLOAT, tensor->shape, error);
  ok = total != NULL && _flow_ranks_sum (c, wide, total, error);
  for (gint64 i = 0; ok && i < tensor->n_elements; i++)
    to[i] = flow_half_from_float (((const float *) total->data)[i]);
  flow_tensor_unref (wide);
  g_clear_pointer (&total, flow_tensor_unref);
  return ok;
}

gboolean
_flow_ranks_sum (FlowKernelContext  *c,
                 const FlowTensor   *tensor,
                 FlowTensor         *sum,
                 GError            **error)
{
  Request request = NULL;

  if (tensor->dtype == FLOW_DTYPE_HALF)
    return sum_half (c, tensor, sum, error);
  return check_count (tensor->n_elements, error) &&
         wait_for (c, mpi.iallreduce (tensor->data, sum->data, (int) tensor->n_elements, mpi_type (tensor->dtype), mpi.sum,
                                      mpi.world, &request), &request, error);
}

gboolean
_flow_ranks_broadcast (FlowKernelContext  *c,
                       int                 root,
                       FlowTensor         *tensor,
                       GError            **error)
{
  Request request = NULL;

  return check_count ((gint64) tensor->n_bytes, error) &&
         wait_for (c, mpi.ibcast (tensor->data, (int) tensor->n_bytes, mpi.byte, root, mpi.world, &request), &request, error);
}

gboolean
_flow_ranks_gather (FlowKernelContext  *c,
                    const FlowTensor   *tensor,
                    const gint64       *sizes,
                    FlowTensor         *all,
                    GError            **error)
{
  int size = _flow_ranks_get_size ();
  g_autofree int *counts = g_new0 (int, size);
  g_autofree int *offsets = g_new0 (int, size);
  Request request = NULL;
  gint64 at = 0;

  if (!check_count ((gint64) all->n_bytes, error))
    return FALSE;
  for (int i = 0; i < size; i++)
    {
      counts[i] = (int) sizes[i];
      offsets[i] = (int) at;
      at += sizes[i];
    }
  return wait_for (c, mpi.iallgatherv (tensor->data, (int) tensor->n_bytes, mpi.byte, all->data, counts, offsets, mpi.byte,
                                       mpi.world, &request), &request, error);
}

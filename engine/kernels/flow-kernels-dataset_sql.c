/* flow-kernels-dataset_sql.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of the rows that a query finds in an SQLite file. Where an iterator stands is the number of its row; the
 * open file is only kept beside that, and an iterator that was put back asks anew.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-string-private.h"

#include <sqlite3.h>
#include <string.h>

enum { SQL_SOURCE, SQL_QUERY };

/* Of the memory that is left, so much may one cell be of: it is there twice, in SQLite and as a tensor. */
#define CELL_SHARE 4

/* Steps of SQLite's machine between two looks at whether somebody wants to stop. */
#define STEPS_PER_LOOK 10000

/* An answer that is being read. */
typedef struct {
  sqlite3 *db;
  sqlite3_stmt *statement;
  gint64 row;                  /* the next to be given */
} Answer;

static void
answer_close (Answer *self)
{
  g_clear_pointer (&self->statement, sqlite3_finalize);
  g_clear_pointer (&self->db, sqlite3_close);
}

static void
answer_free (gpointer answer)
{
  answer_close (answer);
  g_free (answer);
}

/* The status that TensorFlow makes of one of SQLite's. */
static FlowError
to_error (int status)
{
  static const struct {
    int status;
    FlowError error;
  } errors[] = {
    { SQLITE_ABORT, FLOW_ERROR_ABORTED }, { SQLITE_READONLY, FLOW_ERROR_FAILED_PRECONDITION },
    { SQLITE_MISMATCH, FLOW_ERROR_FAILED_PRECONDITION }, { SQLITE_MISUSE, FLOW_ERROR_INTERNAL },
    { SQLITE_INTERNAL, FLOW_ERROR_INTERNAL }, { SQLITE_RANGE, FLOW_ERROR_OUT_OF_RANGE },
    { SQLITE_CANTOPEN, FLOW_ERROR_INVALID_ARGUMENT }, { SQLITE_CONSTRAINT, FLOW_ERROR_INVALID_ARGUMENT },
    { SQLITE_NOTFOUND, FLOW_ERROR_INVALID_ARGUMENT }, { SQLITE_NOTADB, FLOW_ERROR_INVALID_ARGUMENT },
    { SQLITE_CORRUPT, FLOW_ERROR_DATA_LOSS }, { SQLITE_AUTH, FLOW_ERROR_PERMISSION_DENIED },
    { SQLITE_PERM, FLOW_ERROR_PERMISSION_DENIED }, { SQLITE_FULL, FLOW_ERROR_RESOURCE_EXHAUSTED },
    { SQLITE_TOOBIG, FLOW_ERROR_RESOURCE_EXHAUSTED }, { SQLITE_BUSY, FLOW_ERROR_UNAVAILABLE },
    { SQLITE_LOCKED, FLOW_ERROR_UNAVAILABLE }, { SQLITE_NOMEM, FLOW_ERROR_UNAVAILABLE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    if (errors[i].status == (status & 0xff))
      return errors[i].error;
  return FLOW_ERROR_UNKNOWN;
}

/* A query may read the file that it is of and nothing else. */
static int
authorize (void       *data,
           int         action,
           const char *first,
           const char *second,
           const char *database,
           const char *trigger)
{
  return action == SQLITE_ATTACH ? SQLITE_DENY : SQLITE_OK;
}

static int
look (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static void
limit_cells (Answer     *self,
             FlowBudget *budget)
{
  const guint64 limit = flow_budget_get_limit (budget);
  const guint64 used = flow_budget_get_used (budget);

  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, (int) MIN ((limit - MIN (limit, used)) / CELL_SHARE, G_MAXINT32));
}

static gboolean
open_source (Answer      *self,
             FlowPull    *pull,
             const char  *name,
             GError     **error)
{
  g_autofree char *path = pull->c->host->resolve_path (pull->c->host_data, name, FLOW_PATH_READ, error);
  int status;

  if (path == NULL)
    return FALSE;
  /* TF: makes a file where there is none; what the query then finds wrong is the same in one that is nowhere. */
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    status = sqlite3_open_v2 (path, &self->db, SQLITE_OPEN_READONLY, NULL);
  else
    status = sqlite3_open_v2 (":memory:", &self->db, SQLITE_OPEN_READWRITE, NULL);
  if (status != SQLITE_OK)
    {
      g_set_error (error, FLOW_ERROR, to_error (status), "Sqlite::Open(%s) failed: %s", name, sqlite3_errstr (status));
      return FALSE;
    }
  sqlite3_set_authorizer (self->db, authorize, NULL);
  if (pull->c->budget != NULL)
    limit_cells (self, pull->c->budget);
  return TRUE;
}

static gboolean
prepare (Answer             *self,
         const FlowDataset  *dataset,
         GError            **error)
{
  const Text query = text_at (dataset->tensors[SQL_QUERY], 0);
  g_autofree char *words = _flow_dup_string (dataset->tensors[SQL_QUERY], 0);
  int n_columns;

  if (query.length > G_MAXINT32
      || sqlite3_prepare_v2 (self->db, query.length > 0 ? query.bytes : "", (int) query.length, &self->statement, NULL) != SQLITE_OK)
    {
      g_set_error (error, FLOW_ERROR, to_error (sqlite3_errcode (self->db)), "Prepare() failed: [%d] %s: %s", sqlite3_extended_errcode (self->db),
                   sqlite3_errmsg (self->db), words);
      return FALSE;
    }
  n_columns = sqlite3_column_count (self->statement);
  if ((guint) n_columns != dataset->n_components)
    return _flow_refuse (error, "The number of columns in query (%d) must match the number of elements in output_types (%u).",
                         n_columns, dataset->n_components);
  FLOW_REQUIRE (sqlite3_stmt_readonly (self->statement), error, UNIMPLEMENTED,
                "The query would write the database, and again after each step back: %s", words);
  return TRUE;
}

/* *@done after the last row. */
static gboolean
step (Answer    *self,
      FlowPull  *pull,
      gboolean  *done,
      GError   **error)
{
  int status;

  sqlite3_progress_handler (self->db, STEPS_PER_LOOK, look, pull->c->cancellable);
  status = sqlite3_step (self->statement);
  sqlite3_progress_handler (self->db, 0, NULL, NULL);
  if (status == SQLITE_INTERRUPT && _flow_pull_is_cancelled (pull, error))
    return FALSE;
  if (status != SQLITE_ROW && status != SQLITE_DONE)
    {
      g_set_error (error, FLOW_ERROR, to_error (status), "Step() failed: [%d] %s: %s", sqlite3_extended_errcode (self->db),
                   sqlite3_errmsg (self->db), sqlite3_sql (self->statement));
      return FALSE;
    }
  *done = status == SQLITE_DONE;
  self->row++;
  return TRUE;
}

/* Puts the answer to where row @row comes next; from the beginning on if it is not just there. */
static gboolean
find_row (FlowPosition  *self,
          FlowPull      *pull,
          gint64         row,
          gboolean      *done,
          GError       **error)
{
  Answer *answer = self->dataset->data;

  *done = FALSE;
  if (answer->statement == NULL || answer->row != row || row == 0)
    {
      g_autofree char *name = _flow_dup_string (self->dataset->tensors[SQL_SOURCE], 0);

      answer_close (answer);
      answer->row = 0;
      if (!open_source (answer, pull, name, error) || !prepare (answer, self->dataset, error))
        return FALSE;
    }
  while (answer->row < row && !*done)
    if (!step (answer, pull, done, error))
      return FALSE;
  return TRUE;
}

static FlowTensor *
read_text (sqlite3_stmt *statement,
           int           i)
{
  const char *bytes = sqlite3_column_blob (statement, i);
  const int length = sqlite3_column_bytes (statement, i);
  FlowTensor *tensor = flow_tensor_new_string ("", 0);

  if (bytes != NULL && length > 0)
    flow_tensor_take_string (tensor, 0, g_bytes_new (bytes, (gsize) length));
  return tensor;
}

/* TF: an integer keeps those of its lower bits that fit. */
static FlowTensor *
read_cell (FlowPull      *pull,
           sqlite3_stmt  *statement,
           int            i,
           int            dtype,
           GError       **error)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  const gint64 number = dtype == FLOW_DTYPE_STRING || dtype == FLOW_DTYPE_DOUBLE ? 0 : sqlite3_column_int64 (statement, i);
  FlowTensor *tensor;

  if (dtype == FLOW_DTYPE_STRING)
    return read_text (statement, i);
  tensor = flow_tensor_new ((FlowDType) dtype, scalar, pull->c->budget, error);
  if (tensor == NULL)
    return NULL;
  if (dtype == FLOW_DTYPE_DOUBLE)
    *FLOW_WRITABLE (double, tensor) = sqlite3_column_double (statement, i);
  else if (dtype == FLOW_DTYPE_BOOL)
    *FLOW_WRITABLE (guint8, tensor) = number != 0;
  else if (dtype == FLOW_DTYPE_INT64)
    *FLOW_WRITABLE (gint64, tensor) = number;
  else if (dtype == FLOW_DTYPE_INT32)
    *FLOW_WRITABLE (gint32, tensor) = (gint32) number;
  else if (_flow_cell_size (dtype) == 2)
    *FLOW_WRITABLE (gint16, tensor) = (gint16) number;
  else
    *FLOW_WRITABLE (gint8, tensor) = (gint8) number;
  return tensor;
}

static gboolean
sql_next (FlowPosition  *self,
          FlowPull      *pull,
          FlowTuple    **out,
          GError       **error)
{
  FlowDataset *dataset = self->dataset;
  Answer *answer = dataset->data;
  gboolean done;

  if (!find_row (self, pull, self->numbers[0], &done, error) || (!done && !step (answer, pull, &done, error)))
    return FALSE;
  if (done)
    {
      answer_close (answer);
      return TRUE;
    }
  *out = _flow_tuple_new_counted (dataset->n_components, pull->c->budget, error);
  for (guint i = 0; *out != NULL && i < dataset->n_components; i++)
    {
      (*out)->tensors[i] = read_cell (pull, answer->statement, (int) i, dataset->dtypes[i], error);
      if ((*out)->tensors[i] == NULL)
        g_clear_pointer (out, _flow_tuple_unref);
    }
  self->numbers[0]++;
  return *out != NULL;
}

static const FlowDatasetKind sql_kind = { "SqlDataset", NULL, sql_next, NULL };

static gpointer
sql_construct (FlowKernelConstruction  *c,
               GError                 **error)
{
  static const int dtypes[] = { FLOW_DTYPE_STRING, FLOW_DTYPE_INT8, FLOW_DTYPE_INT16, FLOW_DTYPE_INT32, FLOW_DTYPE_INT64,
                                FLOW_DTYPE_UINT8, FLOW_DTYPE_UINT16, FLOW_DTYPE_BOOL, FLOW_DTYPE_DOUBLE };
  FlowAttr *types = flow_construction_attr (c, "output_types");
  FlowAttr *shapes = flow_construction_attr (c, "output_shapes");

  for (gsize i = 0; i < flow_attr_get_length (types); i++)
    {
      const int dtype = flow_attr_get_dtype (flow_attr_get_item (types, i));
      gboolean known = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (dtypes); k++)
        known = known || dtypes[k] == dtype;
      if (!known)
        {
          _flow_refuse (error, "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, "
                        "DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE ");
          return NULL;
        }
    }
  for (gsize i = 0; i < flow_attr_get_length (shapes); i++)
    if (flow_shape_get_rank (flow_attr_get_shape (flow_attr_get_item (shapes, i))) != 0)
      {
        _flow_refuse (error, "Each element of `output_shapes_` must be a scalar.");
        return NULL;
      }
  return g_new0 (char, 1);
}

static gboolean
sql_compute (FlowKernelContext  *c,
             GError            **error)
{
  FlowDataset *dataset;
  Text driver;

  for (guint i = 0; i < 3; i++)
    if (!flow_is_scalar (flow_kernel_input (c, i)))
      return _flow_refuse (error, "%s must be a scalar", c->signature->inputs[i].name);
  driver = text_at (flow_kernel_input (c, 0), 0);
  if (driver.length != 6 || memcmp (driver.bytes, "sqlite", 6) != 0)
    {
      g_autofree char *name = _flow_dup_string (flow_kernel_input (c, 0), 0);

      return _flow_refuse (error, "The database type, %s, is not supported by SqlDataset. The set of supported databases is: "
                           "{'sqlite'}.", name);
    }
  dataset = _flow_dataset_new (c, &sql_kind);
  for (guint i = 1; i < 3; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, i));
  dataset->data = g_new0 (Answer, 1);
  dataset->data_free = answer_free;
  return _flow_dataset_put (c, dataset, error);
}

#define SQL(op)                                                                                           \
  { .name = op, .inputs = "driver_name: string; data_source_name: string; query: string",                 \
    .outputs = "handle: variant", .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1", \
    .summary = "A dataset of the rows that a query finds", .flags = FLOW_OP_STATEFUL,                     \
    .family = FLOW_OP_FAMILY_IO, .infer = _flow_dataset_infer,                                            \
    .kernels = (const FlowKernelDef[]) { { NULL, sql_compute, sql_construct, g_free }, { NULL } } }

static const FlowOpDef ops[] = {
  SQL ("SqlDataset"),
  SQL ("ExperimentalSqlDataset"),
};

FLOW_DEFINE_OP_FAMILY (dataset_sql, ops)

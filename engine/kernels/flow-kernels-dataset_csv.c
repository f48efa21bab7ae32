/* flow-kernels-dataset_csv.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * A dataset of the records of comma-separated files.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-dataset-private.h"
#include "flow-string-private.h"

#include <locale.h>
#include <string.h>

/* Longest field and most fields of one record. */
#define MAX_FIELD (64 * 1024 * 1024)
#define MAX_FIELDS 1000000

/* The dataset's tensors behind those of all files: the value that stands for nothing, the columns, and a
 * default for each that is given. */
enum { CSV_NA = 2, CSV_COLUMNS, CSV_DEFAULTS };
enum { CSV_HEADER, CSV_DELIMITER, CSV_QUOTES };

typedef struct {
  FlowStream *stream;
  int next;                    /* the byte that is looked at: -1 end, -2 error */
  char delimiter;
  gboolean quotes;
  GError *error;               /* no further byte can be had */
  GError *refusal;             /* of field n_good; the record is read to its end all the same */
  guint n_good;
} Reader;

static int
step (Reader *r)
{
  r->next = _flow_stream_get_byte (r->stream, &r->error);
  return r->next;
}

static gboolean
is_end (const Reader *r)
{
  return r->next == '\n' || r->next == '\r' || r->next < 0;
}

static gboolean
add_byte (Reader  *r,
          GString *field)
{
  if (field->len < MAX_FIELD)
    {
      g_string_append_c (field, (char) r->next);
      return TRUE;
    }
  if (r->error == NULL)
    g_set_error (&r->error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "A field has more than %d bytes", MAX_FIELD);
  return FALSE;
}

static void
note (Reader     *r,
      const char *words)
{
  if (r->refusal == NULL)
    _flow_refuse (&r->refusal, "%s", words);
}

/* From behind the quote to behind the one that ends the field. */
static gboolean
read_quoted (Reader  *r,
             GString *field)
{
  for (step (r); r->next != -2; step (r))
    {
      if (r->next == -1)
        {
          g_clear_error (&r->refusal);
          note (r, "Reached end of file without closing quoted field in record");
          return TRUE;
        }
      if (r->next == '"')
        {
          step (r);
          if (r->next == r->delimiter || is_end (r))
            return r->next != -2;
          if (r->next != '"')
            note (r, "Quote inside a string has to be escaped by another quote");
        }
      if (!add_byte (r, field))
        return FALSE;
    }
  return FALSE;
}

static gboolean
read_plain (Reader  *r,
            GString *field)
{
  for (; r->next != r->delimiter && !is_end (r); step (r))
    {
      if (r->quotes && r->next == '"')
        note (r, "Unquoted fields cannot have quotes inside");
      if (!add_byte (r, field))
        return FALSE;
    }
  return r->next != -2;
}

/* All fields of a record; NULL without an error at the end of the file. */
static GPtrArray *
read_fields (Reader *r)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  if (step (r) < 0)
    return NULL;
  for (;;)
    {
      g_autoptr (GString) field = g_string_new (NULL);

      if (!(r->quotes && r->next == '"' ? read_quoted (r, field) : read_plain (r, field)))
        return NULL;
      g_ptr_array_add (fields, g_bytes_new (field->str, field->len));
      if (r->refusal == NULL)
        r->n_good = fields->len;
      if (fields->len > MAX_FIELDS)
        {
          g_set_error (&r->error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "A record has more than %d fields", MAX_FIELDS);
          return NULL;
        }
      if (r->next != r->delimiter)
        break;
      step (r);
    }
  /* Carriage return and newline are one end. */
  if (r->next == '\r')
    {
      gint64 behind = _flow_stream_tell (r->stream);

      if (step (r) >= 0 && r->next != '\n' && !_flow_stream_seek (r->stream, behind, &r->error) && r->error != NULL)
        return NULL;
    }
  return g_steal_pointer (&fields);
}

static FlowTensor *
make_component (FlowDataset  *dataset,
                guint         i,
                GBytes       *field,
                locale_t      locale,
                GError      **error)
{
  const FlowTensor *missing = dataset->tensors[CSV_DEFAULTS + i];
  Text na = text_at (dataset->tensors[CSV_NA], 0);
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_autoptr (FlowTensor) out = flow_tensor_new_zeros (missing->dtype, scalar, NULL, error);
  Text text;

  text.bytes = g_bytes_get_data (field, &text.length);
  if (out == NULL)
    return NULL;
  if (text.length == 0 || (text.length == na.length && memcmp (text.bytes, na.bytes, na.length) == 0))
    {
      if (missing->n_elements == 1)
        return flow_tensor_reshape (missing, scalar, error);
      _flow_refuse (error, "Field %u is required but missing in record!", i);
      return NULL;
    }
  if (out->dtype == FLOW_DTYPE_STRING)
    {
      flow_tensor_take_string (out, 0, g_bytes_ref (field));
    }
  else if (!_flow_put_number (out, 0, text, locale))
    {
      g_autofree char *shown = g_utf8_make_valid (text.bytes, (gssize) MIN (text.length, 200));

      _flow_refuse (error, "Field %u in record is not a valid %s: %s", i, flow_dtype_string (out->dtype), shown);
      return NULL;
    }
  return g_steal_pointer (&out);
}

/* TF takes the fields one by one: the first that is wrong is told. */
static FlowTuple *
make_element (FlowDataset  *dataset,
              FlowPull     *pull,
              Reader       *r,
              GPtrArray    *fields,
              GError      **error)
{
  const FlowTensor *columns = dataset->tensors[CSV_COLUMNS];
  guint n = dataset->n_tensors - CSV_DEFAULTS;
  gint64 n_columns = columns->n_elements;
  FlowTuple *out = _flow_tuple_new_counted (n, pull->c->budget, error);
  locale_t locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  guint n_made = 0;

  for (; out != NULL && n_made < n; n_made++)
    {
      gint64 column = n_columns == 0 ? n_made : FLOW_DATA (gint64, columns)[n_made];

      if (column >= r->n_good)
        break;
      out->tensors[n_made] = make_component (dataset, n_made, fields->pdata[column], locale, error);
      if (out->tensors[n_made] == NULL)
        g_clear_pointer (&out, _flow_tuple_unref);
    }
  freelocale (locale);
  if (out == NULL)
    return NULL;
  if (r->refusal == NULL && n_made < n)
    _flow_refuse (&r->refusal, "Expect %u fields but have %u in record", n, n_made);
  else if (r->refusal == NULL && n_columns == 0 && fields->len > n)
    _flow_refuse (&r->refusal, "Expect %u fields but have more in record", n);
  if (r->refusal == NULL)
    return out;
  g_propagate_error (error, g_steal_pointer (&r->refusal));
  _flow_tuple_unref (out);
  return NULL;
}

static gboolean
csv_next (FlowPosition  *self,
          FlowPull      *pull,
          FlowTuple    **out,
          GError       **error)
{
  FlowDataset *dataset = self->dataset;

  for (;;)
    {
      Reader r = { .delimiter = (char) dataset->numbers[CSV_DELIMITER], .quotes = dataset->numbers[CSV_QUOTES] != 0 };
      g_autoptr (GPtrArray) fields = NULL;
      gboolean done;
      gboolean past;

      if (_flow_pull_is_cancelled (pull, error) || !_flow_dataset_open_file (self, pull, &done, &past, error))
        return FALSE;
      if (done)
        return TRUE;
      r.stream = self->stream;
      if (dataset->numbers[CSV_HEADER] && self->numbers[FLOW_FILE_OFFSET] == 0 && !past)
        {
          g_autoptr (GBytes) header = _flow_stream_read_line (self->stream, &r.error);

          if (header == NULL && r.error == NULL)
            _flow_refuse (&r.error, "Can't read header of file");
        }
      fields = past || r.error != NULL ? NULL : read_fields (&r);
      self->numbers[FLOW_FILE_OFFSET] = _flow_stream_tell (self->stream);
      if (r.error != NULL)
        {
          g_clear_error (&r.refusal);
          g_propagate_error (error, r.error);
          return FALSE;
        }
      if (fields != NULL)
        {
          *out = make_element (dataset, pull, &r, fields, error);
          g_clear_error (&r.refusal);
          return *out != NULL;
        }
      _flow_dataset_leave_file (self);
    }
}

static const FlowDatasetKind csv_kind = { "CSVDataset", NULL, csv_next, NULL };

static gboolean
check_columns (FlowKernelContext  *c,
               guint               n,
               GError            **error)
{
  const FlowTensor *columns = flow_kernel_input (c, 7);

  if (!flow_is_vector (columns))
    return _flow_refuse (error, "`select_cols` must be a vector.");
  if (columns->n_elements != 0 && columns->n_elements != n)
    return _flow_refuse (error, "select_cols should match output size");
  for (gint64 i = 0; i < columns->n_elements; i++)
    {
      gint64 column = FLOW_DATA (gint64, columns)[i];

      if (column < 0)
        return _flow_refuse (error, "select_cols should be non-negative indices");
      if (i > 0 && column <= FLOW_DATA (gint64, columns)[i - 1])
        return _flow_refuse (error, "select_cols should be strictly increasing indices");
    }
  for (guint i = 0; i < n; i++)
    {
      const FlowTensor *missing = flow_kernel_input (c, 8 + i);

      if (FLOW_RANK (missing) > 1)
        return _flow_refuse (error, "Each record default should be at most rank 1.");
      if (missing->n_elements > 1)
        return _flow_refuse (error, "There should only be 1 default per field but field %u has %" G_GINT64_FORMAT, i,
                             missing->n_elements);
    }
  return TRUE;
}

/* TF 2: columns may be told by those that are left out. NULL with no error: there are none of these. */
static FlowTensor *
columns_but (FlowKernelContext  *c,
             guint               n,
             GError            **error)
{
  const FlowTensor *excluded = flow_kernel_input (c, c->n_inputs - 1);
  g_autoptr (FlowShape) shape = flow_shape_new_vector (n);
  FlowTensor *columns;
  gint64 column = 0;
  gint64 at = 0;

  if (!flow_is_vector (excluded))
    return _flow_refuse (error, "`exclude_cols` must be a vector"), NULL;
  if (excluded->n_elements == 0)
    return NULL;
  if (flow_kernel_input (c, 7)->n_elements > 0)
    return _flow_refuse (error, "Either select_cols or exclude_cols should be empty"), NULL;
  for (gint64 i = 0; i < excluded->n_elements; i++)
    {
      if (FLOW_DATA (gint64, excluded)[i] < 0)
        return _flow_refuse (error, "exclude_cols should be non-negative indices"), NULL;
      if (i > 0 && FLOW_DATA (gint64, excluded)[i] <= FLOW_DATA (gint64, excluded)[i - 1])
        return _flow_refuse (error, "exclude_cols should be strictly increasing indices"), NULL;
    }
  columns = flow_tensor_new (FLOW_DTYPE_INT64, shape, c->budget, error);
  for (guint i = 0; columns != NULL && i < n; column++)
    if (at < excluded->n_elements && FLOW_DATA (gint64, excluded)[at] == column)
      at++;
    else
      FLOW_WRITABLE (gint64, columns)[i++] = column;
  return columns;
}

static gboolean
csv_compute (FlowKernelContext *c,
             GError           **error)
{
  static const char *const names[] = { "header", "field_delim", "use_quote_delim", "na_value" };
  gboolean excludes = g_str_has_suffix (c->signature->name, "V2");
  guint n = c->n_inputs - (excludes ? 9 : 8);
  g_autoptr (FlowTensor) compression = NULL;
  g_autoptr (FlowTensor) columns = NULL;
  g_autoptr (GError) failure = NULL;
  FlowDataset *dataset;
  gint64 buffer_size;
  Text delimiter;

  if (FLOW_RANK (flow_kernel_input (c, 0)) > 1)
    return _flow_refuse (error, "`filenames` must be a scalar or a vector.");
  compression = _flow_dataset_read_compression (c, 1, &failure);
  if (compression == NULL)
    {
      Text name = flow_kernel_input (c, 1)->n_elements > 0 ? text_at (flow_kernel_input (c, 1), 0) : (Text) { "", 0 };

      if (flow_is_scalar (flow_kernel_input (c, 1)))
        return _flow_refuse (error, "Unsupported compression_type: %.*s.", (int) MIN (name.length, 200), name.bytes);
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (!_flow_dataset_read_int (c, 2, "buffer_size", &buffer_size, error))
    return FALSE;
  if (buffer_size <= 0)
    return _flow_refuse (error, "buffer_size should be positive");
  for (guint i = 0; i < 4; i++)
    if (!flow_is_scalar (flow_kernel_input (c, 3 + i)))
      return _flow_refuse (error, "%s must be a scalar", names[i]);
  delimiter = text_at (flow_kernel_input (c, 4), 0);
  if (delimiter.length != 1)
    return _flow_refuse (error, "field_delim should be only 1 char");
  if (!check_columns (c, n, error))
    return FALSE;
  if (excludes)
    {
      g_autoptr (GError) why = NULL;

      columns = columns_but (c, n, &why);
      if (why != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return FALSE;
        }
    }
  dataset = _flow_dataset_new (c, &csv_kind);
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 0));
  _flow_dataset_add_tensor (dataset, compression);
  _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 6));
  _flow_dataset_add_tensor (dataset, columns != NULL ? columns : flow_kernel_input (c, 7));
  for (guint i = 0; i < n; i++)
    _flow_dataset_add_tensor (dataset, flow_kernel_input (c, 8 + i));
  dataset->numbers[CSV_HEADER] = FLOW_DATA (guint8, flow_kernel_input (c, 3))[0] != 0;
  dataset->numbers[CSV_DELIMITER] = delimiter.bytes[0];
  dataset->numbers[CSV_QUOTES] = FLOW_DATA (guint8, flow_kernel_input (c, 5))[0] != 0;
  return _flow_dataset_put (c, dataset, error);
}

#define CSV_INPUTS                                                                                   \
  "filenames: string; compression_type: string; buffer_size: int64; header: bool; "                  \
  "field_delim: string; use_quote_delim: bool; na_value: string; select_cols: int64; "               \
  "record_defaults: output_types"

static const FlowOpDef ops[] = {
  {
    .name = "CSVDatasetV2",
    .inputs = CSV_INPUTS "; exclude_cols: int64",
    .outputs = "handle: variant",
    .attrs = "output_types: list({float, double, int32, int64, string}) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "A dataset of the records of comma-separated files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, csv_compute }, { NULL } },
  },
  {
    .name = "CSVDataset",
    .inputs = CSV_INPUTS,
    .outputs = "handle: variant",
    .attrs = "output_types: list({float, double, int32, int64, string}) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "A dataset of the records of comma-separated files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, csv_compute }, { NULL } },
  },
  {
    .name = "ExperimentalCSVDataset",
    .inputs = CSV_INPUTS,
    .outputs = "handle: variant",
    .attrs = "output_types: list({float, double, int32, int64, string}) >= 1; output_shapes: "
             "list(shape) >= 1",
    .summary = "A dataset of the records of comma-separated files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = _flow_dataset_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, csv_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_csv, ops)

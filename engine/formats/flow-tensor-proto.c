/* flow-tensor-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-tensor-proto.h"

#include "flow-attr.h"

#include "flow-formats-private.h"

#include <string.h>

/* Strings up to this size are copied: a slice of the file costs as much and keeps the file alive. */
#define SMALL_STRING 64

/* The fields of TensorProto. */
enum {
  FIELD_DTYPE = 1,
  FIELD_SHAPE = 2,
  FIELD_CONTENT = 4,
  FIELD_FLOAT = 5,
  FIELD_DOUBLE = 6,
  FIELD_INT = 7,
  FIELD_STRING = 8,
  FIELD_SCOMPLEX = 9,
  FIELD_INT64 = 10,
  FIELD_BOOL = 11,
  FIELD_DCOMPLEX = 12,
  FIELD_HALF = 13,
  FIELD_RESOURCE = 14,
  FIELD_VARIANT = 15,
  FIELD_UINT32 = 16,
  FIELD_UINT64 = 17,
};

/* Which field holds the values of a dtype. */
static const guint8 value_fields[FLOW_N_DTYPES] = {
  [FLOW_DTYPE_FLOAT] = FIELD_FLOAT,
  [FLOW_DTYPE_DOUBLE] = FIELD_DOUBLE,
  [FLOW_DTYPE_INT32] = FIELD_INT,
  [FLOW_DTYPE_UINT8] = FIELD_INT,
  [FLOW_DTYPE_INT16] = FIELD_INT,
  [FLOW_DTYPE_INT8] = FIELD_INT,
  [FLOW_DTYPE_STRING] = FIELD_STRING,
  [FLOW_DTYPE_COMPLEX64] = FIELD_SCOMPLEX,
  [FLOW_DTYPE_INT64] = FIELD_INT64,
  [FLOW_DTYPE_BOOL] = FIELD_BOOL,
  [FLOW_DTYPE_QINT8] = FIELD_INT,
  [FLOW_DTYPE_QUINT8] = FIELD_INT,
  [FLOW_DTYPE_QINT32] = FIELD_INT,
  [FLOW_DTYPE_BFLOAT16] = FIELD_HALF,
  [FLOW_DTYPE_QINT16] = FIELD_INT,
  [FLOW_DTYPE_QUINT16] = FIELD_INT,
  [FLOW_DTYPE_UINT16] = FIELD_INT,
  [FLOW_DTYPE_COMPLEX128] = FIELD_DCOMPLEX,
  [FLOW_DTYPE_HALF] = FIELD_HALF,
  [FLOW_DTYPE_RESOURCE] = FIELD_RESOURCE,
  [FLOW_DTYPE_VARIANT] = FIELD_VARIANT,
  [FLOW_DTYPE_UINT32] = FIELD_UINT32,
  [FLOW_DTYPE_UINT64] = FIELD_UINT64,
};

/* --- Shapes --- */

typedef struct {
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  guint n_dims;
  gboolean unknown_rank;
} ShapeFields;

static void
read_shape_fields (FlowProtoReader *r,
                   ShapeFields     *fields)
{
  FlowProtoReader dim;

  while (flow_proto_reader_next (r))
    {
      gint64 size = 0;

      if (r->field == 3)
        flow_proto_reader_get_bool (r, &fields->unknown_rank);
      else if (r->field == 2 && flow_proto_reader_enter (r, &dim))
        {
          while (flow_proto_reader_next (&dim))
            if (dim.field == 1)
              flow_proto_reader_get_int64 (&dim, &size);
          if (fields->n_dims < FLOW_SHAPE_MAX_RANK)
            fields->dims[fields->n_dims] = size;
          fields->n_dims++;
        }
    }
}

/* As the file has it: -1 is `?`, other illegal dims stand as they are. */
static char *
describe_dims (const ShapeFields *fields)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < fields->n_dims; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      if (fields->dims[i] == -1)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, fields->dims[i]);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* TF: TensorShapeBase::IsValidShape, in its order and words. */
static FlowShape *
make_shape (const ShapeFields  *fields,
            gboolean            is_partial,
            GError            **error)
{
  g_autofree char *text = NULL;
  const char *problem = NULL;
  gint64 n_elements = 1;

  if (fields->unknown_rank && is_partial)
    {
      if (fields->n_dims == 0)
        return flow_shape_new_unknown ();
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "An unknown shape must not have any dimensions set.");
      return NULL;
    }
  if (fields->unknown_rank)
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Shape <unknown> is not fully defined");
      return NULL;
    }
  if (fields->n_dims > FLOW_SHAPE_MAX_RANK)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Shape of %u dimensions has too many dimensions (at most %d)", fields->n_dims,
                   FLOW_SHAPE_MAX_RANK);
      return NULL;
    }
  for (guint i = 0; i < fields->n_dims && problem == NULL; i++)
    {
      gint64 dim = fields->dims[i];

      if (dim < (is_partial ? -1 : 0))
        problem = is_partial ? "has dimensions with values below -1 (where -1 means unknown)"
                             : "is not fully defined";
      else if (dim < 0)
        n_elements = -1;
      else if (n_elements >= 0 && !flow_mul_int64 (n_elements, dim, &n_elements))
        problem = "is too large (more than 2**63 - 1 entries)";
    }
  if (problem == NULL)
    return flow_shape_new ((int) fields->n_dims, fields->dims);
  text = describe_dims (fields);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Shape %s %s", text, problem);
  return NULL;
}

/**
 * flow_shape_read_proto: (skip)
 * @reader: a reader of a TensorShapeProto
 * @is_partial: whether unknown rank and dims may be
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the shape; %NULL with `FLOW_ERROR_INVALID_ARGUMENT` in
 *   TensorFlow's words if it is none, and without an error if @reader failed
 */
FlowShape *
flow_shape_read_proto (FlowProtoReader  *reader,
                       gboolean          is_partial,
                       GError          **error)
{
  ShapeFields fields;

  fields.n_dims = 0;
  fields.unknown_rank = FALSE;
  read_shape_fields (reader, &fields);
  if (flow_proto_reader_failed (reader))
    return NULL;
  return make_shape (&fields, is_partial, error);
}

/**
 * flow_shape_write_proto: (skip)
 * @shape: a shape
 * @writer: a writer inside a TensorShapeProto
 *
 * Writes the fields of a TensorShapeProto.
 */
void
flow_shape_write_proto (const FlowShape *shape,
                        FlowProtoWriter *writer)
{
  int rank = flow_shape_get_rank (shape);

  if (rank == FLOW_RANK_UNKNOWN)
    flow_proto_writer_add_int (writer, 3, 1);
  for (int i = 0; i < rank; i++)
    {
      flow_proto_writer_begin (writer, 2);
      flow_proto_writer_set_int (writer, 1, flow_shape_get_dim (shape, i));
      flow_proto_writer_end (writer);
    }
}

/* --- Reading --- */

typedef struct {
  GBytes *encoded;
  const guint8 *data;
  gsize size;
  int dtype;
  const guint8 *content;
  gsize content_size;
  ShapeFields shape;
} TensorFields;

/* Elements of 1 to 16 bytes: where a value goes and how many there are already. */
typedef struct {
  guint8 *cells;
  gsize cell_size;
  guint64 n_cells;
  guint64 n_filled;
} Cells;

static gboolean
read_tensor_fields (TensorFields  *t,
                    GError       **error)
{
  FlowProtoReader r;
  FlowProtoReader sub;

  flow_proto_reader_init (&r, t->data, t->size);
  while (flow_proto_reader_next (&r))
    {
      if (r.field == FIELD_DTYPE)
        flow_proto_reader_get_int32 (&r, &t->dtype);
      else if (r.field == FIELD_SHAPE && flow_proto_reader_enter (&r, &sub))
        read_shape_fields (&sub, &t->shape);
      else if (r.field == FIELD_CONTENT)
        flow_proto_reader_get_bytes (&r, &t->content, &t->content_size);
    }
  if (!flow_proto_reader_finish (&r, "tensor", error))
    return FALSE;
  if (t->dtype <= 0 || t->dtype >= FLOW_N_DTYPES)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Cannot parse tensor from proto: invalid DataType enum %d", t->dtype);
      return FALSE;
    }
  return TRUE;
}

static void
put_cell (Cells         *cells,
          gconstpointer  value)
{
  if (cells->n_filled < cells->n_cells)
    memcpy (cells->cells + cells->n_filled * cells->cell_size, value, cells->cell_size);
  cells->n_filled++;
}

/* Little endian: the low bytes of a number are the element, as TensorFlow's truncation does. */
static void
fill_from_field (FlowProtoReader *r,
                 Cells           *cells)
{
  guint64 number;
  float single;
  double real;

  switch (r->field)
    {
    /* Of complex numbers these are halves, and the caller counts in halves. */
    case FIELD_FLOAT:
    case FIELD_SCOMPLEX:
      while (flow_proto_reader_each_float (r, &single))
        put_cell (cells, &single);
      break;

    case FIELD_DOUBLE:
    case FIELD_DCOMPLEX:
      while (flow_proto_reader_each_double (r, &real))
        put_cell (cells, &real);
      break;

    case FIELD_BOOL:
      while (flow_proto_reader_each_varint (r, &number))
        {
          guint8 truth = number != 0;

          put_cell (cells, &truth);
        }
      break;

    default:
      while (flow_proto_reader_each_varint (r, &number))
        put_cell (cells, &number);
      break;
    }
}

/* TF: the last value given fills the rest; without any all are zero. */
static void
repeat_last (Cells *cells)
{
  guint64 have = MIN (cells->n_filled, cells->n_cells);
  gsize size = cells->cell_size;

  if (have == 0)
    {
      memset (cells->cells, 0, cells->n_cells * size);
      return;
    }
  for (guint64 begin = have, n = 1; begin < cells->n_cells; begin += n, n *= 2)
    {
      n = MIN (n, cells->n_cells - begin);
      memcpy (cells->cells + begin * size, cells->cells + (begin - n) * size, n * size);
    }
}

static gboolean
fill_numbers (TensorFields  *t,
              FlowTensor    *tensor,
              GError       **error)
{
  gboolean is_complex = flow_dtype_is_complex (t->dtype);
  Cells cells = { flow_tensor_get_writable (tensor), flow_dtype_size (t->dtype),
                  (guint64) flow_tensor_get_n_elements (tensor), 0 };
  FlowProtoReader r;

  if (is_complex)
    {
      cells.cell_size /= 2;
      cells.n_cells *= 2;
    }
  flow_proto_reader_init (&r, t->data, t->size);
  while (flow_proto_reader_next (&r) && cells.n_filled < cells.n_cells)
    if (r.field == value_fields[t->dtype])
      fill_from_field (&r, &cells);
  if (!flow_proto_reader_finish (&r, "tensor", error))
    return FALSE;
  if (is_complex)
    {
      cells.n_filled /= 2;
      cells.n_cells /= 2;
      cells.cell_size *= 2;
    }
  repeat_last (&cells);
  return TRUE;
}

static GBytes *
slice_bytes (GBytes       *whole,
             const guint8 *data,
             gsize         size)
{
  const guint8 *start = g_bytes_get_data (whole, NULL);

  if (size == 0)
    return NULL;
  if (size <= SMALL_STRING)
    return g_bytes_new (data, size);
  return g_bytes_new_from_bytes (whole, (gsize) (data - start), size);
}

static FlowHandle *
read_handle (FlowProtoReader *r)
{
  g_autofree char *container = NULL;
  g_autofree char *name = NULL;
  g_autofree char *type_name = NULL;
  g_autoptr (FlowShape) shape = NULL;
  FlowProtoReader sub;
  FlowProtoReader inner;
  int dtype = FLOW_DTYPE_INVALID;

  while (flow_proto_reader_next (r))
    switch (r->field)
      {
      case 2: flow_proto_reader_dup_string (r, &container); break;
      case 3: flow_proto_reader_dup_string (r, &name); break;
      case 5: flow_proto_reader_dup_string (r, &type_name); break;
      case 6:
        if (!flow_proto_reader_enter (r, &sub))
          break;
        while (flow_proto_reader_next (&sub))
          if (sub.field == 1)
            flow_proto_reader_get_int32 (&sub, &dtype);
          else if (sub.field == 2 && flow_proto_reader_enter (&sub, &inner))
            {
              g_clear_pointer (&shape, flow_shape_unref);
              shape = flow_shape_read_proto (&inner, TRUE, NULL);
            }
        break;
      default: break;
      }
  if (flow_proto_reader_failed (r))
    return NULL;
  return flow_handle_new (container != NULL ? container : "", name != NULL ? name : "",
                          type_name != NULL ? type_name : "", dtype, shape);
}

/* Strings and handles; returns FALSE with an error for variants, of which only empty ones are. */
static gboolean
fill_cells (TensorFields  *t,
            FlowTensor    *tensor,
            GError       **error)
{
  guint64 n = (guint64) flow_tensor_get_n_elements (tensor);
  guint64 filled = 0;
  FlowProtoReader r;
  FlowProtoReader sub;

  flow_proto_reader_init (&r, t->data, t->size);
  while (flow_proto_reader_next (&r) && filled < n)
    {
      if (r.field != value_fields[t->dtype] || r.wire != FLOW_WIRE_BYTES)
        continue;
      FLOW_REQUIRE (t->dtype != FLOW_DTYPE_VARIANT, error, UNIMPLEMENTED,
                    "Cannot parse tensor from proto: a constant of dtype variant");
      if (t->dtype == FLOW_DTYPE_STRING)
        flow_tensor_take_string (tensor, (gint64) filled, slice_bytes (t->encoded, r.data, r.size));
      else if (flow_proto_reader_enter (&r, &sub))
        FLOW_WRITABLE (FlowHandle *, tensor)[filled] = read_handle (&sub);
      filled++;
    }
  if (!flow_proto_reader_finish (&r, "tensor", error))
    return FALSE;
  if (filled == 0 || filled == n)
    return TRUE;
  if (t->dtype == FLOW_DTYPE_STRING)
    {
      GBytes *last = FLOW_WRITABLE (GBytes *, tensor)[filled - 1];

      for (guint64 i = filled; i < n; i++)
        flow_tensor_take_string (tensor, (gint64) i, last != NULL ? g_bytes_ref (last) : NULL);
    }
  else
    {
      FlowHandle *last = FLOW_WRITABLE (FlowHandle *, tensor)[filled - 1];

      for (guint64 i = filled; i < n; i++)
        FLOW_WRITABLE (FlowHandle *, tensor)[i] = flow_handle_ref (last);
    }
  return TRUE;
}

/* tensor_content of strings: all lengths as varints, then all bytes. */
static gboolean
fill_strings_from_content (TensorFields  *t,
                           FlowTensor    *tensor,
                           GError       **error)
{
  gint64 n = flow_tensor_get_n_elements (tensor);
  const guint8 *end = t->content + t->content_size;
  const guint8 *lengths = t->content;
  const guint8 *bytes = t->content;
  guint64 total = 0;
  guint64 length = 0;

  for (gint64 i = 0; i < n; i++)
    {
      FLOW_REQUIRE (flow_proto_read_varint (&bytes, end, &length) && length <= t->content_size,
                    error, INVALID_ARGUMENT, "Cannot parse tensor from proto: the lengths of its "
                    "strings end early");
      total += length;
    }
  FLOW_REQUIRE (total == (guint64) (end - bytes), error, INVALID_ARGUMENT,
                "Cannot parse tensor from proto: its strings take %" G_GUINT64_FORMAT
                " bytes, it has %" G_GSIZE_FORMAT, total, (gsize) (end - bytes));
  for (gint64 i = 0; i < n; i++)
    {
      flow_proto_read_varint (&lengths, end, &length);
      flow_tensor_take_string (tensor, i, slice_bytes (t->encoded, bytes, (gsize) length));
      bytes += length;
    }
  return TRUE;
}

static FlowTensor *
tensor_from_content (TensorFields     *t,
                     const FlowShape  *shape,
                     gint64            n_elements,
                     FlowBudget       *budget,
                     GError          **error)
{
  const guint8 *start = g_bytes_get_data (t->encoded, NULL);
  g_autoptr (FlowTensor) tensor = NULL;
  g_autoptr (GBytes) part = NULL;
  g_autofree char *text = NULL;
  gint64 n_bytes;

  if (t->dtype == FLOW_DTYPE_STRING)
    {
      /* Each string has at least one byte of length: no array is made that the file does not fill. */
      if ((guint64) n_elements <= t->content_size)
        {
          tensor = flow_tensor_new (FLOW_DTYPE_STRING, shape, budget, error);
          if (tensor == NULL || !fill_strings_from_content (t, tensor, error))
            return NULL;
          return g_steal_pointer (&tensor);
        }
    }
  else if (t->dtype != FLOW_DTYPE_RESOURCE && t->dtype != FLOW_DTYPE_VARIANT &&
           flow_mul_int64 (n_elements, (gint64) flow_dtype_size (t->dtype), &n_bytes) &&
           (guint64) n_bytes == t->content_size)
    {
      part = g_bytes_new_from_bytes (t->encoded, (gsize) (t->content - start), t->content_size);
      return flow_tensor_new_from_bytes (t->dtype, shape, part, error);
    }
  text = flow_shape_to_string (shape);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "Cannot parse tensor from proto: tensor_content of %" G_GSIZE_FORMAT
               " bytes for dtype %s and shape %s", t->content_size, flow_dtype_string (t->dtype), text);
  return NULL;
}

/**
 * flow_tensor_from_proto:
 * @encoded: the bytes of a TensorProto
 * @budget: (nullable): what pays for the elements
 * @error: return location
 *
 * Decodes a tensor by TensorFlow's rules: `tensor_content` wins over typed values; of too many values
 * the first are used, of too few the last repeats, of none all are zero. Aligned `tensor_content` is
 * used where it lies.
 *
 * Returns: (transfer full) (nullable): the tensor; %NULL with `FLOW_ERROR_DATA_LOSS` for bytes that
 *   are no message, `FLOW_ERROR_INVALID_ARGUMENT` for a dtype, shape or content that may not be,
 *   `FLOW_ERROR_RESOURCE_EXHAUSTED` for what @budget refuses
 */
FlowTensor *
flow_tensor_from_proto (GBytes      *encoded,
                        FlowBudget  *budget,
                        GError     **error)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  TensorFields t;
  gint64 n_elements;
  gboolean done;

  g_return_val_if_fail (encoded != NULL, NULL);

  memset (&t, 0, sizeof t);
  t.encoded = encoded;
  t.data = g_bytes_get_data (encoded, &t.size);
  if (!read_tensor_fields (&t, error))
    return NULL;
  shape = make_shape (&t.shape, FALSE, error);
  if (shape == NULL)
    {
      g_prefix_error (error, "Cannot parse tensor from proto: ");
      return NULL;
    }
  if (!flow_shape_n_elements (shape, &n_elements))
    {
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                           "Cannot parse tensor from proto: too many elements");
      return NULL;
    }
  if (t.content_size > 0 && n_elements > 0)
    return tensor_from_content (&t, shape, n_elements, budget, error);

  tensor = flow_tensor_new (t.dtype, shape, budget, error);
  if (tensor == NULL)
    return NULL;
  if (value_fields[t.dtype] == FIELD_STRING || value_fields[t.dtype] == FIELD_RESOURCE ||
      value_fields[t.dtype] == FIELD_VARIANT)
    done = fill_cells (&t, tensor, error);
  else
    done = fill_numbers (&t, tensor, error);
  return done ? g_steal_pointer (&tensor) : NULL;
}

/* What all constants of all open graphs may take when they are spelled out: a file of 20 bytes can
 * stand for 40 GB. */
static FlowBudget *
get_constants_budget (void)
{
  static gsize budget = 0;

  if (g_once_init_enter (&budget))
    g_once_init_leave (&budget, (gsize) flow_budget_new (flow_budget_default_limit ()));
  return (FlowBudget *) budget;
}

/**
 * flow_tensor_decode_constant: (skip)
 * @encoded: the bytes of a TensorProto
 * @error: return location
 *
 * The #FlowTensorDecoder of attrs that were read from a file: flow_tensor_from_proto() within a
 * budget that all constants of the process share.
 *
 * Returns: (transfer full) (nullable): the tensor
 */
FlowTensor *
flow_tensor_decode_constant (GBytes  *encoded,
                             GError **error)
{
  return flow_tensor_from_proto (encoded, get_constants_budget (), error);
}

/* Reads dtype and shape of a TensorProto without its values; used when a graph is opened. The shape
 * is NULL with an error where it may not be. */
FlowShape *
_flow_tensor_proto_peek (FlowProtoReader  *reader,
                         int              *dtype,
                         GError          **error)
{
  FlowProtoReader sub;
  ShapeFields fields;

  fields.n_dims = 0;
  fields.unknown_rank = FALSE;
  *dtype = FLOW_DTYPE_INVALID;
  while (flow_proto_reader_next (reader))
    if (reader->field == FIELD_DTYPE)
      flow_proto_reader_get_int32 (reader, dtype);
    else if (reader->field == FIELD_SHAPE && flow_proto_reader_enter (reader, &sub))
      read_shape_fields (&sub, &fields);
  if (flow_proto_reader_failed (reader))
    return NULL;
  return make_shape (&fields, FALSE, error);
}

/* --- Writing --- */

static void
write_handle (const FlowHandle *handle,
              FlowProtoWriter  *writer)
{
  flow_proto_writer_begin (writer, FIELD_RESOURCE);
  if (handle != NULL)
    {
      flow_proto_writer_set_string (writer, 2, handle->container);
      flow_proto_writer_set_string (writer, 3, handle->name);
      flow_proto_writer_set_string (writer, 5, handle->type_name);
      if (handle->dtype != FLOW_DTYPE_INVALID && handle->shape != NULL)
        {
          flow_proto_writer_begin (writer, 6);
          flow_proto_writer_set_int (writer, 1, handle->dtype);
          flow_proto_writer_begin (writer, 2);
          flow_shape_write_proto (handle->shape, writer);
          flow_proto_writer_end (writer);
          flow_proto_writer_end (writer);
        }
    }
  flow_proto_writer_end (writer);
}

static void
write_cells (const FlowTensor *tensor,
             FlowProtoWriter  *writer)
{
  gint64 n = flow_tensor_get_n_elements (tensor);

  for (gint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *text;

      if (flow_tensor_get_dtype (tensor) == FLOW_DTYPE_RESOURCE)
        {
          write_handle (FLOW_WRITABLE (FlowHandle *, tensor)[i], writer);
          continue;
        }
      text = flow_tensor_get_string (tensor, i, &length);
      flow_proto_writer_add_bytes (writer, FIELD_STRING, text, length);
    }
}

/* Python's make_tensor_proto: these dtypes have a typed field only, whatever the number of elements. */
static gboolean
is_never_content (int dtype)
{
  const guint32 field = value_fields[dtype];

  return field == FIELD_HALF || field == FIELD_BOOL || field == FIELD_SCOMPLEX || field == FIELD_DCOMPLEX;
}

/* Scalars stand in their typed field, as Python's make_tensor_proto writes them. */
static void
write_values (const FlowTensor *tensor,
              FlowProtoWriter  *writer)
{
  const int dtype = flow_tensor_get_dtype (tensor);
  const guint8 *data = flow_tensor_get_data (tensor);
  const gint64 n = flow_tensor_get_n_elements (tensor);
  const gsize size = flow_tensor_get_n_bytes (tensor);
  const guint32 field = value_fields[dtype];

  if (field == FIELD_FLOAT || field == FIELD_DOUBLE || field == FIELD_SCOMPLEX || field == FIELD_DCOMPLEX)
    {
      flow_proto_writer_add_bytes (writer, field, data, size);
      return;
    }
  flow_proto_writer_begin (writer, field);
  for (gint64 i = 0; i < n; i++)
    {
      guint64 bits = 0;

      if (field == FIELD_HALF || field == FIELD_BOOL || field == FIELD_UINT32 || field == FIELD_UINT64)
        memcpy (&bits, data + (gsize) i * (size / (gsize) n), size / (gsize) n);
      else
        bits = (guint64) flow_tensor_get_int (tensor, i);
      flow_proto_writer_append_varint (writer, bits);
    }
  flow_proto_writer_end (writer);
}

/**
 * flow_tensor_write_proto: (skip)
 * @tensor: a tensor; of variants nothing but the shape is written
 * @writer: a writer inside a TensorProto
 *
 * Writes the fields of a TensorProto: scalars, strings, bool, half and complex as typed values, all
 * others as `tensor_content`.
 */
void
flow_tensor_write_proto (const FlowTensor *tensor,
                         FlowProtoWriter  *writer)
{
  int dtype = flow_tensor_get_dtype (tensor);
  gint64 n = flow_tensor_get_n_elements (tensor);

  flow_proto_writer_set_int (writer, FIELD_DTYPE, dtype);
  flow_proto_writer_begin (writer, FIELD_SHAPE);
  flow_shape_write_proto (flow_tensor_get_shape (tensor), writer);
  flow_proto_writer_end (writer);
  if (dtype == FLOW_DTYPE_STRING || dtype == FLOW_DTYPE_RESOURCE)
    write_cells (tensor, writer);
  else if (dtype != FLOW_DTYPE_VARIANT && (n == 1 || (n > 0 && is_never_content (dtype))))
    write_values (tensor, writer);
  else if (n > 0 && dtype != FLOW_DTYPE_VARIANT)
    flow_proto_writer_add_bytes (writer, FIELD_CONTENT, flow_tensor_get_data (tensor),
                                 flow_tensor_get_n_bytes (tensor));
}

/**
 * flow_tensor_to_proto:
 * @tensor: a tensor
 * @error: return location
 *
 * Returns: (transfer full) (nullable): @tensor as a TensorProto; %NULL with
 *   `FLOW_ERROR_RESOURCE_EXHAUSTED` beyond the format's 2 GiB
 */
GBytes *
flow_tensor_to_proto (const FlowTensor  *tensor,
                      GError           **error)
{
  FlowProtoWriter writer;

  g_return_val_if_fail (tensor != NULL, NULL);

  flow_proto_writer_init (&writer);
  flow_tensor_write_proto (tensor, &writer);
  return flow_proto_writer_finish (&writer, error);
}

/* Strings in `tensor_content`: all lengths, then all bytes. */
static void
write_string_content (const FlowTensor *tensor,
                      FlowProtoWriter  *writer)
{
  flow_proto_writer_begin (writer, FIELD_CONTENT);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;

      flow_tensor_get_string (tensor, i, &length);
      flow_proto_writer_append_varint (writer, length);
    }
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      gsize length;
      const char *bytes = flow_tensor_get_string (tensor, i, &length);

      flow_proto_writer_append (writer, bytes, length);
    }
  flow_proto_writer_end_or_drop (writer);
}

/**
 * flow_tensor_to_content_proto:
 * @tensor: a tensor of numbers or strings
 * @error: return location
 *
 * As TensorFlow's AsProtoTensorContent: all elements in `tensor_content`, strings as well.
 *
 * Returns: (transfer full) (nullable): @tensor as a TensorProto; %NULL with `FLOW_ERROR_RESOURCE_EXHAUSTED` beyond
 *   the format's 2 GiB, `FLOW_ERROR_UNIMPLEMENTED` for dtypes that have no such form
 */
GBytes *
flow_tensor_to_content_proto (const FlowTensor  *tensor,
                              GError           **error)
{
  FlowProtoWriter writer;

  g_return_val_if_fail (tensor != NULL, NULL);

  if (tensor->dtype == FLOW_DTYPE_RESOURCE || tensor->dtype == FLOW_DTYPE_VARIANT)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED, "A tensor of type %s has no serialized form here",
                   flow_dtype_string (tensor->dtype));
      return NULL;
    }
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, FIELD_DTYPE, tensor->dtype);
  flow_proto_writer_begin (&writer, FIELD_SHAPE);
  flow_shape_write_proto (tensor->shape, &writer);
  flow_proto_writer_end (&writer);
  if (tensor->dtype == FLOW_DTYPE_STRING)
    write_string_content (tensor, &writer);
  else
    flow_proto_writer_set_bytes (&writer, FIELD_CONTENT, tensor->data, tensor->n_bytes);
  return flow_proto_writer_finish (&writer, error);
}

/**
 * flow_constant_to_proto:
 * @value: the value of a constant, or one element that stands for all
 * @shape: (nullable): the constant's shape where @value is one element for all; %NULL: that of @value
 * @error: where to put an error
 *
 * Encodes a constant as TensorFlow's Python does when it builds a graph: bools one by one, other
 * numbers as bytes, a single element as a typed value, also where it is spread over a larger shape.
 *
 * Returns: (transfer full): a TensorProto
 */
GBytes *
flow_constant_to_proto (const FlowTensor *value,
                        const FlowShape  *shape,
                        GError          **error)
{
  FlowProtoWriter writer;
  gint64 n;
  gboolean is_spread;
  int dtype;

  g_return_val_if_fail (value != NULL, NULL);

  n = flow_tensor_get_n_elements (value);
  dtype = flow_tensor_get_dtype (value);
  is_spread = shape != NULL && !flow_shape_equal (shape, flow_tensor_get_shape (value)) && n == 1;
  if (!is_spread)
    return flow_tensor_to_proto (value, error);
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, FIELD_DTYPE, dtype);
  flow_proto_writer_begin (&writer, FIELD_SHAPE);
  flow_shape_write_proto (shape, &writer);
  flow_proto_writer_end (&writer);
  if (dtype == FLOW_DTYPE_STRING)
    write_cells (value, &writer);
  else
    write_values (value, &writer);
  return flow_proto_writer_finish (&writer, error);
}

/**
 * flow_attr_new_tensor_from_proto:
 * @encoded: a TensorProto
 * @error: where to put an error
 *
 * A tensor attr that is written as it was encoded.
 *
 * Returns: (transfer full): an attr; %NULL with %FLOW_ERROR_DATA_LOSS or %FLOW_ERROR_INVALID_ARGUMENT
 */
FlowAttr *
flow_attr_new_tensor_from_proto (GBytes  *encoded,
                                 GError **error)
{
  g_autoptr (FlowTensor) tensor = flow_tensor_decode_constant (encoded, error);

  if (tensor == NULL)
    return NULL;
  return flow_attr_new_tensor_encoded (encoded, flow_tensor_get_dtype (tensor), flow_tensor_get_shape (tensor),
                                       flow_tensor_decode_constant);
}

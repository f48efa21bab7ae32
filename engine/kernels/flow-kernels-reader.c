/* flow-kernels-reader.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Readers: records of files whose names come from a queue. One that finds the queue empty waits for it.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-queue-private.h"
#include "flow-reader-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

/* More records than a tensor of strings should hold. */
#define MAX_RECORDS ((gint64) G_MAXINT32)
/* The budget is asked again after so many records; each costs this beside its bytes. */
#define RECORDS_PER_CHECK 1024
#define BYTES_PER_RECORD 128

/* --- making ----------------------------------------------------------------------------------------------- */

typedef struct {
  FlowPlace place;
  FlowReaderKind kind;
  FlowReaderOptions options;
  char *compression;
} ReaderData;

static void
reader_destruct (gpointer pointer)
{
  ReaderData *data = pointer;

  _flow_place_clear (&data->place);
  g_free (data->compression);
  g_free (data);
}

static gint64
int_attr (FlowKernelConstruction *c,
          const char             *name)
{
  FlowAttr *attr = flow_construction_attr (c, name);

  return attr != NULL ? flow_attr_get_int (attr) : 0;
}

static gboolean
check_fixed_length (FlowReaderOptions *o,
                    GError           **error)
{
  static const char *const names[] = { "header_bytes", "record_bytes", "footer_bytes", "hop_bytes" };
  const gint64 values[] = { o->header_bytes, o->record_bytes, o->footer_bytes, o->hop_bytes };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    FLOW_REQUIRE (values[i] >= 0, error, INVALID_ARGUMENT, "%s must be >= 0 not %" G_GINT64_FORMAT, names[i], values[i]);
  FLOW_REQUIRE (o->record_bytes <= G_MAXINT32 && o->footer_bytes <= G_MAXINT32, error, RESOURCE_EXHAUSTED,
                "OOM when allocating a record of %" G_GINT64_FORMAT " bytes", o->record_bytes);
  if (o->hop_bytes == 0)
    o->hop_bytes = o->record_bytes;
  return TRUE;
}

static gboolean
read_options (ReaderData              *data,
              FlowKernelConstruction  *c,
              GError                 **error)
{
  FlowAttr *compression = flow_construction_attr (c, data->kind == FLOW_READER_TF_RECORD ? "compression_type"
                                                                                         : "encoding");

  /* TF: the old reader of fixed length records has no such attr, and its kernel asks for it all the same. */
  FLOW_REQUIRE (compression != NULL || data->kind != FLOW_READER_FIXED_LENGTH, error, NOT_FOUND,
                "No attr named 'encoding' in NodeDef:");
  data->compression = g_strdup (compression != NULL ? flow_attr_get_string (compression, NULL) : "");
  data->options.compression = data->compression;
  if (data->kind == FLOW_READER_TEXT_LINE)
    data->options.header_bytes = int_attr (c, "skip_header_lines");
  if (data->kind != FLOW_READER_FIXED_LENGTH)
    return TRUE;
  data->options.header_bytes = int_attr (c, "header_bytes");
  data->options.record_bytes = int_attr (c, "record_bytes");
  data->options.footer_bytes = int_attr (c, "footer_bytes");
  data->options.hop_bytes = int_attr (c, "hop_bytes");
  return check_fixed_length (&data->options, error);
}

static gpointer
reader_construct (FlowKernelConstruction  *c,
                  FlowReaderKind           kind,
                  GError                 **error)
{
  ReaderData *data = g_new0 (ReaderData, 1);

  data->kind = kind;
  if (_flow_place_init (&data->place, c, TRUE, error) && read_options (data, c, error))
    return data;
  reader_destruct (data);
  return NULL;
}

#define DEFINE_READER(name, kind)                                                       \
  static gpointer                                                                       \
  name##_construct (FlowKernelConstruction *c, GError **error)                          \
  {                                                                                     \
    return reader_construct (c, kind, error);                                           \
  }

DEFINE_READER (whole_file, FLOW_READER_WHOLE_FILE)
DEFINE_READER (text_line, FLOW_READER_TEXT_LINE)
DEFINE_READER (fixed_length, FLOW_READER_FIXED_LENGTH)
DEFINE_READER (tf_record, FLOW_READER_TF_RECORD)
DEFINE_READER (identity, FLOW_READER_IDENTITY)
DEFINE_READER (lmdb, FLOW_READER_LMDB)

static gboolean
reader_infer (FlowInferContext *c,
              GError          **error)
{
  /* A reference reader is two strings. */
  if (c->signature->outputs[0].is_ref)
    flow_infer_take_output (c, 0, flow_shape_new_vector (2));
  else
    flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  return TRUE;
}

static gboolean
reader_compute (FlowKernelContext *c,
                GError           **error)
{
  ReaderData *data = flow_kernel_data (c);
  FlowReader *reader = _flow_place_lookup (&data->place, c, &_flow_reader_class);
  gboolean ok = TRUE;

  if (reader == NULL)
    {
      reader = _flow_reader_new (data->place.container, _flow_place_name (&data->place), c->node_name, data->kind, &data->options);
      ok = flow_kernel_publish (c, reader, error);
    }
  ok = ok && _flow_put_handle (c, 0, (FlowResource *) reader, NULL, FLOW_DTYPE_INVALID, NULL, error);
  flow_resource_unref (reader);
  return ok;
}

/* --- what the ops on readers share ------------------------------------------------------------------------- */

#define HANDLE_WORDS "Resource handle must have 2 elements, but had shape: %s"

typedef gboolean (*ReaderFunc) (FlowKernelContext *c, FlowReader *reader, GError **error);

static gboolean
with_reader (FlowKernelContext *c,
             ReaderFunc         func,
             GError           **error)
{
  FlowReader *reader = _flow_lookup_handle (c, 0, &_flow_reader_class, NULL, HANDLE_WORDS, error);
  gboolean ok;

  if (reader == NULL)
    return FALSE;
  ok = func (c, reader, error);
  flow_resource_unref (reader);
  return ok;
}

/* --- reading ------------------------------------------------------------------------------------------------ */

/* The name that the queue gives next; NULL with an error or, with *@waits, when it must be waited for. */
static GBytes *
take_work (FlowKernelContext *c,
           FlowQueue         *queue,
           gboolean          *waits,
           GError           **error)
{
  FlowTuple *tuple;
  GBytes *work = NULL;
  gint64 n;

  if (!_flow_queue_count_available (queue, 1, FALSE, _flow_queue_plain_name (queue), &n, error))
    return NULL;
  if (n < 0)
    {
      *waits = TRUE;
      if (flow_kernel_is_cancelled (c))
        g_set_error (error, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Dequeue operation was cancelled");
      else
        flow_kernel_wait (c, queue, "queue %s: no file name is there to read", queue->parent.name);
      return NULL;
    }
  flow_kernel_will_write (c, queue);
  tuple = _flow_queue_take (queue);
  flow_kernel_wrote (c, queue);
  if (tuple->n != 1)
    _flow_refuse (error, "Expected single component queue");
  else if (tuple->tensors[0]->dtype != FLOW_DTYPE_STRING)
    _flow_refuse (error, "Expected queue with single string component");
  else if (tuple->tensors[0]->n_elements != 1)
    _flow_refuse (error, "Expected to dequeue a one-element string tensor");
  else
    work = flow_tensor_dup_string (tuple->tensors[0], 0);
  _flow_tuple_unref (tuple);
  return work;
}

typedef struct {
  GPtrArray *keys;             /* of GBytes */
  GPtrArray *values;
  gint64 wanted;
  gsize n_bytes;
  gboolean waits;
} Records;

static void
records_clear (Records *records)
{
  g_clear_pointer (&records->keys, g_ptr_array_unref);
  g_clear_pointer (&records->values, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Records, records_clear)

static void
unref_bytes (gpointer bytes)
{
  if (bytes != NULL)
    g_bytes_unref (bytes);
}

/* TF: several records come from one file only: its end ends the call, once there is any record. */
static gboolean
read_records (FlowKernelContext *c,
              FlowReader        *reader,
              FlowQueue         *queue,
              Records           *records,
              GError           **error)
{
  while ((gint64) records->keys->len < records->wanted)
    {
      FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "Read operation was cancelled");
      if (_flow_reader_is_busy (reader))
        {
          GBytes *key;
          GBytes *value;
          gboolean done;

          if (!_flow_reader_next (reader, c, &key, &value, &done, error))
            return FALSE;
          if (key != NULL)
            {
              g_ptr_array_add (records->keys, key);
              g_ptr_array_add (records->values, value);
              records->n_bytes += g_bytes_get_size (key) + g_bytes_get_size (value) + BYTES_PER_RECORD;
              if (records->keys->len % RECORDS_PER_CHECK == 0 && !reserve_text (c, records->n_bytes, error))
                return FALSE;
            }
          if (done && records->keys->len > 0)
            break;
        }
      else
        {
          g_autoptr (GBytes) work = take_work (c, queue, &records->waits, error);

          if (work == NULL || !_flow_reader_start (reader, c, work, error))
            return work == NULL && records->waits && c->waiting_for != NULL;
        }
    }
  return TRUE;
}

/* What was read of a file stays read even if the call fails: the next call goes on behind it. */
static gboolean
read_into (FlowKernelContext *c,
           FlowReader        *reader,
           Records           *records,
           GError           **error)
{
  FlowQueue *queue = _flow_lookup_handle (c, 1, &_flow_queue_class, NULL, HANDLE_WORDS, error);
  gboolean ok;

  if (queue == NULL)
    return FALSE;
  records->keys = g_ptr_array_new_with_free_func (unref_bytes);
  records->values = g_ptr_array_new_with_free_func (unref_bytes);
  flow_kernel_will_write (c, reader);
  ok = read_records (c, reader, queue, records, error);
  flow_kernel_wrote (c, reader);
  flow_resource_unref (queue);
  return ok;
}

static void
put_strings (FlowTensor *out,
             GPtrArray  *strings)
{
  for (guint i = 0; i < strings->len; i++)
    if (g_bytes_get_size (strings->pdata[i]) > 0)
      flow_tensor_take_string (out, i, g_steal_pointer (&strings->pdata[i]));
}

static gboolean
read_one (FlowKernelContext *c,
          FlowReader        *reader,
          GError           **error)
{
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  g_auto (Records) records = { NULL, NULL, 1, 0, FALSE };
  FlowTensor *key;
  FlowTensor *value;

  if (!read_into (c, reader, &records, error))
    return FALSE;
  if (records.waits)
    return TRUE;
  key = flow_kernel_allocate (c, 0, scalar, error);
  value = key != NULL ? flow_kernel_allocate (c, 1, scalar, error) : NULL;
  if (value == NULL)
    return FALSE;
  put_strings (key, records.keys);
  put_strings (value, records.values);
  return TRUE;
}

static gboolean
read_compute (FlowKernelContext *c,
              GError           **error)
{
  return with_reader (c, read_one, error);
}

static gboolean
read_up_to_infer (FlowInferContext *c,
                  GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
read_many (FlowKernelContext *c,
           FlowReader        *reader,
           GError           **error)
{
  FlowTensor *wanted = flow_kernel_input (c, 2);
  g_auto (Records) records = { NULL, NULL, 0, 0, FALSE };
  FlowTensor *keys;
  FlowTensor *values;
  gint64 n;

  /* TF reads the first of whatever is there; of nothing there is none. */
  if (wanted->n_elements < 1)
    return _flow_refuse_shapes (error, wanted, NULL, "num_records must be a scalar, but had shape: %s");
  records.wanted = MIN (FLOW_DATA (gint64, wanted)[0], MAX_RECORDS);
  if (!read_into (c, reader, &records, error))
    return FALSE;
  if (records.waits)
    return TRUE;
  n = records.keys->len;
  keys = flow_kernel_allocate_dims (c, 0, 1, &n, error);
  values = keys != NULL ? flow_kernel_allocate_dims (c, 1, 1, &n, error) : NULL;
  if (values == NULL)
    return FALSE;
  put_strings (keys, records.keys);
  put_strings (values, records.values);
  return TRUE;
}

static gboolean
read_up_to_compute (FlowKernelContext *c,
                    GError           **error)
{
  return with_reader (c, read_many, error);
}

/* --- counts and state ------------------------------------------------------------------------------------------ */

static gboolean
put_records (FlowKernelContext *c,
             FlowReader        *reader,
             GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (_flow_reader_count_records (reader)));
  return TRUE;
}

static gboolean
num_records_compute (FlowKernelContext *c,
                     GError           **error)
{
  return with_reader (c, put_records, error);
}

static gboolean
put_finished (FlowKernelContext *c,
              FlowReader        *reader,
              GError           **error)
{
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (_flow_reader_count_finished (reader)));
  return TRUE;
}

static gboolean
num_finished_compute (FlowKernelContext *c,
                      GError           **error)
{
  return with_reader (c, put_finished, error);
}

static gboolean
put_state (FlowKernelContext *c,
           FlowReader        *reader,
           GError           **error)
{
  g_autoptr (GBytes) state = _flow_reader_serialize (reader, error);

  if (state == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_string (g_bytes_get_data (state, NULL),
                                                         (gssize) g_bytes_get_size (state)));
  return TRUE;
}

static gboolean
serialize_compute (FlowKernelContext *c,
                   GError           **error)
{
  return with_reader (c, put_state, error);
}

static gboolean
take_state (FlowKernelContext *c,
            FlowReader        *reader,
            GError           **error)
{
  FlowTensor *state = flow_kernel_input (c, 1);
  Text text;

  if (!flow_is_scalar (state))
    return _flow_refuse_shapes (error, state, NULL, "Reader state must be scalar, but had shape: %s");
  text = text_at (state, 0);
  if (!_flow_reader_restore (reader, text.bytes, text.length, FALSE, error))
    return FALSE;
  flow_kernel_will_write (c, reader);
  _flow_reader_restore (reader, text.bytes, text.length, TRUE, NULL);
  flow_kernel_wrote (c, reader);
  return TRUE;
}

static gboolean
restore_compute (FlowKernelContext *c,
                 GError           **error)
{
  return with_reader (c, take_state, error);
}

static gboolean
reset (FlowKernelContext *c,
       FlowReader        *reader,
       GError           **error)
{
  flow_kernel_will_write (c, reader);
  _flow_reader_reset (reader);
  flow_kernel_wrote (c, reader);
  return TRUE;
}

static gboolean
reset_compute (FlowKernelContext *c,
               GError           **error)
{
  return with_reader (c, reset, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "WholeFileReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each file is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, whole_file_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "TextLineReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "skip_header_lines: int = 0; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each line of a text is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, text_line_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "FixedLengthRecordReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; "
             "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader of records of one length",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) {
      { NULL, reader_compute, fixed_length_construct, reader_destruct },
      { NULL },
    },
  },
  {
    .name = "LMDBReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader of the keys and values of LMDB files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, lmdb_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "TFRecordReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; compression_type: string = "
             "\"\"",
    .summary = "A reader of TFRecord files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, tf_record_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "IdentityReader",
    .outputs = "reader_handle: Ref(string)",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each file's name is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, identity_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "ReaderRead",
    .inputs = "reader_handle: Ref(string); queue_handle: Ref(string)",
    .outputs = "key: string; value: string",
    .summary = "The next record of a reader, with its key",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, read_compute }, { NULL } },
  },
  {
    .name = "ReaderReadUpTo",
    .inputs = "reader_handle: Ref(string); queue_handle: Ref(string); num_records: int64",
    .outputs = "keys: string; values: string",
    .summary = "Up to so many records of a reader",
    .family = FLOW_OP_FAMILY_IO,
    .infer = read_up_to_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, read_up_to_compute }, { NULL } },
  },
  {
    .name = "ReaderNumRecordsProduced",
    .inputs = "reader_handle: Ref(string)",
    .outputs = "records_produced: int64",
    .summary = "How many records a reader has given",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_records_compute }, { NULL } },
  },
  {
    .name = "ReaderNumWorkUnitsCompleted",
    .inputs = "reader_handle: Ref(string)",
    .outputs = "units_completed: int64",
    .summary = "How many files a reader has finished",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_finished_compute }, { NULL } },
  },
  {
    .name = "ReaderSerializeState",
    .inputs = "reader_handle: Ref(string)",
    .outputs = "state: string",
    .summary = "A reader's state as a string",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, serialize_compute }, { NULL } },
  },
  {
    .name = "ReaderRestoreState",
    .inputs = "reader_handle: Ref(string); state: string",
    .summary = "Puts a reader to a state from ReaderSerializeState",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, restore_compute }, { NULL } },
  },
  {
    .name = "ReaderReset",
    .inputs = "reader_handle: Ref(string)",
    .summary = "Puts a reader back to its beginning",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, reset_compute }, { NULL } },
  },
  {
    .name = "WholeFileReaderV2",
    .outputs = "reader_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each file is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, whole_file_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "TextLineReaderV2",
    .outputs = "reader_handle: resource",
    .attrs = "skip_header_lines: int = 0; container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each line of a text is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, text_line_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "FixedLengthRecordReaderV2",
    .outputs = "reader_handle: resource",
    .attrs = "header_bytes: int = 0; record_bytes: int; footer_bytes: int = 0; hop_bytes: int = 0; "
             "container: string = \"\"; shared_name: string = \"\"; encoding: string = \"\"",
    .summary = "A reader of records of one length",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) {
      { NULL, reader_compute, fixed_length_construct, reader_destruct },
      { NULL },
    },
  },
  {
    .name = "TFRecordReaderV2",
    .outputs = "reader_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"; compression_type: string = "
             "\"\"",
    .summary = "A reader of TFRecord files",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, tf_record_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "IdentityReaderV2",
    .outputs = "reader_handle: resource",
    .attrs = "container: string = \"\"; shared_name: string = \"\"",
    .summary = "A reader: each file's name is one record",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = reader_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reader_compute, identity_construct, reader_destruct }, { NULL } },
  },
  {
    .name = "ReaderReadV2",
    .inputs = "reader_handle: resource; queue_handle: resource",
    .outputs = "key: string; value: string",
    .summary = "The next record of a reader, with its key",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, read_compute }, { NULL } },
  },
  {
    .name = "ReaderReadUpToV2",
    .inputs = "reader_handle: resource; queue_handle: resource; num_records: int64",
    .outputs = "keys: string; values: string",
    .summary = "Up to so many records of a reader",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = read_up_to_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, read_up_to_compute }, { NULL } },
  },
  {
    .name = "ReaderNumRecordsProducedV2",
    .inputs = "reader_handle: resource",
    .outputs = "records_produced: int64",
    .summary = "How many records a reader has given",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_records_compute }, { NULL } },
  },
  {
    .name = "ReaderNumWorkUnitsCompletedV2",
    .inputs = "reader_handle: resource",
    .outputs = "units_completed: int64",
    .summary = "How many files a reader has finished",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, num_finished_compute }, { NULL } },
  },
  {
    .name = "ReaderSerializeStateV2",
    .inputs = "reader_handle: resource",
    .outputs = "state: string",
    .summary = "A reader's state as a string",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, serialize_compute }, { NULL } },
  },
  {
    .name = "ReaderRestoreStateV2",
    .inputs = "reader_handle: resource; state: string",
    .summary = "Puts a reader to a state from ReaderSerializeState",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, restore_compute }, { NULL } },
  },
  {
    .name = "ReaderResetV2",
    .inputs = "reader_handle: resource",
    .summary = "Puts a reader back to its beginning",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, reset_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (reader, ops)

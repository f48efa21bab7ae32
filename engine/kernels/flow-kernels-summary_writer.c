/* flow-kernels-summary_writer.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Writers of event files. A writer is only where its events go: making and closing one are undone like all state, what was
 * written stays. Each event is at the end of its file when its op is done, so there is nothing to flush.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-crc32c.h"
#include "flow-proto-writer.h"
#include "flow-step-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Fields of Event. */
enum {
  EVENT_WALL_TIME = 1,
  EVENT_STEP = 2,
  EVENT_VERSION = 3,
  EVENT_GRAPH = 4,
  EVENT_SUMMARY = 5,
};

#define VERSION "brain.Event:2"

/* --- the resource ---------------------------------------------------------------------------------------------- */

typedef struct {
  FlowResource parent;
  char *path;                  /* the event file; never changes */
} Writer;

static void
writer_finalize (FlowResource *resource)
{
  g_free (((Writer *) resource)->path);
}

static gpointer
writer_save (FlowResource *resource)
{
  return g_new0 (char, 1);
}

static void
writer_restore (FlowResource  *resource,
                gconstpointer  saved)
{
}

static gsize
writer_saved_bytes (gconstpointer saved)
{
  return 0;
}

static void
writer_visit (FlowResource        *resource,
              FlowResourceVisitor  visitor,
              gpointer             data)
{
}

static char *
writer_describe (FlowResource *resource)
{
  return g_strdup_printf ("writes to %s", ((Writer *) resource)->path);
}

static const FlowResourceClass writer_class = {
  .type_name = "N10tensorflow22SummaryWriterInterfaceE",
  .finalize = writer_finalize,
  .save = writer_save,
  .restore = writer_restore,
  .saved_free = g_free,
  .saved_bytes = writer_saved_bytes,
  .visit = writer_visit,
  .describe = writer_describe,
};

/* --- making, closing -------------------------------------------------------------------------------------------- */

static gboolean
writer_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowPlace *place = flow_kernel_data (c);
  FlowResource *named = flow_resource_alloc (&writer_class, sizeof (Writer), place->container, _flow_place_name (place));
  gboolean ok = _flow_put_handle (c, 0, named, NULL, FLOW_DTYPE_INVALID, NULL, error);

  flow_resource_unref (named);
  return ok;
}

static gboolean
check_scalars (FlowKernelContext  *c,
               guint               from,
               guint               to,
               GError            **error)
{
  for (guint i = from; i < to; i++)
    if (!flow_is_scalar (flow_kernel_input (c, i)))
      {
        g_autofree char *shape = flow_tensor_shape_text (flow_kernel_input (c, i));

        return _flow_refuse (error, "%s must be a scalar, got shape %s", c->signature->inputs[i].name, shape);
      }
  return TRUE;
}

static char *
dup_text (const FlowTensor *tensor)
{
  gsize length;
  const char *bytes = flow_tensor_get_string (tensor, 0, &length);

  return g_strndup (bytes, length);
}

/* The container and name that a handle names. */
static FlowHandle *
handle_of (FlowKernelContext  *c,
           GError            **error)
{
  const FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowHandle *handle = tensor->n_elements == 1 ? ((FlowHandle *const *) tensor->data)[0] : NULL;

  if (handle == NULL)
    _flow_refuse (error, "writer must be a handle");
  return handle;
}

/* TF: LOGDIR/events.out.tfevents.SECONDS.HOST SUFFIX */
static char *
name_file (const char *folder,
           const char *suffix)
{
  g_autofree char *name = g_strdup_printf ("events.out.tfevents.%010" G_GINT64_FORMAT ".%s%s", g_get_real_time () / G_USEC_PER_SEC,
                                           g_get_host_name (), suffix);

  return g_build_filename (folder, name, NULL);
}

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autofree char *logdir = NULL;
  g_autofree char *suffix = NULL;
  g_autofree char *folder = NULL;
  FlowHandle *handle;
  Writer *writer;
  FlowResource *old;
  gboolean ok;

  if (!check_scalars (c, 1, c->n_inputs, error) || (handle = handle_of (c, error)) == NULL)
    return FALSE;
  /* TF: a second creation finds the first writer. */
  old = flow_kernel_lookup (c, handle->container, handle->name, &writer_class, NULL);
  if (old != NULL)
    {
      flow_resource_unref (old);
      return TRUE;
    }
  logdir = dup_text (flow_kernel_input (c, 1));
  suffix = dup_text (flow_kernel_input (c, 4));
  if (strchr (suffix, G_DIR_SEPARATOR) != NULL)
    return _flow_refuse (error, "filename_suffix must not contain '/': %s", suffix);
  folder = c->host->resolve_path (c->host_data, logdir, FLOW_PATH_WRITE, error);
  if (folder == NULL)
    return FALSE;
  writer = flow_resource_alloc (&writer_class, sizeof (Writer), handle->container,
                                handle->name);
  writer->path = name_file (folder, suffix);
  ok = flow_kernel_publish (c, writer, error);
  flow_resource_unref (writer);
  return ok;
}

static gboolean
close_compute (FlowKernelContext  *c,
               GError            **error)
{
  Writer *writer = flow_kernel_lookup_handle (c, 0, &writer_class, error);
  gboolean ok;

  if (writer == NULL)
    return FALSE;
  ok = flow_kernel_remove (c, writer, error);
  flow_resource_unref (writer);
  return ok;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void
add_record (GByteArray   *to,
            gconstpointer bytes,
            gsize         length)
{
  guint64 size = GUINT64_TO_LE ((guint64) length);
  guint32 crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c_extend (0, &size, sizeof size)));

  g_byte_array_append (to, (const guint8 *) &size, sizeof size);
  g_byte_array_append (to, (const guint8 *) &crc, sizeof crc);
  g_byte_array_append (to, bytes, (guint) length);
  crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c_extend (0, bytes, length)));
  g_byte_array_append (to, (const guint8 *) &crc, sizeof crc);
}

static GBytes *
make_event (gint64    step,
            int       field,
            GBytes   *payload,
            GError  **error)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  flow_proto_writer_add_double (&w, EVENT_WALL_TIME, (double) g_get_real_time () / G_USEC_PER_SEC);
  flow_proto_writer_set_int (&w, EVENT_STEP, step);
  flow_proto_writer_add_bytes (&w, (guint) field, g_bytes_get_data (payload, NULL), g_bytes_get_size (payload));
  return flow_proto_writer_finish (&w, error);
}

static gboolean
append_to_file (FlowKernelContext *c,
                const char        *path,
                GByteArray        *bytes,
                GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  /* What may be touched can have changed since the writer was made. */
  g_autofree char *allowed = c->host->resolve_path (c->host_data, path, FLOW_PATH_WRITE, error);
  FILE *file;
  gboolean ok;

  if (allowed == NULL)
    return FALSE;
  if (g_mkdir_with_parents (folder, 0777) != 0 || (file = g_fopen (allowed, "ab")) == NULL)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  ok = fwrite (bytes->data, 1, bytes->len, file) == bytes->len;
  ok = fclose (file) == 0 && ok;
  if (!ok)
    flow_error_set_from_errno (error, errno, path);
  return ok;
}

/* @event is NULL to have only the file. */
static gboolean
write_event (FlowKernelContext *c,
             GBytes            *event,
             GError           **error)
{
  Writer *writer = flow_kernel_lookup_handle (c, 0, &writer_class, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean ok = writer != NULL;

  if (ok && !g_file_test (writer->path, G_FILE_TEST_EXISTS))
    {
      g_autoptr (GBytes) version = g_bytes_new_static (VERSION, strlen (VERSION));
      g_autoptr (GBytes) first = make_event (0, EVENT_VERSION, version, error);

      ok = first != NULL;
      if (ok)
        add_record (bytes, g_bytes_get_data (first, NULL), g_bytes_get_size (first));
    }
  if (ok && event != NULL && g_bytes_get_size (event) > G_MAXINT32)
    ok = _flow_refuse (error, "an event of %" G_GSIZE_FORMAT " bytes is too large", g_bytes_get_size (event));
  if (ok && event != NULL)
    add_record (bytes, g_bytes_get_data (event, NULL), g_bytes_get_size (event));
  ok = ok && (bytes->len == 0 || append_to_file (c, writer->path, bytes, error));
  if (writer != NULL)
    flow_resource_unref (writer);
  return ok;
}

static gboolean
write_payload (FlowKernelContext *c,
               int                field,
               GBytes            *payload,
               GError           **error)
{
  g_autoptr (GBytes) event = make_event (FLOW_DATA (gint64, flow_kernel_input (c, 1))[0], field, payload, error);

  return event != NULL && write_event (c, event, error);
}

static gboolean
flush_compute (FlowKernelContext  *c,
               GError            **error)
{
  return write_event (c, NULL, error);
}

static gboolean
import_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autoptr (GBytes) event = NULL;

  if (!check_scalars (c, 1, 2, error))
    return FALSE;
  event = flow_tensor_dup_string (flow_kernel_input (c, 1), 0);
  return write_event (c, event, error);
}

static gboolean
raw_compute (FlowKernelContext  *c,
             GError            **error)
{
  g_autoptr (GBytes) payload = NULL;

  if (!check_scalars (c, 1, 3, error))
    return FALSE;
  payload = flow_tensor_dup_string (flow_kernel_input (c, 2), 0);
  return write_payload (c, g_str_equal (c->signature->name, "WriteGraphSummary") ? EVENT_GRAPH : EVENT_SUMMARY, payload, error);
}

/* The summary that the op @type makes of @inputs, as a string. */
static FlowTensor *
summarize (FlowKernelContext *c,
           const char        *type,
           FlowAttrList      *attrs,
           FlowTensor *const *inputs,
           guint              n_inputs,
           GError           **error)
{
  const FlowOpSignature *signature = flow_op_registry_lookup (type);
  const FlowKernelDef *kernel = flow_op_find_kernel (signature, attrs, error);
  const int output_dtype = FLOW_DTYPE_STRING;
  FlowValue values[3] = { 0 };
  FlowValue output = { 0 };
  FlowKernelContext inner = {
    .node_name = c->node_name, .signature = signature, .attrs = attrs, .n_inputs = n_inputs, .inputs = values,
    .n_outputs = 1, .outputs = &output, .output_dtypes = &output_dtype, .budget = c->budget, .cancellable = c->cancellable,
    .host = c->host, .host_data = c->host_data,
  };

  for (guint i = 0; i < n_inputs; i++)
    values[i].tensor = inputs[i];
  if (kernel == NULL || !kernel->compute (&inner, error))
    g_clear_pointer (&output.tensor, flow_tensor_unref);
  return output.tensor;
}

/* What is written is what one of the summary ops makes; @tag, then @tensor, and if there is one @third. */
static gboolean
write_summary (FlowKernelContext *c,
               const char        *type,
               FlowAttrList      *attrs,
               guint              tag,
               guint              tensor,
               guint              third,
               GError           **error)
{
  FlowTensor *inputs[] = {
    flow_kernel_input (c, tag), flow_kernel_input (c, tensor), third > 0 ? flow_kernel_input (c, third) : NULL,
  };
  g_autoptr (FlowTensor) summary = NULL;
  g_autoptr (GBytes) payload = NULL;
  FlowAttr *dtype = flow_attr_new_type ((int) inputs[1]->dtype);

  flow_attr_list_set (attrs, "T", dtype);
  flow_attr_unref (dtype);
  if (!check_scalars (c, 1, 2, error) || !check_scalars (c, tag, tag + 1, error))
    return FALSE;
  summary = summarize (c, type, attrs, inputs, third > 0 ? 3 : 2, error);
  if (summary == NULL)
    return FALSE;
  payload = flow_tensor_dup_string (summary, 0);
  return write_payload (c, EVENT_SUMMARY, payload, error);
}

static gboolean
scalar_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();

  return check_scalars (c, 3, 4, error) && write_summary (c, "ScalarSummary", attrs, 2, 3, 0, error);
}

static gboolean
histogram_compute (FlowKernelContext  *c,
                   GError            **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();

  return write_summary (c, "HistogramSummary", attrs, 2, 3, 0, error);
}

static gboolean
tensor_compute (FlowKernelContext  *c,
                GError            **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();

  return check_scalars (c, 4, 5, error) && write_summary (c, "TensorSummaryV2", attrs, 3, 2, 4, error);
}

static gboolean
image_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
  FlowAttr *color = flow_attr_new_tensor (flow_kernel_input (c, 4));

  flow_attr_list_set (attrs, "max_images", flow_kernel_attr (c, "max_images"));
  flow_attr_list_set (attrs, "bad_color", color);
  flow_attr_unref (color);
  return write_summary (c, "ImageSummary", attrs, 2, 3, 0, error);
}

static gboolean
audio_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();

  flow_attr_list_set (attrs, "max_outputs", flow_kernel_attr (c, "max_outputs"));
  return check_scalars (c, 4, 5, error) && write_summary (c, "AudioSummaryV2", attrs, 2, 3, 4, error);
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

#define NUMBERS "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
#define WRITER_OP(op, in, attr, compute, more_flags, text)                                                       \
  { .name = op, .inputs = "writer: resource" in, .attrs = attr, .summary = text,                                 \
    .flags = FLOW_OP_STATEFUL | (more_flags), .family = FLOW_OP_FAMILY_IO, .infer = flow_infer_no_outputs,       \
    .kernels = (const FlowKernelDef[]) { { NULL, compute }, { NULL } } }
#define WRITE_OP(op, in, attr, compute, text) WRITER_OP (op, in, attr, compute, FLOW_OP_OUTSIDE_EFFECT, text)

static const FlowOpDef ops[] = {
  WRITER_OP ("CloseSummaryWriter", "", "", close_compute, 0, "Closes a writer of events"),
  WRITER_OP ("CreateSummaryFileWriter", "; logdir: string; max_queue: int32; flush_millis: int32; filename_suffix: string", "",
             create_compute, 0, "A writer of events for a folder"),
  WRITE_OP ("FlushSummaryWriter", "", "", flush_compute, "Sees to it that all events are in the file"),
  WRITE_OP ("ImportEvent", "; event: string", "", import_compute, "Writes a serialised event"),
  {
    .name = "SummaryWriter",
    .outputs = "writer: resource",
    .attrs = "shared_name: string = \"\"; container: string = \"\"",
    .summary = "A handle to a writer of events",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, writer_compute, _flow_place_construct, _flow_place_destruct }, { NULL } },
  },
  WRITE_OP ("WriteAudioSummary", "; step: int64; tag: string; tensor: float; sample_rate: float", "max_outputs: int >= 1 = 3",
            audio_compute, "Writes sounds as an event"),
  WRITE_OP ("WriteGraphSummary", "; step: int64; tensor: string", "", raw_compute, "Writes a serialised graph as an event"),
  WRITE_OP ("WriteHistogramSummary", "; step: int64; tag: string; values: T", "T: " NUMBERS " = DT_FLOAT", histogram_compute,
            "Writes a histogram as an event"),
  WRITE_OP ("WriteImageSummary", "; step: int64; tag: string; tensor: T; bad_color: uint8",
            "max_images: int >= 1 = 3; T: {uint8, float, half} = DT_FLOAT", image_compute, "Writes images as an event"),
  WRITE_OP ("WriteRawProtoSummary", "; step: int64; tensor: string", "", raw_compute, "Writes a serialised summary as an event"),
  WRITE_OP ("WriteScalarSummary", "; step: int64; tag: string; value: T", "T: " NUMBERS, scalar_compute,
            "Writes a number as an event"),
  WRITE_OP ("WriteSummary", "; step: int64; tensor: T; tag: string; summary_metadata: string", "T: type", tensor_compute,
            "Writes a tensor as an event"),
};

FLOW_DEFINE_OP_FAMILY (summary_writer, ops)

/* flow-kernels-summary.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Summaries: serialized Summary messages for event files.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-histogram-private.h"
#include "flow-media-private.h"
#include "flow-proto-writer.h"
#include "flow-tensor-proto.h"

#include <math.h>
#include <string.h>

/* Fields of Summary and Summary.Value. */
enum {
  SUMMARY_VALUE = 1,
  VALUE_TAG = 1,
  VALUE_SIMPLE = 2,
  VALUE_IMAGE = 4,
  VALUE_HISTO = 5,
  VALUE_AUDIO = 6,
  VALUE_NODE_NAME = 7,
  VALUE_TENSOR = 8,
  VALUE_METADATA = 9,
};

static gboolean
put_summary (FlowKernelContext *c,
             FlowProtoWriter   *w,
             GError           **error)
{
  GBytes *bytes = flow_proto_writer_finish (w, error);
  FlowTensor *out;

  if (bytes == NULL)
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 0, NULL, error);
  if (out == NULL)
    {
      g_bytes_unref (bytes);
      return FALSE;
    }
  flow_tensor_take_string (out, 0, bytes);
  return TRUE;
}

static void
set_tag (FlowProtoWriter  *w,
         const FlowTensor *tags,
         gint64            i)
{
  gsize length;
  const char *tag = flow_tensor_get_string (tags, i, &length);

  if (length > 0)
    flow_proto_writer_add_bytes (w, VALUE_TAG, tag, length);
}

/* --- ScalarSummary, HistogramSummary ------------------------------------------------------------------- */

static gboolean
scalar_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *tags = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 1);
  FlowProtoWriter w;

  if (!flow_shape_equal (tags->shape, values->shape))
    {
      g_autofree char *a = flow_tensor_shape_text (tags);
      g_autofree char *b = flow_tensor_shape_text (values);
      g_autoptr (GString) which = g_string_new (NULL);

      if (tags->n_elements == 1)
        {
          gsize length;
          const char *tag = flow_tensor_get_string (tags, 0, &length);
          g_autofree char *shown = flow_escape_display (tag, (gssize) length, 200);

          g_string_printf (which, " (tag '%s')", shown);
        }
      return _flow_refuse (error, "tags and values not the same shape: %s != %s%s", a, b, which->str);
    }
  flow_proto_writer_init (&w);
  for (gint64 i = 0; i < tags->n_elements; i++)
    {
      flow_proto_writer_begin (&w, SUMMARY_VALUE);
      set_tag (&w, tags, i);
      flow_proto_writer_add_float (&w, VALUE_SIMPLE, (float) flow_tensor_get_double (values, i));
      flow_proto_writer_end (&w);
    }
  return put_summary (c, &w, error);
}

static gboolean
histogram_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *tag = flow_kernel_input (c, 0);
  FlowTensor *values = flow_kernel_input (c, 1);
  g_autofree FlowHistogram *h = NULL;
  FlowProtoWriter w;

  if (!flow_is_scalar (tag))
    return _flow_refuse (error, "tags must be scalar");
  h = g_new (FlowHistogram, 1);
  _flow_histogram_init (h);
  for (gint64 i = 0; i < values->n_elements; i++)
    {
      double value = flow_tensor_get_double (values, i);

      if (isnan (value))
        return _flow_refuse (error, "Nan in summary histogram for: %s", flow_kernel_get_name (c));
      if (isinf (value))
        return _flow_refuse (error, "Infinity in summary histogram for: %s", flow_kernel_get_name (c));
      _flow_histogram_add (h, value);
    }
  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, SUMMARY_VALUE);
  set_tag (&w, tag, 0);
  _flow_histogram_write (h, &w, VALUE_HISTO);
  flow_proto_writer_end (&w);
  return put_summary (c, &w, error);
}

/* --- MergeSummary ------------------------------------------------------------------------------------------- */

/* Reads one value through to the end and notes its tag. */
static gboolean
read_value (FlowProtoReader *value,
            char           **tag)
{
  *tag = NULL;
  while (flow_proto_reader_next (value))
    if (value->field == VALUE_TAG)
      {
        g_clear_pointer (tag, g_free);
        flow_proto_reader_dup_string (value, tag);
      }
  return !flow_proto_reader_failed (value);
}

static gboolean
merge_one (FlowProtoWriter *w,
           GHashTable      *tags,
           const char      *bytes,
           gsize            length,
           GError         **error)
{
  FlowProtoReader r;
  FlowProtoReader value;

  flow_proto_reader_init (&r, bytes, length);
  while (flow_proto_reader_next (&r))
    {
      g_autofree char *tag = NULL;

      if (r.field != SUMMARY_VALUE)
        continue;
      if (!flow_proto_reader_enter (&r, &value) || !read_value (&value, &tag))
        return _flow_refuse (error, "Could not parse one of the summary inputs");
      if (tag != NULL && *tag != '\0')
        {
          if (g_hash_table_contains (tags, tag))
            return _flow_refuse (error, "Duplicate tag %s found in summary inputs", tag);
          g_hash_table_add (tags, g_steal_pointer (&tag));
        }
      flow_proto_writer_add_bytes (w, SUMMARY_VALUE, (const char *) r.data, r.size);
    }
  if (flow_proto_reader_failed (&r))
    return _flow_refuse (error, "Could not parse one of the summary inputs");
  return TRUE;
}

static gboolean
merge_compute (FlowKernelContext *c,
               GError           **error)
{
  g_autoptr (GHashTable) tags = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowTensor *input = flow_kernel_input (c, i);

      for (gint64 k = 0; k < input->n_elements; k++)
        {
          gsize length;
          const char *bytes = flow_tensor_get_string (input, k, &length);

          if (!merge_one (&w, tags, bytes, length, error))
            {
              flow_proto_writer_clear (&w);
              return FALSE;
            }
        }
    }
  return put_summary (c, &w, error);
}

/* --- TensorSummary ------------------------------------------------------------------------------------------ */

static void
write_tensor (FlowProtoWriter  *w,
              const FlowTensor *tensor)
{
  flow_proto_writer_begin (w, VALUE_TENSOR);
  if (tensor->dtype == FLOW_DTYPE_STRING)
    {
      flow_tensor_write_proto (tensor, w);
    }
  else
    {
      flow_proto_writer_set_int (w, 1, tensor->dtype);
      flow_proto_writer_begin (w, 2);
      flow_shape_write_proto (tensor->shape, w);
      flow_proto_writer_end (w);
      if (tensor->n_bytes > 0)
        flow_proto_writer_add_bytes (w, 4, tensor->data, tensor->n_bytes);
    }
  flow_proto_writer_end (w);
}

static gboolean
check_tensor (const FlowTensor *tensor,
              GError          **error)
{
  FLOW_REQUIRE (tensor->dtype != FLOW_DTYPE_RESOURCE && tensor->dtype != FLOW_DTYPE_VARIANT, error, UNIMPLEMENTED,
                "no summary of %s", flow_dtype_string (tensor->dtype));
  return TRUE;
}

static gboolean
tensor_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);
  FlowProtoWriter w;

  if (!check_tensor (tensor, error))
    return FALSE;
  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, SUMMARY_VALUE);
  flow_proto_writer_add_bytes (&w, VALUE_NODE_NAME, flow_kernel_get_name (c), strlen (flow_kernel_get_name (c)));
  write_tensor (&w, tensor);
  flow_proto_writer_end (&w);
  return put_summary (c, &w, error);
}

static gboolean
is_message (const char *bytes,
            gsize       length)
{
  FlowProtoReader r;

  flow_proto_reader_init (&r, bytes, length);
  while (flow_proto_reader_next (&r))
    ;
  return !flow_proto_reader_failed (&r);
}

static gboolean
tensor_v2_compute (FlowKernelContext *c,
                   GError           **error)
{
  FlowTensor *tag = flow_kernel_input (c, 0);
  FlowTensor *tensor = flow_kernel_input (c, 1);
  FlowTensor *metadata = flow_kernel_input (c, 2);
  const char *bytes;
  gsize length;
  FlowProtoWriter w;

  if (!flow_is_scalar (tag))
    return _flow_refuse (error, "tag must be scalar");
  if (metadata->n_elements < 1)
    return _flow_refuse (error, "serialized_summary_metadata must be scalar");
  if (!check_tensor (tensor, error))
    return FALSE;
  bytes = flow_tensor_get_string (metadata, 0, &length);
  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, SUMMARY_VALUE);
  set_tag (&w, tag, 0);
  write_tensor (&w, tensor);
  /* TF: metadata that cannot be parsed are none. */
  flow_proto_writer_add_bytes (&w, VALUE_METADATA, bytes, is_message (bytes, length) ? length : 0);
  flow_proto_writer_end (&w);
  return put_summary (c, &w, error);
}

/* --- ImageSummary, AudioSummary ------------------------------------------------------------------------------ */

/* "TAG/image", or with a number where there may be several. */
static void
write_numbered_tag (FlowProtoWriter  *w,
                    const FlowTensor *tag,
                    const char       *kind,
                    gint64            max,
                    gint64            i)
{
  gsize length;
  const char *base = flow_tensor_get_string (tag, 0, &length);
  g_autoptr (GString) text = g_string_new_len (base, (gssize) length);

  g_string_append_printf (text, "/%s", kind);
  if (max > 1)
    g_string_append_printf (text, "/%" G_GINT64_FORMAT, i);
  flow_proto_writer_add_bytes (w, VALUE_TAG, text->str, text->len);
}

/* What turns a number into a pixel, in the arithmetic of the tensor's dtype. */
typedef struct {
  int dtype;
  double scale;
  double offset;
} Scaling;

static double
round_to (int    dtype,
          double value)
{
  if (dtype == FLOW_DTYPE_HALF)
    return (double) flow_half_to_float (flow_half_from_float ((float) value));
  return dtype == FLOW_DTYPE_FLOAT ? (double) (float) value : value;
}

static Scaling
find_scaling (int   dtype,
              float low,
              float high)
{
  float most = low < 0 ? MAX (fabsf (low), fabsf (high)) : high;
  Scaling scaling = { dtype, 0, low < 0 ? 128 : 0 };

  /* TF: divides in float whatever the image is of. */
  if (!(most < 1e-6f))
    scaling.scale = round_to (dtype, (double) ((low < 0 ? 127.0f : 255.0f) / most));
  return scaling;
}

static guint8
scale_to_byte (const Scaling *scaling,
               double         value)
{
  double scaled = round_to (scaling->dtype, value * scaling->scale);

  return (guint8) CLAMP (round_to (scaling->dtype, scaled + scaling->offset), 0, 255);
}

static gboolean
is_finite_pixel (const FlowTensor *t,
                 gint64            first,
                 int               depth)
{
  for (int k = 0; k < depth; k++)
    if (!isfinite (flow_tensor_get_double (t, first + k)))
      return FALSE;
  return TRUE;
}

/* TF: numbers that are not all positive are centred at 128, others scaled from 0; a pixel with a
 * number that is not finite takes the bad colour. */
static void
normalize_image (const FlowTensor *t,
                 gint64            first,
                 gint64            n_pixels,
                 int               depth,
                 const guint8     *bad,
                 guint8           *out)
{
  float low = INFINITY;
  float high = -INFINITY;
  Scaling scaling;

  for (gint64 i = 0; i < n_pixels; i++)
    for (int k = 0; k < depth && is_finite_pixel (t, first + i * depth, depth); k++)
      {
        float value = (float) flow_tensor_get_double (t, first + i * depth + k);

        low = MIN (low, value);
        high = MAX (high, value);
      }
  scaling = find_scaling (t->dtype, low, high);
  for (gint64 i = 0; i < n_pixels; i++)
    {
      gboolean finite = is_finite_pixel (t, first + i * depth, depth);

      for (int k = 0; k < depth; k++)
        out[i * depth + k] = finite ? scale_to_byte (&scaling, flow_tensor_get_double (t, first + i * depth + k))
                                    : bad[k];
    }
}

static gboolean
check_image (FlowKernelContext *c,
             FlowTensor       **bad_color,
             GError           **error)
{
  FlowTensor *tag = flow_kernel_input (c, 0);
  FlowTensor *t = flow_kernel_input (c, 1);
  gint64 depth = FLOW_RANK (t) == 4 ? FLOW_DIMS (t)[3] : 0;

  if (!flow_is_scalar (tag))
    return _flow_refuse (error, "Tags must be a scalar");
  if (depth != 1 && depth != 3 && depth != 4)
    return _flow_refuse_shapes (error, t, NULL, "Tensor must be 4-D with last dim 1, 3, or 4, not %s");
  for (int i = 0; i < 3; i++)
    if (FLOW_DIMS (t)[i] > G_MAXINT32)
      return _flow_refuse_shapes (error, t, NULL, "tensor too large for summary %s");
  if (flow_kernel_attr_int (c, "max_images") > G_MAXINT32)
    return _flow_refuse (error, "max_images must be < 2^31");
  if (FLOW_DIMS (t)[1] == 0 || FLOW_DIMS (t)[2] == 0)
    return _flow_refuse (error, "input tensor must have non-zero dims. Found: [%" G_GINT64_FORMAT ", %"
                         G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "].", FLOW_DIMS (t)[0],
                         FLOW_DIMS (t)[1], FLOW_DIMS (t)[2], depth);
  *bad_color = flow_attr_dup_tensor (flow_kernel_attr (c, "bad_color"), error);
  if (*bad_color == NULL)
    return FALSE;
  if ((*bad_color)->dtype != FLOW_DTYPE_UINT8)
    return _flow_refuse (error, "bad_color must be uint8, got %s", flow_dtype_string ((*bad_color)->dtype));
  if (!flow_is_vector (*bad_color))
    return _flow_refuse_shapes (error, *bad_color, NULL, "bad_color must be a vector, got shape %s");
  if (t->dtype != FLOW_DTYPE_UINT8 && (*bad_color)->n_elements < depth)
    return _flow_refuse (error, "expected depth <= bad_color.size, got depth = %" G_GINT64_FORMAT
                         ", bad_color.size = %" G_GINT64_FORMAT, depth, (*bad_color)->n_elements);
  return TRUE;
}

static gboolean
write_image (FlowProtoWriter  *w,
             const FlowTensor *t,
             gint64            i,
             const FlowTensor *bad,
             guint8           *pixels,
             GError          **error)
{
  gint64 height = FLOW_DIMS (t)[1];
  gint64 width = FLOW_DIMS (t)[2];
  int depth = (int) FLOW_DIMS (t)[3];
  gint64 n_pixels = height * width;
  g_autoptr (GBytes) png = NULL;

  if (t->dtype == FLOW_DTYPE_UINT8)
    memcpy (pixels, FLOW_DATA (guint8, t) + i * n_pixels * depth, (gsize) (n_pixels * depth));
  else
    normalize_image (t, i * n_pixels * depth, n_pixels, depth, bad->data, pixels);
  png = _flow_encode_png (pixels, width, height, depth, 8, -1, error);
  if (png == NULL)
    return FALSE;
  flow_proto_writer_begin (w, VALUE_IMAGE);
  flow_proto_writer_set_int (w, 1, height);
  flow_proto_writer_set_int (w, 2, width);
  flow_proto_writer_set_int (w, 3, depth);
  flow_proto_writer_add_bytes (w, 4, g_bytes_get_data (png, NULL), g_bytes_get_size (png));
  flow_proto_writer_end (w);
  return TRUE;
}

static gboolean
image_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *t = flow_kernel_input (c, 1);
  gint64 max_images = flow_kernel_attr_int (c, "max_images");
  g_autoptr (FlowTensor) bad = NULL;
  g_autoptr (FlowTensor) pixels = NULL;
  g_autoptr (FlowShape) row = NULL;
  FlowProtoWriter w;

  if (!check_image (c, &bad, error))
    return FALSE;
  row = flow_shape_new_vector (FLOW_DIMS (t)[1] * FLOW_DIMS (t)[2] * FLOW_DIMS (t)[3]);
  pixels = flow_tensor_new (FLOW_DTYPE_UINT8, row, c->budget, error);
  if (pixels == NULL)
    return FALSE;
  flow_proto_writer_init (&w);
  for (gint64 i = 0; i < MIN (max_images, FLOW_DIMS (t)[0]); i++)
    {
      gboolean ok;

      flow_proto_writer_begin (&w, SUMMARY_VALUE);
      write_numbered_tag (&w, flow_kernel_input (c, 0), "image", max_images, i);
      ok = write_image (&w, t, i, bad, pixels->data, error);
      flow_proto_writer_end (&w);
      if (!ok)
        {
          flow_proto_writer_clear (&w);
          return FALSE;
        }
    }
  return put_summary (c, &w, error);
}

/* TF: at least 1; no integer of 64 bits holds what is larger, which becomes the least one. */
static guint64
whole_rate (float sample_rate)
{
  return sample_rate < 0x1p63f ? (guint64) MAX (llrintf (sample_rate), 1) : G_GUINT64_CONSTANT (1) << 63;
}

static gboolean
check_audio (FlowKernelContext  *c,
             GError            **error)
{
  FlowTensor *t = flow_kernel_input (c, 1);

  if (!flow_is_scalar (flow_kernel_input (c, 0)))
    return _flow_refuse (error, "Tag must be a scalar");
  if (FLOW_RANK (t) != 2 && FLOW_RANK (t) != 3)
    return _flow_refuse_shapes (error, t, NULL, "Tensor must be 3-D or 2-D, got: %s");
  return TRUE;
}

static gboolean
audio (FlowKernelContext *c,
       float              sample_rate,
       GError           **error)
{
  FlowTensor *tag = flow_kernel_input (c, 0);
  FlowTensor *t = flow_kernel_input (c, 1);
  gint64 max_outputs = flow_kernel_attr_int (c, "max_outputs");
  gint64 n_frames;
  gint64 n_channels;
  FlowProtoWriter w;

  if (!(sample_rate > 0))
    return _flow_refuse (error, "sample_rate must be > 0");
  n_frames = FLOW_DIMS (t)[1];
  n_channels = FLOW_RANK (t) == 3 ? FLOW_DIMS (t)[2] : 1;
  flow_proto_writer_init (&w);
  for (gint64 i = 0; i < MIN (max_outputs, FLOW_DIMS (t)[0]); i++)
    {
      g_autoptr (GBytes) wav = _flow_encode_wav (FLOW_DATA (float, t) + i * n_frames * n_channels, n_frames,
                                                 n_channels, whole_rate (sample_rate), error);

      if (wav == NULL)
        {
          flow_proto_writer_clear (&w);
          return FALSE;
        }
      flow_proto_writer_begin (&w, SUMMARY_VALUE);
      write_numbered_tag (&w, tag, "audio", max_outputs, i);
      flow_proto_writer_begin (&w, VALUE_AUDIO);
      flow_proto_writer_set_float (&w, 1, sample_rate);
      flow_proto_writer_set_int (&w, 2, n_channels);
      flow_proto_writer_set_int (&w, 3, n_frames);
      flow_proto_writer_add_bytes (&w, 4, g_bytes_get_data (wav, NULL), g_bytes_get_size (wav));
      flow_proto_writer_add_bytes (&w, 5, "audio/wav", strlen ("audio/wav"));
      flow_proto_writer_end (&w);
      flow_proto_writer_end (&w);
    }
  return put_summary (c, &w, error);
}

static gboolean
audio_compute (FlowKernelContext *c,
               GError           **error)
{
  return check_audio (c, error) && audio (c, flow_kernel_attr_float (c, "sample_rate"), error);
}

static gboolean
audio_v2_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowTensor *rate = flow_kernel_input (c, 2);

  if (!check_audio (c, error))
    return FALSE;
  if (rate->n_elements != 1)
    return _flow_refuse (error, "sample_rate must be a scalar");
  return audio (c, FLOW_DATA (float, rate)[0], error);
}

static const FlowOpDef ops[] = {
  {
    .name = "AudioSummary",
    .inputs = "tag: string; tensor: float",
    .outputs = "summary: string",
    .attrs = "sample_rate: float; max_outputs: int >= 1 = 3",
    .summary = "Sounds, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, audio_compute }, { NULL } },
  },
  {
    .name = "AudioSummaryV2",
    .inputs = "tag: string; tensor: float; sample_rate: float",
    .outputs = "summary: string",
    .attrs = "max_outputs: int >= 1 = 3",
    .summary = "Sounds, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, audio_v2_compute }, { NULL } },
  },
  {
    .name = "HistogramSummary",
    .inputs = "tag: string; values: T",
    .outputs = "summary: string",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
             "uint32, uint64} = DT_FLOAT",
    .summary = "A histogram of values, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        histogram_compute },
      { NULL },
    },
  },
  {
    .name = "ImageSummary",
    .inputs = "tag: string; tensor: T",
    .outputs = "summary: string",
    .attrs = "max_images: int >= 1 = 3; T: {uint8, float, half, double} = DT_FLOAT; "
             "bad_color: tensor = { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } "
             "int_val: 255 int_val: 0 int_val: 0 int_val: 255 }",
    .summary = "Pictures, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, image_compute }, { NULL } },
  },
  {
    .name = "MergeSummary",
    .inputs = "inputs: N * string",
    .outputs = "summary: string",
    .attrs = "N: int >= 1",
    .summary = "Several summaries as one",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, merge_compute }, { NULL } },
  },
  {
    .name = "ScalarSummary",
    .inputs = "tags: string; values: T",
    .outputs = "summary: string",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
             "uint32, uint64}",
    .summary = "Numbers under their tags, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16",
        scalar_compute },
      { NULL },
    },
  },
  {
    .name = "TensorSummary",
    .inputs = "tensor: T",
    .outputs = "summary: string",
    .attrs = "T: type; description: string = \"\"; labels: list(string) = []; display_name: "
             "string = \"\"",
    .summary = "A tensor, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        tensor_compute },
      { NULL },
    },
  },
  {
    .name = "TensorSummaryV2",
    .inputs = "tag: string; tensor: T; serialized_summary_metadata: string",
    .outputs = "summary: string",
    .attrs = "T: type",
    .summary = "A tensor under its tag, for an event file",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) {
      { "T: half bfloat16 float double int8 int16 int32 int64 uint8 uint16 complex64 "
        "complex128 bool string resource variant",
        tensor_v2_compute },
      { NULL },
    },
  },
};

FLOW_DEFINE_OP_FAMILY (summary, ops)

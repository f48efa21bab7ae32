/* flow-kernels-dataset_save.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where an iterator is, put away and taken up again; and datasets written to files.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-crc32c.h"
#include "flow-iterator-private.h"
#include "flow-string-private.h"

#include <gio/gio.h>
#include <string.h>

/* --- SerializeIterator, DeserializeIterator ---------------------------------------------------------------------- */

/* A position is never written while somebody else holds it: holding it is having saved it. */
#define FLOW_TYPE_ITERATOR_STATE (_flow_iterator_state_get_type ())
G_DECLARE_FINAL_TYPE (FlowIteratorState, _flow_iterator_state, FLOW, ITERATOR_STATE, FlowVariant)

struct _FlowIteratorState
{
  FlowVariant parent_instance;

  FlowPosition *position;
  FlowMemory *memory;
};

G_DEFINE_FINAL_TYPE (FlowIteratorState, _flow_iterator_state, FLOW_TYPE_VARIANT)

static void
_flow_iterator_state_finalize (GObject *object)
{
  FlowIteratorState *self = FLOW_ITERATOR_STATE (object);

  g_clear_pointer (&self->position, _flow_position_unref);
  g_clear_pointer (&self->memory, _flow_memory_unref);
  G_OBJECT_CLASS (_flow_iterator_state_parent_class)->finalize (object);
}

static void
state_visit (FlowVariant        *variant,
             FlowVariantVisitor  visitor,
             gpointer            data)
{
  FlowIteratorState *self = FLOW_ITERATOR_STATE (variant);

  _flow_position_visit (self->position, "", visitor, data);
  _flow_memory_visit (self->memory, visitor, data);
}

static char *
state_describe (FlowVariant *variant)
{
  const FlowPosition *position = FLOW_ITERATOR_STATE (variant)->position;

  return g_strdup_printf ("IteratorStateVariant<%s%s>", position->dataset->kind->name,
                          position->is_ended ? ", at its end" : "");
}

static GBytes *
state_encode (FlowVariant  *variant,
              GError      **error)
{
  const FlowIteratorState *self = FLOW_ITERATOR_STATE (variant);

  return _flow_iterator_state_encode (self->position, error);
}

static void
_flow_iterator_state_class_init (FlowIteratorStateClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = _flow_iterator_state_finalize;
  variant_class->type_name = "tensorflow::IteratorStateVariant";
  variant_class->visit = state_visit;
  variant_class->describe = state_describe;
  variant_class->encode = state_encode;
}

static void
_flow_iterator_state_init (FlowIteratorState *self)
{
}

typedef struct {
  FlowVariant *variant;
  GError *problem;
} Nesting;

static void
nest_tensor (const char       *label,
             const FlowTensor *tensor,
             gpointer          data)
{
  Nesting *nesting = data;

  if (tensor != NULL && nesting->problem == NULL)
    flow_variant_nest (nesting->variant, tensor, &nesting->problem);
}

/* TF: what a function keeps is not saved, so that nothing is. */
static gboolean
check_functions (FlowKernelContext  *c,
                 const FlowDataset  *dataset,
                 GError            **error)
{
  for (guint f = 0; f < FLOW_DATASET_FUNCS; f++)
    {
      const char *op = dataset->funcs[f].func != NULL && c->host->find_stateful != NULL
                       ? c->host->find_stateful (c->host_data, flow_attr_get_func_name (dataset->funcs[f].func)) : NULL;

      FLOW_REQUIRE (op == NULL, error, FAILED_PRECONDITION, "%s is stateful.", op);
    }
  for (guint i = 0; i < dataset->n_inputs; i++)
    if (!check_functions (c, dataset->inputs[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
serialize_compute (FlowKernelContext  *c,
                   GError            **error)
{
  FlowIterator *iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  g_autoptr (FlowIteratorState) state = NULL;
  Nesting nesting = { NULL, NULL };
  g_autoptr (FlowTensor) out = NULL;

  if (iterator == NULL)
    return FALSE;
  if (iterator->position == NULL)
    {
      flow_resource_unref (iterator);
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                           "Save() failed because the iterator has not been initialized. Ensure that you have run the "
                           "initializer operation for this iterator before saving it.");
      return FALSE;
    }
  if (!check_functions (c, iterator->position->dataset, error))
    {
      flow_resource_unref (iterator);
      return FALSE;
    }
  state = g_object_new (FLOW_TYPE_ITERATOR_STATE, NULL);
  state->position = _flow_position_ref (iterator->position);
  state->memory = _flow_memory_ref (iterator->memory);
  flow_resource_unref (iterator);
  nesting.variant = FLOW_VARIANT (state);
  state_visit (nesting.variant, nest_tensor, &nesting);
  if (nesting.problem != NULL || !flow_variant_nest_variant (nesting.variant, FLOW_VARIANT (state->position->dataset),
                                                             &nesting.problem))
    {
      g_propagate_error (error, nesting.problem);
      return FALSE;
    }
  out = flow_tensor_new_variant (nesting.variant);
  flow_kernel_set_output (c, 0, out);
  return TRUE;
}

/* Whether two datasets are made in the same way: then what is a place in one is a place in the other. */
static gboolean
is_alike (const FlowDataset *a,
          const FlowDataset *b)
{
  if (a->kind != b->kind || a->n_inputs != b->n_inputs || a->n_tensors != b->n_tensors)
    return FALSE;
  for (guint i = 0; i < a->n_inputs; i++)
    if (!is_alike (a->inputs[i], b->inputs[i]))
      return FALSE;
  return TRUE;
}

static gboolean
restore_bytes (FlowKernelContext  *c,
               FlowIterator       *iterator,
               GBytes             *encoded,
               GError            **error)
{
  g_autofree char *state_handle = g_strdup_printf ("%s#%" G_GINT64_FORMAT, iterator->parent.name, iterator->n_starts);
  FlowMemory *memory = _flow_memory_new ();
  FlowPull pull = { c, &memory, state_handle };
  g_autoptr (GError) problem = NULL;
  FlowPosition *position = _flow_iterator_state_decode (encoded, iterator->position->dataset, &pull, &problem);
  FlowPosition *restored;

  if (position == NULL)
    {
      _flow_memory_unref (memory);
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  restored = _flow_position_restored (position);
  _flow_position_unref (position);
  flow_kernel_will_write (c, iterator);
  _flow_position_unref (iterator->position);
  _flow_memory_unref (iterator->memory);
  iterator->position = restored;
  iterator->memory = memory;
  flow_kernel_wrote (c, iterator);
  return TRUE;
}

static gboolean
restore (FlowKernelContext  *c,
         FlowIterator       *iterator,
         FlowIteratorState  *state,
         GError            **error)
{
  FLOW_REQUIRE (is_alike (iterator->position->dataset, state->position->dataset), error, INVALID_ARGUMENT,
                "The saved state is of another dataset: %s, the iterator's is %s", state->position->dataset->kind->name,
                iterator->position->dataset->kind->name);
  flow_kernel_will_write (c, iterator);
  _flow_position_unref (iterator->position);
  _flow_memory_unref (iterator->memory);
  iterator->position = _flow_position_restored (state->position);
  iterator->memory = _flow_memory_ref (state->memory);
  flow_kernel_wrote (c, iterator);
  return TRUE;
}

static gboolean
deserialize_compute (FlowKernelContext  *c,
                     GError            **error)
{
  const FlowTensor *serialized = flow_kernel_input (c, 1);
  FlowVariant *variant = flow_is_scalar (serialized) ? flow_tensor_get_variant (serialized, 0) : NULL;
  FlowIterator *iterator;
  gboolean ok;

  if (variant == NULL || (!FLOW_IS_ITERATOR_STATE (variant) && flow_variant_get_encoded (variant) == NULL))
    return _flow_refuse (error, "The tensor is not a scalar that holds an iterator's state");
  iterator = flow_kernel_lookup_handle (c, 0, &_flow_iterator_class, error);
  if (iterator == NULL)
    return FALSE;
  if (iterator->position == NULL)
    {
      flow_resource_unref (iterator);
      g_set_error_literal (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION,
                           "Restore() failed because the iterator has not been initialized. Ensure that you have run the "
                           "initializer operation for this iterator before restoring it.");
      return FALSE;
    }
  ok = FLOW_IS_ITERATOR_STATE (variant) ? restore (c, iterator, FLOW_ITERATOR_STATE (variant), error)
                                        : restore_bytes (c, iterator, flow_variant_get_encoded (variant), error);
  flow_resource_unref (iterator);
  return ok;
}

/* --- DatasetToTFRecord -------------------------------------------------------------------------------------------- */

static void
append_checked (GByteArray    *file,
                gconstpointer  data,
                gsize          n)
{
  guint32 crc = flow_crc32c (data, n);
  guint32 masked = GUINT32_TO_LE (((crc >> 15) | (crc << 17)) + 0xa282ead8u);

  if (n > 0)
    g_byte_array_append (file, data, (guint) n);
  g_byte_array_append (file, (const guint8 *) &masked, sizeof masked);
}

static gboolean
append_record (GByteArray       *file,
               const FlowTuple  *tuple,
               GError          **error)
{
  guint64 size;
  gsize length;
  const char *bytes;

  if (tuple->n != 1 || tuple->tensors[0]->dtype != FLOW_DTYPE_STRING || !flow_is_scalar (tuple->tensors[0]))
    return _flow_refuse (error, "A TFRecord is made of one string, but the element has %u components", tuple->n);
  bytes = flow_tensor_get_string (tuple->tensors[0], 0, &length);
  FLOW_REQUIRE (length < G_MAXUINT / 2 && file->len < G_MAXUINT / 2, error, RESOURCE_EXHAUSTED,
                "The records take more than two gigabytes");
  size = GUINT64_TO_LE ((guint64) length);
  append_checked (file, &size, sizeof size);
  append_checked (file, bytes, length);
  return TRUE;
}

static gboolean
collect_records (FlowKernelContext  *c,
                 FlowDataset        *dataset,
                 GByteArray         *file,
                 GError            **error)
{
  FlowMemory *memory = _flow_memory_new ();
  FlowPull pull = { c, &memory };
  FlowPosition *position = _flow_position_new (dataset);
  FlowTuple *tuple = NULL;
  gboolean ok;

  while ((ok = !_flow_pull_is_cancelled (&pull, error) && _flow_position_next (&position, &pull, &tuple, error)) &&
         tuple != NULL)
    {
      ok = append_record (file, tuple, error);
      _flow_tuple_unref (tuple);
      if (!ok)
        break;
    }
  _flow_position_unref (position);
  _flow_memory_unref (memory);
  return ok;
}

static GBytes *
compress (GBytes      *bytes,
          const char  *kind,
          GError     **error)
{
  g_autoptr (GConverter) converter = NULL;

  if (*kind == '\0')
    return g_bytes_ref (bytes);
  converter = G_CONVERTER (g_zlib_compressor_new (g_str_equal (kind, "GZIP") ? G_ZLIB_COMPRESSOR_FORMAT_GZIP
                                                                             : G_ZLIB_COMPRESSOR_FORMAT_ZLIB, -1));
  {
    g_autoptr (GInputStream) plain = g_memory_input_stream_new_from_bytes (bytes);
    g_autoptr (GInputStream) packed = g_converter_input_stream_new (plain, converter);
    g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();

    if (g_output_stream_splice (out, packed, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0)
      return NULL;
    return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (out));
  }
}

static gboolean
to_file_compute (FlowKernelContext  *c,
                 GError            **error)
{
  FlowDataset *dataset = _flow_dataset_from_tensor (flow_kernel_input (c, 0), error);
  const FlowTensor *filename = flow_kernel_input (c, 1);
  g_autoptr (FlowTensor) compression = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autofree char *kind = NULL;
  g_autoptr (GByteArray) records = g_byte_array_new ();
  g_autoptr (GBytes) plain = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (dataset == NULL)
    return FALSE;
  if (!flow_is_scalar (filename))
    return _flow_refuse (error, "filename must be a scalar");
  compression = _flow_dataset_read_compression (c, 2, error);
  if (compression == NULL)
    return FALSE;
  kind = _flow_dup_string (compression, 0);
  name = _flow_dup_string (filename, 0);
  path = c->host->resolve_path (c->host_data, name, FLOW_PATH_WRITE, error);
  if (path == NULL || !collect_records (c, dataset, records, error))
    return FALSE;
  plain = g_byte_array_free_to_bytes (g_steal_pointer (&records));
  bytes = compress (plain, kind, error);
  return bytes != NULL && flow_write_file_safely (path, bytes, error);
}

/* --- the table ------------------------------------------------------------------------------------------------------ */

#define TO_FILE(op)                                                                                         \
  { .name = op, .inputs = "input_dataset: variant; filename: string; compression_type: string",             \
    .summary = "Writes a dataset's strings to a file of records",                                           \
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT, .family = FLOW_OP_FAMILY_IO,                        \
    .infer = flow_infer_no_outputs,                                                                         \
    .kernels = (const FlowKernelDef[]) { { NULL, to_file_compute }, { NULL } } }

static const FlowOpDef ops[] = {
  TO_FILE ("DatasetToTFRecord"),
  {
    .name = "DeserializeIterator",
    .inputs = "resource_handle: resource; serialized: variant",
    .summary = "Puts an iterator to where it was",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, deserialize_compute }, { NULL } },
  },
  TO_FILE ("ExperimentalDatasetToTFRecord"),
  {
    .name = "SerializeIterator",
    .inputs = "resource_handle: resource",
    .outputs = "serialized: variant",
    .summary = "Where an iterator is",
    .flags = FLOW_OP_STATEFUL,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, serialize_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (dataset_save, ops)

/* flow-kernels-save_restore.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a Saver puts into a graph: checkpoints of version 2, and of version 1 as old graphs have them.
 */

#include "config.h"

#include "flow-checkpoint-path-private.h"

#include <string.h>

#include "flow-bundle-writer.h"

/* In compute, since the executor's run of the shape function would use that one's words. */
static gboolean
check_names (FlowTensor *prefix,
             FlowTensor *names,
             FlowTensor *slices,
             GError    **error)
{
  FLOW_REQUIRE (prefix->n_elements == 1, error, INVALID_ARGUMENT,
                "Input prefix should have a single element, got %" G_GINT64_FORMAT " instead.", prefix->n_elements);
  FLOW_REQUIRE (FLOW_RANK (names) == 1 && FLOW_RANK (slices) == 1, error, INVALID_ARGUMENT,
                "Input tensor_names and shape_and_slices should be an 1-D tensors, got %" G_GINT64_FORMAT
                " and %" G_GINT64_FORMAT " instead.", names->n_elements, slices->n_elements);
  FLOW_REQUIRE (names->n_elements == slices->n_elements, error, INVALID_ARGUMENT,
                "tensor_names and shape_and_slices have different number of elements: %" G_GINT64_FORMAT
                " vs. %" G_GINT64_FORMAT, names->n_elements, slices->n_elements);
  return TRUE;
}

static char **
get_texts (const FlowTensor  *tensor,
           GError           **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      char *text;

      if (!_flow_get_text (tensor, i, &text, error))
        return NULL;
      g_ptr_array_add (texts, text);
    }
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&texts), FALSE);
}

static gboolean
scalar_input (FlowInferContext *c,
              guint             i,
              GError          **error)
{
  g_autoptr (FlowShape) shape = NULL;

  return flow_infer_with_rank (c, flow_infer_input (c, i), 0, &shape, error);
}

static gboolean
vector_input (FlowInferContext  *c,
              guint              i,
              gint64             size,
              GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;
  gint64 dim;

  return flow_infer_with_rank (c, flow_infer_input (c, i), 1, &shape, error)
         && flow_infer_merge_dim (c, flow_shape_get_dim (shape, 0), size, &dim, error);
}

static gboolean
save_v2_infer (FlowInferContext  *c,
               GError           **error)
{
  gint64 n = (gint64) c->n_inputs - 3;

  if (c->running)
    return TRUE;
  return scalar_input (c, 0, error) && vector_input (c, 1, n, error) && vector_input (c, 2, n, error);
}

/* Everything is checked before a byte is written: names, parts, shapes. */
static gboolean
check_save (FlowKernelContext  *c,
            char              **names,
            char              **specs,
            GError            **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      FlowTensor *tensor = flow_kernel_input (c, 3 + i);
      g_autoptr (FlowShape) shape = NULL;
      g_autoptr (FlowShape) whole = NULL;
      gboolean is_part = FALSE;

      FLOW_REQUIRE (*names[i] != '\0', error, INVALID_ARGUMENT, "A tensor cannot be saved under an empty name");
      FLOW_REQUIRE (tensor->dtype != FLOW_DTYPE_RESOURCE
                    && (tensor->dtype != FLOW_DTYPE_VARIANT || flow_shape_get_rank (tensor->shape) == 0), error, UNIMPLEMENTED,
                    "Saving data type: %s: key %s", flow_dtype_string (tensor->dtype), names[i]);
      if (*specs[i] != '\0')
        {
          shape = flow_checkpoint_parse_spec (specs[i], &whole, error);
          if (shape == NULL)
            return FALSE;
          if (!flow_shape_equal (shape, tensor->shape))
            {
              g_autofree char *text = flow_shape_to_string (tensor->shape);

              FLOW_REQUIRE (FALSE, error, INVALID_ARGUMENT, "Slice in shape_and_slice specification does not match "
                            "the shape of the tensor to  save: %s, tensor: %s", specs[i], text);
            }
          is_part = !flow_shape_equal (shape, whole);
        }
      /* Parts of one tensor share its name; the writer knows which of them is there twice. */
      if (is_part)
        continue;
      FLOW_REQUIRE (g_hash_table_add (seen, g_strdup (names[i])), error, INVALID_ARGUMENT, "Adding duplicate key: %s",
                    names[i]);
    }
  return TRUE;
}

static gboolean
write_bundle (FlowKernelContext  *c,
              const FlowGivenPath *path,
              char              **names,
              char              **specs,
              GError            **error)
{
  GError *problem = NULL;
  g_autoptr (FlowBundleWriter) writer = flow_bundle_writer_new (path->resolved, &problem);
  gboolean ok = writer != NULL;

  for (guint i = 0; ok && names[i] != NULL; i++)
    {
      ok = flow_bundle_writer_add_slice (writer, names[i], specs[i], flow_kernel_input (c, 3 + i), &problem);
      if (ok && flow_kernel_is_cancelled (c))
        {
          g_set_error (&problem, FLOW_ERROR, FLOW_ERROR_CANCELLED, "Saving %s was cancelled", path->given);
          ok = FALSE;
        }
    }
  ok = ok && flow_bundle_writer_finish (writer, &problem);
  return ok || _flow_fail_as_given (path, problem, error);
}

static gboolean
save_v2_compute (FlowKernelContext  *c,
                 GError            **error)
{
  FlowTensor *prefix = flow_kernel_input (c, 0);
  FlowTensor *names_tensor = flow_kernel_input (c, 1);
  FlowTensor *specs_tensor = flow_kernel_input (c, 2);
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) specs = NULL;
  g_auto (FlowGivenPath) path = { 0 };

  if (!check_names (prefix, names_tensor, specs_tensor, error))
    return FALSE;
  FLOW_REQUIRE (names_tensor->n_elements == (gint64) c->n_inputs - 3, error, INVALID_ARGUMENT,
                "Got %" G_GINT64_FORMAT " tensor names but %u tensors.", names_tensor->n_elements, c->n_inputs - 3);
  names = get_texts (names_tensor, error);
  specs = names != NULL ? get_texts (specs_tensor, error) : NULL;
  return specs != NULL && check_save (c, names, specs, error)
         && _flow_get_checkpoint_path (c, prefix, 0, FLOW_PATH_WRITE, &path, error) && write_bundle (c, &path, names, specs, error);
}

static gboolean
restore_v2_infer (FlowInferContext  *c,
                  GError           **error)
{
  g_autoptr (FlowShape) merged = NULL;
  FlowTensor *specs;

  if (c->running)
    return flow_infer_unknown_shape (c, error);
  if (!scalar_input (c, 0, error) || !vector_input (c, 1, -1, error) || !vector_input (c, 2, -1, error)
      || !flow_infer_merge (c, flow_infer_input (c, 1), flow_infer_input (c, 2), &merged, error))
    return FALSE;
  specs = flow_infer_input_value (c, 2);
  if (specs == NULL)
    return flow_infer_unknown_shape (c, error);
  FLOW_REQUIRE (specs->n_elements == (gint64) c->n_outputs, error, INVALID_ARGUMENT,
                "The number of shape_and_slice doesn't match tensor outputs.");
  for (guint i = 0; i < c->n_outputs; i++)
    {
      g_autofree char *spec = NULL;
      FlowShape *shape;

      if (!_flow_get_text (specs, i, &spec, error))
        return FALSE;
      shape = *spec != '\0' ? flow_checkpoint_parse_spec (spec, NULL, error) : flow_shape_new_unknown ();
      if (shape == NULL)
        return FALSE;
      flow_infer_take_output (c, i, shape);
    }
  return TRUE;
}

typedef struct {
  char **names;
  guint index;
} NameRef;

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  const NameRef *x = a;
  const NameRef *y = b;

  return strcmp (x->names[x->index], y->names[y->index]);
}

/* TensorFlow looks at the names in their order: the first that is missing is told, of wrong dtypes all. */
static gboolean
check_keys (FlowKernelContext  *c,
            FlowCheckpoint     *checkpoint,
            char              **names,
            const guint        *order,
            GError            **error)
{
  g_autoptr (GString) mismatches = g_string_new (NULL);

  for (guint i = 0; i < c->n_outputs; i++)
    {
      const char *name = names[order[i]];
      FlowCheckpointTensor *info = flow_checkpoint_find (checkpoint, name);
      int dtype = c->output_dtypes[order[i]];

      /* The header is no tensor, though it stands under this key. */
      FLOW_REQUIRE (*name != '\0', error, DATA_LOSS,
                    "Invalid size in bundle entry: key ; stored size 0; expected size %" G_GSIZE_FORMAT,
                    flow_dtype_size (dtype));
      FLOW_REQUIRE (info != NULL, error, NOT_FOUND, "Key %s not found in checkpoint", name);
      if (info->problem == NULL && info->dtype != flow_dtype_base (dtype))
        g_string_append_printf (mismatches,
                                "%stensor_name = %s; expected dtype %s does not equal original dtype %s",
                                mismatches->len > 0 ? "\n" : "", name, flow_dtype_string (dtype),
                                flow_dtype_string (info->dtype));
    }
  FLOW_REQUIRE (mismatches->len == 0, error, INVALID_ARGUMENT, "%s", mismatches->str);
  return TRUE;
}

/* TF: what a part of a bundle's tensor cannot be taken out of. */
static gboolean
can_copy (int dtype)
{
  switch (dtype)
    {
    case FLOW_DTYPE_HALF:
    case FLOW_DTYPE_UINT16:
    case FLOW_DTYPE_UINT32:
    case FLOW_DTYPE_UINT64:
    case FLOW_DTYPE_STRING:
    case FLOW_DTYPE_QINT16:
    case FLOW_DTYPE_QUINT16:
      return FALSE;
    default:
      return TRUE;
    }
}

/* Whether what @spec asks for is neither all nor a part as it is stored; what is no spec is told by who reads. */
static gboolean
is_copied (const FlowCheckpointTensor *info,
           const char                 *spec)
{
  const char *slice = spec != NULL ? strrchr (spec, ' ') : NULL;
  g_autoptr (FlowShape) whole = NULL;
  g_autoptr (FlowShape) part = NULL;

  if (slice == NULL)
    return info->n_slices > 0;
  part = flow_checkpoint_parse_spec (spec, &whole, NULL);
  if (part == NULL || !flow_shape_equal (whole, info->shape))
    return FALSE;
  for (guint i = 0; i < info->n_slices; i++)
    if (strcmp (info->slices[i], slice + 1) == 0)
      return FALSE;
  return info->n_slices > 0 || !flow_shape_equal (part, whole);
}

static FlowTensor *
read_typed (FlowKernelContext  *c,
            FlowCheckpoint     *checkpoint,
            const char         *name,
            const char         *spec,
            int                 dtype,
            GError            **error)
{
  FlowCheckpointTensor *info = flow_checkpoint_find (checkpoint, name);
  g_autoptr (FlowTensor) tensor = NULL;

  if (info != NULL && info->problem == NULL && info->dtype != flow_dtype_base (dtype))
    {
      /* TF: names the type of the first output, whichever it is that differs. */
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
                   "Expected to restore a tensor of type %s, got a tensor of type %s instead: tensor_name = %s",
                   flow_dtype_string (c->output_dtypes[0]), flow_dtype_string (info->dtype), name);
      return NULL;
    }
  tensor = flow_checkpoint_read_slice (checkpoint, name, spec, c->budget, error);
  /* TF: only after it has seen that the parts leave no hole, and has read them. */
  if (tensor != NULL && info != NULL && flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_BUNDLE
      && !can_copy (info->dtype) && is_copied (info, spec))
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "Dtype %s not supported.", flow_dtype_string (info->dtype));
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

/* Either all outputs, or none: a model is not half restored. */
static gboolean
read_all (FlowKernelContext  *c,
          const FlowGivenPath *path,
          FlowCheckpoint     *checkpoint,
          char              **names,
          char              **specs,
          const guint        *order,
          GError            **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);

  for (guint i = 0; i < c->n_outputs; i++)
    {
      GError *problem = NULL;
      FlowTensor *tensor = read_typed (c, checkpoint, names[order[i]], specs[order[i]], c->output_dtypes[order[i]],
                                       &problem);

      if (tensor == NULL)
        return _flow_fail_as_given (path, problem, error);
      g_ptr_array_add (tensors, tensor);
      FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "Restoring %s was cancelled", path->given);
    }
  for (guint i = 0; i < c->n_outputs; i++)
    flow_kernel_set_output (c, order[i], tensors->pdata[i]);
  return TRUE;
}

static gboolean
restore_v2_compute (FlowKernelContext  *c,
                    GError            **error)
{
  FlowTensor *prefix = flow_kernel_input (c, 0);
  FlowTensor *names_tensor = flow_kernel_input (c, 1);
  FlowTensor *specs_tensor = flow_kernel_input (c, 2);
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) specs = NULL;
  g_auto (FlowGivenPath) path = { 0 };
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autofree NameRef *refs = NULL;
  g_autofree guint *order = NULL;

  FLOW_REQUIRE (names_tensor->n_elements == (gint64) c->n_outputs, error, INVALID_ARGUMENT,
                "Got %" G_GINT64_FORMAT " tensor names, but %u expected dtypes.", names_tensor->n_elements, c->n_outputs);
  if (!check_names (prefix, names_tensor, specs_tensor, error))
    return FALSE;
  names = get_texts (names_tensor, error);
  specs = names != NULL ? get_texts (specs_tensor, error) : NULL;
  if (specs == NULL || !_flow_get_checkpoint_path (c, prefix, 0, FLOW_PATH_READ, &path, error))
    return FALSE;
  checkpoint = _flow_open_for_restore (c, &path, error);
  if (checkpoint == NULL)
    return FALSE;

  refs = g_new (NameRef, c->n_outputs);
  order = g_new (guint, c->n_outputs);
  for (guint i = 0; i < c->n_outputs; i++)
    refs[i] = (NameRef) { names, i };
  /* An old checkpoint is asked for one tensor after the other, as they stand. */
  if (flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_BUNDLE)
    qsort (refs, c->n_outputs, sizeof *refs, compare_names);
  for (guint i = 0; i < c->n_outputs; i++)
    order[i] = refs[i].index;
  if (flow_checkpoint_get_kind (checkpoint) == FLOW_CHECKPOINT_BUNDLE
      && !check_keys (c, checkpoint, names, order, error))
    return FALSE;
  return read_all (c, &path, checkpoint, names, specs, order, error);
}

static gboolean
restore_infer (FlowInferContext  *c,
               GError           **error)
{
  FlowTensor *spec_tensor;
  g_autofree char *spec = NULL;
  FlowShape *shape;

  if (c->running)
    return flow_infer_unknown_shape (c, error);
  for (guint i = 0; i < c->n_inputs; i++)
    if (!scalar_input (c, i, error))
      return FALSE;
  spec_tensor = c->n_inputs > 2 ? flow_infer_input_value (c, 2) : NULL;
  if (spec_tensor == NULL)
    return flow_infer_unknown_shape (c, error);
  if (!_flow_get_text (spec_tensor, 0, &spec, error))
    return FALSE;
  shape = *spec != '\0' ? flow_checkpoint_parse_spec (spec, NULL, error) : flow_shape_new_unknown ();
  if (shape == NULL)
    return FALSE;
  flow_infer_take_output (c, 0, shape);
  return TRUE;
}

/* TF: refused when the kernel is made. There is nothing to keep. */
static gpointer
restore_construct (FlowKernelConstruction  *c,
                   GError                 **error)
{
  if (flow_attr_get_int (flow_construction_attr (c, "preferred_shard")) >= -1)
    return GINT_TO_POINTER (TRUE);
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT,
               "Attribute 'preferred_shard' must be greater or equal to -1");
  return NULL;
}

/* Restore and RestoreSlice: version 1 alone. */
static gboolean
restore_compute (FlowKernelContext  *c,
                 GError            **error)
{
  static const char *const argument_names[] = { "file_pattern", "tensor_name", "shape_and_slice" };
  g_auto (FlowGivenPath) path = { 0 };
  g_autofree char *name = NULL;
  g_autofree char *spec = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  FlowTensor *tensor;
  GError *problem = NULL;

  for (guint i = 0; i < c->n_inputs; i++)
    FLOW_REQUIRE (flow_kernel_input (c, i)->n_elements == 1, error, INVALID_ARGUMENT,
                  "Input %u (%s) must be a string scalar; got a tensor of %" G_GINT64_FORMAT " elements", i,
                  argument_names[MIN (i, 2)], flow_kernel_input (c, i)->n_elements);
  if (!_flow_get_text (flow_kernel_input (c, 1), 0, &name, error)
      || (c->n_inputs > 2 && !_flow_get_text (flow_kernel_input (c, 2), 0, &spec, error))
      || !_flow_get_checkpoint_path (c, flow_kernel_input (c, 0), 0, FLOW_PATH_READ, &path, error))
    return FALSE;
  /* TF: a pattern that ends so matches nothing in the folder. */
  FLOW_REQUIRE (*path.given != '\0' && (!g_str_has_suffix (path.given, "/") || !g_file_test (path.resolved, G_FILE_TEST_IS_DIR)),
                error, NOT_FOUND, FLOW_NO_CHECKPOINT "%s", path.given);
  checkpoint = flow_checkpoint_open_v1 (path.resolved, &problem);
  tensor = checkpoint != NULL ? read_typed (c, checkpoint, name, spec, c->output_dtypes[0], &problem) : NULL;
  if (tensor == NULL)
    return _flow_fail_as_given (&path, problem, error);
  flow_kernel_take_output (c, 0, tensor);
  return TRUE;
}

static gboolean
save_infer (FlowInferContext  *c,
            GError           **error)
{
  guint n_fixed = strcmp (c->signature->op->name, "SaveSlices") == 0 ? 3 : 2;

  if (c->running)
    return TRUE;
  if (!scalar_input (c, 0, error))
    return FALSE;
  for (guint i = 1; i < n_fixed; i++)
    if (!vector_input (c, i, (gint64) c->n_inputs - n_fixed, error))
      return FALSE;
  return TRUE;
}

static gboolean
save_v1 (FlowKernelContext  *c,
         guint               n_fixed,
         GError            **error)
{
  FlowTensor *filename = flow_kernel_input (c, 0);
  FlowTensor *names_tensor = flow_kernel_input (c, 1);
  g_auto (GStrv) names = NULL;
  g_auto (GStrv) specs = NULL;
  g_auto (FlowGivenPath) path = { 0 };
  g_autofree const FlowTensor **tensors = g_new0 (const FlowTensor *, c->n_inputs);
  GError *problem = NULL;

  FLOW_REQUIRE (filename->n_elements == 1, error, INVALID_ARGUMENT,
                "Input 0 (filename) must be a string scalar; got a tensor of %" G_GINT64_FORMAT "elements",
                filename->n_elements);
  FLOW_REQUIRE (names_tensor->n_elements == (gint64) c->n_inputs - n_fixed, error, INVALID_ARGUMENT,
                "Expected %" G_GINT64_FORMAT " names for the tensors, but got %" G_GINT64_FORMAT,
                (gint64) c->n_inputs - n_fixed, names_tensor->n_elements);
  names = get_texts (names_tensor, error);
  if (names == NULL)
    return FALSE;
  if (n_fixed == 3)
    {
      FlowTensor *specs_tensor = flow_kernel_input (c, 2);

      FLOW_REQUIRE (specs_tensor->n_elements == names_tensor->n_elements, error, INVALID_ARGUMENT,
                    "Expected %" G_GINT64_FORMAT " elements for the tensor shapes and slices but got %" G_GINT64_FORMAT,
                    names_tensor->n_elements, specs_tensor->n_elements);
      specs = get_texts (specs_tensor, error);
    }
  else
    {
      specs = g_new0 (char *, (gsize) names_tensor->n_elements + 1);
      for (gint64 i = 0; i < names_tensor->n_elements; i++)
        specs[i] = g_strdup ("");
    }
  if (specs == NULL || !_flow_get_checkpoint_path (c, filename, 0, FLOW_PATH_WRITE, &path, error))
    return FALSE;
  /* TF: names the temporary file that it cannot give that name to. */
  FLOW_REQUIRE (*path.given != '\0', error, NOT_FOUND, ".tempstate; No such file or directory");
  for (guint i = 0; i + n_fixed < c->n_inputs; i++)
    tensors[i] = flow_kernel_input (c, n_fixed + i);
  return flow_checkpoint_save_v1 (path.resolved, (const char *const *) names, (const char *const *) specs, tensors,
                                  c->n_inputs - n_fixed, &problem)
         || _flow_fail_as_given (&path, problem, error);
}

static gboolean
save_compute (FlowKernelContext  *c,
              GError            **error)
{
  return save_v1 (c, 2, error);
}

static gboolean
save_slices_compute (FlowKernelContext  *c,
                     GError            **error)
{
  return save_v1 (c, 3, error);
}

static gboolean
merge_infer (FlowInferContext  *c,
             GError           **error)
{
  g_autoptr (FlowShape) shape = NULL;

  if (c->running)
    return TRUE;
  return flow_infer_with_rank (c, flow_infer_input (c, 0), 1, &shape, error) && scalar_input (c, 1, error);
}

static gboolean
merge_compute (FlowKernelContext  *c,
               GError            **error)
{
  FlowTensor *prefixes_tensor = flow_kernel_input (c, 0);
  FlowTensor *destination = flow_kernel_input (c, 1);
  g_autofree char *prefixes_shape = flow_shape_to_string (prefixes_tensor->shape);
  g_autofree char *destination_shape = flow_shape_to_string (destination->shape);
  g_auto (FlowGivenPath) path = { 0 };
  g_autoptr (GPtrArray) prefixes = g_ptr_array_new_with_free_func (g_free);
  FlowMergeOldDirs old_dirs = flow_kernel_attr_bool (c, "delete_old_dirs") ? FLOW_MERGE_DELETE_OLD_DIRS
                                                                           : FLOW_MERGE_KEEP_OLD_DIRS;
  GError *problem = NULL;

  FLOW_REQUIRE (FLOW_RANK (prefixes_tensor) == 1, error, INVALID_ARGUMENT,
                "Input checkpoint_prefixes should be an 1-D tensor, got %s instead.", prefixes_shape);
  FLOW_REQUIRE (FLOW_RANK (destination) == 0, error, INVALID_ARGUMENT,
                "Input destination_prefix should be a scalar tensor, got %s instead.", destination_shape);
  for (gint64 i = 0; i < prefixes_tensor->n_elements; i++)
    {
      g_auto (FlowGivenPath) part = { 0 };

      /* They are moved away, so they must be writable ground, too. */
      if (!_flow_get_checkpoint_path (c, prefixes_tensor, i, FLOW_PATH_WRITE, &part, error))
        return FALSE;
      g_ptr_array_add (prefixes, g_steal_pointer (&part.resolved));
    }
  g_ptr_array_add (prefixes, NULL);
  if (!_flow_get_checkpoint_path (c, destination, 0, FLOW_PATH_WRITE, &path, error))
    return FALSE;
  return flow_bundle_merge ((const char *const *) prefixes->pdata, path.resolved, old_dirs, &problem)
         || _flow_fail_as_given (&path, problem, error);
}

static gboolean
sharded_infer (FlowInferContext  *c,
               GError           **error)
{
  if (c->running)
    return flow_infer_scalar_shape (c, error);
  for (guint i = 0; i < c->n_inputs; i++)
    if (!scalar_input (c, i, error))
      return FALSE;
  return flow_infer_scalar_shape (c, error);
}

static gboolean
check_scalars (FlowKernelContext   *c,
               const char *const   *argument_names,
               GError             **error)
{
  for (guint i = 0; i < c->n_inputs; i++)
    {
      g_autofree char *shape = flow_shape_to_string (flow_kernel_input (c, i)->shape);

      FLOW_REQUIRE (FLOW_RANK (flow_kernel_input (c, i)) == 0, error, INVALID_ARGUMENT,
                    "%s must be a scalar, got shape %s", argument_names[i], shape);
    }
  return TRUE;
}

static void
take_name (FlowKernelContext *c,
           const char        *suffix)
{
  gsize length;
  const char *base = flow_tensor_get_string (flow_kernel_input (c, 0), 0, &length);
  g_autoptr (GString) text = g_string_new_len (base != NULL ? base : "", (gssize) length);

  g_string_append (text, suffix);
  flow_kernel_take_output (c, 0, flow_tensor_new_string (text->str, (gssize) text->len));
}

static gboolean
sharded_filename_compute (FlowKernelContext  *c,
                          GError            **error)
{
  static const char *const argument_names[] = { "basename", "shard", "num_shards" };
  g_autofree char *suffix = NULL;

  if (!check_scalars (c, argument_names, error))
    return FALSE;
  suffix = g_strdup_printf ("-%05d-of-%05d", (int) flow_tensor_get_int (flow_kernel_input (c, 1), 0),
                            (int) flow_tensor_get_int (flow_kernel_input (c, 2), 0));
  take_name (c, suffix);
  return TRUE;
}

static gboolean
sharded_filespec_compute (FlowKernelContext  *c,
                          GError            **error)
{
  static const char *const argument_names[] = { "basename", "num_shards" };
  g_autofree char *suffix = NULL;

  if (!check_scalars (c, argument_names, error))
    return FALSE;
  suffix = g_strdup_printf ("-?????" "-of-%05d", (int) flow_tensor_get_int (flow_kernel_input (c, 1), 0));
  take_name (c, suffix);
  return TRUE;
}

#define FILE_FLAGS (FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT)

static const FlowOpDef ops[] = {
  {
    .name = "MergeV2Checkpoints",
    .inputs = "checkpoint_prefixes: string; destination_prefix: string",
    .attrs = "delete_old_dirs: bool = true",
    .summary = "Makes one checkpoint of those that several devices saved",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = merge_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, merge_compute }, { NULL } },
  },
  {
    .name = "Restore",
    .inputs = "file_pattern: string; tensor_name: string",
    .outputs = "tensor: dt",
    .attrs = "dt: type; preferred_shard: int = -1",
    .summary = "Reads a tensor from a checkpoint of version 1",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = restore_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, restore_compute, restore_construct }, { NULL } },
  },
  {
    .name = "RestoreSlice",
    .inputs = "file_pattern: string; tensor_name: string; shape_and_slice: string",
    .outputs = "tensor: dt",
    .attrs = "dt: type; preferred_shard: int = -1",
    .summary = "Reads a part of a tensor from a checkpoint of version 1",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = restore_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, restore_compute, restore_construct }, { NULL } },
  },
  {
    .name = "RestoreV2",
    .inputs = "prefix: string; tensor_names: string; shape_and_slices: string",
    .outputs = "tensors: dtypes",
    .attrs = "dtypes: list(type) >= 1",
    .summary = "Reads tensors from a checkpoint",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = restore_v2_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, restore_v2_compute }, { NULL } },
  },
  {
    .name = "Save",
    .inputs = "filename: string; tensor_names: string; data: T",
    .attrs = "T: list(type) >= 1",
    .summary = "Writes tensors to a checkpoint of version 1",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = save_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, save_compute }, { NULL } },
  },
  {
    .name = "SaveSlices",
    .inputs = "filename: string; tensor_names: string; shapes_and_slices: string; data: T",
    .attrs = "T: list(type) >= 1",
    .summary = "Writes parts of tensors to a checkpoint of version 1",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = save_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, save_slices_compute }, { NULL } },
  },
  {
    .name = "SaveV2",
    .inputs = "prefix: string; tensor_names: string; shape_and_slices: string; tensors: dtypes",
    .attrs = "dtypes: list(type) >= 1",
    .summary = "Writes tensors to a checkpoint",
    .flags = FILE_FLAGS,
    .family = FLOW_OP_FAMILY_IO,
    .infer = save_v2_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, save_v2_compute }, { NULL } },
  },
  {
    .name = "ShardedFilename",
    .inputs = "basename: string; shard: int32; num_shards: int32",
    .outputs = "filename: string",
    .summary = "The name of one of a checkpoint's shards",
    .family = FLOW_OP_FAMILY_IO,
    .infer = sharded_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sharded_filename_compute }, { NULL } },
  },
  {
    .name = "ShardedFilespec",
    .inputs = "basename: string; num_shards: int32",
    .outputs = "filename: string",
    .summary = "The pattern of the names of a checkpoint's shards",
    .family = FLOW_OP_FAMILY_IO,
    .infer = sharded_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, sharded_filespec_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (save_restore, ops)

/* flow-kernels-remap.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model starts with from a checkpoint of another vocabulary.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-checkpoint-path-private.h"
#include "flow-files-private.h"

#include <string.h>

/* --- GenerateVocabRemapping ----------------------------------------------------------------------------------- */

static gboolean
remapping_infer (FlowInferContext  *c,
                 GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (FlowShape) name = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), 0, &name, error))
        return FALSE;
    }
  flow_infer_take_output (c, 0, flow_shape_new_vector (flow_infer_attr_int (c, "num_new_vocab")));
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return TRUE;
}

/* A vocabulary: one word a line. */
typedef struct {
  GBytes *file;
  GPtrArray *words;            /* of GBytes */
} Vocabulary;

static void
vocabulary_clear (Vocabulary *self)
{
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->file, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Vocabulary, vocabulary_clear)

/* The first @size words of the file, all if that is -1. */
static gboolean
read_vocabulary (FlowKernelContext  *c,
                 guint               input,
                 gint64              size,
                 Vocabulary         *self,
                 GError            **error)
{
  const FlowTensor *given = flow_kernel_input (c, input);
  g_autofree char *name = NULL;
  gsize at = 0;
  gsize length;

  if (!flow_is_scalar (given))
    return _flow_refuse_shapes (error, given, NULL, input == 0 ? "new_vocab_file should be a single string, but got %s"
                                                               : "old_vocab_file should be a single string, but got %s");
  if (!_flow_get_text (given, 0, &name, error))
    return FALSE;
  /* TF: in these words for both. */
  if (*name == '\0')
    return _flow_refuse (error, "new vocab filename cannot be empty.");
  self->file = _flow_read_named_file (c, name, error);
  if (self->file == NULL)
    return FALSE;
  self->words = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  length = g_bytes_get_size (self->file);
  if (length == 0 && size > 0)
    return _flow_refuse (error, "Invalid vocab_size in %s: expected %" G_GINT64_FORMAT " but got 0", name, size);
  FLOW_REQUIRE (size != 0 || length == 0, error, OUT_OF_RANGE, "Finished reading 0 of lines from %s", name);
  do
    {
      GBytes *word = _flow_read_vocabulary_line (self->file, name, &at, error);

      if (word == NULL)
        return FALSE;
      g_ptr_array_add (self->words, word);
    }
  while (at < length && (size < 0 || self->words->len < size));
  if (size >= 0 && self->words->len < size)
    return _flow_refuse (error, "Invalid vocab_size in %s: expected %" G_GINT64_FORMAT " but got %u", name, size,
                         self->words->len);
  return TRUE;
}

/* Each word's line. */
static GHashTable *
index_words (const Vocabulary  *vocabulary,
             GError           **error)
{
  g_autoptr (GHashTable) lines = g_hash_table_new (g_bytes_hash, g_bytes_equal);

  for (guint i = 0; i < vocabulary->words->len; i++)
    {
      GBytes *word = vocabulary->words->pdata[i];

      if (g_hash_table_contains (lines, word))
        {
          gsize n;
          const char *text = g_bytes_get_data (word, &n);

          g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "HashTable has different value for same key. "
                       "Key %.*s has %u and trying to add value %u", (int) MIN (n, 200), text,
                       GPOINTER_TO_UINT (g_hash_table_lookup (lines, word)), i);
          return NULL;
        }
      g_hash_table_insert (lines, word, GUINT_TO_POINTER (i));
    }
  return g_steal_pointer (&lines);
}

static gboolean
remapping_compute (FlowKernelContext  *c,
                   GError            **error)
{
  const gint64 offset = flow_kernel_attr_int (c, "new_vocab_offset");
  const gint64 n = flow_kernel_attr_int (c, "num_new_vocab");
  g_auto (Vocabulary) new_words = { NULL };
  g_auto (Vocabulary) old_words = { NULL };
  g_autoptr (GHashTable) lines = NULL;
  g_autoptr (FlowShape) scalar = flow_shape_new_scalar ();
  FlowTensor *remapping;
  FlowTensor *present;
  gint32 n_present = 0;

  if (!read_vocabulary (c, 0, -1, &new_words, error))
    return FALSE;
  if (offset > new_words.words->len || n > new_words.words->len - offset)
    return _flow_refuse (error, "lookup table size must be larger than last new vocab entry's line");
  if (!read_vocabulary (c, 1, flow_kernel_attr_int (c, "old_vocab_size"), &old_words, error) ||
      (lines = index_words (&old_words, error)) == NULL ||
      (remapping = flow_kernel_allocate_dims (c, 0, 1, &n, error)) == NULL ||
      (present = flow_kernel_allocate (c, 1, scalar, error)) == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      gpointer line;
      gboolean found = g_hash_table_lookup_extended (lines, new_words.words->pdata[offset + i], NULL, &line);

      FLOW_WRITABLE (gint64, remapping)[i] = found ? (gint64) GPOINTER_TO_UINT (line) : -1;
      n_present += found;
    }
  FLOW_WRITABLE (gint32, present)[0] = n_present;
  return TRUE;
}

/* --- LoadAndRemapMatrix ----------------------------------------------------------------------------------------- */

static gboolean
matrix_infer (FlowInferContext  *c,
              GError           **error)
{
  /* TF: of the values for what is missing the number alone counts. */
  static const int ranks[] = { -1, 0, 1, 1 };

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 1; i < G_N_ELEMENTS (ranks); i++)
    {
      g_autoptr (FlowShape) shape = NULL;

      if (!flow_infer_with_rank (c, flow_infer_input (c, i), ranks[i], &shape, error))
        return FALSE;
    }
  flow_infer_take_output (c, 0, flow_shape_new_matrix (flow_infer_attr_int (c, "num_rows"),
                                                       flow_infer_attr_int (c, "num_cols")));
  return TRUE;
}

/* An old number may have one new place only. */
static gboolean
check_remapping (const FlowTensor  *remapping,
                 GError           **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (gint64 i = 0; i < remapping->n_elements; i++)
    {
      gint64 *old = (gint64 *) remapping->data + i;
      gpointer place;

      if (*old < 0)
        continue;
      FLOW_REQUIRE (!g_hash_table_lookup_extended (places, old, NULL, &place), error, UNIMPLEMENTED,
                    "Old ID %" G_GINT64_FORMAT " is mapped to both new ID %" G_GSIZE_FORMAT " and %" G_GINT64_FORMAT
                    ", which is not supported.", *old, GPOINTER_TO_SIZE (place), i);
      g_hash_table_insert (places, old, GSIZE_TO_POINTER ((gsize) i));
    }
  return TRUE;
}

static gboolean
check_remappings (FlowKernelContext  *c,
                  gint64              n_rows,
                  gint64              n_columns,
                  GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 2);
  const FlowTensor *columns = flow_kernel_input (c, 3);

  if (!flow_is_vector (rows))
    return _flow_refuse_shapes (error, rows, NULL, "The `row_remapping` tensor must be 1-D, got a tensor of shape %s");
  if (rows->n_elements != n_rows)
    return _flow_refuse (error, "Size of row_remapping is %" G_GINT64_FORMAT " instead of being equal to num_rows=%"
                         G_GINT64_FORMAT, rows->n_elements, n_rows);
  if (!check_remapping (rows, error))
    return FALSE;
  if (!flow_is_vector (columns))
    return _flow_refuse_shapes (error, columns, NULL, "The `col_remapping` tensor must be 1-D, got a tensor of shape %s");
  if (columns->n_elements > 0 && columns->n_elements != n_columns)
    return _flow_refuse (error, "Provided col_remapping, but its size is %" G_GINT64_FORMAT
                         " instead of being equal to num_cols=%" G_GINT64_FORMAT, columns->n_elements, n_columns);
  return check_remapping (columns, error);
}

/* TF: takes so many rows of the old matrix at a time; the first such slice that goes beyond it is told. */
static gboolean
check_row_range (const FlowShape  *shape,
                 const char       *text,
                 gint64            first,
                 gint64            last,
                 gint64            at_once,
                 GError          **error)
{
  gint64 n = shape->dims[0];

  if (last < n)
    return TRUE;
  if (at_once <= 0)
    at_once = last - first + 1;
  else if (first < n)
    first += (n - first) / at_once * at_once;
  g_set_error (error, FLOW_ERROR, FLOW_ERROR_INTERNAL, "Extent in dimension 0 out of bounds: shape = %s, slice = %"
               G_GINT64_FORMAT ",%" G_GINT64_FORMAT ":-", text, first, MIN (at_once, last - first + 1));
  return FALSE;
}

/* The old rows from the least that is wanted to the greatest; NULL without an error where none is. */
static gboolean
read_old_rows (FlowKernelContext    *c,
               const FlowGivenPath  *path,
               const char           *name,
               gint64                n_columns,
               gint64               *first,
               FlowTensor          **old,
               GError              **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 2);
  g_autoptr (FlowCheckpoint) checkpoint = _flow_open_for_restore (c, path, error);
  FlowCheckpointTensor *info;
  g_autofree char *shape = NULL;
  g_autofree char *spec = NULL;
  GError *problem = NULL;
  gint64 last = -1;

  if (checkpoint == NULL)
    return FALSE;
  /* TF: under the empty name stands the header, whose count of shards it takes for a dtype. */
  if (*name == '\0')
    return _flow_refuse (error, "Tensor  has shape [] of invalid rank 0 instead of expected shape of rank 2.");
  info = flow_checkpoint_find (checkpoint, name);
  FLOW_REQUIRE (info != NULL, error, NOT_FOUND, "Key %s not found in checkpoint", name);
  FLOW_REQUIRE (info->problem == NULL, error, DATA_LOSS, "%s", info->problem);
  shape = flow_shape_to_string (info->shape);
  if (info->dtype != FLOW_DTYPE_FLOAT)
    return _flow_refuse (error, "Tensor %s has invalid type %s instead of expected type float", name,
                         flow_dtype_string (info->dtype));
  if (info->shape->rank != 2)
    return _flow_refuse (error, "Tensor %s has shape %s of invalid rank %d instead of expected shape of rank 2.", name, shape,
                         info->shape->rank);
  if (flow_kernel_input (c, 3)->n_elements == 0 && info->shape->dims[1] != n_columns)
    return _flow_refuse (error, "Tensor %s has shape %s, where the size of its 2nd dimension is %" G_GINT64_FORMAT
                         " instead of being equal to num_cols=%" G_GINT64_FORMAT, name, shape, info->shape->dims[1], n_columns);
  *first = -1;
  for (gint64 i = 0; i < rows->n_elements; i++)
    {
      gint64 row = FLOW_DATA (gint64, rows)[i];

      if (row >= 0 && (*first < 0 || row < *first))
        *first = row;
      last = MAX (last, row);
    }
  if (last < 0)
    return TRUE;
  if (!check_row_range (info->shape, shape, *first, last, flow_kernel_attr_int (c, "max_rows_in_memory"), error))
    return FALSE;
  spec = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ":-",
                          info->shape->dims[0], info->shape->dims[1], *first, last - *first + 1);
  *old = flow_checkpoint_read_slice (checkpoint, name, spec, c->budget, &problem);
  return *old != NULL || _flow_fail_as_given (path, problem, error);
}

/* Cells that no old one goes to take the next of the initializing values. */
static gboolean
fill_matrix (FlowKernelContext  *c,
             const FlowTensor   *old,
             gint64              first,
             FlowTensor         *out,
             GError            **error)
{
  const FlowTensor *rows = flow_kernel_input (c, 2);
  const FlowTensor *columns = flow_kernel_input (c, 3);
  const FlowTensor *fresh = flow_kernel_input (c, 4);
  const gint64 width = old != NULL ? FLOW_DIMS (old)[1] : 0;
  gint64 beyond = -1;
  gint64 used = 0;

  for (gint64 i = 0; i < out->n_elements; i++)
    {
      gint64 row = FLOW_DATA (gint64, rows)[i / FLOW_DIMS (out)[1]];
      gint64 column = i % FLOW_DIMS (out)[1];

      if (columns->n_elements > 0)
        column = FLOW_DATA (gint64, columns)[column];
      if (row >= 0 && column >= 0)
        {
          if (column < width)
            FLOW_WRITABLE (float, out)[i] = FLOW_DATA (float, old)[(row - first) * width + column];
          else
            beyond = column;
          continue;
        }
      if (used >= fresh->n_elements)
        return _flow_refuse (error, "initializing_values contained %" G_GINT64_FORMAT
                             " elements, but more missing values remain.", fresh->n_elements);
      FLOW_WRITABLE (float, out)[i] = FLOW_DATA (float, fresh)[used++];
    }
  if (used != fresh->n_elements)
    return _flow_refuse (error, "initializing_values contained %" G_GINT64_FORMAT " elements, but only %" G_GINT64_FORMAT
                         " elements were used to fill in missing values.", fresh->n_elements, used);
  /* TF: leaves such cells as the memory was. */
  FLOW_REQUIRE (beyond < 0, error, INVALID_ARGUMENT, "Column %" G_GINT64_FORMAT " is not there: the old matrix has %"
                G_GINT64_FORMAT, beyond, width);
  return TRUE;
}

/* TF: takes a bundle alone, not a V1 checkpoint. */
static gboolean
find_bundle (FlowKernelContext  *c,
             const FlowTensor   *where,
             FlowGivenPath      *path,
             GError            **error)
{
  g_autofree char *index = NULL;
  gsize length;

  flow_tensor_get_string (where, 0, &length);
  FLOW_REQUIRE (length > 0, error, NOT_FOUND, ".index; No such file or directory");
  if (!_flow_get_checkpoint_path (c, where, 0, FLOW_PATH_READ, path, error))
    return FALSE;
  index = g_strconcat (path->resolved, ".index", NULL);
  FLOW_REQUIRE (g_file_test (index, G_FILE_TEST_EXISTS), error, NOT_FOUND, "%s.index; No such file or directory", path->given);
  return TRUE;
}

static gboolean
matrix_compute (FlowKernelContext  *c,
                GError            **error)
{
  const gint64 dims[2] = { flow_kernel_attr_int (c, "num_rows"), flow_kernel_attr_int (c, "num_cols") };
  const FlowTensor *where = flow_kernel_input (c, 0);
  const FlowTensor *what = flow_kernel_input (c, 1);
  g_auto (FlowGivenPath) path = { 0 };
  g_autoptr (FlowTensor) old = NULL;
  g_autofree char *name = NULL;
  FlowTensor *out;
  gint64 first = 0;

  if (!check_remappings (c, dims[0], dims[1], error))
    return FALSE;
  if (where->n_elements != 1)
    return _flow_refuse_shapes (error, where, NULL, "The `ckpt_path` tensor must have exactly one element, got tensor of shape %s");
  if (what->n_elements != 1)
    return _flow_refuse_shapes (error, what, NULL, "The `old_tensor_name` tensor must have exactly one element, got tensor of shape %s");
  if (!find_bundle (c, where, &path, error) || !_flow_get_text (what, 0, &name, error) ||
      !read_old_rows (c, &path, name, dims[1], &first, &old, error))
    return FALSE;
  out = flow_kernel_allocate_dims (c, 0, 2, dims, error);
  return out != NULL && fill_matrix (c, old, first, out, error);
}

static const FlowOpDef ops[] = {
  {
    .name = "GenerateVocabRemapping",
    .inputs = "new_vocab_file: string; old_vocab_file: string",
    .outputs = "remapping: int64; num_present: int32",
    .attrs = "new_vocab_offset: int >= 0; num_new_vocab: int >= 0; old_vocab_size: int >= -1 = -1",
    .summary = "Where each word of a new vocabulary stands in an old one",
    .flags = FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = remapping_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, remapping_compute }, { NULL } },
  },
  {
    .name = "LoadAndRemapMatrix",
    .inputs = "ckpt_path: string; old_tensor_name: string; row_remapping: int64; col_remapping: int64; "
              "initializing_values: float",
    .outputs = "output_matrix: float",
    .attrs = "num_rows: int >= 0; num_cols: int >= 1; max_rows_in_memory: int = -1",
    .summary = "A matrix of a checkpoint, its rows and columns in another order",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = matrix_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, matrix_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (remap, ops)

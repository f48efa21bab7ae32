/* flow-kernels-files.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names of files, files written, and tensors as strings.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-files-private.h"
#include "flow-proto-reader.h"
#include "flow-proto-writer.h"
#include "flow-string-private.h"
#include "flow-tensor-proto.h"
#include "flow-util.h"

#include <errno.h>
#include <fnmatch.h>
#include <glib/gstdio.h>
#include <string.h>

/* Names looked at before a pattern is said to be too wide. */
#define MAX_NAMES 1000000
/* Characters of what could not be parsed that a message shows: TensorFlow shows all, however many. */
#define MAX_SHOWN 4000

/* --- MatchingFiles ------------------------------------------------------------------------------------------ */

static char *
join (const char *folder,
      const char *name)
{
  return g_str_has_suffix (folder, "/") ? g_strconcat (folder, name, NULL) : g_strconcat (folder, "/", name, NULL);
}

/* TF: everything below the folder in front of the first wildcard is compared with the whole pattern. */
static gboolean
list_folder (FlowKernelContext *c,
             const char        *folder,
             const char        *prefix,
             guint              depth,
             GPtrArray         *all,
             GError           **error)
{
  g_autofree char *path = c->host->resolve_path (c->host_data, folder, FLOW_PATH_READ, error);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (path == NULL)
    return FALSE;
  errno = 0;
  dir = g_dir_open (path, 0, NULL);
  if (dir == NULL)
    {
      flow_error_set_from_errno (error, errno != 0 ? errno : ENOENT, folder);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      char *child = join (folder, name);
      g_autofree char *child_path = g_build_filename (path, name, NULL);

      FLOW_REQUIRE (!flow_kernel_is_cancelled (c), error, CANCELLED, "MatchingFiles was cancelled");
      g_ptr_array_add (all, child);
      FLOW_REQUIRE (all->len < MAX_NAMES, error, RESOURCE_EXHAUSTED, "More than %d files below %s", MAX_NAMES, folder);
      /* A folder that may not be read has no files. */
      if (depth > 0 && g_str_has_prefix (child, prefix) && g_file_test (child_path, G_FILE_TEST_IS_DIR))
        list_folder (c, child, prefix, depth - 1, all, NULL);
    }
  return TRUE;
}

static guint
count_slashes (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '/';
  return n;
}

gboolean
_flow_match_files (FlowKernelContext *c,
                   const char        *pattern,
                   GPtrArray         *names,
                   GError           **error)
{
  g_autofree char *prefix = g_strndup (pattern, strcspn (pattern, "*?[\\"));
  const char *slash = strrchr (prefix, '/');
  g_autofree char *folder = slash == prefix ? g_strdup ("/")
                            : slash != NULL ? g_strndup (prefix, (gsize) (slash - prefix)) : g_strdup (".");
  g_autofree char *whole = slash != NULL ? g_strdup (pattern) : g_strconcat ("./", pattern, NULL);
  g_autofree char *head = slash != NULL ? g_strdup (prefix) : g_strconcat ("./", prefix, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  guint depth = count_slashes (whole) - count_slashes (folder);

  if (!list_folder (c, folder, head, depth, all, error))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    if (g_str_has_prefix (all->pdata[i], head) && fnmatch (whole, all->pdata[i], FNM_PATHNAME) == 0)
      g_ptr_array_add (names, g_steal_pointer (&all->pdata[i]));
  return TRUE;
}

static gboolean
matching_files_infer (FlowInferContext *c,
                      GError          **error)
{
  g_autoptr (FlowShape) pattern = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (!flow_infer_with_rank_at_most (c, flow_infer_input (c, 0), 1, &pattern, error))
    return FALSE;
  flow_infer_take_output (c, 0, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  return TRUE;
}

static gboolean
matching_files_compute (FlowKernelContext *c,
                        GError           **error)
{
  FlowTensor *patterns = flow_kernel_input (c, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  FlowTensor *out;
  gint64 n;

  if (FLOW_RANK (patterns) > 1)
    return _flow_refuse_shapes (error, patterns, NULL, "Input patterns tensor must be scalar or vector, but had shape: %s");
  for (gint64 i = 0; i < patterns->n_elements; i++)
    {
      Text text = text_at (patterns, i);
      g_autofree char *pattern = g_strndup (text.length > 0 ? text.bytes : "", text.length);

      if (!_flow_match_files (c, pattern, names, error))
        return FALSE;
    }
  g_ptr_array_sort (names, flow_compare_texts);
  n = names->len;
  out = flow_kernel_allocate_dims (c, 0, 1, &n, error);
  if (out == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    put_text (out, i, names->pdata[i], strlen (names->pdata[i]));
  return TRUE;
}

/* --- files as a whole ----------------------------------------------------------------------------------------- */

#define MAX_FILE_BYTES ((gsize) 1 << 30)

GBytes *
_flow_read_named_file (FlowKernelContext  *c,
                       const char         *name,
                       GError            **error)
{
  g_autofree char *path = flow_kernel_find_file (c, name, FLOW_PATH_READ, error);
  g_autoptr (GError) failure = NULL;
  GBytes *bytes;

  if (path == NULL)
    return NULL;
  bytes = flow_read_file (path, MAX_FILE_BYTES, &failure);
  if (bytes == NULL && g_str_has_prefix (failure->message, path))
    g_set_error (error, FLOW_ERROR, failure->code, "%s%s", name, failure->message + strlen (path));
  else if (bytes == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return bytes;
}

GBytes *
_flow_read_vocabulary_line (GBytes      *file,
                            const char  *name,
                            gsize       *at,
                            GError     **error)
{
  gsize size;
  const char *text = g_bytes_get_data (file, &size);
  const char *stop;
  GByteArray *line;

  if (*at >= size)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested");
      return NULL;
    }
  line = g_byte_array_new ();
  stop = memchr (text + *at, '\n', size - *at);
  for (; *at < size && text + *at != stop; (*at)++)
    if (text[*at] != '\r')
      g_byte_array_append (line, (const guint8 *) text + *at, 1);
  *at += stop != NULL;
  if (line->len > 0)
    return g_byte_array_free_to_bytes (line);
  g_byte_array_unref (line);
  _flow_refuse (error, "Invalid content in %s: empty line found at position %" G_GSIZE_FORMAT ".", name, *at);
  return NULL;
}

/* --- WriteFile ---------------------------------------------------------------------------------------------- */

static gboolean
write_file_compute (FlowKernelContext *c,
                    GError           **error)
{
  FlowTensor *filename = flow_kernel_input (c, 0);
  FlowTensor *contents = flow_kernel_input (c, 1);
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GBytes) bytes = NULL;
  Text text;

  if (!flow_is_scalar (filename))
    return _flow_refuse_shapes (error, filename, NULL, "Input filename tensor must be scalar, but had shape: %s");
  if (!flow_is_scalar (contents))
    return _flow_refuse_shapes (error, contents, NULL, "Contents tensor must be scalar, but had shape: %s");
  text = text_at (filename, 0);
  name = g_strndup (text.length > 0 ? text.bytes : "", text.length);
  path = flow_kernel_find_file (c, name, FLOW_PATH_WRITE, error);
  if (path == NULL)
    return FALSE;
  folder = g_path_get_dirname (path);
  if (g_mkdir_with_parents (folder, 0755) != 0)
    {
      flow_error_set_from_errno (error, errno, name);
      return FALSE;
    }
  text = text_at (contents, 0);
  bytes = g_bytes_new_static (text.bytes, text.length);
  return flow_write_file_safely (path, bytes, error);
}

/* --- SerializeTensor, ParseTensor ------------------------------------------------------------------------------ */

/* TF: numbers always as they lie in memory, also where a list of values would be shorter. */
static GBytes *
serialize (const FlowTensor  *tensor,
           GError           **error)
{
  if (tensor->dtype == FLOW_DTYPE_STRING)
    return flow_tensor_to_proto (tensor, error);
  return flow_tensor_to_content_proto (tensor, error);
}

static gboolean
serialize_tensor_compute (FlowKernelContext *c,
                          GError           **error)
{
  FlowTensor *tensor = flow_kernel_input (c, 0);
  g_autoptr (GBytes) bytes = NULL;

  FLOW_REQUIRE (tensor->dtype != FLOW_DTYPE_RESOURCE && tensor->dtype != FLOW_DTYPE_VARIANT, error, UNIMPLEMENTED,
                "A tensor of type %s has no serialized form here", flow_dtype_string (tensor->dtype));
  if (!reserve_text (c, tensor->n_bytes, error))
    return FALSE;
  bytes = serialize (tensor, error);
  if (bytes == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_string (g_bytes_get_data (bytes, NULL),
                                                         (gssize) g_bytes_get_size (bytes)));
  return TRUE;
}

/* Whether the bytes are some protobuf message at all. */
static gboolean
is_message (Text text)
{
  FlowProtoReader reader;

  flow_proto_reader_init (&reader, text.bytes, text.length);
  while (flow_proto_reader_next (&reader))
    ;
  return !flow_proto_reader_failed (&reader);
}

static gboolean
parse_tensor_compute (FlowKernelContext *c,
                      GError           **error)
{
  FlowTensor *serialized = flow_kernel_input (c, 0);
  int dtype = flow_kernel_attr_dtype (c, "out_type");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  g_autoptr (GError) failure = NULL;
  Text text;

  if (!flow_is_scalar (serialized))
    return _flow_refuse_shapes (error, serialized, NULL,
                                "Expected `serialized` to be a scalar, got shape: %s");
  text = text_at (serialized, 0);
  bytes = g_bytes_new (text.bytes, text.length);
  tensor = flow_tensor_from_proto (bytes, c->budget, &failure);
  if (tensor == NULL)
    {
      g_autofree char *escaped = flow_escape_display (text.bytes, (gssize) text.length, MAX_SHOWN);

      if (g_error_matches (failure, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      if (is_message (text))
        return _flow_refuse (error, "Cannot parse tensor from proto: %s", escaped);
      return _flow_refuse (error, "Could not parse `serialized` as TensorProto: '%s'", escaped);
    }
  if (tensor->dtype != (FlowDType) flow_dtype_base (dtype))
    return _flow_refuse (error, "Type mismatch between parsed tensor (%s) and dtype (%s)",
                         flow_dtype_string (tensor->dtype), flow_dtype_string (dtype));
  flow_kernel_take_output (c, 0, g_steal_pointer (&tensor));
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "MatchingFiles",
    .inputs = "pattern: string",
    .outputs = "filenames: string",
    .summary = "The files whose names match patterns",
    .family = FLOW_OP_FAMILY_IO,
    .infer = matching_files_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, matching_files_compute }, { NULL } },
  },
  {
    .name = "WriteFile",
    .inputs = "filename: string; contents: string",
    .summary = "Writes a string as a file",
    .flags = FLOW_OP_STATEFUL | FLOW_OP_OUTSIDE_EFFECT,
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_no_outputs,
    .kernels = (const FlowKernelDef[]) { { NULL, write_file_compute }, { NULL } },
  },
  {
    .name = "SerializeTensor",
    .inputs = "tensor: T",
    .outputs = "serialized: string",
    .attrs = "T: type",
    .summary = "A tensor as a TensorProto's bytes",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_scalar_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, serialize_tensor_compute }, { NULL } },
  },
  {
    .name = "ParseTensor",
    .inputs = "serialized: string",
    .outputs = "output: out_type",
    .attrs = "out_type: type",
    .summary = "The tensor that a TensorProto's bytes hold",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unknown_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, parse_tensor_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (files, ops)

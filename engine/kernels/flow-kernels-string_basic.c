/* flow-kernels-string_basic.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Strings joined, cut and counted.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-reduce-private.h"
#include "flow-string-private.h"

#include <string.h>

/* --- StringJoin, ReduceJoin ------------------------------------------------------------------------------ */

static gboolean
join_infer (FlowInferContext *c,
            GError          **error)
{
  g_autoptr (FlowShape) out = flow_shape_new_unknown ();
  gboolean all_scalar = TRUE;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowShape *in = flow_infer_input (c, i);
      FlowShape *merged = NULL;

      all_scalar = all_scalar && in->rank == 0;
      if (in->rank == FLOW_RANK_UNKNOWN)
        return flow_infer_unknown_shape (c, error);
      if (in->rank == 0)
        continue;
      if (!flow_infer_merge (c, out, in, &merged, error))
        return FALSE;
      flow_shape_unref (out);
      out = merged;
    }
  if (all_scalar)
    flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  else
    flow_infer_set_output (c, 0, out);
  return TRUE;
}

static gboolean
join_shape (FlowKernelContext *c,
            FlowShape        **shape,
            GError           **error)
{
  *shape = NULL;
  for (guint i = 0; i < c->n_inputs; i++)
    {
      FlowTensor *x = flow_kernel_input (c, i);

      if (FLOW_RANK (x) == 0)
        continue;
      if (*shape == NULL)
        {
          *shape = flow_shape_ref (x->shape);
        }
      else if (!flow_shape_equal (*shape, x->shape))
        {
          g_autofree char *a = flow_shape_to_string (*shape);
          g_autofree char *b = flow_tensor_shape_text (x);

          return _flow_refuse (error, "Input shapes do not match: %s vs. %s", a, b);
        }
    }
  if (*shape == NULL)
    *shape = flow_shape_new_scalar ();
  return TRUE;
}

static gboolean
join_compute (FlowKernelContext *c,
              GError           **error)
{
  gsize n_separator;
  const char *separator = flow_attr_get_string (flow_kernel_attr (c, "separator"), &n_separator);
  g_autoptr (FlowShape) shape = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  FlowTensor *out;

  if (!join_shape (c, &shape, error))
    return FALSE;
  out = flow_kernel_allocate (c, 0, shape, error);
  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      gsize total = 0;

      for (guint k = 0; k < c->n_inputs; k++)
        total += text_at (flow_kernel_input (c, k), FLOW_RANK (flow_kernel_input (c, k)) == 0 ? 0 : i).length +
                 n_separator;
      if (!reserve_text (c, total, error))
        return FALSE;
      g_string_truncate (text, 0);
      for (guint k = 0; k < c->n_inputs; k++)
        {
          FlowTensor *x = flow_kernel_input (c, k);
          Text part = text_at (x, FLOW_RANK (x) == 0 ? 0 : i);

          if (k > 0)
            g_string_append_len (text, separator, (gssize) n_separator);
          g_string_append_len (text, part.bytes, (gssize) part.length);
        }
      put_text (out, i, text->str, text->len);
    }
  return TRUE;
}

static gboolean
reduce_join_infer (FlowInferContext *c,
                   GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_reduce_infer (c, error);
}

/* The axes that are joined over, the first given last: it varies fastest. And those that stay. */
static gboolean
read_join_axes (const FlowTensor *x,
                const FlowTensor *indices,
                int              *joined,
                int              *n_joined,
                int              *kept,
                int              *n_kept,
                GError          **error)
{
  gboolean seen[FLOW_SHAPE_MAX_RANK] = { FALSE };

  *n_joined = 0;
  *n_kept = 0;
  for (gint64 i = 0; i < indices->n_elements; i++)
    {
      gint64 axis = FLOW_DATA (gint32, indices)[i];
      int d = 0;

      FLOW_REQUIRE (flow_canonical_axis (axis, FLOW_RANK (x), &d), error, OUT_OF_RANGE,
                    "Invalid reduction dimension %" G_GINT64_FORMAT " for input with %d dimension(s)", axis,
                    FLOW_RANK (x));
      if (seen[d])
        return _flow_refuse (error, "Duplicate reduction dimension %" G_GINT64_FORMAT, axis);
      seen[d] = TRUE;
      joined[(*n_joined)++] = d;
    }
  for (int i = 0; i < *n_joined / 2; i++)
    {
      int first = joined[i];

      joined[i] = joined[*n_joined - 1 - i];
      joined[*n_joined - 1 - i] = first;
    }
  for (int d = 0; d < FLOW_RANK (x); d++)
    if (!seen[d])
      kept[(*n_kept)++] = d;
  return TRUE;
}

/* Place @i in the dims that @axes name, as an offset into all cells. */
static gint64
offset_of (gint64        i,
           const int    *axes,
           int           n_axes,
           const gint64 *dims,
           const gint64 *strides)
{
  gint64 offset = 0;

  for (int k = n_axes - 1; k >= 0; k--)
    {
      offset += i % dims[axes[k]] * strides[axes[k]];
      i /= dims[axes[k]];
    }
  return offset;
}

static gboolean
reduce_join_compute (FlowKernelContext *c,
                     GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *indices = flow_kernel_input (c, 1);
  gsize n_separator;
  const char *separator = flow_attr_get_string (flow_kernel_attr (c, "separator"), &n_separator);
  gboolean keep = flow_kernel_attr_bool (c, "keep_dims");
  int joined[FLOW_SHAPE_MAX_RANK];
  int kept[FLOW_SHAPE_MAX_RANK];
  gint64 strides[FLOW_SHAPE_MAX_RANK];
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int n_joined;
  int n_kept;
  int rank = 0;
  gint64 n_parts = 1;
  g_autoptr (GString) text = g_string_new (NULL);
  FlowTensor *out;

  if (!read_join_axes (x, indices, joined, &n_joined, kept, &n_kept, error))
    return FALSE;
  if (n_joined == 0)
    {
      flow_kernel_set_output (c, 0, x);
      return TRUE;
    }
  for (int i = 0; i < n_joined; i++)
    n_parts *= FLOW_DIMS (x)[joined[i]];
  for (int d = 0, k = 0; d < FLOW_RANK (x); d++)
    {
      gboolean stays = k < n_kept && kept[k] == d;

      k += stays;
      if (stays || keep)
        dims[rank++] = stays ? FLOW_DIMS (x)[d] : 1;
    }
  out = flow_kernel_allocate_dims (c, 0, rank, dims, error);
  if (out == NULL)
    return FALSE;
  _flow_row_major_strides (FLOW_RANK (x), FLOW_DIMS (x), strides);
  for (gint64 i = 0; i < out->n_elements && n_parts > 0; i++)
    {
      gint64 base = offset_of (i, kept, n_kept, FLOW_DIMS (x), strides);

      g_string_truncate (text, 0);
      for (gint64 k = 0; k < n_parts; k++)
        {
          Text part = text_at (x, base + offset_of (k, joined, n_joined, FLOW_DIMS (x), strides));

          if (!reserve_text (c, text->len + part.length + n_separator, error))
            return FALSE;
          if (k > 0)
            g_string_append_len (text, separator, (gssize) n_separator);
          g_string_append_len (text, part.bytes, (gssize) part.length);
        }
      put_text (out, i, text->str, text->len);
    }
  return TRUE;
}

/* --- StringSplit, StringSplitV2 ------------------------------------------------------------------------------ */

typedef struct {
  GArray *parts;               /* of Text */
  GArray *rows;                /* of gint64: the row of each part */
} Parts;

static void
parts_clear (Parts *parts)
{
  g_array_unref (parts->parts);
  g_array_unref (parts->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

static void
add_part (Parts      *parts,
          gint64      row,
          const char *begin,
          const char *end)
{
  Text text = { begin, (gsize) (end - begin) };

  g_array_append_val (parts->parts, text);
  g_array_append_val (parts->rows, row);
}

/* Cut at each of the delimiter's characters; without one, after every character. */
static void
split_at_any (Parts      *parts,
              gint64      row,
              Text        text,
              Text        delimiter,
              gboolean    skip_empty)
{
  const char *end = text.bytes + text.length;
  const char *begin = text.bytes;

  if (text.length == 0)
    return;
  if (delimiter.length == 0)
    {
      for (; begin < end; begin++)
        add_part (parts, row, begin, begin + 1);
      return;
    }
  for (const char *p = begin;; p++)
    {
      if (p < end && memchr (delimiter.bytes, *p, delimiter.length) == NULL)
        continue;
      if (p > begin || !skip_empty)
        add_part (parts, row, begin, p);
      begin = p + 1;
      if (p == end)
        break;
    }
}

/* As Python's str.split: white space where there is no separator. */
static void
split_python (Parts  *parts,
              gint64  row,
              Text    text,
              Text    separator,
              gint64  max_split)
{
  const char *end = text.bytes + text.length;
  const char *p = text.bytes;

  if (separator.length > 0 && separator.bytes != NULL)
    {
      for (gint64 n = 0; max_split < 0 || n < max_split; n++)
        {
          const char *found = memmem (p, (gsize) (end - p), separator.bytes, separator.length);

          if (found == NULL)
            break;
          add_part (parts, row, p, found);
          p = found + separator.length;
        }
      add_part (parts, row, p, end);
      return;
    }
  if (max_split == 0)
    {
      add_part (parts, row, p, end);
      return;
    }
  while (p < end && g_ascii_isspace (*p))
    p++;
  for (gint64 n = 1; p < end; n++)
    {
      const char *begin = p;

      while (p < end && !g_ascii_isspace (*p))
        p++;
      add_part (parts, row, begin, p);
      while (p < end && g_ascii_isspace (*p))
        p++;
      /* TF: what is left counts even where nothing is. */
      if (n == max_split)
        {
          add_part (parts, row, p, end);
          return;
        }
    }
}

static gboolean
split_infer (FlowInferContext *c,
             GError          **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  flow_infer_take_output (c, 0, flow_shape_new_matrix (FLOW_DIM_UNKNOWN, 2));
  flow_infer_take_output (c, 1, flow_shape_new_vector (FLOW_DIM_UNKNOWN));
  flow_infer_take_output (c, 2, flow_shape_new_vector (2));
  return TRUE;
}

static gboolean
put_parts (FlowKernelContext *c,
           Parts             *parts,
           gint64             n_rows,
           GError           **error)
{
  gint64 n = parts->parts->len;
  gint64 two = 2;
  gint64 most = 0;
  gint64 column = 0;
  FlowTensor *indices = flow_kernel_allocate_dims (c, 0, 2, (gint64[]) { n, 2 }, error);
  FlowTensor *values = flow_kernel_allocate_dims (c, 1, 1, &n, error);
  FlowTensor *shape = flow_kernel_allocate_dims (c, 2, 1, &two, error);

  if (indices == NULL || values == NULL || shape == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 row = g_array_index (parts->rows, gint64, i);
      Text part = g_array_index (parts->parts, Text, i);

      column = i > 0 && g_array_index (parts->rows, gint64, i - 1) == row ? column + 1 : 0;
      most = MAX (most, column + 1);
      FLOW_WRITABLE (gint64, indices)[2 * i] = row;
      FLOW_WRITABLE (gint64, indices)[2 * i + 1] = column;
      put_text (values, i, part.bytes, part.length);
    }
  FLOW_WRITABLE (gint64, shape)[0] = n_rows;
  FLOW_WRITABLE (gint64, shape)[1] = most;
  return TRUE;
}

static gboolean
split_compute (FlowKernelContext *c,
               GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *delimiter = flow_kernel_input (c, 1);
  gboolean skip_empty = flow_kernel_attr_bool (c, "skip_empty");
  g_auto (Parts) parts = {
    g_array_new (FALSE, FALSE, sizeof (Text)), g_array_new (FALSE, FALSE, sizeof (gint64)),
  };

  if (!flow_is_vector (x))
    return _flow_refuse_shapes (error, x, NULL, "input must be a vector, got shape: %s");
  if (!flow_is_scalar (delimiter))
    return _flow_refuse_shapes (error, delimiter, NULL, "delimiter must be a scalar, got shape: %s");
  for (gint64 i = 0; i < x->n_elements; i++)
    split_at_any (&parts, i, text_at (x, i), text_at (delimiter, 0), skip_empty);
  return put_parts (c, &parts, x->n_elements, error);
}

static gboolean
split_v2_compute (FlowKernelContext *c,
                  GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *separator = flow_kernel_input (c, 1);
  gint64 max_split = flow_kernel_attr_int (c, "maxsplit");
  g_auto (Parts) parts = {
    g_array_new (FALSE, FALSE, sizeof (Text)), g_array_new (FALSE, FALSE, sizeof (gint64)),
  };

  if (!flow_is_vector (x))
    return _flow_refuse_shapes (error, x, NULL, "input must be a vector, got shape: %s");
  if (!flow_is_scalar (separator))
    return _flow_refuse_shapes (error, separator, NULL, "sep must be a scalar, got shape: %s");
  for (gint64 i = 0; i < x->n_elements; i++)
    split_python (&parts, i, text_at (x, i), text_at (separator, 0), max_split);
  return put_parts (c, &parts, x->n_elements, error);
}

/* --- Substr ----------------------------------------------------------------------------------------------------- */

static gboolean
is_utf8_unit (FlowKernelContext *c)
{
  return strcmp (flow_kernel_attr_string (c, "unit"), "UTF8_CHAR") == 0;
}

static gboolean
is_trail (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

/* The bytes at which a new character begins are all but 10xxxxxx. */
static gint64
count_units (Text     text,
             gboolean utf8)
{
  gint64 n = 0;

  if (!utf8)
    return (gint64) text.length;
  for (gsize i = 0; i < text.length; i++)
    n += !is_trail (text.bytes[i]);
  return n;
}

/* Goes on by @n characters from *@at, or as many as there are; FALSE if there are less. */
static gboolean
go_forward (Text    text,
            gint64  n,
            gsize  *at)
{
  gint64 i = 0;

  for (; i < n && *at < text.length; i++)
    do
      ++*at;
    while (*at < text.length && is_trail (text.bytes[*at]));
  return i >= n;
}

static gboolean
go_back (Text    text,
         gint64  n,
         gsize  *at)
{
  gint64 i = 0;

  for (; i < n && *at > 0; i++)
    do
      --*at;
    while (*at > 0 && is_trail (text.bytes[*at]));
  return i >= n;
}

static gboolean
substr_infer (FlowInferContext *c,
              GError          **error)
{
  const FlowShape *pos = flow_infer_input (c, 1);
  const FlowShape *length = flow_infer_input (c, 2);
  g_autoptr (FlowShape) same = NULL;
  g_autoptr (FlowShape) out = NULL;

  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  if (length->rank != FLOW_RANK_UNKNOWN && !flow_infer_with_rank (c, flow_infer_input (c, 1), length->rank, &same, error))
    return FALSE;
  for (int i = 0; i < MIN (pos->rank, length->rank); i++)
    if (pos->dims[i] >= 0 && length->dims[i] >= 0 && pos->dims[i] != length->dims[i])
      {
        g_autofree char *first = flow_shape_to_string (pos);
        g_autofree char *second = flow_shape_to_string (length);

        return _flow_refuse (error, "pos and len shapes must match: %s vs. %s", first, second);
      }
  /* TF: the lengths add nothing to the shape. */
  if (!flow_infer_broadcast (c, flow_infer_input (c, 0), flow_infer_input (c, 1), &out, error))
    return FALSE;
  flow_infer_set_output (c, 0, out);
  return TRUE;
}

/* What is cut of a text, in bytes; FALSE: @pos is not in it. */
static gboolean
cut_bytes (Text    text,
           gint64  pos,
           gint64  length,
           Text   *part)
{
  gint64 n = (gint64) text.length;

  if (pos > n || pos < -n)
    return FALSE;
  if (pos < 0)
    pos += n;
  /* TF: a negative length is a very large one. */
  if (length < 0 || length > n - pos)
    length = n - pos;
  *part = (Text) { text.bytes + pos, (gsize) length };
  return TRUE;
}

/* Likewise in characters. TF: there a negative length is none, and behind a negative position no place at all. */
static gboolean
cut_characters (Text    text,
                gint64  pos,
                gint64  length,
                Text   *part)
{
  gsize begin = pos < 0 ? text.length : 0;
  gsize end;

  if (pos < 0 && (length < 0 || pos == G_MININT64 || !go_back (text, -pos, &begin)))
    return FALSE;
  if (pos >= 0 && !go_forward (text, pos, &begin))
    return FALSE;
  end = begin;
  go_forward (text, length, &end);
  *part = (Text) { text.bytes + begin, end - begin };
  return TRUE;
}

/* How two shapes go together, dims that do so alike taken as one: TF has that as the shape of the result. */
typedef struct {
  int rank;                    /* -1: they do not */
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  gint64 strides[2][FLOW_SHAPE_MAX_RANK];
} Together;

static void
put_together (const FlowTensor *a,
              const FlowTensor *b,
              Together         *t)
{
  enum { NONE, SAME, FIRST_ONE, SECOND_ONE } last = NONE;
  gint64 n[2] = { 1, 1 };

  t->rank = 0;
  for (int k = 1; k <= MAX (FLOW_RANK (a), FLOW_RANK (b)); k++)
    {
      gint64 x = k <= FLOW_RANK (a) ? FLOW_DIMS (a)[FLOW_RANK (a) - k] : 1;
      gint64 y = k <= FLOW_RANK (b) ? FLOW_DIMS (b)[FLOW_RANK (b) - k] : 1;
      int how = x == y ? SAME : x == 1 ? FIRST_ONE : SECOND_ONE;

      if (x != y && x != 1 && y != 1)
        {
          t->rank = -1;
          return;
        }
      if (x == 1 && y == 1)
        continue;
      if (how != (int) last)
        {
          t->strides[0][t->rank] = how == FIRST_ONE ? 0 : n[0];
          t->strides[1][t->rank] = how == SECOND_ONE ? 0 : n[1];
          t->dims[t->rank++] = 1;
        }
      t->dims[t->rank - 1] *= how == FIRST_ONE ? y : x;
      n[0] *= x;
      n[1] *= y;
      last = how;
    }
  if (t->rank == 0)
    {
      t->rank = 1;
      t->dims[0] = 1;
      t->strides[0][0] = t->strides[1][0] = 0;
    }
}

static FlowTensor *
allocate_substr (FlowKernelContext *c,
                 FlowTensor        *x,
                 FlowTensor        *pos,
                 Together          *t,
                 GError           **error)
{
  gint64 dims[2];

  if (FLOW_RANK (pos) == 0 || flow_shape_equal (x->shape, pos->shape))
    {
      t->rank = 1;
      t->dims[0] = x->n_elements;
      t->strides[0][0] = 1;
      t->strides[1][0] = FLOW_RANK (pos) == 0 ? 0 : 1;
      return flow_kernel_allocate (c, 0, x->shape, error);
    }
  put_together (x, pos, t);
  if (t->rank < 0)
    {
      _flow_refuse_shapes (error, x, pos, "Incompatible shapes: %s vs. %s");
      return NULL;
    }
  if (t->rank > 2)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_UNIMPLEMENTED,
                   "Substr broadcast not implemented for %d dimensions", t->rank);
      return NULL;
    }
  dims[0] = t->dims[t->rank - 1];
  dims[1] = t->dims[0];
  return flow_kernel_allocate_dims (c, 0, t->rank, dims, error);
}

static gboolean
refuse_position (const Together  *t,
                 gint64           i,
                 Text             text,
                 gint64           pos,
                 gboolean         utf8,
                 GError         **error)
{
  g_autofree char *shown = flow_escape_display (text.bytes, (gssize) text.length, 200);
  g_autofree char *place = NULL;
  gint64 n = t->dims[0];

  /* TF: names the row alone where it counts characters. */
  if (t->rank < 2)
    place = g_strdup_printf ("%" G_GINT64_FORMAT, i);
  else if (utf8)
    place = g_strdup_printf ("%" G_GINT64_FORMAT, i / n);
  else
    place = g_strdup_printf ("(%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")", i / n, i % n);
  if (utf8)
    return _flow_refuse (error, "pos %" G_GINT64_FORMAT " out of range for string at index %s", pos, place);
  return _flow_refuse (error, "pos %" G_GINT64_FORMAT " out of range for string b'%s' at index %s", pos, shown, place);
}

static gboolean
substr_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  FlowTensor *pos = flow_kernel_input (c, 1);
  FlowTensor *length = flow_kernel_input (c, 2);
  gboolean utf8 = is_utf8_unit (c);
  Together t;
  FlowTensor *out;

  if (!flow_shape_equal (pos->shape, length->shape))
    return _flow_refuse_shapes (error, pos, length, "pos and len should have the same shape, got: %s vs. %s");
  out = allocate_substr (c, x, pos, &t, error);
  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < out->n_elements; i++)
    {
      gint64 column = i % t.dims[0];
      gint64 row = i / t.dims[0];
      gint64 at[2];
      gint64 p;
      Text text;
      Text part;

      for (int k = 0; k < 2; k++)
        at[k] = column * t.strides[k][0] + (t.rank > 1 ? row * t.strides[k][1] : 0);
      text = text_at (x, at[0]);
      p = flow_index_at (pos, at[1]);
      if (!(utf8 ? cut_characters : cut_bytes) (text, p, flow_index_at (length, at[1]), &part))
        return refuse_position (&t, i, text, p, utf8, error);
      put_text (out, i, part.bytes, part.length);
    }
  return TRUE;
}

static gboolean
length_compute (FlowKernelContext *c,
                GError           **error)
{
  FlowTensor *x = flow_kernel_input (c, 0);
  gboolean utf8 = is_utf8_unit (c);
  FlowTensor *out = flow_kernel_allocate (c, 0, x->shape, error);

  if (out == NULL)
    return FALSE;
  for (gint64 i = 0; i < x->n_elements; i++)
    FLOW_WRITABLE (gint32, out)[i] = (gint32) MIN (count_units (text_at (x, i), utf8), G_MAXINT32);
  return TRUE;
}

static const FlowOpDef ops[] = {
  {
    .name = "ReduceJoin",
    .inputs = "inputs: string; reduction_indices: int32",
    .outputs = "output: string",
    .attrs = "keep_dims: bool = false; separator: string = \"\"",
    .summary = "Strings joined along dimensions",
    .family = FLOW_OP_FAMILY_IO,
    .infer = reduce_join_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, reduce_join_compute }, { NULL } },
  },
  {
    .name = "StringJoin",
    .inputs = "inputs: N * string",
    .outputs = "output: string",
    .attrs = "N: int >= 1; separator: string = \"\"",
    .summary = "Strings joined element by element",
    .family = FLOW_OP_FAMILY_IO,
    .infer = join_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, join_compute }, { NULL } },
  },
  {
    .name = "StringLength",
    .inputs = "input: string",
    .outputs = "output: int32",
    .attrs = "unit: {'BYTE', 'UTF8_CHAR'} = \"BYTE\"",
    .summary = "The lengths of strings",
    .family = FLOW_OP_FAMILY_IO,
    .infer = flow_infer_unchanged_shape,
    .kernels = (const FlowKernelDef[]) { { NULL, length_compute }, { NULL } },
  },
  {
    .name = "StringSplit",
    .inputs = "input: string; delimiter: string",
    .outputs = "indices: int64; values: string; shape: int64",
    .attrs = "skip_empty: bool = true",
    .summary = "Strings cut at characters, as a sparse matrix",
    .family = FLOW_OP_FAMILY_IO,
    .infer = split_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, split_compute }, { NULL } },
  },
  {
    .name = "StringSplitV2",
    .inputs = "input: string; sep: string",
    .outputs = "indices: int64; values: string; shape: int64",
    .attrs = "maxsplit: int = -1",
    .summary = "Strings cut at a separator, as a sparse matrix",
    .family = FLOW_OP_FAMILY_IO,
    .infer = split_infer,
    .kernels = (const FlowKernelDef[]) { { NULL, split_v2_compute }, { NULL } },
  },
  {
    .name = "Substr",
    .inputs = "input: string; pos: T; len: T",
    .outputs = "output: string",
    .attrs = "T: {int32, int64}; unit: {'BYTE', 'UTF8_CHAR'} = \"BYTE\"",
    .summary = "Parts of strings",
    .family = FLOW_OP_FAMILY_IO,
    .infer = substr_infer,
    .kernels = (const FlowKernelDef[]) { { "T: int32 int64", substr_compute }, { NULL } },
  },
};

FLOW_DEFINE_OP_FAMILY (string_basic, ops)

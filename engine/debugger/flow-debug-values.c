/* flow-debug-values.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-debug-core-private.h"

#include "flow-function.h"

#include "flow-npy.h"
#include "flow-npz.h"
#include "flow-tensor-stats.h"
#include "flow-tensor-text.h"
#include "flow-util.h"

#include <math.h>
#include <string.h>

/* Values looked at in part: nothing here costs more than what is asked for, but one pass over the elements
 * where the question is about all of them. */

/* Cells of a slice: what several screens can show. */
#define MAX_SLICE (G_GINT64_CONSTANT (1) << 22)
/* Bytes of a string element that a cell gets. */
#define MAX_CELL_BYTES 1024
#define MAX_WORST 10000
/* Text is made in memory; what is larger nobody reads as text. */
#define MAX_CSV (G_GINT64_CONSTANT (1) << 24)
#define DEFAULT_WORST 100

static FlowTensor *
need_ref (FlowDebugCore *core,
          const char    *ref,
          GError       **error)
{
  const char *state = NULL;
  g_autoptr(GError) failure = NULL;
  FlowTensor *value = _flow_debug_core_dup_ref (core, ref, &state, &failure);

  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (value == NULL)
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_FAILED_PRECONDITION, "%s: %s", ref, state);
  return value;
}

static void
add_index (GVariantBuilder *builder,
           const char      *key,
           gint64           index)
{
  if (index >= 0)
    g_variant_builder_add (builder, "{sv}", key, g_variant_new_int64 (index));
}

static void
add_places (GVariantBuilder  *builder,
            const FlowTensor *tensor,
            guint             n_bins)
{
  g_autoptr(FlowTensorStats) stats = flow_tensor_stats_new (tensor, MIN (n_bins, FLOW_TENSOR_STATS_MAX_BINS));

  g_variant_builder_add (builder, "{sv}", "denormal", g_variant_new_int64 (stats->n_denormal));
  g_variant_builder_add (builder, "{sv}", "pos_inf", g_variant_new_int64 (stats->n_pos_inf));
  g_variant_builder_add (builder, "{sv}", "finite", g_variant_new_int64 (stats->n_finite));
  add_index (builder, "min_index", stats->min_index);
  add_index (builder, "max_index", stats->max_index);
  add_index (builder, "nan_index", stats->nan_index);
  add_index (builder, "inf_index", stats->inf_index);
  if (stats->n_bins == 0 || stats->bins == NULL)
    return;
  g_variant_builder_add (builder, "{sv}", "bins",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, stats->bins, stats->n_bins, sizeof (gint64)));
  g_variant_builder_add (builder, "{sv}", "low", g_variant_new_double (stats->low));
  g_variant_builder_add (builder, "{sv}", "high", g_variant_new_double (stats->high));
}

FlowDebuggerReply *
_flow_core_describe (FlowDebugCore *core,
                     GVariant      *arguments,
                     GPtrArray     *tensors,
                     GError       **error)
{
  const char *ref = NULL;
  const char *state = NULL;
  guint n_bins = 0;
  g_autoptr(FlowTensor) value = NULL;
  g_autoptr(GError) failure = NULL;
  FlowEndpoint endpoint = { FLOW_NODE_NONE, 0 };
  GVariantBuilder builder;

  g_variant_get (arguments, "(&su)", &ref, &n_bins);
  value = _flow_debug_core_dup_ref (core, ref, &state, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  if (value != NULL && flow_graph_parse_endpoint (core->graph, ref, &endpoint, NULL)
      && g_hash_table_contains (core->stale, GUINT_TO_POINTER (endpoint.node)))
    state = "stale";
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "ref", g_variant_new_string (ref));
  g_variant_builder_add (&builder, "{sv}", "state", g_variant_new_string (state));
  if (value != NULL)
    {
      _flow_add_stats (&builder, value);
      add_places (&builder, value, n_bins);
    }
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}

/* --- in a word -------------------------------------------------------------------------------------- */

/* Larger ones are not gone through for a word beside an op. */
#define MAX_IN_A_WORD (G_GINT64_CONSTANT (1) << 17)
#define MAX_WORD_CHARS 24

static char *
shape_word (const FlowTensor *value)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < value->shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "×" : "", value->shape->dims[i]);
  return g_string_free (text, FALSE);
}

static char *
scalar_word (const FlowTensor *value)
{
  g_autofree char *text = NULL;

  if (flow_dtype_is_floating (value->dtype) && isfinite (flow_tensor_get_double (value, 0)))
    return g_strdup_printf ("%.4g", flow_tensor_get_double (value, 0));
  text = flow_tensor_element_text (value, 0);
  return g_utf8_strlen (text, -1) > MAX_WORD_CHARS ? g_utf8_substring (text, 0, MAX_WORD_CHARS) : g_strdup (text);
}

/* A scalar itself; of larger values shape and mean, or what is wrong with them. */
static char *
value_word (FlowDebugCore    *core,
            guint32           node,
            const FlowTensor *value,
            gboolean         *bad)
{
  g_autoptr(FlowTensorStats) stats = NULL;
  g_autofree char *shape = shape_word (value);

  *bad = FALSE;
  if (value->n_elements == 0 || value->dtype == FLOW_DTYPE_RESOURCE || value->dtype == FLOW_DTYPE_VARIANT)
    return g_strdup (value->n_elements == 0 ? "empty" : flow_dtype_name (value->dtype));
  if (value->n_elements > MAX_IN_A_WORD)
    return g_steal_pointer (&shape);
  stats = flow_stepper_dup_stats (core->stepper, node, 0, value);
  *bad = stats->n_nan > 0 || flow_tensor_stats_get_n_inf (stats) > 0;
  if (value->shape->rank == 0 || value->n_elements == 1)
    return scalar_word (value);
  if (*bad)
    return g_strdup_printf ("%s: %" G_GINT64_FORMAT " NaN, %" G_GINT64_FORMAT " Inf", shape, stats->n_nan,
                            flow_tensor_stats_get_n_inf (stats));
  return stats->is_number && stats->n_finite > 0 ? g_strdup_printf ("%s  μ %.3g", shape, stats->mean)
                                                 : g_strdup (shape);
}

FlowDebuggerReply *
_flow_core_values (FlowDebugCore *core,
                   GVariant      *arguments,
                   GPtrArray     *tensors,
                   GError       **error)
{
  g_autoptr(GVariant) list = NULL;
  gsize n = 0;
  const guint32 *nodes = NULL;
  GVariantBuilder rows;

  if (!_flow_debug_core_need_graph (core, error))
    return NULL;
  g_variant_get (arguments, "(@au)", &list);
  nodes = g_variant_get_fixed_array (list, &n, sizeof (guint32));
  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(usbb)"));
  for (gsize i = 0; i < n; i++)
    {
      FlowValueState state = FLOW_VALUE_NOT_COMPUTED;
      g_autoptr(FlowTensor) value = NULL;
      g_autofree char *word = NULL;
      gboolean bad = FALSE;

      if (nodes[i] >= flow_graph_get_n_nodes (core->graph)
          && flow_graph_get_outer_node (core->graph, nodes[i]) == nodes[i])
        continue;
      if (flow_graph_get_n_outputs (core->graph, nodes[i]) == 0)
        continue;
      value = flow_stepper_dup_value (core->stepper, nodes[i], 0, G_MAXUINT64, &state);
      if (value == NULL)
        continue;
      word = value_word (core, nodes[i], value, &bad);
      g_variant_builder_add (&rows, "(usbb)", nodes[i], word, bad,
                             g_hash_table_contains (core->stale, GUINT_TO_POINTER (nodes[i])));
    }
  return _flow_reply (g_variant_new ("(@a(usbb))", g_variant_builder_end (&rows)));
}

/* --- slices ----------------------------------------------------------------------------------------- */

typedef struct {
  int rank;
  gint64 begin[FLOW_SHAPE_MAX_RANK];
  gint64 count[FLOW_SHAPE_MAX_RANK];
  gint64 step[FLOW_SHAPE_MAX_RANK];       /* in elements of the dimension */
  gint64 stride[FLOW_SHAPE_MAX_RANK];     /* in elements of the tensor */
  gint64 n;
} Block;

static gboolean
get_sizes (GVariant   *list,
           const char *what,
           int         rank,
           gint64     *sizes,
           GError    **error)
{
  gsize n = g_variant_n_children (list);

  FLOW_REQUIRE (n == (gsize) rank, error, INVALID_ARGUMENT, "a slice of rank %d wants %d of %s, not %" G_GSIZE_FORMAT,
                rank, rank, what, n);
  for (int i = 0; i < rank; i++)
    g_variant_get_child (list, (gsize) i, "x", &sizes[i]);
  return TRUE;
}

static gboolean
make_block (Block            *self,
            const FlowTensor *tensor,
            GVariant         *begin,
            GVariant         *count,
            GVariant         *step,
            GError          **error)
{
  gint64 stride = 1;

  self->rank = tensor->shape->rank;
  self->n = 1;
  if (!get_sizes (begin, "begin", self->rank, self->begin, error)
      || !get_sizes (count, "count", self->rank, self->count, error)
      || !get_sizes (step, "step", self->rank, self->step, error))
    return FALSE;
  for (int i = self->rank - 1; i >= 0; i--)
    {
      gint64 dim = tensor->shape->dims[i];
      gint64 span = 0;

      FLOW_REQUIRE (self->begin[i] >= 0 && self->begin[i] <= dim && self->count[i] >= 0 && self->step[i] >= 1, error,
                    OUT_OF_RANGE, "slice of dimension %d: begin %" G_GINT64_FORMAT ", count %" G_GINT64_FORMAT
                    ", step %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, i, self->begin[i], self->count[i],
                    self->step[i], dim);
      FLOW_REQUIRE (self->count[i] == 0
                      || (!__builtin_mul_overflow (self->count[i] - 1, self->step[i], &span)
                          && span < dim - self->begin[i]),
                    error, OUT_OF_RANGE, "slice of dimension %d reaches beyond its %" G_GINT64_FORMAT, i, dim);
      FLOW_REQUIRE (!__builtin_mul_overflow (self->n, self->count[i], &self->n) && self->n <= MAX_SLICE, error,
                    OUT_OF_RANGE, "a slice has at most %" G_GINT64_FORMAT " elements", MAX_SLICE);
      self->stride[i] = stride;
      stride *= MAX (dim, 1);
    }
  return TRUE;
}

static void
copy_string (FlowTensor       *to,
             gint64            i,
             const FlowTensor *from,
             gint64            element)
{
  gsize length = 0;
  const char *text = flow_tensor_get_string (from, element, &length);

  flow_tensor_take_string (to, i, g_bytes_new (text, MIN (length, MAX_CELL_BYTES)));
}

static void
copy_block (const Block      *self,
            const FlowTensor *from,
            FlowTensor       *to)
{
  gint64 at[FLOW_SHAPE_MAX_RANK] = { 0 };
  gsize size = from->dtype != FLOW_DTYPE_STRING ? flow_dtype_size (from->dtype) : 0;

  for (gint64 i = 0; i < self->n; i++)
    {
      gint64 element = 0;

      for (int d = 0; d < self->rank; d++)
        element += (self->begin[d] + at[d] * self->step[d]) * self->stride[d];
      if (size == 0)
        copy_string (to, i, from, element);
      else
        memcpy ((char *) to->data + (gsize) i * size, (const char *) from->data + (gsize) element * size, size);
      for (int d = self->rank - 1; d >= 0 && ++at[d] == self->count[d]; d--)
        at[d] = 0;
    }
}

FlowDebuggerReply *
_flow_core_slice (FlowDebugCore *core,
                  GVariant      *arguments,
                  GPtrArray     *tensors,
                  GError       **error)
{
  const char *ref = NULL;
  g_autoptr(GVariant) begin = NULL;
  g_autoptr(GVariant) count = NULL;
  g_autoptr(GVariant) step = NULL;
  g_autoptr(FlowTensor) value = NULL;
  g_autoptr(FlowTensor) cut = NULL;
  g_autoptr(FlowShape) shape = NULL;
  g_autofree Block *block = g_new0 (Block, 1);
  GVariantBuilder builder;

  g_variant_get (arguments, "(&s@ax@ax@ax)", &ref, &begin, &count, &step);
  value = need_ref (core, ref, error);
  if (value == NULL)
    return NULL;
  FLOW_REQUIRE (value->dtype != FLOW_DTYPE_RESOURCE && value->dtype != FLOW_DTYPE_VARIANT, error, UNIMPLEMENTED,
                "%s: a %s has no cells", ref, flow_dtype_name (value->dtype));
  if (!make_block (block, value, begin, count, step, error))
    return NULL;
  shape = flow_shape_new (block->rank, block->count);
  cut = flow_tensor_new (value->dtype, shape, core->budget, error);
  if (cut == NULL)
    return NULL;
  copy_block (block, value, cut);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&builder, "{sv}", "dtype", g_variant_new_string (flow_dtype_name (value->dtype)));
  _flow_add_shape (&builder, value->shape);
  return _flow_reply_with_tensor (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)), cut);
}

/* --- finding ---------------------------------------------------------------------------------------- */

static gboolean
is_over (const FlowTensor    *a,
         const FlowTensor    *b,
         gint64               i,
         const FlowTolerance *tolerance)
{
  double x = 0;
  double y = 0;

  if (a->dtype == FLOW_DTYPE_STRING)
    {
      gsize n = 0;
      gsize m = 0;
      const char *s = flow_tensor_get_string (a, i, &n);
      const char *t = flow_tensor_get_string (b, i, &m);

      return n != m || memcmp (s, t, n) != 0;
    }
  if (flow_dtype_is_integer (a->dtype) && flow_dtype_is_integer (b->dtype) && tolerance->abs == 0 && tolerance->rel == 0)
    return flow_tensor_get_int (a, i) != flow_tensor_get_int (b, i);
  x = flow_tensor_get_double (a, i);
  y = flow_tensor_get_double (b, i);
  if (isnan (x) || isnan (y))
    return isnan (x) != isnan (y);
  if (x == y)
    return FALSE;
  if (isinf (x) || isinf (y))
    return TRUE;
  if (tolerance->ulp > 0 && a->dtype == FLOW_DTYPE_FLOAT && b->dtype == FLOW_DTYPE_FLOAT
      && flow_float_ulp_distance ((float) x, (float) y) <= tolerance->ulp)
    return FALSE;
  if (tolerance->ulp > 0 && a->dtype == FLOW_DTYPE_DOUBLE && b->dtype == FLOW_DTYPE_DOUBLE
      && flow_double_ulp_distance (x, y) <= tolerance->ulp)
    return FALSE;
  return fabs (x - y) > tolerance->abs + tolerance->rel * fabs (y);
}

typedef enum {
  FIND_NAN,
  FIND_INF,
  FIND_ZERO,
  FIND_MAX,
  FIND_MIN,
  FIND_CHANGED,
} FindWhat;

static const char *const find_names[] = { "nan", "inf", "zero", "max", "min", "changed" };

static gboolean
is_found (const FlowTensor    *value,
          const FlowTensor    *other,
          gint64               i,
          FindWhat             what,
          double               extreme,
          const FlowTolerance *tolerance)
{
  double x = 0;

  if (what == FIND_CHANGED)
    return is_over (value, other, i, tolerance);
  x = flow_tensor_get_double (value, i);
  switch (what)
    {
    case FIND_NAN:
      return isnan (x);
    case FIND_INF:
      return isinf (x);
    case FIND_ZERO:
      return x == 0;
    case FIND_MAX:
    case FIND_MIN:
      return x == extreme;
    case FIND_CHANGED:
    default:
      return FALSE;
    }
}

static double
find_extreme (const FlowTensor *value,
              FindWhat          what)
{
  g_autoptr(FlowTensorStats) stats = NULL;

  if (what != FIND_MAX && what != FIND_MIN)
    return NAN;
  stats = flow_tensor_stats_new (value, 0);
  return what == FIND_MAX ? stats->max : stats->min;
}

/* The first element after @from for which it holds, going round; -1 when none is. */
FlowDebuggerReply *
_flow_core_find_element (FlowDebugCore *core,
                         GVariant      *arguments,
                         GPtrArray     *tensors,
                         GError       **error)
{
  const char *ref = NULL;
  const char *word = NULL;
  const char *other_ref = NULL;
  gint64 from = 0;
  gint64 found = -1;
  guint what = 0;
  double extreme = NAN;
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(FlowTensor) value = NULL;
  g_autoptr(FlowTensor) other = NULL;
  FlowTolerance tolerance = { 0, 0, 0 };

  g_variant_get (arguments, "(&s&sx&s@a{sv})", &ref, &word, &from, &other_ref, &dict);
  if (_flow_debug_is_written_search (word))
    return _flow_debug_find_written (core, ref, word, from, error);
  while (what < G_N_ELEMENTS (find_names) && strcmp (find_names[what], word) != 0)
    what++;
  FLOW_REQUIRE (what < G_N_ELEMENTS (find_names), error, INVALID_ARGUMENT,
                "nan, inf, zero, max, min or changed is wanted, not \"%s\"", word);
  value = need_ref (core, ref, error);
  if (value == NULL)
    return NULL;
  if (what == FIND_CHANGED)
    {
      other = need_ref (core, other_ref, error);
      if (other == NULL)
        return NULL;
      FLOW_REQUIRE (value->dtype == other->dtype && flow_shape_equal (value->shape, other->shape), error,
                    INVALID_ARGUMENT, "%s and %s have not the same dtype and shape", ref, other_ref);
      _flow_tolerance_from_variant (&tolerance, dict);
    }
  FLOW_REQUIRE (flow_dtype_is_number (value->dtype) || value->dtype == FLOW_DTYPE_BOOL
                  || (what == FIND_CHANGED && value->dtype == FLOW_DTYPE_STRING),
                error, INVALID_ARGUMENT, "%s has no numbers", ref);
  extreme = find_extreme (value, (FindWhat) what);
  from = from < -1 || from >= value->n_elements ? -1 : from;
  for (gint64 k = 1; k <= value->n_elements && found < 0; k++)
    {
      gint64 i = (from + k) % value->n_elements;

      if (is_found (value, other, i, (FindWhat) what, extreme, &tolerance))
        found = i;
    }
  return _flow_reply (g_variant_new ("(x)", found));
}

/* --- comparing -------------------------------------------------------------------------------------- */

void
_flow_tolerance_from_variant (FlowTolerance *self,
                              GVariant      *dict)
{
  g_variant_lookup (dict, "abs", "d", &self->abs);
  g_variant_lookup (dict, "rel", "d", &self->rel);
  g_variant_lookup (dict, "ulp", "t", &self->ulp);
}

/* The largest difference, as numpy's max of |a - b| has it: there is none where a NaN came or went. */
double
_flow_diff_largest (const FlowTensorDiff *diff)
{
  return diff->n_nan > 0 ? NAN : diff->max_abs;
}

static void
add_diff (GVariantBuilder      *builder,
          const FlowTensorDiff *diff)
{
  g_variant_builder_add (builder, "{sv}", "same_dtype", g_variant_new_boolean (diff->same_dtype));
  g_variant_builder_add (builder, "{sv}", "same_shape", g_variant_new_boolean (diff->same_shape));
  g_variant_builder_add (builder, "{sv}", "equal_bits", g_variant_new_boolean (diff->equal_bits));
  g_variant_builder_add (builder, "{sv}", "within", g_variant_new_boolean (diff->within));
  g_variant_builder_add (builder, "{sv}", "n_elements", g_variant_new_int64 (diff->n_elements));
  g_variant_builder_add (builder, "{sv}", "n_changed", g_variant_new_int64 (diff->n_changed));
  g_variant_builder_add (builder, "{sv}", "n_over", g_variant_new_int64 (diff->n_over));
  g_variant_builder_add (builder, "{sv}", "max_abs", g_variant_new_double (diff->max_abs));
  g_variant_builder_add (builder, "{sv}", "max_rel", g_variant_new_double (diff->max_rel));
  g_variant_builder_add (builder, "{sv}", "max_ulp", g_variant_new_uint64 (diff->max_ulp));
  g_variant_builder_add (builder, "{sv}", "worst_index", g_variant_new_int64 (diff->worst_index));
}

GVariant *
_flow_diff_to_variant (const FlowTensor    *a,
                       const FlowTensor    *b,
                       const FlowTolerance *tolerance)
{
  g_autoptr(FlowTensorDiff) diff = flow_tensor_compare (a, b, tolerance);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  add_diff (&builder, diff);
  return g_variant_builder_end (&builder);
}

typedef struct {
  gint64 index;
  double difference;
} Worst;

/* Larger differences first; where one of the two is no number, before all. */
static int
compare_worst (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  const Worst *x = a;
  const Worst *y = b;

  if (x->difference != y->difference)
    return x->difference > y->difference ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static double
difference_at (const FlowTensor *a,
               const FlowTensor *b,
               gint64            i)
{
  double difference = 0;

  if (a->dtype == FLOW_DTYPE_STRING)
    return INFINITY;
  difference = fabs (flow_tensor_get_double (a, i) - flow_tensor_get_double (b, i));
  return isnan (difference) ? INFINITY : difference;
}

/* The pairs outside the tolerance, the @max worst of them: a heap whose root is the least of those kept. */
static GArray *
list_worst (const FlowTensor    *a,
            const FlowTensor    *b,
            const FlowTolerance *tolerance,
            guint                max)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (Worst));

  for (gint64 i = 0; i < a->n_elements && max > 0; i++)
    {
      Worst worst = { i, 0 };

      if (!is_over (a, b, i, tolerance))
        continue;
      worst.difference = difference_at (a, b, i);
      g_array_append_val (kept, worst);
      /* Cut down when it has doubled: each cut drops half, so the sorting stays small. */
      if (kept->len >= 2 * max)
        {
          g_array_sort_with_data (kept, compare_worst, NULL);
          g_array_set_size (kept, max);
        }
    }
  g_array_sort_with_data (kept, compare_worst, NULL);
  if (kept->len > max)
    g_array_set_size (kept, max);
  return kept;
}

static void
add_worst (GVariantBuilder     *builder,
           const FlowTensor    *a,
           const FlowTensor    *b,
           const FlowTolerance *tolerance,
           guint                max)
{
  g_autoptr(GArray) worst = list_worst (a, b, tolerance, max);
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("a(xssd)"));
  for (guint i = 0; i < worst->len; i++)
    {
      const Worst *one = &g_array_index (worst, Worst, i);
      g_autofree char *x = flow_tensor_element_text (a, one->index);
      g_autofree char *y = flow_tensor_element_text (b, one->index);

      g_variant_builder_add (&rows, "(xssd)", one->index, x, y, one->difference);
    }
  g_variant_builder_add (builder, "{sv}", "worst", g_variant_builder_end (&rows));
}

FlowDebuggerReply *
_flow_core_compare_values (FlowDebugCore *core,
                           GVariant      *arguments,
                           GPtrArray     *tensors,
                           GError       **error)
{
  const char *refs[2] = { NULL, NULL };
  g_autoptr(GVariant) dict = NULL;
  g_autoptr(FlowTensor) a = NULL;
  g_autoptr(FlowTensor) b = NULL;
  g_autoptr(FlowTensorDiff) diff = NULL;
  FlowTolerance tolerance = { 0, 0, 0 };
  guint max = DEFAULT_WORST;
  GVariantBuilder builder;

  g_variant_get (arguments, "(&s&s@a{sv})", &refs[0], &refs[1], &dict);
  a = need_ref (core, refs[0], error);
  if (a == NULL)
    return NULL;
  b = need_ref (core, refs[1], error);
  if (b == NULL)
    return NULL;
  _flow_tolerance_from_variant (&tolerance, dict);
  g_variant_lookup (dict, "worst", "u", &max);
  diff = flow_tensor_compare (a, b, &tolerance);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sv}"));
  add_diff (&builder, diff);
  g_variant_builder_add (&builder, "{sv}", "dtype", g_variant_new_string (flow_dtype_name (a->dtype)));
  _flow_add_shape (&builder, a->shape);
  if (diff->same_dtype && diff->same_shape
      && (a->dtype == FLOW_DTYPE_STRING || a->dtype == FLOW_DTYPE_BOOL || flow_dtype_is_number (a->dtype)))
    add_worst (&builder, a, b, &tolerance, MIN (max, MAX_WORST));
  return _flow_reply (g_variant_new ("(@a{sv})", g_variant_builder_end (&builder)));
}

static GVariant *
describe_pair (const char       *name,
               const FlowTensor *before,
               const FlowTensor *after)
{
  FlowTolerance exact = { 0, 0, 0 };
  const FlowTensor *sides[2] = { before, after };
  static const char *const keys[2] = { "before", "after" };
  GVariantBuilder row;

  g_variant_builder_init (&row, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (name));
  for (int i = 0; i < 2; i++)
    if (sides[i] != NULL)
      {
        GVariantBuilder stats;

        g_variant_builder_init (&stats, G_VARIANT_TYPE ("a{sv}"));
        _flow_add_stats (&stats, sides[i]);
        g_variant_builder_add (&row, "{sv}", keys[i], g_variant_builder_end (&stats));
      }
  g_variant_builder_add (&row, "{sv}", "uninitialized_before", g_variant_new_boolean (before == NULL));
  g_variant_builder_add (&row, "{sv}", "uninitialized_after", g_variant_new_boolean (after == NULL));
  if (before != NULL && after != NULL)
    {
      g_autoptr(FlowTensorDiff) diff = flow_tensor_compare (after, before, &exact);

      g_variant_builder_add (&row, "{sv}", "same_type", g_variant_new_boolean (diff->same_dtype && diff->same_shape));
      g_variant_builder_add (&row, "{sv}", "changed",
                             g_variant_new_int64 (diff->same_shape ? diff->n_changed : after->n_elements));
      g_variant_builder_add (&row, "{sv}", "max_abs", g_variant_new_double (diff->same_shape ? _flow_diff_largest (diff) : INFINITY));
      g_variant_builder_add (&row, "{sv}", "max_rel", g_variant_new_double (!diff->same_shape ? INFINITY : diff->n_nan > 0 ? NAN : diff->max_rel));
    }
  else
    g_variant_builder_add (&row, "{sv}", "changed", g_variant_new_int64 (after != NULL ? after->n_elements
                                                                         : before != NULL ? before->n_elements : 0));
  return g_variant_builder_end (&row);
}

/* Every variable that has a value at either moment, by name. */
FlowDebuggerReply *
_flow_core_compare_variables (FlowDebugCore *core,
                              GVariant      *arguments,
                              GPtrArray     *tensors,
                              GError       **error)
{
  const char *moments[2] = { NULL, NULL };
  g_autoptr(GHashTable) a = NULL;
  g_autoptr(GHashTable) b = NULL;
  g_autoptr(GPtrArray) names = NULL;
  GHashTableIter iter;
  gpointer key = NULL;
  GVariantBuilder builder;

  g_variant_get (arguments, "(&s&s)", &moments[0], &moments[1]);
  a = _flow_debug_core_list_moment (core, moments[0], error);
  if (a == NULL)
    return NULL;
  b = _flow_debug_core_list_moment (core, moments[1], error);
  if (b == NULL)
    return NULL;
  names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_hash_table_iter_init (&iter, b);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (a, key))
      g_ptr_array_add (names, key);
  g_ptr_array_sort (names, flow_compare_texts);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      g_variant_builder_add_value (&builder, describe_pair (name, g_hash_table_lookup (a, name),
                                                            g_hash_table_lookup (b, name)));
    }
  return _flow_reply (g_variant_new ("(@aa{sv})", g_variant_builder_end (&builder)));
}

/* --- saving ----------------------------------------------------------------------------------------- */

static void
append_csv_text (GString    *text,
                 const char *value)
{
  if (strpbrk (value, ",\"\n\r") == NULL)
    {
      g_string_append (text, value);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = value; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
}

/* Rows of the last dimension; blank lines part what lies further out, as numpy prints it. */
static gboolean
save_csv (const FlowTensor *tensor,
          const char       *path,
          GError          **error)
{
  int rank = tensor->shape->rank;
  gint64 columns = rank > 0 ? tensor->shape->dims[rank - 1] : 1;
  gint64 rows = rank > 1 ? tensor->shape->dims[rank - 2] : 1;
  GString *text = NULL;
  g_autoptr(GBytes) bytes = NULL;

  FLOW_REQUIRE (tensor->n_elements <= MAX_CSV, error, RESOURCE_EXHAUSTED,
                "a .csv file takes at most %" G_GINT64_FORMAT " elements; .npy takes any number", MAX_CSV);
  text = g_string_new (NULL);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      g_autofree char *cell = flow_tensor_element_text (tensor, i);

      if (i > 0 && i % columns == 0)
        g_string_append (text, rank > 2 && (i / columns) % rows == 0 ? "\n\n" : "\n");
      else if (i > 0)
        g_string_append_c (text, ',');
      append_csv_text (text, cell);
    }
  g_string_append_c (text, '\n');
  bytes = g_string_free_to_bytes (text);
  return flow_write_file_safely (path, bytes, error);
}

static gboolean
save_npz (const FlowTensor *tensor,
          const char       *ref,
          const char       *path,
          GError          **error)
{
  g_autoptr(FlowNpzWriter) writer = flow_npz_writer_new (path, error);

  return writer != NULL && flow_npz_writer_add (writer, ref, tensor, error) && flow_npz_writer_finish (writer, error);
}

FlowDebuggerReply *
_flow_core_save_value (FlowDebugCore *core,
                       GVariant      *arguments,
                       GPtrArray     *tensors,
                       GError       **error)
{
  const char *ref = NULL;
  const char *path = NULL;
  g_autoptr(FlowTensor) value = NULL;
  gboolean ok = FALSE;

  g_variant_get (arguments, "(&s&s)", &ref, &path);
  value = need_ref (core, ref, error);
  if (value == NULL)
    return NULL;
  if (g_str_has_suffix (path, ".npy"))
    ok = flow_npy_save (value, path, error);
  else if (g_str_has_suffix (path, ".npz"))
    ok = save_npz (value, ref, path, error);
  else if (g_str_has_suffix (path, ".csv"))
    ok = save_csv (value, path, error);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s: the name must end in .npy, .npz or .csv", path);
  return ok ? _flow_reply (NULL) : NULL;
}

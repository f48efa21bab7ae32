/* test-hostile.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"
#include "flow-watchdog.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

/* Takes each recorded case and breaks one thing in it: an input emptied, made a scalar, given one
 * rank more, filled with NaN, INT_MIN or sizes that nobody has, of another dtype; an attr 0, -1, huge, of another kind. Any
 * answer is right but a crash, a hang, a leak or a sanitizer's report: then the last line printed
 * names the case. A normal run takes a sample; with -Dfuzz=true all. */

#ifdef FLOW_FUZZ_ALL
#define MAX_CASES_PER_OP G_MAXUINT
#define SAMPLE_ONE_IN 1
#else
#define MAX_CASES_PER_OP 4
#define SAMPLE_ONE_IN 5
#endif

#define BIG (G_GINT64_CONSTANT (1) << 40)
/* A size that malloc() may well promise, and that nobody has. */
#define CLAIM ((G_GINT64_CONSTANT (1) << 30) + 1)
/* The runner's budget is a quarter of this; the rest is what programs have anyway. */
#define MOST_MEMORY_KIB (1 << 20)

enum {
  INPUT_EMPTY,
  INPUT_SCALAR,
  INPUT_RANK_MORE,
  INPUT_FIRST_DIM_0,
  INPUT_LAST_DIM_0,
  INPUT_LAST_DIM_MORE,
  INPUT_RANK_9,
  INPUT_LOWEST,
  INPUT_HIGHEST,
  INPUT_CLAIM,
  INPUT_NAN,
  INPUT_OTHER_DTYPE,
  INPUT_STRINGS,
  N_INPUT_CHANGES
};

enum {
  ATTR_ZERO,
  ATTR_MINUS_ONE,
  ATTR_HUGE,
  ATTR_LOWEST,
  ATTR_INT32_MAX,
  ATTR_OTHER_KIND,
  ATTR_EMPTY_LIST,
  ATTR_LONGER_LIST,
  N_ATTR_CHANGES
};

static guint64 n_broken = 0;
static guint64 n_ok = 0;

/* --- broken inputs ---------------------------------------------------------------------------- */

static void
fill (FlowTensor *t,
      int         change)
{
  gsize size = flow_dtype_size (t->dtype);

  if (t->dtype == FLOW_DTYPE_STRING)
    {
      for (gint64 i = 0; i < t->n_elements; i++)
        flow_tensor_take_string (t, i, g_bytes_new_static ("%n%s\xff/..", 8));
      return;
    }
  if (t->dtype == FLOW_DTYPE_RESOURCE || t->dtype == FLOW_DTYPE_VARIANT)
    return;
  if (change == INPUT_CLAIM && t->dtype == FLOW_DTYPE_INT64)
    {
      for (gint64 i = 0; i < t->n_elements; i++)
        FLOW_WRITABLE (gint64, t)[i] = CLAIM;
      return;
    }
  for (gint64 i = 0; i < t->n_elements; i++)
    {
      guint8 *cell = (guint8 *) t->data + i * (gint64) size;

      memset (cell, change == INPUT_LOWEST ? 0 : 0xff, size);
      if (flow_dtype_is_floating (t->dtype) || flow_dtype_is_complex (t->dtype))
        {
          /* All ones is a NaN of every float format; infinities have their own bits. */
          if (change == INPUT_NAN)
            continue;
          if (t->dtype == FLOW_DTYPE_FLOAT)
            *(float *) cell = change == INPUT_LOWEST ? -INFINITY : 3e38f;
          else if (t->dtype == FLOW_DTYPE_DOUBLE)
            *(double *) cell = change == INPUT_LOWEST ? -INFINITY : 1e308;
          else if (t->dtype == FLOW_DTYPE_HALF)
            *(guint16 *) cell = change == INPUT_LOWEST ? 0xfc00 : 0x7bff;
        }
      else if (t->dtype == FLOW_DTYPE_BOOL)
        *cell = change == INPUT_LOWEST ? 0 : 1;
      else if (change == INPUT_LOWEST)
        cell[size - 1] = 0x80;
      else if (change == INPUT_HIGHEST)
        cell[size - 1] = 0x7f;
    }
}

static FlowShape *
changed_shape (const FlowTensor *t,
               int               change)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK + 1];
  int rank = FLOW_RANK (t);

  memcpy (dims, FLOW_DIMS (t), sizeof (gint64) * (gsize) rank);
  switch (change)
    {
    case INPUT_EMPTY:
      return flow_shape_new_vector (0);
    case INPUT_SCALAR:
      return flow_shape_new_scalar ();
    case INPUT_RANK_MORE:
      dims[rank] = 1;
      return flow_shape_new (MIN (rank + 1, FLOW_SHAPE_MAX_RANK), dims);
    case INPUT_FIRST_DIM_0:
      dims[0] = 0;
      break;
    case INPUT_LAST_DIM_0:
      dims[MAX (rank - 1, 0)] = 0;
      break;
    case INPUT_LAST_DIM_MORE:
      dims[MAX (rank - 1, 0)] += 1;
      break;
    case INPUT_RANK_9:
      for (int i = 0; i < 9; i++)
        dims[i] = 1;
      return flow_shape_new (9, dims);
    default:
      break;
    }
  return flow_shape_new (rank, dims);
}

static FlowTensor *
broken_input (const FlowTensor *t,
              int               change)
{
  g_autoptr (FlowShape) shape = changed_shape (t, change);
  FlowDType dtype = t->dtype;
  FlowTensor *broken;

  if (change == INPUT_OTHER_DTYPE)
    dtype = t->dtype == FLOW_DTYPE_FLOAT ? FLOW_DTYPE_INT32 : FLOW_DTYPE_FLOAT;
  if (change == INPUT_STRINGS)
    dtype = FLOW_DTYPE_STRING;
  broken = flow_tensor_new_zeros (dtype, shape, NULL, NULL);
  if (broken == NULL)
    return NULL;
  if (change >= INPUT_LOWEST)
    fill (broken, change);
  else if (dtype != FLOW_DTYPE_STRING && dtype != FLOW_DTYPE_RESOURCE &&
           dtype != FLOW_DTYPE_VARIANT && broken->n_bytes > 0 && t->n_bytes > 0)
    memcpy (broken->data, t->data, MIN (broken->n_bytes, t->n_bytes));
  return broken;
}

/* --- broken attrs ----------------------------------------------------------------------------- */

static gint64
broken_int (int change)
{
  switch (change)
    {
    case ATTR_ZERO:
      return 0;
    case ATTR_MINUS_ONE:
      return -1;
    case ATTR_HUGE:
      return BIG;
    case ATTR_LOWEST:
      return G_MININT64;
    default:
      return G_MAXINT32;
    }
}

static FlowAttr *
broken_item (FlowAttrKind kind,
             int          change)
{
  gint64 n = broken_int (change);
  gint64 dims[2] = { n, n };
  g_autoptr (FlowShape) shape = NULL;

  switch ((int) kind)
    {
    case FLOW_ATTR_STRING:
      return flow_attr_new_string (change == ATTR_ZERO ? "" : "%s%n XYZ", -1);
    case FLOW_ATTR_INT:
      return flow_attr_new_int (n);
    case FLOW_ATTR_FLOAT:
      return flow_attr_new_float (change == ATTR_LOWEST ? -INFINITY
                                  : change == ATTR_INT32_MAX ? NAN : (float) n);
    case FLOW_ATTR_BOOL:
      return flow_attr_new_bool (change != ATTR_ZERO);
    case FLOW_ATTR_TYPE:
      return flow_attr_new_type (change == ATTR_ZERO ? 0 : change == ATTR_MINUS_ONE ? FLOW_DTYPE_STRING
                                 : change == ATTR_HUGE ? 9999 : FLOW_DTYPE_RESOURCE);
    case FLOW_ATTR_SHAPE:
      if (n < -1)
        return flow_attr_new_shape (shape = flow_shape_new_unknown ());
      return flow_attr_new_shape (shape = flow_shape_new (2, dims));
    default:
      return flow_attr_new_int (n);
    }
}

static FlowAttr *
broken_attr (FlowAttr *attr,
             int       change)
{
  FlowAttrKind kind = flow_attr_get_kind (attr);
  gsize n = flow_attr_is_list (attr) ? flow_attr_get_length (attr) : 0;
  g_autoptr (GPtrArray) items = NULL;

  if (change == ATTR_OTHER_KIND)
    return kind == FLOW_ATTR_STRING ? flow_attr_new_int (1) : flow_attr_new_string ("x", 1);
  if (!flow_attr_is_list (attr))
    return change > ATTR_OTHER_KIND ? NULL : broken_item (kind, change);
  /* The list takes the items, not the array. */
  items = g_ptr_array_new ();
  if (change == ATTR_EMPTY_LIST)
    n = 0;
  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (items, change == ATTR_LONGER_LIST
                            ? flow_attr_ref (flow_attr_get_item (attr, i))
                            : broken_item (kind, change));
  if (change == ATTR_LONGER_LIST)
    g_ptr_array_add (items, broken_item (kind, ATTR_INT32_MAX));
  return flow_attr_new_list (kind, (FlowAttr **) items->pdata, items->len);
}

/* --- running ---------------------------------------------------------------------------------- */

static void
unref_tensor (gpointer tensor)
{
  if (tensor != NULL)
    flow_tensor_unref (tensor);
}

static void
unref_values (gpointer values)
{
  g_array_unref (values);
}

#ifndef __SANITIZE_ADDRESS__
/* Linux promises more than there is: what was really taken shows in the pages. */
static void
check_memory (const FlowGoldenCase *golden)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  if (usage.ru_maxrss > MOST_MEMORY_KIB)
    g_error ("%s took %ld MiB", golden->name, usage.ru_maxrss >> 10);
}
#else
#define check_memory(golden) ((void) (golden))
#endif

/* Runs @golden with input @input of node @at replaced, or its attrs. */
static void
run_broken (const FlowGoldenCase *golden,
            guint                 at,
            int                   input,
            FlowTensor           *tensor,
            FlowAttrList         *attrs)
{
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GPtrArray) variables = g_ptr_array_new ();
  g_autoptr (GPtrArray) chain = g_ptr_array_new_with_free_func (unref_values);
  gboolean ok = TRUE;

  for (guint i = 0; i < golden->variables->len; i++)
    {
      const FlowGoldenVariable *v = &g_array_index (golden->variables, FlowGoldenVariable, i);

      g_ptr_array_add (variables, flow_op_runner_add_variable (runner, v->name, v->dtype,
                                                               v->initial));
    }
  flow_op_runner_set_cancellable (runner, cancellable);
  flow_watchdog_begin (cancellable);
  for (guint k = 0; k < golden->nodes->len && ok; k++)
    {
      const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, k);
      gboolean here = k == at;
      g_autofree char *name = g_strdup_printf ("op%u", k);
      g_autofree FlowValue *inputs = g_new0 (FlowValue, node->inputs->len + 1);
      g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (unref_tensor);
      GArray *outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
      g_autoptr (GError) error = NULL;

      g_array_set_clear_func (outputs, flow_op_runner_clear_value);
      g_ptr_array_add (chain, outputs);
      for (guint i = 0; i < node->inputs->len; i++)
        {
          const FlowGoldenInput *in = &g_array_index (node->inputs, FlowGoldenInput, i);

          inputs[i].tensor = in->tensor;
          if (here && (int) i == input)
            inputs[i].tensor = tensor;
          else if (in->variable >= 0 &&
                   g_array_index (golden->variables, FlowGoldenVariable, in->variable).is_resource)
            g_ptr_array_add (owned, inputs[i].tensor =
                             flow_op_runner_new_handle (runner, variables->pdata[in->variable]));
          else if (in->variable >= 0)
            inputs[i].ref = variables->pdata[in->variable];
          else if (in->from_node >= 0
                   && in->from_slot >= (int) ((GArray *) chain->pdata[in->from_node])->len)
            ok = FALSE;        /* another attr has left fewer outputs */
          else if (in->from_node >= 0)
            inputs[i] = g_array_index ((GArray *) chain->pdata[in->from_node], FlowValue,
                                       in->from_slot);
        }
      ok = ok &&
           flow_op_runner_run (runner, name, node->op, here && attrs != NULL ? attrs : node->attrs,
                               inputs, node->inputs->len, outputs, &error) &&
           flow_op_runner_get_waiting (runner) == NULL;
      /* A shape function that promises what the kernel does not keep is our bug, not bad input. */
      if (error != NULL && g_error_matches (error, FLOW_ERROR, FLOW_ERROR_INTERNAL))
        g_test_message ("%s: INTERNAL %s", golden->name, error->message);
    }
  flow_watchdog_end ();
  check_memory (golden);
  n_broken++;
  n_ok += ok;
}

static gboolean
in_sample (GRand *rand)
{
  return SAMPLE_ONE_IN == 1 || g_rand_int_range (rand, 0, SAMPLE_ONE_IN) == 0;
}

static void
break_inputs (const FlowGoldenCase *golden,
              guint                 at,
              GRand                *rand)
{
  const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, at);

  for (guint i = 0; i < node->inputs->len; i++)
    for (int change = 0; change < N_INPUT_CHANGES; change++)
      {
        const FlowGoldenInput *in = &g_array_index (node->inputs, FlowGoldenInput, i);
        g_autoptr (FlowTensor) tensor = NULL;

        /* What goes over at the lower end is seen in every run. */
        if (!in_sample (rand) && change != INPUT_LOWEST)
          continue;
        if (in->tensor != NULL)
          tensor = broken_input (in->tensor, change);
        else if (change == INPUT_OTHER_DTYPE)
          tensor = flow_tensor_new_float (1);
        if (tensor == NULL)
          continue;
        g_test_message ("%s node %u input %u change %d", golden->name, at, i, change);
        run_broken (golden, at, (int) i, tensor, NULL);
      }
}

static void
break_attrs (const FlowGoldenCase *golden,
             guint                 at,
             GRand                *rand)
{
  const FlowGoldenNode *node = &g_array_index (golden->nodes, FlowGoldenNode, at);
  const FlowOpSignature *signature = flow_op_registry_lookup (node->op);

  for (guint a = 0; a < signature->n_attrs; a++)
    for (int change = 0; change < N_ATTR_CHANGES; change++)
      {
        const FlowAttrDef *def = &signature->attrs[a];
        FlowAttr *now = flow_attr_list_get (node->attrs, def->name);
        g_autoptr (FlowAttrList) attrs = flow_attr_list_new ();
        g_autoptr (FlowAttr) broken = NULL;

        if (now == NULL)
          now = def->default_value;
        if (now == NULL || !in_sample (rand))
          continue;
        broken = broken_attr (now, change);
        if (broken == NULL)
          continue;
        for (guint i = 0; i < flow_attr_list_get_length (node->attrs); i++)
          if (!g_str_equal (flow_attr_list_get_name (node->attrs, i), def->name))
            flow_attr_list_set (attrs, flow_attr_list_get_name (node->attrs, i),
                                flow_attr_list_get_value (node->attrs, i));
        flow_attr_list_set (attrs, def->name, broken);
        g_test_message ("%s node %u attr %s change %d", golden->name, at, def->name, change);
        run_broken (golden, at, -1, NULL, attrs);
      }
}

static void
test_family (gconstpointer path)
{
  g_autoptr (GPtrArray) cases = NULL;
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;

  flow_kernels_register ();
  cases = flow_golden_load (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < cases->len; i++)
    {
      const FlowGoldenCase *golden = cases->pdata[i];

      /* Ops that stand only inside chains are broken there. */
      for (guint at = 0; golden->error_code == 0 && at < golden->nodes->len; at++)
        {
          const char *op = g_array_index (golden->nodes, FlowGoldenNode, at).op;
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (taken, op));

          if (n >= MAX_CASES_PER_OP || flow_op_registry_lookup (op) == NULL)
            continue;
          g_hash_table_insert (taken, (gpointer) op, GUINT_TO_POINTER (n + 1));
          break_inputs (golden, at, rand);
          break_attrs (golden, at, rand);
        }
    }
  g_test_message ("%" G_GUINT64_FORMAT " broken so far, %" G_GUINT64_FORMAT " of them ran", n_broken,
                  n_ok);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = g_test_build_filename (G_TEST_DIST, "golden", "kernels", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *family = g_strndup (name, strcspn (name, "."));
      g_autofree char *test = g_strconcat ("/kernels/hostile/", family, NULL);

      if (strstr (name, ".json") != NULL)
        g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_family,
                                   g_free);
    }
  return g_test_run ();
}

/* test-hostile-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-op-runner.h"
#include "flow-watchdog.h"

#include <math.h>
#include <string.h>

/* Makes calls from the op table alone, so that no registered op is left out: attrs of the kinds that its definition
 * says, inputs of the dtypes that follow, all shapes and values as chance has it. Most are refused, by the shape
 * function or by the kernel; a crash, a hang or a sanitizer's report is what fails, and the last line printed names
 * the op and the seed. A normal run makes a few calls an op; with -Dfuzz=true many. */

#ifdef FLOW_FUZZ_ALL
#define CALLS_PER_OP 600
#else
#define CALLS_PER_OP 12
#endif

static guint64 n_calls = 0;
static guint64 n_ran = 0;
static guint n_ops_ran = 0;

/* --- Attrs --- */

static gint64
random_int (GRand             *rand,
            const FlowAttrDef *def)
{
  static const gint64 odd[] = { -1, 0, G_MAXINT32, G_MININT64, G_GINT64_CONSTANT (1) << 40 };

  if (g_rand_int_range (rand, 0, 10) == 0)
    return odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  return (def->has_minimum ? MAX (def->minimum, 0) : 0) + g_rand_int_range (rand, 0, 4);
}

static FlowDType
random_dtype (GRand        *rand,
              FlowDTypeSet  allowed)
{
  static const FlowDType usual[] = {
    FLOW_DTYPE_FLOAT, FLOW_DTYPE_INT32, FLOW_DTYPE_INT64, FLOW_DTYPE_DOUBLE, FLOW_DTYPE_STRING, FLOW_DTYPE_BOOL,
    FLOW_DTYPE_HALF, FLOW_DTYPE_UINT8, FLOW_DTYPE_COMPLEX64, FLOW_DTYPE_QUINT8, FLOW_DTYPE_QINT32, FLOW_DTYPE_INT8,
    FLOW_DTYPE_INT16, FLOW_DTYPE_BFLOAT16, FLOW_DTYPE_VARIANT, FLOW_DTYPE_RESOURCE, FLOW_DTYPE_UINT16,
  };
  guint start = g_rand_int_range (rand, 0, 3) == 0 ? (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (usual)) : 0;

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      FlowDType dtype = usual[(start + i) % G_N_ELEMENTS (usual)];

      if (allowed == 0 || (allowed & FLOW_DTYPE_BIT (dtype)) != 0)
        return dtype;
    }
  return FLOW_DTYPE_FLOAT;
}

static FlowShape *
random_shape (GRand *rand)
{
  gint64 dims[FLOW_SHAPE_MAX_RANK];
  int rank = g_rand_int_range (rand, 0, 8) == 0 ? 5 : g_rand_int_range (rand, 0, 5);

  for (int i = 0; i < rank; i++)
    dims[i] = g_rand_int_range (rand, 0, 12) == 0 ? 0 : g_rand_int_range (rand, 1, 5);
  return flow_shape_new (rank, dims);
}

static FlowAttr *
random_item (GRand             *rand,
             const FlowAttrDef *def)
{
  static const char *const words[] = { "", "a", "SAME", "NHWC", "%n%s", "\xff\xfe", "/etc/passwd", "0,1" };
  g_autoptr (FlowShape) shape = NULL;

  switch ((int) def->kind)
    {
    case FLOW_ATTR_STRING:
      if (def->allowed_strings != NULL)
        return flow_attr_new_string (def->allowed_strings[g_rand_int_range (rand, 0, (gint32) g_strv_length (def->allowed_strings))], -1);
      return flow_attr_new_string (words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))], -1);
    case FLOW_ATTR_INT:
      return flow_attr_new_int (random_int (rand, def));
    case FLOW_ATTR_FLOAT:
      return flow_attr_new_float (g_rand_int_range (rand, 0, 6) == 0 ? NAN : (float) g_rand_double_range (rand, -2, 2));
    case FLOW_ATTR_BOOL:
      return flow_attr_new_bool (g_rand_boolean (rand));
    case FLOW_ATTR_TYPE:
      return flow_attr_new_type (random_dtype (rand, def->allowed_types));
    case FLOW_ATTR_SHAPE:
      shape = g_rand_int_range (rand, 0, 4) == 0 ? flow_shape_new_unknown () : random_shape (rand);
      return flow_attr_new_shape (shape);
    case FLOW_ATTR_FUNC:
      return flow_attr_new_func ("no_such_function", NULL);
    default:
      return NULL;
    }
}

static FlowAttrList *
random_attrs (GRand                 *rand,
              const FlowOpSignature *signature)
{
  FlowAttrList *attrs = flow_attr_list_new ();

  for (guint i = 0; i < signature->n_attrs; i++)
    {
      const FlowAttrDef *def = &signature->attrs[i];
      g_autoptr (GPtrArray) items = NULL;
      g_autoptr (FlowAttr) attr = NULL;

      if (def->default_value != NULL && g_rand_int_range (rand, 0, 3) != 0)
        {
          flow_attr_list_set (attrs, def->name, def->default_value);
          continue;
        }
      if (def->is_list)
        {
          guint n = (guint) g_rand_int_range (rand, def->has_minimum ? (gint32) CLAMP (def->minimum, 0, 4) : 0, 5);

          /* The list takes the items, not the array. */
          items = g_ptr_array_new ();
          for (guint k = 0; k < n; k++)
            {
              FlowAttr *item = random_item (rand, def);

              if (item != NULL)
                g_ptr_array_add (items, item);
            }
          attr = flow_attr_new_list (def->kind, (FlowAttr **) items->pdata, items->len);
        }
      else
        {
          attr = random_item (rand, def);
        }
      if (attr != NULL)
        flow_attr_list_set (attrs, def->name, attr);
    }
  return attrs;
}

/* --- Inputs --- */

static void
fill_number (GRand      *rand,
             FlowTensor *t,
             gint64      i,
             gboolean    wild)
{
  gsize size = flow_dtype_size (t->dtype);
  guint8 *cell = (guint8 *) t->data + i * (gint64) size;
  double value = wild ? (const double[]) { NAN, INFINITY, -1e300, 1e9, -1 }[g_rand_int_range (rand, 0, 5)]
                      : g_rand_int_range (rand, -1, 4);

  switch ((int) t->dtype)
    {
    case FLOW_DTYPE_FLOAT:
      *(float *) cell = (float) CLAMP (value, -3e38, 3e38);
      break;
    case FLOW_DTYPE_DOUBLE:
      *(double *) cell = value;
      break;
    case FLOW_DTYPE_BOOL:
      *cell = g_rand_boolean (rand) ? 1 : 0;
      break;
    case FLOW_DTYPE_INT32:
    case FLOW_DTYPE_QINT32:
      *(gint32 *) cell = wild ? (g_rand_boolean (rand) ? G_MININT32 : G_MAXINT32) : (gint32) value;
      break;
    case FLOW_DTYPE_INT64:
      *(gint64 *) cell = wild ? (g_rand_boolean (rand) ? G_MININT64 : G_MAXINT64) : (gint64) value;
      break;
    default:
      for (gsize b = 0; b < size; b++)
        cell[b] = wild ? (guint8) g_rand_int (rand) : b == 0 ? (guint8) g_rand_int_range (rand, 0, 4) : 0;
      break;
    }
}

static FlowTensor *
random_tensor (GRand     *rand,
               FlowDType  dtype,
               FlowShape *shape)
{
  static const char *const words[] = { "", "a", "a b", "0", "-7.5", "%n", "\xff\xfe\xfd", "{\"a\": 1}", "/tmp" };
  FlowTensor *t = flow_tensor_new_zeros (dtype, shape, NULL, NULL);
  gboolean wild = g_rand_int_range (rand, 0, 4) == 0;

  if (t == NULL || dtype == FLOW_DTYPE_RESOURCE || dtype == FLOW_DTYPE_VARIANT)
    return t;
  for (gint64 i = 0; i < t->n_elements; i++)
    if (dtype == FLOW_DTYPE_STRING)
      {
        const char *word = words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))];

        flow_tensor_take_string (t, i, g_bytes_new_static (word, strlen (word)));
      }
    else
      {
        fill_number (rand, t, i, wild);
      }
  return t;
}

/* Inputs that belong together often have one shape; others have their own, or none at all. */
static void
add_input (GRand        *rand,
           FlowOpRunner *runner,
           int           dtype,
           FlowShape    *common,
           guint         index,
           FlowValue    *input,
           GPtrArray    *owned)
{
  g_autoptr (FlowShape) shape = NULL;
  g_autofree char *name = g_strdup_printf ("v%u", index);
  FlowTensor *tensor = NULL;

  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
    case 1:
      shape = flow_shape_ref (common);
      break;
    case 2:
      shape = flow_shape_new_scalar ();
      break;
    case 3:
      shape = flow_shape_new_vector (g_rand_int_range (rand, 0, 5));
      break;
    default:
      shape = random_shape (rand);
      break;
    }
  if (flow_dtype_base (dtype) == FLOW_DTYPE_RESOURCE && g_rand_boolean (rand))
    {
      g_autoptr (FlowTensor) initial = random_tensor (rand, FLOW_DTYPE_FLOAT, common);

      tensor = flow_op_runner_new_handle (runner, flow_op_runner_add_variable (runner, name, FLOW_DTYPE_FLOAT, initial));
      g_ptr_array_add (owned, tensor);
      input->tensor = tensor;
      return;
    }
  tensor = random_tensor (rand, flow_dtype_base (dtype), shape);
  if (tensor != NULL)
    g_ptr_array_add (owned, tensor);
  if (flow_dtype_is_ref (dtype))
    input->ref = flow_op_runner_add_variable (runner, name, flow_dtype_base (dtype),
                                              g_rand_int_range (rand, 0, 5) == 0 ? NULL : tensor);
  else
    input->tensor = tensor;
}

/* --- Calls --- */

static gboolean
call_op (const FlowOpSignature *signature,
         guint32                seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (FlowOpRunner) runner = flow_op_runner_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FlowAttrList) attrs = random_attrs (rand, signature);
  g_autoptr (FlowShape) common = random_shape (rand);
  g_autoptr (GArray) dtypes = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  g_autoptr (GArray) outputs = g_array_new (FALSE, TRUE, sizeof (FlowValue));
  g_autoptr (GError) error = NULL;
  g_autofree FlowValue *inputs = NULL;
  gboolean ok = FALSE;

  g_array_set_clear_func (outputs, flow_op_runner_clear_value);
  if (!flow_op_runner_expand_args (signature->inputs, signature->n_inputs, attrs, dtypes, &error))
    return FALSE;
  inputs = g_new0 (FlowValue, dtypes->len + 1);
  for (guint i = 0; i < dtypes->len; i++)
    {
      add_input (rand, runner, g_array_index (dtypes, int, i), common, i, &inputs[i], owned);
      if (inputs[i].tensor == NULL && inputs[i].ref == NULL)
        return FALSE;
    }
  flow_op_runner_set_cancellable (runner, cancellable);
  flow_op_runner_set_forwarding (runner, g_rand_boolean (rand));
  flow_watchdog_begin (cancellable);
  ok = flow_op_runner_run (runner, "op", signature->name, attrs, inputs, dtypes->len, outputs, &error);
  if (ok)
    flow_op_runner_undo (runner);
  flow_watchdog_end ();
  if (error != NULL && g_error_matches (error, FLOW_ERROR, FLOW_ERROR_INTERNAL))
    g_test_message ("%s %u: INTERNAL %s", signature->name, seed, error->message);
  return ok;
}

static void
test_family (gconstpointer data)
{
  FlowOpFamily family = (FlowOpFamily) GPOINTER_TO_INT (data);
  g_auto (GStrv) types = flow_op_registry_list_types ();

  for (guint i = 0; types[i] != NULL; i++)
    {
      const FlowOpSignature *signature = flow_op_registry_lookup (types[i]);
      guint n = 0;

      /* Abort ends the process: that is what it is for. */
      if (signature->family != family || !flow_op_registry_has_kernel (types[i]) || g_str_equal (types[i], "Abort"))
        continue;
      for (guint k = 0; k < CALLS_PER_OP; k++)
        {
          g_test_message ("%s %u", types[i], g_str_hash (types[i]) + k);
          n += call_op (signature, g_str_hash (types[i]) + k) ? 1 : 0;
        }
      n_calls += CALLS_PER_OP;
      n_ran += n;
      n_ops_ran += n > 0 ? 1 : 0;
    }
  g_test_message ("%" G_GUINT64_FORMAT " calls so far, %" G_GUINT64_FORMAT " of them ran, of %u ops at least one", n_calls,
                  n_ran, n_ops_ran);
}

/* The calls are worth something only where many get past the checks. */
static void
test_many_ran (void)
{
  g_assert_cmpuint (n_ran * 20, >, n_calls);
}

/* In the order of FlowOpFamily. */
static const char *const families[] = { "other", "state", "linear", "math", "array", "control", "gradient", "io" };

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  flow_kernels_register ();
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *path = g_strconcat ("/kernels/hostile-table/", families[i], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_family);
    }
  g_test_add_func ("/kernels/hostile-table/many-ran", test_many_ran);
  return g_test_run ();
}

/* debugger-fixture.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "debugger-fixture.h"

#include "flow-model.h"
#include "flow-test-graph.h"
#include "flow-util.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A small training graph: w and a step counter, a loss in two scopes, a loop, and a logarithm that goes
 * wrong when it is fed zero. */
static const char graph_text[] =
  "x Placeholder dtype=float shape=[2]\n"
  "w VariableV2 dtype=float shape=[2] container=\"\" shared_name=\"\"\n"
  "w/initial Const dtype=float value=v:1,2\n"
  "w/Assign Assign w w/initial T=float validate_shape=t:1 use_locking=t:1\n"
  "w/read Identity w T=float\n"
  "count VariableV2 dtype=float shape=[] container=\"\" shared_name=\"\"\n"
  "count/initial Const dtype=float value=f:0\n"
  "count/Assign Assign count count/initial T=float validate_shape=t:1 use_locking=t:1\n"
  "init NoOp ^w/Assign ^count/Assign\n"
  "net/mul Mul x w/read T=float\n"
  "net/square Square net/mul T=float\n"
  "loss/two Const dtype=float value=f:2\n"
  "loss/scaled Mul net/square loss/two T=float\n"
  "loss/log Log loss/scaled T=float\n"
  "loss/kept Identity loss/log T=float\n"
  "loss/worse Neg loss/kept T=float\n"
  "m/x Placeholder dtype=float shape=[2,3]\n"
  "m/neg Neg m/x T=float\n"
  "train/delta Neg net/mul T=float\n"
  "train/update AssignAdd w train/delta T=float use_locking=t:0\n"
  "train/one Const dtype=float value=f:1\n"
  "train/count AssignAdd count train/one T=float use_locking=t:0\n"
  "train_op NoOp ^train/update ^train/count\n"
  "l/zero Const dtype=int32 value=i:0\n"
  "l/five Const dtype=int32 value=i:5\n"
  "l/one Const dtype=int32 value=i:1\n"
  "l/w/Enter Enter l/zero T=int32 frame_name=\"lw\" is_constant=t:0 parallel_iterations=n:10\n"
  "l/w/limit Enter l/five T=int32 frame_name=\"lw\" is_constant=t:1 parallel_iterations=n:10\n"
  "l/w/step Enter l/one T=int32 frame_name=\"lw\" is_constant=t:1 parallel_iterations=n:10\n"
  "l/w/Merge Merge l/w/Enter l/w/NextIteration T=int32 N=n:2\n"
  "l/w/Less Less l/w/Merge l/w/limit T=int32\n"
  "l/w/LoopCond LoopCond l/w/Less\n"
  "l/w/Switch Switch l/w/Merge l/w/LoopCond T=int32\n"
  "l/w/Exit Exit l/w/Switch T=int32\n"
  "l/w/Identity Identity l/w/Switch:1 T=int32\n"
  "l/w/add Add l/w/Identity l/w/step T=int32\n"
  "l/w/NextIteration NextIteration l/w/add T=int32\n"
  "l/out Identity l/w/Exit T=int32\n"
  "e/zero Const dtype=int32 value=i:0\n"
  "e/Enter Enter e/zero T=int32 frame_name=\"endless\" is_constant=t:0 parallel_iterations=n:1\n"
  "e/Merge Merge e/Enter e/NextIteration T=int32 N=n:2\n"
  "e/Equal Equal e/Merge e/Merge T=int32\n"
  "e/LoopCond LoopCond e/Equal\n"
  "e/Switch Switch e/Merge e/LoopCond T=int32\n"
  "e/Identity Identity e/Switch:1 T=int32\n"
  "e/NextIteration NextIteration e/Identity T=int32\n"
  "e/Exit Exit e/Switch T=int32\n";

static const char run_text[] =
  "{\"graph\": \"model.pb\", \"runs\": [\n"
  " {\"name\": \"init\", \"targets\": [\"init\"]},\n"
  " {\"name\": \"train\", \"repeat\": 3, \"fetches\": [\"loss/log:0\"], \"targets\": [\"train_op\"],\n"
  "  \"feeds\": {\"x:0\": {\"value\": [0.5, 0.25]}}},\n"
  " {\"name\": \"loop\", \"fetches\": [\"l/out:0\"]}]}\n";


/* --- calling -------------------------------------------------------------------------------------- */

FlowDebuggerReply *
call (Fixture    *f,
      const char *method,
      GVariant   *arguments)
{
  g_autoptr(GError) error = NULL;
  FlowDebuggerReply *reply = flow_debugger_call_sync (f->debugger, method, arguments, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reply);
  return reply;
}

void
call_plain (Fixture    *f,
            const char *method,
            GVariant   *arguments)
{
  flow_debugger_reply_free (call (f, method, arguments));
}

GVariant *
call_value (Fixture    *f,
            const char *method,
            GVariant   *arguments)
{
  g_autoptr(FlowDebuggerReply) reply = call (f, method, arguments);

  return g_variant_get_child_value (reply->value, 0);
}

FlowDebugState *
move (Fixture     *f,
      FlowMovement movement,
      const char  *argument)
{
  g_autoptr(GVariant) variant = call_value (f, "Move", g_variant_new ("(us)", (guint) movement, argument));

  return flow_debug_state_from_variant (variant);
}

const char *
name_of (Fixture *f,
         guint32  node)
{
  return node == FLOW_NODE_NONE ? "" : flow_graph_get_node_name (flow_debugger_get_graph (f->debugger), node);
}

/* Moves and says where it stands: `reason run@i next`. */
void
assert_move (Fixture     *f,
             FlowMovement movement,
             const char  *argument,
             const char  *expected)
{
  g_autoptr(FlowDebugState) state = move (f, movement, argument);
  g_autofree char *text = g_strdup_printf ("%s %s@%u %s", flow_stop_reason_name (state->reason),
                                           state->run != NULL ? state->run : "", state->iteration_of_run,
                                           name_of (f, state->next_node));

  g_assert_cmpstr (text, ==, expected);
}

FlowTensor *
value_at (Fixture    *f,
          const char *tensor,
          guint64     position,
          const char *state)
{
  g_autoptr(FlowDebuggerReply) reply = call (f, "GetValue", g_variant_new ("(st)", tensor, position));
  g_autoptr(GVariant) info = g_variant_get_child_value (reply->value, 0);
  const char *is = NULL;

  g_assert_true (g_variant_lookup (info, "state", "&s", &is));
  g_assert_cmpstr (is, ==, state);
  if (reply->tensors == NULL || reply->tensors->len == 0)
    return NULL;
  return flow_tensor_ref (g_ptr_array_index (reply->tensors, 0));
}

void
assert_value (Fixture    *f,
              const char *tensor,
              guint64     position,
              gint64      i,
              double      expected)
{
  g_autoptr(FlowTensor) value = value_at (f, tensor, position, "value");

  g_assert_nonnull (value);
  g_assert_cmpfloat_with_epsilon (flow_tensor_get_double (value, i), expected, 1e-6);
}

double
variable (Fixture    *f,
          const char *name,
          const char *when,
          gint64      i)
{
  g_autoptr(FlowDebuggerReply) reply = call (f, "GetVariable", g_variant_new ("(ss)", name, when));

  if (reply->tensors == NULL || reply->tensors->len == 0)
    return NAN;
  return flow_tensor_get_double (g_ptr_array_index (reply->tensors, 0), i);
}

guint8
state_of (Fixture    *f,
          const char *node)
{
  g_autoptr(GVariant) states = call_value (f, "NodeStates", NULL);
  gsize n = 0;
  const guint8 *bytes = g_variant_get_fixed_array (states, &n, 1);
  guint32 index = flow_graph_find_node (flow_debugger_get_graph (f->debugger), node);

  g_assert_cmpuint (index, <, n);
  return bytes[index];
}

char *
path_in (Fixture    *f,
         const char *name)
{
  return g_build_filename (f->folder, name, NULL);
}

void
write_file (const char *path,
            GBytes     *bytes)
{
  g_autoptr(GError) error = NULL;

  flow_write_file_safely (path, bytes, &error);
  g_assert_no_error (error);
}

static void
remove_folder (const char *path)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      g_unlink (child);
    }
  g_rmdir (path);
}

void
set_up (Fixture      *f,
        gconstpointer data)
{
  DebuggerMaker make = (DebuggerMaker) data;
  g_autoptr(FlowGraph) graph = flow_test_graph (graph_text);
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = flow_graph_to_bytes (graph, &error);
  g_autoptr(GBytes) runs = g_bytes_new_static (run_text, strlen (run_text));
  g_autofree char *model_path = NULL;
  g_autofree char *run_path = NULL;

  g_assert_no_error (error);
  f->folder = g_dir_make_tmp ("flow-debugger-XXXXXX", &error);
  g_assert_no_error (error);
  model_path = path_in (f, "model.pb");
  run_path = path_in (f, "model.run.json");
  write_file (model_path, bytes);
  write_file (run_path, runs);
  f->debugger = make ();
  call_plain (f, "Open", g_variant_new ("(sa{sv})", run_path, NULL));
}

void
tear_down (Fixture      *f,
           gconstpointer data)
{
  g_object_unref (f->debugger);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  remove_folder (f->folder);
  g_free (f->folder);
}

void
choose (Fixture    *f,
        const char *run)
{
  call_plain (f, "ChooseRun", g_variant_new ("(s)", run));
  flow_debug_state_free (move (f, FLOW_MOVE_RESTART, ""));
}

guint
add_breakpoint (Fixture    *f,
                const char *text)
{
  g_autoptr(FlowDebuggerReply) reply = call (f, "AddBreakpoint", g_variant_new ("(s)", text));
  guint id = 0;

  g_variant_get (reply->value, "(u)", &id);
  return id;
}

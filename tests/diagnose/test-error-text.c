/* test-error-text.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-error-text.h"
#include "flow-model.h"
#include "flow-test-damage.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* A graph of nodes of these names. */
static FlowGraph *
make_graph (const char *const *names)
{
  g_autoptr (GString) text = g_string_new ("versions { producer: 27 }");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FlowModel) model = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "node { name: '%s' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }",
                            names[i]);
  bytes = g_bytes_new (text->str, text->len);
  model = flow_model_load_bytes (bytes, "names", NULL, &error);
  g_assert_no_error (error);
  return g_object_ref (flow_model_get_graph (model));
}

/* --- Texts of all ages --- */

typedef struct {
  const char *text;
  const char *id;
  const char *place;
  const char *variable;
  const char *key;
} Case;

static const char *const names[] = {
  "DistributedAdamOptimizer/update_w/ApplyAdam", "train", "weight_def/weights", "save/RestoreV2", "save/Assign", "d",
  "MatMul", "MatMul_1", "a", "b", "x", "w", "w/read", "layer1/conv/weights", "layer1/conv/Conv2D", "Placeholder",
  "gradients/layer1/conv/Conv2D_grad/Conv2DBackpropFilter", "cond/Merge", "cond/inside", "value", NULL
};

static const Case cases[] = {
  /* Horovod applied twice. */
  { "ValueError: Cannot add op with name DistributedAdamOptimizer as that name is already used", "name-taken",
    "DistributedAdamOptimizer", NULL, NULL },
  { "ValueError: Fetch argument <tf.Operation 'train' type=NoOp> cannot be interpreted as a Tensor. (Operation name: \"train\"\n"
    "op: \"NoOp\"\ninput: \"^x\"\n is not an element of this graph.)", "fetch-of-another-graph", "train", NULL, NULL },
  { "ValueError: Variable weight_def/weights already exists, disallowed. Did you mean to set reuse=True in VarScope? "
    "Originally defined at:\n\n  File \"model.py\", line 20, in weight_def\n    w = tf.get_variable('weights', shape)\n",
    "variable-exists", "weight_def/weights", "weight_def/weights", NULL },
  /* 0.12: V1 checkpoints. */
  { "tensorflow.python.framework.errors_impl.NotFoundError: Tensor name \"layer1/conv/weights/Adam\" not found in checkpoint "
    "files /tmp/model.ckpt-100\n\t [[Node: save/RestoreV2 = RestoreV2[dtypes=[DT_FLOAT], "
    "_device=\"/job:localhost/replica:0/task:0/cpu:0\"](_recv_save/Const_0, save/RestoreV2/tensor_names)]]",
    "checkpoint-key-absent", "save/RestoreV2", NULL, "layer1/conv/weights/Adam" },
  /* 1.12. */
  { "NotFoundError (see above for traceback): Key d not found in checkpoint\n"
    "\t [[{{node save/RestoreV2}} = RestoreV2[dtypes=[DT_FLOAT, DT_FLOAT], "
    "_device=\"/job:localhost/replica:0/task:0/device:CPU:0\"](_arg_save/Const_0_0, save/RestoreV2/tensor_names)]]",
    "checkpoint-key-absent", "save/RestoreV2", "d", "d" },
  { "Compute status: Invalid argument: You must feed a value for placeholder tensor 'Placeholder' with dtype float\n"
    "\t [[Node: Placeholder = Placeholder[dtype=DT_FLOAT, shape=[], _device=\"/job:localhost/replica:0/task:0/cpu:0\"]()]]",
    "placeholder-not-fed", "Placeholder", NULL, NULL },
  { "FailedPreconditionError: Attempting to use uninitialized value layer1/conv/weights\n"
    "\t [[Node: w/read = Identity[T=DT_FLOAT, _class=[\"loc:@w\"]](layer1/conv/weights)]]\n"
    "Caused by op u'w/read', defined at:\n  File \"a.py\", line 1", "uninitialized-variable", "w/read",
    "layer1/conv/weights", NULL },
  { "FailedPreconditionError: Attempting to use uninitialized value w\n\t [[{{node _retval_w_0_0}}]]",
    "uninitialized-variable", "w", "w", NULL },
  /* 2.x. */
  { "Graph execution error:\n\nDetected at node 'layer1/conv/Conv2D' defined at (most recent call last):\n"
    "    File \"a.py\", line 3, in <module>\nNode: 'layer1/conv/Conv2D'\ninput depth must be evenly divisible by filter depth: 3 vs 2\n"
    "\t [[{{node layer1/conv/Conv2D}}]]", "conv-depth", "layer1/conv/Conv2D", NULL, NULL },
  { "InvalidArgumentError: Incompatible shapes: [32,10] vs. [16,10]\n\t [[node MatMul_1 (defined at a.py:12) ]]\n"
    "\t [[MatMul/_7]]", "broadcast", "MatMul_1", NULL, NULL },
  { "ResourceExhaustedError: OOM when allocating tensor with shape[1024,4096]\n"
    "\t [[Node: gradients/layer1/conv/Conv2D_grad/Conv2DBackpropFilter = Conv2DBackpropFilter[T=DT_FLOAT](a, b)]]",
    "out-of-memory", "gradients/layer1/conv/Conv2D_grad/Conv2DBackpropFilter", NULL, NULL },
  /* The node that could not be built has inputs that are there. */
  { "ValueError: Dimensions must be equal, but are 3 and 2 for '{{node nope}} = MatMul[T=DT_FLOAT, transpose_a=false]"
    "(x, layer1/conv/weights)' with input shapes: [2,3], [2,3].", "build-shapes", "x", NULL, NULL },
  { "Operation 'cond/inside' has been marked as not fetchable.", "not-fetchable", "cond/inside", NULL, NULL },
  { "InternalError: Retval[0] has already been set.\n\t [[{{node _retval_w/read_0_0}}]]", "fetch-in-loop", "w/read", NULL, NULL },
  /* What we do not know: the words that are names. */
  { "something strange about value and layer1/conv/Conv2D.", NULL, "layer1/conv/Conv2D", NULL, NULL },
  { "layer1/conv", NULL, "layer1/conv", NULL, NULL },
  { "  ^a ", NULL, "a", NULL, NULL },
  { "x:0", NULL, "x", NULL, NULL },
  { "nothing of this kind", NULL, NULL, NULL, NULL },
  { "", NULL, NULL, NULL, NULL },
};

static void
test_all_ages (void)
{
  g_autoptr (FlowGraph) graph = make_graph (names);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FlowErrorText) said = flow_error_text_parse (graph, cases[i].text);

      g_test_message ("%s -> %s", cases[i].text, said->place);
      g_assert_cmpstr (said->id, ==, cases[i].id);
      g_assert_cmpstr (said->place, ==, cases[i].place);
      g_assert_cmpstr (said->variable, ==, cases[i].variable);
      g_assert_cmpstr (said->key, ==, cases[i].key);
      g_assert_true ((said->meaning != NULL) == (cases[i].id != NULL));
      g_assert_true ((said->advice != NULL) == (cases[i].id != NULL));
    }
}

/* What is said names what it is about, and no brace of a form is left. */
static void
test_words (void)
{
  g_autoptr (FlowErrorText) key = flow_error_text_parse (NULL, "Key a/b not found in checkpoint");
  g_autoptr (FlowErrorText) shapes = flow_error_text_parse (NULL, "Incompatible shapes: [2] vs. [3]");
  g_autoptr (FlowErrorText) bare = flow_error_text_parse (NULL, "required broadcastable shapes");

  g_assert_nonnull (strstr (key->meaning, "“a/b”"));
  g_assert_cmpint (key->code, ==, FLOW_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (shapes->meaning, "([2] and [3])"));
  g_assert_null (strpbrk (bare->meaning, "{}("));
}

/* --- What TensorFlow 1.15 and 2.15 said in every recorded mistake --- */

static void
check_recorded (JsonObject *entry,
                FlowGraph  *graph,
                guint      *n_placed)
{
  const char *name = json_object_get_string_member (entry, "name");
  const char *op = json_object_get_string_member_with_default (entry, "op", NULL);
  g_autoptr (FlowErrorText) said = flow_error_text_parse (graph, json_object_get_string_member (entry, "message"));

  if (said->id == NULL)
    {
      g_test_message ("%s: not known: %s", name, said->message);
      g_test_fail ();
      return;
    }
  g_assert_nonnull (said->meaning);
  g_assert_nonnull (said->advice);
  g_assert_null (strpbrk (said->meaning, "{}"));
  if (op != NULL && graph != NULL)
    {
      if (g_strcmp0 (said->place, op) != 0)
        {
          g_test_message ("%s: lands on %s, not %s", name, said->place, op);
          g_test_fail ();
        }
    }
  if (json_object_has_member (entry, "code"))
    g_assert_true (said->code == json_object_get_int_member (entry, "code") || said->code == 0);
  *n_placed += said->place != NULL;
  g_test_message ("%s | %s | place %s | variable %s | key %s | tensor %s | %s", name, said->id, said->place,
                  said->variable, said->key, said->tensor, said->meaning);
}

static void
check_release (const char *folder)
{
  g_autofree char *index = g_build_filename (folder, "index.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonArray *entries;
  guint n_placed = 0;

  if (!g_file_test (index, G_FILE_TEST_EXISTS))
    return;
  json_parser_load_from_file (parser, index, &error);
  g_assert_no_error (error);
  entries = json_node_get_array (json_parser_get_root (parser));
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = json_array_get_object_element (entries, i);
      const char *file = json_object_get_string_member_with_default (entry, "graph", NULL);
      g_autofree char *path = file != NULL ? g_build_filename (folder, file, NULL) : NULL;
      g_autoptr (FlowModel) model = path != NULL ? flow_model_load (path, NULL, &error) : NULL;

      g_assert_no_error (error);
      check_recorded (entry, model != NULL ? flow_model_get_graph (model) : NULL, &n_placed);
    }
  g_test_message ("%s: %u texts, %u lead to a node", folder, json_array_get_length (entries), n_placed);
  g_assert_cmpuint (json_array_get_length (entries), >, 100);
  g_assert_cmpuint (n_placed, >, 90);
}

static void
test_recorded (void)
{
  static const char *const releases[] = { "1.15", "2.15" };

  for (guint i = 0; i < G_N_ELEMENTS (releases); i++)
    {
      g_autofree char *folder = g_build_filename (g_getenv ("FLOW_TEST_SHARED"), "fixtures", "recorded", "errors",
                                                  releases[i], NULL);

      check_release (folder);
    }
}

/* The committed copies: text, the error it is, and the names of the graph of that time. */
static void
test_committed (void)
{
  g_autoptr (GBytes) table = flow_test_read ("golden/errors/texts.json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonArray *entries;
  gsize size;
  const char *data = g_bytes_get_data (table, &size);

  json_parser_load_from_data (parser, data, (gssize) size, &error);
  g_assert_no_error (error);
  entries = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (entries), >, 200);
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = json_array_get_object_element (entries, i);
      g_auto (GStrv) there = g_strsplit (json_object_get_string_member (entry, "nodes"), " ", -1);
      g_autoptr (FlowGraph) graph = make_graph (there[0] != NULL && *there[0] != '\0' ? (const char *const *) there
                                                                                       : (const char *const[]) { NULL });
      guint n_placed = 0;

      check_recorded (entry, graph, &n_placed);
    }
}

/* Whatever is pasted: it comes to an end, without a crash. */
static void
test_hostile (void)
{
  static const char *const parts[] = { "[[{{node ", "[[Node: ", "Fetch argument ", "(", "[", "'", "\"", "a/", "\\", "\n",
                                       "\xff", "= X[", "](", "{x}", "%s", "<tf.Tensor '", "Tensor(\"", " for '" };
  g_autoptr (FlowGraph) graph = make_graph (names);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint n = i < G_N_ELEMENTS (parts) ? 20000 : 200;

      for (guint k = 0; k < n; k++)
        g_string_append (text, parts[i < G_N_ELEMENTS (parts) ? i : (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
      {
        g_autoptr (FlowErrorText) said = flow_error_text_parse (graph, text->str);

        g_assert_nonnull (said->message);
      }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/diagnose/error-text/all-ages", test_all_ages);
  g_test_add_func ("/diagnose/error-text/words", test_words);
  g_test_add_func ("/diagnose/error-text/recorded", test_recorded);
  g_test_add_func ("/diagnose/error-text/committed", test_committed);
  g_test_add_func ("/diagnose/error-text/hostile", test_hostile);

  return g_test_run ();
}

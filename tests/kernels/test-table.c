/* test-table.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-golden.h"

#include <json-glib/json-glib.h>

#include <string.h>

/* Walks the op table: what every row must have. */

/* Ops whose kernels cannot be asked of TensorFlow one at a time; the tests that do are named. */
static const char *const tested_elsewhere[] = {
  "BatchFunction",
  "_If",                       /* session: bodies of functions */
  "_While",                    /* session: bodies of functions */
  "_SwitchN",                  /* array: TensorFlow lets no file have it */
  "Abort",                     /* array: ends TensorFlow */
  "AnonymousMultiDeviceIteratorV3", /* as AnonymousMultiDeviceIterator */
  "AudioSummary",              /* as AudioSummaryV2, too old for new graphs */
  "BatchNormWithGlobalNormalization",  /* TensorFlow refuses it in graphs of today */
  "Case",                      /* session: bodies of functions */
  "Conv3DBackpropFilter",      /* likewise; as Conv3DBackpropFilterV2 */
  "Conv3DBackpropInput",       /* likewise */
  "DebugGradientRefIdentity",  /* array */
  "Enter",                     /* array */
  "Exit",                      /* array */
  "ExperimentalGroupByReducerDataset", /* debugger/datasets */
  "ExperimentalGroupByWindowDataset", /* debugger/datasets */
  "ExperimentalMapAndBatchDataset", /* debugger/datasets */
  "ExperimentalMapDataset",    /* debugger/datasets */
  "ExperimentalParallelInterleaveDataset", /* debugger/datasets */
  "ExperimentalParseExampleDataset", /* debugger/datasets */
  "ExperimentalScanDataset",   /* debugger/datasets */
  "ExperimentalTakeWhileDataset", /* debugger/datasets */
  "CloseSummaryWriter",        /* session/summary-writer */
  "CreateSummaryFileWriter",   /* session/summary-writer */
  "EagerPyFunc",               /* session/script */
  "FakeParam",                 /* session: nobody reads its value */
  "FilterByLastComponentDataset", /* debugger/datasets */
  "FilterDataset",             /* debugger/datasets */
  "FlatMapDataset",            /* debugger/datasets */
  "FlushSummaryWriter",        /* session/summary-writer */
  "For",                       /* session */
  "GeneratorDataset",          /* debugger/datasets */
  "GroupByReducerDataset",     /* debugger/datasets */
  "GroupByWindowDataset",      /* debugger/datasets */
  "HorovodAllgather",          /* python/horovod: no ops of TensorFlow's own */
  "HorovodAllreduce",          /* likewise */
  "HorovodBroadcast",          /* likewise */
  "If",                        /* session */
  "ImportEvent",               /* session/summary-writer */
  "InitializeTableFromTextFile",/* array */
  "InterleaveDataset",         /* debugger/datasets */
  "MapAndBatchDataset",        /* debugger/datasets */
  "MapDefun",                  /* debugger/datasets */
  "MapDataset",                /* debugger/datasets */
  "Merge",                     /* array: outputs that are dead cannot be fetched */
  "MergeV2Checkpoints",        /* save_restore */
  "NextIteration",             /* array */
  "ParallelFilterDataset",     /* debugger/datasets: as FilterDataset */
  "ParallelInterleaveDataset", /* debugger/datasets */
  "ParallelInterleaveDatasetV2", /* debugger/datasets */
  "ParallelInterleaveDatasetV3", /* debugger/datasets: as ParallelInterleaveDatasetV2 */
  "ParallelInterleaveDatasetV4", /* debugger/datasets: as ParallelInterleaveDatasetV2 */
  "ParallelMapDataset",        /* debugger/datasets */
  "ParallelMapDatasetV2",        /* debugger/datasets: as ParallelMapDataset */
  "ParseExampleDataset",       /* debugger/datasets */
  "ParseExampleDatasetV2",     /* debugger/datasets: as ParseExampleDataset */
  "PartitionedCall",           /* session */
  "PlaceholderV2",             /* array: TensorFlow 1.15 refuses it in new graphs */
  "PyFunc",                    /* session/script */
  "PyFuncStateless",           /* session/script */
  "RandomPoisson",             /* TensorFlow refuses it in graphs of today; as RandomPoissonV2 */
  "RecordInput",               /* records: TensorFlow's order follows from its threads */
  "ReduceDataset",             /* debugger/datasets */
  "RefEnter",                  /* array */
  "RefExit",                   /* array */
  "RefMerge",                  /* array */
  "RefNextIteration",          /* array */
  "RemoteCall",                /* session */
  "Restore",                   /* save_restore */
  "RestoreSlice",              /* save_restore */
  "RestoreV2",                 /* save_restore */
  "Save",                      /* save_restore */
  "SaveSlices",                /* save_restore */
  "SaveV2",                    /* save_restore */
  "ScanDataset",               /* debugger/datasets */
  "ShardedFilename",           /* save_restore */
  "ShardedFilespec",           /* save_restore */
  "StackClose",                /* array: as the V3 form */
  "StackCloseV2",              /* array: as the V3 form */
  "StatefulPartitionedCall",   /* session */
  "StatelessCase",             /* session */
  "StatelessIf",               /* session */
  "StatelessWhile",            /* session */
  "SummaryWriter",             /* session/summary-writer */
  "SymbolicGradient",          /* session */
  "TakeWhileDataset",          /* debugger/datasets */
  "TensorArray",               /* array: as the V3 form */
  "TensorArrayClose",          /* array: as the V3 form */
  "TensorArrayCloseV2",        /* array: as the V3 form */
  "TensorArrayCloseV3",        /* array: as the V3 form */
  "TensorArrayConcat",         /* array: as the V3 form */
  "TensorArrayConcatV2",       /* array: as the V3 form */
  "TensorArrayGather",         /* array: as the V3 form */
  "TensorArrayGatherV2",       /* array: as the V3 form */
  "TensorArrayGrad",           /* array: as the V3 form */
  "TensorArrayGradV2",         /* array: as the V3 form */
  "TensorArrayRead",           /* array: as the V3 form */
  "TensorArrayReadV2",         /* array: as the V3 form */
  "TensorArrayScatter",        /* array: as the V3 form */
  "TensorArrayScatterV2",      /* array: as the V3 form */
  "TensorArraySize",           /* array: as the V3 form */
  "TensorArraySizeV2",         /* array: as the V3 form */
  "TensorArraySplit",          /* array: as the V3 form */
  "TensorArraySplitV2",        /* array: as the V3 form */
  "TensorArrayV2",             /* array: as the V3 form */
  "TensorArrayWrite",          /* array: as the V3 form */
  "TensorArrayWriteV2",        /* array: as the V3 form */
  "Variable",                  /* array: its value cannot be fetched before it is assigned */
  "VariableV2",                /* array */
  "While",                     /* session */
  "WriteAudioSummary",         /* session/summary-writer */
  "WriteGraphSummary",         /* session/summary-writer */
  "WriteHistogramSummary",     /* session/summary-writer */
  "WriteImageSummary",         /* session/summary-writer */
  "WriteRawProtoSummary",      /* session/summary-writer */
  "WriteScalarSummary",        /* session/summary-writer */
  "WriteSummary",              /* session/summary-writer */
  "_Arg",                      /* session */
  "_ArrayToList",              /* session: in gradients of functions */
  "_ListToArray",              /* session: likewise */
  "_Retval",                   /* session */
  NULL,
};

static void
test_rows (void)
{
  g_auto (GStrv) types = NULL;

  flow_kernels_register ();
  types = flow_op_registry_list_types ();
  for (guint i = 0; types[i] != NULL; i++)
    {
      const FlowOpSignature *signature = flow_op_registry_lookup (types[i]);
      const char *summary = flow_op_registry_get_summary (types[i]);

      g_test_message ("%s", types[i]);
      g_assert_nonnull (signature);
      g_assert_cmpstr (signature->name, ==, types[i]);
      g_assert_nonnull (signature->op);
      g_assert_nonnull (signature->op->infer);
      g_assert_true (summary != NULL && strlen (summary) > 1);
      if (i > 0)
        g_assert_cmpstr (types[i - 1], <, types[i]);
    }
  g_assert_cmpuint (g_strv_length (types), >, 0);
}

static void
test_kernels (void)
{
  g_auto (GStrv) types = NULL;
  g_autoptr (GString) wrong = g_string_new (NULL);

  flow_kernels_register ();
  types = flow_op_registry_list_types ();
  for (guint i = 0; types[i] != NULL; i++)
    {
      const FlowOpSignature *signature = flow_op_registry_lookup (types[i]);
      const FlowKernelDef *kernel = signature->op->kernels;

      for (; kernel != NULL && kernel->compute != NULL; kernel++)
        for (guint a = 0; a < signature->n_attrs; a++)
          {
            const FlowAttrDef *attr = &signature->attrs[a];
            FlowDTypeSet dtypes;

            if (attr->kind != FLOW_ATTR_TYPE ||
                !flow_kernel_constraint_dtypes (kernel, attr->name, &dtypes))
              continue;
            if (dtypes == 0)
              continue;
            if (attr->allowed_types != 0 && (dtypes & ~attr->allowed_types) != 0)
              g_string_append_printf (wrong, " %s.%s", types[i], attr->name);
          }
    }
  if (wrong->len > 0)
    g_test_fail_printf ("kernels that serve what the attr does not allow:%s", wrong->str);
}

/* Whether a kernel of ours serves every dtype that one of TensorFlow's does; TRUE also for what the
 * definition refuses (TensorFlow registers some such). */
static gboolean
is_covered (const FlowOpSignature *signature,
            JsonObject            *wanted)
{
  g_autoptr (GList) attrs = json_object_get_members (wanted);

  for (const FlowKernelDef *k = signature->op->kernels; k->compute != NULL; k++)
    {
      gboolean all = TRUE;

      for (GList *l = attrs; l != NULL; l = l->next)
        {
          int dtype = flow_dtype_from_string (json_object_get_string_member (wanted, l->data));
          const FlowAttrDef *def = flow_op_signature_find_attr (signature, l->data);
          FlowDTypeSet served = 0;

          if (def == NULL || strchr (json_object_get_string_member (wanted, l->data), ' ') != NULL ||
              (def->allowed_types != 0 && (def->allowed_types & FLOW_DTYPE_BIT (dtype)) == 0))
            return TRUE;
          g_assert_true (flow_kernel_constraint_dtypes (k, l->data, &served));
          all &= served == 0 || (served & FLOW_DTYPE_BIT (dtype)) != 0;
        }
      if (all)
        return TRUE;
    }
  return FALSE;
}

/* An op with a kernel has one for every dtype that TensorFlow's CPU has. */
static void
test_coverage (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "kernels-1.15.5.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GString) missing = g_string_new (NULL);
  g_autoptr (GList) types = NULL;
  g_autoptr (GError) error = NULL;
  JsonObject *ops;
  guint n = 0;

  flow_kernels_register ();
  g_assert_true (json_parser_load_from_file (parser, path, &error));
  g_assert_no_error (error);
  ops = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "ops");
  types = json_object_get_members (ops);
  for (GList *l = types; l != NULL; l = l->next)
    {
      JsonArray *rows = json_object_get_array_member (ops, l->data);

      if (!flow_op_registry_has_kernel (l->data))
        continue;
      for (guint i = 0; i < json_array_get_length (rows); i++, n++)
        if (!is_covered (flow_op_registry_lookup (l->data), json_array_get_object_element (rows, i)))
          g_string_append_printf (missing, " %s", (char *) l->data);
    }
  g_test_message ("%u of TensorFlow's CPU kernels looked at", n);
  g_assert_cmpuint (n, >, 0);
  if (missing->len > 0)
    g_test_fail_printf ("kernels that TensorFlow has and we have not:%s", missing->str);
}

static GHashTable *
golden_ops (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "golden", "kernels", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GHashTable *ops = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GPtrArray) cases = NULL;
      g_autoptr (GError) error = NULL;

      if (strstr (name, ".json") == NULL)
        continue;
      cases = flow_golden_load (path, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < cases->len; i++)
        {
          const FlowGoldenCase *golden = cases->pdata[i];

          for (guint k = 0; k < golden->nodes->len; k++)
            g_hash_table_add (ops, g_strdup (g_array_index (golden->nodes, FlowGoldenNode, k).op));
        }
    }
  return ops;
}

/* An op that nobody compared with TensorFlow does not go in. */
static void
test_golden (void)
{
  g_autoptr (GHashTable) ops = golden_ops ();
  g_auto (GStrv) types = NULL;
  g_autoptr (GString) missing = g_string_new (NULL);

  flow_kernels_register ();
  types = flow_op_registry_list_types ();
  for (guint i = 0; types[i] != NULL; i++)
    if (flow_op_registry_has_kernel (types[i]) && !g_hash_table_contains (ops, types[i]) &&
        !g_strv_contains (tested_elsewhere, types[i]))
      g_string_append_printf (missing, " %s", types[i]);
  if (missing->len > 0)
    g_test_fail_printf ("ops without recorded cases:%s", missing->str);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/table/rows", test_rows);
  g_test_add_func ("/kernels/table/kernels", test_kernels);
  g_test_add_func ("/kernels/table/coverage", test_coverage);
  g_test_add_func ("/kernels/table/golden", test_golden);
  return g_test_run ();
}

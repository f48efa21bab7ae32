/* flow-cli-runs.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-cli.h"

G_BEGIN_DECLS

/* What run, step and debug take alike: a run file, or FILE with options that make one. */
typedef struct {
  char *checkpoint;
  char **fetches;
  char **targets;
  char **feeds;                /* T=SPEC */
  char **map;                  /* NEW=OLD */
  char **allow;
  char *tags;
} FlowCliRunOptions;

#define FLOW_CLI_RUN_OPTIONS(o)                                                                                       \
  { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &(o)->checkpoint, "Restore this checkpoint first", "C" },              \
  { "fetch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o)->fetches, "A tensor wanted", "T" },                                \
  { "target", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o)->targets, "An op to run", "N" },                                  \
  { "feed", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o)->feeds, "A tensor fed: PATH.npy, PATH.npz#KEY or JSON", "T=SPEC" }, \
  { "map", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o)->map, "A variable's name in the checkpoint", "NEW=OLD" },            \
  { "allow", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(o)->allow, "A folder that the graph may touch", "DIR" },            \
  { "tags", 0, 0, G_OPTION_ARG_STRING, &(o)->tags, "Tag set of the meta graph of a SavedModel", "A,B" }

void          flow_cli_run_options_clear (FlowCliRunOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FlowCliRunOptions, flow_cli_run_options_clear)

/* NULL after the error was printed: return cli->status. */
FlowRunFile  *flow_cli_make_run_file     (FlowCli                 *cli,
                                          const char              *file,
                                          const FlowCliRunOptions *options);
FlowSession  *flow_cli_make_session      (FlowCli                 *cli,
                                          const FlowRunFile       *file,
                                          const FlowCliRunOptions *options);
/* Does @func on the kernel thread, where kernels run. */
int           flow_cli_call              (int                    (*func) (gpointer data),
                                          gpointer                 data);
void          flow_cli_json_value        (JsonBuilder             *builder,
                                          FlowTensor              *tensor);
/* dtype, shape, min, max, mean, nan, inf, as members of the object that is open. */
void          flow_cli_json_stats        (JsonBuilder             *builder,
                                          FlowTensor              *tensor);
gboolean      flow_cli_save_variables    (FlowSession             *session,
                                          const char              *path,
                                          GError                 **error);

G_END_DECLS

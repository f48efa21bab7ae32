/* flow-cli.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include <flowstep.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* How a command ends; the numbers are part of the outer interface. */
typedef enum {
  FLOW_CLI_OK = 0,
  FLOW_CLI_NO = 1,             /* it ran and the answer is no */
  FLOW_CLI_USAGE = 2,
  FLOW_CLI_BAD_FILE = 3,       /* a file cannot be read or is damaged */
} FlowCliStatus;

/* What every command gets. */
typedef struct {
  const char *command;         /* its name */
  const char *args;            /* "FILE [NAME]", for help */
  const char *summary;
  gboolean json;
  gboolean color;              /* standard output is a terminal */
  gboolean progress;           /* standard error is a terminal */
  FlowCliStatus status;        /* set by flow_cli_parse() when it returns FALSE */
} FlowCli;

typedef int (*FlowCliFunc) (FlowCli *cli, int argc, char **argv);

#define FLOW_CLI_COMMAND(name, symbol, args, summary) int flow_cli_##symbol (FlowCli *cli, int argc, char **argv);
#include "flow-cli-commands.h"
#undef FLOW_CLI_COMMAND

/* Options and arguments. @entries beside --json and --help; what is left in *argv from 1 on are the
 * arguments, of which there must be @min to @max (-1: any number). FALSE: return cli->status. */
gboolean flow_cli_parse       (FlowCli             *cli,
                               int                 *argc,
                               char              ***argv,
                               const GOptionEntry  *entries,
                               int                  min,
                               int                  max);

/* Errors, in one line on stderr and as {"error": ...} under --json. Each returns the exit code. */
int      flow_cli_usage       (FlowCli             *cli,
                               const char          *format,
                               ...) G_GNUC_PRINTF (2, 3);
int      flow_cli_bad_file    (FlowCli             *cli,
                               const char          *file,
                               const GError        *error);
int      flow_cli_failed      (FlowCli             *cli,
                               const char          *file,
                               const GError        *error);
void     flow_cli_print_error (FlowCli             *cli,
                               const char          *file,
                               const GError        *error);

/* JSON with stable keys. Numbers that are not finite become "NaN", "Infinity", "-Infinity"; bytes
 * that are not UTF-8 become \xNN. */
void     flow_cli_json_error  (JsonBuilder         *builder,
                               const GError        *error);
void     flow_cli_json_double (JsonBuilder         *builder,
                               double               value);
void     flow_cli_json_text   (JsonBuilder         *builder,
                               const char          *bytes,
                               gssize               length);
void     flow_cli_json_shape  (JsonBuilder         *builder,
                               const FlowShape     *shape);
void     flow_cli_json_set_text  (JsonBuilder      *builder,
                               const char          *key,
                               const char          *text);
void     flow_cli_json_set_int   (JsonBuilder      *builder,
                               const char          *key,
                               gint64               value);
void     flow_cli_json_set_double (JsonBuilder     *builder,
                               const char          *key,
                               double               value);
void     flow_cli_json_set_bool  (JsonBuilder      *builder,
                               const char          *key,
                               gboolean             value);
void     flow_cli_json_variant   (JsonBuilder      *builder,
                               GVariant            *value);
void     flow_cli_json_problems  (JsonBuilder      *builder,
                               GPtrArray           *problems);
/* The document, indented and with a line end; or as one line. Both free @builder. */
void     flow_cli_json_print  (JsonBuilder         *builder);
void     flow_cli_json_print_line (JsonBuilder     *builder);

/* A model, with its progress on a terminal; NULL after the error was printed: return cli->status. */
FlowModel *flow_cli_load_model (FlowCli            *cli,
                               const char          *file,
                               const char          *tags);
void     flow_cli_print_problems (FlowCli          *cli,
                               GPtrArray           *problems);

G_END_DECLS

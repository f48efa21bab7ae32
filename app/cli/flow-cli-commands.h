/* flow-cli-commands.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

/* One row a command: name, function flow_cli_SYMBOL, arguments, what it does. Included twice, so it
 * has no guard. A command is its row here and its file cli-NAME.c in app/meson.build. */
FLOW_CLI_COMMAND ("info", info, "FILE", "what a file holds")
FLOW_CLI_COMMAND ("nodes", nodes, "FILE", "the nodes of a graph")
FLOW_CLI_COMMAND ("collections", collections, "FILE [NAME]", "the collections of a graph, decoded")
FLOW_CLI_COMMAND ("convert", convert, "FILE -o OUT", "a .pb, .pbtxt or .meta into one of the others")
FLOW_CLI_COMMAND ("plan", plan, "FILE", "what a run executes, in order, and why")
FLOW_CLI_COMMAND ("run", run, "RUNFILE|FILE", "runs a run file, or FILE with --fetch, --target, --feed")
FLOW_CLI_COMMAND ("ops", ops, "[TYPE]", "the op types we know, and what TensorFlow has beyond")
FLOW_CLI_COMMAND ("variables", variables, "FILE", "the variables of a graph, with --checkpoint their values")
FLOW_CLI_COMMAND ("checkpoint", checkpoint, "list C | show C NAME | diff A B | match GRAPH C", "tensors of checkpoints, what differs, what fits a graph")
FLOW_CLI_COMMAND ("step", step, "RUNFILE|FILE", "runs op by op: one line an op; --verify-reverse, --goto")
FLOW_CLI_COMMAND ("python", python, "SCRIPT [ARG...]", "runs a TensorFlow-1 script on the engine")
FLOW_CLI_COMMAND ("diagnose", diagnose, "FILE", "what is wrong with a graph or its training step")
FLOW_CLI_COMMAND ("flops", flops, "FILE", "float operations per op type and scope, as tf.profiler counts them")
FLOW_CLI_COMMAND ("debug", debug, "RUNFILE|FILE", "a debugger on standard input and output")

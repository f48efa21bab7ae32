/* flow-error-text.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-graph.h"

G_BEGIN_DECLS

/**
 * FlowErrorText:
 * @id: (nullable): which of the known errors it is, such as `uninitialized-variable`
 * @code: the #FlowError code, 0 if the text does not say
 * @message: the line of the text that says what is wrong
 * @place: (nullable): where to go: a node or scope of the graph
 * @nodes: the nodes of the graph that are named, first the one in which it happened
 * @missing: names of the text that the graph has not
 * @op_type: (nullable): the op type that the text says
 * @tensor: (nullable): the tensor it is about
 * @variable: (nullable): the variable it is about
 * @key: (nullable): the key of a checkpoint it is about
 * @file: (nullable): the file it is about
 * @meaning: (nullable): what happened, in plain words
 * @advice: (nullable): what to do about it
 *
 * What an error message of TensorFlow says.
 */
typedef struct {
  const char *id;
  int code;
  char *message;
  char *place;
  char **nodes;
  char **missing;
  char *op_type;
  char *tensor;
  char *variable;
  char *key;
  char *file;
  char *meaning;
  char *advice;
} FlowErrorText;

#define FLOW_TYPE_ERROR_TEXT (flow_error_text_get_type ())

FLOW_API GType          flow_error_text_get_type (void);
FLOW_API FlowErrorText *flow_error_text_parse    (FlowGraph           *graph,
                                                  const char          *text);
FLOW_API FlowErrorText *flow_error_text_copy     (const FlowErrorText *self);
FLOW_API void           flow_error_text_free     (FlowErrorText       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowErrorText, flow_error_text_free)

G_END_DECLS

/* flow-colouring.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-palette.h"
#include "flow-scene.h"

G_BEGIN_DECLS

/* What the boxes of a graph are coloured by: a function from node to class or amount, with its
 * legend; and what that makes of each box of a picture. Immutable once given away and
 * reference-counted: tile workers read it. */

/* A node without a class or an amount has the colour of its card. */
#define FLOW_COLOUR_NONE 255
#define FLOW_COLOUR_CLASSES_MAX 64
#define FLOW_RAMP_STEPS 6
/* Classes that one box can show side by side. */
#define FLOW_TINT_PARTS 6

/**
 * FlowColouringKind:
 * @FLOW_COLOURING_CLASSES: nodes are of classes; a closed group shows their shares
 * @FLOW_COLOURING_SUM: nodes have amounts, a group the sum of them
 * @FLOW_COLOURING_GREATEST: nodes have numbers, a group the greatest of them
 * @FLOW_COLOURING_STRUCTURE: groups that are built alike; made of a scene
 */
typedef enum {
  FLOW_COLOURING_CLASSES,
  FLOW_COLOURING_SUM,
  FLOW_COLOURING_GREATEST,
  FLOW_COLOURING_STRUCTURE,
} FlowColouringKind;

/* How an amount is written, as a person reads it. */
typedef char *(*FlowAmountFormat) (double amount);

/* A line of the legend. */
typedef struct {
  FlowColor color;
  char *tag;                     /* stands at boxes beside the colour, nullable */
  char *label;
  guint n_ops;                   /* with scopes of a number of their own; of a structure: how often it is there */
} FlowColourClass;

typedef struct {
  gatomicrefcount ref_count;
  FlowColouringKind kind;
  guint n_nodes;
  guint8 *class_of;              /* per node; of amounts the step of the ramp */
  double *amounts;               /* per node, NaN: none; NULL: there are none */
  GHashTable *scope_amounts;     /* scope path -> double: said of a scope itself; nullable */
  GArray *classes;               /* FlowColourClass */
  FlowAmountFormat format;
  double low;                    /* of what is coloured */
  double high;
  gboolean is_log;
  guint32 *number_of;            /* per group of the scene: which structure, 0: none */
  guint n_groups;
} FlowColouring;

/* What a box of a picture is coloured with. */
typedef struct {
  guint8 n_parts;
  guint8 color[FLOW_TINT_PARTS]; /* FlowColor */
  guint8 part[FLOW_TINT_PARTS];  /* in 255ths of the box; what is left has no colour */
  const char *tag;               /* nullable, owned by the tints */
} FlowTint;

typedef struct {
  gatomicrefcount ref_count;
  guint n_boxes;
  FlowTint *boxes;
  GStringChunk *strings;
} FlowTints;

FlowColouring *flow_colouring_new_classes   (guint                   n_nodes);
guint8         flow_colouring_add_class     (FlowColouring          *self,
                                             FlowColor               color,
                                             const char             *tag,
                                             const char             *label);
void           flow_colouring_set_class     (FlowColouring          *self,
                                             guint32                 node,
                                             guint8                  klass);
FlowColouring *flow_colouring_new_amounts   (FlowColouringKind       kind,
                                             guint                   n_nodes,
                                             FlowAmountFormat        format);
void           flow_colouring_set_amount    (FlowColouring          *self,
                                             guint32                 node,
                                             double                  amount);
void           flow_colouring_set_scope_amount (FlowColouring       *self,
                                             const char             *path,
                                             double                  amount);
void           flow_colouring_seal          (FlowColouring          *self);
FlowColouring *flow_colouring_ref           (FlowColouring          *self);
void           flow_colouring_unref         (FlowColouring          *self);
FlowColor      flow_colouring_hue           (guint                   i);

/* @items: of the boxes of the picture, in their order */
FlowTints     *flow_tints_new               (const FlowColouring    *colouring,
                                             const FlowScene        *scene,
                                             const FlowItem         *items,
                                             guint                   n_items);
FlowTints     *flow_tints_ref               (FlowTints              *self);
void           flow_tints_unref             (FlowTints              *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowColouring, flow_colouring_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FlowTints, flow_tints_unref)

G_END_DECLS

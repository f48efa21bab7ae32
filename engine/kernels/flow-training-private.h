/* flow-training-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#pragma once

#include "flow-nn-private.h"

G_BEGIN_DECLS

#define FLOW_TRAINING_MAX_SLOTS 3
#define FLOW_TRAINING_MAX_SCALARS 8

/* One update: cells [begin, end) of the variable, its slots and the gradient, which lie alike. Old
 * values are read from where somebody may still hold them, new ones are written elsewhere then. */
typedef struct {
  gconstpointer old_var;
  gconstpointer old_slots[FLOW_TRAINING_MAX_SLOTS];
  gpointer var;
  gpointer slots[FLOW_TRAINING_MAX_SLOTS];
  gconstpointer gradient;
  double scalars[FLOW_TRAINING_MAX_SCALARS];  /* in the order of the op's inputs */
  double derived;              /* what .prepare made of them */
  gboolean flag;               /* use_nesterov, or update_slots */
  gboolean sparse;             /* rows are named */
  gboolean narrow;             /* and have one column */
  gint64 n_whole;              /* cells (of a row, where rows are named) whose roots begin with the processor's guess */
} FlowUpdate;

/* TensorFlow checks and words its scalars differently from op to op. */
typedef enum {
  FLOW_TRAINING_SIGNS = 1 << 0,         /* lr positive, l1 and l2 not negative, lr_power not positive */
  FLOW_TRAINING_SPACED_DENSE = 1 << 1,  /* "lr is not a scalar : " */
  FLOW_TRAINING_SPACED_SPARSE = 1 << 2,
  FLOW_TRAINING_SLOTS_FIRST = 1 << 3,     /* slots are checked before the scalars */
  FLOW_TRAINING_GRADIENT_FIRST = 1 << 4,  /* and the gradient, or the rank of the indices */
  FLOW_TRAINING_WIDE_ROWS = 1 << 5,       /* sparse: rows without cells are refused */
  FLOW_TRAINING_FIRST_LOCKED = 1 << 6,    /* of its variables the first alone is locked, */
  FLOW_TRAINING_LAST_UNLOCKED = 1 << 7,   /* or all but the last */
} FlowTrainingWords;

/* A rule of training: its loops by dtype and what is special about its scalars. Everything else
 * follows from the signature of the op: "var", slots (references or resources), scalars, "grad" or
 * "delta", "indices". */
typedef struct {
  FlowRangeFunc funcs[FLOW_N_DTYPES];
  const char *flag_attr;       /* nullable */
  guint words;                 /* FlowTrainingWords */
  gboolean (*prepare) (FlowKernelContext *c, FlowUpdate *update, GError **error);
} FlowTrainingRule;

gboolean flow_training_apply (FlowKernelContext       *c,
                              const FlowTrainingRule  *rule,
                              GError                 **error);
gboolean flow_training_infer (FlowInferContext        *c,
                              GError                 **error);

/* The rules, by the name of the op without "Apply": each dense, sparse and resource op has the same. */
extern const FlowTrainingRule flow_rule_gradient_descent;
extern const FlowTrainingRule flow_rule_momentum;
extern const FlowTrainingRule flow_rule_keras_momentum;
extern const FlowTrainingRule flow_rule_adam;
extern const FlowTrainingRule flow_rule_amsgrad;
extern const FlowTrainingRule flow_rule_ada_max;
extern const FlowTrainingRule flow_rule_adagrad;
extern const FlowTrainingRule flow_rule_adagrad_v2;
extern const FlowTrainingRule flow_rule_adagrad_da;
extern const FlowTrainingRule flow_rule_adadelta;
extern const FlowTrainingRule flow_rule_rms_prop;
extern const FlowTrainingRule flow_rule_centered_rms_prop;
extern const FlowTrainingRule flow_rule_ftrl;
extern const FlowTrainingRule flow_rule_ftrl_v2;
extern const FlowTrainingRule flow_rule_proximal_gradient_descent;
extern const FlowTrainingRule flow_rule_proximal_adagrad;
extern const FlowTrainingRule flow_rule_add_sign;
extern const FlowTrainingRule flow_rule_power_sign;

/* Their kernels (flow-training-kernels.c), for dense gradients and for those of named rows. */
extern const FlowKernelDef flow_training_ada_max[];
extern const FlowKernelDef flow_training_adadelta[];
extern const FlowKernelDef flow_training_adagrad[];
extern const FlowKernelDef flow_training_adagrad_da[];
extern const FlowKernelDef flow_training_adagrad_v2[];
extern const FlowKernelDef flow_training_adam[];
extern const FlowKernelDef flow_training_add_sign[];
extern const FlowKernelDef flow_training_amsgrad[];
extern const FlowKernelDef flow_training_centered_rms_prop[];
extern const FlowKernelDef flow_training_ftrl[];
extern const FlowKernelDef flow_training_ftrl_v2[];
extern const FlowKernelDef flow_training_gradient_descent[];
extern const FlowKernelDef flow_training_keras_momentum[];
extern const FlowKernelDef flow_training_momentum[];
extern const FlowKernelDef flow_training_power_sign[];
extern const FlowKernelDef flow_training_proximal_adagrad[];
extern const FlowKernelDef flow_training_proximal_gradient_descent[];
extern const FlowKernelDef flow_training_rms_prop[];
extern const FlowKernelDef flow_training_sparse_adadelta[];
extern const FlowKernelDef flow_training_sparse_adagrad[];
extern const FlowKernelDef flow_training_sparse_adagrad_da[];
extern const FlowKernelDef flow_training_sparse_adagrad_v2[];
extern const FlowKernelDef flow_training_sparse_centered_rms_prop[];
extern const FlowKernelDef flow_training_sparse_ftrl[];
extern const FlowKernelDef flow_training_sparse_ftrl_v2[];
extern const FlowKernelDef flow_training_sparse_keras_momentum[];
extern const FlowKernelDef flow_training_sparse_momentum[];
extern const FlowKernelDef flow_training_sparse_proximal_adagrad[];
extern const FlowKernelDef flow_training_sparse_proximal_gradient_descent[];
extern const FlowKernelDef flow_training_sparse_rms_prop[];

#define FLOW_TRAINING_T_ATTR "T: " FLOW_NUMBER_TYPES "; "
#define FLOW_TRAINING_INDICES_ATTR "Tindices: {int32, int64}; "
#define FLOW_TRAINING_LOCKING_ATTR "use_locking: bool = false"

G_END_DECLS

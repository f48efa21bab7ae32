/* flow-dataset-private.h
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Datasets and places in them. A dataset is what its op was given and never changes; it travels in a
 * variant. A position is how far an iterator is in one: counters, buffered elements, and positions in
 * its inputs. Positions are copied when they are written while somebody else holds them: keeping an
 * old one for undo costs a reference, and going on from it again gives the same elements.
 */

#pragma once

#include "flow-queue-private.h"
#include "flow-stream-private.h"
#include "flow-variant.h"

G_BEGIN_DECLS

#define FLOW_TYPE_DATASET (_flow_dataset_get_type ())
G_DECLARE_FINAL_TYPE (FlowDataset, _flow_dataset, FLOW, DATASET, FlowVariant)

typedef struct _FlowPosition FlowPosition;
typedef struct _FlowMemory FlowMemory;

/* TF: a dataset's size where it is no number. */
#define FLOW_CARDINALITY_INFINITE -1
#define FLOW_CARDINALITY_UNKNOWN -2

/* Who keeps what is measured, and under which name. */
typedef struct {
  const char *container;
  const char *name;
  const char *tag;
} FlowStatsScope;

/* What the execution of an op that takes elements gives to all positions on the way. */
typedef struct {
  FlowKernelContext *c;
  FlowMemory **memory;         /* of the iterator */
  const char *state_handle;    /* what the state of functions goes by; nullable: the same for all */
  gboolean failed_at_end;      /* what failed came from an input that had ended */
  const FlowStatsScope *stats; /* nullable: nothing is measured */
  gboolean is_optimized;       /* OptimizeDataset has gone through what is asked */
} FlowPull;

/* One kind of dataset. @start (nullable) sets up a fresh position; @next gives the next element or, at
 * the end, NULL: it is not asked again then, unless it goes on. After an error it is, and goes on behind what failed. */
typedef struct {
  const char *name;
  gboolean (*start)       (FlowPosition *self, FlowPull *pull, GError **error);
  gboolean (*next)        (FlowPosition *self, FlowPull *pull, FlowTuple **out, GError **error);
  gint64   (*cardinality) (FlowDataset *dataset);
  /* One more than which of a position's numbers counts random numbers, where TensorFlow leaves some out that takes
   * the position up again; 0: none. */
  int draws;
  /* It does not keep in mind that it was at its end: asked again it asks its input, as TensorFlow's does. */
  gboolean goes_on;
} FlowDatasetKind;

/* A function that a dataset calls, and the values that come behind its own arguments. */
typedef struct {
  FlowAttr *func;
  FlowTensor **captured;
  guint n_captured;
} FlowDatasetFunc;

#define FLOW_DATASET_FUNCS 4
#define FLOW_DATASET_NUMBERS 8
#define FLOW_POSITION_NUMBERS 12

struct _FlowDataset
{
  FlowVariant parent_instance;
  const FlowDatasetKind *kind;
  GError *problem;             /* nullable: what it was given nests too deep; told when it is put */
  guint n_inputs;
  FlowDataset **inputs;
  guint n_tensors;
  FlowTensor **tensors;        /* what it was made of: each kind says what */
  gint64 numbers[FLOW_DATASET_NUMBERS];
  gboolean is_by_chance;       /* its seeds were drawn: nobody goes through the same elements again */
  FlowDatasetFunc funcs[FLOW_DATASET_FUNCS];
  char *maker;                 /* nullable: the node whose functions these are: another's keep a state apart, */
  guint twin;                  /* and those of a dataset that is there twice, where this is not 0 */
  guint n_components;          /* of its elements; 0: not declared */
  int *dtypes;
  FlowShape **shapes;
  GPtrArray *tuples;           /* nullable: of FlowTuple: elements that it was made of */
  gpointer data;               /* of the kind, freed by data_free */
  GDestroyNotify data_free;
};

struct _FlowPosition
{
  gatomicrefcount ref_count;
  FlowDataset *dataset;
  guint depth;
  guint64 key;                 /* of this place in the tree, for FlowMemory */
  gboolean is_started;
  gboolean is_ended;
  GPtrArray *children;         /* of FlowPosition, entries nullable; by input, or as the kind says */
  GPtrArray *tuples;           /* of FlowTuple, entries nullable */
  gint64 numbers[FLOW_POSITION_NUMBERS];
  gint64 n_given;              /* elements so far */
  GArray *list;                /* nullable: more numbers, of gint64 */
  FlowStream *stream;          /* cached: the file that numbers say; goes along with the newest copy */
};

/* --- datasets --------------------------------------------------------------------------------------------- */

/* A dataset with the component types and shapes that the node's attrs declare. */
FlowDataset  *_flow_dataset_new          (FlowKernelContext     *c,
                                          const FlowDatasetKind *kind);
/* One whose elements are not declared. */
FlowDataset  *_flow_dataset_new_bare     (const FlowDatasetKind *kind);
/* Another of the same inputs, values and functions. */
FlowDataset  *_flow_dataset_copy         (FlowDataset           *self);
/* Its elements have one component of @dtype and @rank dims of unknown size. */
void          _flow_dataset_set_component (FlowDataset          *self,
                                          int                    dtype,
                                          const FlowShape       *shape);
/* The dataset in a variant scalar, borrowed; INVALID_ARGUMENT where there is none. */
FlowDataset  *_flow_dataset_from_tensor  (const FlowTensor      *tensor,
                                          GError               **error);
/* Input @i of the node becomes an input of the dataset. */
gboolean      _flow_dataset_add_input    (FlowDataset           *self,
                                          FlowKernelContext     *c,
                                          guint                  i,
                                          GError               **error);
/* @input, which is taken, becomes an input of the dataset; it is not taken where that fails. */
gboolean      _flow_dataset_take_input   (FlowDataset           *self,
                                          FlowDataset           *input,
                                          GError               **error);
/* A dataset on input 0 of the node alone; FALSE with an error and NULL where that is none. */
gboolean      _flow_dataset_new_on_input (FlowKernelContext     *c,
                                          const FlowDatasetKind *kind,
                                          FlowDataset          **dataset,
                                          GError               **error);
/* `next` of a dataset whose elements are its input's. */
gboolean      _flow_dataset_pass_on      (FlowPosition          *self,
                                          FlowPull              *pull,
                                          FlowTuple            **out,
                                          GError               **error);
/* For kinds that give as many elements as their input. */
gint64        _flow_dataset_count_input  (FlowDataset           *self);
void          _flow_dataset_add_tensor   (FlowDataset           *self,
                                          const FlowTensor      *tensor);
/* Function @which is attr @attr; its captured values are inputs [first, first + n) of the node. */
void          _flow_dataset_set_func     (FlowDataset           *self,
                                          FlowKernelContext     *c,
                                          guint                  which,
                                          const char            *attr,
                                          guint                  first,
                                          guint                  n);
gboolean      _flow_dataset_call         (FlowDataset           *self,
                                          FlowPull              *pull,
                                          guint                  which,
                                          FlowTensor *const     *args,
                                          guint                  n_args,
                                          FlowTensor           **results,
                                          guint                  n_results,
                                          GError               **error);
gint64        _flow_dataset_count        (FlowDataset           *self);
/* Takes @self and makes it output 0. */
gboolean      _flow_dataset_put          (FlowKernelContext     *c,
                                          FlowDataset           *self,
                                          GError               **error);
/* Input @i, an int64 scalar; @words say what it must be. */
gboolean      _flow_dataset_read_int     (FlowKernelContext     *c,
                                          guint                  i,
                                          const char            *name,
                                          gint64                *value,
                                          GError               **error);
/* What the attrs output_types and output_shapes of two declare must fit. */
gboolean      _flow_components_match     (guint                  n_expected,
                                          const int             *expected_dtypes,
                                          FlowShape *const      *expected_shapes,
                                          guint                  n,
                                          const int             *dtypes,
                                          FlowShape *const      *shapes,
                                          GError               **error);
/* The shape function of ops that make datasets. */
gboolean      _flow_dataset_infer        (FlowInferContext      *c,
                                          GError               **error);
/* That of ops whose outputs are components of an element, by the attr output_shapes. */
gboolean      _flow_components_infer     (FlowInferContext      *c,
                                          GError               **error);

/* What several families make. Batches: numbers are the size, whether a smaller last one goes, and whether
 * they are of mapped elements and refuse in the words of that op; elements: those that stand in the
 * dataset's tuples. */
enum { FLOW_BATCH_SIZE, FLOW_BATCH_DROPS, FLOW_BATCH_MAPPED };
extern const FlowDatasetKind _flow_batch_kind;
extern const FlowDatasetKind _flow_map_kind;
extern const FlowDatasetKind _flow_repeat_kind;
extern const FlowDatasetKind _flow_take_kind;
extern const FlowDatasetKind _flow_skip_kind;
extern const FlowDatasetKind _flow_elements_kind;

/* --- positions -------------------------------------------------------------------------------------------- */

FlowPosition *_flow_position_new         (FlowDataset           *dataset);
FlowPosition *_flow_position_ref         (FlowPosition          *self);
/* Where TensorFlow is once it has put @self away and taken it up again. */
FlowPosition *_flow_position_restored    (FlowPosition          *self);
void          _flow_position_unref       (gpointer               self);
/* The next element; NULL without an error at the end. *@self is replaced by a copy if others hold it. */
gboolean      _flow_position_next        (FlowPosition         **self,
                                          FlowPull              *pull,
                                          FlowTuple            **out,
                                          GError               **error);
/* The next element of input @i. */
gboolean      _flow_position_pull        (FlowPosition          *self,
                                          guint                  i,
                                          FlowPull              *pull,
                                          FlowTuple            **out,
                                          GError               **error);
/* The same, but what fails where an input has ended is the end: *@out is NULL. */
gboolean      _flow_position_pull_or_end (FlowPosition          *self,
                                          guint                  i,
                                          FlowPull              *pull,
                                          FlowTuple            **out,
                                          GError               **error);
/* Child @i is put at the beginning of @dataset; @nth tells several that follow one another apart. */
gboolean      _flow_position_open        (FlowPosition          *self,
                                          guint                  i,
                                          FlowDataset           *dataset,
                                          gint64                 nth,
                                          GError               **error);
gboolean      _flow_position_next_child  (FlowPosition          *self,
                                          guint                  i,
                                          FlowPull              *pull,
                                          FlowTuple            **out,
                                          GError               **error);
gboolean      _flow_position_has_child   (FlowPosition          *self,
                                          guint                  i);
void          _flow_position_close       (FlowPosition          *self,
                                          guint                  i);
/* Element @i of the buffer: takes @tuple, which may be NULL, or gives it away. */
void          _flow_position_put         (FlowPosition          *self,
                                          guint                  i,
                                          FlowTuple             *tuple);
FlowTuple    *_flow_position_take        (FlowPosition          *self,
                                          guint                  i);
void          _flow_position_visit       (FlowPosition          *self,
                                          const char            *label,
                                          FlowResourceVisitor    visitor,
                                          gpointer               data);
/* One element, of tensors that are taken. */
FlowTuple    *_flow_element_new          (FlowPull              *pull,
                                          FlowTensor           **tensors,
                                          guint                  n,
                                          GError               **error);
/* FlowTuples stacked to one element: every tensor gets a dimension in front. */
FlowTuple    *_flow_elements_stack       (FlowPull              *pull,
                                          GPtrArray             *tuples,
                                          gboolean               mapped,
                                          GError               **error);
gboolean      _flow_pull_is_cancelled    (FlowPull              *pull,
                                          GError               **error);

/* --- files ------------------------------------------------------------------------------------------------ */

/* A dataset of files has their names as its first tensor and their compression as its second. In a
 * position: which file, the byte in it, two numbers more that begin at 0 with each file. */
enum { FLOW_FILE_INDEX, FLOW_FILE_OFFSET, FLOW_FILE_IS_OPEN, FLOW_FILE_END };

/* Opens the file that the position is in, at its byte; *@done after the last file, *@past where the
 * file ends before that byte. */
gboolean      _flow_dataset_open_file    (FlowPosition          *self,
                                          FlowPull              *pull,
                                          gboolean              *done,
                                          gboolean              *past,
                                          GError               **error);
void          _flow_dataset_leave_file   (FlowPosition          *self);
/* Input @i, a string scalar, or none at all: "", "ZLIB" or "GZIP". */
FlowTensor   *_flow_dataset_read_compression (FlowKernelContext *c,
                                          guint                  i,
                                          GError               **error);
char         *_flow_dup_string           (const FlowTensor      *tensor,
                                          gint64                 i);

/* --- what an iterator remembers from one pass through a dataset to the next ------------------------------------ */

typedef struct {
  guint64 key;
  gint64 n_draws;
  GPtrArray *tuples;           /* shared by copies, only ever made longer: the first n_tuples count */
  guint n_tuples;
  gboolean is_complete;
} FlowMemoryEntry;

FlowMemory      *_flow_memory_new   (void);
FlowMemory      *_flow_memory_ref   (FlowMemory     *self);
void             _flow_memory_unref (FlowMemory     *self);
/* The entry of a position, to be written; valid until the next call. */
FlowMemoryEntry *_flow_memory_own   (FlowPull       *pull,
                                     FlowPosition   *position);
void             _flow_memory_visit (FlowMemory     *self,
                                     FlowResourceVisitor visitor,
                                     gpointer        data);

G_END_DECLS

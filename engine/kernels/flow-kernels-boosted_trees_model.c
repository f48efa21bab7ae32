/* flow-kernels-boosted_trees_model.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Ensembles of boosted trees: made, saved and loaded.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-boosted-model-private.h"
#include "flow-step-private.h"
#include "flow-string-private.h"

/* --- the resource ---------------------------------------------------------------------------------------------- */

typedef struct {
  gint64 stamp;
  FlowEnsemble *model;
} Saved;

static void
ensemble_finalize (FlowResource *resource)
{
  /* A resource that is only a name has none. */
  g_clear_pointer (&((FlowBoosted *) resource)->model, _flow_ensemble_unref);
}

static gpointer
ensemble_save (FlowResource *resource)
{
  FlowBoosted *self = (FlowBoosted *) resource;
  Saved *saved = g_new (Saved, 1);

  *saved = (Saved) { self->stamp, _flow_ensemble_ref (self->model) };
  return saved;
}

static void
ensemble_restore (FlowResource  *resource,
                  gconstpointer  data)
{
  FlowBoosted *self = (FlowBoosted *) resource;
  const Saved *saved = data;
  FlowEnsemble *model = _flow_ensemble_ref (saved->model);

  _flow_ensemble_unref (self->model);
  self->model = model;
  self->stamp = saved->stamp;
}

static void
saved_free (gpointer saved)
{
  _flow_ensemble_unref (((Saved *) saved)->model);
  g_free (saved);
}

static gsize
saved_bytes (gconstpointer saved)
{
  return sizeof (Saved) + _flow_ensemble_bytes (((const Saved *) saved)->model);
}

static void
ensemble_visit (FlowResource        *resource,
                FlowResourceVisitor  visitor,
                gpointer             data)
{
  FlowBoosted *self = (FlowBoosted *) resource;
  g_autoptr (FlowTensor) stamp = flow_tensor_new_int64 (self->stamp);

  visitor ("stamp", stamp, data);
  _flow_named_visit_text ("trees", _flow_ensemble_write (self->model, NULL), visitor, data);
}

static char *
ensemble_describe (FlowResource *resource)
{
  return g_strdup_printf ("TreeEnsemble[size=%u]", flow_ensemble_n_trees (((FlowBoosted *) resource)->model));
}

static const FlowResourceClass ensemble_class = {
  .type_name = "N10tensorflow28BoostedTreesEnsembleResourceE",
  .finalize = ensemble_finalize,
  .save = ensemble_save,
  .restore = ensemble_restore,
  .saved_free = saved_free,
  .saved_bytes = saved_bytes,
  .visit = ensemble_visit,
  .describe = ensemble_describe,
};

void
_flow_boosted_replace_model (FlowKernelContext *c,
                             FlowBoosted       *self,
                             gint64             stamp,
                             FlowEnsemble      *model)
{
  flow_kernel_will_write (c, self);
  _flow_ensemble_unref (self->model);
  self->model = model;
  self->stamp = stamp;
  flow_kernel_wrote (c, self);
}

gboolean
_flow_boosted_with_ensemble (FlowKernelContext  *c,
                             FlowNamedFunc       func,
                             GError            **error)
{
  return _flow_named_call (c, 0, &ensemble_class, func, error);
}

/* --- making, saving, loading ------------------------------------------------------------------------------------- */

FLOW_NAMED_KERNELS (ensemble_class, FlowBoosted)

/* Input 1 is the stamp, input 2 the trees. */
static FlowEnsemble *
read_model (FlowKernelContext  *c,
            GError            **error)
{
  FlowEnsemble *model;
  Text text;

  if (!_flow_boosted_check_scalars (c, 1, 3, error))
    return NULL;
  text = text_at (flow_kernel_input (c, 2), 0);
  /* An empty node is two bytes there and a structure here. */
  if (text.length > G_MAXINT32 || !reserve_text (c, text.length * (sizeof (FlowTreeNode) / 2), error))
    {
      if (error != NULL && *error == NULL)
        _flow_refuse (error, "Unable to parse tree ensemble proto.");
      return NULL;
    }
  model = _flow_ensemble_parse (text.bytes, text.length);
  if (model == NULL)
    _flow_refuse (error, "Unable to parse tree ensemble proto.");
  return model;
}

static gboolean
create_compute (FlowKernelContext  *c,
                GError            **error)
{
  FlowEnsemble *model = read_model (c, error);
  FlowBoosted *made;

  if (model == NULL)
    return FALSE;
  made = _flow_named_alloc (c, &ensemble_class, sizeof (FlowBoosted), error);
  if (made == NULL)
    {
      _flow_ensemble_unref (model);
      return FALSE;
    }
  made->model = model;
  made->stamp = *FLOW_DATA (gint64, flow_kernel_input (c, 1));
  return _flow_named_publish (c, &made->parent, error);
}

static gboolean
deserialize (FlowKernelContext  *c,
             gpointer            resource,
             GError            **error)
{
  FlowBoosted *self = resource;
  FlowEnsemble *model = read_model (c, error);

  if (model == NULL)
    return FALSE;
  _flow_boosted_replace_model (c, self, *FLOW_DATA (gint64, flow_kernel_input (c, 1)), model);
  return TRUE;
}

FLOW_NAMED_COMPUTE (deserialize, 0, ensemble_class)

static gboolean
serialize (FlowKernelContext  *c,
           gpointer            resource,
           GError            **error)
{
  FlowBoosted *self = resource;

  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (self->stamp));
  return _flow_named_put_text (c, 1, _flow_ensemble_write (self->model, error));
}

FLOW_NAMED_COMPUTE (serialize, 0, ensemble_class)

static gboolean
get_states (FlowKernelContext  *c,
            gpointer            resource,
            GError            **error)
{
  FlowBoosted *self = resource;
  const FlowEnsemble *model = self->model;
  gint32 n = (gint32) flow_ensemble_n_trees (model);
  gboolean is_open = n > 0 && !_flow_tree_metadata (model, (guint) n - 1)->is_finalized;
  const gint64 two = 2;
  FlowTensor *range = flow_kernel_allocate_dims (c, 4, 1, &two, error);

  if (range == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int64 (self->stamp));
  flow_kernel_take_output (c, 1, flow_tensor_new_int32 (n));
  flow_kernel_take_output (c, 2, flow_tensor_new_int32 (n - is_open));
  flow_kernel_take_output (c, 3, flow_tensor_new_int32 ((gint32) model->n_layers_attempted));
  FLOW_WRITABLE (gint32, range)[0] = model->last_layer_begin;
  FLOW_WRITABLE (gint32, range)[1] = MAX (1, model->last_layer_end);
  return TRUE;
}

FLOW_NAMED_COMPUTE (get_states, 0, ensemble_class)

static gboolean
states_infer (FlowInferContext  *c,
              GError           **error)
{
  for (guint i = 0; i < 4; i++)
    flow_infer_take_output (c, i, flow_shape_new_scalar ());
  flow_infer_take_output (c, 4, flow_shape_new_vector (2));
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static gboolean
serialize_infer (FlowInferContext  *c,
                 GError           **error)
{
  flow_infer_take_output (c, 0, flow_shape_new_scalar ());
  flow_infer_take_output (c, 1, flow_shape_new_scalar ());
  return _flow_boosted_infer_scalars (c, 0, 1, error);
}

static gboolean
create_infer (FlowInferContext  *c,
              GError           **error)
{
  FLOW_INFER_LEAVES_TO_KERNEL (c, error);
  return _flow_boosted_infer_scalars (c, 0, 3, error);
}

static const FlowKernelDef handle_kernels[] = {
  { NULL, handle_compute, _flow_place_construct, _flow_place_destruct }, { NULL }
};

static const FlowOpDef ops[] = {
  FLOW_ENSEMBLE_OP ("BoostedTreesCreateEnsemble", "; stamp_token: int64; tree_ensemble_serialized: string", "", "", create_compute,
               create_infer, "Makes an ensemble of trees"),
  FLOW_ENSEMBLE_OP ("BoostedTreesDeserializeEnsemble", "; stamp_token: int64; tree_ensemble_serialized: string", "", "",
               deserialize_compute, create_infer, "Puts saved trees into an ensemble"),
  { .name = "BoostedTreesEnsembleResourceHandleOp", .inputs = "", .outputs = "resource: resource",
    .attrs = "container: string = ''; shared_name: string = ''", .summary = "Names an ensemble of trees",
    .flags = FLOW_OP_STATEFUL, .family = FLOW_OP_FAMILY_STATE, .infer = flow_infer_scalar_shape, .kernels = handle_kernels },
  FLOW_ENSEMBLE_OP ("BoostedTreesGetEnsembleStates", "",
               "stamp_token: int64; num_trees: int32; num_finalized_trees: int32; num_attempted_layers: int32; "
               "last_layer_nodes_range: int32", "", get_states_compute, states_infer, "How far an ensemble has grown"),
  FLOW_ENSEMBLE_OP ("BoostedTreesSerializeEnsemble", "", "stamp_token: int64; tree_ensemble_serialized: string", "",
               serialize_compute, serialize_infer, "An ensemble as bytes"),
  FLOW_ENSEMBLE_OP ("IsBoostedTreesEnsembleInitialized", "", "is_initialized: bool", "", is_initialized_compute,
               _flow_boosted_infer_is_initialized, "Whether an ensemble was made"),
};

FLOW_DEFINE_OP_FAMILY (boosted_trees_model, ops)

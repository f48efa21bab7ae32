/* flow-kernels-tensor_map.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * TensorFlow 2: maps of tensors by tensors, in variants. A map is a value: what changes one gives another.
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-summarize-private.h"
#include "flow-variant.h"

#include <string.h>

#define FLOW_TYPE_TENSOR_MAP (_flow_tensor_map_get_type ())
G_DECLARE_FINAL_TYPE (FlowTensorMap, _flow_tensor_map, FLOW, TENSOR_MAP, FlowVariant)

struct _FlowTensorMap
{
  FlowVariant parent_instance;

  GPtrArray *keys;             /* of FlowTensor, in the order in which they came */
  GPtrArray *values;           /* likewise */
};

G_DEFINE_FINAL_TYPE (FlowTensorMap, _flow_tensor_map, FLOW_TYPE_VARIANT)

static void
_flow_tensor_map_finalize (GObject *object)
{
  FlowTensorMap *self = FLOW_TENSOR_MAP (object);

  g_clear_pointer (&self->keys, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  G_OBJECT_CLASS (_flow_tensor_map_parent_class)->finalize (object);
}

static void
map_visit (FlowVariant        *variant,
           FlowVariantVisitor  visitor,
           gpointer            data)
{
  const FlowTensorMap *self = FLOW_TENSOR_MAP (variant);

  for (guint i = 0; i < self->keys->len; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u/key", i);
      g_autofree char *value = g_strdup_printf ("%u/value", i);

      visitor (key, self->keys->pdata[i], data);
      visitor (value, self->values->pdata[i], data);
    }
}

static char *
map_describe (FlowVariant *variant)
{
  return g_strdup_printf ("TensorMap of %u", FLOW_TENSOR_MAP (variant)->keys->len);
}

static void
_flow_tensor_map_class_init (FlowTensorMapClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = _flow_tensor_map_finalize;
  variant_class->type_name = "tensorflow::TensorMap";
  variant_class->visit = map_visit;
  variant_class->describe = map_describe;
}

static void
_flow_tensor_map_init (FlowTensorMap *self)
{
  self->keys = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
}

/* --- maps of ops ----------------------------------------------------------------------------------------------------- */

/* What entry @i of a map costs beside its tensors. */
#define ENTRY_BYTES (2 * sizeof (gpointer))
/* Cells of a key that errors show. */
#define MOST_WORDS 100

static FlowTensorMap *
input_map (FlowKernelContext  *c,
           GError            **error)
{
  const FlowTensor *input = flow_kernel_input (c, 0);
  FlowVariant *variant = flow_is_scalar (input) ? flow_tensor_get_variant (input, 0) : NULL;
  const char *type = variant != NULL ? flow_variant_get_type_name (variant) : "";
  const char *name = strrchr (type, ':');

  if (variant != NULL && FLOW_IS_TENSOR_MAP (variant))
    return FLOW_TENSOR_MAP (variant);
  if (!flow_is_scalar (input))
    {
      _flow_refuse_shapes (error, input, NULL, "Input map must be a scalar. Saw: %s");
      return NULL;
    }
  _flow_refuse (error, "Input handle is not a map. Saw: 'Variant<type: %s value: %s>'", type, name != NULL ? name + 1 : type);
  return NULL;
}

/* -1 where it is not there. */
static int
find_key (const FlowTensorMap *self,
          const FlowTensor    *key)
{
  for (guint i = 0; i < self->keys->len; i++)
    {
      const FlowTensor *other = self->keys->pdata[i];

      if (flow_tensor_identical (other, key))
        return (int) i;
    }
  return -1;
}

static gboolean
put_entry (FlowTensorMap  *self,
           FlowTensor     *key,
           FlowTensor     *value,
           GError        **error)
{
  if (!flow_variant_nest (FLOW_VARIANT (self), key, error) || !flow_variant_nest (FLOW_VARIANT (self), value, error))
    return FALSE;
  g_ptr_array_add (self->keys, flow_tensor_ref (key));
  g_ptr_array_add (self->values, flow_tensor_ref (value));
  return TRUE;
}

/* All entries of @self but @without. */
static FlowTensorMap *
copy_map (FlowKernelContext    *c,
          const FlowTensorMap  *self,
          int                   without,
          GError              **error)
{
  g_autoptr (FlowTensorMap) copy = NULL;
  const gsize bytes = (self->keys->len + 1) * ENTRY_BYTES;

  if (c->budget != NULL)
    {
      if (!flow_budget_reserve (c->budget, bytes))
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED, "OOM when copying a map of %u", self->keys->len);
          return NULL;
        }
      flow_budget_release (c->budget, bytes);
    }
  copy = g_object_new (FLOW_TYPE_TENSOR_MAP, NULL);
  for (guint i = 0; i < self->keys->len; i++)
    if ((int) i != without && !put_entry (copy, self->keys->pdata[i], self->values->pdata[i], error))
      return NULL;
  return g_steal_pointer (&copy);
}

static gboolean
put_map (FlowKernelContext *c,
         FlowTensorMap     *map)
{
  g_autoptr (FlowTensor) out = flow_tensor_new_variant (FLOW_VARIANT (map));

  flow_kernel_set_output (c, 0, out);
  return TRUE;
}

static gboolean
refuse_key (const char        *what,
            const FlowTensor  *key,
            GError           **error)
{
  g_autoptr (GString) words = g_string_new (NULL);

  _flow_summarize (words, key, MOST_WORDS);
  return _flow_refuse (error, "%s. Could not find key \"%s\".", what, words->str);
}

/* --- the ops --------------------------------------------------------------------------------------------------------- */

static gboolean
empty_compute (FlowKernelContext  *c,
               GError            **error)
{
  g_autoptr (FlowTensorMap) map = g_object_new (FLOW_TYPE_TENSOR_MAP, NULL);

  return put_map (c, map);
}

static gboolean
size_compute (FlowKernelContext  *c,
              GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);

  if (map == NULL)
    return FALSE;
  flow_kernel_take_output (c, 0, flow_tensor_new_int32 ((gint32) map->keys->len));
  return TRUE;
}

static gboolean
has_key_compute (FlowKernelContext  *c,
                 GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);
  FlowTensor *out = map != NULL ? flow_kernel_allocate_dims (c, 0, 0, NULL, error) : NULL;

  if (out == NULL)
    return FALSE;
  *FLOW_WRITABLE (guint8, out) = find_key (map, flow_kernel_input (c, 1)) >= 0;
  return TRUE;
}

static gboolean
lookup_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);
  FlowTensor *key = flow_kernel_input (c, 1);
  const FlowTensor *value;
  int i;

  if (map == NULL)
    return FALSE;
  i = find_key (map, key);
  if (i < 0)
    return refuse_key ("Trying to lookup non-existent key", key, error);
  value = map->values->pdata[i];
  FLOW_REQUIRE ((int) value->dtype == c->output_dtypes[0], error, INTERNAL,
                "Output 0 of type %s does not match declared output type %s for node %s", flow_dtype_string (value->dtype),
                flow_dtype_string ((FlowDType) c->output_dtypes[0]), c->node_name);
  flow_kernel_set_output (c, 0, value);
  return TRUE;
}

static gboolean
insert_compute (FlowKernelContext  *c,
                GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);
  FlowTensor *key = flow_kernel_input (c, 1);
  g_autoptr (FlowTensorMap) copy = map != NULL ? copy_map (c, map, find_key (map, key), error) : NULL;

  return copy != NULL && put_entry (copy, key, flow_kernel_input (c, 2), error) && put_map (c, copy);
}

static gboolean
erase_compute (FlowKernelContext  *c,
               GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);
  const FlowTensor *key = flow_kernel_input (c, 1);
  g_autoptr (FlowTensorMap) copy = NULL;

  if (map == NULL)
    return FALSE;
  if (find_key (map, key) < 0)
    return refuse_key ("Trying to erase non-existent item", key, error);
  copy = copy_map (c, map, find_key (map, key), error);
  return copy != NULL && put_map (c, copy);
}

/* TF: in the order of its hash table, which changes from run to run; here in that in which they came. */
static gboolean
stack_keys_compute (FlowKernelContext  *c,
                    GError            **error)
{
  const FlowTensorMap *map = input_map (c, error);
  g_autoptr (FlowShape) shape = NULL;
  const FlowTensor *first;
  FlowTensor *out;

  if (map == NULL)
    return FALSE;
  if (map->keys->len == 0)
    return _flow_refuse (error, "TensorMapStackKeys cannot be called on empty map.");
  first = map->keys->pdata[0];
  for (guint i = 0; i < map->keys->len; i++)
    {
      const FlowTensor *key = map->keys->pdata[i];

      if ((int) key->dtype != c->output_dtypes[0])
        return _flow_refuse (error, "Key does not match requested dtype.");
      if (!flow_shape_equal (key->shape, first->shape))
        return _flow_refuse (error, "Keys must all have the same shape.");
    }
  if (FLOW_RANK (first) == FLOW_SHAPE_MAX_RANK)
    return _flow_refuse (error, "too many dimensions");
  shape = flow_shape_new_of_rank (FLOW_RANK (first) + 1);
  shape->dims[0] = map->keys->len;
  for (int i = 0; i < FLOW_RANK (first); i++)
    shape->dims[i + 1] = FLOW_DIMS (first)[i];
  out = flow_kernel_allocate (c, 0, shape, error);
  for (guint i = 0; out != NULL && first->n_elements > 0 && i < map->keys->len; i++)
    _flow_replace_cells (out->dtype, (char *) out->data + i * (gsize) first->n_elements * _flow_cell_size (out->dtype),
                         ((const FlowTensor *) map->keys->pdata[i])->data, first->n_elements);
  return out != NULL;
}

#define MAP_OP(op, in, out, attr, infer_func, compute, text)                                              \
  { .name = op, .inputs = in, .outputs = out, .attrs = attr, .summary = text, .family = FLOW_OP_FAMILY_IO, \
    .infer = infer_func, .kernels = (const FlowKernelDef[]) { { NULL, compute }, { NULL } } }
#define MAP "input_handle: variant"
#define BOTH "key_dtype: type; value_dtype: type"

static const FlowOpDef ops[] = {
  MAP_OP ("EmptyTensorMap", "", "handle: variant", "", flow_infer_scalar_shape, empty_compute, "A map without entries"),
  MAP_OP ("TensorMapErase", MAP "; key: key_dtype", "output_handle: variant", BOTH, flow_infer_scalar_shape, erase_compute,
          "A map without one of its entries"),
  MAP_OP ("TensorMapHasKey", MAP "; key: key_dtype", "has_key: bool", "key_dtype: type", flow_infer_scalar_shape, has_key_compute,
          "Whether a map has a key"),
  MAP_OP ("TensorMapInsert", MAP "; key: key_dtype; value: value_dtype", "output_handle: variant", BOTH, flow_infer_scalar_shape,
          insert_compute, "A map with one more entry"),
  MAP_OP ("TensorMapLookup", MAP "; key: key_dtype", "value: value_dtype", BOTH, flow_infer_unknown_shape, lookup_compute,
          "What a map has under a key"),
  MAP_OP ("TensorMapSize", MAP, "size: int32", "", flow_infer_scalar_shape, size_compute, "How many entries a map has"),
  MAP_OP ("TensorMapStackKeys", MAP, "keys: key_dtype", "key_dtype: type", flow_infer_unknown_shape, stack_keys_compute,
          "The keys of a map, one behind the other"),
};

FLOW_DEFINE_OP_FAMILY (tensor_map, ops)

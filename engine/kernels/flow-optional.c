/* flow-optional.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-array-private.h"
#include "flow-iterator-private.h"
#include "flow-variant-tensors-private.h"

/* What an iterator may have given: an element, or nothing. */

G_DEFINE_FINAL_TYPE (FlowOptional, _flow_optional, FLOW_TYPE_VARIANT)

static void
optional_finalize (GObject *object)
{
  _flow_tuple_unref (FLOW_OPTIONAL (object)->tuple);
  G_OBJECT_CLASS (_flow_optional_parent_class)->finalize (object);
}

static void
optional_visit (FlowVariant        *variant,
                FlowVariantVisitor  visitor,
                gpointer            data)
{
  const FlowTuple *tuple = FLOW_OPTIONAL (variant)->tuple;

  for (guint i = 0; tuple != NULL && i < tuple->n; i++)
    visitor ("component", tuple->tensors[i], data);
}

static char *
optional_describe (FlowVariant *variant)
{
  const FlowTuple *tuple = FLOW_OPTIONAL (variant)->tuple;

  return tuple != NULL ? g_strdup_printf ("OptionalVariant<%u components>", tuple->n) : g_strdup ("OptionalVariant<None>");
}

/* Without a value zeros and sums have none either. */
static FlowVariant *
optional_zeros_like (FlowVariant  *variant,
                     FlowBudget   *budget,
                     GError      **error)
{
  const FlowTuple *tuple = FLOW_OPTIONAL (variant)->tuple;
  FlowTuple *zeros = NULL;

  if (tuple == NULL)
    return (FlowVariant *) _flow_optional_new (NULL, error);
  zeros = _flow_tuple_new (tuple->n);
  for (guint i = 0; i < tuple->n; i++)
    {
      zeros->tensors[i] = _flow_variant_zero_tensor (tuple->tensors[i], budget, error);
      if (zeros->tensors[i] != NULL)
        continue;
      _flow_tuple_unref (zeros);
      return NULL;
    }
  return (FlowVariant *) _flow_optional_new (zeros, error);
}

static gboolean
check_summands (const FlowTuple  *a,
                const FlowTuple  *b,
                GError          **error)
{
  if ((a == NULL) != (b == NULL))
    return _flow_refuse (error, "Cannot add optionals because one has a value and the other doesn't.");
  if (a != NULL && a->n != b->n)
    return _flow_refuse (error, "Cannot add optionals because they have different numbers of components (%u vs. %u).",
                         a->n, b->n);
  return TRUE;
}

static FlowVariant *
optional_add (FlowVariant  *a_variant,
              FlowVariant  *b_variant,
              FlowBudget   *budget,
              GError      **error)
{
  const FlowTuple *a = FLOW_OPTIONAL (a_variant)->tuple;
  const FlowTuple *b = FLOW_OPTIONAL (b_variant)->tuple;
  FlowTuple *sum = NULL;

  if (!check_summands (a, b, error))
    return NULL;
  if (a == NULL)
    return (FlowVariant *) _flow_optional_new (NULL, error);
  sum = _flow_tuple_new (a->n);
  for (guint i = 0; i < a->n; i++)
    {
      sum->tensors[i] = _flow_variant_add_tensors (a->tensors[i], b->tensors[i], budget, error);
      if (sum->tensors[i] != NULL)
        continue;
      _flow_tuple_unref (sum);
      return NULL;
    }
  return (FlowVariant *) _flow_optional_new (sum, error);
}

static void
_flow_optional_class_init (FlowOptionalClass *klass)
{
  FlowVariantClass *variant_class = FLOW_VARIANT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = optional_finalize;
  variant_class->type_name = "tensorflow::data::Optional";
  variant_class->visit = optional_visit;
  variant_class->describe = optional_describe;
  variant_class->zeros_like = optional_zeros_like;
  variant_class->add = optional_add;
}

static void
_flow_optional_init (FlowOptional *self)
{
}

FlowOptional *
_flow_optional_new (FlowTuple  *tuple,
                    GError    **error)
{
  g_autoptr (FlowOptional) self = g_object_new (FLOW_TYPE_OPTIONAL, NULL);

  self->tuple = tuple;
  for (guint i = 0; tuple != NULL && i < tuple->n; i++)
    if (!flow_variant_nest (FLOW_VARIANT (self), tuple->tensors[i], error))
      return NULL;
  return g_steal_pointer (&self);
}

/* test-descriptor.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-descriptor.h"
#include "flow-proto-writer.h"

/* A set of one file with one message of @name that has @n_fields fields without a name. */
static GBytes *
make_set (const char *name,
          guint       n_fields)
{
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, 1);
  flow_proto_writer_begin (&w, 4);
  flow_proto_writer_add_string (&w, 1, name);
  for (guint i = 0; i < n_fields; i++)
    {
      flow_proto_writer_begin (&w, 2);
      flow_proto_writer_set_int (&w, 3, 1 + i);
      flow_proto_writer_set_int (&w, 5, 5);
      flow_proto_writer_end (&w);
    }
  flow_proto_writer_end (&w);
  flow_proto_writer_end (&w);
  return flow_proto_writer_finish (&w, NULL);
}

static void
test_many (void)
{
  g_autoptr (GBytes) set = make_set ("package.Message", 10000);
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDescriptorPool) pool = flow_descriptor_pool_new (set, &error);

  g_assert_no_error (error);
  g_assert_nonnull (flow_descriptor_pool_find (pool, "package.Message"));
}

static void
assert_too_much (GBytes *set)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowDescriptorPool) pool = flow_descriptor_pool_new (set, &error);

  g_assert_null (pool);
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
}

/* Each field has its message's name in its own: a file of one megabyte would take a thousand. */
static void
test_too_much (void)
{
  g_autofree char *name = g_strnfill (1 << 20, 'a');
  g_autofree char *dots = g_strnfill (1 << 20, 'a');
  g_autoptr (GBytes) long_name = make_set (name, 1000);
  g_autoptr (GBytes) many_scopes = NULL;
  g_autoptr (GBytes) many_fields = make_set ("M", 1000000);

  for (gsize i = 1; i < 1 << 20; i += 2)
    dots[i] = '.';
  many_scopes = make_set (dots, 1000);
  assert_too_much (long_name);
  assert_too_much (many_scopes);
  assert_too_much (many_fields);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formats/descriptor/many", test_many);
  g_test_add_func ("/formats/descriptor/too-much", test_too_much);
  return g_test_run ();
}

/* test-proto.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-proto-reader.h"
#include "flow-proto-writer.h"

#include <math.h>
#include <string.h>

static void
check_bytes (FlowProtoWriter *w,
             const char      *hex)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = flow_proto_writer_finish (w, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  gsize size;
  const guint8 *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  for (gsize i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", data[i]);
  g_assert_cmpstr (text->str, ==, hex);
}

/* Wire bytes as python3-protobuf gives them for the same values. */
static void
test_writer (void)
{
  const gint64 packed[] = { 1, -1, 300 };
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  flow_proto_writer_set_int (&w, 1, 150);
  check_bytes (&w, "089601");

  flow_proto_writer_set_int (&w, 1, -1);
  check_bytes (&w, "08ffffffffffffffffff01");

  flow_proto_writer_set_int (&w, 1, 0);
  flow_proto_writer_set_string (&w, 2, "");
  flow_proto_writer_set_string (&w, 2, NULL);
  flow_proto_writer_set_float (&w, 3, 0);
  flow_proto_writer_set_double (&w, 4, 0);
  check_bytes (&w, "");

  flow_proto_writer_add_int (&w, 3, 0);
  flow_proto_writer_set_float (&w, 4, 1.5f);
  flow_proto_writer_set_double (&w, 5, -2);
  flow_proto_writer_set_float (&w, 6, -0.0f);
  check_bytes (&w, "1800250000c03f2900000000000000c03500000080");

  flow_proto_writer_begin (&w, 2);
  flow_proto_writer_end (&w);
  check_bytes (&w, "1200");

  flow_proto_writer_set_string (&w, 1, "x");
  flow_proto_writer_begin (&w, 300);
  flow_proto_writer_end_or_drop (&w);
  flow_proto_writer_begin (&w, 2);
  flow_proto_writer_begin (&w, 1);
  flow_proto_writer_set_string (&w, 15, "ab");
  flow_proto_writer_end_or_drop (&w);
  flow_proto_writer_end (&w);
  check_bytes (&w, "0a017812060a047a026162");

  flow_proto_writer_add_packed_ints (&w, 16, packed, 3);
  flow_proto_writer_add_packed_ints (&w, 17, packed, 0);
  check_bytes (&w, "82010d01ffffffffffffffffff01ac02");

  flow_proto_writer_add_fixed32 (&w, 6, 0x01020304);
  flow_proto_writer_add_fixed64 (&w, 7, 0x0102030405060708);
  check_bytes (&w, "3504030201390807060504030201");
}

/* A length that grows from one byte to three while messages stand around it. */
static void
test_writer_lengths (void)
{
  g_autofree char *long_text = g_strnfill (20000, 'x');
  g_autoptr (GBytes) bytes = NULL;
  FlowProtoWriter w;
  FlowProtoReader r;
  FlowProtoReader sub;
  FlowProtoReader inner;
  const guint8 *data;
  gsize size;
  int number = 0;

  flow_proto_writer_init (&w);
  flow_proto_writer_begin (&w, 1);
  flow_proto_writer_begin (&w, 2);
  flow_proto_writer_add_string (&w, 3, long_text);
  flow_proto_writer_end (&w);
  flow_proto_writer_add_int (&w, 4, 7);
  flow_proto_writer_end (&w);
  bytes = flow_proto_writer_finish (&w, NULL);
  data = g_bytes_get_data (bytes, &size);

  flow_proto_reader_init (&r, data, size);
  g_assert_true (flow_proto_reader_next (&r));
  g_assert_true (flow_proto_reader_enter (&r, &sub));
  g_assert_true (flow_proto_reader_next (&sub));
  g_assert_true (flow_proto_reader_enter (&sub, &inner));
  g_assert_true (flow_proto_reader_next (&inner));
  g_assert_cmpuint (inner.size, ==, 20000);
  g_assert_false (flow_proto_reader_next (&inner));
  g_assert_true (flow_proto_reader_next (&sub));
  g_assert_true (flow_proto_reader_get_int32 (&sub, &number));
  g_assert_cmpint (number, ==, 7);
  g_assert_false (flow_proto_reader_next (&r));
  g_assert_true (flow_proto_reader_finish (&r, "x", NULL));
}

static void
test_writer_depth (void)
{
  g_autoptr (GError) error = NULL;
  FlowProtoWriter w;

  flow_proto_writer_init (&w);
  for (int i = 0; i < 500; i++)
    flow_proto_writer_begin (&w, 1);
  for (int i = 0; i < 500; i++)
    flow_proto_writer_end (&w);
  g_assert_null (flow_proto_writer_finish (&w, &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED);
}

static void
test_reader_values (void)
{
  static const guint8 bytes[] = {
    0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
    0x15, 0x00, 0x00, 0xc0, 0x3f,
    0x19, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0,
    0x22, 0x02, 'h', 'i',
    0x2a, 0x03, 0x01, 0xac, 0x02, 0x28, 0x05,
  };
  FlowProtoReader r;
  gint64 wide = 0;
  int narrow = 0;
  gboolean truth = FALSE;
  float single = 0;
  double real = 0;
  g_autofree char *text = NULL;
  guint64 number;
  guint64 sum = 0;
  guint n = 0;

  flow_proto_reader_init (&r, bytes, sizeof bytes);
  g_assert_true (flow_proto_reader_next (&r));
  g_assert_cmpuint (r.field, ==, 1);
  g_assert_true (flow_proto_reader_get_int64 (&r, &wide));
  g_assert_cmpint (wide, ==, -1);
  g_assert_true (flow_proto_reader_get_int32 (&r, &narrow));
  g_assert_cmpint (narrow, ==, -1);
  g_assert_true (flow_proto_reader_get_bool (&r, &truth));
  g_assert_true (truth);
  /* A wrong wire type is an unknown field: nothing is touched. */
  g_assert_false (flow_proto_reader_get_float (&r, &single));
  g_assert_false (flow_proto_reader_dup_string (&r, &text));
  g_assert_true (flow_proto_reader_next (&r));
  g_assert_true (flow_proto_reader_get_float (&r, &single));
  g_assert_cmpfloat (single, ==, 1.5f);
  g_assert_true (flow_proto_reader_next (&r));
  g_assert_true (flow_proto_reader_get_double (&r, &real));
  g_assert_cmpfloat (real, ==, -2);
  g_assert_true (flow_proto_reader_next (&r));
  g_assert_true (flow_proto_reader_dup_string (&r, &text));
  g_assert_cmpstr (text, ==, "hi");
  g_assert_cmpuint (flow_proto_reader_get_offset (&r), ==, 25);
  /* Packed and unpacked of one field. */
  while (flow_proto_reader_next (&r))
    while (flow_proto_reader_each_varint (&r, &number))
      {
        sum += number;
        n++;
      }
  g_assert_cmpuint (sum, ==, 306);
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (flow_proto_reader_finish (&r, "x", NULL));
}

/* --- What may not be --- */

static void
check_fails (const guint8 *bytes,
             gsize         size,
             const char   *what)
{
  /* Its own allocation, so that a read past the end is seen. */
  g_autofree guint8 *copy = g_memdup2 (bytes, MAX (size, 1));
  g_autoptr (GError) error = NULL;
  FlowProtoReader r;
  guint64 number;

  flow_proto_reader_init (&r, copy, size);
  while (flow_proto_reader_next (&r))
    while (flow_proto_reader_each_varint (&r, &number))
      ;
  g_assert_false (flow_proto_reader_finish (&r, "the file", &error));
  g_assert_error (error, FLOW_ERROR, FLOW_ERROR_DATA_LOSS);
  g_assert_nonnull (strstr (error->message, "Can't parse the file as binary proto"));
  g_assert_nonnull (strstr (error->message, what));
  g_assert_nonnull (strstr (error->message, "at byte"));
}

#define CHECK_FAILS(what, ...)                        \
  G_STMT_START {                                      \
    static const guint8 bytes[] = { __VA_ARGS__ };    \
    check_fails (bytes, sizeof bytes, what);          \
  } G_STMT_END

static void
test_reader_damage (void)
{
  CHECK_FAILS ("the data ends", 0x08);
  CHECK_FAILS ("the data ends", 0x08, 0x80);
  CHECK_FAILS ("the data ends", 0x15, 0, 0, 0);
  CHECK_FAILS ("the data ends", 0x19, 0, 0, 0, 0, 0, 0, 0);
  CHECK_FAILS ("past the end", 0x12, 0x02, 'a');
  CHECK_FAILS ("2 GiB", 0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 'a');
  CHECK_FAILS ("longer than 10 bytes", 0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
  CHECK_FAILS ("field number 0", 0x00, 0x01);
  CHECK_FAILS ("out of range", 0x88, 0x80, 0x80, 0x80, 0x80, 0x01, 0x01);
  CHECK_FAILS ("wire type", 0x0e);
  CHECK_FAILS ("wire type", 0x0f);
  CHECK_FAILS ("did not begin", 0x0c);
  CHECK_FAILS ("does not end", 0x0b, 0x10, 0x01);
  CHECK_FAILS ("did not begin", 0x0b, 0x14);
  CHECK_FAILS ("the data ends", 0x0a, 0x02, 0x01, 0x80);
}

static void
test_reader_groups (void)
{
  static const guint8 bytes[] = { 0x0b, 0x10, 0x01, 0x1b, 0x22, 0x01, 'x', 0x1c, 0x0c, 0x28, 0x07 };
  g_autoptr (GByteArray) deep = g_byte_array_new ();
  FlowProtoReader r;
  guint8 start = 0x0b;
  int number = 0;

  flow_proto_reader_init (&r, bytes, sizeof bytes);
  while (flow_proto_reader_next (&r))
    if (r.field == 5)
      flow_proto_reader_get_int32 (&r, &number);
  g_assert_true (flow_proto_reader_finish (&r, "x", NULL));
  g_assert_cmpint (number, ==, 7);

  for (int i = 0; i < 100000; i++)
    g_byte_array_append (deep, &start, 1);
  check_fails (deep->data, deep->len, "nested deeper than 100");
}

static guint
enter_all (FlowProtoReader *r)
{
  FlowProtoReader sub;
  guint depth = 0;

  while (flow_proto_reader_next (r))
    if (flow_proto_reader_enter (r, &sub))
      depth = MAX (depth, 1 + enter_all (&sub));
  return depth;
}

/* Messages in messages: 100 are read, 101 are not. */
static void
test_reader_depth (void)
{
  for (guint levels = 99; levels <= 102; levels++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      FlowProtoReader r;

      for (guint i = 0; i < levels; i++)
        {
          guint8 head[4] = { 0x0a };
          guint64 length = bytes->len;
          guint n = 1;

          for (; length >= 0x80; length >>= 7)
            head[n++] = (guint8) (length | 0x80);
          head[n++] = (guint8) length;
          g_byte_array_prepend (bytes, head, n);
        }
      flow_proto_reader_init (&r, bytes->data, bytes->len);
      enter_all (&r);
      g_assert_cmpint (flow_proto_reader_finish (&r, "x", NULL), ==, levels <= 100);
    }
}

static void
test_reader_strings (void)
{
  static const struct {
    const char *bytes;
    guint8 size;
    gboolean is_string;
    gboolean is_name;
  } cases[] = {
    { "abc", 3, TRUE, TRUE }, { "", 0, TRUE, TRUE }, { "\xc3\xa9", 2, TRUE, TRUE }, { "\xff\xfe", 2, FALSE, FALSE },
    { "a\0b", 3, TRUE, FALSE }, { "a\0\xff", 3, FALSE, FALSE }, { "\xc3", 1, FALSE, FALSE }, { "\0", 1, TRUE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = NULL;
      guint8 bytes[8] = { 0x0a, cases[i].size };
      FlowProtoReader r;
      const char *text;
      gsize length;

      memcpy (bytes + 2, cases[i].bytes, cases[i].size);
      flow_proto_reader_init (&r, bytes, cases[i].size + 2u);
      g_assert_true (flow_proto_reader_next (&r));
      g_assert_cmpint (flow_proto_reader_get_string (&r, &text, &length), ==, cases[i].is_string);
      flow_proto_reader_init (&r, bytes, cases[i].size + 2u);
      g_assert_true (flow_proto_reader_next (&r));
      g_assert_cmpint (flow_proto_reader_dup_string (&r, &name), ==, cases[i].is_name);
      g_assert_cmpint (flow_proto_reader_failed (&r), ==, !cases[i].is_name);
    }
}

/* Random messages, read back field by field. */
static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260101);

  for (int round = 0; round < 2000; round++)
    {
      guint64 values[20];
      guint32 fields[20];
      g_autoptr (GBytes) bytes = NULL;
      FlowProtoWriter w;
      FlowProtoReader r;
      gconstpointer data;
      gsize size;
      guint i = 0;

      flow_proto_writer_init (&w);
      for (guint k = 0; k < 20; k++)
        {
          values[k] = ((guint64) g_rand_int (rand) << 32 | g_rand_int (rand)) >> g_rand_int_range (rand, 0, 64);
          fields[k] = (guint32) g_rand_int_range (rand, 1, 1 << g_rand_int_range (rand, 1, 29));
          if (k % 2 == 0)
            flow_proto_writer_add_int (&w, fields[k], (gint64) values[k]);
          else
            flow_proto_writer_add_fixed64 (&w, fields[k], values[k]);
        }
      bytes = flow_proto_writer_finish (&w, NULL);
      data = g_bytes_get_data (bytes, &size);
      flow_proto_reader_init (&r, data, size);
      for (; flow_proto_reader_next (&r); i++)
        {
          g_assert_cmpuint (r.field, ==, fields[i]);
          g_assert_cmpuint (r.value, ==, values[i]);
        }
      g_assert_cmpuint (i, ==, 20);
      g_assert_true (flow_proto_reader_finish (&r, "x", NULL));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/base/proto/writer", test_writer);
  g_test_add_func ("/base/proto/writer-lengths", test_writer_lengths);
  g_test_add_func ("/base/proto/writer-depth", test_writer_depth);
  g_test_add_func ("/base/proto/reader-values", test_reader_values);
  g_test_add_func ("/base/proto/reader-damage", test_reader_damage);
  g_test_add_func ("/base/proto/reader-groups", test_reader_groups);
  g_test_add_func ("/base/proto/reader-depth", test_reader_depth);
  g_test_add_func ("/base/proto/reader-strings", test_reader_strings);
  g_test_add_func ("/base/proto/round-trip", test_round_trip);

  return g_test_run ();
}

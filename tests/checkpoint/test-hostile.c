/* test-hostile.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "flow-bundle-writer.h"
#include "flow-checkpoint.h"
#include "flow-crc32c.h"
#include "flow-proto-writer.h"
#include "flow-tensor-compare.h"

#include "flow-save-io-private.h"
#include "flow-slice-private.h"
#include "flow-snappy-private.h"

/* Files that nobody wrote by accident. Whatever is in them: an error that says what, or the same
 * tensors as before; never another tensor, a crash or a hang. The letters are the rows of the list of
 * hostile inputs. */

typedef struct {
  char *folder;
  char *prefix;
  char *index;
  char *shard;
} Fixture;

static void
set_up (Fixture       *f,
        gconstpointer  data)
{
  f->folder = g_dir_make_tmp ("flow-hostile-XXXXXX", NULL);
  f->prefix = g_build_filename (f->folder, "m", NULL);
  f->index = g_strconcat (f->prefix, ".index", NULL);
  f->shard = g_strconcat (f->prefix, ".data-00000-of-00001", NULL);
}

static void
tear_down (Fixture       *f,
           gconstpointer  data)
{
  GDir *dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_remove (path);
    }
  g_dir_close (dir);
  g_rmdir (f->folder);
  g_free (f->folder);
  g_free (f->prefix);
  g_free (f->index);
  g_free (f->shard);
}

static void
write_file (const char    *path,
            gconstpointer  bytes,
            gsize          n)
{
  /* In place: thousands of new or emptied files would each be flushed to the disk. */
  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, bytes, n, 0), ==, n);
  if (lseek (fd, 0, SEEK_END) != (off_t) n)
    g_assert_cmpint (ftruncate (fd, (off_t) n), ==, 0);
  close (fd);
}

static void
assert_open_error (const char *path,
                   int         code,
                   const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (path, &error);

  g_assert_null (checkpoint);
  g_test_message ("%s", error->message);
  g_assert_error (error, FLOW_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
assert_read_error (Fixture    *f,
                   const char *name,
                   int         code,
                   const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = flow_checkpoint_open (f->prefix, &error);
  g_autoptr (FlowBudget) budget = flow_budget_new (1 << 20);
  g_autoptr (FlowTensor) tensor = NULL;

  g_assert_no_error (error);
  tensor = flow_checkpoint_read (checkpoint, name, budget, &error);
  g_assert_null (tensor);
  g_test_message ("%s", error->message);
  g_assert_error (error, FLOW_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (flow_budget_get_used (budget), ==, 0);
}

static void
put_little (GByteArray *bytes,
            guint64     value,
            guint       n)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 cell = (guint8) (value >> (8 * i));

      g_byte_array_append (bytes, &cell, 1);
    }
}

static void
put_varint (GByteArray *bytes,
            guint64     value)
{
  for (; value >= 0x80; value >>= 7)
    put_little (bytes, (value & 0x7f) | 0x80, 1);
  put_little (bytes, value, 1);
}

static void
put_block (GByteArray   *file,
           const guint8 *contents,
           gsize         n,
           guint8        type)
{
  guint32 crc = flow_crc32c_extend (flow_crc32c (contents, n), &type, 1);

  g_byte_array_append (file, contents, (guint) n);
  g_byte_array_append (file, &type, 1);
  put_little (file, flow_crc32c_mask (crc), 4);
}

/* A table file of one data block, whose bytes and handles are given, with right checksums. */
static void
write_table (const char   *path,
             const guint8 *contents,
             gsize         n,
             guint8        type,
             guint64       handle_offset,
             guint64       handle_size)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GByteArray) index = g_byte_array_new ();
  g_autoptr (GByteArray) handle = g_byte_array_new ();
  guint64 index_offset;
  gsize footer;

  put_block (file, contents, n, type);
  put_varint (handle, handle_offset);
  put_varint (handle, handle_size);
  put_varint (index, 0);
  put_varint (index, 1);
  put_varint (index, handle->len);
  put_little (index, '~', 1);
  g_byte_array_append (index, handle->data, handle->len);
  put_little (index, 0, 4);
  put_little (index, 1, 4);
  index_offset = file->len;
  put_block (file, index->data, index->len, 0);
  footer = file->len;
  put_varint (file, 0);
  put_varint (file, 0);
  put_varint (file, index_offset);
  put_varint (file, index->len);
  while (file->len < footer + 40)
    put_little (file, 0, 1);
  put_little (file, G_GUINT64_CONSTANT (0xdb4775248b80fb57), 8);
  write_file (path, file->data, file->len);
}

/* K01 */
static void
test_footer (Fixture       *f,
             gconstpointer  data)
{
  g_autofree char *bytes = g_strnfill (47, 'x');
  g_autofree char *more = g_strnfill (100, 'x');

  write_file (f->index, bytes, 47);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, "file is too short to be an sstable");
  write_file (f->index, "", 0);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, "file is too short to be an sstable");
  write_file (f->index, more, 100);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, "not an sstable (bad magic number)");
  g_unlink (f->index);
  write_file (f->shard, more, 100);
  assert_open_error (f->shard, FLOW_ERROR_DATA_LOSS, "not an sstable (bad magic number)");
}

/* K02 */
static void
test_handles (Fixture       *f,
              gconstpointer  data)
{
  static const struct {
    guint64 offset;
    guint64 size;
    const char *words;
  } cases[] = {
    { 0, G_MAXUINT64 - 5, "handle.size() too big" },
    { 0, (guint64) 1 << 63, "handle.size() too big" },
    { 0, (guint64) 1 << 32, "truncated block read" },
    { G_MAXUINT64 - 1, 10, "handle.size() too big" },
    { 1 << 20, 1, "truncated block read" },
    { 0, 200, "truncated block read" },
  };
  const guint8 empty[8] = { 0, 0, 0, 0, 1, 0, 0, 0 };
  g_autoptr (GByteArray) file = g_byte_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      write_table (f->index, empty, sizeof empty, 0, cases[i].offset, cases[i].size);
      assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, cases[i].words);
    }
  /* Varints that never end, in the footer itself. */
  for (int i = 0; i < 40; i++)
    put_little (file, 0xff, 1);
  put_little (file, G_GUINT64_CONSTANT (0xdb4775248b80fb57), 8);
  write_file (f->index, file->data, file->len);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, "bad block handle");
}

/* K04, K05: blocks with right checksums. */
static void
test_blocks (Fixture       *f,
             gconstpointer  data)
{
  static const struct {
    const char *bytes;
    gsize n;
    guint8 type;
    const char *words;
  } cases[] = {
    { "\0\0\0\0\1\0\0\0", 8, 7, "bad block type" },
    { "\xff\xff\xff\xff\x0f" "aaaaaaaaaaaaaaa", 20, 1, "corrupted compressed block contents" },
    { "\xff\xff\xff\xff\xff\xff", 6, 1, "corrupted compressed block contents" },
    { "\x08\x01\x00", 3, 1, "corrupted compressed block contents" },
    { "\x08\x00" "a\x01\x05", 5, 1, "corrupted compressed block contents" },
    { "\x08\x1c" "ab", 4, 1, "corrupted compressed block contents" },
    { "\x08\xf0", 2, 1, "corrupted compressed block contents" },
    { "\x08\xfc\xff\xff\xff\xff" "a", 7, 1, "corrupted compressed block contents" },
    { "abc", 3, 0, "bad block contents" },
    { "\0\0\0\0\xff\xff\xff\xff", 8, 0, "bad block contents" },
    { "\x30\0\0\0\1\0\0\0", 8, 0, "bad block contents" },
    /* shared without a key before; lengths past the end; sums that wrap */
    { "\x05\x01\x00" "a\0\0\0\0\1\0\0\0", 12, 0, "bad entry in block" },
    { "\x00\xf0\xff\xff\xff\x0f\x20" "a\0\0\0\0\1\0\0\0", 16, 0, "bad entry in block" },
    { "\x00\x01\x20" "a\0\0\0\0\1\0\0\0", 12, 0, "bad entry in block" },
    { "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\1\0\0\0", 21, 0, "bad entry in block" },
    /* header, b, a */
    { "\x00\x00\x02\x08\x01\x00\x01\x00" "b\x00\x01\x00" "a\0\0\0\0\1\0\0\0", 21, 0, "keys do not rise" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %u", i);
      write_table (f->index, (const guint8 *) cases[i].bytes, cases[i].n, cases[i].type, 0, cases[i].n);
      assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS, cases[i].words);
    }
}

static void
add_value (GHashTable      *entries,
           const char      *key,
           FlowProtoWriter *writer)
{
  g_hash_table_insert (entries, g_bytes_new (key, strlen (key)), flow_proto_writer_finish (writer, NULL));
}

static GHashTable *
new_entries (void)
{
  return g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref,
                                (GDestroyNotify) g_bytes_unref);
}

static void
write_entries (const char *path,
               GHashTable *entries)
{
  g_autoptr (GBytes) contents = _flow_table_make (entries, NULL);

  write_file (path, g_bytes_get_data (contents, NULL), g_bytes_get_size (contents));
}

static void
add_header (GHashTable *entries,
            gint64      n_shards,
            gint64      endianness,
            gint64      min_consumer)
{
  FlowProtoWriter writer;

  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, n_shards);
  flow_proto_writer_set_int (&writer, 2, endianness);
  flow_proto_writer_begin (&writer, 3);
  flow_proto_writer_set_int (&writer, 1, 1);
  flow_proto_writer_set_int (&writer, 2, min_consumer);
  flow_proto_writer_end (&writer);
  add_value (entries, "", &writer);
}

/* A good Snappy block reads, with literals of each length and overlapping copies. */
static void
test_snappy (Fixture       *f,
             gconstpointer  data)
{
  const guint8 packed[] = { 20, 0x08, 'a', 'b', 'c', 0x01 | (3 << 2), 3, 0x02 | (9 << 2), 1, 0 };
  g_autoptr (GHashTable) entries = new_entries ();
  g_autoptr (GBytes) table = NULL;
  g_autoptr (GByteArray) block = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  guint8 out[20];
  gsize size;
  gsize n;
  const guint8 *bytes;

  g_assert_true (_flow_snappy_size (packed, sizeof packed, &size));
  g_assert_cmpuint (size, ==, 20);
  g_assert_true (_flow_snappy_decode (packed, sizeof packed, out, size));
  g_assert_cmpmem (out, 20, "abcabcabcaaaaaaaaaaa", 20);

  /* The data block of a table that is not compressed, as one literal. */
  add_header (entries, 1, 0, 0);
  table = _flow_table_make (entries, NULL);
  bytes = g_bytes_get_data (table, NULL);
  /* One entry without a key: three lengths, the value, a restart and their number. */
  n = (gsize) bytes[2] + 3 + 8;
  put_varint (block, n);
  put_little (block, 60 << 2, 1);
  put_little (block, n - 1, 1);
  g_byte_array_append (block, bytes, (guint) n);
  write_table (f->index, block->data, block->len, 1, 0, block->len);
  checkpoint = flow_checkpoint_open (f->prefix, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flow_checkpoint_get_n_tensors (checkpoint), ==, 0);
}

/* K07 */
static void
test_header (Fixture       *f,
             gconstpointer  data)
{
  static const struct {
    gint64 n_shards;
    gint64 endianness;
    gint64 min_consumer;
    int code;
    const char *words;
  } cases[] = {
    { 0, 0, 0, FLOW_ERROR_DATA_LOSS, "shards" },
    { -1, 0, 0, FLOW_ERROR_DATA_LOSS, "shards" },
    { G_MAXINT32, 0, 0, FLOW_ERROR_DATA_LOSS, "shards" },
    { 1, 2, 0, FLOW_ERROR_DATA_LOSS, "endianness" },
    { 1, 0, 99, FLOW_ERROR_INVALID_ARGUMENT, "min consumer version 99 above current version" },
  };
  g_autoptr (GHashTable) without = new_entries ();
  g_autoptr (GHashTable) random = new_entries ();
  FlowProtoWriter writer;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GHashTable) entries = new_entries ();

      add_header (entries, cases[i].n_shards, cases[i].endianness, cases[i].min_consumer);
      write_entries (f->index, entries);
      assert_open_error (f->prefix, cases[i].code, cases[i].words);
    }
  flow_proto_writer_init (&writer);
  flow_proto_writer_set_int (&writer, 1, 1);
  add_value (without, "a", &writer);
  write_entries (f->index, without);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS,
                     "Perhaps the file is corrupt or was produced by a newer version");
  g_hash_table_insert (random, g_bytes_new (NULL, 0), g_bytes_new ("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12));
  write_entries (f->index, random);
  assert_open_error (f->prefix, FLOW_ERROR_DATA_LOSS,
                     "Perhaps the file is corrupt or was produced by a newer version");
}

typedef struct {
  gint64 dtype;
  int rank;
  gint64 dims[3];
  gint64 shard;
  gint64 offset;
  gint64 size;
  guint32 crc;
} Entry;

static void
start_entry (FlowProtoWriter *writer,
             const Entry     *entry)
{
  flow_proto_writer_init (writer);
  flow_proto_writer_set_int (writer, 1, entry->dtype);
  flow_proto_writer_begin (writer, 2);
  for (int d = 0; d < entry->rank; d++)
    {
      flow_proto_writer_begin (writer, 2);
      flow_proto_writer_set_int (writer, 1, entry->dims[d]);
      flow_proto_writer_end (writer);
    }
  flow_proto_writer_end (writer);
  flow_proto_writer_set_int (writer, 3, entry->shard);
  flow_proto_writer_set_int (writer, 4, entry->offset);
  flow_proto_writer_set_int (writer, 5, entry->size);
  flow_proto_writer_add_fixed32 (writer, 6, flow_crc32c_mask (entry->crc));
}

static void
add_entry (GHashTable  *entries,
           const char  *key,
           const Entry *entry)
{
  FlowProtoWriter writer;

  start_entry (&writer, entry);
  add_value (entries, key, &writer);
}

/* K08, K09: one entry is bad, and the good one beside it reads. */
static void
test_entries (Fixture       *f,
              gconstpointer  data)
{
  static const struct {
    Entry entry;
    int code;
    const char *words;
  } cases[] = {
    { { 1, 0, { 0 }, -1, 0, 4 }, FLOW_ERROR_DATA_LOSS, "key v; shard -1 of 1" },
    { { 1, 0, { 0 }, 7, 0, 4 }, FLOW_ERROR_DATA_LOSS, "key v; shard 7 of 1" },
    { { 1, 0, { 0 }, 0, -1, 4 }, FLOW_ERROR_DATA_LOSS, "key v" },
    { { 1, 0, { 0 }, 0, 0, -1 }, FLOW_ERROR_DATA_LOSS, "key v" },
    { { 1, 0, { 0 }, 0, 100, 4 }, FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested" },
    { { 1, 0, { 0 }, 0, G_MAXINT64, 4 }, FLOW_ERROR_DATA_LOSS, "key v" },
    { { 1, 1, { 100 }, 0, 0, 8 }, FLOW_ERROR_DATA_LOSS,
      "Invalid size in bundle entry: key v; stored size 8; expected size 400" },
    { { 1, 1, { -1 }, 0, 0, 8 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor shape" },
    { { 1, 2, { (gint64) 1 << 40, (gint64) 1 << 40 }, 0, 0, 8 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor shape" },
    { { 1, 1, { G_MAXINT64 / 2 }, 0, 0, 8 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor shape" },
    { { 0, 0, { 0 }, 0, 0, 4 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor dtype" },
    { { 9999, 0, { 0 }, 0, 0, 4 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor dtype" },
    { { 101, 0, { 0 }, 0, 0, 4 }, FLOW_ERROR_DATA_LOSS, "Invalid tensor dtype" },
    { { FLOW_DTYPE_VARIANT, 0, { 0 }, 0, 0, 4 }, FLOW_ERROR_DATA_LOSS, "Checksum does not match" },
    { { 1, 1, { (gint64) 1 << 40 }, 0, 0, (gint64) 1 << 42 }, FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested" },
    { { 7, 1, { (gint64) 1 << 40 }, 0, 0, 12 }, FLOW_ERROR_DATA_LOSS, "String lengths longer than expected offset" },
  };
  const float cells[4] = { 1, 2, 3, 4 };
  const Entry good = { 1, 0, { 0 }, 0, 4, 4, flow_crc32c (&cells[1], 4) };

  write_file (f->shard, cells, sizeof cells);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GHashTable) entries = new_entries ();
      g_autoptr (FlowCheckpoint) checkpoint = NULL;
      g_autoptr (FlowTensor) tensor = NULL;

      add_header (entries, 1, 0, 0);
      add_entry (entries, "v", &cases[i].entry);
      add_entry (entries, "good", &good);
      write_entries (f->index, entries);
      assert_read_error (f, "v", cases[i].code, cases[i].words);
      checkpoint = flow_checkpoint_open (f->prefix, NULL);
      tensor = flow_checkpoint_read (checkpoint, "good", NULL, NULL);
      g_assert_cmpfloat (flow_tensor_get_double (tensor, 0), ==, 2);
    }
}

/* K07: numbers of another byte order. */
static void
test_big_endian (Fixture       *f,
                 gconstpointer  data)
{
  const guint8 cells[] = { 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x02 };
  const Entry floats = { FLOW_DTYPE_FLOAT, 1, { 2 }, 0, 0, 8, flow_crc32c (cells, 8) };
  const Entry number = { FLOW_DTYPE_INT64, 0, { 0 }, 0, 8, 8, flow_crc32c (cells + 8, 8) };
  const Entry complex = { FLOW_DTYPE_COMPLEX64, 0, { 0 }, 0, 0, 8, flow_crc32c (cells, 8) };
  g_autoptr (GHashTable) entries = new_entries ();
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autoptr (FlowTensor) a = NULL;
  g_autoptr (FlowTensor) b = NULL;
  g_autoptr (FlowTensor) c = NULL;

  add_header (entries, 1, 1, 0);
  add_entry (entries, "a", &floats);
  add_entry (entries, "b", &number);
  add_entry (entries, "c", &complex);
  write_entries (f->index, entries);
  write_file (f->shard, cells, sizeof cells);
  checkpoint = flow_checkpoint_open (f->prefix, NULL);
  a = flow_checkpoint_read (checkpoint, "a", NULL, NULL);
  b = flow_checkpoint_read (checkpoint, "b", NULL, NULL);
  c = flow_checkpoint_read (checkpoint, "c", NULL, NULL);
  g_assert_cmpfloat (flow_tensor_get_double (a, 1), ==, 2);
  g_assert_cmpint (flow_tensor_get_int (b, 0), ==, 0x0102);
  g_assert_cmpfloat (FLOW_DATA (float, c)[0], ==, 1);
  g_assert_cmpfloat (FLOW_DATA (float, c)[1], ==, 2);
}

/* K06: many keys for one place. */
static void
test_shared_bytes (Fixture       *f,
                   gconstpointer  data)
{
  const float cells[4] = { 1, 2, 3, 4 };
  const Entry entry = { 1, 1, { 2 }, 0, 4, 8, flow_crc32c (&cells[1], 8) };
  g_autoptr (GHashTable) entries = new_entries ();
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  const char *const *problems;
  guint n = 0;

  add_header (entries, 1, 0, 0);
  for (int i = 0; i < 10000; i++)
    {
      g_autofree char *key = g_strdup_printf ("v%05d", i);

      add_entry (entries, key, &entry);
    }
  write_entries (f->index, entries);
  write_file (f->shard, cells, sizeof cells);
  checkpoint = flow_checkpoint_open (f->prefix, NULL);
  g_assert_cmpuint (flow_checkpoint_get_n_tensors (checkpoint), ==, 10000);
  tensor = flow_checkpoint_read (checkpoint, "v05000", NULL, NULL);
  g_assert_cmpfloat (flow_tensor_get_double (tensor, 1), ==, 3);
  problems = flow_checkpoint_get_problems (checkpoint);
  for (n = 0; problems[n] != NULL; n++)
    g_assert_nonnull (strstr (problems[n], "share bytes of shard 0"));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, 100);
}

/* K10, K11 */
static void
test_shards (Fixture       *f,
             gconstpointer  data)
{
  float cells[4] = { 1, 2, 3, 4 };
  const Entry a = { 1, 1, { 2 }, 0, 0, 8, flow_crc32c (&cells[0], 8) };
  const Entry b = { 1, 1, { 2 }, 0, 8, 8, flow_crc32c (&cells[2], 8) };
  g_autoptr (GHashTable) entries = new_entries ();
  g_autoptr (FlowCheckpoint) checkpoint = NULL;
  g_autoptr (FlowTensor) tensor = NULL;
  g_autofree char *long_file = g_strnfill (1000, 0);

  add_header (entries, 1, 0, 0);
  add_entry (entries, "a", &a);
  add_entry (entries, "b", &b);
  write_entries (f->index, entries);
  assert_read_error (f, "a", FLOW_ERROR_NOT_FOUND, "m.data-00000-of-00001; No such file or directory");
  cells[1] = 2.0000002f;
  write_file (f->shard, cells, sizeof cells);
  assert_read_error (f, "a", FLOW_ERROR_DATA_LOSS, "Checksum does not match: stored ");
  checkpoint = flow_checkpoint_open (f->prefix, NULL);
  tensor = flow_checkpoint_read (checkpoint, "b", NULL, NULL);
  g_assert_cmpfloat (flow_tensor_get_double (tensor, 1), ==, 4);

  write_file (f->shard, cells, sizeof cells - 1);
  assert_read_error (f, "b", FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested");
  write_file (f->shard, "", 0);
  assert_read_error (f, "b", FLOW_ERROR_OUT_OF_RANGE, "Read less bytes than requested");
  cells[1] = 2;
  memcpy (long_file, cells, sizeof cells);
  write_file (f->shard, long_file, 1000);
  g_clear_pointer (&tensor, flow_tensor_unref);
  g_clear_object (&checkpoint);
  checkpoint = flow_checkpoint_open (f->prefix, NULL);
  tensor = flow_checkpoint_read (checkpoint, "a", NULL, NULL);
  g_assert_nonnull (tensor);
  /* K12: cut short and written anew while it is open. */
  g_assert_cmpint (truncate (f->shard, 3), ==, 0);
  g_assert_null (flow_checkpoint_read (checkpoint, "a", NULL, NULL));
  g_assert_cmpint (truncate (f->shard, 1000), ==, 0);
  g_assert_null (flow_checkpoint_read (checkpoint, "a", NULL, NULL));
  g_unlink (f->shard);
  g_assert_cmpint (g_mkdir (f->shard, 0700), ==, 0);
  assert_read_error (f, "a", FLOW_ERROR_FAILED_PRECONDITION, "Is a directory");
  g_rmdir (f->shard);
  g_assert_cmpint (mkfifo (f->shard, 0600), ==, 0);
  assert_read_error (f, "a", FLOW_ERROR_FAILED_PRECONDITION, "not a regular file");
}

/* K13 */
static void
test_strings (Fixture       *f,
              gconstpointer  data)
{
  static const struct {
    const char *bytes;
    gsize n;
    gint64 n_elements;
    const char *words;
  } cases[] = {
    { "\x80\x80\x80\x80\x80\x20....abc", 13, 1, "String lengths longer than expected offset" },
    { "\x05....abc", 8, 1, "String lengths longer than expected offset" },
    { "\x02\x02....abc", 9, 2, "String lengths longer than expected offset" },
    { "\x01....abc", 8, 1, "String lengths longer than expected offset" },
    { "\x03....abc", 8, 1, "The length checksum does not match" },
    { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01....", 14, 1, "String lengths longer than expected offset" },
    { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x04....", 15, 2, "String lengths longer than expected offset" },
    { "\x00\x00", 2, 2, "String lengths longer than expected offset" },
    { "", 0, 0, "String lengths longer than expected offset" },
    { "\x03", 1, 1, "String lengths longer than expected offset" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Entry entry = { FLOW_DTYPE_STRING, 1, { cases[i].n_elements }, 0, 0, (gint64) cases[i].n, 0 };
      g_autoptr (GHashTable) entries = new_entries ();

      add_header (entries, 1, 0, 0);
      add_entry (entries, "s", &entry);
      write_entries (f->index, entries);
      write_file (f->shard, cases[i].bytes, cases[i].n);
      assert_read_error (f, "s", FLOW_ERROR_DATA_LOSS, cases[i].words);
    }
}

/* K14 */
static void
test_slices (Fixture       *f,
             gconstpointer  data)
{
  static const struct {
    gint64 extents[2][2];
    guint n;
    int rank;
    gboolean with_data;
    int code;                                                         /* where TF calls it something else than damage */
  } cases[] = {
    { { { 0, 3 }, { 2, 2 } }, 2, 1, TRUE, FLOW_ERROR_INTERNAL },      /* overlap */
    { { { 0, 1 }, { 3, 1 } }, 2, 1, TRUE, FLOW_ERROR_INVALID_ARGUMENT },/* a hole */
    { { { -1, 2 }, { 1, 3 } }, 2, 1, TRUE },
    { { { 0, 2 }, { G_MAXINT64, 3 } }, 2, 1, TRUE },
    { { { 0, 2 }, { 2, 3 } }, 2, 1, TRUE },                           /* past the end */
    { { { 0, 0 }, { 0, 4 } }, 2, 1, TRUE },
    { { { 0, 2 }, { 2, 2 } }, 2, 2, TRUE },                           /* of another rank */
    { { { 0, 2 }, { 2, 2 } }, 2, 1, FALSE },                          /* no data of the parts */
  };
  const float cells[4] = { 1, 2, 3, 4 };

  write_file (f->shard, cells, sizeof cells);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Entry whole = { FLOW_DTYPE_FLOAT, 1, { 4 } };
      g_autoptr (GHashTable) entries = new_entries ();
      FlowProtoWriter writer;

      g_test_message ("case %u", i);
      add_header (entries, 1, 0, 0);
      start_entry (&writer, &whole);
      for (guint k = 0; k < cases[i].n; k++)
        {
          flow_proto_writer_begin (&writer, 7);
          for (int d = 0; d < cases[i].rank; d++)
            {
              flow_proto_writer_begin (&writer, 1);
              flow_proto_writer_set_int (&writer, 1, cases[i].extents[k][0]);
              flow_proto_writer_add_int (&writer, 2, cases[i].extents[k][1]);
              flow_proto_writer_end (&writer);
            }
          flow_proto_writer_end (&writer);
        }
      add_value (entries, "v", &writer);
      for (guint k = 0; cases[i].with_data && k < cases[i].n; k++)
        {
          g_autoptr (FlowSlice) slice = _flow_slice_new (cases[i].rank);
          gint64 n = CLAMP (cases[i].extents[k][1], 0, 4);
          const Entry part = { FLOW_DTYPE_FLOAT, 1, { n }, 0, 0, 4 * n, flow_crc32c (cells, 4 * (gsize) n) };

          for (int d = 0; d < cases[i].rank; d++)
            {
              FLOW_SLICE_START (slice, d) = cases[i].extents[k][0];
              FLOW_SLICE_LENGTH (slice, d) = cases[i].extents[k][1];
            }
          start_entry (&writer, &part);
          g_hash_table_insert (entries, _flow_slice_encode_key ("v", slice), flow_proto_writer_finish (&writer, NULL));
        }
      write_entries (f->index, entries);
      assert_read_error (f, "v", cases[i].code != 0 ? cases[i].code : FLOW_ERROR_DATA_LOSS, "v");
    }
}

/* K14: a terabyte in one small part. */
static void
test_huge_whole (Fixture       *f,
                 gconstpointer  data)
{
  const Entry whole = { FLOW_DTYPE_FLOAT, 1, { (gint64) 1 << 40 } };
  g_autoptr (GHashTable) entries = new_entries ();
  FlowProtoWriter writer;

  add_header (entries, 1, 0, 0);
  start_entry (&writer, &whole);
  flow_proto_writer_begin (&writer, 7);
  flow_proto_writer_begin (&writer, 1);
  flow_proto_writer_add_int (&writer, 2, 1);
  flow_proto_writer_end (&writer);
  flow_proto_writer_end (&writer);
  add_value (entries, "v", &writer);
  write_entries (f->index, entries);
  assert_read_error (f, "v", FLOW_ERROR_INVALID_ARGUMENT, "Does not have sufficient slices");
}

/* K15 */
static void
test_v1 (Fixture       *f,
         gconstpointer  data)
{
  enum { NO_META, BIG_DIM, BIG_EXTENT, NO_TYPE, NO_DATA, SHORT_DATA, OTHER_NAME, N_CASES };

  for (int i = 0; i < N_CASES; i++)
    {
      g_autoptr (GHashTable) entries = new_entries ();
      g_autoptr (FlowSlice) slice = _flow_slice_new (1);
      g_autoptr (GError) error = NULL;
      g_autoptr (FlowCheckpoint) checkpoint = NULL;
      g_autoptr (FlowTensor) tensor = NULL;
      FlowProtoWriter writer;
      const float cells[2] = { 1, 2 };

      flow_proto_writer_init (&writer);
      if (i != NO_META)
        {
          flow_proto_writer_begin (&writer, 1);
          flow_proto_writer_begin (&writer, 1);
          flow_proto_writer_set_string (&writer, 1, "v");
          flow_proto_writer_begin (&writer, 2);
          flow_proto_writer_begin (&writer, 2);
          flow_proto_writer_set_int (&writer, 1, i == BIG_DIM ? (gint64) 1 << 57 : 2);
          flow_proto_writer_end (&writer);
          if (i == BIG_DIM)
            flow_proto_writer_set_int (&writer, 3, 1);
          flow_proto_writer_end (&writer);
          flow_proto_writer_set_int (&writer, 3, i == NO_TYPE ? 0 : 1);
          flow_proto_writer_begin (&writer, 4);
          flow_proto_writer_begin (&writer, 1);
          if (i == BIG_EXTENT)
            {
              flow_proto_writer_set_int (&writer, 1, G_GINT64_CONSTANT (7954877770267194415));
              flow_proto_writer_set_int (&writer, 2, G_GINT64_CONSTANT (7954877770267194415));
            }
          flow_proto_writer_end (&writer);
          flow_proto_writer_end (&writer);
          flow_proto_writer_end (&writer);
          flow_proto_writer_end (&writer);
        }
      add_value (entries, "", &writer);
      if (i != NO_DATA)
        {
          flow_proto_writer_init (&writer);
          flow_proto_writer_begin (&writer, 2);
          flow_proto_writer_set_string (&writer, 1, i == OTHER_NAME ? "w" : "v");
          flow_proto_writer_begin (&writer, 3);
          flow_proto_writer_add_bytes (&writer, 5, cells, i == SHORT_DATA ? 4 : 8);
          flow_proto_writer_end (&writer);
          flow_proto_writer_end (&writer);
          g_hash_table_insert (entries, _flow_slice_encode_key ("v", slice), flow_proto_writer_finish (&writer, NULL));
        }
      write_entries (f->prefix, entries);
      checkpoint = i == NO_META ? flow_checkpoint_open_v1 (f->prefix, &error) : flow_checkpoint_open (f->prefix, &error);
      if (checkpoint != NULL)
        tensor = flow_checkpoint_read (checkpoint, "v", NULL, &error);
      g_assert_null (tensor);
      g_test_message ("%s", error->message);
      /* TF: a header without tensors is none that is damaged. */
      g_assert_error (error, FLOW_ERROR, (i == NO_META ? FLOW_ERROR_NOT_FOUND : FLOW_ERROR_DATA_LOSS));
    }
}

/* Every tensor of a checkpoint as one text, or what went wrong. */
static GPtrArray *
read_everything (const char *path,
                 gboolean    v1)
{
  g_autoptr (FlowCheckpoint) checkpoint = v1 ? flow_checkpoint_open_v1 (path, NULL)
                                             : flow_checkpoint_open_prefix (path, NULL);
  g_autoptr (FlowBudget) budget = flow_budget_new (16 << 20);
  GPtrArray *tensors;

  if (checkpoint == NULL)
    return NULL;
  tensors = g_ptr_array_new_with_free_func ((GDestroyNotify) flow_tensor_unref);
  for (guint i = 0; i < flow_checkpoint_get_n_tensors (checkpoint); i++)
    {
      g_autoptr (GError) error = NULL;
      FlowTensor *tensor = flow_checkpoint_read (checkpoint, flow_checkpoint_get_tensor (checkpoint, i)->name, budget,
                                                 &error);

      g_assert_true ((tensor == NULL) == (error != NULL));
      if (tensor != NULL)
        g_ptr_array_add (tensors, tensor);
    }
  return tensors;
}

/* All that was read is among what is right. */
static void
assert_nothing_else (GPtrArray *tensors,
                     GPtrArray *right)
{
  for (guint i = 0; i < tensors->len; i++)
    {
      gboolean found = FALSE;

      for (guint k = 0; k < right->len && !found; k++)
        {
          g_autoptr (FlowTensorDiff) diff = flow_tensor_compare (tensors->pdata[i], right->pdata[k], NULL);

          found = diff->equal_bits;
        }
      g_assert_true (found);
    }
}

/* K03 and its neighbours: the file cut at each byte, and each bit of each byte turned. */
static void
damage_file (const char *path,
             const char *open_as,
             gboolean    v1)
{
  g_autofree char *bytes = NULL;
  g_autoptr (GPtrArray) right = read_everything (open_as, v1);
  gsize n;
  guint n_whole = 0;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize i = 0; i < n; i++)
    for (int bit = 0; bit < 8; bit++)
      {
        g_autoptr (GPtrArray) turned = NULL;

        bytes[i] ^= (char) (1 << bit);
        write_file (path, bytes, n);
        bytes[i] ^= (char) (1 << bit);
        turned = read_everything (open_as, v1);
        if (turned == NULL)
          continue;
        assert_nothing_else (turned, right);
        n_whole += turned->len == right->len;
      }
  write_file (path, bytes, n);
  for (gsize i = n; i-- > 0;)
    {
      g_autoptr (GPtrArray) cut = NULL;

      g_assert_cmpint (truncate (path, (off_t) i), ==, 0);
      cut = read_everything (open_as, v1);
      if (cut != NULL)
        assert_nothing_else (cut, right);
    }
  g_test_message ("%" G_GSIZE_FORMAT " bytes, %u changes without effect", n, n_whole);
}

static void
copy_golden (Fixture    *f,
             const char *name,
             const char *target)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "golden", "checkpoint", name, NULL);
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (source, &bytes, &n, NULL));
  write_file (target, bytes, n);
}

static void
test_damaged_index (Fixture       *f,
                    gconstpointer  data)
{
  g_autofree char *index = g_strconcat (data, ".index", NULL);
  g_autofree char *shard = g_strconcat (data, ".data-00000-of-00001", NULL);

  copy_golden (f, index, f->index);
  copy_golden (f, shard, f->shard);
  damage_file (f->index, f->prefix, FALSE);
}

static void
test_damaged_shard (Fixture       *f,
                    gconstpointer  data)
{
  copy_golden (f, "sliced.index", f->index);
  copy_golden (f, "sliced.data-00000-of-00001", f->shard);
  damage_file (f->shard, f->prefix, FALSE);
}

static void
test_damaged_v1 (Fixture       *f,
                 gconstpointer  data)
{
  copy_golden (f, data, f->prefix);
  damage_file (f->prefix, f->prefix, TRUE);
}

/* The same, but with checksums made right again: then a parser has to cope with it. */
static void
test_mutated_entries (Fixture       *f,
                      gconstpointer  data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "golden", "checkpoint", data, NULL);
  g_autofree char *bytes = NULL;
  gboolean v1 = strstr (data, "v1") != NULL;
  const char *target = v1 ? f->prefix : f->index;
  gsize n;
  gsize n_block;
  guint n_opened = 0;

  if (!v1)
    copy_golden (f, "sliced.data-00000-of-00001", f->shard);
  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  /* One data block, an empty metaindex, an index of one entry, the footer: the block ends where the
   * metaindex begins. */
  {
    const guint8 *footer = (const guint8 *) bytes + n - 48;
    guint64 offset = 0;

    g_assert_true (flow_proto_read_varint (&footer, footer + 10, &offset));
    n_block = (gsize) offset - 5;
  }
  for (gsize i = 0; i < n_block; i++)
    for (int kind = 0; kind < 4; kind++)
      {
        static const guint8 values[] = { 0x00, 0x01, 0x7f, 0xff };
        char saved = bytes[i];
        guint8 type = 0;
        guint32 crc;
        g_autoptr (GPtrArray) tensors = NULL;

        bytes[i] = (char) values[kind];
        crc = GUINT32_TO_LE (flow_crc32c_mask (flow_crc32c_extend (flow_crc32c (bytes, n_block), &type, 1)));
        memcpy (bytes + n_block + 1, &crc, 4);
        write_file (target, bytes, n);
        bytes[i] = saved;
        tensors = read_everything (f->prefix, v1);
        n_opened += tensors != NULL;
      }
  g_assert_cmpuint (n_opened, >, 0);
}

#define ADD(path, data, func) g_test_add (path, Fixture, data, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/checkpoint/hostile/footer", NULL, test_footer);
  ADD ("/checkpoint/hostile/handles", NULL, test_handles);
  ADD ("/checkpoint/hostile/blocks", NULL, test_blocks);
  ADD ("/checkpoint/hostile/snappy", NULL, test_snappy);
  ADD ("/checkpoint/hostile/header", NULL, test_header);
  ADD ("/checkpoint/hostile/entries", NULL, test_entries);
  ADD ("/checkpoint/hostile/big-endian", NULL, test_big_endian);
  ADD ("/checkpoint/hostile/shared-bytes", NULL, test_shared_bytes);
  ADD ("/checkpoint/hostile/shards", NULL, test_shards);
  ADD ("/checkpoint/hostile/strings", NULL, test_strings);
  ADD ("/checkpoint/hostile/slices", NULL, test_slices);
  ADD ("/checkpoint/hostile/huge-whole", NULL, test_huge_whole);
  ADD ("/checkpoint/hostile/v1", NULL, test_v1);
  ADD ("/checkpoint/hostile/damaged-index", "all", test_damaged_index);
  ADD ("/checkpoint/hostile/damaged-sliced-index", "sliced", test_damaged_index);
  ADD ("/checkpoint/hostile/damaged-shard", NULL, test_damaged_shard);
  ADD ("/checkpoint/hostile/damaged-v1", "all.v1", test_damaged_v1);
  ADD ("/checkpoint/hostile/damaged-sliced-v1", "sliced.v1", test_damaged_v1);
  ADD ("/checkpoint/hostile/mutated-index", "sliced.index", test_mutated_entries);
  ADD ("/checkpoint/hostile/mutated-v1", "all.v1", test_mutated_entries);
  ADD ("/checkpoint/hostile/mutated-sliced-v1", "sliced.v1", test_mutated_entries);
  return g_test_run ();
}

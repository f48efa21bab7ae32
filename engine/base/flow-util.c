/* flow-util.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * flow_set_str: (skip)
 * @where: (inout): a string that is owned
 * @value: (nullable): the new value
 *
 * Returns: whether it changed
 */
gboolean
flow_set_str (char       **where,
              const char  *value)
{
  g_return_val_if_fail (where != NULL, FALSE);

  if (g_strcmp0 (*where, value) == 0)
    return FALSE;
  g_free (*where);
  *where = g_strdup (value);
  return TRUE;
}

/**
 * flow_compare_texts: (skip)
 * @a: where a text stands in an array of them
 * @b: where another one stands
 *
 * For g_ptr_array_sort() and qsort() of strings.
 *
 * Returns: as strcmp() of the two
 */
int
flow_compare_texts (gconstpointer a,
                    gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * flow_escape_bytes:
 * @bytes: any bytes
 * @length: how many, -1 up to the first 00
 *
 * Escapes as TensorFlow's CEscape does: `\n \r \t \" \' \\`, other bytes outside printable ASCII as
 * three octal digits.
 *
 * Returns: (transfer full): ASCII text
 */
char *
flow_escape_bytes (const char *bytes,
                   gssize      length)
{
  GString *text;

  g_return_val_if_fail (bytes != NULL || length == 0, NULL);

  if (length < 0)
    length = (gssize) strlen (bytes);
  text = g_string_sized_new ((gsize) length + 8);
  for (gssize i = 0; i < length; i++)
    {
      guchar c = (guchar) bytes[i];

      switch (c)
        {
        case '\n': g_string_append (text, "\\n"); break;
        case '\r': g_string_append (text, "\\r"); break;
        case '\t': g_string_append (text, "\\t"); break;
        case '"': g_string_append (text, "\\\""); break;
        case '\'': g_string_append (text, "\\'"); break;
        case '\\': g_string_append (text, "\\\\"); break;
        default:
          if (c < 0x20 || c >= 0x7f)
            g_string_append_printf (text, "\\%03o", c);
          else
            g_string_append_c (text, (char) c);
        }
    }
  return g_string_free (text, FALSE);
}

/**
 * flow_escape_display:
 * @bytes: any bytes
 * @length: how many, -1 up to the first 00
 * @max_chars: the most characters to show, 0 for no limit
 *
 * Makes text for a person of bytes from a stranger: valid UTF-8 without control characters or
 * direction overrides; what is neither stands as `\xNN` (bytes) or `\u{NNNN}` (characters).
 *
 * Returns: (transfer full): UTF-8 on one line, ending in `…` where it was cut
 */
char *
flow_escape_display (const char *bytes,
                     gssize      length,
                     gsize       max_chars)
{
  GString *text;
  const char *p;
  const char *end;
  gsize shown = 0;
  guint marks = 0;

  g_return_val_if_fail (bytes != NULL || length == 0, NULL);

  if (length < 0)
    length = (gssize) strlen (bytes);
  text = g_string_new (NULL);
  for (p = bytes, end = bytes + length; p < end; shown++)
    {
      gunichar c = g_utf8_get_char_validated (p, end - p);

      if (max_chars != 0 && shown >= max_chars)
        {
          g_string_append (text, "…");
          break;
        }
      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_printf (text, "\\x%02x", (guchar) *p);
          p++;
          continue;
        }
      /* A pile of combining marks would draw over its neighbours. */
      marks = g_unichar_ismark (c) ? marks + 1 : 0;
      if (c == '\n')
        g_string_append (text, "\\n");
      else if (c == '\t')
        g_string_append (text, "\\t");
      else if (g_unichar_iscntrl (c) || g_unichar_type (c) == G_UNICODE_FORMAT
               || g_unichar_type (c) == G_UNICODE_LINE_SEPARATOR
               || g_unichar_type (c) == G_UNICODE_PARAGRAPH_SEPARATOR || marks > 4)
        g_string_append_printf (text, "\\u{%04x}", c);
      else
        g_string_append_unichar (text, c);
      p = g_utf8_next_char (p);
    }
  return g_string_free (text, FALSE);
}

/* TensorFlow's words for what cannot be read as a file. */
static gboolean
check_regular (int          fd,
               const char  *path,
               gsize       *size,
               GError     **error)
{
  struct stat st;

  if (fstat (fd, &st) != 0)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  if (S_ISDIR (st.st_mode))
    {
      flow_error_set_from_errno (error, EISDIR, path);
      return FALSE;
    }
  FLOW_REQUIRE (S_ISREG (st.st_mode), error, INVALID_ARGUMENT, "%s; not a regular file", path);
  *size = (gsize) st.st_size;
  return TRUE;
}

/**
 * flow_read_file: (skip)
 * @path: a file
 * @max_bytes: the most to read
 * @error: where to put an error
 *
 * Reads a regular file whole. It is read and not mapped: another process may cut a file short, and a
 * page that is no longer there raises SIGBUS. A FIFO or device is refused without blocking.
 *
 * Returns: (transfer full): its bytes; %NULL with `FLOW_ERROR` by errno,
 *   %FLOW_ERROR_INVALID_ARGUMENT for what is not a regular file,
 *   %FLOW_ERROR_RESOURCE_EXHAUSTED when it is larger than @max_bytes
 */
GBytes *
flow_read_file (const char  *path,
                gsize        max_bytes,
                GError     **error)
{
  char *data = NULL;
  gsize size = 0;
  gsize have = 0;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    {
      flow_error_set_from_errno (error, errno, path);
      return NULL;
    }
  if (!check_regular (fd, path, &size, error))
    goto fail;
  if (size > max_bytes)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "%s; file of %" G_GSIZE_FORMAT " bytes is larger than the limit of %" G_GSIZE_FORMAT,
                   path, size, max_bytes);
      goto fail;
    }
  data = g_try_malloc (MAX (size, 1));
  if (data == NULL)
    {
      g_set_error (error, FLOW_ERROR, FLOW_ERROR_RESOURCE_EXHAUSTED,
                   "%s; no memory for %" G_GSIZE_FORMAT " bytes", path, size);
      goto fail;
    }
  while (have < size)
    {
      gssize n = read (fd, data + have, MIN (size - have, (gsize) 1 << 30));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          flow_error_set_from_errno (error, errno, path);
          goto fail;
        }
      if (n == 0)
        break;
      have += (gsize) n;
    }
  /* Files of /proc say 0 bytes and hold some: what was not measured is not read. */
  if (size == 0)
    {
      gssize n = read (fd, data, 1);

      if (n < 0)
        {
          flow_error_set_from_errno (error, errno, path);
          goto fail;
        }
      if (n > 0)
        {
          g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "%s; not a regular file", path);
          goto fail;
        }
    }
  close (fd);
  return g_bytes_new_take (data, have);

fail:
  close (fd);
  g_free (data);
  return NULL;
}

static gboolean
write_all (int         fd,
           const char *data,
           gsize       length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, MIN (length, (gsize) 1 << 30));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/**
 * flow_sync_folder_of: (skip)
 * @path: a file that was renamed
 *
 * A rename is on the disk once its folder is. Where that cannot be had, the rename stands all the same.
 */
void
flow_sync_folder_of (const char *path)
{
  g_autofree char *folder = NULL;
  int fd;

  g_return_if_fail (path != NULL);

  folder = g_path_get_dirname (path);
  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  (void) !fsync (fd);
  close (fd);
}

/**
 * flow_write_file_safely:
 * @path: the file to make or replace
 * @contents: what it shall hold
 * @error: where to put an error
 *
 * Writes beside it, flushes to disk, renames: at any moment either the old or the new file is there
 * whole. A link at @path is replaced, not followed.
 *
 * Returns: whether it is on disk; %FALSE with `FLOW_ERROR` by errno, the old file untouched
 */
gboolean
flow_write_file_safely (const char  *path,
                        GBytes      *contents,
                        GError     **error)
{
  g_autofree char *temporary = NULL;
  gsize length;
  const char *data;
  int fd;
  int saved;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (contents != NULL, FALSE);

  temporary = g_strdup_printf ("%s.tempstate%08x%08x", path, g_random_int (), g_random_int ());
  fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      flow_error_set_from_errno (error, errno, path);
      return FALSE;
    }
  data = g_bytes_get_data (contents, &length);
  if (!write_all (fd, data, length) || fsync (fd) != 0)
    {
      saved = errno;
      close (fd);
      goto fail;
    }
  if (close (fd) != 0 || rename (temporary, path) != 0)
    {
      saved = errno;
      goto fail;
    }
  flow_sync_folder_of (path);
  return TRUE;

fail:
  unlink (temporary);
  flow_error_set_from_errno (error, saved, path);
  return FALSE;
}

/* stop-shim.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Loaded before the C library (LD_PRELOAD): counts the system calls that change files under the folder
 * STOP_FOLDER. At call STOP_AT the process ends there and then, as by kill -9, a write half done; or, with
 * STOP_ERRNO, that call fails with this number, and all that follow of its kind. */

#define STOPPED 77
#define MAX_FDS 1024

static int n_calls;
static char is_ours[MAX_FDS];

static int
get_number (const char *name)
{
  const char *text = getenv (name);

  return text != NULL ? atoi (text) : 0;
}

static int
is_inside (const char *path)
{
  const char *folder = getenv ("STOP_FOLDER");

  return folder != NULL && strncmp (path, folder, strlen (folder)) == 0;
}

/* Counts a call. TRUE: it shall fail, errno is set. */
static int
count (void)
{
  int at = get_number ("STOP_AT");
  int number = get_number ("STOP_ERRNO");

  n_calls++;
  if (at == 0 || n_calls < at)
    return 0;
  if (number == 0)
    _exit (STOPPED);
  if (n_calls > at)
    return 0;
  errno = number;
  return 1;
}

#define NEXT(name) ((__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

static int
note_open (int         fd,
           const char *path)
{
  if (fd >= 0 && fd < MAX_FDS)
    is_ours[fd] = (char) is_inside (path);
  return fd;
}

static int
is_writing (int flags)
{
  return (flags & (O_CREAT | O_TRUNC | O_WRONLY | O_RDWR)) != 0;
}

#define DEFINE_OPEN(name)                                        \
  int                                                            \
  name (const char *path, int flags, ...)                        \
  {                                                              \
    va_list args;                                                \
    mode_t mode = 0;                                             \
                                                                 \
    va_start (args, flags);                                      \
    if ((flags & O_CREAT) != 0)                                  \
      mode = va_arg (args, mode_t);                              \
    va_end (args);                                               \
    if (is_writing (flags) && is_inside (path) && count ())      \
      return -1;                                                 \
    return note_open (NEXT (name) (path, flags, mode), path);    \
  }

DEFINE_OPEN (open)
DEFINE_OPEN (open64)

ssize_t
write (int         fd,
       const void *data,
       size_t      n)
{
  static ssize_t (*next) (int, const void *, size_t);

  if (next == NULL)
    next = NEXT (write);
  if (fd >= 0 && fd < MAX_FDS && is_ours[fd])
    {
      /* Half of it may be on the disk. */
      if (get_number ("STOP_AT") == n_calls + 1 && get_number ("STOP_ERRNO") == 0 && next (fd, data, n / 2) < 0)
        _exit (STOPPED);
      if (count ())
        return -1;
    }
  return next (fd, data, n);
}

int
fsync (int fd)
{
  if (fd >= 0 && fd < MAX_FDS && is_ours[fd] && count ())
    return -1;
  return NEXT (fsync) (fd);
}

int
close (int fd)
{
  if (fd >= 0 && fd < MAX_FDS && is_ours[fd])
    {
      int failed;

      is_ours[fd] = 0;
      failed = count ();
      if (failed)
        {
          int number = errno;

          NEXT (close) (fd);
          errno = number;
          return -1;
        }
    }
  return NEXT (close) (fd);
}

int
rename (const char *from,
        const char *to)
{
  if (is_inside (to) && count ())
    return -1;
  return NEXT (rename) (from, to);
}

int
unlink (const char *path)
{
  if (is_inside (path) && count ())
    return -1;
  return NEXT (unlink) (path);
}

int
rmdir (const char *path)
{
  if (is_inside (path) && count ())
    return -1;
  return NEXT (rmdir) (path);
}

int
mkdir (const char *path,
       mode_t      mode)
{
  if (is_inside (path) && count ())
    return -1;
  return NEXT (mkdir) (path, mode);
}

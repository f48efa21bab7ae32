# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.gfile: files and folders, with TensorFlow's errors."""

import collections
import contextlib
import errno
import glob
import os
import shutil

from .. import errors
from ..framework._engine import as_bytes

_MODES = ("r", "w", "a", "r+", "w+", "a+")
_ERRORS = {errno.ENOENT: errors.NotFoundError, errno.EEXIST: errors.AlreadyExistsError,
           errno.EACCES: errors.PermissionDeniedError, errno.EPERM: errors.PermissionDeniedError,
           errno.EROFS: errors.PermissionDeniedError, errno.EISDIR: errors.FailedPreconditionError,
           errno.ENOTDIR: errors.FailedPreconditionError, errno.ENOTEMPTY: errors.FailedPreconditionError,
           errno.EINVAL: errors.InvalidArgumentError, errno.ENAMETOOLONG: errors.InvalidArgumentError,
           errno.ENOSPC: errors.ResourceExhaustedError, errno.EMFILE: errors.ResourceExhaustedError}


@contextlib.contextmanager
def _told(path):
    """What the system refuses, as TensorFlow says it of that path."""
    try:
        yield
    except OSError as error:
        kind = _ERRORS.get(error.errno, errors.UnknownError)
        raise kind(None, None, "%s; %s" % (_text(path), error.strerror)) from None


def _text(path):
    return as_bytes(path).decode("utf-8", "surrogateescape")


class GFile:
    """A file, opened when it is first used. What it reads and what it writes are two streams."""

    def __init__(self, name, mode="r"):
        self._name, self._mode, self._is_binary = name, mode, "b" in mode
        self._reader = self._writer = None
        mode = mode.replace("b", "")
        if mode not in _MODES:
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._may_read, self._may_write, self._appends = mode not in ("w", "a"), mode != "r", "a" in mode

    name = property(lambda self: self._name)
    mode = property(lambda self: self._mode)

    def _read(self):
        if self._reader is None:
            if not self._may_read:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            with _told(self._name):
                self._reader = open(_text(self._name), "rb")
        return self._reader

    def _write(self):
        if self._writer is None:
            if not self._may_write:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            with _told(self._name):
                self._writer = open(_text(self._name), "ab" if self._appends else "wb")
        return self._writer

    def _told_as(self, data):
        return data if self._is_binary else data.decode("utf-8")

    def size(self):
        return stat(self._name).length

    def read(self, n=-1):
        reader = self._read()
        with _told(self._name):
            return self._told_as(reader.read(n))

    def seek(self, offset=None, whence=0, position=None):
        reader = self._read()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        offset = offset if position is None else position
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(None, None, "Invalid whence argument: {}. Valid values are 0, 1, or 2.".format(
                whence))
        offset += (0, reader.tell(), self.size())[whence] if whence else 0
        if offset < 0:
            raise errors.InvalidArgumentError(None, None, "Seeking to a negative position: %d" % offset)
        reader.seek(min(offset, self.size()))
        if offset > self.size():
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def tell(self):
        return self._read().tell() if self._may_read else self._write().tell()

    def readline(self):
        return self._told_as(self._read().readline())

    def readlines(self):
        return list(iter(self.readline, b"" if self._is_binary else ""))

    def write(self, file_content):
        self._write().write(as_bytes(file_content))

    def flush(self):
        if self._writer is not None:
            self._writer.flush()

    def close(self):
        for file in (self._reader, self._writer):
            if file is not None:
                file.close()
        self._reader = self._writer = None

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, *info):
        self.close()


def exists(path):
    return os.path.exists(as_bytes(path))


def isdir(path):
    return os.path.isdir(as_bytes(path))


def listdir(path):
    if not isdir(path):
        raise errors.NotFoundError(None, None, "Could not find directory %s" % _text(path))
    return os.listdir(path)


def glob_files(pattern):
    patterns = [pattern] if isinstance(pattern, (str, bytes)) else pattern
    return [_in_folder(name) for p in patterns for name in sorted(glob.glob(p))]


def _in_folder(name):
    """TF: what is found here is found in the folder '.'."""
    folder, slash = (".", "/") if isinstance(name, str) else (b".", b"/")
    return name if slash in name else folder + slash + name


def mkdir(path):
    if not exists(path):
        with _told(path):
            os.mkdir(path)


def makedirs(path):
    """TF: the folders above that are not there are made first, and an error is of the one that could not be made."""
    missing, path = [], os.path.normpath(_text(path))
    while path and not os.path.exists(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        mkdir(folder)


def remove(path):
    with _told(path):
        if isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        os.remove(path)


def rmtree(path):
    if not exists(path):
        raise errors.NotFoundError(None, None, "%s not found" % _text(path))
    with _told(path):
        shutil.rmtree(path)


def copy(src, dst, overwrite=False):
    if exists(dst) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")
    with contextlib.ExitStack() as stack:
        with _told(src):
            source = None if isdir(src) else stack.enter_context(open(src, "rb"))
        with _told(dst):
            target = stack.enter_context(open(dst, "wb"))
            if source is None:
                raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
            shutil.copyfileobj(source, target)


def rename(src, dst, overwrite=False):
    if exists(dst) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")
    with _told(src):
        os.replace(src, dst)


FileStatistics = collections.namedtuple("FileStatistics", "length mtime_nsec is_directory")


def stat(path):
    with _told(path):
        found = os.stat(as_bytes(path))
    is_folder = isdir(path)
    return FileStatistics(0 if is_folder else found.st_size, found.st_mtime_ns, is_folder)


def walk(top, topdown=True, onerror=None):
    return os.walk(top, topdown=topdown, onerror=onerror)

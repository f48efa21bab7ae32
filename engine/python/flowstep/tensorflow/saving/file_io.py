# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.lib.io.file_io: whole files at once; the rest of it is file_system."""

import binascii
import os
import uuid

from .file_system import GFile, remove, rename

_BLOCK_BYTES = 1 << 24


def read_file_to_string(filename, binary_mode=False):
    with GFile(filename, mode="rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename, file_content):
    with GFile(filename, mode="w") as file:
        file.write(file_content)


def atomic_write_string_to_file(filename, contents, overwrite=True):
    """Others see the file whole or not at all."""
    beside = filename + ".tmp" + uuid.uuid4().hex
    write_string_to_file(beside, contents)
    try:
        rename(beside, filename, overwrite)
    except Exception:
        remove(beside)
        raise


def filecmp(filename_a, filename_b):
    """Whether two files have the same content."""
    if os.path.getsize(filename_a) != os.path.getsize(filename_b):
        return False
    return file_crc32(filename_a) == file_crc32(filename_b)


def file_crc32(filename, block_size=_BLOCK_BYTES):
    crc = 0
    with open(filename, "rb") as file:
        for block in iter(lambda: file.read(block_size), b""):
            crc = binascii.crc32(block, crc)
    return hex(crc & 0xFFFFFFFF)

# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Files that a script names by their address: kept in ~/.keras, fetched where they are not there yet."""

import hashlib
import os
import shutil
import tarfile
import urllib.request
import zipfile
from urllib.error import HTTPError, URLError

from .callbacks import Progbar

_ARCHIVES = {"tar": (tarfile.is_tarfile, tarfile.open), "zip": (zipfile.is_zipfile, zipfile.ZipFile)}
_CHUNK = 65535


def _extract(path, folder, kinds):
    """Whether the file was an archive of one of the kinds: then what it holds lies in the folder."""
    kinds = ["tar", "zip"] if kinds == "auto" else [kinds] if isinstance(kinds, str) else kinds or []
    for kind in kinds:
        matches, opened = _ARCHIVES[kind]
        if not matches(path):
            continue
        with opened(path) as archive:
            try:
                archive.extractall(folder)
            except (tarfile.TarError, RuntimeError, KeyboardInterrupt):
                if os.path.exists(folder):
                    (os.remove if os.path.isfile(folder) else shutil.rmtree)(folder)
                raise
        return True
    return False


def _has_hash(path, wanted, algorithm):
    is_long = algorithm == "sha256" or (algorithm == "auto" and len(wanted) == 64)
    digest = hashlib.sha256() if is_long else hashlib.md5()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            digest.update(chunk)
    return digest.hexdigest() == str(wanted)


def _fetch(origin, path):
    print("Downloading data from", origin)
    bar = []

    def told(count, block, total):
        if bar:
            bar[0].update(count * block)
        else:
            bar.append(Progbar(None if total == -1 else total))

    try:
        try:
            urllib.request.urlretrieve(origin, path, told)
        except HTTPError as error:
            raise Exception("URL fetch failure on {}: {} -- {}".format(origin, error.code, error.msg))
        except URLError as error:
            raise Exception("URL fetch failure on {}: {} -- {}".format(origin, error.errno, error.reason))
    except (Exception, KeyboardInterrupt):
        if os.path.exists(path):
            os.remove(path)
        raise


def get_file(fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir="datasets", hash_algorithm="auto",
             extract=False, archive_format="auto", cache_dir=None):
    """The path of the file in the cache; of the unpacked archive with untar."""
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    cache = os.path.expanduser(cache_dir or os.path.join("~", ".keras"))
    if not os.access(cache, os.W_OK):
        cache = os.path.join("/tmp", ".keras")
    folder = os.path.join(cache, cache_subdir)
    os.makedirs(folder, exist_ok=True)
    unpacked = os.path.join(folder, fname)
    path = unpacked + ".tar.gz" if untar else unpacked
    is_there = os.path.exists(path)
    if is_there and file_hash is not None and not _has_hash(path, file_hash, hash_algorithm):
        print("A local file was found, but it seems to be incomplete or outdated because the " + hash_algorithm +
              " file hash does not match the original value of " + file_hash + " so we will re-download the data.")
        is_there = False
    if not is_there:
        _fetch(origin, path)
    if untar:
        if not os.path.exists(unpacked):
            _extract(path, folder, "tar")
        return unpacked
    if extract:
        _extract(path, folder, archive_format)
    return path

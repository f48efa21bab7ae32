# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Readers of files whose names come from a queue, and record files read and written from Python (tf.python_io)."""

import os
import struct
import zlib

from .. import errors
from ..framework._engine import Flow, as_bytes
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op, make_op
from ..operators import array_ops


class ReaderBase:
    """What all readers do."""

    def __init__(self, reader_ref, supports_serialize=False):
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def _done(self, op_type, make=apply_op, **arguments):
        """An op of the reader: of version 1 where the reader is."""
        version = "V2" if self._reader_ref.dtype.name == "resource" else ""
        return make(op_type + version, reader_handle=self._reader_ref, **arguments)

    def read(self, queue, name=None):
        return self._done("ReaderRead", queue_handle=_queue_ref(queue), name=name)

    def read_up_to(self, queue, num_records, name=None):
        return self._done("ReaderReadUpTo", queue_handle=_queue_ref(queue), num_records=num_records, name=name)

    def num_records_produced(self, name=None):
        return self._done("ReaderNumRecordsProduced", name=name)

    def num_work_units_completed(self, name=None):
        return self._done("ReaderNumWorkUnitsCompleted", name=name)

    def serialize_state(self, name=None):
        return self._done("ReaderSerializeState", name=name)

    def restore_state(self, state, name=None):
        return self._done("ReaderRestoreState", make_op, state=state, name=name)

    def reset(self, name=None):
        return self._done("ReaderReset", make_op, name=name)


def _queue_ref(queue):
    return queue if isinstance(queue, Tensor) else queue.queue_ref


class WholeFileReader(ReaderBase):
    def __init__(self, name=None):
        super().__init__(apply_op("WholeFileReaderV2", name=name), supports_serialize=True)


class TextLineReader(ReaderBase):
    def __init__(self, skip_header_lines=None, name=None):
        super().__init__(apply_op("TextLineReaderV2", skip_header_lines=skip_header_lines, name=name))


class FixedLengthRecordReader(ReaderBase):
    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None, name=None, encoding=None):
        super().__init__(apply_op("FixedLengthRecordReaderV2", record_bytes=record_bytes, header_bytes=header_bytes,
                                  footer_bytes=footer_bytes, hop_bytes=hop_bytes, encoding=encoding, name=name))


class TFRecordReader(ReaderBase):
    def __init__(self, name=None, options=None):
        compression = TFRecordOptions.get_compression_type_string(options)
        super().__init__(apply_op("TFRecordReaderV2", name=name, compression_type=compression))


class LMDBReader(ReaderBase):
    def __init__(self, name=None, options=None):
        super().__init__(apply_op("LMDBReader", name=name))


class IdentityReader(ReaderBase):
    def __init__(self, name=None):
        super().__init__(apply_op("IdentityReaderV2", name=name), supports_serialize=True)


# -- record files

class TFRecordCompressionType:
    NONE, ZLIB, GZIP = 0, 1, 2


class TFRecordOptions:
    """How a record file is compressed."""

    compression_type_map = {TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP",
                            TFRecordCompressionType.NONE: ""}

    def __init__(self, compression_type=None, flush_mode=None, input_buffer_size=None, output_buffer_size=None,
                 window_bits=None, compression_level=None, compression_method=None, mem_level=None,
                 compression_strategy=None):
        self.get_compression_type_string(compression_type)
        self.compression_type, self.compression_level = compression_type, compression_level

    @classmethod
    def get_compression_type_string(cls, options):
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, str):
            if options not in cls.compression_type_map.values():
                raise ValueError("Not a valid compression_type: \"{}\"".format(options))
            return options
        return cls.compression_type_map[options]


class RecordInput:
    """Records of many files, shuffled: what gives them is an op, or lists of as many as there are batches."""

    def __init__(self, file_pattern, batch_size=1, buffer_size=1, parallelism=1, shift_ratio=0, seed=0, name=None, batches=None,
                 compression_type=None):
        self._name, self._batches, self._compression = name, batches, compression_type
        self._n_records = batch_size * (1 if batches is None else batches)
        self._attrs = dict(file_pattern=file_pattern, file_buffer_size=buffer_size, file_parallelism=parallelism,
                           file_shuffle_shift_ratio=shift_ratio, file_random_seed=seed, batch_size=self._n_records)

    def get_yield_op(self):
        compression = TFRecordOptions.get_compression_type_string(self._compression)
        records = apply_op("RecordInput", name=self._name, compression_type=compression, **self._attrs)
        if self._batches is None:
            return records
        with name_scope(self._name):
            records = array_ops.split(records, self._n_records, 0)
            records = [array_ops.reshape(record, []) for record in records]
            return [records[i::self._batches] for i in range(self._batches)]


def _checksum(data):
    """The masked CRC-32C of bytes."""
    crc = Flow.crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def frame(record):
    """The bytes of one record in a file: its length, the record, a checksum of each."""
    length = struct.pack("<Q", len(record))
    return length + struct.pack("<I", _checksum(length)) + record + struct.pack("<I", _checksum(record))


class TFRecordWriter:
    """Writes records to a file."""

    def __init__(self, path, options=None):
        kind = TFRecordOptions.get_compression_type_string(options)
        try:
            self._file = open(os.fspath(path), "wb")
        except OSError as error:
            raise errors.NotFoundError(None, None, "%s; %s" % (os.fspath(path), error.strerror)) from None
        self._deflate = None if not kind else zlib.compressobj(-1, zlib.DEFLATED, 31 if kind == "GZIP" else 15)

    def __enter__(self):
        return self

    def __exit__(self, *info):
        self.close()

    def write(self, record):
        data = frame(as_bytes(record))
        self._file.write(data if self._deflate is None else self._deflate.compress(data))

    def flush(self):
        if self._deflate is not None:
            self._file.write(self._deflate.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self):
        if self._file.closed:
            return
        if self._deflate is not None:
            self._file.write(self._deflate.flush())
        self._file.close()


def _chunks(file, kind):
    inflate = zlib.decompressobj(31 if kind == "GZIP" else 15) if kind else None
    while True:
        data = file.read(1 << 18)
        if not data:
            return
        yield data if inflate is None else inflate.decompress(data)


def tf_record_iterator(path, options=None):
    """The records of a file, checked."""
    kind = TFRecordOptions.get_compression_type_string(options)
    try:
        file = open(os.fspath(path), "rb")
    except OSError as error:
        raise errors.NotFoundError(None, None, "%s; %s" % (os.fspath(path), error.strerror)) from None
    with file:
        held, offset, chunks = bytearray(), 0, _chunks(file, kind)

        def take(count, at_end):
            """TF: a file that ends within a record's head ends before that record."""
            while len(held) < count:
                chunk = next(chunks, None)
                if chunk is None:
                    if at_end:
                        return None
                    raise errors.DataLossError(None, None, "truncated record at %d" % offset)
                held.extend(chunk)
            data = bytes(held[:count])
            del held[:count]
            return data
        while True:
            head = take(12, True)
            if head is None:
                return
            length, crc = struct.unpack("<QI", head)
            if crc != _checksum(head[:8]):
                raise errors.DataLossError(None, None, "corrupted record at %d" % offset)
            record = take(length + 4, False)
            if struct.unpack("<I", record[length:])[0] != _checksum(record[:length]):
                raise errors.DataLossError(None, None, "corrupted record at %d" % offset)
            offset += 16 + length
            yield record[:length]

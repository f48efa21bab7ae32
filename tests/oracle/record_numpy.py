#!/usr/bin/env python3
# record_numpy.py
#
# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""Records how numpy writes, prints and converts arrays: tests/golden/tensor/.

    python tests/oracle/record_numpy.py     (numpy 1.18, the one TensorFlow 1.15 came with)
"""

import io
import json
import pathlib
import warnings
import zipfile

import numpy as np

OUT = pathlib.Path(__file__).resolve().parent.parent / "golden" / "tensor"


def text_cases():
    f = np.float32
    yield "scalar_float", f(0.1)
    yield "scalar_small", f(1e-7)
    yield "scalar_int", np.int64(-7)
    yield "scalar_bool", np.bool_(True)
    yield "vector", np.array([1, 2.5, -3], f)
    yield "matrix", np.array([[0.1, 0.25], [1 / 3, 100]], f)
    yield "matrix_f64", np.array([[0.1, 0.25], [1 / 3, 100]], np.float64)
    yield "wide_range", np.array([1e-5, 1, 1e5], f)
    yield "large", np.array([1e8, 2.5e9], f)
    yield "huge_exponent", np.array([1e-300, 1e200], np.float64)
    yield "mixed_exponent", np.array([1.5e-7, 123456.789, -2], f)
    yield "nan_inf", np.array([1, np.nan, np.inf, -np.inf, 0.5], f)
    yield "only_nan", np.array([np.nan, np.nan], f)
    yield "nan_and_ints", np.array([np.nan, 10], f)
    yield "zeros", np.zeros((2, 3), f)
    yield "negative_zero", np.array([-0.0, 0.0], f)
    yield "ints", np.array([[1, -20], [300, 4]], np.int32)
    yield "uint64", np.array([0, 2**64 - 1], np.uint64)
    yield "int64", np.array([-2**63, 2**63 - 1], np.int64)
    yield "bools", np.array([[True, False], [False, True]])
    yield "half", np.array([0.1, 65504, 6e-8], np.float16)
    yield "rank3", np.arange(12, dtype=f).reshape(2, 3, 2) / 3
    yield "rank4", np.arange(16, dtype=np.int32).reshape(2, 2, 2, 2)
    yield "long_row", np.arange(40, dtype=f) / 7
    yield "long_ints", np.arange(100, dtype=np.int32)
    yield "nested_long", (np.arange(80, dtype=np.float64) / 9).reshape(2, 2, 20)
    yield "elided_vector", np.arange(2000, dtype=np.int32)
    yield "elided_matrix", (np.arange(10000, dtype=f) / 3).reshape(100, 100)
    yield "elided_tall", np.arange(2000, dtype=f).reshape(1000, 2)
    yield "elided_rank3", np.arange(8000, dtype=np.int64).reshape(20, 20, 20)
    yield "empty", np.zeros((0, 3), f)
    yield "size_one", np.array([[[7.0]]], np.float64)
    yield "complex", np.array([1 + 2j, -0.5 - 1e-3j, 3], np.complex64)
    yield "complex_nan", np.array([complex(np.nan, 1), complex(2, -np.inf)], np.complex128)


def cast_cases():
    floats = [0.0, -0.0, 1.5, -1.5, 2.999, 255.0, 256.5, -129.0, 40000.0, 70000.0, 3e9, -3e9, 1e19, 2e19, 1e-8,
              2.98e-8, 1.0005, 65519.0, 65520.0, 1 + 2.0**-11 + 2.0**-40, 0.1, 1e30, np.inf, -np.inf, np.nan]
    ints = [0, 1, -1, 127, 128, 255, 256, -129, 32768, 65536, 2**31 - 1, 2**31, -2**31 - 1, 2**53 + 1, 2**24 + 1,
            2**63 - 1, -2**63, 0x7fffffbfffffffff]
    sources = [np.array(floats, np.float64), np.array(floats, np.float32), np.array(floats, np.float16),
               np.array(ints, np.int64), np.array([i % 2**64 for i in ints], np.uint64),
               np.array([i % 256 for i in ints], np.uint8), np.array([((i + 128) % 256) - 128 for i in ints], np.int8),
               np.array([True, False]), np.array([1 + 2j, 0 - 3j, 0, 1e10 + 1j], np.complex64),
               np.array([1 + 2j, 0 - 3j, 0.1, 1e300], np.complex128)]
    targets = [np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32,
               np.int64, np.uint64, np.bool_, np.complex64, np.complex128]
    for a in sources:
        for t in targets:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # What numpy gives for floats past the end of uint32 and uint64 depends on how it was compiled.
                if t in (np.uint32, np.uint64) and a.dtype.kind in "fc":
                    r = a.real.astype(np.float64)
                    a = a[(r > -1) & (r < np.iinfo(t).max)]
                yield a.dtype.name + ">" + np.dtype(t).name, a, np.asarray(a, dtype=t)


def main():
    OUT.mkdir(parents=True, exist_ok=True)

    arrays, texts = {}, []
    for name, a in text_cases():
        arrays[name] = a
        texts.append("=== %s\n%s\n" % (name, a if a.ndim else str(a)))
    np.savez_compressed(str(OUT / "text.npz"), **arrays)
    (OUT / "text.txt").write_text("".join(texts))

    with zipfile.ZipFile(str(OUT / "cast.npz"), "w", zipfile.ZIP_DEFLATED) as z:
        for name, a, b in cast_cases():
            for end, array in (("|from", a), ("|to", b)):
                data = io.BytesIO()
                np.save(data, array)
                z.writestr(name + end + ".npy", data.getvalue())

    base = np.arange(24).reshape(2, 3, 4)
    forms = {
        "c_f4": base.astype("<f4"), "c_big_f4": base.astype(">f4"), "c_big_i8": base.astype(">i8"),
        "c_big_c8": (base * (1 + 2j)).astype(">c8"), "f_i4": np.asfortranarray(base.astype("<i4")),
        "f_big_f8": np.asfortranarray(base.astype(">f8")), "bytes": np.array([[b"a", b"bcd"], [b"", b"e\0f"]]),
        "text": np.array(["x", "\u00e4\u20ac", ""]), "text_big": np.array(["x", "\u00e4\u20ac", ""]).astype(">U3"),
        "f_text": np.asfortranarray(np.array([["a", "b", "c"], ["d", "e", "f"]])),
        "bools": np.array([True, False, True]), "empty": np.zeros((3, 0), np.float32),
        "scalar": np.array(2.5), "half": np.array([1, 2, 65504], np.float16),
        "v2": np.array([0x3f80, 0x4000], np.uint16).view("V2"),
        "s#len": np.array([[1, 0], [3, 2]], np.int64), "s#data": np.frombuffer(b"a\0cdxy", np.uint8),
    }
    np.savez(str(OUT / "forms.npz"), **forms)
    np.savez_compressed(str(OUT / "forms-deflated.npz"), **forms)
    np.save(str(OUT / "big.npy"), forms["c_big_f4"])
    with zipfile.ZipFile(str(OUT / "zip64.npz"), "w", zipfile.ZIP_STORED) as z:
        with z.open("a.npy", "w", force_zip64=True) as m:
            np.save(m, base.astype("<f4"))


if __name__ == "__main__":
    main()

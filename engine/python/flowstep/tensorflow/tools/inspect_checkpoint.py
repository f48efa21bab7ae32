# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.tools.inspect_checkpoint: what stands in a checkpoint, printed."""

import re

import numpy as np

from ..saving import checkpoint_state


def _count(reader, exclude):
    shapes = reader.get_variable_to_shape_map()
    names = [n for n in shapes if not exclude or not re.compile(exclude).match(n)]
    return sum(int(np.prod(shapes[n])) for n in names)


def print_tensors_in_checkpoint_file(file_name, tensor_name, all_tensors, all_tensor_names=False,
                                     count_exclude_pattern=""):
    """Prints all tensors, all names, one tensor, or (of none of these) one line for each."""
    try:
        reader = checkpoint_state.new_checkpoint_reader(file_name)
        if all_tensors or all_tensor_names:
            for name in sorted(reader.get_variable_to_shape_map()):
                print("tensor_name: ", name)
                if all_tensors:
                    print(reader.get_tensor(name))
        elif tensor_name:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
        else:
            print(reader.debug_string().decode())
        print("# Total number of params: %d" % _count(reader, count_exclude_pattern))
    except Exception as error:  # as TensorFlow's tool: said, not raised
        print(str(error))

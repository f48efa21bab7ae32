# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.nondifferentiable_batch_function: a function that runs once for the calls of several sessions' steps together."""

from ..control import concrete_functions
from ..framework import converted
from ..framework.graph import Tensor, name_scope
from ..framework.ops import apply_op
from ..framework.structure import TensorSpec


def batch_function(num_batch_threads, max_batch_size, batch_timeout_micros, allowed_batch_sizes=None, max_enqueued_batches=10,
                   autograph=True):
    """A decorator of functions of tensors whose first dimension is that of the batch."""
    def decorator(fn):
        def call(function, *args):
            return converted.call(function, *args) if autograph and not converted.is_own(function) else function(*args)

        def decorated(*args):
            specs = [TensorSpec(x.shape, x.dtype, str(i)) for i, x in enumerate(args)]
            graph = concrete_functions.trace("computation", fn, specs, {}, [str(i) for i in range(len(specs))], call)
            computation = concrete_functions.ConcreteFunction(graph)
            with name_scope("batch") as name:
                for a in args:
                    if not isinstance(a, Tensor):
                        raise ValueError("All arguments to functions decorated with `batch_function`  are supposed to be "
                                         "Tensors; found %s" % repr(a))
                computation.add_to_graph()
                return apply_op("BatchFunction", in_tensors=list(args), captured_tensors=computation.captured_inputs,
                                f=computation.text_name, num_batch_threads=num_batch_threads, max_batch_size=max_batch_size,
                                batch_timeout_micros=batch_timeout_micros, allowed_batch_sizes=allowed_batch_sizes,
                                max_enqueued_batches=max_enqueued_batches, shared_name=name,
                                Tout=[t.dtype.base_dtype for t in computation.outputs])
        return decorated
    return decorator

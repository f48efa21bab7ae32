# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.estimator.export: what of a model is served, and what is given to it."""

import collections
import os
import time

from .. import dtypes
from ..framework import graph as graph_lib, ops
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys, Tensor
from ..operators import array_ops, parsing
from ..operators.sparse import SparseTensor
from ..saving import file_system, saved_models
from ..saving import saver as saver_lib
from ..sessions import monitored_session
from ..sessions import session as session_lib

DEFAULT_KEY = "serving_default"


class ExportOutput:
    """An output that a SavedModel names."""


def _single_text(receivers, what):
    """The one tensor of examples that such a signature takes."""
    if len(receivers) == 1:
        (receivers,) = receivers.values()
    if not isinstance(receivers, Tensor) or receivers.dtype != dtypes.string:
        raise ValueError("{} input must be a single string Tensor; got {}".format(what, receivers))
    return receivers


class ClassificationOutput(ExportOutput):
    def __init__(self, scores=None, classes=None):
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError("Classification scores must be a float32 Tensor; got {}".format(scores))
        if classes is not None and not (isinstance(classes, Tensor) and classes.dtype == dtypes.string):
            raise ValueError("Classification classes must be a string Tensor; got {}".format(classes))
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self.scores, self.classes = scores, classes

    def signature(self, receivers):
        return saved_models.classification_signature_def(_single_text(receivers, "Classification"), self.classes, self.scores)


class RegressionOutput(ExportOutput):
    def __init__(self, value):
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError("Regression output value must be a float32 Tensor; got {}".format(value))
        self.value = value

    def signature(self, receivers):
        return saved_models.regression_signature_def(_single_text(receivers, "Regression"), self.value)


class PredictOutput(ExportOutput):
    def __init__(self, outputs):
        outputs = outputs if isinstance(outputs, dict) else {"output": outputs}
        for key, value in outputs.items():
            if not isinstance(key, str):
                raise ValueError("Prediction output key must be a string; got {}.".format(key))
            if not isinstance(value, Tensor):
                raise ValueError("Prediction output value must be a Tensor; got {}.".format(value))
        self.outputs = outputs

    def signature(self, receivers):
        return saved_models.predict_signature_def(receivers, self.outputs)


# What a tensor is called that stands alone, by the field that it is given for.
_ALONE = {"feature": "feature", "label": "label", "receiver_tensor": "input", "receiver_tensors_alternative": "input"}


def _check_tensor(tensor, name, field):
    if isinstance(tensor, (Tensor, SparseTensor)):
        return
    refused = ValueError("{}{} must be a Tensor or SparseTensor.".format(field, " {}".format(name) if name else ""))
    if not hasattr(tensor, "tensor"):
        raise refused
    try:
        ops.convert_to_tensor(tensor)
    except TypeError:
        raise refused from None


def checked_tensors(tensors, field, allows_ints=False):
    """Tensors by their names, as a receiver has them in a field."""
    if tensors is None:
        raise ValueError("{}s must be defined.".format(field))
    if not isinstance(tensors, dict):
        tensors = {_ALONE[field]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str) and not (allows_ints and isinstance(name, int)):
            raise ValueError("{} keys must be strings{}: {}.".format(field, " or ints" if allows_ints else "", name))
        _check_tensor(tensor, name, field)
    return tensors


_Receiver = collections.namedtuple("ServingInputReceiver", ["features", "receiver_tensors", "receiver_tensors_alternatives"])


class ServingInputReceiver(_Receiver):
    """Features of a request, and the tensors that it arrives in."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = checked_tensors(features, "feature", allows_ints=True)
        receiver_tensors = checked_tensors(receiver_tensors, "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError("receiver_tensors_alternatives must be a dict: {}.".format(receiver_tensors_alternatives))
            for name, tensors in receiver_tensors_alternatives.items():
                receiver_tensors_alternatives[name] = checked_tensors(tensors, "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, receiver_tensors_alternatives)


class TensorServingInputReceiver(_Receiver):
    """A request whose one feature the model takes as it is."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None, "feature")
        receiver = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, features, receiver.receiver_tensors, receiver.receiver_tensors_alternatives)


def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    def serving_input_receiver_fn():
        examples = array_ops.placeholder(dtype=dtypes.string, shape=[default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(parsing.parse_example(examples, feature_spec), {"examples": examples})
    return serving_input_receiver_fn


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    def serving_input_receiver_fn():
        receivers = {}
        for name, t in features.items():
            dims = t.shape.as_list()
            dims[0] = default_batch_size
            receivers[name] = array_ops.placeholder(dtype=t.dtype, shape=dims, name=t.op.name)
        return ServingInputReceiver(receivers, receivers)
    return serving_input_receiver_fn


def timestamped(base):
    """A folder of its own in base, named after the second."""
    for _ in range(10):
        path = os.path.join(base, str(int(time.time())))
        if not file_system.exists(path):
            return path
        time.sleep(1)
    raise RuntimeError("Failed to obtain a unique export directory name after {} attempts.".format(10))



def export_outputs(given, predictions):
    """What is served: the predictions where nothing is said, and one of all by the name that is asked for first."""
    outputs = {DEFAULT_KEY: PredictOutput(predictions)} if given is None else given
    if not isinstance(outputs, dict):
        raise TypeError("export_outputs must be dict, given: {}".format(outputs))
    for output in outputs.values():
        if not isinstance(output, ExportOutput):
            raise TypeError("Values in export_outputs must be ExportOutput objects. Given: {}".format(outputs))
    if len(outputs) == 1:
        return dict(outputs, **{DEFAULT_KEY: next(iter(outputs.values()))})
    if len(outputs) > 1 and DEFAULT_KEY not in outputs:
        raise ValueError("Multiple export_outputs were provided, but none of them is specified as the default.  Do this by "
                         "naming one of them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY.")
    return outputs


def _signatures(spec, receiver):
    found = {}
    for key, output in export_outputs(spec.export_outputs, spec.predictions).items():
        try:
            found[key] = output.signature(receiver.receiver_tensors)
        except ValueError as error:
            logging.info("Signature %s is not exported: %s", key, error)
    return {key: value for key, value in found.items() if saved_models.is_valid_signature(value)}


def write(spec, receiver, base, checkpoint_path, as_text, strip_default_attrs, assets_extra):
    """Restores the checkpoint and saves what is served; the folder as bytes."""
    signatures = _signatures(spec, receiver)
    target = timestamped(os.path.abspath(os.fspath(base)))
    with session_lib.Session() as session:
        local = spec.scaffold.local_init_op
        if local is None:
            local = monitored_session.Scaffold.default_local_init_op()
        saver = spec.scaffold.saver or saver_lib.Saver(sharded=True)
        saver.restore(session, checkpoint_path)
        builder = saved_models.SavedModelBuilder(target)
        builder.add_meta_graph_and_variables(
            session, ["serve"], signature_def_map=signatures,
            assets_collection=graph_lib.get_collection(GraphKeys.ASSET_FILEPATHS), main_op=local, saver=saver,
            strip_default_attrs=strip_default_attrs)
        builder.save(as_text)
    for name, source in assets_extra.items():
        path = os.path.join(target, "assets.extra", name)
        file_system.makedirs(os.path.dirname(path))
        file_system.copy(source, path)
    return target.encode()

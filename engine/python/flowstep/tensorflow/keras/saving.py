# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""What models do with files and configs: the methods of Network, and tf.keras.models' functions."""

import os

from .. import errors
from ..saving import checkpoint_state, checkpoints
from . import backend, h5_files, model_configs, serialization


def _is_h5(path):
    return path.endswith((".h5", ".keras", ".hdf5"))


def _may_write(path, overwrite):
    """Asks a person where a file would be written over."""
    if overwrite or not os.path.isfile(path):
        return True
    answer = ""
    while answer not in ("y", "n"):
        answer = input("[WARNING] %s already exists - overwrite? [y/n]" % path).strip().lower()
    return answer == "y"


def _format(path, asked):
    if asked is None:
        return "h5" if _is_h5(path) else "tf"
    short = asked.lower().strip()
    if short not in ("tensorflow", "tf", "hdf5", "h5", "keras"):
        raise ValueError('Unknown format "%s". Was expecting one of {"tf", "h5"}.' % (asked,))
    if short in ("tensorflow", "tf") and _is_h5(path):
        raise ValueError('save_weights got save_format="tf"/"tensorflow", but the filepath ("%s") looks like an HDF5 file. '
                         'Omit the ".h5"/".keras" when saving in TensorFlow format.' % path)
    return "tf" if short in ("tensorflow", "tf") else "h5"


class Saving:
    """The part of a network that has to do with files."""

    def _trackable_children(self):
        found, weighty = [], 0
        for number, layer in enumerate(self._tracked_layers()):
            if layer.weights:
                found.append(("layer_with_weights-%d" % weighty, layer))
                weighty += 1
            found.append(("layer-%d" % number, layer))
        return found + super()._trackable_children()

    def _tracked_layers(self):
        return []   # a class of its own has its layers by the names of its attributes

    def _trackable_saver(self):
        saver = self.__dict__.get("_saver_of_weights")
        if saver is None:
            saver = checkpoints.TrackableSaver(self)
            object.__setattr__(self, "_saver_of_weights", saver)
        return saver

    def save_weights(self, filepath, overwrite=True, save_format=None):
        self._assert_weights_created()
        chosen = _format(filepath, save_format)
        if chosen == "h5":
            try:
                h5_files.module("save_weights")
            except ImportError:
                raise ImportError("`save_weights` requires h5py when saving in hdf5.") from None
        if not _may_write(filepath + (".index" if chosen == "tf" else ""), overwrite):
            return
        if chosen == "h5":
            h5_files.save_weights(self, filepath)
            return
        self._trackable_saver().save(filepath, backend.get_session())
        checkpoint_state.update(os.path.dirname(filepath), filepath, [filepath], relative=True)

    def load_weights(self, filepath, by_name=False):
        if not _is_h5(filepath) and self._is_checkpoint(filepath):
            return self._load_checkpoint(filepath, by_name)
        try:
            h5_files.module("load_weights")
        except ImportError:
            raise ImportError("`load_weights` requires h5py when loading weights from HDF5.") from None
        if self._is_graph_network and not self.built:
            raise NotImplementedError("Unable to load weights saved in HDF5 format into a subclassed Model which has not "
                                      "created its variables yet. Call the Model first, then load the weights.")
        self._assert_weights_created()
        h5_files.load_weights(self, filepath, by_name)
        return None

    @staticmethod
    def _is_checkpoint(filepath):
        try:
            checkpoint_state.CheckpointReader(filepath)
        except errors.DataLossError:
            return False
        return True

    def _load_checkpoint(self, filepath, by_name):
        status = self._trackable_saver().restore(filepath)
        if by_name:
            raise NotImplementedError("Weights may only be loaded based on topology into Models when loading TensorFlow-"
                                      "formatted weights (got by_name=True to load_weights).")
        status.run_restore_ops(backend.get_session())
        status.assert_nontrivial_match()
        return status

    def save(self, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
        save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def get_config(self):
        if not self._is_graph_network:
            raise NotImplementedError
        return model_configs.functional_config(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        return model_configs.functional_from_config(cls, config, custom_objects)

    def to_json(self, **keywords):
        return serialization.to_json(model_configs.whole_config(self), **keywords)

    def to_yaml(self, **keywords):
        try:
            import yaml
        except ImportError:
            raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
        return yaml.dump(model_configs.whole_config(self), **keywords)


def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
    if save_format == "tf" or save_format is None and not _is_h5(filepath) and not isinstance(filepath, str):
        raise NotImplementedError("Saving the model as SavedModel is not supported in TensorFlow 1.X graph mode. Please enable "
                                  "eager execution or use the \"h5\" save format.")
    if not model._is_graph_network and type(model).__name__ != "Sequential":
        raise NotImplementedError("Saving the model to HDF5 format requires the model to be a Functional model or a "
                                  "Sequential model. It does not work for subclassed models, because such models are defined "
                                  "via the body of a Python method, which isn't safely serializable. Consider saving to the "
                                  "Tensorflow SavedModel format (by setting save_format=\"tf\") or using `save_weights`.")
    if _may_write(filepath, overwrite):
        h5_files.save_model(model, filepath, include_optimizer)


def load_model(filepath, custom_objects=None, compile=True):
    return h5_files.load_model(filepath, custom_objects, compile)


FUNCTIONS = dict(save_model=save_model, load_model=load_model, clone_model=model_configs.clone_model,
                 model_from_config=model_configs.model_from_config, model_from_json=model_configs.model_from_json,
                 model_from_yaml=model_configs.model_from_yaml)

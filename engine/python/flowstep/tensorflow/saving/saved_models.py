# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.saved_model: a folder with graphs, their signatures, and the variables' values."""

import os
import shutil

import numpy as np

from ..dtypes import as_dtype
from ..framework import graph as graph_lib, proto, proto_text, tensor_shape
from ..framework import tf_logging as logging
from ..framework.graph import GraphKeys, Operation
from ..framework.ops import constant_value
from ..operators import sparse
from ..state import variables
from . import importer, saver as saver_lib

TAGS = {"SERVING": "serve", "TRAINING": "train", "EVAL": "eval", "GPU": "gpu", "TPU": "tpu"}
FILES = {
    "ASSETS_DIRECTORY": "assets", "ASSETS_KEY": "saved_model_assets", "LEGACY_INIT_OP_KEY": "legacy_init_op",
    "MAIN_OP_KEY": "saved_model_main_op", "TRAIN_OP_KEY": "saved_model_train_op", "SAVED_MODEL_FILENAME_PB": "saved_model.pb",
    "SAVED_MODEL_FILENAME_PBTXT": "saved_model.pbtxt", "SAVED_MODEL_SCHEMA_VERSION": 1,
    "VARIABLES_DIRECTORY": "variables", "VARIABLES_FILENAME": "variables",
}
SIGNATURES = {
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY": "serving_default", "CLASSIFY_INPUTS": "inputs",
    "CLASSIFY_METHOD_NAME": "tensorflow/serving/classify", "CLASSIFY_OUTPUT_CLASSES": "classes",
    "CLASSIFY_OUTPUT_SCORES": "scores", "PREDICT_INPUTS": "inputs", "PREDICT_OUTPUTS": "outputs",
    "PREDICT_METHOD_NAME": "tensorflow/serving/predict", "REGRESS_INPUTS": "inputs", "REGRESS_OUTPUTS": "outputs",
    "REGRESS_METHOD_NAME": "tensorflow/serving/regress",
}


# -- tensors and signatures as messages

def build_tensor_info(tensor):
    """A TensorInfo: name, dtype and shape of a tensor."""
    dtype = as_dtype(tensor.dtype).base_dtype.as_datatype_enum
    if isinstance(tensor, sparse.SparseTensor):
        info = proto.TensorInfo(dtype=dtype, tensor_shape=tensor.get_shape().as_proto())
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
        return info
    return proto.TensorInfo(dtype=dtype, tensor_shape=tensor_shape.as_shape(tensor.get_shape()).as_proto(), name=tensor.name)


def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    graph = graph or graph_lib.get_default_graph()

    def find(name):
        return graph.get_tensor_by_name(variables.prepend_name_scope(name, import_scope))
    if tensor_info.WhichOneof("encoding") == "coo_sparse" or tensor_info.HasField("coo_sparse"):
        parts = tensor_info.coo_sparse
        return sparse.SparseTensor(find(parts.indices_tensor_name), find(parts.values_tensor_name),
                                   find(parts.dense_shape_tensor_name))
    return find(tensor_info.name)


def build_signature_def(inputs=None, outputs=None, method_name=None):
    signature = proto.SignatureDef()
    for key, value in (inputs or {}).items():
        signature.inputs[key].CopyFrom(value)
    for key, value in (outputs or {}).items():
        signature.outputs[key].CopyFrom(value)
    if method_name is not None:
        signature.method_name = method_name
    return signature


def _infos(tensors):
    return {key: build_tensor_info(tensor) for key, tensor in tensors.items()}


def predict_signature_def(inputs, outputs):
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    return build_signature_def(_infos(inputs), _infos(outputs), SIGNATURES["PREDICT_METHOD_NAME"])


def regression_signature_def(examples, predictions):
    if examples is None or predictions is None:
        raise ValueError("Regression examples and predictions cannot be None.")
    return build_signature_def({"inputs": build_tensor_info(examples)}, {"outputs": build_tensor_info(predictions)},
                               SIGNATURES["REGRESS_METHOD_NAME"])


def classification_signature_def(examples, classes, scores):
    if examples is None:
        raise ValueError("Classification examples cannot be None.")
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    outputs = {key: build_tensor_info(value) for key, value in (("classes", classes), ("scores", scores)) if value is not None}
    return build_signature_def({"inputs": build_tensor_info(examples)}, outputs, SIGNATURES["CLASSIFY_METHOD_NAME"])


def is_valid_signature(signature_def):
    return signature_def is not None and bool(signature_def.inputs) and bool(signature_def.outputs) and \
        signature_def.method_name in (SIGNATURES["CLASSIFY_METHOD_NAME"], SIGNATURES["PREDICT_METHOD_NAME"],
                                      SIGNATURES["REGRESS_METHOD_NAME"])


# -- writing

def _check_infos(infos):
    for info in infos.values():
        if info is None:
            raise AssertionError("All TensorInfo protos used in the SignatureDefs must have the name and dtype fields set.")
        if not info.HasField("name") and not info.HasField("coo_sparse"):
            raise AssertionError("All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields "
                                 "(e.g., name or coo_sparse) set: %s" % info)
        if not info.dtype:
            raise AssertionError("All TensorInfo protos used in the SignatureDefs must have the dtype field set: %s" % info)


class SavedModelBuilder:
    """Writes a SavedModel: the first graph with the variables, others with their graph alone."""

    def __init__(self, export_dir):
        self._saved_model = proto.SavedModel(saved_model_schema_version=1)
        self._export_dir = os.fsdecode(export_dir)
        if os.path.exists(self._export_dir):
            if os.listdir(self._export_dir):
                raise AssertionError("Export directory already exists, and isn't empty. Please choose a different export "
                                     "directory, or delete all the contents of the specified directory: %s" % export_dir)
        else:
            os.makedirs(self._export_dir)
        self._has_saved_variables = False

    def _prepare(self, signature_def_map, assets_collection, main_op):
        for signature in signature_def_map.values():
            _check_infos(signature.inputs)
            _check_infos(signature.outputs)
        self._save_assets(assets_collection)
        if main_op is not None:
            if not isinstance(main_op, Operation):
                raise TypeError("main_op needs to be an Operation: %r" % main_op)
            graph_lib.add_to_collection(FILES["MAIN_OP_KEY"], main_op)

    def _save_assets(self, assets_collection):
        copied = {}
        for tensor in assets_collection or []:
            value = constant_value(tensor)
            if value is None:
                raise ValueError("Invalid asset filepath Tensor %s" % tensor)
            path = np.ravel(value)[0].decode() if isinstance(np.ravel(value)[0], bytes) else str(np.ravel(value)[0])
            name = os.path.basename(path)
            asset = proto.AssetFileDef(filename=name)
            asset.tensor_info.name = tensor.name
            graph_lib.add_to_collection(FILES["ASSETS_KEY"], _Asset(asset))
            copied[path] = name
        if not copied:
            logging.info("No assets to save.")
            logging.info("No assets to write.")
            return
        folder = os.path.join(self._export_dir, FILES["ASSETS_DIRECTORY"])
        os.makedirs(folder, exist_ok=True)
        for path, name in copied.items():
            shutil.copyfile(path, os.path.join(folder, name))
        logging.info("Assets written to: %s", folder)

    @staticmethod
    def _saver(saver):
        if saver is not None:
            return saver
        saveables = variables.global_variables() + graph_lib.get_collection(GraphKeys.SAVEABLE_OBJECTS)
        return saver_lib.Saver(saveables, sharded=True, write_version=2, allow_empty=True)

    def _add(self, saver, tags, signature_def_map, clear_devices, strip_default_attrs):
        meta = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        meta.meta_info_def.tags.extend(tags)
        for key, signature in signature_def_map.items():
            meta.signature_def[key].CopyFrom(signature)
        for asset in graph_lib.get_collection(FILES["ASSETS_KEY"]):
            meta.asset_file_def.append(asset.message)
        self._saved_model.meta_graphs.append(meta)

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False,
                       main_op=None, strip_default_attrs=False, saver=None, **_):
        if not self._has_saved_variables:
            raise AssertionError("Graph state including variables and assets has not been saved yet. Please invoke "
                                 "`add_meta_graph_and_variables()` first.")
        signature_def_map = signature_def_map or {}
        self._prepare(signature_def_map, assets_collection, main_op if main_op is not None else legacy_init_op)
        self._add(self._saver(saver), tags, signature_def_map, clear_devices, strip_default_attrs)

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None,
                                     clear_devices=False, main_op=None, strip_default_attrs=False, saver=None, **_):
        if self._has_saved_variables:
            raise AssertionError("Graph state including variables and assets has already been saved. Please invoke "
                                 "`add_meta_graph()` instead.")
        signature_def_map = signature_def_map or {}
        with sess.graph.as_default():
            self._prepare(signature_def_map, assets_collection, main_op if main_op is not None else legacy_init_op)
            folder = os.path.join(self._export_dir, FILES["VARIABLES_DIRECTORY"])
            os.makedirs(folder, exist_ok=True)
            saver = self._saver(saver)
            saver.save(sess, os.path.join(folder, FILES["VARIABLES_FILENAME"]), write_meta_graph=False, write_state=False)
            self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def save(self, as_text=False):
        """Writes the file; returns its path as bytes."""
        name = FILES["SAVED_MODEL_FILENAME_PBTXT" if as_text else "SAVED_MODEL_FILENAME_PB"]
        path = os.path.join(self._export_dir, name)
        data = proto_text.to_text(self._saved_model).encode() if as_text else self._saved_model.SerializeToString()
        temporary = path + ".tmp%d" % os.getpid()
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        logging.info("SavedModel written to: %s", path)
        return path.encode()


class _Asset:
    """What stands in the collection of assets: a message; no collection of a MetaGraphDef holds it."""

    def __init__(self, message):
        self.message = message


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Saves the session's graph for serving."""
    signatures = {SIGNATURES["DEFAULT_SERVING_SIGNATURE_DEF_KEY"]: predict_signature_def(inputs, outputs)}
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(session, tags=[TAGS["SERVING"]], signature_def_map=signatures,
                                         assets_collection=graph_lib.get_collection(GraphKeys.ASSET_FILEPATHS),
                                         main_op=legacy_init_op, clear_devices=True)
    builder.save()


# -- reading

def _path(export_dir, name):
    return os.path.join(os.fsdecode(export_dir), FILES[name])


def maybe_saved_model_directory(export_dir):
    return os.path.exists(_path(export_dir, "SAVED_MODEL_FILENAME_PB")) or \
        os.path.exists(_path(export_dir, "SAVED_MODEL_FILENAME_PBTXT"))


def parse_saved_model(export_dir):
    """The SavedModel message of a folder."""
    path = _path(export_dir, "SAVED_MODEL_FILENAME_PB")
    if os.path.exists(path):
        with open(path, "rb") as file:
            return proto.SavedModel.FromString(file.read())
    path = _path(export_dir, "SAVED_MODEL_FILENAME_PBTXT")
    if os.path.exists(path):
        with open(path, "r", encoding="utf-8") as file:
            return proto_text.parse(file.read(), proto.SavedModel())
    raise IOError("SavedModel file does not exist at: %s/{%s|%s}" % (
        export_dir, FILES["SAVED_MODEL_FILENAME_PBTXT"], FILES["SAVED_MODEL_FILENAME_PB"]))


def _find(saved_model, tags):
    found = [set(meta.meta_info_def.tags) for meta in saved_model.meta_graphs]
    if set(tags) in found:
        return saved_model.meta_graphs[found.index(set(tags))]
    raise RuntimeError("MetaGraphDef associated with tags " + str(list(tags)).strip("[]") + " could not be found in SavedModel."
                       " To inspect available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`"
                       "\navailable_tags: %s" % found)


class SavedModelLoader:
    """A SavedModel's graph, then its values, into a graph and a session."""

    def __init__(self, export_dir):
        self._export_dir = os.fsdecode(export_dir)
        self._saved_model = parse_saved_model(export_dir)

    export_dir = property(lambda self: self._export_dir)
    saved_model = property(lambda self: self._saved_model)

    def get_meta_graph_def_from_tags(self, tags):
        return _find(self._saved_model, tags)

    def load_graph(self, graph, tags, import_scope=None, **_):
        """Adds the graph; returns its Saver and its return elements."""
        meta = _find(self._saved_model, tags)
        with graph.as_default():
            return importer.import_meta_graph(meta, import_scope=import_scope), None

    def restore_variables(self, sess, saver, import_scope=None):
        prefix = os.path.join(self._export_dir, FILES["VARIABLES_DIRECTORY"], FILES["VARIABLES_FILENAME"])
        with sess.graph.as_default():
            if saver is None:
                logging.info("The specified SavedModel has no variables; no checkpoints were restored.")
            else:
                saver.restore(sess, prefix)

    def run_init_ops(self, sess, tags, import_scope=None):
        meta = _find(self._saved_model, tags)
        with sess.graph.as_default():
            feeds = {variables.prepend_name_scope(asset.tensor_info.name, import_scope): os.path.join(
                self._export_dir, FILES["ASSETS_DIRECTORY"], asset.filename) for asset in meta.asset_file_def}
            for key in (FILES["MAIN_OP_KEY"], FILES["LEGACY_INIT_OP_KEY"]):
                names = meta.collection_def[key].node_list.value if key in meta.collection_def else []
                if len(names) > 1:
                    raise RuntimeError("Expected exactly one SavedModel init op. Found: %s" % list(names))
                if names:
                    sess.run(variables.prepend_name_scope(names[0], import_scope), feeds)
                    return

    def load(self, sess, tags, import_scope=None, **keywords):
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **keywords)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return _find(self._saved_model, tags)


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Loads the graph with those tags into a session; returns its MetaGraphDef."""
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class _Predictor:
    """tf.contrib.predictor: a signature as a function."""

    graph = property(lambda self: self._graph)
    session = property(lambda self: self._session)
    feed_tensors = property(lambda self: self._feeds)
    fetch_tensors = property(lambda self: self._fetches)

    def __repr__(self):
        return "{} with feed tensors {} and fetch_tensors {}".format(type(self).__name__, self._feeds, self._fetches)

    def __call__(self, input_dict):
        unknown = set(input_dict) - set(self._feeds)
        if unknown:
            raise ValueError("Got unexpected keys in input_dict: {}\nexpected: {}".format(unknown, set(self._feeds)))
        return self._session.run(self._fetches, {self._feeds[k]: v for k, v in input_dict.items() if v is not None})

    def _take(self, signature_def):
        self._feeds = {k: self._graph.get_tensor_by_name(v.name) for k, v in signature_def.inputs.items()}
        self._fetches = {k: self._graph.get_tensor_by_name(v.name) for k, v in signature_def.outputs.items()}


class CoreEstimatorPredictor(_Predictor):
    """Of an estimator's last checkpoint."""

    def __init__(self, estimator, serving_input_receiver_fn, output_key=None, graph=None, config=None):
        from ..sessions.monitored_session import ChiefSessionCreator, MonitoredSession
        self._graph = graph or graph_lib.Graph()
        with self._graph.as_default():
            receiver = serving_input_receiver_fn()
            outputs = estimator._call_model_fn(receiver.features, None, "infer").export_outputs
            key = SIGNATURES["DEFAULT_SERVING_SIGNATURE_DEF_KEY"] if output_key is None else output_key
            if outputs.get(key) is None:
                raise KeyError("output_key must be one of {}; got {}".format(outputs.keys(), key))
            signature = outputs[key].signature(receiver.receiver_tensors)
            self._session = MonitoredSession(session_creator=ChiefSessionCreator(
                config=config, checkpoint_dir=estimator.model_dir))
        self._take(signature)


class SavedModelPredictor(_Predictor):

    def __init__(self, export_dir, signature_def_key=None, signature_def=None, input_names=None, output_names=None,
                 tags=None, graph=None, config=None):
        from ..sessions.session import Session
        self._graph = graph or graph_lib.Graph()
        with self._graph.as_default():
            self._session = Session(config=config)
            meta = load(self._session, (tags or "serve").split(","), export_dir)
        if signature_def is None and input_names is None:
            key = signature_def_key or SIGNATURES["DEFAULT_SERVING_SIGNATURE_DEF_KEY"]
            # TF: asking the map makes a signature of nothing where there is none.
            signature_def = meta.signature_def[key]
        if signature_def is not None:
            self._take(signature_def)
        else:
            self._feeds = {k: self._graph.get_tensor_by_name(v) for k, v in input_names.items()}
            self._fetches = {k: self._graph.get_tensor_by_name(v) for k, v in output_names.items()}


def install(tf, submodule):
    """tf.saved_model and what lies below it."""
    builders = {"SavedModelBuilder": SavedModelBuilder}
    loaders = {"load": load, "maybe_saved_model_directory": maybe_saved_model_directory}
    utils = {"build_tensor_info": build_tensor_info, "get_tensor_from_tensor_info": get_tensor_from_tensor_info}
    signatures = {f.__name__: f for f in (build_signature_def, predict_signature_def, regression_signature_def,
                                          classification_signature_def, is_valid_signature)}

    def main_op():
        return tf.group(tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer())

    def main_op_with_restore(restore_op_name):
        with tf.control_dependencies([main_op()]):
            return tf.group(restore_op_name)
    mains = {"main_op": main_op, "main_op_with_restore": main_op_with_restore}
    parts = {"builder": builders, "loader": loaders, "utils": utils, "signature_def_utils": signatures,
             "constants": FILES, "signature_constants": SIGNATURES, "tag_constants": TAGS, "main_op": mains}
    top = dict(builders, **loaders, **utils, **signatures, **FILES, **SIGNATURES, **TAGS, simple_save=simple_save,
               contains_saved_model=maybe_saved_model_directory, Builder=SavedModelBuilder,
               main_op_with_restore=main_op_with_restore)
    submodule("saved_model", **top)
    for name, members in parts.items():
        submodule("saved_model." + name, **members)
    tf.saved_model.loader.SavedModelLoader = SavedModelLoader
    submodule("contrib.predictor", from_saved_model=SavedModelPredictor, from_estimator=CoreEstimatorPredictor)

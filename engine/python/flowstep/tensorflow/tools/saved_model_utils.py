# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tensorflow.python.tools.saved_model_utils: what a saved model has, without loading it."""

from ..saving.saved_models import parse_saved_model as read_saved_model


def get_saved_model_tag_sets(saved_model_dir):
    return [list(meta.meta_info_def.tags) for meta in read_saved_model(saved_model_dir).meta_graphs]


def get_meta_graph_def(saved_model_dir, tag_set):
    """The graph whose tags, separated by commas, are these and no other."""
    wanted = set(tag_set.split(","))
    for meta in read_saved_model(saved_model_dir).meta_graphs:
        if set(meta.meta_info_def.tags) == wanted:
            return meta
    raise RuntimeError("MetaGraphDef associated with tag-set " + tag_set + " could not be found in SavedModel")

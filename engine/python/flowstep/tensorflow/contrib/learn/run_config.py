# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.contrib.learn.RunConfig: tf.estimator's, with the session's settings of before."""

from ...estimators.estimator import RunConfig as _RunConfig
from ...framework import proto

_EVERY_TEN_MINUTES = 600


class TaskType:
    MASTER, PS, WORKER = "master", "ps", "worker"


class RunConfig(_RunConfig):
    _USE_DEFAULT = 0
    task_type = None
    num_worker_replicas = 0

    def __init__(self, master=None, num_cores=0, log_device_placement=False, gpu_memory_fraction=1, tf_random_seed=None,
                 save_summary_steps=100, save_checkpoints_secs=_USE_DEFAULT, save_checkpoints_steps=None,
                 keep_checkpoint_max=5, keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, protocol=None,
                 evaluation_master="", model_dir=None, session_config=None, session_creation_timeout_secs=7200):
        if save_checkpoints_secs == self._USE_DEFAULT:
            save_checkpoints_secs = _EVERY_TEN_MINUTES if save_checkpoints_steps is None else None
        # Both may be asked for here, so neither goes through the check of tf.estimator's.
        super().__init__(model_dir, tf_random_seed, save_summary_steps, session_config=session_config,
                         keep_checkpoint_max=keep_checkpoint_max,
                         keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
                         log_step_count_steps=log_step_count_steps, protocol=protocol,
                         session_creation_timeout_secs=session_creation_timeout_secs)
        self.save_checkpoints_secs, self.save_checkpoints_steps = save_checkpoints_secs, save_checkpoints_steps
        self.master, self.evaluation_master = master or "", evaluation_master
        self.tf_config = proto.ConfigProto(log_device_placement=log_device_placement, inter_op_parallelism_threads=num_cores,
                                           intra_op_parallelism_threads=num_cores)
        self.tf_config.gpu_options.per_process_gpu_memory_fraction = gpu_memory_fraction

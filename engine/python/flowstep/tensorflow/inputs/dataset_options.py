# Copyright 2026 The Flowstep developers
# SPDX-License-Identifier: Apache-2.0
"""tf.data.Options and the options within them: each of a type, put together when datasets are."""


class OptionsBase:
    """What was set of the options that a class has."""

    def __init__(self):
        object.__setattr__(self, "_options", {})

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in set(self._options) | set(other._options))

    __hash__ = None

    def __setattr__(self, name, value):
        if not hasattr(self, name):
            raise AttributeError("Cannot set the property %s on %s." % (name, type(self).__name__))
        object.__setattr__(self, name, value)


def _option(name, kind, start=lambda: None):
    def get(self):
        if name not in self._options:
            self._options[name] = start()
        return self._options[name]

    def put(self, value):
        if not isinstance(value, kind):
            raise TypeError('Property "%s" must be of type %s, got: %r (type: %r)' % (name, kind, value, type(value)))
        self._options[name] = value
    return property(get, put)


def _options(kind, names):
    return {name: _option(name, kind) for name in names.split()}


def merged(first, second):
    """What both say."""
    if not isinstance(second, type(first)):
        raise TypeError("Incompatible options type: %r vs %r" % (type(second), type(first)))
    start, result = type(first)(), type(first)()
    for options in (first, second):
        for name in options._options:
            known, given, default = (getattr(o, name) for o in (result, options, start))
            if given == default:
                continue
            if known == default:
                setattr(result, name, given)
            elif isinstance(known, OptionsBase):
                setattr(result, name, merged(known, given))
            elif known != given:
                raise ValueError("Cannot merge incompatible values (%r and %r) of option: %s" % (known, given, name))
    return result


class MapVectorizationOptions(OptionsBase):
    vars().update(_options(bool, "enabled use_choose_fastest"))


# What OptimizeDataset is told of where it was not told otherwise.
_DEFAULT = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")
_ASKED_FOR = """filter_fusion filter_with_random_uniform_fusion hoist_random_uniform map_and_batch_fusion
    map_and_filter_fusion map_fusion map_parallelization noop_elimination parallel_batch shuffle_and_repeat_fusion"""


class OptimizationOptions(OptionsBase):
    vars().update(_options(bool, "apply_default_optimizations autotune autotune_buffers " + _ASKED_FOR))
    vars().update(_options(int, "autotune_algorithm autotune_cpu_budget"))
    map_vectorization = _option("map_vectorization", MapVectorizationOptions, MapVectorizationOptions)

    def names(self):
        found = {name for name in _ASKED_FOR.split() if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            found.update(name for name in _DEFAULT if getattr(self, name) is not False)
        if self.map_vectorization.enabled:
            found.add("map_vectorization")
        if self.autotune is not False and self.autotune_buffers:
            found.add("inject_prefetch")
        return sorted(found)

    def settings(self):
        return ["map_vectorization:use_choose_fastest:%s" % ("true" if self.map_vectorization.use_choose_fastest else "false")]


class ThreadingOptions(OptionsBase):
    vars().update(_options(int, "max_intra_op_parallelism private_threadpool_size"))


class DistributeOptions(OptionsBase):
    auto_shard = _option("auto_shard", bool, lambda: True)
    _make_stateless = _option("_make_stateless", bool)
    num_devices = _option("num_devices", int)


class StatsAggregator:
    """Keeps what datasets measure."""

    def __init__(self):
        from ..framework.ops import apply_op
        self._resource = apply_op("StatsAggregatorHandle")

    def get_summary(self):
        from ..framework.ops import apply_op
        return apply_op("StatsAggregatorSummary", iterator=self._resource)


class StatsOptions(OptionsBase):
    aggregator = _option("aggregator", StatsAggregator)
    prefix = _option("prefix", str, str)
    counter_prefix = _option("counter_prefix", str, str)
    latency_all_edges = _option("latency_all_edges", bool)


class Options(OptionsBase):
    experimental_deterministic = _option("experimental_deterministic", bool)
    experimental_distribute = _option("experimental_distribute", DistributeOptions, DistributeOptions)
    experimental_optimization = _option("experimental_optimization", OptimizationOptions, OptimizationOptions)
    experimental_slack = _option("experimental_slack", bool)
    experimental_stats = _option("experimental_stats", StatsOptions, StatsOptions)
    experimental_threading = _option("experimental_threading", ThreadingOptions, ThreadingOptions)
    experimental_stateful_whitelist = _option("experimental_stateful_whitelist", list)

    def static_optimizations(self):
        found = self.experimental_optimization.names()
        for asked, name in ((self.experimental_deterministic is False, "make_sloppy"),
                            (self.experimental_stats.latency_all_edges, "latency_all_edges"),
                            (self.experimental_slack, "slack"),
                            (self.experimental_distribute._make_stateless, "make_stateless")):
            if asked:
                found.append(name)
        return found

    def static_settings(self):
        found = self.experimental_optimization.settings()
        if self.experimental_slack:
            found.append("slack:slack_period:%d" % (self.experimental_distribute.num_devices or 1))
        return found

    def merge(self, options):
        return merged(self, options)


NAMES = "DistributeOptions MapVectorizationOptions OptimizationOptions StatsAggregator StatsOptions ThreadingOptions".split()

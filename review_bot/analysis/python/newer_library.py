"""The names of the standard library that not every supported Python has, with the version that brought them.

Source: the libraries of Python 3.9 to 3.13, compared; "New in version" in their documentation.
"""

from __future__ import annotations

_SINCE = {
    9: {
        "asyncio": "to_thread",
        "functools": "cache",
        "graphlib": "",
        "importlib.resources": "as_file files",
        "math": "lcm nextafter ulp",
        "random": "randbytes",
        "typing": "Annotated",
        "zoneinfo": "",
    },
    10: {
        "contextlib": "AsyncContextDecorator aclosing",
        "dataclasses": "KW_ONLY",
        "importlib.metadata": "packages_distributions",
        "inspect": "get_annotations",
        "itertools": "pairwise",
        "statistics": "correlation covariance linear_regression",
        "sys": "orig_argv stdlib_module_names",
        "types": "EllipsisType NoneType NotImplementedType UnionType",
        "typing": "Concatenate ParamSpec TypeAlias TypeGuard is_typeddict",
    },
    11: {
        "asyncio": "Barrier Runner TaskGroup timeout timeout_at",
        "contextlib": "chdir",
        "datetime": "UTC",
        "enum": "EnumType FlagBoundary ReprEnum StrEnum global_enum member nonmember verify",
        "hashlib": "file_digest",
        "http": "HTTPMethod",
        "inspect": "getmembers_static",
        "logging": "getLevelNamesMapping",
        "math": "cbrt exp2",
        "operator": "call",
        "sys": "exception",
        "tomllib": "",
        "typing": (
            "LiteralString Never NotRequired Required Self TypeVarTuple Unpack assert_never assert_type"
            " dataclass_transform reveal_type"
        ),
    },
    12: {
        "asyncio": "create_eager_task_factory eager_task_factory",
        "collections.abc": "Buffer",
        "inspect": "markcoroutinefunction",
        "itertools": "batched",
        "logging": "getHandlerByName getHandlerNames",
        "math": "sumprod",
        "random": "binomialvariate",
        "sys": "monitoring",
        "types": "get_original_bases",
        "typing": "TypeAliasType override",
    },
    13: {
        "asyncio": "QueueShutDown",
        "copy": "replace",
        "glob": "translate",
        "os": "process_cpu_count",
        "queue": "ShutDown",
        "typing": "NoDefault ReadOnly TypeIs",
        "warnings": "deprecated",
    },
}

NEWER: dict[str, int] = {
    f"{module}.{name}" if name else module: minor
    for minor, modules in _SINCE.items()
    for module, names in modules.items()
    for name in names.split() or ("",)
}
"""Modules, and names in modules, with the minor version of the first Python 3 that has them."""

NEWER_ARGUMENTS: dict[str, dict[str, int]] = {
    "dataclasses.dataclass": {"kw_only": 10, "slots": 10},
    "zip": {"strict": 10},
}
"""Functions with arguments that an older Python rejects."""

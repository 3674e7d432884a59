"""The version of this release, read by the build, by ``--version`` and by every report."""

VERSION = "0.1.0"

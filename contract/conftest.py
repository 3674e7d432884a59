"""What every contract test needs, and the line of figures at the end."""

from __future__ import annotations

import pytest

from contract.description import Description, corrected, published
from contract.graphql_schema import Schema


@pytest.fixture(scope="session")
def description() -> Description:
    """GitHub's description of its REST API, with its known errors corrected."""
    return Description(corrected(published()))


@pytest.fixture(scope="session")
def schema() -> Schema:
    """GitHub's GraphQL schema."""
    return Schema()

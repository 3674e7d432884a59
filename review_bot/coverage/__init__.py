"""Which lines tests have run, from the reports that coverage tools write: Cobertura XML and LCOV."""

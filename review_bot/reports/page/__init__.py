"""The parts of ``report.html``: one page that needs no network and runs no script but its own."""

"""Paths, in a repository, of the files that say how to review it."""

CONFIG_PATHS = (".github/review-bot.yml", ".github/review-bot.yaml")
"""Where the configuration may be; both at once is an error."""

CONFIG_PATH = CONFIG_PATHS[0]
BASELINE_PATH = ".github/review-bot-baseline.json"

RULES_FOLDER = ".github/review-bot/rules"
"""The folder of a repository's own rules."""

CONTRACTS_FOLDER = ".github/review-bot/contracts"
"""The folder of a repository's own contracts of functions (docs/contracts.md)."""

OWN_FOLDERS = (RULES_FOLDER, CONTRACTS_FOLDER)

"""What a review is run with: the configuration file, the rules, and the settings that result from both."""

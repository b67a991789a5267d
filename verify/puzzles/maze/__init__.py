"""The maze without walls: its page, its statistics and its command."""

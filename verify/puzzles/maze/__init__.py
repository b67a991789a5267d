"""The maze without walls: reading, words and the page."""

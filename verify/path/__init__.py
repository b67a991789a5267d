"""The PATH referee as a command: explanations, pictures, cases."""

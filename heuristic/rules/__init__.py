"""The rule language: drawings, rule files and families, read and checked."""

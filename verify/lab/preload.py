"""Imported once by the process that workers are forked from: see `verify.lab.pool`."""

from verify.lab.worker import load

load()

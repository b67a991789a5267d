"""Imported once by the process that workers are forked from: see `verify.lab.jobs`."""

from verify.lab.worker import load

load()

"""Processes that share work: order, errors, and one that dies."""

import os
from time import sleep

import pytest

from verify.workers import WorkerError, each


def waited(tenths: int) -> tuple[int, int]:
    sleep(tenths / 10)
    return tenths, os.getpid()


def refused(number: int) -> int:
    raise ValueError(number)


def test_answers_come_in_the_order_of_the_items_from_several_processes() -> None:
    found = list(each(waited, [5, 1, 3, 2], 2, order=[1, 0, 2, 3]))
    assert [tenths for tenths, _ in found] == [5, 1, 3, 2]
    processes = {process for _, process in found}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_an_error_is_raised_here_and_a_dead_process_is_named() -> None:
    with pytest.raises(ValueError, match="7"):
        list(each(refused, [7], 2))
    with pytest.raises(WorkerError):
        list(each(os._exit, [1], 2))

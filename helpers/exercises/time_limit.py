"""A call that ends: after some seconds an error is raised inside it, wherever it is."""

import contextlib
import ctypes
import threading


class TooLong(BaseException):
    """Raised inside a call whose time is over; no `except Exception` keeps it from ending."""


def call_within(seconds, function, arguments):
    """Call a function, and stop it when its time is over.

    A signal would need the main thread and Unix; this works in any thread of CPython, but cannot end a
    single long step outside of Python, such as `time.sleep`, before it returns.

    Args:
        seconds: float.
        function, arguments: what to call, and the tuple to call it with.

    Returns:
        What the function returns.

    Raises:
        TooLong: its time was over; or what the function raises.
    """
    thread, over = threading.get_ident(), threading.Event()
    watch = threading.Thread(target=_interrupt, args=(thread, over, seconds), daemon=True)
    watch.start()
    try:
        try:
            return function(*arguments)
        finally:
            over.set()
    finally:
        over.set()  # if the error came while the line above was about to run
        watch.join()
        _raise_in(thread, None)  # one on its way goes


def _interrupt(thread, over, seconds):
    while not over.wait(seconds):
        _raise_in(thread, ctypes.py_object(TooLong))
        seconds = 0.05  # once more: a bare `except:` in a loop may have caught it


def _raise_in(thread, error):
    with contextlib.suppress(AttributeError):  # not CPython: without a limit
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)

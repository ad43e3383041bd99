"""A call that ends: after some seconds an error is raised inside it, wherever it is."""

import contextlib
import ctypes
import sys
import threading

from helpers.engine.languages import say

PATIENCE = 5.0  # seconds for a call to end after it was told to


class TooLong(BaseException):
    """Raised inside a call whose time is over; where a bare `except:` catches it, it comes again."""

    def __init__(self):
        """Raise it at the next line of every function that is running inside the call."""
        super().__init__()
        frame = sys._getframe(1)
        sys.settrace(lambda *_: None)  # what is called from now on goes undisturbed
        while frame and frame.f_code is not call_within.__code__:
            frame.f_trace = _raise_again
            frame = frame.f_back


def _raise_again(frame, event, argument):
    raise TooLong


def call_within(seconds, function, arguments):
    """Call a function, and stop it when its time is over.

    A signal would need the main thread and Unix; this works in any thread of CPython, but cannot end a
    single long step outside of Python, such as `time.sleep`, before it returns: it prints what to do then.

    Args:
        seconds: float.
        function, arguments: what to call, and the tuple to call it with.

    Returns:
        What the function returns.

    Raises:
        TooLong: its time was over; or what the function raises.
    """
    tracing, thread, over = sys.gettrace(), threading.get_ident(), threading.Event()
    watch = threading.Thread(target=_interrupt, args=(thread, over, seconds), daemon=True)
    watch.start()
    try:
        return function(*arguments)
    finally:
        if sys.gettrace() is not tracing:
            sys.settrace(tracing)
        over.set()
        watch.join()
        _raise_in(thread, None)  # one on its way goes


def _interrupt(thread, over, seconds):
    if over.wait(seconds):
        return
    _raise_in(thread, ctypes.py_object(TooLong))
    if not over.wait(PATIENCE):
        say(
            "파이썬 밖의 긴 계산(time.sleep 등) 하나가 끝나지 않습니다. 커널을 중단(Interrupt)하고, "
            "그래도 안 멈추면 다시 시작(Restart)하세요.",
            "One long step outside of Python (such as time.sleep) does not end. Interrupt the kernel, or "
            "restart it if that does not help.",
        )


def _raise_in(thread, error):
    with contextlib.suppress(AttributeError):  # not CPython: without a limit
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)

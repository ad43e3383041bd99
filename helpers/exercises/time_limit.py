"""A call that ends: after some seconds an error is raised inside it, wherever it is."""

import contextlib
import ctypes
import signal
import sys
import threading

GRACE = 0.5  # seconds in which Python code ends by itself; then the thread may be waiting for something


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

    This works in any thread of CPython. What waits outside of Python, such as `time.sleep`, is woken in the
    main thread of Unix; elsewhere it ends when it returns, as does a long step that computes.

    Args:
        seconds: float.
        function, arguments: what to call, and the tuple to call it with.

    Returns:
        What the function returns.

    Raises:
        TooLong: its time was over; or what the function raises.
    """
    tracing, thread, over = sys.gettrace(), threading.get_ident(), threading.Event()
    can_wake = thread == threading.main_thread().ident and hasattr(signal, "pthread_kill")
    watch = threading.Thread(target=_interrupt, args=(thread, over, seconds, can_wake), daemon=True)
    before = signal.signal(signal.SIGALRM, _wake) if can_wake else None
    watch.start()
    try:
        return function(*arguments)
    finally:
        if sys.gettrace() is not tracing:
            sys.settrace(tracing)
        over.set()
        watch.join()
        _raise_in(thread, None)  # one on its way goes
        if can_wake:
            signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


def _interrupt(thread, over, seconds, can_wake):
    if over.wait(seconds):
        return
    _raise_in(thread, ctypes.py_object(TooLong))
    while can_wake and not over.wait(GRACE):
        signal.pthread_kill(thread, signal.SIGALRM)


def _wake(number, frame):
    """Nothing: to run this, a call that waits comes back to Python, where the error is raised."""


def _raise_in(thread, error):
    with contextlib.suppress(AttributeError):  # not CPython: without a limit
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)

"""Results that are kept, so that the same question is answered once."""

import functools

CACHE_SIZE = 2**18  # results that an object remembers


def remembered(method):
    """A method of one argument whose results the object keeps in `self.cache`, which is emptied when full.

    Args:
        method: a function of self and a key that can be hashed.

    Returns:
        A method that computes each result once.
    """

    @functools.wraps(method)
    def look_up(self, key):
        cache = vars(self).setdefault("cache", {})
        if key not in cache:
            if len(cache) >= CACHE_SIZE:
                cache.clear()
            cache[key] = method(self, key)
        return cache[key]

    return look_up

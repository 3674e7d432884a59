import os
import sys


class Widget:
    def run(self, items=[], *, table: dict = dict(), other=None):
        first(items)
        second(items, key=1)
        if other == True:
            third(
                items,
                "café 😀",
            )
            fourth(other)
        x.load(items)  # a comment
        return None


café = x1 = [1, 2, 3]
camelCase = lambda a: a
TOTAL = sum(
    [4, 5],
)
numbers(10, 20, 30)
long_name(
    left,
    right,
)
one()
two()
three()
four()

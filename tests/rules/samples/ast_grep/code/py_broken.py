def broken(:
    first(x1

class Half
    def run(self, items=[]):
        first(items)

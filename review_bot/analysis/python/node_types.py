"""Types of nodes of a Python syntax tree that are handled alike, for ``isinstance`` and for annotations."""

import ast

Loop = ast.For | ast.AsyncFor | ast.While
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

LOOPS = (ast.For, ast.AsyncFor, ast.While)
EAGER_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
COMPREHENSIONS = (*EAGER_COMPREHENSIONS, ast.GeneratorExp)
MUTABLE_LITERALS = (ast.List, ast.Dict, ast.Set, *EAGER_COMPREHENSIONS)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)

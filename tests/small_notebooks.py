"""A small good notebook, and ways to break it."""

import copy
from pathlib import Path

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from notebook_parts import code_cells
from project import METADATA

PATH = Path(__file__).with_name("99_small.ipynb")  # where it would lie; it is never written here

PROSE = """## 9.1 왜 √d로 나누나 · Why divide by √d

<div lang="ko">

어텐션(attention)은 $QK^\\top$를 **64개** 값으로 나눕니다. [코드](test_rules.py)에 `<pad>`가 있습니다.

</div>
<div lang="en">

Attention divides $QK^\\top$ by **64** values. The [code](test_rules.py) has `<pad>`.

</div>"""
SOLUTION = """<details>
<summary>풀이 · Solution</summary>

```python
# a comment, not a title
x = 2 * 3 * 4
```

</details>"""


def small(*cells):
    """A good notebook: title, setup, prose, code with an output, a folded solution, then the cells given."""
    nb = new_notebook(metadata=copy.deepcopy(METADATA))
    nb.cells = [
        new_markdown_cell("# 99장. 작은 장 · Chapter 99. A small one\n\n<!-- colab -->"),
        new_code_cell("import math", metadata={"tags": ["setup"]}),
        new_markdown_cell(PROSE),
        new_code_cell("print(math.sqrt(4))", outputs=[new_output("stream", text="2.0\n")]),
        new_markdown_cell(SOLUTION),
        *cells,
    ]
    for n, (_, cell) in enumerate(code_cells(nb), start=1):
        cell.execution_count = n
    return nb


def prose(ko, en):
    return new_markdown_cell(f'<div lang="ko">\n\n{ko}\n\n</div>\n<div lang="en">\n\n{en}\n\n</div>')


def code(source="1", output="", name="stdout", **settings):
    return new_code_cell(
        source, outputs=[new_output("stream", name=name, text=output)] if output else [], **settings
    )


def tagged(source, *tags):
    return new_code_cell(source, metadata={"tags": list(tags)})


def changed(**attributes):
    """A good notebook with another attribute."""
    nb = small()
    for name, value in attributes.items():
        nb[name] = value
    return nb


def not_run(count):
    nb = small()
    nb.cells[3].execution_count = count
    return nb

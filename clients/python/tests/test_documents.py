"""The guide's page and the notebook do what they say."""

import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent.parent
GUIDE = HERE.parent.parent / "docs/python.md"


def test_the_snippets_of_the_guide_run_in_their_order(address, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ESPALIER_URL", address)
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    names: dict = {"__name__": "guide"}
    for snippet in snippets:
        exec(compile(snippet, GUIDE.name, "exec"), names)
    printed = capsys.readouterr().out
    assert len(snippets) == 7
    assert "success rate" in printed and "● #0" in printed and "success minus the first" in printed
    assert any((tmp_path / "rows").glob("data-*.jsonl.gz"))
    assert names["echo"].id == "echo"
    names["client"].close()


def test_the_notebook_shows_runs_a_comparison_and_a_tree(address, monkeypatch):
    monkeypatch.setenv("ESPALIER_URL", address)
    notebook = nbformat.read(HERE / "examples/first_search.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = {cell.id: cell.outputs[-1].data["text/html"] for cell in notebook.cells if cell.get("outputs")}
    assert re.search(r"succeeded · \d of 4 solved", shown["run"])
    assert shown["compare"].count("<tr>") == 3
    assert "model_calls" in shown["frame"]
    assert re.search(r"mcts · \d+ nodes", shown["tree"]) and "● #0" in shown["tree"]

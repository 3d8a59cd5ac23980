"""The guide's page and the notebook do what they say."""

import re
from pathlib import Path


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
    assert len(snippets) == 8
    assert "success rate" in printed and "● #0" in printed and "success minus the first" in printed
    assert any((tmp_path / "rows").glob("data-*.jsonl.gz"))
    assert names["echo"].id == "echo"
    names["client"].close()

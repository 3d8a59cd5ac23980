"""Figures of runs, with intervals, as notebooks show them."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from . import models
from ._optional import need
from .frames import polars_frame

if TYPE_CHECKING:
    import pandas
    import polars

SIMULATED = "Played by the simulated model: these numbers prove plumbing, not quality."


def format_estimate(estimate: models.Estimate | Any) -> str:
    """``0.65 [0.43, 0.82]``; without an interval where there are too few tasks, ``–`` without a mean."""
    if estimate is None or estimate.mean is None:
        return "–"
    interval = "" if estimate.ci is None else f" [{estimate.ci.lower:.2f}, {estimate.ci.upper:.2f}]"
    return f"{estimate.mean:.2f}{interval}"


def _shown(value: str | float | bool | None) -> str:
    if value is None:
        return "not set"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else json.dumps(value)


class Report(models.Report):
    """What one run came to, with every field of the API's report: ``report.success_rate.mean``."""

    @property
    def data(self) -> models.Report:
        return self

    def tasks_df(self) -> pandas.DataFrame:
        """One row for each task, by its id."""
        pandas = need("pandas", "frames")
        fields = list(models.TaskGroupReport.model_fields) if not self.tasks else list(type(self.tasks[0]).model_fields)
        return pandas.DataFrame([task.model_dump() for task in self.data.tasks], columns=fields).set_index(
            "task"
        )

    def to_pandas(self) -> pandas.DataFrame:
        return self.tasks_df()

    def to_polars(self) -> polars.DataFrame:
        """One row for each task."""
        rows = [task.model_dump() for task in self.data.tasks]
        return polars_frame(rows, rows[0] if rows else ["task"])

    def lines(self) -> list[tuple[str, str]]:
        data = self.data
        rows = [
            (
                "success rate",
                f"{format_estimate(data.success_rate)}, {data.success_rate.count} episodes of {data.success_rate.tasks} tasks",
            ),
            ("mean reward", format_estimate(data.reward)),
            ("progress rate", format_estimate(data.progress_rate)),
            ("calls", f"{data.usage.model_calls}"),
            ("tokens", f"{data.usage.input_tokens + data.usage.output_tokens}"),
            (
                "cost",
                "unknown: an endpoint has no prices"
                if data.usage.cost is None
                else f"${data.usage.cost:.4f}",
            ),
        ]
        if data.episodes.errored:
            rows.append(("errored", f"{data.episodes.errored} episodes, in no mean"))
        rows += [("warning", warning.message) for warning in data.answer_warnings]
        return rows + ([("note", SIMULATED)] if data.simulated else [])

    def __repr__(self) -> str:
        return "\n".join(f"{name:<14} {value}" for name, value in self.lines())

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in self.lines()
        )
        return f"<table>{rows}</table>"


class Comparison(models.Comparison):
    """Runs on the tasks that they share; differences are paired by task, against the first."""

    @property
    def data(self) -> models.Comparison:
        return self

    def to_df(self) -> pandas.DataFrame:
        """One row for each run: rates with the bounds of their intervals, cost, and the difference to the baseline."""
        pandas = need("pandas", "frames")
        return pandas.DataFrame([_comparison_row(run) for run in self.data.runs]).set_index("run")

    def passport_lines(self) -> list[str]:
        """The fields of the passports that differ: such runs must not be ranked together."""
        if not self.data.passport_differences:
            return []
        named = [
            f"  {each.field}: {', '.join(_shown(value) for value in each.values)}"
            for each in self.data.passport_differences
        ]
        return ["Other passports: do not rank these runs together. They differ in:", *named]

    def to_pandas(self) -> pandas.DataFrame:
        return self.to_df()

    def to_polars(self) -> polars.DataFrame:
        """The columns of :meth:`to_df`, with ``run`` as the first."""
        rows = [_comparison_row(run) for run in self.data.runs]
        return polars_frame(rows, rows[0] if rows else ["run"])

    def _table(self) -> list[list[str]]:
        head = ["run", "method", "success rate", "mean reward", "cost per success", "success minus the first"]
        rows = [
            [
                run.name or run.run,
                run.method,
                format_estimate(run.success_rate),
                format_estimate(run.reward),
                "–" if run.cost_per_success is None else f"${run.cost_per_success:.4f}",
                "–" if run.difference is None else format_estimate(run.difference.success_rate),
            ]
            for run in self.data.runs
        ]
        return [head, *rows]

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
        rows = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join([*self.passport_lines(), *rows])

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        head, *rows = self._table()
        top = "".join(f"<th style='text-align:left'>{escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        notes = "<br>".join(escape(line) for line in self.passport_lines())
        return (f"<p>{notes}</p>" if notes else "") + f"<table><tr>{top}</tr>{body}</table>"


def _comparison_row(run: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"run": run.run, "name": run.name, "method": run.method, "model": run.model}
    difference = None if run.difference is None else run.difference.success_rate
    for name, estimate in {
        "success_rate": run.success_rate,
        "reward": run.reward,
        "success_difference": difference,
    }.items():
        interval = None if estimate is None else estimate.ci
        row[name] = None if estimate is None else estimate.mean
        row[f"{name}_lower"] = None if interval is None else interval.lower
        row[f"{name}_upper"] = None if interval is None else interval.upper
    row["cost_per_success"] = run.cost_per_success
    return row

import type { Curve } from '../../../core/contracts/curve.ts'
import type { Comparison, GroupReport, Report } from '../../../core/contracts/report.ts'
import { comparedFigures, type FigureRow, namedFigures, spreadOf, toRows } from './figure-row.ts'

export function reportFigures(report: Report): FigureRow[] {
  const { run, usage } = report
  const about = { run, data: report.provenance.origin, simulated: Number(report.simulated) }
  const group = (scope: string) => (of: GroupReport) => {
    const { name, tasks, episodes, ...figures } = of
    return toRows({ ...about, scope, name }, { tasks, episodes, ...namedFigures(figures) })
  }
  return [
    ...toRows(
      { ...about, scope: 'run', name: '' },
      {
        ...namedFigures(figuresOf(report)),
        episodes: report.episodes.total,
        errored: report.episodes.errored,
        unparsable: report.unparsable,
        ...answerFigures(report.answers),
        model_calls: usage.model_calls,
        lost_calls: report.lost_calls,
        bound_calls: report.bounds?.model_calls ?? 0,
        bound_cost: report.bounds === undefined ? 0 : report.bounds.cost,
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens ?? 0,
        output_tokens: usage.output_tokens,
        reasoning_tokens: usage.reasoning_tokens ?? 0,
        cost: usage.cost,
      },
    ),
    ...(report.by_type ?? []).flatMap(group('type')),
    ...(report.by_difficulty ?? []).flatMap(group('difficulty')),
    ...(report.by_level ?? []).flatMap(group('level')),
    ...(report.scores ?? []).flatMap(({ kind: _, name, value, ...counts }) =>
      toRows({ ...about, scope: 'score', name }, { value, ...counts }),
    ),
    ...report.tasks.flatMap(({ task, type: _, ...figures }) =>
      toRows({ ...about, scope: 'task', name: task }, figures),
    ),
  ]
}

export function comparisonFigures({ runs, simulated }: Comparison): FigureRow[] {
  return runs.flatMap((run) => {
    const about = {
      run: run.run,
      name: run.name ?? '',
      data: run.provenance.origin,
      simulated: Number(simulated),
    }
    const rows = toRows({ ...about, scope: 'run' }, comparedFigures(run))
    if (run.difference === null) return rows
    const { sign_test, won_tasks: _won, lost_tasks: _lost, ...difference } = run.difference
    const { better, worse, p_value } = sign_test
    const named = { ...difference, better, worse, sign_test_p: p_value }
    return [...rows, ...toRows({ ...about, scope: 'difference' }, named)]
  })
}

export function curveFigures(curves: readonly Curve[]) {
  return curves.flatMap(({ run, name, method, model, over, points, provenance, simulated }) =>
    points.flatMap(({ budget, ended, success_rate, reward }) =>
      Object.entries({ success_rate, reward }).map(([metric, figure]) => ({
        run,
        name: name ?? '',
        method,
        model,
        over,
        budget,
        ended,
        metric,
        ...spreadOf(figure),
        data: provenance.origin,
        simulated: Number(simulated),
      })),
    ),
  )
}

function answerFigures(answers: Report['answers']) {
  if (answers === null) return {}
  const { total, cut, empty, filtered, refused, unparsable } = answers
  return {
    answers: total,
    answers_cut: cut,
    answers_empty: empty,
    answers_filtered: filtered,
    answers_refused: refused,
    answers_unparsable: unparsable,
  }
}

function figuresOf(report: Report) {
  const { success_rate, reward, progress_rate, grounding_accuracy, draws, invalid_actions } = report
  const { mean_steps, mean_path_length, mean_primitive_steps, mean_nodes, mean_model_calls } = report
  const { mean_tokens, mean_cached_tokens, mean_reasoning_tokens, mean_cost, mean_working_seconds } = report
  return {
    success_rate,
    reward,
    progress_rate,
    grounding_accuracy,
    draws,
    invalid_actions,
    mean_steps,
    mean_path_length,
    mean_primitive_steps,
    mean_nodes,
    mean_model_calls,
    mean_tokens,
    mean_cached_tokens,
    mean_reasoning_tokens,
    mean_cost,
    mean_working_seconds,
  }
}

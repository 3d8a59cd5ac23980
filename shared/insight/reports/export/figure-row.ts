import type { ComparedRun, Estimate, Figures } from '../../../core/contracts/report.ts'

/** One figure, as a line of a table for statistics programs: one observation a line, no cell with two numbers. */
export interface FigureRow {
  run: string
  scope: string
  name: string
  metric: string
  value: number | null
  stderr: number | null
  ci_lower: number | null
  ci_upper: number | null
  ci_method: string | null
  count: number | null
  tasks: number | null
  data: string
  /** 1 if the simulated model played, otherwise 0. */
  simulated: number
}

type Place = Pick<FigureRow, 'run' | 'scope' | 'name' | 'data' | 'simulated'>
type Spread = Omit<FigureRow, keyof Place | 'metric'>

export function spreadOf({ mean, stderr, ci, count, tasks }: Estimate): Spread {
  return {
    value: mean,
    stderr,
    ci_lower: ci?.lower ?? null,
    ci_upper: ci?.upper ?? null,
    ci_method: ci?.method ?? null,
    count,
    tasks,
  }
}

export function toRows(
  { data, simulated, ...place }: Place,
  figures: Record<string, Estimate | number | null>,
): FigureRow[] {
  const about = { data, simulated }
  return Object.entries(figures).map(([metric, figure]) => {
    if (typeof figure === 'object' && figure !== null)
      return { ...place, metric, ...spreadOf(figure), ...about }
    return { ...place, metric, ...spreadOf(unknown), value: figure, count: null, tasks: null, ...about }
  })
}

const unknown: Estimate = { mean: null, stderr: null, ci: null, count: 0, tasks: 0 }

export function namedFigures({ draws, invalid_actions, ...figures }: Figures) {
  const named: Record<string, Estimate | number | null> = { ...figures }
  for (const { k, pass_at_k, pass_hat_k, best_of_k } of draws) {
    named[`pass_at_${k}`] = pass_at_k
    named[`pass_hat_${k}`] = pass_hat_k
    named[`best_of_${k}`] = best_of_k
  }
  return { ...named, invalid_actions: invalid_actions.count, invalid_action_share: invalid_actions.share }
}

export function comparedFigures(run: ComparedRun): Record<string, Estimate | number | null> {
  const { success_rate, reward, mean_steps, mean_path_length, mean_model_calls, mean_tokens } = run
  const { mean_cost, cost_per_success, usage } = run
  return {
    success_rate,
    reward,
    mean_steps,
    mean_path_length,
    mean_model_calls,
    mean_tokens,
    mean_cost,
    cost_per_success,
    cost: usage.cost,
    learning_cost: run.learning.cost,
    on_front: run.on_front ? 1 : 0,
  }
}

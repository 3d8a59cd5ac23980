import type { Episode } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { markFront } from '../../core/contracts/mark-front.ts'
import type { Comparison, IntervalKind } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import { differingTerms, passportOf } from '../../core/engine/runs/passport-of.ts'
import { type IntervalMethod, withIntervals } from './bootstrap.ts'
import { differ } from './differ.ts'
import { differingSettings } from './differing-settings.ts'
import { foldRun, type RunFold } from './fold-run.ts'
import { summarizeTallies } from './summarize-tallies.ts'
import type { TaskTally } from './task-tally.ts'
import { unequalTerms } from './unequal-terms.ts'

export interface RunToCompare {
  run: Run
  episodes: AsyncIterable<Episode> | RunFold
}

type Side = Omit<Comparison['runs'][number], 'difference' | 'learning' | 'on_front'>

/**
 * Compares runs on the tasks they share, those on which every run has an episode with a reward. Nothing else enters
 * any figure, `usage` included, so that a run never costs more for having played more; earlier learning is a figure
 * of its own. The first run is the baseline: the others are compared with it by paired differences of their task
 * means. The higher share of successes wins a task, and if that is equal the higher mean reward.
 * @throws EspalierError `invalid_request` if the runs play different environments, or tasks of different data, and for
 * a bootstrap over too many tasks
 */
export async function compareRuns(
  compared: RunToCompare[],
  { interval, simulated }: { simulated: boolean; interval: IntervalKind },
): Promise<Comparison> {
  checkComparable(compared.map(({ run }) => run))
  const played: { run: Run; learning: Usage; tallies: RunFold['tallies'] }[] = []
  for (const { run, episodes } of compared) {
    const { learning, tallies } = 'tallies' in episodes ? episodes : await foldRun(episodes)
    played.push({ run, learning, tallies })
  }
  const [first] = played
  const shared = [...(first?.tallies.keys() ?? [])].filter((task) =>
    played.every(({ tallies }) => (tallies.get(task)?.scored ?? 0) > 0),
  )
  const sides = played.map(({ run, learning, tallies }) => ({
    run,
    learning,
    tallies: shared.flatMap((task) => tallies.get(task) ?? []),
  }))
  const [baseline] = sides
  const { described, differences } = await withIntervals(interval, (method) => ({
    described: sides.map((side) => describeSide(side.run, side.tallies, method)),
    differences: sides.map(({ tallies }, index) =>
      baseline === undefined || index === 0 ? null : differ(tallies, baseline.tallies, method),
    ),
  }))
  const front = markFront(
    described.map(({ mean_cost, success_rate }) => ({ cost: mean_cost.mean, quality: success_rate.mean })),
  )
  const requested = compared.map(({ run }) => run)
  const settings = differingSettings(requested)
  return {
    object: 'comparison',
    simulated,
    passport_differences: differingTerms(requested.map((run) => passportOf(run))),
    shared_tasks: shared.length,
    settings,
    warnings: unequalTerms(requested, settings),
    runs: sides.map(({ learning }, index) => ({
      ...(described[index] as Side),
      learning,
      on_front: front[index] === true,
      difference: differences[index] ?? null,
    })),
  }
}

function describeSide(run: Run, tallies: TaskTally[], interval: IntervalMethod): Side {
  return {
    run: run.id,
    name: run.request.name ?? null,
    method: run.request.method.id,
    model: `${run.request.model.endpoint}/${run.request.model.id}`,
    provenance: run.provenance,
    answer_warnings: run.answer_warnings,
    ...summarizeTallies(tallies, interval),
  }
}

/**
 * @throws EspalierError `invalid_request` for runs of different environments, or over different data: tasks of two
 * data packs may share their names, and are not the same
 */
export function checkComparable(runs: readonly Run[]): void {
  const environments = [...new Set(runs.map(({ request }) => request.environment))]
  if (environments.length > 1) {
    throw new EspalierError(
      'invalid_request',
      `The runs play different environments (${environments.join(', ')}), so they share no tasks. Compare runs of one.`,
      { param: 'runs' },
    )
  }
  const packs = [...new Set(runs.map(({ request }) => request.data ?? 'builtin'))]
  if (packs.length < 2) return
  throw new EspalierError(
    'invalid_request',
    `The runs play tasks of different data (${packs.join(', ')}), which may share names but not problems. Compare runs over one data pack.`,
    { param: 'runs' },
  )
}

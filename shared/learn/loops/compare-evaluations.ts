import type { LoopRequest } from '../../core/contracts/loop.ts'
import type { LoopDifference } from '../../core/contracts/loop-report.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { LoopPorts } from './loop-ports.ts'

export function erroredShare({ episodes }: Pick<Run, 'episodes'>): number {
  return episodes.total === 0 ? 0 : episodes.errored / episodes.total
}

type Bounds = Pick<LoopRequest, 'max_errored' | 'max_errored_difference'>

/**
 * Subtracts one evaluation from another, paired by task, without errored episodes. If many errored, or more in one
 * than in the other, the remaining tasks are a biased sample, and there is no number.
 */
export async function compareEvaluations(
  { reports, runs }: Pick<LoopPorts, 'reports' | 'runs'>,
  bounds: Bounds,
  { run, baseline }: { run: string; baseline: string },
): Promise<LoopDifference> {
  const [one, other] = await Promise.all([runs.get(run), runs.get(baseline)])
  const refused = whyRefused(bounds, one, other)
  if (refused !== null) return { ...noDifference, refused }
  const { runs: compared, shared_tasks, warnings } = await reports.compare([baseline, run])
  const difference = compared[1]?.difference ?? null
  if (difference === null || shared_tasks === 0) {
    return { ...noDifference, refused: 'No task has an episode with a reward in both evaluations.' }
  }
  return {
    tasks: shared_tasks,
    success_rate: difference.success_rate,
    reward: difference.reward,
    won: difference.sign_test.better,
    lost: difference.sign_test.worse,
    p_value: difference.sign_test.p_value,
    refused: null,
    warnings: warnings.map(({ message }) => message),
  }
}

const noDifference: LoopDifference = {
  tasks: 0,
  success_rate: null,
  reward: null,
  won: 0,
  lost: 0,
  p_value: null,
  refused: null,
  warnings: [],
}

function whyRefused(bounds: Bounds, ...runs: [Run, Run]): string | null {
  const [one, other] = runs.map(erroredShare) as [number, number]
  const highest = Math.max(one, other)
  const worst = runs[one >= other ? 0 : 1]
  const mend =
    'Mend what failed, play these episodes again (espalier retry RUN), and look at the report again.'
  if (highest > bounds.max_errored) {
    return `Not compared: ${percent(highest)} of the episodes of ${worst.id} errored, and at most ${percent(bounds.max_errored)} may (max_errored). ${mend}`
  }
  if (Math.abs(one - other) > bounds.max_errored_difference) {
    return `Not compared: ${percent(one)} of the episodes of ${runs[0].id} errored, and ${percent(other)} of ${runs[1].id}; they may differ by ${percent(bounds.max_errored_difference)} (max_errored_difference). ${mend}`
  }
  return null
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}

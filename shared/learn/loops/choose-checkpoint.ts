import type { Loop } from '../../core/contracts/loop.ts'
import { erroredShare } from './compare-evaluations.ts'
import type { LoopParts } from './loop-parts.ts'

export interface CheckpointChoice {
  step: number
  model: string
  why: string
}

/**
 * Chooses the checkpoint with the best result on the dev tasks, the last of equals. It leaves out evaluations with
 * too many errors.
 *
 * @returns null if there are no candidates: the end of the training is the model
 */
export async function chooseCheckpoint(
  { reports, runs }: Pick<LoopParts, 'reports' | 'runs'>,
  { request, rounds }: Pick<Loop, 'request' | 'rounds'>,
  round: number,
): Promise<CheckpointChoice | null> {
  const stages = rounds[round]?.stages ?? []
  const candidates = stages.flatMap((stage) => {
    if (stage.purpose !== 'candidate' || stage.kind !== 'evaluate') return []
    const step = Number(stage.id.replace('evaluate-step-', ''))
    const model = stages.find(({ id }) => id === `serve-step-${step}`)?.facts.model
    return typeof model === 'string' ? [{ step, model, run: stage.ref }] : []
  })
  const last = candidates.at(-1)
  if (last === undefined) return null
  const shares = await Promise.all(candidates.map(async ({ run }) => erroredShare(await runs.get(run))))
  const sound = candidates.filter((_, index) => (shares[index] as number) <= request.max_errored)
  const share = `more than ${Math.round(request.max_errored * 100)} % of their episodes errored`
  if (sound.length < 2) {
    const chosen = sound[0] ?? last
    return { ...chosen, why: `Not compared on the dev tasks: of the other checkpoints ${share}.` }
  }
  const { runs: compared } = await reports.compare(sound.map(({ run }) => run))
  const means = compared.map((each) => each[request.metric].mean ?? 0)
  const best = Math.max(...means)
  const chosen = sound[means.lastIndexOf(best)] ?? last
  const left =
    sound.length === candidates.length ? '' : ` (${candidates.length - sound.length} left out: ${share})`
  return {
    ...chosen,
    why: `The best of ${sound.length} checkpoints on the dev tasks${left}: ${request.metric} ${best.toFixed(3)}.`,
  }
}

import { EspalierError } from '../../core/contracts/errors.ts'
import type { RecordScores } from '../../core/contracts/scoring.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { endDigest } from '../../data/datasets/end-digest.ts'
import { findJudgeable } from './find-judgeable.ts'

const atOnce = 25

/**
 * The ends of a scorer's judgements, in their order.
 * @throws EspalierError with the position of an entry that is no episode, cannot be judged, or has come to another
 * end since
 */
export async function scoredEnds(
  runs: Pick<Runs, 'episode'>,
  run: string,
  judgements: RecordScores['judgements'],
): Promise<string[]> {
  const ends: string[] = []
  for (let start = 0; start < judgements.length; start += atOnce) {
    const some = judgements.slice(start, start + atOnce)
    ends.push(...(await Promise.all(some.map((judgement, at) => endOf(judgement, start + at)))))
  }
  return ends

  async function endOf({ end, episode }: RecordScores['judgements'][number], at: number): Promise<string> {
    const param = `judgements[${at}].episode`
    try {
      const present = endDigest(await findJudgeable(runs, run, episode))
      if (end === undefined || end === present) return present
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error
      throw new EspalierError(error.code, error.message, { param, cause: error })
    }
    throw new EspalierError(
      'conflict',
      `The episode ${episode} was played on since it was scored. Score it again.`,
      { param },
    )
  }
}

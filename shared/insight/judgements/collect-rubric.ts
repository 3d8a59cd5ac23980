import { type Episode, episodeId } from '../../core/contracts/episode.ts'
import type { ScorerIdentity } from '../../core/contracts/judgement.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { type RubricJudgement, rubricKeys } from '../../data/datasets/annotators/judge-rubric.ts'
import { readAttemptTask } from '../../data/datasets/attempt-task.ts'
import { readAnnotation } from '../../data/datasets/open-annotations.ts'
import type { NewJudgement } from './judgement-store.ts'

const mostRead = 200
const atOnce = 20

export interface CollectedRubric {
  judgements: NewJudgement[]
  read: number
}

/**
 * Collects the answers of the judge's run, from one of its episodes on up to the first that has not ended. Cancelled
 * episodes stay without a judgement.
 * @param from - the position of the first episode not read before
 */
export async function collectRubric(
  runs: Pick<Runs, 'episodes' | 'journal'>,
  scored: { run: string; name: string; by: ScorerIdentity; at: string },
  judgeRun: string,
  from: number,
): Promise<CollectedRubric> {
  const page = await runs.episodes(judgeRun, {
    limit: mostRead,
    ...(from > 0 && { after: episodeId(from - 1) }),
  })
  const open = page.data.findIndex(({ status }) => status === 'queued' || status === 'running')
  const ended = open < 0 ? page.data : page.data.slice(0, open)
  const judgements: NewJudgement[] = []
  for (let start = 0; start < ended.length; start += atOnce) {
    const some = ended
      .slice(start, start + atOnce)
      .map((episode) => judgementOf(runs, scored, judgeRun, episode))
    judgements.push(...(await Promise.all(some)).filter((judgement) => judgement !== null))
  }
  return { judgements, read: ended.length }
}

async function judgementOf(
  runs: Pick<Runs, 'journal'>,
  { at, by, name, run }: { run: string; name: string; by: ScorerIdentity; at: string },
  judgeRun: string,
  { id, result, task }: Episode,
): Promise<NewJudgement | null> {
  if (result === null || result.status === 'cancelled') return null
  const { episode } = readAttemptTask(task)
  const kept = readAnnotation(await runs.journal(judgeRun, id))
  const end = kept.get(rubricKeys.end)
  const judged = (kept.get(rubricKeys.judged) ?? null) as RubricJudgement | null
  const stored = { run, episode, name, node: null, by, at, end: typeof end === 'string' ? end : '' }
  if (result.status === 'succeeded' && judged !== null && 'value' in judged) {
    const { note, value } = judged
    return { ...stored, value, error: null, note: note === '' ? null : note }
  }
  const why =
    judged !== null && 'error' in judged ? judged.error : `The judge gave no answer: ${whyEnded(result)}`
  return { ...stored, value: null, error: clipText(why.toWellFormed(), 4000), note: null }
}

function whyEnded({ error, limit, status }: NonNullable<Episode['result']>): string {
  return (
    error?.message ??
    (limit === null ? `its episode ended as ${status}.` : `its episode met the limit ${limit}.`)
  )
}

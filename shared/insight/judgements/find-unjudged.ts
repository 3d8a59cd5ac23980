import type { RubricScoringRequest } from '../../core/contracts/rubric-scoring.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { endDigest } from '../../data/datasets/end-digest.ts'
import { listEpisodes } from '../reports/open-reports.ts'
import { isJudgeable } from './find-judgeable.ts'
import type { JudgementStore } from './judgement-store.ts'

export interface Unjudged {
  episodes: string[]
  total: number
  skipped: number
}

export async function findUnjudged(
  store: JudgementStore,
  runs: Pick<Runs, 'episodes'>,
  run: string,
  digest: string,
  { again, limit = Number.POSITIVE_INFINITY, name }: Pick<RubricScoringRequest, 'again' | 'limit' | 'name'>,
): Promise<Unjudged> {
  const known = new Map<string, string>()
  for await (const { by, end, episode, node, value } of store.read(run, { name, kind: 'scorer' })) {
    const isSame = node === null && by.kind === 'scorer' && by.digest === digest
    if (isSame && !(again && value === null)) known.set(episode, end)
  }
  const found: Unjudged = { episodes: [], total: 0, skipped: 0 }
  for await (const episode of listEpisodes(runs, run)) {
    if (found.total === limit) break
    if (!isJudgeable(episode)) continue
    found.total += 1
    if (known.get(episode.id) === endDigest(episode)) found.skipped += 1
    else found.episodes.push(episode.id)
  }
  return found
}

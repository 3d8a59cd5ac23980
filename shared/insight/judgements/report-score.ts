import type { Episode } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JudgeIdentity } from '../../core/contracts/judgement.ts'
import type { ScoreReport, ScoreReportQuery } from '../../core/contracts/scoring.ts'
import { didYouMean } from '../../core/contracts/validation/nearest-name.ts'
import { endDigest } from '../../data/datasets/end-digest.ts'
import { measureAgreement, type ScorePair } from './agreement.ts'
import { isJudgeable } from './find-judgeable.ts'
import type { JudgementStore } from './judgement-store.ts'
import { type EpisodeScore, readBook, type ScoreBook, ScoreTally } from './score-book.ts'

const mostErrors = 20

/**
 * The figures of one score of a run, with its agreement with the reward or with another score. It leaves out episodes
 * not played to an end.
 * @throws EspalierError `not_found` for a name without judgements
 */
export async function reportScore(
  store: JudgementStore,
  episodes: AsyncIterable<Episode>,
  asked: { run: string; name: string; query: ScoreReportQuery },
): Promise<ScoreReport> {
  const { name, query, run } = asked
  const { against, threshold } = query
  const kind = await kindOf(store, run, name, 'name')
  const book = await readBook(store, run, { name, by: kind === 'person' ? query.by : undefined })
  const reference = against === 'reward' ? null : await referenceBook(store, run, against)
  const tally = new ScoreTally()
  const pairs: ScorePair[] = []
  const first_errors: ScoreReport['first_errors'] = []
  for await (const episode of episodes) {
    if (!isJudgeable(episode)) continue
    const end = endDigest(episode)
    const score = book.at(episode.id, end)
    tally.add(episode.task, score)
    if ('error' in score && first_errors.length < mostErrors) {
      first_errors.push({ episode: episode.id, error: score.error })
    }
    const compared = reference === null ? episode.result.reward : valueIn(reference.at(episode.id, end))
    const positive =
      reference === null ? episode.result.success === true : compared !== null && compared >= threshold
    pairs.push({ score: valueIn(score), reference: compared, positive })
  }
  return {
    object: 'score_report',
    run,
    ...tally.figures({ kind, name }, 't'),
    agreement: {
      against,
      positive: reference === null ? 'the episode succeeded' : `${against} is at least ${threshold}`,
      ...measureAgreement(pairs, threshold),
    },
    first_errors,
  }
}

async function referenceBook(store: JudgementStore, run: string, name: string): Promise<ScoreBook> {
  await kindOf(store, run, name, 'against')
  return readBook(store, run, { name })
}

async function kindOf(
  store: JudgementStore,
  run: string,
  name: string,
  param: string,
): Promise<JudgeIdentity['kind']> {
  for await (const { by } of store.read(run, { name })) return by.kind
  const names = new Set(['reward'])
  for await (const judgement of store.read(run)) names.add(judgement.name)
  throw new EspalierError(
    'not_found',
    `Nothing was judged under "${name}" in ${run}.${didYouMean(name, names)} List its scores to see the names in use, or judge the run under this name.`,
    { param },
  )
}

function valueIn(score: EpisodeScore): number | null {
  return 'value' in score ? score.value : null
}

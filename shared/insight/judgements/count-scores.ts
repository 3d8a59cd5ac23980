import { endDigest } from '../../data/datasets/end-digest.ts'
import type { ScoreCounter } from '../reports/build-report.ts'
import { isJudgeable } from './find-judgeable.ts'
import type { JudgementStore, StoredJudgement } from './judgement-store.ts'
import { ScoreBook, ScoreTally } from './score-book.ts'

export async function countScores(store: JudgementStore, run: string): Promise<ScoreCounter> {
  const names = new Map<string, StoredJudgement[]>()
  for await (const judgement of store.read(run)) {
    const known = names.get(judgement.name)
    if (known === undefined) names.set(judgement.name, [judgement])
    else known.push(judgement)
  }
  const counted = [...names]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, judgements]) => ({
      name,
      kind: judgements[0]?.by.kind ?? ('person' as const),
      book: new ScoreBook(judgements),
      tally: new ScoreTally(),
    }))
  return {
    isEmpty: counted.length === 0,
    add(episode) {
      if (counted.length === 0 || !isJudgeable(episode)) return
      // The digest costs more than all other counting of a report.
      const end = counted.some(({ book }) => book.has(episode.id)) ? endDigest(episode) : ''
      for (const { book, tally } of counted) tally.add(episode.task, book.at(episode.id, end))
    },
    figures: (interval) => counted.map(({ tally, ...named }) => tally.figures(named, interval)),
  }
}

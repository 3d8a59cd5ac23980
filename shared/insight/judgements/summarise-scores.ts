import type { EpisodeJudgement, JudgeIdentity, ScoreSummary } from '../../core/contracts/judgement.ts'

interface Tally {
  kind: JudgeIdentity['kind']
  episodes: Set<string>
  steps: Set<string>
  errors: number
  judges: Map<string, { by: JudgeIdentity; judgements: number }>
}

export async function summariseScores(
  run: string,
  judgements: AsyncIterable<EpisodeJudgement>,
): Promise<ScoreSummary[]> {
  const tallies = new Map<string, Tally>()
  for await (const { by, episode, name, node, value } of judgements) {
    const tally = tallies.get(name) ?? emptyTally(by.kind)
    tallies.set(name, tally)
    if (value === null) tally.errors += 1
    else if (node === null) tally.episodes.add(episode)
    else tally.steps.add(`${episode}/${node}`)
    const judge = JSON.stringify(by.kind === 'person' ? [by.name] : [by.name, by.digest])
    const known = tally.judges.get(judge) ?? { by, judgements: 0 }
    tally.judges.set(judge, { by, judgements: known.judgements + 1 })
  }
  return [...tallies]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, { episodes, errors, judges, kind, steps }]) => ({
      id,
      object: 'score',
      run,
      kind,
      episodes: episodes.size,
      steps: steps.size,
      errors,
      judges: [...judges.values()],
    }))
}

function emptyTally(kind: Tally['kind']): Tally {
  return { kind, episodes: new Set(), steps: new Set(), errors: 0, judges: new Map() }
}

import { EspalierError } from '../../core/contracts/errors.ts'
import type {
  EpisodeJudgement,
  JudgeIdentity,
  JudgementFilter,
  JudgementRequest,
  ScoreSummary,
} from '../../core/contracts/judgement.ts'
import { type List, type ListQuery, toList } from '../../core/contracts/list.ts'
import type { RecordScores, ScoreReport, ScoreReportQuery } from '../../core/contracts/scoring.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { World } from '../../core/world/ports.ts'
import { endDigest } from '../../data/datasets/end-digest.ts'
import type { ScoreCounter } from '../reports/build-report.ts'
import { listEpisodes } from '../reports/open-reports.ts'
import { findJudgeable } from './find-judgeable.ts'
import { JudgementStore, judgementId, type StoredJudgement } from './judgement-store.ts'

const atOnce = 25

export interface JudgedPlace {
  run: string
  episode: string
  name: string
  node: number | null
  person: string
}

/**
 * The judgements of one tenant's runs. Each call throws an EspalierError `not_found` for an unknown run or episode.
 */
export interface Judgements {
  list(run: string, query: ListQuery & JudgementFilter): Promise<List<EpisodeJudgement>>
  scores(run: string): Promise<List<ScoreSummary>>
  /**
   * Stores a person's judgement, in place of an earlier one of hers.
   * @throws EspalierError `invalid_state` for an episode that has not been played to an end; `invalid_request` for an
   * unknown node; `conflict` if the name is a scorer's
   */
  judge(place: JudgedPlace, request: JudgementRequest): Promise<EpisodeJudgement>
  /**
   * Stores a scorer's results for episodes, in place of any scorer's earlier ones under the name.
   * @throws EspalierError as `judge` does, with the position in the list; `conflict` too if an episode has come to
   * another end
   */
  record(run: string, scores: RecordScores): Promise<EpisodeJudgement[]>
  /**
   * A score's mean, and its agreement with the reward or another score.
   * @throws EspalierError `not_found` for a name without judgements
   */
  report(run: string, name: string, query: ScoreReportQuery): Promise<ScoreReport>
  counter(run: string): Promise<ScoreCounter>
  /** Withdraws a person's judgement. @returns its id. @throws EspalierError `not_found` if there is none */
  withdraw(place: JudgedPlace): Promise<string>
}

export interface JudgementNeeds {
  world: Pick<World, 'clock' | 'ledger'>
  runs: Pick<Runs, 'episode' | 'episodes' | 'get'>
}

export function openJudgements({ runs, world }: JudgementNeeds): Judgements {
  const store = new JudgementStore(world.ledger)
  return {
    async list(run, { after, limit, ...filter }) {
      await runs.get(run)
      const found: EpisodeJudgement[] = []
      for await (const judgement of store.read(run, filter, after)) {
        if (found.length === limit) return toList(found, true)
        found.push(judgement)
      }
      return toList(found, false)
    },
    async scores(run) {
      await runs.get(run)
      return toList(await summariseScores(run, store.read(run)), false)
    },
    async judge({ episode: id, name, node, person, run }, { note = null, value }) {
      const episode = await findJudgeable(runs, run, id)
      if (node !== null && node >= episode.result.nodes) throw unknownNode(id, node, episode.result.nodes)
      const at = new Date(world.clock.now()).toISOString()
      const by = { kind: 'person' as const, name: person }
      const end = endDigest(episode)
      const judgement = { run, episode: id, name, node, by, value, error: null, note, at, end }
      const [stored] = await store.put([judgement])
      return stored as StoredJudgement
    },
    async record(run, { by, judgements, name }) {
      await runs.get(run)
      const at = new Date(world.clock.now()).toISOString()
      const ends = await scoredEnds(runs, run, judgements)
      const scored = judgements.map(({ episode, error = null, note = null, value }, index) => {
        return { run, episode, name, node: null, by, value, error, note, at, end: ends[index] ?? '' }
      })
      return store.put(scored)
    },
    async report(run, name, query) {
      await runs.get(run)
      const { reportScore } = await import('./report-score.ts')
      return reportScore(store, listEpisodes(runs, run), { run, name, query })
    },
    counter: async (run) => (await import('./count-scores.ts')).countScores(store, run),
    async withdraw({ episode, name, node, person, run }) {
      await runs.episode(run, episode)
      const id = judgementId({ by: { kind: 'person', name: person }, episode, name, node })
      if (await store.remove(run, id)) return id
      throw new EspalierError(
        'not_found',
        `There is no judgement "${name}" of ${episode}${node === null ? '' : `, node ${node},`} by ${person}. List the judgements of ${run} to see them all.`,
        { param: 'name' },
      )
    },
  }
}

function unknownNode(episode: string, node: number, nodes: number): EspalierError {
  const there = nodes < 2 ? 'It has no action to judge.' : `Those with actions are 1 to ${nodes - 1}.`
  return new EspalierError('invalid_request', `The episode ${episode} has no node ${node}. ${there}`, {
    param: 'node',
  })
}

/**
 * The ends of a scorer's judgements, in their order.
 * @throws EspalierError with the position of an entry that is no episode, cannot be judged, or has come to another
 * end since
 */
async function scoredEnds(
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

interface Tally {
  kind: JudgeIdentity['kind']
  episodes: Set<string>
  steps: Set<string>
  errors: number
  judges: Map<string, { by: JudgeIdentity; judgements: number }>
}

async function summariseScores(
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

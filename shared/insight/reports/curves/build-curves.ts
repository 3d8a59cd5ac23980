import type { BudgetKind, Curve, Curves } from '../../../core/contracts/curve.ts'
import type { Episode } from '../../../core/contracts/episode.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Run } from '../../../core/contracts/run.ts'
import type { JournalRecord } from '../../../core/engine/journal-record.ts'
import { seededRandom } from '../../../core/random/seeded-random.ts'
import { shuffled } from '../../../core/random/shuffled.ts'
import { type Cluster, estimateRate, estimateReward } from '../estimate.ts'
import { type AnswerSteps, answerAt, readAnswerSteps } from './answer-steps.ts'

export interface RunToRead {
  run: Run
  simulated: boolean
  episodes: AsyncIterable<Episode>
  journal: (episode: string) => Promise<readonly JournalRecord[]>
}

export interface CurveOptions {
  over: BudgetKind
  /** Maximum journals read, of all runs together; never more than 500 of one. @default 1000 */
  mostRead?: number
}

const mostOfOneRun = 500

const atOnce = 16

type Played = AnswerSteps & { task: string }

/**
 * Success and reward as functions of an episode's budget: at each budget, the answers of the episodes as if they had
 * stopped there. All runs at the same budgets and on the tasks that all of them scored. Journals are read a few at a
 * time, and only the changes of their answers are kept.
 * @throws EspalierError `invalid_request` for a curve over money if the run's endpoints state no prices
 */
export async function buildCurves(
  runs: readonly RunToRead[],
  { over, mostRead = 1000 }: CurveOptions,
): Promise<Omit<Curves, 'simulated'>> {
  const scored = await Promise.all(runs.map(({ episodes }) => listScored(episodes)))
  const most = Math.min(mostOfOneRun, Math.floor(mostRead / runs.length))
  const { shared, chosen } = chooseTasks(scored, most)
  const played: Played[][] = []
  for (const [index, run] of runs.entries()) {
    const episodes = chosen.flatMap((task) =>
      (scored[index]?.get(task) ?? []).slice(0, most).map((episode) => ({ task, episode })),
    )
    played.push(await readAll(run, episodes, over))
  }
  const budgets = chooseBudgets(played.flat())
  return {
    object: 'curves',
    over,
    shared_tasks: shared,
    curves: runs.map(({ run, simulated }, index) => {
      const counts = [...(scored[index]?.values() ?? [])]
      return {
        ...describeRun(run),
        simulated,
        over,
        episodes: {
          scored: counts.reduce((sum, { length }) => sum + length, 0),
          read: played[index]?.length ?? 0,
        },
        tasks: chosen.length,
        points: budgets.map((budget) => toPoint(played[index] ?? [], budget)),
      }
    }),
  }
}

type RunFacts = Pick<Curve, 'object' | 'run' | 'name' | 'method' | 'model' | 'provenance'>

function describeRun({ id, provenance, request }: Run): RunFacts {
  const model = `${request.model.endpoint}/${request.model.id}`
  const name = request.name ?? null
  return { object: 'curve', run: id, name, method: request.method.id, model, provenance }
}

async function listScored(episodes: AsyncIterable<Episode>): Promise<Map<string, string[]>> {
  const scored = new Map<string, string[]>()
  for await (const episode of episodes) {
    if (episode.purpose !== 'play' || (episode.result?.reward ?? null) === null) continue
    const known = scored.get(episode.task)
    if (known) known.push(episode.id)
    else scored.set(episode.task, [episode.id])
  }
  return scored
}

async function readAll(
  { run, journal }: RunToRead,
  episodes: readonly { task: string; episode: string }[],
  over: BudgetKind,
): Promise<Played[]> {
  const played: Played[] = []
  for (let start = 0; start < episodes.length; start += atOnce) {
    const read = episodes.slice(start, start + atOnce).map(async ({ task, episode }) => {
      const steps = readAnswerSteps(await journal(episode), over)
      if (steps === null) throw unreadable(run.id, episode, over)
      return { task, ...steps }
    })
    played.push(...(await Promise.all(read)))
  }
  return played
}

function toPoint(played: readonly Played[], budget: number): Curve['points'][number] {
  const successes = new Map<string, Cluster>()
  const rewards = new Map<string, Cluster>()
  let ended = 0
  for (const episode of played) {
    const { reward, success } = answerAt(episode, budget)
    add(successes, episode.task, success ? 1 : 0)
    add(rewards, episode.task, reward)
    if (episode.total <= budget) ended += 1
  }
  return {
    budget,
    success_rate: estimateRate(successes.values()),
    reward: estimateReward(rewards.values()),
    ended: ended / played.length,
  }
}

function add(clusters: Map<string, Cluster>, task: string, value: number): void {
  const { count, sum } = clusters.get(task) ?? { count: 0, sum: 0 }
  clusters.set(task, { count: count + 1, sum: sum + value })
}

function unreadable(run: string, episode: string, over: BudgetKind): EspalierError {
  if (over === 'cost') {
    const message = `What ${episode} of ${run} cost is not known, because an endpoint of the run states no prices. Take over=calls or over=tokens.`
    return new EspalierError('invalid_request', message, { param: 'over' })
  }
  return new EspalierError(
    'internal',
    `The journal of ${episode} of ${run} holds no tree, although it has a reward.`,
  )
}

/**
 * The budgets of curves: 1, 2, 5, 10, 20, 50 and so on, from the amount of an episode's first call up to that of the
 * dearest episode, which is the last. The series does not depend on the runs, so that curves of different runs meet.
 */
export function chooseBudgets(episodes: readonly { first: number; total: number }[]): number[] {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (const { first, total } of episodes) {
    if (first > 0) least = Math.min(least, first)
    most = Math.max(most, total)
  }
  if (episodes.length === 0) return []
  if (most === 0) return [0]
  const budgets: number[] = []
  for (let exponent = Math.floor(Math.log10(least)); 10 ** exponent < most; exponent += 1) {
    for (const digit of [1, 2, 5]) {
      // Read as text: 2 × 10⁻³ is not 0.002.
      const budget = Number(`${digit}e${exponent}`)
      if (budget < most) budgets.push(budget)
    }
  }
  const from = budgets.findLastIndex((budget) => budget <= least)
  return [...budgets.slice(Math.max(0, from)), most]
}

export type ScoredEpisodes = ReadonlyMap<string, readonly string[]>

/**
 * The tasks whose journals are read: those that every run has scored, or, if these are too many episodes, a seeded
 * sample of them. Tasks are drawn, not episodes, so that the runs stay on the same ones.
 * @param most maximum episodes of a run to read; one task is chosen however many it has
 */
export function chooseTasks(
  runs: readonly ScoredEpisodes[],
  most: number,
): { shared: number; chosen: string[] } {
  const [first, ...others] = runs
  const shared = [...(first?.keys() ?? [])].filter((task) => others.every((run) => run.has(task)))
  const chosen: string[] = []
  const taken = runs.map(() => 0)
  // Drawing ends with the first that is too many: continuing would prefer tasks with few episodes.
  for (const task of shuffled(shared.toSorted(), seededRandom('curve'))) {
    for (const [index, run] of runs.entries())
      taken[index] = (taken[index] ?? 0) + (run.get(task)?.length ?? 0)
    if (chosen.length > 0 && Math.max(...taken) > most) break
    chosen.push(task)
  }
  return { shared: shared.length, chosen: chosen.toSorted() }
}

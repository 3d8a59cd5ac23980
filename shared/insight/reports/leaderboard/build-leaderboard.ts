import type { AbilityWeights } from '../../../core/contracts/ability.ts'
import type {
  Leaderboard,
  LeaderboardEntry,
  LeaderboardRequest,
} from '../../../core/contracts/leaderboard.ts'
import { markFront } from '../../../core/contracts/mark-front.ts'
import { isRanked } from '../../../core/contracts/ranked-cells.ts'
import type { Estimate } from '../../../core/contracts/report.ts'
import type { RunToCompare } from '../compare-runs.ts'
import { differInSuccess } from '../differ.ts'
import { averageEstimates, noEstimate } from '../estimate.ts'
import { foldRun } from '../fold-run.ts'
import { correctByHolm } from '../holm.ts'
import { addTally, type TaskTally } from '../task-tally.ts'
import { describeAbilities } from './abilities.ts'
import { firstRunOf, groupByEntry, groupByEnvironment, labelsOf } from './group-runs.ts'
import { buildCell, type CellTallies, markComparable } from './leaderboard-cells.ts'

type Test = Leaderboard['tests'][number]

/**
 * Runs as methods × environments. Runs with equal settings in the same environment are one cell, their episodes at a
 * task one cluster. In each environment the cells that play the same tasks are compared: the set of tasks that most
 * cells have. Episodes without a reward, such as an error of the service, are in no rate and in no test. A cell with
 * a task without a reward is on no front, in no average and in no rank.
 */
export async function buildLeaderboard(
  played: readonly RunToCompare[],
  {
    selection,
    simulated,
    weights = new Map(),
  }: { selection: LeaderboardRequest; simulated: boolean; weights?: ReadonlyMap<string, AbilityWeights> },
): Promise<Leaderboard> {
  const runs = played.map(({ run }) => run)
  const entryGroups = groupByEntry(runs)
  const environmentGroups = groupByEnvironment(runs)
  const tallied: CellTallies[] = []
  for (const { run, episodes } of played) {
    const entry = entryGroups.find((group) => group.runs.includes(run))?.id ?? ''
    const environment = environmentGroups.find((group) => group.runs.includes(run))?.id ?? ''
    let cell = tallied.find((each) => each.entry === entry && each.environment === environment)
    if (cell === undefined) {
      cell = { entry, environment, runs: [], tallies: new Map(), errored: 0 }
      tallied.push(cell)
    }
    cell.runs.push(run)
    const fold = 'tallies' in episodes ? episodes : await foldRun(episodes)
    for (const [task, tally] of fold.tallies) {
      const known = cell.tallies.get(task)
      cell.tallies.set(task, known === undefined ? tally : addTally(known, tally))
    }
    cell.errored += fold.errored
  }
  const columns = environmentGroups.map((group) =>
    markComparable(tallied.filter(({ environment }) => environment === group.id)),
  )
  const cells = columns.flatMap(({ cells: marked }) => {
    const built = marked.map(buildCell)
    const front = markFront(
      built.map((cell) => ({
        cost: isRanked(cell) ? cell.mean_cost.mean : null,
        quality: cell.success_rate.mean,
      })),
    )
    return built.map((cell, at) => ({ ...cell, on_front: front[at] === true }))
  })
  const environmentLabels = labelsOf(environmentGroups, (group) => firstRunOf(group).request.environment)
  const entryLabels = labelsOf(entryGroups, (group) => firstRunOf(group).request.method.id)
  const environments = environmentGroups.map((group, at) => {
    const { provenance, request } = firstRunOf(group)
    const { id, settings } = group
    const label = environmentLabels[at] ?? request.environment
    const tasks = columns[at]?.tasks ?? 0
    return { id, label, environment: request.environment, provenance, settings, tasks }
  })
  const entries = entryGroups.map((group, at) => {
    const { request } = firstRunOf(group)
    return {
      id: group.id,
      label: entryLabels[at] ?? request.method.id,
      method: request.method.id,
      model: `${request.model.endpoint}/${request.model.id}`,
      settings: group.settings,
    }
  })
  const ranked = rank(withAverages(entries, environments, cells), cells)
  const abilities = describeAbilities({ cells, entries: ranked, environments }, weights)
  return {
    object: 'leaderboard',
    simulated,
    selection,
    entries: ranked,
    environments,
    cells,
    tests: testPairs(columns.map(({ cells: marked }) => marked.filter(({ comparable }) => comparable))),
    ...(abilities !== undefined && { abilities }),
  }
}

function testPairs(columns: readonly CellTallies[][]): Test[] {
  const tests = columns.flatMap((cells) =>
    cells.flatMap((cell, at) => cells.slice(at + 1).map((other) => testPair(cell, other))),
  )
  const corrected = correctByHolm(tests.map(({ p_value }) => p_value))
  return tests.map((test, at) => ({ ...test, adjusted_p: corrected[at] ?? null }))
}

function testPair(cell: CellTallies, other: CellTallies): Omit<Test, 'adjusted_p'> {
  const named = { environment: cell.environment, entry: cell.entry, against: other.entry }
  const own: TaskTally[] = []
  const rivals: TaskTally[] = []
  for (const tally of cell.tallies.values()) {
    const rival = other.tallies.get(tally.task)
    if (rival === undefined || rival.scored === 0 || tally.scored === 0) continue
    own.push(tally)
    rivals.push(rival)
  }
  if (own.length === 0) {
    return { ...named, shared_tasks: 0, success_rate: noEstimate, better: 0, worse: 0, p_value: null }
  }
  const { sign_test, success_rate } = differInSuccess(own, rivals, 't')
  return { ...named, shared_tasks: own.length, success_rate, ...sign_test }
}

function withAverages(
  entries: readonly Omit<LeaderboardEntry, 'average'>[],
  environments: Leaderboard['environments'],
  cells: Leaderboard['cells'],
): LeaderboardEntry[] {
  const averages = entries.map(({ id }) => {
    const own = environments.flatMap((environment) => {
      const cell = cells.find((each) => each.entry === id && each.environment === environment.id)
      return cell !== undefined && isRanked(cell) && cell.success_rate.mean !== null ? [cell] : []
    })
    if (own.length < environments.length) return null
    const costs = own.map(({ mean_cost }) => mean_cost.mean)
    const cost = costs.includes(null)
      ? null
      : costs.reduce<number>((sum, each) => sum + (each ?? 0), 0) / costs.length
    return { success_rate: averageEstimates(own.map(({ success_rate }) => success_rate)), mean_cost: cost }
  })
  const front = markFront(
    averages.map((average) => ({
      cost: average?.mean_cost ?? null,
      quality: average?.success_rate.mean ?? null,
    })),
  )
  return entries.map((entry, at) => {
    const average = averages[at] ?? null
    return { ...entry, average: average && { ...average, on_front: front[at] === true } }
  })
}

function rank(entries: LeaderboardEntry[], cells: Leaderboard['cells']): LeaderboardEntry[] {
  const qualityOf = ({ average, id }: LeaderboardEntry): [number, number] => [
    average?.success_rate.mean ?? -1,
    meanOf(cells.find((cell) => isRanked(cell) && cell.entry === id)?.success_rate),
  ]
  return entries.toSorted((left, right) => {
    const [one, two] = [qualityOf(left), qualityOf(right)]
    return two[0] - one[0] || two[1] - one[1]
  })
}

function meanOf(estimate: Estimate | undefined): number {
  return estimate?.mean ?? -1
}

import type { LeaderboardCell } from '../../../core/contracts/leaderboard.ts'
import { describeTerm, type Passport } from '../../../core/contracts/passport.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { differingTerms, digestTerms, passportOf } from '../../../core/engine/runs/passport-of.ts'
import { isFinal } from '../../../core/engine/runs/run-row.ts'
import { summarizeTallies } from '../summarize-tallies.ts'
import type { TaskTally } from '../task-tally.ts'

export interface CellTallies {
  entry: string
  environment: string
  runs: Run[]
  tallies: Map<string, TaskTally>
  errored: number
}

export type MarkedCell = CellTallies & { comparable: boolean; note: string | null }

/**
 * Marks the comparable cells of an environment: those that play the most common set of tasks, the largest of equally
 * common ones, and of these those with the most common passport.
 */
export function markComparable(cells: readonly CellTallies[]): { cells: MarkedCell[]; tasks: number } {
  const keys = cells.map(({ tallies }) => [...tallies.keys()].toSorted().join('\n'))
  const sets = new Map<string, number>()
  for (const key of keys) sets.set(key, (sets.get(key) ?? 0) + 1)
  const [usual] = [...sets].toSorted(
    ([left, leftCells], [right, rightCells]) => rightCells - leftCells || sizeOf(right) - sizeOf(left),
  )
  const chosen = usual?.[0] ?? ''
  const tasks = new Set(chosen.split('\n'))
  const usualPassport = mostCommonPassport(cells.filter((_, at) => keys[at] === chosen))
  return {
    tasks: sizeOf(chosen),
    cells: cells.map((cell, at) => {
      if (keys[at] !== chosen) return { ...cell, comparable: false, note: otherTasks(cell, tasks) }
      const stranger = cell.runs.find((run) => passportDigest(run) !== usualPassport?.digest)
      if (stranger !== undefined && usualPassport !== null) {
        return { ...cell, comparable: false, note: passportNote(stranger, usualPassport.run) }
      }
      return { ...cell, comparable: true, note: whatItLacks(cell) }
    }),
  }
}

// Of equally common passports, the first. Null: no cell.
function mostCommonPassport(cells: readonly CellTallies[]): { digest: string; run: Run } | null {
  const found = new Map<string, { digest: string; run: Run; cells: number }>()
  for (const { runs } of cells) {
    const [run] = runs
    if (run === undefined) continue
    const digest = passportDigest(run)
    const known = found.get(digest)
    if (known === undefined) found.set(digest, { digest, run, cells: 1 })
    else known.cells += 1
  }
  const [usual] = [...found.values()].toSorted((left, right) => right.cells - left.cells)
  return usual ?? null
}

export function buildCell(cell: MarkedCell): Omit<LeaderboardCell, 'on_front'> {
  const { comparable, entry, environment, errored, note, runs } = cell
  const tallies = [...cell.tallies.values()]
  const { mean_path_length: _, mean_steps: __, ...summary } = summarizeTallies(tallies)
  return {
    entry,
    environment,
    runs: runs.map(({ id, request }) => ({ run: id, name: request.name ?? null, seed: request.seed })),
    complete: runs.every(({ status }) => isFinal(status)),
    comparable,
    note,
    episodes: tallies.reduce((sum, { episodes }) => sum + episodes, 0),
    scored: tallies.reduce((sum, { scored }) => sum + scored, 0),
    errored,
    unscored_tasks: tallies.filter(({ scored }) => scored === 0).length,
    ...summary,
    answer_warnings: runs.flatMap(({ answer_warnings }) => answer_warnings),
  }
}

function sizeOf(key: string): number {
  return key === '' ? 0 : key.split('\n').length
}

function otherTasks({ tallies }: CellTallies, neighbours: ReadonlySet<string>): string {
  const shared = [...tallies.keys()].filter((task) => neighbours.has(task)).length
  return `Plays other tasks than its neighbours (${tallies.size}, of which ${shared} are among their ${neighbours.size}), and is not compared.`
}

function whatItLacks({ runs, tallies }: CellTallies): string | null {
  const going = runs.filter(({ status }) => !isFinal(status)).length
  const unscored = [...tallies.values()].filter(({ scored }) => scored === 0).length
  const words = [
    ...(going > 0 ? [`${going} of its runs ${going === 1 ? 'has' : 'have'} not ended`] : []),
    ...(unscored > 0
      ? [
          `${unscored} of ${tallies.size} tasks have no reward and are in no rate, so the cell is on no front, in no average and in no rank`,
        ]
      : []),
  ]
  return words.length === 0 ? null : `${words.join('; ')}.`
}

function passportDigest(run: Run): string {
  return digestTerms(rankedTerms(run))
}

// The fields in which a run differs, for the note of its cell.
function passportNote(run: Run, usual: Run): string {
  const differing = differingTerms([{ terms: rankedTerms(run) }, { terms: rankedTerms(usual) }])
  const fields = differing.map(
    ({ field, values: [own, other] }) =>
      `${field} is ${describeTerm(own)}, and ${describeTerm(other)} elsewhere`,
  )
  return `Has another passport: ${fields.join('; ')}.`
}

// The tasks of several runs may be one panel together, so a cell is compared by its played tasks.
function rankedTerms(run: Run): Passport['terms'] {
  const { tasks: _, ...terms } = passportOf(run).terms
  return terms
}

import { hash } from 'node:crypto'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { CommandError } from '../command-error.ts'
import { type Budget, shareBudget, usedBy } from './share-budget.ts'
import { type SweepCell, shorten } from './sweep-cells.ts'
import type { Sweep } from './sweep-file.ts'

export interface PlayedCell extends SweepCell {
  run: Run | null
}

export interface SweepPlay {
  client: Pick<ApiClient, 'createRun' | 'run' | 'runs' | 'changeRun'>
  sweep: Sweep
  cells: PlayedCell[]
  signal: AbortSignal
  onStart(cell: PlayedCell, run: Run): void | Promise<void>
  onEnd(cell: PlayedCell): void
  onLook(): void
  pause(): Promise<void>
}

/**
 * The cells with the runs that an earlier start created for them, even if relabelled since.
 * @throws CommandError if a cell was played with settings other than the file's
 */
export async function findCells(
  client: Pick<ApiClient, 'runs'>,
  sweep: Sweep,
  cells: readonly SweepCell[],
): Promise<PlayedCell[]> {
  const runs = new Map<string, Run>()
  for (let after: string | undefined; ; ) {
    const page = await client.runs({ limit: 1000, archived: 'any', 'metadata.sweep': sweep.name, after })
    for (const run of page.data) {
      const cell = run.request.metadata.sweep_cell ?? ''
      if (!runs.has(cell)) runs.set(cell, run)
    }
    if (!page.has_more || page.last_id === null) break
    after = page.last_id
  }
  return cells.map((cell) => {
    const run = runs.get(shorten(cell.name)) ?? null
    if (run === null || run.request.metadata.sweep_digest === cell.digest) return { ...cell, run }
    throw new CommandError(
      'sweep_changed',
      `${run.id} played "${cell.name}" with other settings than the file has now. Give the sweep another name, or the changed one a label of its own, or delete ${run.id} to play it again.`,
    )
  })
}

export function isGoing({ status }: Run): boolean {
  return status === 'queued' || status === 'running'
}

/**
 * Plays the cells that have no run, and resumes those paused at a cap that the budget now exceeds. It runs as many in
 * parallel as the sweep allows, until all have ended or the budget is used up.
 * @returns true if the budget kept cells from being played
 */
export async function playSweep(play: SweepPlay): Promise<boolean> {
  const { cells, client, signal, sweep } = play
  const raised = new Set<PlayedCell>()
  for (;;) {
    for (const cell of cells) if (cell.run !== null && isGoing(cell.run)) await look(play, cell)
    play.onLook()
    let isStopped = false
    while (!signal.aborted) {
      const going = cells.filter(({ run }) => run !== null && isGoing(run))
      if (going.length >= sweep.parallel) break
      const open = cells.filter(
        (cell) => cell.run === null || (isCapped(cell.run, sweep) && !raised.has(cell)),
      )
      const next = open.find(({ run }) => run === null) ?? open[0]
      if (next === undefined) break
      const places = Math.min(sweep.parallel - going.length, open.length)
      const caps = capsFor(play, next, places)
      if (caps === null) {
        isStopped = true
        break
      }
      if (next.run !== null) raised.add(next)
      next.run =
        next.run === null
          ? await begin(play, next, caps)
          : await client.changeRun(next.run.id, 'resume', { limits: caps })
      await play.onStart(next, next.run)
    }
    if (signal.aborted) return false
    if (!cells.some(({ run }) => run !== null && isGoing(run))) {
      return isStopped || cells.some(({ run }) => run !== null && isCapped(run, sweep))
    }
    await play.pause()
  }
}

async function look({ client, onEnd }: SweepPlay, cell: PlayedCell): Promise<void> {
  if (cell.run === null) return
  cell.run = await client.run(cell.run.id)
  if (!isGoing(cell.run)) onEnd(cell)
}

function capsFor({ cells, sweep }: SweepPlay, cell: PlayedCell, places: number): Budget | null {
  const others = cells.flatMap(({ run }) => run ?? [])
  const caps = shareBudget(sweep.budget, cell.run === null ? (sweep.run.limits ?? {}) : {}, {
    going: others.filter(isGoing),
    over: others.filter((run) => !isGoing(run)),
    places,
  })
  if (caps === null || cell.run === null) return caps
  const { run } = cell
  const own = sweep.run.limits ?? {}
  const raised: Budget = {}
  for (const field of ['cost', 'tokens'] as const) {
    const cap = caps[field]
    if (cap !== undefined)
      raised[field] = Math.min(cap + usedBy(run, field), own[field] ?? Number.POSITIVE_INFINITY)
  }
  return raised
}

function isCapped({ request, status, status_reason }: Run, { budget, run }: Sweep): boolean {
  if (status !== 'paused') return false
  const field = /^limits\.(cost|tokens) reached/.exec(status_reason ?? '')?.[1] as keyof Budget | undefined
  if (field === undefined || budget[field] === undefined) return false
  return (request.limits[field] ?? 0) < (run.limits?.[field] ?? Number.POSITIVE_INFINITY)
}

async function begin({ client, sweep }: SweepPlay, cell: SweepCell, caps: Budget): Promise<Run> {
  const limits = { ...sweep.run.limits, ...caps } as JsonObject
  const request = { ...cell.request, ...(Object.keys(limits).length > 0 && { limits }) }
  return client.createRun(request, `sweep/${hash('sha256', sweep.name).slice(0, 16)}/${cell.digest}`)
}

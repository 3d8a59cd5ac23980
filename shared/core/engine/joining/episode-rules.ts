import { isDeepStrictEqual } from 'node:util'
import { episodeResultSchema } from '../../contracts/episode.ts'
import { conditionsHold } from '../../world/apply-change.ts'
import type { LedgerChange, LedgerItem } from '../../world/ports.ts'
import { endName, toEndRow } from '../ends/end-row.ts'
import { mostDeaths } from '../episodes/blame-episode.ts'
import { type EpisodeRow, hasEnded } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import { isAlive } from '../workers.ts'
import { type CheckedChanges, hasOnly, type LedgerGuard, namesOnly, refusedTo } from './change-checks.ts'
import { isHeldBy } from './guarded-objects.ts'

const notes = ['last_problem', 'last_error', 'unplayable']
const claimed = [
  ...['status', 'worker', 'alone_with', 'deaths', 'attempt', 'starts', 'idle_starts', 'unplayable'],
  'last_problem',
]
const kept = [
  ...['status', 'worker', 'alone_with', 'deaths', 'death_waits', 'attempt', 'segments', 'idle_starts'],
  ...[
    'cut_turns',
    'storage_waits',
    'errors',
    'last_error',
    'last_problem',
    'restarted_by',
    'stays_with',
    'held',
  ],
]
const ended = [
  ...['status', 'worker', 'alone_with', 'deaths', 'death_waits', 'idle_starts'],
  ...['result', 'learned', 'ended'],
]

export async function checkEpisodeChanges(
  guard: LedgerGuard,
  changes: LedgerChange[],
): Promise<CheckedChanges> {
  const [first, second, third, ...more] = changes as [LedgerChange, LedgerChange?, LedgerChange?]
  const [family, run = '', part] = first.key.partition.split('/')
  const episode = first.key.sort
  const doing = `change the episode ${episode} of ${run}`
  await guard.book.checkTenant(run)
  if (!(await guard.book.hasEpisode(run, episode))) throw refusedTo(doing)
  const active = ledgerKeys.active(run, episode)
  if (part === 'active') {
    if (second !== undefined) throw refusedTo(doing)
    checkMark(first, doing)
    return changes
  }
  if (family !== 'run' || part !== 'episodes' || more.length > 0) throw refusedTo(doing)
  const row = (await guard.world.ledger.get(first.key)) as EpisodeRow | null
  if (row === null || !conditionsHold(row as unknown as LedgerItem, first.if))
    return { failed: 0, item: row as unknown as LedgerItem | null }
  hasOnly(first, ['set', 'if'], doing)
  const set = (first.set ?? {}) as Partial<EpisodeRow>
  if (second !== undefined && !isDeepStrictEqual(second.key, active)) throw refusedTo(doing)
  if (third !== undefined) {
    const isDeleted = isDeepStrictEqual(second, { key: active, delete: true })
    if (!isDeleted || !(await isEnd(guard, { run, episode, row, set }, third))) throw refusedTo(doing)
    checkHolds(first, row, doing)
    return changes
  }
  if (second !== undefined) checkMark(second, doing)
  await checkProgress(guard, { row, set, change: first, isAlone: second === undefined }, doing)
  return changes
}

function checkMark(change: LedgerChange, doing: string): void {
  hasOnly(change, ['set', 'if'], doing)
  namesOnly(change.set, ['queued_at'], doing)
}

async function checkProgress(
  guard: LedgerGuard,
  { row, set, change, isAlone }: ProgressToCheck,
  doing: string,
): Promise<void> {
  const isNote = Object.keys(set).every((name) => notes.includes(name))
  if (isNote && isAlone) return
  checkHolds(change, row, doing)
  if (set.worker === guard.worker.name) {
    namesOnly(set, claimed, doing)
    const { attempt, starts, idle_starts } = row
    const counts = set.starts === starts + 1 && set.idle_starts === idle_starts + 1
    const isNext = set.attempt === attempt || set.attempt === attempt + 1
    const isFree = set.alone_with === null || set.alone_with === guard.worker.name
    if (!isAlone || set.status !== 'running' || !counts || !isNext || !isFree) throw refusedTo(doing)
    if (!(await isClaimable(guard, row))) throw refusedTo(doing)
    return
  }
  namesOnly(set, kept, doing)
  const { attempt = row.attempt, status = row.status, worker = row.worker } = set
  const isReleased = status === 'queued' && worker === null
  const isKept = status === row.status && worker === row.worker
  const isNext = attempt === row.attempt || attempt === row.attempt + 1
  if (!isNext || !(isReleased || isKept)) throw refusedTo(doing)
  // Workers died of it, and it is left alone for a while.
  const isLeft = isReleased && isUnheld(row) && (await isClaimable(guard, row))
  if (!isHeldBy(row, guard.worker) && !isLeft) throw refusedTo(doing)
}

interface ProgressToCheck {
  row: EpisodeRow
  set: Partial<EpisodeRow>
  change: LedgerChange
  isAlone: boolean
}

function checkHolds({ if: conditions = [] }: LedgerChange, row: EpisodeRow, doing: string): void {
  const rests = (attribute: 'starts' | 'generation') =>
    conditions.some(
      (one) => one.is === 'equal' && one.attribute === attribute && one.value === row[attribute],
    )
  if (hasEnded(row) || !rests('starts') || !rests('generation')) throw refusedTo(doing)
}

function isUnheld({ deaths = [] }: EpisodeRow): boolean {
  return deaths.length >= mostDeaths - 1
}

async function isClaimable({ world, worker }: LedgerGuard, row: EpisodeRow): Promise<boolean> {
  return row.worker === null || row.worker === worker.name || !(await isAlive(world, row.worker))
}

async function isEnd(
  guard: LedgerGuard,
  { run, episode, row, set }: { run: string; episode: string; row: EpisodeRow; set: Partial<EpisodeRow> },
  end: LedgerChange,
): Promise<boolean> {
  const { data: result } = episodeResultSchema.safeParse(set.result)
  if (result === undefined || result.status === 'cancelled' || set.status !== result.status) return false
  if (result.status === 'errored' && result.reward !== null) return false
  const diedOf = result.status === 'errored' && isUnheld(row) && (await isClaimable(guard, row))
  if (!isHeldBy(row, guard.worker) && !diedOf) return false
  if (Object.keys(set).some((name) => !ended.includes(name)) || set.worker !== null) return false
  if (set.ended?.generation !== row.generation) return false
  const place = await guard.definitions.place(await guard.book.ownRun(run), row.index)
  const { generation } = row
  const wanted = toEndRow(episode, place, generation, { before: row.result, result: set.result as never })
  const named = endName(Number(end.key.sort.slice(0, 15)), wanted)
  const isNamed = isDeepStrictEqual(end.key, ledgerKeys.end(run, named))
  const isPlain = Object.keys(end).every((part) => part === 'key' || part === 'set')
  return isNamed && isPlain && isDeepStrictEqual(end.set, JSON.parse(JSON.stringify(wanted)))
}

import { episodeIndex } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import type { Steward } from '../ends/steward.ts'
import { Journal } from '../journal.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import type { WorkerLogs } from '../log/worker-logs.ts'
import type { Preflight } from '../preflight/preflight.ts'
import { momentOf } from '../runs/run-clock.ts'
import type { RunDefinition, RunDefinitions } from '../runs/run-definition.ts'
import { isOver, type RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'
import { diedByItself, isAlive } from '../workers.ts'
import { type DeathCounting, hasProgressed, mostDeaths, settleDeaths, toDeath } from './blame-episode.ts'
import type { ClaimedEpisode } from './conclude-episode.ts'
import { holds } from './end-episode.ts'
import { isIrreproducible } from './episode-error.ts'
import type { EpisodeMessage } from './episode-message.ts'
import type { EpisodePrograms } from './episode-program.ts'
import { type EpisodeRow, hasEnded, policyOf, requestOfEpisode } from './episode-row.ts'
import { isOfOthers, versionWait } from './other-versions.ts'
import { type GivenUpClaims, sendEpisode } from './release-episode.ts'

export interface ClaimOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  preflight: Preflight
  programs: Pick<EpisodePrograms, 'codeOf'>
  worker: string
  code: string
  deaths: DeathCounting
  /** The logs that its episodes share. @default each journal has objects of its own alone */
  logs?: WorkerLogs
  steward: Pick<Steward, 'tend'>
  givenUp: GivenUpClaims
}

const idleStartsBeforeAlone = 2

const lookAgainAfter = 60

const unseenDeath = 'It ended without a word.'

/**
 * Claims an episode for a worker, by compare-and-set. If it returns null the message has done its work: the episode
 * has ended, is played when its run is resumed or reaches it, or was sent again.
 * @param isAlone - whether this process plays nothing else
 * @returns null if there is nothing to play for this worker, or not yet
 */
export async function claimEpisode(
  options: ClaimOptions,
  message: EpisodeMessage,
  isAlone: boolean,
): Promise<ClaimedEpisode | null> {
  for (;;) {
    const claimed = await tryToClaim(options, message, isAlone)
    if (claimed !== 'raced') return claimed
  }
}

async function tryToClaim(
  options: ClaimOptions,
  message: EpisodeMessage,
  isAlone: boolean,
): Promise<ClaimedEpisode | null | 'raced'> {
  const { world, store, definitions, preflight, worker } = options
  const { run, episode } = message
  const key = ledgerKeys.episode(run, episode)
  const found = (await world.ledger.get(key)) as EpisodeRow | null
  if (!found) return null
  const runRow = await store.get(run)
  if (isOver(runRow) || found.generation !== runRow.generation) return null
  // Its worker may have died before the end was counted.
  if (hasEnded(found)) await options.steward.tend(run)
  if (hasEnded(found) || runRow.status === 'paused') return null
  if (found.worker !== null && found.worker !== worker && (await isAlive(world, found.worker))) {
    // This may be the very message that the other works on, and the only one there is.
    await sendEpisode(world, message, { delay: lookAgainAfter })
    return null
  }
  const staysWith = found.stays_with ?? null
  if (staysWith !== null && (await isOfOthers(options, staysWith, runRow.tenant))) {
    await sendEpisode(world, message, { delay: versionWait })
    return null
  }
  const definition = await definitions.get(runRow)
  const verdict = await preflight.before(runRow, definition.request)
  if (verdict === 'undecided') await sendEpisode(world, message, { delay: 1 })
  if (verdict !== 'passed') return null
  const attempt = nextAttempt(found)
  const earlier = await earlierDeaths(options, message, { ...found, attempt })
  if (earlier.length >= mostDeaths) {
    await settleDeaths(options, message, { ...found, deaths: earlier })
    return null
  }
  const isSuspect = found.idle_starts >= idleStartsBeforeAlone
  if (isSuspect && !isAlone && !(await hasProgressed(world, message, { ...found, attempt }))) {
    await sendEpisode(world, message, { queue: 'alone' })
    return null
  }
  const place = await definitions.place(runRow, episodeIndex(episode) ?? found.index)
  const set = {
    status: 'running',
    worker,
    alone_with: isAlone ? worker : null,
    deaths: earlier,
    attempt,
    starts: found.starts + 1,
    idle_starts: found.idle_starts + 1,
    unplayable: null,
    // Recorded by another worker, which may not be there to clear it.
    last_problem: null,
    ...(definition.rollout !== undefined && {
      policy: found.policy ?? policyOf(definition.rollout, definition.request),
    }),
  }
  const asFound = typeof found.alone_with === 'string' ? found.alone_with : null
  const unchanged = [{ attribute: 'alone_with', is: 'equal' as const, value: asFound ?? '' }]
  const claim = await world.ledger.update({
    key,
    set,
    if: [...holds(found), ...(asFound === null ? [] : unchanged)],
  })
  if (!claim.ok) return 'raced'
  const row = claim.item as EpisodeRow
  const code = playedCode(options, runRow, definition)
  const own = { ...definition, request: requestOfEpisode(definition.request, row) }
  const held = { run, place, claim: row, row, definition: own, code, isAlone, takenAt: world.clock.now() }
  try {
    const opened = await open(options, message, held)
    if (opened !== null) await startRun(options, run, runRow)
    return opened ?? 'raced'
  } catch (error) {
    throw await options.givenUp.giveUp(held, error)
  }
}

/** Opens the journal after the claim: if that crashes the process, it counts as a start like any other. */
async function open(
  { world, worker, logs }: ClaimOptions,
  { run, episode }: EpisodeMessage,
  held: Omit<ClaimedEpisode, 'journal'>,
): Promise<ClaimedEpisode | null> {
  const { code, row } = held
  const prefix = objectKeys.journal(run, episode, row.attempt)
  const tokens = objectKeys.tokens(run, episode, row.attempt)
  const writer = `${worker}/${row.starts}`
  const journal = await Journal.open({
    objects: world.objects,
    clock: world.clock,
    prefix,
    tokens,
    writer,
    code,
    ...(logs && { log: () => logs.of(run) }),
  })
  const { segments } = journal
  if (segments === row.segments) return { ...held, journal }
  const progress = segments > row.segments ? { idle_starts: 1, cut_turns: 0, deaths: [], death_waits: 0 } : {}
  const noted = await world.ledger.update({
    key: ledgerKeys.episode(run, episode),
    set: { ...progress, segments },
    if: holds(row),
  })
  return noted.ok ? { ...held, row: noted.item as EpisodeRow, journal } : null
}

function playedCode(
  { code, programs }: ClaimOptions,
  { purpose }: RunRow,
  { request }: RunDefinition,
): string {
  const outside = programs.codeOf?.(request, purpose) ?? null
  return outside === null ? code : `${code} ${outside}`
}

async function earlierDeaths(
  { world, worker, deaths: counting }: ClaimOptions,
  message: EpisodeMessage,
  found: EpisodeRow,
): Promise<NonNullable<EpisodeRow['deaths']>> {
  const { alone_with = null, deaths = [] } = found
  const isInferred = counting === 'inferred' && alone_with !== null && alone_with !== worker
  const hasDied = isInferred && !(await isAlive(world, alone_with)) && (await diedByItself(world, alone_with))
  if (deaths.length === 0 && !hasDied) return []
  if (await hasProgressed(world, message, found)) return []
  return hasDied ? [...deaths, toDeath(world, alone_with, unseenDeath)] : deaths
}

async function startRun({ store, world }: ClaimOptions, run: string, row: RunRow): Promise<void> {
  if (row.status !== 'queued') return
  await store.change(run, (now) =>
    now.status === 'queued' ? toStatus(now, 'running', null, momentOf(world.clock)) : null,
  )
}

/**
 * The attempt to play. If an earlier generation ended an attempt because the environment no longer reproduced its
 * journal, a retry would find the same: the next attempt starts from zero.
 */
function nextAttempt({ attempt, result }: EpisodeRow): number {
  const isVoid = result?.attempt === attempt && result.error !== null && isIrreproducible(result.error)
  return isVoid ? attempt + 1 : attempt
}

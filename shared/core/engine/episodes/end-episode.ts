import { type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import type { LedgerCondition, World } from '../../world/ports.ts'
import { endName, toEndRow } from '../ends/end-row.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { type LearnedParts, nothingLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'
import type { EpisodeRow } from './episode-row.ts'
import { publish, publishClaimed } from './publish-end.ts'

export type Claim = Pick<EpisodeRow, 'starts' | 'generation'>

export interface EpisodeToEnd {
  run: string
  place: EpisodePlace
  claim: Claim
}

/**
 * Ends an episode, once: its item, its marker and a new item for its run's counters change together or not at all,
 * and only while the claim holds, so that an end reported twice counts once. None of these items is shared with
 * another episode: a thousand can end in the same second. {@link Steward.tend} counts the end. Until then an earlier
 * end of the episode, its objects included, stays unchanged.
 * @param made - the episode's output for others, readable from this moment on, and the number of journal segments
 * behind the result (null: none, or all)
 * @returns whether this call ended it
 */
export async function endEpisode(
  world: World,
  { run, place, claim }: EpisodeToEnd,
  result: EpisodeResult,
  { parts = nothingLearned, segments = null }: { parts?: LearnedParts; segments?: number | null } = {},
): Promise<boolean> {
  const episode = episodeId(place.index)
  const key = ledgerKeys.episode(run, episode)
  const row = (await world.ledger.get(key)) as EpisodeRow | null
  if (row?.starts !== claim.starts || row.generation !== claim.generation) return false
  const { generation } = claim
  const toEnd = { run, place, claim }
  if (!(await publishClaimed(world, toEnd, objectKeys.result(run, episode, generation), result))) return false
  const end = toEndRow(episode, place, generation, { before: row.result, result })
  const { ok } = await world.ledger.transact([
    {
      key,
      set: { ...cleared, status: result.status, result, learned: parts, ended: { generation, segments } },
      if: holds(claim),
    },
    { key: ledgerKeys.active(run, episode), delete: true },
    { key: ledgerKeys.end(run, endName(world.clock.now(), end)), set: end },
  ])
  if (ok && generation > 1) await publish(world.objects, objectKeys.result(run, episode), result)
  return ok
}

const cleared = { worker: null, alone_with: null, deaths: [], death_waits: 0, idle_starts: 0 }

export function holds({ starts, generation }: Claim): LedgerCondition[] {
  return [
    { attribute: 'starts', is: 'equal', value: starts },
    { attribute: 'generation', is: 'equal', value: generation },
    { attribute: 'status', is: 'one_of', values: ['queued', 'running'] },
  ]
}

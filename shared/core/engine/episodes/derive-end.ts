import { episodeIndex } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { firstSegments, readJournal } from '../read-journal.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'
import type { EpisodePrograms } from './episode-program.ts'
import { type EpisodeRow, requestOfEpisode, showsEnd } from './episode-row.ts'
import { publish } from './publish-end.ts'

export interface DerivationOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  programs: EpisodePrograms
}

/**
 * Rewrites the tree and the trajectory of an ended episode from its journal, of which they are a pure function.
 * @returns the written keys; empty if the episode has not ended
 * @throws EspalierError `damaged_object` if the journal is damaged too
 */
export async function deriveEnd(
  { world, store, definitions, programs }: DerivationOptions,
  { run, episode }: { run: string; episode: string },
): Promise<string[]> {
  const row = (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  if (row === null || !showsEnd(row)) return []
  const { generation, segments } = row.ended ?? { generation: 1, segments: null }
  const runRow = await store.get(run)
  const { request } = await definitions.get(runRow)
  const place = await definitions.place(runRow, episodeIndex(episode) ?? row.index)
  const { records } = await readJournal(world.objects, objectKeys.journal(run, episode, row.result.attempt))
  const kept = segments === null ? records : firstSegments(records, segments)
  const summary = await programs.summarise(run, requestOfEpisode(request, row), place, kept)
  const { tree = null, trajectory = null } = summary ?? {}
  const written: string[] = []
  for (const edition of new Set([1, generation])) {
    for (const [key, value] of [
      [objectKeys.tree(run, episode, edition), tree],
      [objectKeys.trajectory(run, episode, edition), trajectory],
    ] as const) {
      if (value === null) continue
      await publish(world.objects, key, value)
      written.push(key)
    }
  }
  return written
}

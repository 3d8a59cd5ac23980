import type { World } from '../../world/ports.ts'
import type { RunStore } from '../runs/run-store.ts'
import { hasWorkerOf } from '../workers.ts'
import type { ClaimedEpisode } from './conclude-episode.ts'

// Seconds.
export const versionWait = 5

interface VersionNeeds {
  world: World
  store: RunStore
  code: string
}

export async function othersCode(
  needs: VersionNeeds,
  { journal, run }: Pick<ClaimedEpisode, 'journal' | 'run'>,
): Promise<string | null> {
  const written = writtenBy(journal)
  if (written === null) return null
  const { tenant } = await needs.store.get(run)
  const code = ownCodeOf(written)
  return (await isOfOthers(needs, code, tenant)) ? code : null
}

export async function isOfOthers(
  { code, world }: Pick<VersionNeeds, 'world' | 'code'>,
  written: string,
  tenant: string,
): Promise<boolean> {
  return written !== ownCodeOf(code) && (await hasWorkerOf(world, written, tenant))
}

export function waitsForVersion(code: string): string {
  return `It waits for a worker of version ${code}, which began it: this version cannot continue its journal. When no such worker is left, it begins again at zero.`
}

export function otherCode({ code, journal }: ClaimedEpisode): string | null {
  const written = writtenBy(journal)
  if (written === null) return null
  const [before, now] = [outsideCodeOf(written), outsideCodeOf(code)]
  if (before === now) return null
  return `The journal was written by ${before ?? 'code of this service'}, and ${now ?? 'code of this service'} plays now.`
}

function writtenBy({ committed }: ClaimedEpisode['journal']): string | null {
  return committed.records.findLast((record) => 'segment' in record)?.code ?? null
}

function ownCodeOf(code: string): string {
  return code.split(' ')[0] ?? ''
}

export function outsideCodeOf(code: string): string | null {
  const space = code.indexOf(' ')
  return space < 0 ? null : code.slice(space + 1)
}

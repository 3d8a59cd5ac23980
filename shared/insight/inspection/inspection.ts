import type { EpisodeCalls } from '../../core/contracts/episode-calls.ts'
import type { Growth } from '../../core/contracts/growth.ts'
import type { JournalDigest } from '../../core/contracts/journal-digest.ts'
import type { NoteUses } from '../../core/contracts/memory.ts'
import type { NodeDetail } from '../../core/contracts/node-detail.ts'
import type { EpisodeTokens } from '../../core/contracts/token-record.ts'
import type { Waterfall } from '../../core/contracts/waterfall.ts'

export interface Inspection {
  /** @throws EspalierError `not_found` for a run, an episode, or one that has written no tree */
  growth(run: string, episode: string): Promise<Growth>
  /** @throws EspalierError `not_found`, as `growth` does, and with `param: 'node'` for an unknown node */
  node(run: string, episode: string, node: number): Promise<NodeDetail>
  /** @throws EspalierError `not_found` for an unknown run or episode; one that asked no model has no calls */
  calls(run: string, episode: string): Promise<EpisodeCalls>
  /** @throws EspalierError `not_found` for an unknown run or episode; one that records no tokens has no calls */
  tokens(run: string, episode: string): Promise<EpisodeTokens>
  waterfall(run: string, episode: string): Promise<Waterfall>
  // The digest of the records that led to its end; of an episode under way, of those so far.
  journalDigest(run: string, episode: string): Promise<JournalDigest>
  /**
   * @param query.run - its episodes are searched. @default the run that wrote the memory
   * @throws EspalierError `not_found`
   */
  noteUses(memory: string, query: { run?: string | undefined }): Promise<NoteUses>
}

import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Run, RunRequest } from '../../../shared/core/contracts/run.ts'
import type { TokenRecord } from '../../../shared/core/contracts/token-record.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { EpisodeCache } from '../../../shared/insight/inspection/episode-cache.ts'
import type { Inspection } from '../../../shared/insight/inspection/inspection.ts'
import { openInspection } from '../../../shared/insight/inspection/open-inspection.ts'
import type { StatesOf } from '../../../shared/insight/inspection/task-states.ts'
import { toRequest } from '../../support/open-test-engine.ts'

interface InspectedJournal {
  records: readonly JournalRecord[]
  tokens?: readonly TokenRecord[]
  request?: Partial<RunRequest>
  statesOf?: StatesOf
  signed?: string[]
}

/** The inspection of one episode that is a journal and nothing more. */
export function inspectJournal({
  records,
  request,
  statesOf,
  signed = [],
  tokens = [],
}: InspectedJournal): Inspection {
  return openInspection({
    runs: {
      get: async (id) => ({ id, request: { ...toRequest(), ...request } }) as unknown as Run,
      episode: async (run, id) => ({ id, run, status: 'running', starts: 1 }) as Episode,
      journal: async () => [...records],
      tokens: async () => [...tokens],
      episodes: async () => {
        throw new Error('The episodes of this run are not listed.')
      },
    },
    cache: new EpisodeCache(),
    memories: {
      memory: async () => {
        throw new Error('This run has no memory.')
      },
    },
    reader: { notesOf: async () => [] },
    objects: {
      sign: async (key) => {
        signed.push(key)
        return { url: `/signed/${key}`, expires_at: new Date(0) }
      },
    },
    clock: { now: () => 0 },
    statesOf: statesOf ?? (async () => ({ why: 'Nothing is played here.' })),
  })
}

import type { World } from '../../shared/core/world/ports.ts'
import type { TranscriptNeeds, Transcripts } from '../../shared/insight/transcripts/open-transcripts.ts'
import type { TranscriptIndex } from '../../shared/insight/transcripts/transcript-index.ts'

export type TranscriptWiring = Omit<TranscriptNeeds, 'index'> & {
  index: TranscriptIndex | null
  objects: World['objects']
}

export function wireTranscripts({ index, objects, ...needs }: TranscriptWiring): Transcripts {
  const openIndex = async () =>
    index ?? new (await import('../../shared/insight/transcripts/object-index.ts')).ObjectIndex(objects)

  return {
    async search(query) {
      const { openTranscripts } = await import('../../shared/insight/transcripts/open-transcripts.ts')
      return openTranscripts({ ...needs, index: await openIndex() }).search(query)
    },
    forget: async (run) => (await openIndex()).remove(run),
  }
}

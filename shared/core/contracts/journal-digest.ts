import { z } from 'zod'

export const journalDigestSchema = z
  .object({
    object: z.literal('journal_digest'),
    run: z.string(),
    episode: z.string(),
    records: z.int().describe('Number of records in the journal.'),
    sha256: z.string().describe('Digest of the records in their order, each as a line of JSON.'),
  })
  .meta({ id: 'JournalDigest' })

export type JournalDigest = z.infer<typeof journalDigestSchema>

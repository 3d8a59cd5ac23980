import { z } from 'zod'

export const memoryNoteSchema = z
  .object({
    id: z
      .string()
      .describe('Unique in its memory: the episode and a key. A repeated write creates no second note.'),
    side: z
      .enum(['policy', 'value', 'task'])
      .describe(
        'The reader of the note: the one who acts, the one who judges, or every episode of its group.',
      ),
    group: z.string().nullable().describe('The group of tasks it is for; null: all.'),
    episode: z.string(),
    task: z.string(),
    objective: z.string().describe('The goal, in the words of the first observation.'),
    observation: z
      .string()
      .describe(
        'The observation at which the episode learned it. Together with the objective, this finds the note.',
      ),
    action: z.string().nullable(),
    note: z.string(),
    surprise: z.number().nullable().describe('The gap between the expected outcome and the real one.'),
    embedding: z
      .object({ model: z.string(), vector: z.array(z.number()) })
      .nullable()
      .describe('Embedding of objective and observation; null: the note is matched by words.'),
  })
  .meta({ id: 'MemoryNote' })

export type MemoryNote = z.infer<typeof memoryNoteSchema>

export const noteFilterSchema = z.object({
  side: memoryNoteSchema.shape.side.optional().describe('Only notes for this reader.'),
  text: z.string().min(1).max(200).optional().describe('Only notes that contain this text, ignoring case.'),
  ids: z.string().min(1).max(8000).optional().describe('Only notes with these ids, separated by commas.'),
  sort: z
    .enum(['written', 'surprise'])
    .optional()
    .describe(
      '`written`, the default: in the order of the episodes that wrote them; `surprise`: the most surprising first.',
    ),
  embeddings: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false` omits the embeddings, the largest share of the response.'),
})

export type NoteFilter = z.infer<typeof noteFilterSchema>

export const memorySchema = z
  .object({
    id: z.string(),
    object: z.literal('memory'),
    run: z.string(),
    environment: z.string(),
    method: z.string(),
    complete: z.boolean().describe('True if its run has ended; only then can another run read it.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Memory' })

export type Memory = z.infer<typeof memorySchema>

export const noteUsesSchema = z
  .object({
    object: z.literal('note_uses'),
    memory: z.string(),
    run: z.string().describe('The run whose episodes were searched.'),
    episodes: z
      .object({
        total: z.int().describe('Episodes of the run that have begun.'),
        read: z
          .int()
          .describe(
            'Number of their journals that were read: all, or a seeded sample if they are many or large.',
          ),
      })
      .describe('Number of episodes behind the counts in `uses`.'),
    uses: z.array(
      z.object({
        note: z.string(),
        count: z.int().describe('Number of times a prompt showed it.'),
        places: z
          .array(z.object({ episode: z.string(), task: z.string(), node: z.int().nullable() }))
          .describe('The first twenty uses; `node` is null if the note was for a whole episode.'),
      }),
    ),
  })
  .meta({ id: 'NoteUses' })

export type NoteUses = z.infer<typeof noteUsesSchema>

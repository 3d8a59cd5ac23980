import { z } from 'zod'

/**
 * What an episode learned in words and hands on to later ones: a reflection on a step that surprised it, advice to whoever
 * judges, or a note on a task that failed.
 */
export const memoryNoteSchema = z
  .object({
    id: z
      .string()
      .describe('Unique in its memory: the episode and a key, so that writing it twice is writing it once.'),
    side: z
      .enum(['policy', 'value', 'task'])
      .describe('Who is shown it: the one who acts, the one who judges, or every episode of its group.'),
    group: z.string().nullable().describe('The group of tasks it is for; null: all.'),
    episode: z.string(),
    task: z.string(),
    objective: z.string().describe('What was to be done, in the words of the first observation.'),
    observation: z
      .string()
      .describe('What was seen where it was learned; with the objective, what it is found by.'),
    action: z.string().nullable(),
    note: z.string(),
    surprise: z.number().nullable().describe('How far the outcome was from what was expected.'),
    embedding: z
      .object({ model: z.string(), vector: z.array(z.number()) })
      .nullable()
      .describe('Of objective and observation; null: found by its words.'),
  })
  .meta({ id: 'MemoryNote' })

export type MemoryNote = z.infer<typeof memoryNoteSchema>

/** The notes of a run, as `GET /v1/memories` lists them. */
export const memorySchema = z
  .object({
    id: z.string(),
    object: z.literal('memory'),
    run: z.string(),
    environment: z.string(),
    method: z.string(),
    complete: z.boolean().describe('Whether its run has ended; only then can another run read it.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Memory' })

export type Memory = z.infer<typeof memorySchema>

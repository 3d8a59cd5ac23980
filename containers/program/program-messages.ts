import { z } from 'zod'
import { type JsonObject, jsonSchema } from '../../shared/core/contracts/json.ts'
import { mostPictures, sentPictureSchema } from '../../shared/core/contracts/picture.ts'

/** A host's request to a program: one JSON object per line, each with an `id` that the answer repeats. */
export type ProgramRequest =
  | { op: 'describe' }
  | {
      op: 'reset'
      session: string
      task: string
      seed: number
      files?: Readonly<Record<string, string>>
      options?: JsonObject
    }
  | { op: 'step'; session: string; action: string }
  | { op: 'actions'; session: string }
  | { op: 'inspect'; session: string; what: string }
  | { op: 'keep'; session: string }
  | { op: 'restore'; session: string; state: string }
  | { op: 'close'; session: string }

export const stepAnswerSchema = z.object({
  observation: z.string(),
  pictures: z.array(sentPictureSchema).max(mostPictures).exactOptional(),
  runtime: z.string().max(200).exactOptional(),
  reward: z.number().default(0),
  done: z.boolean().default(false),
  valid: z.boolean().default(true),
  progress: z.number().min(0).max(1).optional(),
})

export const inspectAnswerSchema = z.object({ found: jsonSchema })

export const actionsAnswerSchema = z.object({ actions: z.array(z.string()) })

export const keepAnswerSchema = z.object({ state: z.string().max(200) })

export const restoreAnswerSchema = z.object({ observation: z.string() })

export const programStateSchema = z.object({
  process: z.string(),
  state: z.string(),
  progress: z.number(),
})

export const capacityAnswerSchema = z.object({
  sessions: z.int().min(1).default(1).describe('How many sessions the program can hold at once.'),
  actions: z.boolean().default(false).describe('Whether it can list the actions that are possible.'),
  inspects: z.boolean().default(false).describe('Whether it answers `inspect`.'),
  keeps_states: z.boolean().default(false).describe('Whether it answers `keep` and `restore`.'),
})

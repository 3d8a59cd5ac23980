import { z } from 'zod'

export const storedPartSchema = z.object({
  number: z.int().nonnegative(),
  writer: z.string(),
  pieces: z.int(),
  rows: z.int(),
  left_out: z.record(z.string(), z.int()),
})

export type StoredPart = z.infer<typeof storedPartSchema>

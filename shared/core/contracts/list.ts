import { z } from 'zod'

export const listQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20),
  after: z.string().optional(),
})

export type ListQuery = z.infer<typeof listQuerySchema>

export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
}

export interface List<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
}

export function toList<Item extends { id: string }>(data: Item[], hasMore: boolean): List<Item> {
  return {
    object: 'list',
    data,
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

import { z } from 'zod'

const itemSchema = z.object({ item_id: z.string() })

/**
 * Reads the numbers in a list of AgentGym, Agent-R or ETO. An entry is a number, or an item such as
 * `{"item_id": "NAME_5238"}`, or the item's id alone.
 * @param name the environment's name in the items
 * @returns null: other entries
 */
export function itemNumbers(entries: readonly unknown[], name: string): number[] | null {
  const numbers = entries.map((entry) => {
    if (typeof entry === 'number') return entry
    const id = typeof entry === 'string' ? entry : itemSchema.safeParse(entry).data?.item_id
    const [, of, digits] = /^(.+)_(\d{1,10})$/.exec(id ?? '') ?? []
    return of === name ? Number(digits) : Number.NaN
  })
  return numbers.every((number) => Number.isInteger(number) && number >= 0) ? numbers : null
}

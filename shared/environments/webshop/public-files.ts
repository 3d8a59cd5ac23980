import { z } from 'zod'
import type { Wishes } from './goal.ts'
import type { StoredProduct } from './product.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

const optionsSchema = z.record(z.string(), z.array(z.object({ value: z.string() })).nullish())

export const publicProductSchema = z.object({
  asin: z.string(),
  name: text,
  category: text,
  query: text,
  product_category: text,
  full_description: text,
  small_description: z.union([z.array(text), text]),
  pricing: text,
  customization_options: z
    .union([optionsSchema, z.literal(''), z.tuple([])])
    .nullish()
    .transform((value) => (value === '' || Array.isArray(value) ? {} : (value ?? {}))),
})

export const instructionsSchema = z.record(
  z.string(),
  z.object({
    attributes: z.array(z.string()).default([]),
    instruction: z.string().nullish(),
    instruction_attributes: z.array(z.string()).nullish(),
  }),
)

export const humanInstructionsSchema = z.record(
  z.string(),
  z.array(
    z.object({
      instruction: z.string(),
      instruction_attributes: z.array(z.string()),
      instruction_options: z.union([z.array(z.string()), z.record(z.string(), z.string())]),
    }),
  ),
)

export type PublicProduct = z.infer<typeof publicProductSchema>
export type Instructions = z.infer<typeof instructionsSchema>
export type HumanInstructions = z.infer<typeof humanInstructionsSchema>

export function isSold({ asin }: PublicProduct): boolean {
  return asin !== 'nan' && asin.length <= 10
}

export function storeProduct(item: PublicProduct, attributes: readonly string[]): StoredProduct {
  const { asin, name, category, query, product_category, full_description, small_description } = item
  return {
    asin,
    name,
    category,
    query: query.toLowerCase().trim(),
    product_category,
    description: full_description,
    features: Array.isArray(small_description) ? small_description : [small_description],
    prices: readPrices(item.pricing),
    options: readOptions(item.customization_options),
    attributes: [...attributes],
  }
}

export function wishesOf(asin: string, instructions: Instructions, human: HumanInstructions): Wishes {
  const { instruction, instruction_attributes } = instructions[asin] ?? {}
  return {
    synthetic:
      instruction && instruction_attributes && instruction_attributes.length > 0
        ? { instruction, attributes: instruction_attributes }
        : null,
    human: (Object.hasOwn(human, asin) ? (human[asin] ?? []) : []).map((wish) => ({
      instruction: wish.instruction,
      attributes: wish.instruction_attributes,
      options: Array.isArray(wish.instruction_options)
        ? wish.instruction_options.map((value) => [null, value])
        : Object.entries(wish.instruction_options),
    })),
  }
}

function readPrices(pricing: string): number[] {
  const prices = pricing
    .split('$')
    .slice(1, 3)
    .map((part) => Number.parseFloat(part.replace(/[^\d.]/g, '')))
    .filter((price) => Number.isFinite(price))
  return prices.length === 0 ? [100] : prices
}

function readOptions(
  options: Record<string, { value: string }[] | null | undefined>,
): StoredProduct['options'] {
  const read = new Map<string, string[]>()
  for (const [name, values] of Object.entries(options)) {
    if (!values) continue
    const shown = values.map(({ value }) => value.trim().replaceAll('/', ' | ').toLowerCase())
    read.set(name.toLowerCase(), shown)
  }
  return [...read]
}

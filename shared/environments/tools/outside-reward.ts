import { z } from 'zod'
import type { Json } from '../../core/contracts/json.ts'

export const rewardRangeSchema = z
  .tuple([z.number(), z.number()])
  .refine(([low, high]) => low < high, 'The first number is the least reward, the second the most.')
  .optional()
  .describe(
    'Minimum and maximum reward of the server, which become 0 and 1. Default: rewards stay unchanged.',
  )

/**
 * Converts a server's reward to ours. Here a negative reward is a disaster that ends a search. A server's negative
 * reward is usually the cost of a step, so it counts as 0.
 */
export function toReward(value: number, range?: readonly [number, number]): number {
  if (range === undefined) return Math.max(0, value)
  const [low, high] = range
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

/**
 * Reads a number from a server's value: a number, its text, or true or false for 1 and 0. Undefined for any other
 * value.
 */
export function readNumber(value: Json | undefined): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

import { createRandom, digestText, mixNumber, type Random } from './random.ts'

/**
 * Randomness that its name decides, the same in every process, on every machine and in every replay. Names that differ in
 * one character give streams that have nothing in common.
 *
 * @example
 * const random = seededRandom('minecraft:stick', 0)
 * shuffled(['a', 'b', 'c'], random)
 */
export function seededRandom(...name: (string | number)[]): Random {
  return createRandom(mixNumber(digestText(JSON.stringify(name)), 0))
}

import { createRandom, digestText, mixNumber, type Random } from './random.ts'

/**
 * Random numbers determined by the name, the same in every process, on every machine and in every replay. Names that
 * differ in one character yield independent streams.
 * @example
 * const random = seededRandom('minecraft:stick', 0)
 * shuffled(['a', 'b', 'c'], random)
 */
export function seededRandom(...name: (string | number)[]): Random {
  return createRandom(mixNumber(digestText(JSON.stringify(name)), 0))
}

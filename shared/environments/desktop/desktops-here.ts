import { availableParallelism } from 'node:os'
import { availableMemory } from '../../core/programs/available-memory.ts'

/** Bytes of memory of a desktop with an office program running, with a margin. */
const memoryOfDesktop = 1.5 * 2 ** 30
const desktopsOfProcessor = 8

export function desktopsHere(): number {
  const byMemory = Math.floor(availableMemory() / memoryOfDesktop)
  return Math.max(1, Math.min(byMemory, desktopsOfProcessor * availableParallelism()))
}

import { availableParallelism, totalmem } from 'node:os'

/** Bytes of memory of a desktop with an office program running, with a margin. */
const memoryOfDesktop = 1.5 * 2 ** 30
const desktopsOfProcessor = 8

export function desktopsHere(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  const byMemory = Math.floor(memory / memoryOfDesktop)
  return Math.max(1, Math.min(byMemory, desktopsOfProcessor * availableParallelism()))
}

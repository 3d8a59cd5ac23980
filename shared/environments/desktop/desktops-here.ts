import { availableParallelism, totalmem } from 'node:os'

/** Bytes of memory of a desktop with a program of an office on it, with room. */
const memoryOfDesktop = 1.5 * 2 ** 30
/** Desktops for each processor: their programs wait for actions most of the time. */
const desktopsOfProcessor = 8

/** How many desktops this machine, or the container that this is, has memory and processors for. */
export function desktopsHere(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  const byMemory = Math.floor(memory / memoryOfDesktop)
  return Math.max(1, Math.min(byMemory, desktopsOfProcessor * availableParallelism()))
}

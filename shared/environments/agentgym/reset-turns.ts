/**
 * Lets one reset at a time happen at an address. AgentGym's servers share state between the resets of all their sessions:
 * TextCraft's seeds one random generator of its process and then draws from it, so that two resets at once show other
 * recipes than either alone.
 */
export type ResetTurns = <Result>(
  address: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>

/** By address: one queue for the whole process, shared by all its sessions. */
const last = new Map<string, Promise<unknown>>()

/** Turns among all that resets in this process, in the order in which they asked. */
export const takeResetTurn: ResetTurns = async (address, work, signal) => {
  const before = last.get(address)
  const { promise, resolve } = Promise.withResolvers<void>()
  last.set(address, promise)
  try {
    await before
    signal.throwIfAborted()
    return await work()
  } finally {
    if (last.get(address) === promise) last.delete(address)
    resolve()
  }
}

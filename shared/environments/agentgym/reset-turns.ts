/**
 * Allows one reset at a time per address. AgentGym's servers share state between the resets of all their sessions.
 * TextCraft's server seeds one random generator per process and then draws from it, so two concurrent resets show
 * other recipes than either alone.
 */
export type ResetTurns = <Result>(
  address: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>

/** One queue per address, shared by all sessions of the process. */
const last = new Map<string, Promise<unknown>>()

/** Queues resets within this process in order of arrival. */
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

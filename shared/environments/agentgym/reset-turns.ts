export type ResetTurns = <Result>(
  address: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>

const last = new Map<string, Promise<unknown>>()

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

import type { SearchNode } from '../tree.ts'

/** What was said about a state when it was valued: what a judge can learn from later. */
export type Account = { support: string; oppose: string } | { checks: string }

/** How good it is to stand where a node stands. A state is valued once in an episode, however often a search comes by. */
export interface ValueFunction {
  /** From `least` to 1; 1 says that the task is done. */
  valueOf(node: SearchNode): Promise<number>
  /** What was said about a valued node; null where nothing was. */
  accountOf(node: SearchNode): Account | null
  /** The value of a task that failed. */
  readonly least: number
}

/** Advice from earlier tasks for a judge of a node; empty where there is none. */
export type Advise = (node: SearchNode) => Promise<string>

export const noAdvice: Advise = async () => ''

/** A value function that keeps the values it gave. */
export function onceForEach(
  least: number,
  value: (node: SearchNode) => Promise<{ value: number; account: Account | null }>,
): ValueFunction {
  const valued = new Map<number, ReturnType<typeof value>>()
  const accounts = new Map<number, Account | null>()
  return {
    least,
    async valueOf(node) {
      let valuing = valued.get(node.index)
      if (!valuing) {
        valuing = value(node)
        valued.set(node.index, valuing)
      }
      const result = await valuing
      accounts.set(node.index, result.account)
      return result.value
    },
    accountOf: (node) => accounts.get(node.index) ?? null,
  }
}

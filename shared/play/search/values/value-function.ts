import type { SearchNode } from '../tree.ts'

export type Account = { support: string; oppose: string } | { checks: string }

/** Values states. Each state is valued once in an episode, however often searches reach it. */
export interface ValueFunction {
  /** From `least` to 1; 1 says that the task is done. */
  valueOf(node: SearchNode): Promise<number>
  accountOf(node: SearchNode): Account | null
  readonly least: number
}

export type Advise = (node: SearchNode) => Promise<string>

export const noAdvice: Advise = async () => ''

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

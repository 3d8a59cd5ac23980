import { callText, type ExpertFunction } from '../../simulated/expert.ts'
import type { FoldedCall } from './folded-call.ts'

export const blockworldFunctions: readonly ExpertFunction[] = [
  {
    name: 'moveBlock',
    parameters: ['block', 'from', 'to'],
    code: `/**
 * Takes a clear block and puts it somewhere else. The arm has to be empty.
 * @param block - the block, such as "b1"
 * @param from - the block that it is on, or "table"
 * @param to - the clear block that it has to go on, or "table"
 */
function moveBlock(block, from, to) {
  act(from === "table" ? "pick up " + block : "unstack " + block + " from " + from)
  act(to === "table" ? "put down " + block : "stack " + block + " on " + to)
}`,
    blunders: [
      ['from === "table" ? "pick up " + block : "unstack " + block + " from " + from', '"pick up " + block'],
      ['"stack " + block + " on " + to', '"stack " + to + " on " + block'],
    ],
  },
  {
    name: 'freeBlock',
    parameters: ['block'],
    code: `/**
 * Takes everything off a block, from the top down, and puts it on the table. The arm has to be empty.
 * @param block - the block to be freed
 */
function freeBlock(block) {
  const state = act("look around").split("State: ")[1].toLowerCase()
  const pile = [block]
  for (;;) {
    const upper = new RegExp("([^\\\\s.]+) is on " + pile[0] + "\\\\.").exec(state)
    if (upper === null) break
    pile.unshift(upper[1])
  }
  for (let at = 0; at + 1 < pile.length; at += 1) {
    act("unstack " + pile[at] + " from " + pile[at + 1])
    act("put down " + pile[at])
  }
}`,
    blunders: [
      ['    act("put down " + pile[at])\n', ''],
      ['" from " + pile[at + 1]', '" from " + block'],
    ],
  },
]

export function foldBlockworld(plan: readonly string[]): FoldedCall | null {
  const pile = clearedPile(plan)
  if (pile !== null && pile.steps > 2) return pile
  const [take = '', put = ''] = plan
  const [, picked, block, from] = /^(?:pick up (\S+)|unstack (\S+) from (\S+))$/.exec(take) ?? []
  const [, to] = /^(?:put down \S+|stack \S+ on (\S+))$/.exec(put) ?? ['', null]
  if (to === null || (picked ?? block) === undefined) return null
  return { call: callText('moveBlock', picked ?? block ?? '', from ?? 'table', to ?? 'table'), steps: 2 }
}

function clearedPile(plan: readonly string[]): FoldedCall | null {
  let freed: string | null = null
  let steps = 0
  for (; steps + 1 < plan.length; steps += 2) {
    const [, upper, lower = null] = /^unstack (\S+) from (\S+)$/.exec(plan[steps] ?? '') ?? []
    if (upper === undefined || plan[steps + 1] !== `put down ${upper}`) break
    if (freed !== null && freed !== upper) break
    freed = lower
  }
  return freed === null ? null : { call: callText('freeBlock', freed), steps }
}

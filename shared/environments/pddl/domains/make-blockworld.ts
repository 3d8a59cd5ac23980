import type { Random } from '../../../core/random/random.ts'
import { shuffled } from '../../../core/random/shuffled.ts'
import { type MadeProblem, type RobotDomain, writeProblem } from '../robot-domain.ts'
import { blockworldLanguage, blockworldRules, blockworldText } from './blockworld.ts'

const sizes = [4, 5, 6, 7, 8]
const shortest = 6
const longest = 18
const mostGoals = 6

export const blockworld: RobotDomain = {
  name: 'blockworld',
  text: blockworldText,
  language: blockworldLanguage,
  rules: blockworldRules,
  tasks: { test: 10, train: 40 },
  generate(random, number) {
    const blocks = Array.from(
      { length: sizes[number % sizes.length] as number },
      (_none, index) => `b${index + 1}`,
    )
    const initial = stackUp(blocks, random)
    const wanted = [...stackUp(blocks, random)]
    const goal = shuffled(wanted, random).slice(0, mostGoals)
    const minSteps = 2 * movedBlocks(initial, new Map(goal))
    if (goal.length < 2 || minSteps < shortest || minSteps > longest) return null
    return { problem: writeBlocks(blocks, initial, goal), minSteps }
  },
  example: {
    problem: writeBlocks(['b1', 'b2', 'b3'], new Map([['b3', 'b1']]), [
      ['b1', 'b2'],
      ['b3', 'b1'],
    ]),
    turns: [
      ['b1 has to go on b2, but b3 is on b1, so b3 comes off first.', 'unstack b3 from b1'],
      ['The arm has to be empty before it can take another block.', 'put down b3'],
      ['Now b1 is clear and on the table.', 'pick up b1'],
      ['b2 is clear, so b1 can go there.', 'stack b1 on b2'],
      ['What is left is b3 on b1.', 'pick up b3'],
      ['b1 is where it belongs and clear.', 'stack b3 on b1'],
    ],
    program: `// b1 has to go on b2 and b3 on b1. Now b3 is on b1; b1 and b2 are on the table.
function toTable(upper, lower) {
  act("unstack " + upper + " from " + lower)
  act("put down " + upper)
}

function fromTable(upper, lower) {
  act("pick up " + upper)
  act("stack " + upper + " on " + lower)
}

toTable("b3", "b1")
fromTable("b1", "b2")
fromTable("b3", "b1")`,
    agentboardProgram: `// b1 has to go on b2 and b3 on b1. Now b3 is on b1; b1 and b2 are on the table.
function toTable(upper, lower) {
  act("Unstack " + upper + " from " + lower + ".")
  act("Putdown " + upper + ".")
}

function fromTable(upper, lower) {
  act("Pickup " + upper + ".")
  act("Stack " + upper + " on " + lower + ".")
}

toTable("b3", "b1")
fromTable("b1", "b2")
fromTable("b3", "b1")`,
  },
}

export function writeBlocks(
  blocks: readonly string[],
  below: ReadonlyMap<string, string>,
  goal: readonly (readonly [string, string])[],
): MadeProblem['problem'] {
  const covered = new Set(below.values())
  return writeProblem(
    'blockworld',
    { block: blocks },
    [
      'arm-empty',
      ...blocks.map((block) => (below.has(block) ? `on ${block} ${below.get(block)}` : `on-table ${block}`)),
      ...blocks.filter((block) => !covered.has(block)).map((block) => `clear ${block}`),
    ],
    goal.map(([upper, lower]) => `on ${upper} ${lower}`),
  )
}

function stackUp(blocks: readonly string[], random: Random): Map<string, string> {
  const below = new Map<string, string>()
  let lower: string | null = null
  for (const block of shuffled(blocks, random)) {
    if (lower !== null && random() < 0.7) below.set(block, lower)
    lower = block
  }
  return below
}

/**
 * The number of blocks that must move, each by one pick-up and one put-down: those not on their goal's block, and
 * those above such a block.
 */
export function movedBlocks(initial: ReadonlyMap<string, string>, goal: ReadonlyMap<string, string>): number {
  const moves = (block: string): boolean => {
    const lower = initial.get(block)
    const wanted = goal.get(block)
    return (wanted !== undefined && wanted !== lower) || (lower !== undefined && moves(lower))
  }
  const blocks = new Set([...initial.keys(), ...goal.keys()])
  return [...blocks].filter(moves).length
}

import type { JsonObject } from '../../core/contracts/json.ts'
import type { SearchNode, SearchTree } from '../../play/search/tree.ts'
import type { PlayedTask, StatesOf, TaskStates, Unknown } from './task-states.ts'

export interface NodeState {
  state: JsonObject
  before: JsonObject | null
}

export interface PlayedTree {
  tree: SearchTree
  played: PlayedTask
  statesOf: StatesOf
}

/**
 * Computes the state at a node: replays its path from the start of the task. A state whose hash differs from the one
 * in the tree is not a state of this episode, so it is not shown.
 */
export async function followStates(
  { tree, played, statesOf }: PlayedTree,
  node: SearchNode,
): Promise<NodeState | Unknown> {
  const whole = tree.statePath(node)
  const begun = whole[1] && taskBegunAt(whole[1])
  const isLearning = tree.root.children.some((child) => taskBegunAt(tree.node(child)) !== null)
  if (isLearning && !begun) return { why: 'No task has begun at the root of an episode that learns.' }
  if (node.state_hash === null)
    return { why: 'The environment gives no state hash, so its state is unknown.' }
  const states = await statesOf({ ...played, task: begun ?? played.task })
  if ('why' in states) return states
  try {
    const found = await walk(states, begun ? whole.slice(1) : whole)
    if (node.state_of === undefined || node.parent === null || 'why' in found) return found
    const before = await walk(states, tree.statePath(tree.node(node.parent)))
    return 'why' in before ? before : { state: found.state, before: before.state }
  } catch (error) {
    // It could take these actions once, so it has changed since.
    return { why: `Played again, the environment failed: ${error instanceof Error ? error.message : error}` }
  }
}

async function walk(
  states: TaskStates,
  [start, ...path]: readonly SearchNode[],
): Promise<NodeState | Unknown> {
  let at: NodeState = { state: await states.reset(), before: null }
  if (start === undefined || states.hash(at.state) !== start.state_hash) return { why: notTheSame }
  let name: string | null = start.state_hash
  for (const node of path) {
    at = { state: node.state_hash === name ? at.state : await take(states, at.state, node), before: at.state }
    name = states.hash(at.state)
    if (name !== node.state_hash) return { why: notTheSame }
  }
  return at
}

async function take(
  states: TaskStates,
  from: JsonObject,
  { action, primitives }: SearchNode,
): Promise<JsonObject> {
  const actions = primitives?.map((step) => step.action) ?? [action ?? '']
  let state = from
  for (const each of actions) state = await states.step(state, each)
  return state
}

const notTheSame =
  'Played again, the actions come to another state than they did then: the environment, or its data, is not the same any more.'

function taskBegunAt({ action, effect, parent }: SearchNode): string | null {
  if (parent !== 0 || effect === null || !/^session\/\d+$/.test(effect)) return null
  return beginning.exec(action ?? '')?.[1] ?? null
}

const beginning = /^Begin (.+) (?:with \d+ notes|with candidate \d+ of round \d+|to try functions)$/

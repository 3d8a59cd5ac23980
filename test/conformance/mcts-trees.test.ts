import { expect, test } from 'vitest'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import type { PureEnvironment } from '../../shared/environments/environment.ts'
import type { ChatModel } from '../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { playOnce, summarise } from '../support/play-once.ts'
import { createTestEnvironment } from '../support/test-environment.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

interface ReferenceNode {
  action: string
  visits: number
  value: number
  terminal: boolean
  depth: number
  disaster: boolean
  env_score: number
  children: ReferenceNode[]
}

interface ReferenceCase {
  config: { max_depth: number; iterations: number; n_generate_samples: number; coef: number }
  samples: Record<string, string[]>
  transitions: Record<string, { observation: string; reward: number; done: boolean }>
  tree: ReferenceNode
  env_steps: number
}

describeWithConformance(
  'agent-r/mcts-trees.json',
  () => readConformance('agent-r/mcts-trees.json') as ReferenceCase[],
  (cases) => {
    for (const [index, reference] of cases.entries()) {
      test(`search ${index} grows the reference's tree in one environment step a node`, async () => {
        const { config } = reference
        let steps = 0
        const options = {
          world: await openTestWorld(),
          environment: scriptedEnvironment(reference, () => {
            steps += 1
          }),
          model: scriptedModel(reference),
          method: {
            id: 'mcts',
            iterations: config.iterations,
            samples: config.n_generate_samples,
            max_depth: config.max_depth,
            exploration: config.coef,
          },
        }
        const { outcome } = await playOnce(options)
        expect(outcome).toEqual({ type: 'ended', limit: null })
        const tree = (await summarise(options))?.tree as unknown as Tree
        expect(nest(tree, 0)).toEqual(strip(reference.tree))
        expect(steps).toBe(tree.nodes.length - 1)
      })
    }
  },
)

/** The recorded transitions, by the actions that lead to them. */
function scriptedEnvironment(
  { transitions }: ReferenceCase,
  onStep: () => void,
): PureEnvironment<{ path: string[] }> {
  return createTestEnvironment<{ path: string[] }>({
    reset: () => ({ state: { path: [] }, observation: 'start' }),
    step: ({ path }, action) => {
      onStep()
      const next = [...path, action]
      const transition = transitions[next.join('/')]
      if (!transition) throw new Error(`The reference never took ${next.join('/')}.`)
      return { ...transition, state: { path: next } }
    },
  })
}

/** The recorded answers, in order at each node; the node is known by the actions in the prompt. */
function scriptedModel({ samples }: ReferenceCase): ChatModel {
  const used = new Map<string, number>()
  return {
    async complete({ messages }) {
      const actions = messages
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => content.split('Action: ')[1])
      const path = actions.join('/')
      const next = used.get(path) ?? 0
      used.set(path, next + 1)
      const content = samples[path]?.[next]
      if (content === undefined) throw new Error(`The reference has no sample ${next} at "${path}".`)
      const choices = [{ content, finish_reason: 'stop' }]
      return { choices, model_calls: 1, input_tokens: 0, output_tokens: 0, cost: 0 }
    },
  }
}

function nest({ nodes }: Tree, index: number): ReferenceNode {
  const node = nodes[index]
  if (!node) throw new Error(`no node ${index}`)
  const children = nodes.flatMap((child, position) =>
    child.parent === index ? [nest({ nodes } as Tree, position)] : [],
  )
  return {
    action: node.action ?? 'ROOT',
    visits: node.visits,
    value: Math.round(node.value * node.visits * 1e9) / 1e9,
    terminal: node.terminal,
    depth: node.depth,
    disaster: node.disaster,
    env_score: node.reward,
    children,
  }
}

function strip({
  action,
  visits,
  value,
  terminal,
  depth,
  disaster,
  env_score,
  children,
}: ReferenceNode): ReferenceNode {
  return { action, visits, value, terminal, depth, disaster, env_score, children: children.map(strip) }
}

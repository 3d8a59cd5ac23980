import { simulatedEndpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { Message } from '../shared/core/contracts/message.ts'
import { seededRandom } from '../shared/core/random/seeded-random.ts'
import { parseAnswer } from '../shared/play/methods/parse-answer.ts'
import { noKnowledge, renderAgentPrompt } from '../shared/play/methods/prompts/agent-prompt.ts'
import { reactPrompt } from '../shared/play/methods/prompts/react-prompt.ts'
import { modelClock } from '../shared/play/models/model-clock.ts'
import { PromptBook } from '../shared/play/search/prompt-book.ts'
import { createSimulatedModels } from '../shared/play/simulated/simulated-models.ts'
import { example, exampleGuide } from './example-environment.ts'
import { report } from './figure.ts'
import { freeMeter } from './free-meter.ts'
import { openBenchEngine } from './open-bench-engine.ts'
import { playTree } from './play-tree.ts'
import { scriptedModel } from './scripted-model.ts'

const task = `${exampleEnvironment}-0042`
const settings = { iterations: 8, samples: 4, maxDepth: 20, exploration: 0.25 }
const latency = 200
const endpoint = simulatedEndpointSchema.parse({ kind: 'simulated', latency, skill: 0.4 })
const { chat } = createSimulatedModels('simulated', endpoint, modelClock)

interface PlainNode {
  index: number
  parent: PlainNode | null
  children: PlainNode[]
  messages: Message[]
  actions: string[]
  message: string
  visits: number
  value: number
  terminal: boolean
  reward: number
}

/**
 * The search of Agent-R as its scripts run it: calls are sequential, and every sample resets the environment and
 * replays the whole path.
 */
async function replayingSearch(): Promise<{
  nodes: PlainNode[]
  calls: number
  steps: number
  seconds: number
}> {
  const start = performance.now()
  let [calls, steps] = [0, 0]
  const core = await example.open(task)
  const { observation } = core.reset(task, 0)
  const system = renderAgentPrompt(reactPrompt, new PromptBook(), exampleGuide, noKnowledge)
  const root: PlainNode = {
    index: 0,
    parent: null,
    children: [],
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: observation },
    ],
    actions: [],
    message: '',
    visits: 0,
    value: 0,
    terminal: false,
    reward: 0,
  }
  const nodes = [root]

  async function sample(node: PlainNode, number: number): Promise<Omit<PlainNode, 'index'>> {
    const seed = Math.floor(seededRandom('bench', `node/${node.index}/sample/${number}`)() * 2 ** 31)
    const { messages } = node
    const { choices } = await chat.complete(
      { model: 'bench', messages, temperature: 1, top_p: 1, max_tokens: 512, seed },
      { meter: freeMeter },
    )
    calls += 1
    const { message, action } = parseAnswer(choices[0]?.content ?? '')
    let { state } = core.reset(task, 0)
    for (const earlier of node.actions) {
      ;({ state } = core.step(state, earlier))
      steps += 1
    }
    const answer = core.step(state, action)
    steps += 1
    const turn: Message[] = [
      { role: 'assistant', content: message },
      { role: 'user', content: answer.observation },
    ]
    return {
      parent: node,
      children: [],
      messages: [...messages, ...turn],
      actions: [...node.actions, action],
      message,
      visits: 0,
      value: 0,
      terminal: answer.done || node.actions.length + 1 > settings.maxDepth,
      reward: answer.reward,
    }
  }

  async function expand(node: PlainNode): Promise<void> {
    const seen = new Set<string>()
    for (let number = 0; number < settings.samples; number += 1) {
      const child = await sample(node, number)
      if (seen.has(child.message)) continue
      seen.add(child.message)
      const added = { ...child, index: nodes.length }
      nodes.push(added)
      node.children.push(added)
    }
    for (const child of node.children) if (child.terminal) backUp(child)
  }

  function backUp(leaf: PlainNode): void {
    for (let at: PlainNode | null = leaf; at !== null; at = at.parent) {
      at.visits += 1
      at.value += leaf.reward
      at.terminal ||= at.children.length > 0 && at.children.every(({ terminal }) => terminal)
    }
  }

  function score(child: PlainNode, parent: PlainNode): number {
    if (child.visits === 0) return Number.POSITIVE_INFINITY
    return (
      child.value / child.visits + settings.exploration * Math.sqrt(Math.log(parent.visits) / child.visits)
    )
  }

  function descend(from: PlainNode): PlainNode | null {
    let at: PlainNode | null = from
    while (at !== null && at.children.length > 0) {
      const parent: PlainNode = at
      at = parent.children
        .filter(({ terminal }) => !terminal)
        .reduce<PlainNode | null>(
          (best, child) => (best && score(child, parent) <= score(best, parent) ? best : child),
          null,
        )
    }
    return at
  }

  for (let iteration = 0; iteration < settings.iterations && !root.terminal; iteration += 1) {
    let node: PlainNode | null = root
    while (node !== null && !node.terminal) {
      if (node.children.length === 0) await expand(node)
      node = descend(node)
    }
  }
  return { nodes, calls, steps, seconds: (performance.now() - start) / 1000 }
}

const engine = await openBenchEngine(scriptedModel, 1)
const { world } = engine
const { iterations, samples, maxDepth: max_depth, exploration } = settings
const method = { id: 'mcts', iterations, samples, max_depth, exploration }
let asked = 0
const counted: typeof chat = {
  complete(request, options) {
    asked += 1
    return chat.complete(request, options)
  },
}
const plain = await replayingSearch()
const sequential = await playTree(world, counted, { method, name: 'sequential', task })
asked = 0
const parallel = await playTree(world, counted, {
  method: { ...method, parallel: 8 },
  name: 'parallel',
  task,
})
await engine.close()
const shape = (nodes: { message: string | null; visits: number }[]) =>
  JSON.stringify(nodes.map(({ message, visits }) => [message || null, visits]))
const isEqual = shape(plain.nodes) === shape(sequential.tree.nodes)
const replaying = `replaying search, one call at a time: ${plain.seconds.toFixed(1)} s, ${plain.calls} calls, ${plain.steps} environment steps`
report(
  {
    what: `One mcts tree with a model of ${latency} ms (${plain.nodes.length} nodes, trees ${isEqual ? 'equal' : 'DIFFERENT'})`,
    value: `${sequential.seconds.toFixed(1)} s, ${sequential.steps} environment steps for ${sequential.tree.nodes.length - 1} nodes`,
    ratio: `${(plain.seconds / sequential.seconds).toFixed(1)} × faster than Agent-R's way (${replaying})`,
    aim: '≥ 3.8 × with equal trees; environment steps per node 1.0',
  },
  {
    what: `The same with parallel: 8 (another tree: ${parallel.tree.nodes.length} nodes, ${asked} calls)`,
    value: `${parallel.seconds.toFixed(1)} s`,
    ratio: `${(plain.seconds / plain.calls / (parallel.seconds / asked)).toFixed(1)} × faster per sample than Agent-R's way, ${(plain.seconds / parallel.seconds).toFixed(1)} × for the whole search`,
    aim: '≥ 15 × with equal samples',
  },
)

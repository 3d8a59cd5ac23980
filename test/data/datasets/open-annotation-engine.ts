import { onTestFinished } from 'vitest'
import { programsByPurpose } from '../../../functions/wiring/wire-engine.ts'
import { type DatasetRequestInput, datasetRequestSchema } from '../../../shared/core/contracts/dataset.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import type { EpisodePrograms } from '../../../shared/core/engine/episodes/episode-program.ts'
import { openEngine } from '../../../shared/core/engine/open-engine.ts'
import { RunStore } from '../../../shared/core/engine/runs/run-store.ts'
import type { Runs } from '../../../shared/core/engine/runs/runs.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { createAnnotationPrograms } from '../../../shared/data/datasets/annotation-programs.ts'
import type { Attempts } from '../../../shared/data/datasets/attempts.ts'
import { type Annotations, openAnnotations } from '../../../shared/data/datasets/open-annotations.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { ModelCalls } from '../../../shared/play/methods/model-calls.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { attemptOf } from '../../builders/attempts.ts'
import { rootNode, treeNode, treeOf } from '../../builders/trees.ts'
import { onlyModel } from '../../support/only-model.ts'

/** A tree with two good ends and two bad ones; `name` is in all its actions, so that trees ask different questions. */
export function branchedTree(name: string): Tree {
  return treeOf(3, [
    rootNode,
    treeNode(0, `${name} cut`),
    treeNode(1, `${name} press`),
    treeNode(2, `${name} craft`, { reward: 1, done: true, terminal: true }),
    treeNode(1, `${name} burn`),
    treeNode(4, `${name} stir`, { done: true, terminal: true }),
    treeNode(0, `${name} sell`, { done: true, terminal: true }),
    treeNode(2, `${name} carve`, { reward: 0.9, done: true, terminal: true }),
  ])
}

/** A model that finds the fault with what burns or sells, after a while; every prompt that it got is kept. */
export function judgingModel(options: { delay?: number } = {}): ChatModel & { prompts: string[] } {
  const prompts: string[] = []
  return {
    prompts,
    async complete({ messages }, { meter }) {
      const prompt = (messages as Message[]).map(({ content }) => content).join('\n')
      const reservation = await meter.reserve({ tokens: 100, cost: 0.001 })
      prompts.push(prompt)
      await new Promise((resolve) => setTimeout(resolve, options.delay ?? 0))
      const last = prompt.split('--- Agent').at(-1) ?? ''
      const content = `Reasons: so it is.\nJudgement: ${/burn|sell/.test(last) ? 'Bad' : 'Good'}`
      const spent = { input_tokens: 10, output_tokens: 5, cost: 0.001 }
      await reservation.settle(spent)
      return { choices: [{ content, finish_reason: 'stop' }], model_calls: 1, ...spent }
    },
  }
}

/** Attempts that are there for the asking, by their sources and episodes. */
export function attemptsOf(trees: Readonly<Record<string, Tree>>): Attempts {
  return {
    async open(source, episode) {
      const tree = trees[episode]
      if (tree === undefined) throw new Error(`There is no trajectory ${episode}.`)
      return attemptOf(tree, { source, episode })
    },
  }
}

const noMethods: EpisodePrograms = {
  program: () => Promise.reject(new Error('Nothing is played here.')),
  summarise: () => Promise.reject(new Error('Nothing is played here.')),
}

export interface AnnotationEngine {
  runs: Runs
  annotations: Annotations
  start(): Promise<void>
  /** @param grace - seconds for what is under way */
  stop(grace: number): Promise<void>
}

/** An engine over a world in which nothing can be played, only asked. */
export function openAnnotationEngine({
  world,
  attempts,
  model,
  request = {},
  worker = 'worker',
  isPriced = true,
}: {
  world: World
  attempts: Attempts
  model: ChatModel
  request?: DatasetRequestInput
  worker?: string
  isPriced?: boolean
}): AnnotationEngine {
  const store = new RunStore(world)
  const engine = openEngine({
    world,
    planner: createRunPlanner({
      methods: openMethods(),
      environments: { open: () => Promise.reject(new Error('No environment is needed.')) },
      isPriced: () => isPriced,
    }),
    programs: programsByPurpose({
      play: noMethods,
      annotate: createAnnotationPrograms({
        attempts: () => attempts,
        tenantOf: async (run) => (await store.get(run)).tenant,
        calls: (episode) => new ModelCalls({ ...episode, models: onlyModel(model) }),
        counters: async () => new Map(),
      }),
    }),
    reconcile: async () => 'unknown',
    code: 'code',
    lookEvery: 20,
    worker,
    onError: () => undefined,
  })
  onTestFinished(() => engine.worker.stop(1))
  const runs = engine.runs.of('default')
  const full = datasetRequestSchema.parse({
    trajectories: ['import-1'],
    kind: 'revision',
    model: { endpoint: 'test', id: 'test' },
    ...request,
  })
  return {
    runs,
    annotations: openAnnotations({ runs, attempts, requestOf: async () => full }),
    start: () => engine.worker.start(),
    stop: (grace) => engine.worker.stop(grace),
  }
}

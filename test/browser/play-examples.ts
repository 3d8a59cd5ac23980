import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'

/** Runs of several sorts, and a dataset, as a service holds them after some work with it. */
export interface Examples {
  react: string
  mcts: string
  debate: string
  reflecting: string
  learning: string
  /** A run that its cap stopped before any episode ended. */
  capped: string
  dataset: string
  rollout: string
  training: string
  /** The model that the training registered. */
  model: string
  /** The name of an endpoint that was added over the API; it is never asked. */
  endpoint: string
}

type PlayedName = Exclude<keyof Examples, 'dataset' | 'rollout' | 'training' | 'model' | 'endpoint'>

/** How the simulated model plays them: often enough wrong that there is something to see. */
export const exampleModel = { skill: 0.4, latency: 5, latency_spread: 5 }

const simulated = { endpoint: 'simulated', id: 'simulated' }
const train = (limit: number) => ({ split: 'train', limit })

/** What a stand-in for Python trains in milliseconds: the program of a trainer's tests. */
const trainerProgram = join(import.meta.dirname, '../learn/trainings/stand-in-program.mjs')

/** Readies the folder of a service for the examples, before it is started: a trainer, and a base model. */
export async function prepareExamples(folder: string): Promise<void> {
  await mkdir(baseIn(folder), { recursive: true })
  const files: Record<string, object> = {
    'trainers.json': { local: { python: trainerProgram, cost_per_hour: 360 } },
    'example-base/config.json': { max_position_embeddings: 4096 },
    'example-base/tokenizer_config.json': { eos_token: '</s>', chat_template: '{{ messages }}' },
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content))
}

function baseIn(folder: string): string {
  return join(folder, 'example-base')
}

/** Plays them on a service over a prepared folder; with the simulated model, so that they are always the same. */
export async function playExamples(client: ApiClient, folder: string): Promise<Examples> {
  const textcraft = { environment: 'textcraft', model: simulated }
  const requests: Record<PlayedName, RunRequestInput> = {
    react: {
      ...textcraft,
      name: 'react, the baseline',
      method: { id: 'react' },
      tasks: train(20),
      experiment: 'examples',
      tags: ['baseline'],
    },
    mcts: {
      ...textcraft,
      name: 'mcts by rewards',
      method: { id: 'mcts', iterations: 6, samples: 3 },
      tasks: train(20),
      experiment: 'examples',
    },
    debate: {
      ...textcraft,
      name: 'mcts with a debate',
      method: { id: 'mcts', iterations: 3, value: 'debate' },
      tasks: train(8),
      experiment: 'examples',
    },
    reflecting: {
      ...textcraft,
      name: 'rmcts with reflections',
      method: { id: 'rmcts', iterations: 3 },
      tasks: train(6),
    },
    learning: {
      name: 'learned actions',
      environment: 'pddl',
      model: simulated,
      method: { id: 'learnact' },
      tasks: { types: ['gripper'], limit: 4 },
      experiment: 'examples',
    },
    capped: {
      ...textcraft,
      name: 'stopped at its cap',
      method: { id: 'mcts' },
      tasks: train(6),
      limits: { tokens: 20_000 },
    },
  }
  const runs = await Promise.all(
    Object.entries(requests).map(async ([name, request]) => {
      const { id } = await client.createRun(request, `example-${name}`)
      await until(
        () => client.run(id),
        ({ status }) => !['queued', 'running'].includes(status),
      )
      return [name, id] as const
    }),
  )
  const ids = Object.fromEntries(runs) as Pick<Examples, PlayedName>
  const { id } = await client.createDataset(
    { name: 'step pairs of mcts', runs: [ids.mcts], kind: 'step-preference', format: 'trl' },
    'example-dataset',
  )
  await until(
    () => client.dataset(id),
    ({ status }) => !['queued', 'running'].includes(status),
  )
  const rollout = await client.createRollout(
    { ...textcraft, method: { id: 'mcts', iterations: 3 }, tasks: train(3), group_size: 3, record: 'text' },
    'example-rollout',
  )
  await until(
    () => client.rollout(rollout.id),
    ({ status }) => !['queued', 'running'].includes(status),
  )
  const training = await client.createTraining(
    {
      name: 'dpo on the step pairs',
      base: { folder: baseIn(folder) },
      datasets: [{ dataset: id }],
      recipe: 'dpo',
      limits: { cost: 5 },
    },
    'example-training',
  )
  await until(
    () => client.training(training.id),
    ({ status }) => !['queued', 'running'].includes(status),
  )
  const { model } = await client.training(training.id)
  if (model === null) throw new Error('The training of the examples made no model.')
  const added = await client.addEndpoint({
    name: 'laboratory',
    endpoint: {
      kind: 'openai',
      base_url: 'http://127.0.0.1:9/v1',
      prices: { 'qwen3-8b': { input: 0.1, output: 0.4 } },
    },
  })
  return { ...ids, dataset: id, rollout: rollout.id, training: training.id, model, endpoint: added.id }
}

async function until<Value>(get: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<void> {
  while (!isDone(await get())) await new Promise((resolve) => setTimeout(resolve, 100))
}

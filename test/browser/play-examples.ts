import type { ApiClient } from '../../shared/client/api-client.ts'
import type { RunRequestInput } from '../../shared/contracts/run.ts'

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
}

/** How the simulated model plays them: often enough wrong that there is something to see. */
export const exampleModel = { skill: 0.4, latency: 5, latency_spread: 5 }

const simulated = { endpoint: 'simulated', id: 'simulated' }
const train = (limit: number) => ({ split: 'train', limit })

/** Plays them on a service; with the simulated model, so that they are always the same. */
export async function playExamples(client: ApiClient): Promise<Examples> {
  const textcraft = { environment: 'textcraft', model: simulated }
  const requests: Record<Exclude<keyof Examples, 'dataset'>, RunRequestInput> = {
    react: { ...textcraft, name: 'react, the baseline', method: { id: 'react' }, tasks: train(20) },
    mcts: {
      ...textcraft,
      name: 'mcts by rewards',
      method: { id: 'mcts', iterations: 6, samples: 3 },
      tasks: train(20),
    },
    debate: {
      ...textcraft,
      name: 'mcts with a debate',
      method: { id: 'mcts', iterations: 3, value: 'debate' },
      tasks: train(8),
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
  const ids = Object.fromEntries(runs) as Omit<Examples, 'dataset'>
  const { id } = await client.createDataset(
    { name: 'step pairs of mcts', runs: [ids.mcts], kind: 'step-preference', format: 'trl' },
    'example-dataset',
  )
  await until(
    () => client.dataset(id),
    ({ status }) => !['queued', 'running'].includes(status),
  )
  return { ...ids, dataset: id }
}

async function until<Value>(get: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<void> {
  while (!isDone(await get())) await new Promise((resolve) => setTimeout(resolve, 100))
}

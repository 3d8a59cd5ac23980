import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { LoopSettings } from '../../shared/core/contracts/loop-settings.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { followLoop, MortalService, prepareSmallLoop, smallSizes, smallWorld } from './small-loop.ts'

const lent = await lentFolder()
const service = new MortalService(lent.folder)
let given: { expert: string; base: string }

beforeAll(async () => {
  await installPythonEnvironment(llamaCppPackages(process.env), () => {})
  const client = await service.client()
  given = await prepareSmallLoop(client, lent.folder)
  await client.addEndpoint({ name: 'beginner', endpoint: { kind: 'simulated', skill: 0.5 } })
})

afterAll(async () => {
  await service.end()
  await lent.remove()
})

const act = { id: 'act', max_steps: 8 }
const search = { id: 'mcts', value: 'none', iterations: 6, samples: 3, max_depth: 8 }
const prompts = { react: 'Move the balls. Answer so:\nThought: <why>\nAction: <the one thing you do>' }
const evaluation_prompts = { act: 'Move the balls. Answer so:\nAction: <the one thing you do>' }

/** `rft` is played in the test of kills. */
const recipes: [LoopRequestInput['recipe'], LoopSettings][] = [
  ['eto', { method: act, prompts: evaluation_prompts, samples: 2, temperature: 1 }],
  ['agent-r', { method: search, prompts, alpha: 0.3, beta: 0.1 }],
  ['exploratory', { method: { id: 'rmcts', value: 'judge', iterations: 4, max_steps: 8 }, prompts }],
  ['step-dpo', { method: search, prompts, margin: 0.1 }],
]

/** A beginner explores for a model that knows nothing yet, which learns two steps of it and is then asked itself. */
function smallest(recipe: LoopRequestInput['recipe'], settings: LoopSettings): LoopRequestInput {
  return {
    recipe,
    environment: 'pddl',
    base: { folder: given.base },
    policy: { endpoint: 'beginner', id: 'beginner' },
    experts: recipe === 'eto' ? [given.expert] : [],
    tasks: {
      train: smallWorld.tasks('train', smallSizes.trainTasks),
      test: smallWorld.tasks('test', 2),
    },
    // A model of two steps says anything without end. It ends at words of observations, so that there is something to score.
    model: { max_tokens: 600, stop: [' holds', ' Gripper', ' valid', ' happens'] },
    patience: null,
    max_retries: 0,
    episode_limits: { steps: 60 },
    settings: {
      rounds: 1,
      warm_start: 'none',
      evaluation_method: { id: 'act', max_steps: 2 },
      evaluation_prompts,
      evaluation_temperature: 1,
      hyperparameters: {
        batch_size: 2,
        micro_batch_size: 2,
        max_length: 1024,
        max_steps: 2,
        long_rows: 'drop',
      },
      ...settings,
    },
  }
}

test.each(recipes)(
  '%s makes its round: explored, built, trained by TRL, served by llama.cpp, played',
  async (recipe, settings) => {
    const client = await service.client()
    const { id } = await client.createLoop(smallest(recipe, settings), recipe)
    const { loop } = await followLoop(service, id, { kills: false })
    expect(loop.reason).toContain('rounds were made')
    const report = await client.loopReport(id)
    const [before, after] = report.rounds
    expect(before?.model).toBeNull()
    expect(after?.rows).toBeGreaterThan(0)
    expect(after?.steps).toBe(2)
    expect(after?.evaluation).toMatchObject({ episodes: 2, errored: 0 })
    const model = await client.registeredModel(after?.model ?? '')
    const { request } = await client.run(after?.evaluation?.run ?? '')
    expect(request.model).toMatchObject({ endpoint: model.endpoint, id: model.id })
  },
)

test('an expert that played a held-out task is refused before anything is trained', async () => {
  const client = await service.client()
  const half = smallSizes.trainTasks / 2
  const all = smallWorld.tasks('train', smallSizes.trainTasks)
  const request: LoopRequestInput = {
    ...smallest('rft', {
      warm_start: 'sft',
      warm_start_hyperparameters: { max_length: 1024 },
      method: act,
      prompts: evaluation_prompts,
    }),
    policy: undefined,
    experts: [given.expert],
    tasks: { train: { ...all, range: [0, half] }, test: { ...all, range: [half, 2 * half] } },
  }
  const { id } = await client.createLoop(request, 'leaked')
  const { loop } = await followLoop(service, id, { kills: false })
  expect(loop.reason).toMatch(/rows of the dataset \S+ are of tasks that the loop measures models on/)
  expect(loop.rounds[0]?.stages.map(({ id, status }) => `${id} ${status}`)).toEqual(['build-experts failed'])
  const built = loop.rounds[0]?.stages[0]?.ref
  const { data } = await client.trainings({ limit: 100 })
  expect(data.filter(({ request }) => request.datasets.some(({ dataset }) => dataset === built))).toEqual([])
})

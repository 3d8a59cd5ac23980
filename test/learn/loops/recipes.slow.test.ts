import { expect, test } from 'vitest'
import type { LoopRequestInput } from '../../../shared/core/contracts/loop.ts'
import { loopRecipeIdSchema } from '../../../shared/core/contracts/loop-settings.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { driveNewLoop } from './drive-loop.ts'

const shared = shareWorld()

test.each(loopRecipeIdSchema.options)('%s comes to its end', async (recipe) => {
  const settings = recipe === 'rft' ? { settings: { start_from: 'previous' as const } } : {}
  const { loop, own, service } = await driveNewLoop(
    shared.world,
    { recipe, patience: null, ...settings },
    { gain: () => 0.2 },
  )
  expect(loop).toMatchObject({ status: 'succeeded', best: { round: loop.progress.rounds } })
  expect(loop.rounds).toHaveLength(loop.progress.rounds + 1)
  expect(new Set(service.made).size).toBe(service.made.length)
  const report = await own.report(loop.id)
  const warm = recipe === 'eto' ? 1 : 0
  expect(report.rounds.map(({ evaluation }) => evaluation?.success_rate?.mean)).toEqual(
    loop.rounds.map((_, round) => expect.closeTo(0.2 * (round + warm + 1), 5)),
  )
})

test('eto trains with its betas and rates by round, on pairs with the expert, from the current model', async () => {
  const { service, loop } = await driveNewLoop(
    shared.world,
    { recipe: 'eto', patience: null },
    { gain: () => 0.2 },
  )
  const trainings = [...service.trainings.values()].map(({ request }) => request)
  expect(
    trainings.map(({ recipe, hyperparameters: { beta, learning_rate } }) => [recipe, beta, learning_rate]),
  ).toEqual([
    ['sft', undefined, 2e-5],
    ['dpo', 0.1, 1e-6],
    ['dpo', 0.5, 5e-7],
    ['dpo', 0.5, 5e-7],
  ])
  expect(trainings.slice(1).map(({ base }) => base)).toEqual(
    loop.rounds.slice(0, 3).map(({ model }) => ({ registered: model })),
  )
  const pairs = [...service.datasets.values()].filter(({ kind }) => kind === 'preference')
  expect(pairs.map(({ experts, parameters }) => [experts, parameters.against])).toEqual(
    pairs.map(() => [['import-experts'], 'expert']),
  )
  const explored = [...service.runs.values()].filter(({ request }) => request.metadata.stage === 'explore')
  expect(
    explored.map(({ request }) => [request.model.temperature, request.epochs, request.tasks.split]),
  ).toEqual(explored.map(() => [0, 1, 'train']))
})

test('agent-r tightens its thresholds by round and mixes general conversations in', async () => {
  const { service } = await driveNewLoop(
    shared.world,
    { recipe: 'agent-r', patience: null, general: ['import-general'] },
    { gain: () => 0.2 },
  )
  const built = [...service.datasets.values()]
  expect(
    built.map(({ kind, parameters, mix }) => [kind, parameters.alpha, parameters.beta, mix?.share]),
  ).toEqual([
    ['revision', 0.5, 0.2, 0.2],
    ['revision', 0.7, 0.2, 0.2],
    ['revision', 1, 0.2, 0.2],
  ])
  const epochs = [...service.trainings.values()].map(({ request }) => request.hyperparameters.epochs)
  expect(epochs).toEqual([3, 1, 1])
})

test.each([
  ['grpo', 1, 'grpo', 24_000],
  ['tree-grpo', 2, 'tree-grpo', 12_000],
] as const)(
  '%s records tokens, gives each of %i trees its share of the budget, and keeps equal rollouts',
  async (recipe, samples, advantage, share) => {
    const { service } = await driveNewLoop(
      shared.world,
      { recipe, settings: { rounds: 2, token_budget: [9000, 24_000] }, patience: null },
      { gain: () => 0.2 },
    )
    const runs = [...service.runs.values()].map(({ request }) => request)
    const explored = runs.filter(({ metadata }) => metadata.stage === 'explore')
    expect(explored.map(({ record, model }) => [record, model.prompting])).toEqual([
      ['tokens', 'tokens'],
      ['tokens', 'tokens'],
    ])
    expect(explored.map(({ epochs }) => epochs)).toEqual([samples, samples])
    expect(explored.map(({ episode_limits }) => episode_limits.tokens)).toEqual([9000 / samples, share])
    const evaluated = runs.filter(({ metadata }) => metadata.stage === 'evaluate')
    for (const { episode_limits, record } of evaluated) {
      expect([record, episode_limits.tokens]).toEqual([undefined, undefined])
    }
    for (const { kind, parameters, gates } of service.datasets.values()) {
      expect([kind, parameters.advantage, gates.duplicates]).toEqual(['rollouts', advantage, 'keep'])
    }
    for (const { request } of service.trainings.values()) {
      expect([request.recipe, request.hyperparameters.learning_rate]).toEqual(['policy-gradient', 1e-6])
    }
  },
)

test('a budget of tokens goes below a larger limit of the request, and leaves a smaller one', async () => {
  const limitOf = async (tokens: number) => {
    const { service } = await driveNewLoop(
      shared.world,
      {
        recipe: 'grpo',
        episode_limits: { tokens, steps: 5 },
        settings: { rounds: 1, token_budget: 1000 },
        patience: null,
      },
      { gain: () => 0.2 },
    )
    const explored = [...service.runs.values()].find(({ request }) => request.metadata.stage === 'explore')
    return explored?.request.episode_limits
  }
  expect(await limitOf(5000)).toEqual({ tokens: 1000, steps: 5 })
  expect(await limitOf(500)).toEqual({ tokens: 500, steps: 5 })
})

test('rows of earlier rounds and of the experts are trained on beside those of the round, with their shares', async () => {
  const { service, loop } = await driveNewLoop(
    shared.world,
    {
      settings: { rounds: 2, earlier_rounds: 'all', expert_share: [0.5, 0.2], earlier_share: 0.3 },
      patience: null,
    },
    { gain: () => 0.3 },
  )
  expect(loop.status).toBe('succeeded')
  const [first, second] = [...service.trainings.values()].map(({ request }) => request.datasets)
  expect(first?.map(({ share }) => share)).toEqual([0.5, 0.5])
  expect(second?.map(({ share }) => share)).toEqual([0.5, 0.3, 0.2])
  expect(second?.[1]?.dataset).toBe(first?.[0]?.dataset)
  expect(second?.[2]?.dataset).toBe(first?.[1]?.dataset)
})

test('a training starts from the base, the model before, or the best, as its round says', async () => {
  const gains = [0.3, -0.2, 0.1]
  let trained = 0
  const { service, loop } = await driveNewLoop(
    shared.world,
    { recipe: 'step-dpo', settings: { start_from: ['base', 'previous', 'best'] }, patience: null },
    { gain: () => gains[trained++] as number },
  )
  expect(loop.best?.round).toBe(3)
  expect([...service.trainings.values()].map(({ request }) => request.base)).toEqual([
    { registered: 'model-base' },
    { registered: loop.rounds[1]?.model },
    { registered: loop.rounds[1]?.model },
  ])
})

/** The runs of a loop in an environment, in the order in which it starts them. */
const runsIn = async (environment: string, rest: Partial<LoopRequestInput>) => {
  const { service } = await driveNewLoop(
    shared.world,
    { environment, patience: null, ...rest },
    { gain: () => 0.2 },
  )
  return [...service.runs.values()].map(({ request }) => request)
}

test.each([
  ['scienceworld', 0.0025, { actions: 'nearest' }],
  ['scienceworld-plain', 0.0025, { actions: 'nearest' }],
  ['webshop', 0.25, undefined],
  ['textcraft', 0.25, undefined],
])('agent-r plays %s as its preset does', async (environment, exploration, options) => {
  const runs = await runsIn(environment, { recipe: 'agent-r' })
  const explored = runs.filter(({ metadata }) => metadata.stage === 'explore')
  expect(explored).not.toHaveLength(0)
  for (const { method } of explored) {
    expect(method).toMatchObject({ id: 'mcts', exploration, iterations: 8, samples: 4, max_depth: 20 })
  }
  for (const { model, environment_options } of runs) {
    expect([model.max_tokens, environment_options]).toEqual([500, options])
  }
})

test('the request goes before the preset of a recipe', async () => {
  const runs = await runsIn('scienceworld', {
    recipe: 'agent-r',
    settings: { method: { id: 'mcts', iterations: 2 } },
    environment_options: { actions: 'exact' },
    model: { max_tokens: 64 },
  })
  const [explored] = runs.filter(({ metadata }) => metadata.stage === 'explore')
  expect(explored).toMatchObject({ method: { id: 'mcts', iterations: 2 }, model: { max_tokens: 64 } })
  expect(explored?.method).not.toHaveProperty('exploration')
  expect(explored?.environment_options).toEqual({ actions: 'exact' })
})

test('eto scores ScienceWorld by the best on the way and bounds its answers, as its preset does', async () => {
  for (const { model, environment_options } of await runsIn('scienceworld', { recipe: 'eto' })) {
    expect(environment_options).toEqual({ scoring: 'best' })
    expect(model).toMatchObject({ max_tokens: 512, stop: ['\nObservation:', '\nTask:', '\n---'] })
  }
})

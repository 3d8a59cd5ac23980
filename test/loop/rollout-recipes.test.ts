import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoWorld, demoWorlds } from '../../scripts/demo-loop/demo-worlds.ts'
import { type Arm, armRequest, arms, rlSizesFor } from '../../scripts/demo-rl/rl-requests.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { EpisodeResult } from '../../shared/core/contracts/episode.ts'
import type { Loop, LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { LoopSettings } from '../../shared/core/contracts/loop-settings.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { followLoop, MortalService, prepareSmallLoop, quickCloning, smallTasks } from './small-loop.ts'

const lent = await lentFolder()
const service = new MortalService(lent.folder)
let given: { expert: string; base: string }

beforeAll(async () => {
  await installPythonEnvironment(llamaCppPackages(process.env), () => {})
  given = await prepareSmallLoop(await service.client(), lent.folder)
})

afterAll(async () => {
  await service.end()
  await lent.remove()
})

const pddl = demoWorlds[0] as DemoWorld
const budget = 6000
const sizes = { ...rlSizesFor(1), rounds: 1, tokenBudget: budget }
const world = { ...pddl, maxSteps: 4, sizes: { ...pddl.sizes, cloneSteps: 150 } }

function smallArm(arm: Arm, needs: { base: LoopRequestInput['base']; expert?: string }): LoopRequestInput {
  const request = armRequest(world, sizes, arm, {
    seed: 1,
    ...needs,
  })
  const { settings } = request as { settings: LoopSettings }
  return {
    ...request,
    tasks: smallTasks,
    settings: {
      ...settings,
      // A model of some steps may solve nothing.
      kind_parameters: { flat: 'keep' },
      ...(needs.expert !== undefined && {
        warm_start_hyperparameters: { ...settings.warm_start_hyperparameters, ...quickCloning },
      }),
      hyperparameters: { ...settings.hyperparameters, batch_size: 16 },
    },
  }
}

function tokensOf(result: EpisodeResult | null): number {
  return (result?.usage.input_tokens ?? 0) + (result?.usage.output_tokens ?? 0)
}

/** The explored episodes with their tokens, the rows of the round, and the digest of its weights. */
async function madeBy(client: ApiClient, { rounds }: Loop) {
  const stages = rounds[1]?.stages ?? []
  const refOf = (stage: string) => stages.find(({ id }) => id === stage)?.ref ?? ''
  const { data: episodes } = await client.episodes(refOf('explore'), { limit: 100 })
  const { data: rows } = await client.datasetRows(refOf('build'), { limit: 100 })
  const recorded = new Set<string>()
  for (const { id } of episodes) {
    const { calls } = await client.tokens(refOf('explore'), id)
    for (const { answers, prompt_ids } of calls) {
      for (const { ids } of answers) recorded.add(JSON.stringify([...(prompt_ids ?? []), ...(ids ?? [])]))
    }
  }
  const { files } = await client.registeredModel(rounds[1]?.model ?? '')
  return {
    episodes,
    rows: rows.map(({ data }) => data as unknown as Omit<RowOf<'rollout'>, 'completion_mask'>),
    recorded,
    training: await client.training(refOf('train')),
    weights: files.find(({ name }) => name === 'model.safetensors')?.sha256,
  }
}

test('grpo on chains and tree-grpo train from rollouts of the same tokens, from one clone', async () => {
  const client = await service.client()
  const run = async (arm: Arm, needs: Parameters<typeof smallArm>[1]) => {
    const { id } = await client.createLoop(smallArm(arm, needs), arm)
    const { loop } = await followLoop(service, id, { kills: false })
    expect(loop.reason).toContain('rounds were made')
    return loop
  }
  const chains = await run('grpo', { base: { folder: given.base }, expert: given.expert })
  const clone = chains.rounds[0]?.model ?? ''
  const trees = await run('tree-grpo', { base: { registered: clone } })
  const made = { grpo: await madeBy(client, chains), 'tree-grpo': await madeBy(client, trees) }
  for (const [arm, { episodes, recorded, rows, training }] of Object.entries(made)) {
    const { samples } = arms[arm as Arm]
    expect(episodes).toHaveLength(8 * samples)
    for (const { result } of episodes) {
      expect(result?.reward, arm).not.toBeNull()
      const tokens = tokensOf(result)
      expect(tokens, arm).toBeGreaterThanOrEqual(budget / samples)
      // The call that reaches the budget is the last.
      expect(tokens, arm).toBeLessThan(budget / samples + 960 + 32)
    }
    expect(rows.length, arm).toBeGreaterThan(8 * samples)
    for (const { prompt_ids, completion_ids } of rows) {
      expect(recorded).toContain(JSON.stringify([...prompt_ids, ...completion_ids]))
    }
    expect(training.request.recipe).toBe('policy-gradient')
    expect(training.rows.learned_tokens).toBeGreaterThan(0)
    expect(training.metrics?.loss).toSatisfy(Number.isFinite)
  }
  // Some task was solved by some branches and not by others.
  const advantages = Object.values(made).flatMap(({ rows }) => rows.flatMap((row) => row.advantages ?? []))
  expect(advantages.some((advantage) => advantage !== 0)).toBe(true)
  expect(new Set(Object.values(made).map(({ weights }) => weights)).size).toBe(2)
})

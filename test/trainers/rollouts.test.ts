import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import {
  type AdvantageId,
  type AdvantageOptions,
  advantages,
} from '../../shared/data/datasets/kinds/rollouts/advantages/advantages.ts'
import { anyBranches } from '../data/datasets/kinds/rollouts/any-branches.ts'
import { write } from '../data/formats/sample-rows.ts'
import { runPython } from './run-python.ts'

const anyOptions = fc.record({
  scale: fc.constantFrom('std', 'none'),
  discount: fc.double({ min: 0.1, max: 1, noNaN: true }),
  lambda: fc.double({ min: 0, max: 1, noNaN: true }),
  step_weight: fc.double({ min: 0, max: 2, noNaN: true }),
}) satisfies fc.Arbitrary<AdvantageOptions>

test('advantages of 300 random groups are those that Python computes from the equations', async () => {
  const ids = Object.keys(advantages) as AdvantageId[]
  const jobs = fc
    .sample(fc.record({ branches: anyBranches, options: anyOptions }), 300)
    .map((job, place) => ({ ...job, method: ids[place % ids.length] as AdvantageId }))
  const computed = await runPython<number[][]>('advantages.py', jobs)
  for (const [place, { branches, method, options }] of jobs.entries()) {
    const found = advantages[method](branches, options)
    expect(found.map(({ length }) => length)).toEqual(computed[place]?.map(({ length }) => length))
    for (const [step, value] of found.flat().entries()) {
      expect(value, method).toBeCloseTo(computed[place]?.flat()[step] as number, 6)
    }
  }
})

/** Two branches of each of three tasks: two answers with a token of the environment between them. */
const rows = [0, 1, 2, 3, 4, 5].map((number): RowOf<'rollout'> => {
  const own = [10 + number, 20 + number, 30 + number]
  return {
    type: 'rollout',
    group: `textcraft/task-${Math.floor(number / 2)}`,
    members: 2,
    part: 0,
    parts: 1,
    prompt_ids: [3, 4, 5],
    completion_ids: [own[0] as number, own[1] as number, 6, own[2] as number],
    completion_mask: [1, 1, 0, 1],
    logprobs: [-0.5, -1, null, -0.25],
    reward: number % 2,
    advantages: [0.5, 0.5, 0, 0.25],
    versions: ['w1'],
    temperature: 1,
  }
})

const written = (format: string): JsonObject[] => rows.map((row) => write(format, 'rollouts', row))

test('TRL trains three steps of GRPO on the rows, and its loss covers exactly the agent’s tokens', async () => {
  const [trained] = await runPython<{ losses: number[]; counted: number[][] }>('train_rollouts.py', [
    { rows: written('trl') },
  ])
  expect(trained?.losses).toHaveLength(3)
  expect(trained?.losses.every(Number.isFinite)).toBe(true)
  const own = rows.map(({ completion_ids: ids, completion_mask: mask }) =>
    ids.filter((_, at) => mask[at] === 1),
  )
  const counted = new Set(trained?.counted.map((ids) => JSON.stringify(ids)))
  expect(counted.size).toBeGreaterThan(1)
  expect(own.map((ids) => JSON.stringify(ids))).toEqual(expect.arrayContaining([...counted]))
})

test('Tinker makes its data of the rows, and verl and SkyRL publish the fields that they are written with', async () => {
  const [tinker, verl, skyrl] = (await runPython<unknown>(
    'load_rollouts.py',
    ['tinker', 'verl', 'skyrl'].map((format) => ({ format, rows: written(format) })),
    inject('rollouts'),
  )) as [JsonObject[], string[], string[]]
  expect(tinker).toEqual(
    written('tinker').map(({ advantages: credit, logprobs, target_tokens, tokens }) => ({
      tokens,
      target_tokens,
      logprobs,
      advantages: credit,
    })),
  )
  expect(tinker[0]).toMatchObject({
    tokens: [3, 4, 5, 10, 20, 6],
    target_tokens: [4, 5, 10, 20, 6, 30],
    logprobs: [0, 0, -0.5, -1, 0, -0.25],
    advantages: [0, 0, 0.5, 0.5, 0, 0.25],
  })
  expect(verl).toEqual(expect.arrayContaining(Object.keys(written('verl')[0] ?? {})))
  const { group, advantages: credit, ...ofSkyrl } = written('skyrl')[0] ?? {}
  expect([group, credit]).not.toContain(undefined)
  const plural = Object.keys(ofSkyrl).map(
    (name) => ({ reward: 'rewards', loss_mask: 'loss_masks' })[name] ?? name,
  )
  expect(skyrl).toEqual(expect.arrayContaining(plural))
})

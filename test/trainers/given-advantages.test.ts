import { beforeAll, expect, test } from 'vitest'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { trainingRecipes } from '../../shared/learn/trainings/recipes.ts'
import { write } from '../data/formats/sample-rows.ts'
import { runPython } from './run-python.ts'

interface Trained {
  refused?: string
  counted: { whole: number[]; ids: number[]; advantages: number[] }[]
  measured: { learned_tokens: number; tokens: number; longest: number; dropped: number }
  tokens: number
  steps: { loss: number; kl?: number; 'clip_ratio/region_mean': number }[]
}

/** Rows of unequal lengths, with tokens of the environment between the agent's. */
const rows = [0, 1, 2, 3, 4, 5].map((number): RowOf<'rollout'> => {
  const own = Array.from({ length: 6 + (number % 3) }, (_, at) => (at === 2 ? 0 : 1))
  return {
    type: 'rollout',
    group: `textcraft/task-${Math.floor(number / 2)}`,
    members: 2,
    part: 0,
    parts: 1,
    prompt_ids: [3, 4, 5].slice(0, 1 + (number % 3)),
    completion_ids: own.map((_, at) => (7 * number + 3 * at) % 40),
    completion_mask: own,
    logprobs: own.map((mask) => (mask === 1 ? -1 : null)),
    reward: number % 2,
    advantages: own.map((mask, at) => (mask === 1 ? (number % 2 === 0 ? -0.5 : 1.25 + at / 4) : 0)),
    versions: ['w1'],
    temperature: 1,
  }
})

const schema = trainingRecipes.find(({ id }) => id === 'policy-gradient')?.hyperparameters
const job = (changes: JsonObject, given: { lora?: object; rows?: RowOf<'rollout'>[] } = {}) => ({
  rows: (given.rows ?? rows).map((row) => write('trl', 'rollouts', row)),
  hyperparameters: schema?.parse({
    learning_rate: 0.01,
    epochs: 2,
    batch_size: 6,
    micro_batch_size: 6,
    ...changes,
  }),
  lora: given.lora ?? null,
})
const lora = { rank: 4, alpha: 8, dropout: 0, target_modules: 'all-linear', merge: true }

const jobs = {
  grpo: job({}),
  bnpo: job({ loss: 'bnpo' }),
  dr_grpo: job({ loss: 'dr_grpo', max_length: 32 }),
  accumulated: job({ micro_batch_size: 2 }),
  adapter: job({}, { lora }),
  free: job({ beta: 0 }),
  cut: job({ max_length: 8, long_rows: 'truncate' }),
  bare: job({}, { rows: rows.map((row) => ({ ...row, advantages: null })) }),
}
const names = Object.keys(jobs) as (keyof typeof jobs)[]
let results: Trained[]
const of = (name: keyof typeof jobs) => results[names.indexOf(name)] as Trained

beforeAll(async () => {
  results = await runPython('train_given.py', Object.values(jobs))
})

const ownOf = (row: RowOf<'rollout'>, length = Number.POSITIVE_INFINITY) => {
  const places = [...row.completion_ids.keys()].filter(
    (at) => row.completion_mask[at] === 1 && row.prompt_ids.length + at < length,
  )
  return {
    whole: [...row.prompt_ids, ...row.completion_ids].slice(0, length),
    ids: places.map((at) => row.completion_ids[at]),
    advantages: places.map((at) => row.advantages?.[at]),
  }
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test.each(['grpo', 'accumulated', 'adapter'] as const)(
  'the loss of %s covers exactly the agent’s tokens, each with its advantage',
  (name) => {
    expect(of(name).counted).toHaveLength(rows.length)
    expect(of(name).counted).toEqual(expect.arrayContaining(rows.map((row) => ownOf(row))))
    expect(of(name).measured.learned_tokens).toBe(sum(rows.map((row) => ownOf(row).ids.length)))
    // Two passes over all rows.
    expect(of(name).tokens).toBe(2 * of(name).measured.tokens)
  },
)

test('rows are cut at the greatest length, and learned up to it', () => {
  expect(of('cut').counted).toEqual(expect.arrayContaining(rows.map((row) => ownOf(row, 8))))
  expect(of('cut').measured.learned_tokens).toBe(sum(rows.map((row) => ownOf(row, 8).ids.length)))
})

// Before the first step the policy is the one that played, so that the ratio is 1 and the divergence 0.
const means = rows.map((row) => sum(ownOf(row).advantages as number[]) / ownOf(row).ids.length)
const total = sum(rows.flatMap((row) => ownOf(row).advantages as number[]))
const counted = sum(rows.map((row) => ownOf(row).ids.length))

test.each([
  ['grpo', -sum(means) / rows.length],
  ['accumulated', -sum(means) / rows.length],
  ['adapter', -sum(means) / rows.length],
  ['free', -sum(means) / rows.length],
  ['bnpo', -total / counted],
  ['dr_grpo', -total / (rows.length * 32)],
] as const)('%s begins at the loss of its equation, %d, and lowers it', (name, loss) => {
  const [first, second] = of(name).steps
  expect(first?.loss).toBeCloseTo(loss, 4)
  expect(first?.['clip_ratio/region_mean']).toBe(0)
  expect(first?.kl ?? 0).toBeCloseTo(0, 5)
  expect(second?.loss).toBeLessThan(first?.loss as number)
})

test('the divergence from the start is in the loss, unless its weight is 0', () => {
  expect(of('grpo').steps[1]?.kl).toBeGreaterThan(0)
  expect(of('adapter').steps[1]?.kl).toBeGreaterThan(0)
  expect(of('free').steps[1]?.kl).toBeUndefined()
})

test('rollouts without advantages are refused', () => {
  expect(of('bare').refused).toContain('no advantages')
})

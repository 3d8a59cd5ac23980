import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DatasetKindId } from '../../../shared/core/contracts/dataset.ts'
import type { RowOf } from '../../../shared/core/contracts/dataset-row.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { formatFacts, samples, write } from './sample-rows.ts'

const anyToken = fc.record({
  id: fc.nat(40),
  own: fc.boolean(),
  logprob: fc.double({ min: -9, max: 0, noNaN: true }),
})

// A branch in the parts of which each has its own prompt.
const anyBranch = fc
  .array(
    fc.record({
      prompt_ids: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
      tokens: fc.array(anyToken, { minLength: 1, maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) =>
    parts.map(
      ({ prompt_ids, tokens }, part): RowOf<'rollout'> => ({
        ...samples.rollouts,
        part,
        parts: parts.length,
        prompt_ids,
        completion_ids: tokens.map(({ id }) => id),
        completion_mask: tokens.map(({ own }) => (own ? 1 : 0)),
        logprobs: tokens.map(({ own, logprob }) => (own ? logprob : null)),
        // Each of the agent's tokens has its own.
        advantages: tokens.map(({ own }, place) => (own ? part * 10 + place + 1 : 0)),
        versions: ['w1'],
      }),
    ),
  )

// Those that hold only numbers, as their trainers' classes do.
const bare = datasetFormats
  .filter(({ kinds, id }) => kinds.includes('rollouts') && id !== 'parquet' && id !== 'jsonl')
  .map(({ id }) => id)
const compared = ['trl', 'verl', 'skyrl']

test('formats whose trainers compare the rows of a group refuse a branch in several parts', () => {
  fc.assert(
    fc.property(anyBranch, fc.constantFrom(...compared), (branch, format) => {
      for (const row of branch) {
        if (branch.length === 1) expect(write(format, 'rollouts', row)).toBeTypeOf('object')
        else {
          const attempt = () => write(format, 'rollouts', row)
          expect(attempt).toThrow(UnfitRowError)
          expect(attempt).toThrow(/^its branch has several parts, .* "prompting": "tokens"/)
        }
      }
    }),
  )
})

test('the others write every part with the advantages of its own tokens, or name the part', () => {
  const learned = (row: RowOf<'rollout'>) => row.advantages?.filter((_, at) => row.completion_mask[at] === 1)
  expect(bare.filter((id) => !compared.includes(id))).toEqual(['prime-rl', 'tinker'])
  fc.assert(
    fc.property(anyBranch, (branch) => {
      for (const row of branch) {
        for (const format of ['prime-rl', 'tinker']) {
          const { advantages } = write(format, 'rollouts', row) as { advantages: number[] }
          expect(advantages.filter((each) => each !== 0)).toEqual(learned(row))
        }
        for (const format of ['jsonl', 'parquet']) {
          const { part, parts } = row
          expect(write(format, 'rollouts', row)).toMatchObject({ part, parts })
        }
      }
    }),
  )
})

describe('prime-rl', () => {
  test('has the fields of TrainingSample 0.8.0 alone, each as long as the tokens', () => {
    expect(write('prime-rl', 'rollouts')).toEqual({
      token_ids: [1, 5, 6, 7, 8, 9, 7],
      mask: [false, false, false, true, true, false, true],
      logprobs: [0, 0, 0, -0.5, -1, 0, -0.25],
      temperatures: [1, 1, 1, 1, 1, 1, 1],
      env_name: 'textcraft',
      advantages: [0, 0, 0, 0.5, 0.5, 0, 0.5],
    })
  })

  test('takes steps of different credit, and no row without any', () => {
    const steps = { ...samples.rollouts, advantages: [0.5, 0.5, 0, -1] } as unknown as RowOf<'rollout'>
    expect(write('prime-rl', 'rollouts', steps).advantages).toEqual([0, 0, 0, 0.5, 0.5, 0, -1])
    const none = { ...steps, advantages: null }
    expect(() => write('prime-rl', 'rollouts', none)).toThrow(/it has no advantages/)
  })
})

test('verl counts the prompt, the answers and the environment between them as turns', () => {
  expect(write('verl', 'rollouts').num_turns).toBe(4)
})

test('TRL’s README names the limit that the trainer of the rows has', () => {
  const said = (kind: DatasetKindId, isPictured = false) =>
    findFormat('trl').usage(formatFacts(kind, { isPictured }))
  for (const isPictured of [false, true]) {
    expect(said('prompts', isPictured)).toContain('`max_completion_length`')
    expect(said('prompts', isPictured)).not.toContain('max_length=None')
    expect(said('sft', isPictured)).toContain('`max_length=None` matters')
  }
  expect(said('rollouts')).not.toMatch(/max_length|max_completion_length/)
})

import { expect, test } from 'vitest'
import { buildDatasetRequest } from '../../cli/build-dataset-request.ts'
import { datasetRequestSchema } from '../../shared/core/contracts/dataset.ts'

test('what no option says is left to the service', () => {
  expect(buildDatasetRequest(['run-1'], {})).toEqual({ runs: ['run-1'] })
  expect(buildDatasetRequest([], {})).toEqual({})
})

test('scores are names, with a bound or without', () => {
  const { scores } = buildDatasetRequest(['run-1'], { score: ['neat', 'careful>=0.5', 'fast <= 0.25'] })
  expect(scores).toEqual([
    { name: 'neat' },
    { name: 'careful', at_least: 0.5 },
    { name: 'fast', at_most: 0.25 },
  ])
  for (const wrong of ['careful>=high', '>=1', 'careful=1']) {
    expect(() => buildDatasetRequest(['run-1'], { score: [wrong] })).toThrow('is no score')
  }
})

test('every option has its place in the request', () => {
  const request = buildDatasetRequest(['run-1', 'run-2'], {
    name: 'pairs',
    trajectories: ['traj-1'],
    expert: ['traj-2'],
    mix: ['traj-3'],
    mixShare: 0.1,
    kind: 'preference',
    set: ['margin=0.2', 'against=both'],
    format: 'trl',
    split: 'train=0.9, validation=0.1',
    seed: 7,
    maxTokens: 8192,
    tokenizer: 'o200k_base',
    keepHeldOut: true,
    keepDuplicates: true,
    keepEmptyTurns: true,
    keepSameAction: true,
    endpoint: 'openai',
    model: 'gpt-5-mini',
    maxCost: 2,
    rowsPerFile: 500,
  })
  expect(datasetRequestSchema.parse(request)).toEqual({
    name: 'pairs',
    runs: ['run-1', 'run-2'],
    trajectories: ['traj-1'],
    experts: ['traj-2'],
    mix: { trajectories: ['traj-3'], share: 0.1 },
    kind: 'preference',
    parameters: { margin: 0.2, against: 'both' },
    format: 'trl',
    splits: { train: 0.9, validation: 0.1 },
    seed: 7,
    gates: {
      duplicates: 'keep',
      held_out: 'keep',
      empty_turns: 'keep',
      same_action: 'keep',
      max_tokens: 8192,
      tokenizer: 'o200k_base',
    },
    model: { endpoint: 'openai', id: 'gpt-5-mini' },
    limits: { cost: 2 },
    rows_per_file: 500,
  })
})

test('--min-reward is short for a parameter of sft, and of no other kind', () => {
  expect(buildDatasetRequest(['run-1'], { minReward: 0.5 })).toMatchObject({
    parameters: { min_reward: 0.5 },
  })
  expect(() => buildDatasetRequest(['run-1'], { minReward: 0.5, kind: 'unpaired' })).toThrow(
    /--min-reward is for sft.*--kinds unpaired/,
  )
})

test.each(['train', 'train=much', 'train=0.9,,test=0.1', '=1', ''])('--split "%s" is explained', (split) => {
  expect(() => buildDatasetRequest([], { split })).toThrow('Write train=0.9,validation=0.1.')
})

test('--mix-share needs --mix, and has the service’s default', () => {
  expect(() => buildDatasetRequest(['run-1'], { mixShare: 0.1 })).toThrow('Give --mix')
  expect(buildDatasetRequest(['run-1'], { mix: ['traj-1'] })).toMatchObject({
    mix: { trajectories: ['traj-1'] },
  })
})

test('a split that is named twice is refused, where one share would be lost', () => {
  expect(() => buildDatasetRequest([], { split: 'train=0.5,train=0.5' })).toThrow('names "train" twice')
})

import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import { type ColumnType, countColumn, numberColumn, textColumn } from './column-types.ts'

const idsColumn = (name: string): ColumnType => ({ name, list: 'int64' })
const numbersColumn = (name: string): ColumnType => ({ name, list: 'float64' })
const versionsColumn: ColumnType = { name: 'versions', list: 'string' }
const groupColumns = [...['type', 'group'].map(textColumn), countColumn('members')]
const samplingColumns = [versionsColumn, numberColumn('temperature')]

export const rolloutHookColumns: ColumnType[] = [
  textColumn('group'),
  ...['prompt_ids', 'completion_ids', 'env_mask'].map(idsColumn),
  numbersColumn('logprobs'),
  numberColumn('reward'),
  numbersColumn('advantages'),
]

export const canonicalRolloutColumns: Partial<Record<DatasetKindId, ColumnType[]>> = {
  rollouts: [
    ...groupColumns,
    ...['part', 'parts'].map(countColumn),
    ...['prompt_ids', 'completion_ids', 'completion_mask'].map(idsColumn),
    numbersColumn('logprobs'),
    numberColumn('reward'),
    numbersColumn('advantages'),
    ...samplingColumns,
  ],
  'rollout-trees': [
    ...groupColumns,
    {
      name: 'segments',
      list: [
        countColumn('parent'),
        idsColumn('ids'),
        { name: 'learned', dtype: 'bool' },
        numbersColumn('logprobs'),
      ],
    },
    {
      name: 'branches',
      list: [
        ...['segment', 'part', 'parts'].map(countColumn),
        numberColumn('reward'),
        numbersColumn('advantages'),
      ],
    },
    countColumn('flat_tokens'),
    ...samplingColumns,
  ],
}

export const verlColumns: ColumnType[] = [
  ...['prompt_ids', 'response_ids', 'response_mask'].map(idsColumn),
  numbersColumn('response_logprobs'),
  numberColumn('reward_score'),
  countColumn('num_turns'),
  { name: 'metrics', struct: [] },
  { name: 'extra_fields', struct: [textColumn('group'), versionsColumn, numbersColumn('advantages')] },
]

export const skyrlColumns: ColumnType[] = [
  ...['prompt_token_ids', 'response_ids'].map(idsColumn),
  numberColumn('reward'),
  idsColumn('loss_mask'),
  numbersColumn('rollout_logprobs'),
  textColumn('group'),
  numbersColumn('advantages'),
]

export const primeRlColumns: ColumnType[] = [
  idsColumn('token_ids'),
  { name: 'mask', list: 'bool' },
  ...['logprobs', 'temperatures'].map(numbersColumn),
  textColumn('env_name'),
  numbersColumn('advantages'),
]

export const tinkerColumns: ColumnType[] = [
  ...['tokens', 'target_tokens'].map(idsColumn),
  ...['logprobs', 'advantages'].map(numbersColumn),
  numberColumn('reward'),
  textColumn('group'),
]

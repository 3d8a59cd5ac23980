import { expect, test } from 'vitest'
import { formatDatasetPreview } from '../../cli/commands/export.ts'
import { datasetRequestSchema } from '../../shared/core/contracts/dataset.ts'
import type { DatasetPreview, ForeseenRow } from '../../shared/core/contracts/dataset-preview.ts'

const row: ForeseenRow = {
  id: '0',
  object: 'dataset_row',
  data: {},
  parts: [
    { name: 'prompt', turns: [{ role: 'user', content: 'Goal:\n\u001b[31ma stick', learned: false }] },
    { name: 'completion', label: false, turns: [{ role: 'assistant', content: 'look', learned: true }] },
  ],
  lineage: {
    row: 0,
    kind: 'unpaired',
    environment: 'textcraft',
    data: null,
    task: 'textcraft-1',
    task_split: 'train',
    tokens: 812,
    sha256: 'ab',
    origin: {
      source: 'run-1',
      episode: 'ep-0000003',
      attempt: 1,
      method: 'mcts',
      model: 'simulated/simulated',
      reward: 0,
      node_ids: [0, 1],
    },
    other: null,
    schema_version: 'espalier-lineage-v2',
  },
  dropped: null,
}

const preview = (facts: Partial<DatasetPreview> = {}): DatasetPreview => ({
  object: 'dataset_preview',
  request: datasetRequestSchema.parse({ runs: ['run-1'], kind: 'unpaired', format: 'trl' }),
  complete: true,
  listed: { episodes: 3, left_out: { errored: 1 } },
  read: { tasks: 2, attempts: 2, left_out: { no_reward: 1 } },
  rows_found: 1,
  gates: { duplicates: { found: 0, dropped: 0 }, held_out: { found: 2, dropped: 2 } },
  tokens: { tokenizer: 'estimate', total: 812, longest: 812 },
  rows: [row],
  asks: null,
  warnings: [],
  ...facts,
})

const print = (facts?: Partial<DatasetPreview>) => formatDatasetPreview(preview(facts), 100).join('\n')

test('a preview says what would come of the request, and shows its first rows turn by turn', () => {
  expect(print()).toBe(
    [
      'preview   unpaired, format trl; nothing is stored',
      'read      2 attempts at 2 tasks, which is all',
      'rows      1, 812 tokens in those that are kept (estimate)',
      'left out  1 errored: the service failed; that says nothing about the method',
      '          1 no_reward: a limit on money or time ended the episode, so that it has no reward',
      'gates     2 held_out: a task that the environment holds out for evaluation',
      '',
      'row 0: textcraft-1, run-1 ep-0000003, 812 tokens',
      '  prompt',
      '    user: Goal: [31ma stick',
      '  completion, undesirable',
      '  * assistant: look',
    ].join('\n'),
  )
})

test('it says where only the beginning was read, who would be asked, and why a row is kept out', () => {
  const asks = { episodes: 40, endpoint: 'openai', model: 'gpt-5-mini' }
  const dropped = { gate: 'unfit', reason: 'two turns of the user follow each other' }
  const text = print({ complete: false, asks, rows: [{ ...row, dropped }], warnings: ['It still runs.'] })
  expect(text).toContain('of more: the build reads the rest')
  expect(text).toContain('asks      openai/gpt-5-mini about up to 40 episodes, which may cost money')
  expect(text).toContain('kept out by unfit: two turns of the user')
  expect(text).toContain('note      It still runs.')
})

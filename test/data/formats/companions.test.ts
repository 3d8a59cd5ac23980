import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { DatasetKindId } from '../../../shared/core/contracts/dataset.ts'
import { findFormat } from '../../../shared/data/formats/formats.ts'
import { formatFacts } from './sample-rows.ts'

const files = {
  train: ['train-00001.jsonl.gz', 'train-00002.jsonl.gz'],
  validation: ['validation-00001.jsonl.gz'],
  empty: [],
}

function companion(format: string, kind: DatasetKindId): { name: string; text: string } {
  const [file] = findFormat(format).companions(formatFacts(kind, { files }))
  if (file === undefined) throw new Error(`${format} has nothing beside its data.`)
  return file
}

describe('dataset_info.json of LLaMA-Factory', () => {
  const info = (kind: DatasetKindId) => JSON.parse(companion('llama-factory', kind).text)

  test('has an entry for every file, by its unpacked name', () => {
    expect(companion('llama-factory', 'sft').name).toBe('dataset_info.json')
    const names = Object.entries<{ file_name: string }>(info('sft')).map(([name, entry]) => [
      name,
      entry.file_name,
    ])
    expect(names).toEqual([
      ['sticks_and_stones_train_00001', 'train-00001.jsonl'],
      ['sticks_and_stones_train_00002', 'train-00002.jsonl'],
      ['sticks_and_stones_validation', 'validation-00001.jsonl'],
    ])
  })

  test('says which columns are which', () => {
    const tags = { role_tag: 'from', content_tag: 'value', user_tag: 'human', assistant_tag: 'gpt' }
    const columns = { messages: 'conversations', system: 'system' }
    const of = (kind: DatasetKindId) => info(kind).sticks_and_stones_validation
    expect(of('sft')).toMatchObject({ formatting: 'sharegpt', columns, tags })
    expect(of('step-preference')).toMatchObject({
      ranking: true,
      columns: { ...columns, chosen: 'chosen', rejected: 'rejected' },
    })
    expect(of('unpaired').columns).toEqual({ ...columns, kto_tag: 'kto_tag' })
    expect(of('sft')).not.toHaveProperty('ranking')
  })

  test('the README names the entries of training and of evaluation', () => {
    const usage = findFormat('llama-factory').usage(formatFacts('sft', { files }))
    expect(usage).toContain('dataset: sticks_and_stones_train_00001,sticks_and_stones_train_00002\n')
    expect(usage).toContain('eval_dataset: sticks_and_stones_validation  #')
  })

  test.each([[[]], [['validation']], [['validation', 'test', 'later']]])(
    'the YAML of the README names each entry once, with the splits %j beside the first',
    (others) => {
      const all = Object.fromEntries(
        ['train', ...others].map((split) => [split, [`${split}-00001.jsonl.gz`]]),
      )
      const facts = formatFacts('sft', { files: all })
      const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(findFormat('llama-factory').usage(facts)) ?? []
      const { dataset, eval_dataset } = parse(yaml)
      const [made] = findFormat('llama-factory').companions(facts)
      const named = [dataset, ...(eval_dataset?.split(',') ?? [])]
      expect(named).toEqual(Object.keys(JSON.parse(made?.text ?? '')))
    },
  )
})

test.each([
  ['fastchat', 'sft', 'jq -c -s add', 'json'],
  ['agenttraj', 'sft', 'jq -c -s add', 'json'],
  ['agent-r', 'revision', 'cat', 'jsonl'],
  ['openai', 'sft', 'cat', 'jsonl'],
] as const)(
  'the README of %s joins the files of a split, and never two splits',
  (format, kind, join, ending) => {
    const usage = findFormat(format).usage(formatFacts(kind, { files }))
    expect(usage).toContain(`\n${join} train-00001.jsonl train-00002.jsonl > train.${ending}\n`)
    expect(usage).toContain(`\n${join} validation-00001.jsonl > validation.${ending}\n`)
  },
)

describe('axolotl.yml', () => {
  test('trains on the first split, tests on the others, and knows the flag of each turn', () => {
    const { name, text } = companion('axolotl', 'revision')
    expect(name).toBe('axolotl.yml')
    expect(parse(text)).toMatchObject({
      datasets: [{ type: 'chat_template', message_field_training: 'train', data_files: files.train }],
      test_datasets: [{ data_files: files.validation }],
    })
  })

  test('is of DPO for steps and of process rewards for values', () => {
    expect(parse(companion('axolotl', 'step-preference').text)).toMatchObject({
      rl: 'dpo',
      datasets: [{ type: 'chat_template.default', field_chosen: 'chosen', field_rejected: 'rejected' }],
    })
    expect(parse(companion('axolotl', 'process-reward').text)).toMatchObject({
      process_reward_model: true,
      datasets: [{ type: 'stepwise_supervised' }],
    })
  })
})

test('OpenAI’s files are joined split by split, where there are any', () => {
  const usage = findFormat('openai').usage(formatFacts('sft', { files }))
  expect(usage).toContain(
    'cat train-00001.jsonl train-00002.jsonl > train.jsonl\ncat validation-00001.jsonl > validation.jsonl\n',
  )
  expect(usage).not.toContain('empty.jsonl')
})

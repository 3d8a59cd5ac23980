import { expect, test } from 'vitest'
import { trainingCommand } from '../../../../web/pages/new-training/training-command.ts'
import type { TrainingDraft } from '../../../../web/pages/new-training/training-draft.ts'

const service = 'http://127.0.0.1:8787'
const model = 'model-01m8475et4-acds8mqb'
const draft: TrainingDraft = {
  base: { registered: model },
  recipe: 'dpo',
  datasets: [{ dataset: 'dataset-1' }],
}
/** The words of a command, its lines joined. */
const wordsOf = (asked: TrainingDraft) => trainingCommand(asked, service)?.replaceAll(/ \\\n +/g, ' ')

test('names the service, the datasets, the base and the recipe', () => {
  expect(wordsOf(draft)).toBe(`espalier train --service ${service} dataset-1 --base ${model} --recipe dpo`)
})

test('has a flag for each setting', () => {
  const asked: TrainingDraft = {
    ...draft,
    base: { hub: 'Qwen/Qwen3-0.6B', revision: 'main' },
    datasets: [
      { dataset: 'dataset-1', share: 0.5, split: 'train' },
      { dataset: 'dataset-2', share: 1, split: 'train' },
    ],
    hyperparameters: { epochs: 2 },
    lora: { rank: 8 },
    seed: 3,
    limits: { cost: 5, time: 600 },
    name: 'a name of words',
  }
  const words = wordsOf(asked)
  for (const each of [
    'dataset-1=0.5 dataset-2=1',
    '--base Qwen/Qwen3-0.6B',
    '--revision main',
    '--split train',
    '--set epochs=2',
    '--lora-rank 8',
    '--seed 3',
    '--max-cost 5',
    '--max-time 600',
    "--name 'a name of words'",
  ])
    expect(words).toContain(each)
})

test('adapters without a rank of their own are a flag alone', () => {
  expect(wordsOf({ ...draft, lora: {} })).toMatch(/ --lora$/)
})

test.each<[string, Partial<TrainingDraft>]>([
  ['no base', { base: { registered: '' } }],
  ['a folder that is not whole', { base: { folder: 'base' } }],
  ['a hub’s name that reads like a path', { base: { hub: './base' } }],
  ['datasets of different splits', { datasets: [{ dataset: 'a', split: 'train' }, { dataset: 'b' }] }],
  ['settings of adapters beyond their rank', { lora: { rank: 8, alpha: 16 } }],
  ['a dataset that reads like a flag', { datasets: [{ dataset: '--all' }] }],
  ['a name that a terminal acts on', { name: 'one\u0007two' }],
])('there is no command for %s', (_, asked) => {
  expect(trainingCommand({ ...draft, ...asked }, service)).toBeNull()
})

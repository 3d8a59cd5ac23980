import { expect, inject, test } from 'vitest'
import { chatml, conversations, folderOf, type LearnedText, learnedBy } from './canonical-rows.ts'
import { runPython } from './run-python.ts'

/** A job that stands for a user’s: the data as our files say it, the rest in the fewest settings. */
const rest = {
  axolotl: {
    base_model: 'tiny',
    micro_batch_size: 1,
    gradient_accumulation_steps: 1,
    learning_rate: 1e-5,
    sequence_len: 512,
  },
  'llama-factory': {
    model_name_or_path: 'tiny',
    do_train: true,
    finetuning_type: 'full',
    template: 'qwen',
    use_cpu: true,
    report_to: 'none',
  },
}

test('axolotl’s schema takes every axolotl.yml, and passes over nothing but its own defaults', async () => {
  const kinds = ['sft', 'revision', 'exploration', 'step-preference', 'process-reward'] as const
  const jobs = kinds.map((kind) => ({
    trainer: 'axolotl',
    folder: folderOf(kind, 'axolotl'),
    settings: rest.axolotl,
  }))
  const parsed = await runPython<{ passed_over: string[] }>('parse_jobs.py', jobs, inject('readers'))
  // It takes the first of its kinds of datasets that fits, which lacks these; its strategies assume the same values.
  expect(parsed.map(({ passed_over }) => passed_over)).toEqual([
    [],
    [],
    [],
    ['field_chosen', 'field_rejected'],
    ['step_separator'],
  ])
})

const stages = { sft: 'sft', exploration: 'sft', 'step-preference': 'dpo', unpaired: 'kto' } as const
const kinds = Object.keys(stages) as (keyof typeof stages)[]

test('LLaMA-Factory’s parser takes the YAML of each README', async () => {
  const jobs = kinds.map((kind) => ({
    trainer: 'llama-factory',
    folder: folderOf(kind, 'llama-factory'),
    settings: rest['llama-factory'],
  }))
  const parsed = await runPython<{ said: string[]; read: string[]; stage: string; mask_history: boolean }>(
    'parse_jobs.py',
    jobs,
    inject('readers'),
  )
  expect(parsed.map(({ stage }) => stage)).toEqual(kinds.map((kind) => stages[kind]))
  expect(parsed.map(({ read }) => read)).toEqual(parsed.map(({ said }) => said))
  expect(parsed.map(({ mask_history }) => mask_history)).toEqual(kinds.map((kind) => kind === 'exploration'))
})
test('XTuner builds the dataset of each README’s configuration, and learns what the weights say', async () => {
  const kinds = ['sft', 'revision', 'exploration'] as const
  const jobs = kinds.map((kind) => ({ trainer: 'xtuner', folder: folderOf(kind, 'xtuner') }))
  const built = await runPython<LearnedText[]>('parse_jobs.py', jobs, inject('readers'))
  for (const [index, kind] of kinds.entries()) {
    const rows = await conversations(kind)
    expect(built[index]).toEqual(rows.map((row) => ({ text: chatml(row.messages), learned: learnedBy(row) })))
  }
})

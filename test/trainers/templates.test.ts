import { expect, inject, test } from 'vitest'
import { axolotlTemplate } from '../../shared/learn/trainings/command/templates/axolotl-template.ts'
import { llamaFactoryTemplate } from '../../shared/learn/trainings/command/templates/llama-factory-template.ts'
import { torchtuneTemplate } from '../../shared/learn/trainings/command/templates/torchtune-template.ts'
import { xtunerTemplate } from '../../shared/learn/trainings/command/templates/xtuner-template.ts'
import { type JobFacts, templateJob } from '../learn/trainings/template-jobs.ts'
import { runPython } from './run-python.ts'

const common: JobFacts[] = [
  {},
  { merge: true },
  { kind: 'exploration' },
  { recipe: 'dpo', kind: 'step-preference' },
  { hyperparameters: { packing: true, max_steps: 30, warmup: 5, precision: 'fp32' } },
]

test('axolotl’s schema takes every configuration of the template as it is said', async () => {
  const jobs = common.map((facts) => {
    const { files } = axolotlTemplate.write(templateJob('axolotl', facts))
    return { template: 'axolotl', text: files['axolotl.yml'] }
  })
  const parsed = await runPython('parse_templates.py', jobs, inject('readers'))
  expect(parsed).toEqual(jobs.map(() => ({ unknown: [], otherwise: [] })))
})

test('XTuner’s parser and what the configuration names take every configuration as it is said', async () => {
  const facts: JobFacts[] = [
    {},
    { merge: false },
    { kind: 'exploration' },
    { hyperparameters: { packing: true, max_steps: 30, warmup: 5, precision: 'bf16-weights' } },
  ]
  const jobs = facts.map((each) => {
    const { files } = xtunerTemplate.write(templateJob('xtuner', each))
    return { template: 'xtuner', text: files['xtuner.py'] }
  })
  const parsed = await runPython<{ unknown: string[]; otherwise: string[] }>(
    'parse_templates.py',
    jobs,
    inject('readers'),
  )
  expect(parsed.flatMap(({ unknown }) => unknown)).toEqual([])
  // Enumerations and lists in place of names.
  const typed = ['lr_scheduler_type', 'save_strategy', 'optim', 'report_to', 'task_type', 'target_modules']
  expect(parsed.flatMap(({ otherwise }) => otherwise).filter((name) => !typed.includes(name))).toEqual([])
})

test('LLaMA-Factory’s parser takes every configuration of the template as it is said', async () => {
  const facts: JobFacts[] = [
    ...common,
    { recipe: 'rpo', kind: 'step-preference' },
    { recipe: 'kto', kind: 'unpaired' },
  ]
  const jobs = facts.map((each) => {
    const { files } = llamaFactoryTemplate.write(templateJob('llamafactory', each))
    return { template: 'llamafactory', text: files['train.yaml'] }
  })
  const parsed = await runPython<{ unknown: string[]; otherwise: string[] }>(
    'parse_templates.py',
    jobs,
    inject('readers'),
  )
  expect(parsed.flatMap(({ unknown }) => unknown)).toEqual([])
  // Lists in place of names between commas; its packing keeps a token of each row for itself.
  const lists = ['dataset', 'lora_target', 'include_num_input_tokens_seen', 'report_to', 'cutoff_len']
  expect(parsed.flatMap(({ otherwise }) => otherwise).filter((name) => !lists.includes(name))).toEqual([])
})

test('torchtune checks and builds what every configuration names, and its recipes read every setting', async () => {
  const fitting = { schedule: 'cosine', max_grad_norm: 0 }
  const facts: JobFacts[] = [
    { hyperparameters: { ...fitting, packing: true, max_grad_norm: 1, warmup: 5 } },
    { hyperparameters: fitting, merge: true },
    { hyperparameters: fitting, merge: false, resume: '/work/output/checkpoint-4' },
    { hyperparameters: fitting, recipe: 'dpo', kind: 'preference' },
    { hyperparameters: fitting, recipe: 'dpo', kind: 'preference', merge: true },
    { hyperparameters: { ...fitting, precision: 'bf16-weights' }, devices: 2 },
  ]
  const jobs = facts.map((each) => {
    const { commands, files } = torchtuneTemplate.write(templateJob('torchtune', each))
    const run = commands.find((words) => words[1] === 'run') ?? []
    return { template: 'torchtune', text: files['torchtune.yaml'], recipe: run.at(-3) }
  })
  const parsed = await runPython<{ unknown: string[]; otherwise: string[] }>(
    'parse_templates.py',
    jobs,
    inject('readers'),
  )
  expect(parsed).toEqual(jobs.map(() => ({ unknown: [], otherwise: [] })))
})

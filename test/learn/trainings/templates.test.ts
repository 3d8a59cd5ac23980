import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { axolotlTemplate } from '../../../shared/learn/trainings/command/templates/axolotl-template.ts'
import { llamaFactoryTemplate } from '../../../shared/learn/trainings/command/templates/llama-factory-template.ts'
import { templateJob } from './template-jobs.ts'

describe('the template of LLaMA-Factory', () => {
  const yaml = (given: Parameters<typeof templateJob>[1] = {}) =>
    parse(llamaFactoryTemplate.write(templateJob('llamafactory', given)).files['train.yaml'] ?? '')

  test('says the training by the tool’s names', () => {
    expect(yaml({ hyperparameters: { max_steps: 40 } })).toMatchObject({
      stage: 'sft',
      template: 'qwen',
      model_name_or_path: '/models/base',
      finetuning_type: 'full',
      dataset: 'data_1,data_2',
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 16,
      learning_rate: 2e-5,
      num_train_epochs: 3,
      max_steps: 40,
      cutoff_len: 4096,
      lr_scheduler_type: 'cosine',
      warmup_steps: 2,
      train_on_prompt: false,
      save_steps: 0.1,
      output_dir: '/work/output',
    })
    // Of 3 times 32 steps.
    expect(yaml()).toMatchObject({ warmup_steps: 3 })
    expect(yaml()).not.toHaveProperty('resume_from_checkpoint')
    expect(yaml({ resume: '/work/output/checkpoint-4' })).toMatchObject({
      resume_from_checkpoint: '/work/output/checkpoint-4',
    })
  })

  test('says preferences, and what the likelihood of the better answer weighs', () => {
    expect(yaml({ recipe: 'rpo', kind: 'step-preference' })).toMatchObject({
      stage: 'dpo',
      pref_beta: 0.1,
      pref_ftx: 1,
      pref_loss: 'sigmoid',
    })
    expect(yaml({ recipe: 'kto', kind: 'unpaired' })).toMatchObject({ stage: 'kto', kto_chosen_weight: 1 })
  })

  test('learns the last turns alone of exploration', () => {
    expect(yaml({ kind: 'exploration' })).toMatchObject({ mask_history: true })
    expect(() => yaml({ kinds: ['exploration', 'sft'] })).toThrow('by themselves')
  })

  test('describes the data files', () => {
    const { files } = llamaFactoryTemplate.write(templateJob('llamafactory'))
    expect(JSON.parse(files['data/dataset_info.json'] ?? '')).toMatchObject({
      data_1: { file_name: '1-data-00001.jsonl', formatting: 'sharegpt' },
      data_2: { file_name: '2-data-00001.jsonl' },
    })
  })

  test('adds an adapter to the weights by a second command', () => {
    const { commands, files } = llamaFactoryTemplate.write(templateJob('llamafactory', { merge: true }))
    expect(commands).toEqual([
      ['llamafactory-cli', 'train', '/work/train.yaml'],
      ['llamafactory-cli', 'export', '/work/export.yaml'],
    ])
    expect(parse(files['export.yaml'] ?? '')).toMatchObject({ export_dir: '/work/output/model' })
    expect(llamaFactoryTemplate.write(templateJob('llamafactory', { merge: false })).commands).toHaveLength(1)
  })

  test.each([
    [{ hyperparameters: { long_rows: 'refuse' } }, 'hyperparameters.long_rows'],
    [{ hyperparameters: { max_length: null } }, 'hyperparameters.max_length'],
    [{ hyperparameters: { packing: true } }, 'hyperparameters.warmup'],
    [{ hyperparameters: { later: 1 } }, 'hyperparameters.later'],
    [{ devices: 3 }, 'hyperparameters.batch_size'],
    [{ share: 0.5 }, 'datasets[0].share'],
    [{ settings: {} }, 'trainer'],
    [{ settings: { template: 'qwen', learning_rate: 1 } }, 'trainer'],
  ])('refuses what the tool cannot do, with its field: %j', (given, param) => {
    expect(() => yaml(given)).toThrow(expect.objectContaining({ param }))
  })
})

describe('the template of axolotl', () => {
  const yaml = (given: Parameters<typeof templateJob>[1] = {}) =>
    parse(axolotlTemplate.write(templateJob('axolotl', given)).files['axolotl.yml'] ?? '')

  test('says the training by the tool’s names, and rows that do not fit as the training does', () => {
    expect(yaml({ hyperparameters: { long_rows: 'refuse', packing: true } })).toMatchObject({
      base_model: '/models/base',
      sequence_len: 4096,
      excess_length_strategy: 'raise',
      sample_packing: true,
      micro_batch_size: 4,
      gradient_accumulation_steps: 16,
      datasets: [
        { path: '/work/data', data_files: ['1-data-00001.jsonl'], message_field_training: 'train' },
        { path: '/work/data', data_files: ['2-data-00001.jsonl'] },
      ],
    })
  })

  test('writes small numbers so that Python reads them as numbers', () => {
    const job = templateJob('axolotl', {
      recipe: 'dpo',
      kind: 'step-preference',
      hyperparameters: { learning_rate: 5e-7 },
    })
    expect(axolotlTemplate.write(job).files['axolotl.yml']).toContain('learning_rate: 5.0e-7\n')
  })

  test('says preferences and adapters', () => {
    expect(yaml({ recipe: 'dpo', kind: 'step-preference', merge: true })).toMatchObject({
      rl: 'dpo',
      rl_beta: 0.1,
      adapter: 'lora',
      lora_r: 16,
      lora_target_linear: true,
    })
    const { commands } = axolotlTemplate.write(templateJob('axolotl', { merge: true, devices: 2 }))
    expect(commands).toEqual([
      ['axolotl', 'train', '/work/axolotl.yml', '--launcher', 'accelerate', '--', '--num_processes', '2'],
      ['axolotl', 'merge-lora', '/work/axolotl.yml'],
    ])
  })

  test.each([
    [{ hyperparameters: { loss_on: 'all' } }, 'hyperparameters.loss_on'],
    [{ hyperparameters: { precision: 'bf16-weights' } }, 'hyperparameters.precision'],
    [{ share: 0.5 }, 'datasets[0].share'],
  ])('refuses what the tool cannot do, with its field: %j', (given, param) => {
    expect(() => yaml(given)).toThrow(expect.objectContaining({ param }))
  })
})

describe('what transformers’ Trainer prints', () => {
  test('is read as steps and points, from the step on at which it resumed', () => {
    const read = llamaFactoryTemplate.lines(4, {})
    expect(read(' 50%|█████     | 5/10 [00:05<00:05,  1.00it/s]')).toMatchObject({
      event: 'step',
      step: 5,
      steps: 10,
    })
    expect(read('Map: 100%|██████████| 20/20 [00:00<00:00]')).toBeNull()
    expect(
      read(
        "{'loss': '1.25', 'grad_norm': 0.5, 'learning_rate': 1e-05, 'rewards/accuracies': 0.75, 'epoch': 0.5}",
      ),
    ).toEqual({
      event: 'point',
      step: 5,
      steps: 10,
      loss: 1.25,
      accuracy: 0.75,
      learning_rate: 1e-5,
      tokens: 0,
      values: { grad_norm: 0.5, 'rewards/accuracies': 0.75 },
    })
    expect(read("{'train_runtime': 12.5, 'train_loss': 0.5, 'epoch': 1.0}")).toBeNull()
    expect(read("{'loss': nan, 'epoch': 0.6}")).toMatchObject({
      event: 'failed',
      reason: 'not_finite',
      message: 'The loss was not finite at step 6.',
    })
  })
})

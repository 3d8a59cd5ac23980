import { describe, expect, test } from 'vitest'
import { xtunerTemplate } from '../../../shared/learn/trainings/command/templates/xtuner-template.ts'
import { type JobFacts, templateJob } from './template-jobs.ts'

const write = (facts: JobFacts = {}) => xtunerTemplate.write(templateJob('xtuner', facts))
const written = (facts: JobFacts = {}) => write(facts).files['xtuner.py'] ?? ''

describe('the template of XTuner', () => {
  test('says the training by the tool’s names, in Python', () => {
    const text = written({ hyperparameters: { learning_rate: 5e-7, max_steps: 40 } })
    for (const said of [
      '"per_device_train_batch_size": 4',
      '"gradient_accumulation_steps": 16',
      '"learning_rate": 5e-7',
      '"max_steps": 40',
      '"warmup_steps": 2',
      '"logging_nan_inf_filter": False',
      '"save_steps": 0.1',
      '"max_length": 4096',
      '"pack_to_max_length": False',
      'template=PROMPT_TEMPLATE.qwen_chat',
      'data_files=["/work/data/1-data-00001.jsonl", "/work/data/2-data-00001.jsonl"]',
      'pretrained_model_name_or_path="/models/base"',
      'torch_dtype=torch.float32',
    ])
      expect(text).toContain(said)
    expect(text).not.toContain('lora')
    expect(written({ hyperparameters: { precision: 'bf16-weights' } })).toContain('torch.bfloat16')
    expect(written({ settings: { prompt_template: 'llama3_chat', dataloader_num_workers: 2 } })).toContain(
      '"dataloader_num_workers": 2',
    )
  })

  test('trains, goes on from a checkpoint, and takes the tokenizer of the base along', () => {
    const { commands, environment } = write({ resume: '/work/output/checkpoint-4', devices: 2 })
    const [train, copy] = commands
    const resumed = ['--resume', '/work/output/checkpoint-4']
    expect(train).toEqual(['xtuner', 'train', '/work/xtuner.py', '--work-dir', '/work/output', ...resumed])
    expect(copy?.slice(0, 2)).toEqual(['find', '/models/base'])
    expect(copy?.slice(-4)).toEqual(['cp', '{}', '/work/output', ';'])
    expect(environment).toEqual({ NPROC_PER_NODE: '2' })
  })

  test('makes adapters, which have the tokenizer of their base', () => {
    expect(written({ merge: false })).toContain('lora = dict(type=LoraConfig, **{"r": 16')
    expect(write({ merge: false }).commands).toHaveLength(1)
  })

  test.each<[JobFacts, string]>([
    [{ merge: true }, 'lora.merge'],
    [{ hyperparameters: { long_rows: 'refuse' } }, 'hyperparameters.long_rows'],
    [{ hyperparameters: { loss_on: 'all' } }, 'hyperparameters.loss_on'],
    [{ hyperparameters: { max_length: null } }, 'hyperparameters.max_length'],
    [{ hyperparameters: { packing: true } }, 'hyperparameters.warmup'],
    [{ share: 0.5 }, 'datasets[0].share'],
    [{ settings: {} }, 'trainer'],
    [{ settings: { prompt_template: 'a; import os' } }, 'trainer'],
    [{ settings: { prompt_template: 'qwen_chat', learning_rate: 1 } }, 'trainer'],
  ])('refuses what the tool cannot do, with its field: %j', (facts, param) => {
    expect(() => write(facts)).toThrow(expect.objectContaining({ param }))
  })

  test('refuses whole weights of a base on the hub, whose tokenizer it could not copy', () => {
    const job = { ...templateJob('xtuner'), base: { hub: 'Qwen/Qwen3-0.6B' } }
    expect(() => xtunerTemplate.write(job)).toThrow(expect.objectContaining({ param: 'base.hub' }))
    const lora = templateJob('xtuner', { merge: false }).lora
    expect(xtunerTemplate.write({ ...job, lora }).files['xtuner.py']).toContain('revision="main"')
  })
})

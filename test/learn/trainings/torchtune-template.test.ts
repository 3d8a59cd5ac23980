import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CommandProgress } from '../../../shared/learn/trainings/command/command-progress.ts'
import { torchtuneTemplate } from '../../../shared/learn/trainings/command/templates/torchtune-template.ts'
import { listCheckpoints } from '../../../shared/learn/trainings/program/program-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type JobFacts, templateJob } from './template-jobs.ts'

/** What torchtune has no other value for. */
const fitting = { schedule: 'cosine', max_grad_norm: 0 }
const write = (facts: JobFacts = {}) =>
  torchtuneTemplate.write(
    templateJob('torchtune', { ...facts, hyperparameters: { ...fitting, ...facts.hyperparameters } }),
  )
const yaml = (facts: JobFacts = {}) => parse(write(facts).files['torchtune.yaml'] ?? '')
const pairs: JobFacts = { recipe: 'dpo', kind: 'preference' }

describe('the template of torchtune', () => {
  test('says the training by the tool’s names', () => {
    expect(
      yaml({ hyperparameters: { learning_rate: 5e-7, packing: true, warmup: 4, max_grad_norm: 1 } }),
    ).toMatchObject({
      model: { _component_: 'torchtune.models.qwen2_5.qwen2_5_0_5b' },
      tokenizer: {
        path: '/models/base/vocab.json',
        merges_file: '/models/base/merges.txt',
        max_seq_len: 4096,
      },
      checkpointer: {
        checkpoint_dir: '/models/base',
        checkpoint_files: ['model.safetensors'],
        output_dir: '/work/torchtune',
        model_type: 'QWEN2',
      },
      resume_from_checkpoint: false,
      dataset: {
        _component_: 'espalier_rows.conversations',
        files: ['/work/data/1-data-00001.jsonl', '/work/data/2-data-00001.jsonl'],
        learns_all: false,
        packed: true,
      },
      epochs: 3,
      batch_size: 4,
      gradient_accumulation_steps: 16,
      optimizer: { lr: 5e-7, weight_decay: 0, betas: [0.9, 0.999] },
      lr_scheduler: { num_warmup_steps: 4 },
      clip_grad_norm: 1,
      dtype: 'fp32',
    })
    // As Python reads a number.
    expect(write({ hyperparameters: { learning_rate: 5e-7 } }).files['torchtune.yaml']).toContain(
      'lr: 5.0e-7\n',
    )
  })

  test('trains, and leaves the model of the last epoch', () => {
    const { commands, environment } = write()
    expect(commands).toEqual([
      ['rm', '-rf', '/work/torchtune'],
      ['tune', 'run', 'full_finetune_single_device', '--config', '/work/torchtune.yaml'],
      ['rm', '-rf', '/work/output/model'],
      ['cp', '-R', '/work/torchtune/epoch_2', '/work/output/model'],
    ])
    expect(environment.PYTHONPATH).toMatch(/containers\/trainer\/torchtune$/)
    expect(write({ devices: 2 }).commands[1]?.slice(0, 6)).toEqual([
      'tune',
      'run',
      '--nnodes',
      '1',
      '--nproc_per_node',
      '2',
    ])
  })

  test('goes on from the end of an epoch', () => {
    const facts = { resume: '/work/output/checkpoint-32' }
    expect(write(facts).commands.slice(0, 4)).toEqual([
      ['rm', '-rf', '/work/torchtune'],
      ['mkdir', '-p', '/work/torchtune/epoch_0', '/work/torchtune/recipe_state'],
      ['cp', '-R', '/work/output/checkpoint-32/.', '/work/torchtune/epoch_0'],
      ['mv', '/work/torchtune/epoch_0/recipe_state.pt', '/work/torchtune/recipe_state'],
    ])
    expect(yaml(facts)).toMatchObject({
      resume_from_checkpoint: true,
      checkpointer: { checkpoint_files: ['epoch_0/model-00001-of-00001.safetensors'] },
    })
    // Adapters go on over the weights of the base.
    expect(yaml({ ...facts, merge: false }).checkpointer.checkpoint_files).toEqual(['model.safetensors'])
  })

  test('says preferences and adapters', () => {
    expect(yaml(pairs)).toMatchObject({
      dataset: { _component_: 'espalier_rows.pairs' },
      loss: { _component_: 'torchtune.rlhf.loss.DPOLoss', beta: 0.1, label_smoothing: 0 },
      ref_checkpointer: { checkpoint_dir: '/models/base' },
    })
    expect(write(pairs).commands[1]).toContain('full_dpo_distributed')
    expect(yaml({ ...pairs, merge: true })).toMatchObject({
      model: {
        _component_: 'torchtune.models.qwen2_5.lora_qwen2_5_0_5b',
        lora_attn_modules: ['q_proj', 'k_proj', 'v_proj', 'output_proj'],
        apply_lora_to_mlp: true,
        lora_rank: 16,
      },
      save_adapter_weights_only: false,
    })
    expect(write({ ...pairs, merge: true }).commands.at(-1)).toContain(
      '/work/output/model/adapter_config.json',
    )
    expect(yaml({ merge: false })).toMatchObject({ save_adapter_weights_only: true })
  })

  test.each<[JobFacts, string]>([
    [{ hyperparameters: { long_rows: 'refuse' } }, 'hyperparameters.long_rows'],
    [{ hyperparameters: { schedule: 'linear' } }, 'hyperparameters.schedule'],
    [{ hyperparameters: { precision: 'bf16' } }, 'hyperparameters.precision'],
    [{ hyperparameters: { epochs: 0.5 } }, 'hyperparameters.epochs'],
    [{ hyperparameters: { max_steps: 5 } }, 'hyperparameters.max_steps'],
    [{ ...pairs, merge: true, hyperparameters: { max_grad_norm: 1 } }, 'hyperparameters.max_grad_norm'],
    [{ share: 0.5 }, 'datasets[0].share'],
    [{ settings: {} }, 'trainer'],
    [{ settings: { ...templateJob('torchtune').settings, epochs: 2 } }, 'trainer'],
  ])('refuses what the tool cannot do, with its field: %j', (facts, param) => {
    expect(() => write(facts)).toThrow(expect.objectContaining({ param }))
  })

  test('refuses a base on the hub, checkpoints within an epoch, and adapters in a part of a block', () => {
    const job = templateJob('torchtune', { hyperparameters: fitting })
    const refused = (more: object, param: string) =>
      expect(() => torchtuneTemplate.write({ ...job, ...more })).toThrow(expect.objectContaining({ param }))
    refused({ base: { hub: 'Qwen/Qwen2.5-0.5B' } }, 'base.hub')
    refused({ checkpointSteps: 5 }, 'checkpoint_steps')
    const lora = { ...templateJob('torchtune', { merge: true }).lora, target_modules: ['up_proj'] }
    refused({ lora }, 'lora.target_modules')
  })
})

describe('what torchtune prints', () => {
  const checkpoint = (folder: string) => [
    `INFO:torchtune.utils._logging:Model checkpoint of size 0.92 GiB saved to ${folder}/epoch_0/model-00001-of-00001.safetensors`,
    `INFO:torchtune.utils._logging:Recipe checkpoint of size 1.84 GiB saved to ${folder}/recipe_state/recipe_state.pt`,
  ]

  test('is read as points and checkpoints', () => {
    const read = torchtuneTemplate.lines(0, { epochs: 3 })
    expect(read('1|5|Loss: 1.25:  50%|█████     | 5/10 [00:05<00:05,  1.00s/it]')).toBeNull()
    expect(read('Step 5 | loss:1.25 lr:2e-05 tokens_per_second_per_gpu:812.5 ')).toEqual({
      event: 'point',
      step: 5,
      steps: 30,
      loss: 1.25,
      accuracy: null,
      learning_rate: 2e-5,
      tokens: 0,
      values: { tokens_per_second_per_gpu: 812.5 },
    })
    expect(read('Step 6 | loss:0.5 lr:1e-05 rewards/accuracies:tensor(0.7500) ')).toMatchObject({
      accuracy: 0.75,
    })
    const [model = '', state = ''] = checkpoint('/work/torchtune')
    expect([read(model), read(state)]).toEqual([
      null,
      {
        event: 'checkpoint',
        step: 6,
        folder: '/work/torchtune/epoch_0',
        beside: ['/work/torchtune/recipe_state'],
      },
    ])
    expect(read('Step 7 | loss:nan lr:1e-05 ')).toMatchObject({ event: 'failed', reason: 'not_finite' })
  })

  test('makes a checkpoint of what it keeps in folders of its own', async () => {
    const folder = await temporaryFolder()
    const [output, made] = [join(folder, 'output'), join(folder, 'torchtune')]
    for (const each of [output, join(made, 'epoch_0'), join(made, 'recipe_state')])
      await mkdir(each, { recursive: true })
    await writeFile(join(made, 'epoch_0/model-00001-of-00001.safetensors'), 'weights')
    await writeFile(join(made, 'recipe_state/recipe_state.pt'), 'moments')
    const progress = new CommandProgress({
      progress: join(folder, 'progress.jsonl'),
      reported: join(folder, 'reported.jsonl'),
      output,
      read: torchtuneTemplate.lines(0, { epochs: 3 }),
    })
    for (const line of ['Step 10 | loss:1.25 lr:2e-05 ', ...checkpoint(made)]) progress.line(line)
    await progress.collect()
    expect(progress.failure).toBeNull()
    const [found] = await listCheckpoints(output)
    expect(found).toMatchObject({ step: 10, optimizer: expect.arrayContaining(['recipe_state.pt']) })
    expect(found?.names).toContain('model-00001-of-00001.safetensors')
    expect(await readdir(output)).toEqual(['checkpoint-10'])
  })
})

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test, vi } from 'vitest'
import { resolveHyperparameters } from '../../shared/learn/trainings/recipes.ts'
import { packagesFor } from '../support/python-packages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runPython } from './run-python.ts'

// Each process loads PyTorch, which a busy machine does in minutes.
vi.setConfig({ testTimeout: 900_000 })

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../containers/trainer/settings.py')

interface Reported {
  code: number
  said: string
  scalars: Record<string, number[]>
  losses: number[]
  saved: string[]
}

const rows = ['Take the log.', 'Craft the planks.'].map((text) => ({
  messages: [
    { role: 'user', content: text },
    { role: 'assistant', content: `I do: ${text}` },
  ],
}))

const hyperparameters = resolveHyperparameters('sft', {
  max_steps: 2,
  batch_size: 2,
  micro_batch_size: 1,
  max_length: 512,
  precision: 'fp32',
})

test('a training reports its losses to TensorBoard, in one process and by a configuration of accelerate', async () => {
  const trackers = await packagesFor(inject('python'), 'test/trainers/requirements-trackers.txt')
  const jobs = [false, true].map((launched) => ({ rows, hyperparameters, launched }))
  const results = await runPython<Reported>('train_reporting.py', jobs, trackers)
  for (const { code, said, scalars, losses, saved } of results) {
    expect(code, said).toBe(0)
    expect(losses).toHaveLength(2)
    expect(scalars['train/loss']?.map((loss) => loss.toFixed(4))).toEqual(
      losses.map((loss) => loss.toFixed(4)),
    )
    expect(saved).toContain('model.safetensors')
  }
  expect(results[1]?.losses).toEqual(results[0]?.losses)
})

async function checked(accelerate: string | null, reportTo: string[] = []) {
  const path = accelerate === null ? null : join(await temporaryFolder(), 'accelerate.yaml')
  if (path !== null) await writeFile(path, accelerate as string)
  const asked = JSON.stringify({ report_to: reportTo, accelerate: path })
  const { stdout } = await run(inject('python'), [program, asked])
  return JSON.parse(stdout) as { refused: string | null; sharded: boolean }
}

const fsdp = (more: string) => `distributed_type: FSDP\nnum_processes: 2\n${more}`
const whole = 'fsdp_config:\n  fsdp_version: 2\n  fsdp_state_dict_type: FULL_STATE_DICT\n'

test('accelerate’s own loader takes a configuration of FSDP, whose processes share the weights', async () => {
  expect(await checked(fsdp(whole))).toEqual({ refused: null, sharded: true })
  expect(await checked('distributed_type: MULTI_GPU\nnum_processes: 4\n')).toEqual({
    refused: null,
    sharded: false,
  })
})

test.each([
  ['num_procesess: 2\ndistributed_type: FSDP\n', "unknown keys (['num_procesess'])"],
  ['num_processes: 2\n', 'A `distributed_type` must be specified'],
  [fsdp('fsdp_config:\n  fsdp_state_dict_type: SHARDED_STATE_DICT\n'), 'FULL_STATE_DICT'],
  [fsdp(`${whole}mixed_precision: fp16\n`), 'the hyperparameter precision decides'],
  [fsdp(`${whole}num_machines: 2\n`), 'is for other machines'],
  ['distributed_type: MEGATRON_LM\n', 'distributed_type MEGATRON_LM is not supported'],
  ['distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 3\n', '-m pip install deepspeed'],
])('a configuration that cannot be used is refused: %j', async (text, message) => {
  expect((await checked(text)).refused).toContain(message)
})

test('a tracker whose package is missing is refused with the command that installs it', async () => {
  expect((await checked(null, ['mlflow'])).refused).toMatch(
    /report_to needs the package mlflow.*pip install mlflow$/,
  )
})

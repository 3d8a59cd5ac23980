#!/usr/bin/env node
// Stands in for Python and `train.py`: it reads the same job, writes the same lines and checkpoints, and stops as it does, so that
// what happens around a trainer is tested in milliseconds. `seed` 13 never ends by itself, 14 has a loss that is not finite, 15
// ends without a word, 16 cannot write, 17 ends by itself once it goes on from a checkpoint. For `merge.py` it writes one file of
// base and adapter, and refuses the recipe `prm`.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const job = JSON.parse(readFileSync(process.argv[3], 'utf8'))
if (process.argv[2].endsWith('merge.py')) {
  if (job.recipe === 'prm') {
    console.error('The weights of the base cannot be read.')
    process.exit(65)
  }
  const [base, adapter] = [
    readFileSync(join(job.base.folder, 'config.json')),
    readFileSync(join(job.adapter, 'adapter_model.safetensors')),
  ]
  writeFileSync(join(job.output, 'model.safetensors'), `${base} with ${adapter}`)
  writeFileSync(join(job.output, 'config.json'), '{}')
  process.exit(0)
}
const begun = Date.now()
const tell = (event, facts = {}) =>
  appendFileSync(
    job.progress,
    `${JSON.stringify({ event, seconds: (Date.now() - begun) / 1000, ...facts })}\n`,
  )

process.stdin.resume()
process.stdin.on('close', () => process.exit(9))
tell('started', { pid: process.pid })
console.log(`seed ${job.seed}`)
if (job.seed === 15) process.exit(70)
if (job.seed === 16) process.exit(74)
tell('phase', { phase: 'training' })
const steps = 10
const done = readdirSync(job.output)
  .filter((name) => existsSync(join(job.output, name, 'espalier.json')))
  .map((name) => Number(name.slice('checkpoint-'.length)))
const save = (step) => {
  const folder = join(job.output, `checkpoint-${step}`)
  mkdirSync(folder, { recursive: true })
  const [weights, settings] = job.lora
    ? ['adapter_model.safetensors', 'adapter_config.json']
    : ['model.safetensors', 'config.json']
  writeFileSync(join(folder, weights), `weights at ${step}`)
  writeFileSync(join(folder, settings), '{}')
  writeFileSync(join(folder, 'optimizer.pt'), `moments at ${step}`)
  writeFileSync(join(folder, 'espalier.json'), JSON.stringify({ step }))
  tell('checkpoint', { step, folder })
}
const isEndless = job.seed === 13 || (job.seed === 17 && done.length === 0)
for (let step = Math.max(0, ...done) + 1; step <= steps; step += 1) {
  if (job.seed === 14 && step === 3) {
    tell('failed', { reason: 'not_finite', message: 'The loss was not finite at step 3.' })
    process.exit(71)
  }
  const values = {}
  const point = { step, steps, tokens: step * 10, loss: 1 / step, accuracy: 0.5, learning_rate: 0.1, values }
  tell('point', point)
  if (step % (job.checkpoint_steps ?? 2) === 0) save(step)
  do await sleep(15)
  while (isEndless && step === 5 && !existsSync(job.stop))
  if (existsSync(job.stop)) {
    save(step)
    tell('stopped')
    process.exit(0)
  }
}
const folder = join(job.output, 'model')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'model.safetensors'), 'trained weights')
writeFileSync(
  join(folder, 'config.json'),
  JSON.stringify({ architectures: ['Tiny'], max_position_embeddings: 64 }),
)
// As TRL does, where a loop trains the model once more.
for (const name of process.env.STAND_IN_KEEPS?.split(',') ?? [])
  copyFileSync(join(job.base.folder, name), join(folder, name))
tell('succeeded', { folder, format: 'safetensors', context_length: 64 })
process.exit(0)

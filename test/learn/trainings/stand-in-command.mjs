#!/usr/bin/env node
// Stands in for a command of the user, who knows our `job.json` and nothing else of us. What it does is said by its second argument:
// a way to report, and a way to end. `--resume=` names the checkpoint from which it goes on.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [jobPath, behaviour, ...rest] = process.argv.slice(2)
const job = JSON.parse(readFileSync(jobPath, 'utf8'))
const resume = rest.find((each) => each.startsWith('--resume='))?.slice('--resume='.length) ?? null
const rows = job.data.flatMap(({ files }) =>
  files.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse)),
)
const say = (event, facts) => {
  const line = JSON.stringify({ event, ...facts })
  if (behaviour === 'prints') console.log(line)
  else appendFileSync(process.env.ESPALIER_PROGRESS, `${line}\n`)
}
console.log(`${rows.length} rows, from ${resume === null ? 'the beginning' : basename(resume)}`)
console.log(`secret: ${process.env.ESPALIER_TEST_SECRET ?? 'none'}`)
let asked = false
process.on('SIGTERM', () => {
  if (behaviour !== 'deaf') asked = true
})
if (behaviour === 'exits') {
  console.error('the data does not please me')
  process.exit(3)
}
if (behaviour === 'full') {
  console.error('OSError: [Errno 28] No space left on device')
  process.exit(1)
}
if (behaviour === 'memory') {
  console.error('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB')
  process.exit(1)
}
const steps = 10
for (let step = resume === null ? 1 : Number(basename(resume).split('-')[1]) + 1; step <= steps; step += 1) {
  if (behaviour === 'loses' && step === 3) {
    appendFileSync(process.env.ESPALIER_PROGRESS, '{"event": "point", "step": 3, "loss": NaN}\n')
    await sleep(600_000)
  }
  say('point', { step, steps, loss: 1 / step, tokens: step * 10 })
  if (step % 2 === 0) {
    const folder = join(job.output, `checkpoint-${step}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{}')
    writeFileSync(join(folder, 'model.safetensors'), `weights at ${step}`)
    writeFileSync(join(folder, 'optimizer.pt'), `moments at ${step}`)
    say('checkpoint', { step })
  }
  do await sleep(15)
  while ((behaviour === 'waits' || behaviour === 'deaf') && step === 5 && resume === null && !asked)
  if (asked) process.exit(143)
}
if (behaviour !== 'empty') {
  writeFileSync(join(job.output, 'model.safetensors'), 'trained weights')
  writeFileSync(join(job.output, 'config.json'), JSON.stringify({ max_position_embeddings: 64 }))
  writeFileSync(join(job.output, 'trainer.log'), 'no part of a model')
}

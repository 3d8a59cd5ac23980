import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const trainingSteps = 12
/** Milliseconds of a step, so that a kill meets a training in the middle. */
const pace = 400

// As a program, a trainer's command: `stand-in-trainer.ts JOB CHECKPOINT`. Its weights follow from its step alone.
const [jobPath, resume = ''] = process.argv.slice(2)
if (import.meta.main && jobPath !== undefined) {
  const job = JSON.parse(readFileSync(jobPath, 'utf8')) as { output: string }
  const say = (event: string, facts: object) =>
    appendFileSync(process.env.ESPALIER_PROGRESS as string, `${JSON.stringify({ event, ...facts })}\n`)
  for (let step = Number(/\d+$/.exec(basename(resume))?.[0] ?? 0) + 1; step <= trainingSteps; step += 1) {
    await delay(pace)
    say('point', { step, steps: trainingSteps, loss: 1 / step, tokens: step * 10 })
    if (step % 3 !== 0) continue
    const folder = join(job.output, `checkpoint-${step}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{}')
    writeFileSync(join(folder, 'model.safetensors'), `weights at ${step}`)
    say('checkpoint', { step })
  }
  writeFileSync(join(job.output, 'model.safetensors'), 'trained weights')
  writeFileSync(join(job.output, 'config.json'), JSON.stringify({ max_position_embeddings: 64 }))
}

import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loraSchema } from '../../../shared/core/contracts/training.ts'
import { openSettingsCheck } from '../../../shared/learn/trainings/local/trainer-settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const merged = loraSchema.parse({})

/** A Python that answers so in place of `settings.py`. */
async function answering(answer: object) {
  const folder = await temporaryFolder()
  const python = join(folder, 'python')
  await writeFile(python, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`)
  await chmod(python, 0o755)
  const check = openSettingsCheck(folder, { accelerate: '/fsdp.yaml', reportTo: ['tensorboard'] })
  return { python, check }
}

test('settings that the trainer’s packages refuse are an error of the trainer, asked again each time', async () => {
  const { check, python } = await answering({ refused: 'report_to needs the package x', sharded: false })
  for (let time = 0; time < 2; time += 1) {
    await expect(check(python, { lora: null })).rejects.toMatchObject({
      code: 'not_supported',
      param: 'trainer',
      message: expect.stringContaining('report_to needs the package x'),
    })
  }
})

test('where processes share the weights, an adapter is not merged', async () => {
  const { check, python } = await answering({ refused: null, sharded: true })
  await expect(check(python, { lora: merged })).rejects.toMatchObject({ param: 'lora.merge' })
  await check(python, { lora: { ...merged, merge: false } })
  await check(python, { lora: null })
})

test('without settings no process is started', async () => {
  const check = openSettingsCheck('/nowhere', { accelerate: null, reportTo: [] })
  await check('/no/python', { lora: merged })
})

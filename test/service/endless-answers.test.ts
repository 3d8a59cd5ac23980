import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('64 answers without an end, side by side, take less than 600 MB', async () => {
  const script = fileURLToPath(new URL('endless-answers.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { given_up, megabytes } = JSON.parse(stdout) as { given_up: number; megabytes: number }
  expect(given_up).toBe(64)
  expect(megabytes).toBeLessThan(600)
})

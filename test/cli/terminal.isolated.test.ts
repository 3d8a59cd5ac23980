import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')

test('piped tables are whole', async () => {
  const folder = await temporaryFolder()
  const words = [entry, 'environments', 'webshop', '--tasks', '--limit', '5', '--folder', folder]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout).not.toContain('…')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeGreaterThan(130)
})

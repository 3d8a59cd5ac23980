import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { brokenExpert, expert } from './experts.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')

// The collector runs late on a busy machine: a peak is the program's if it is one every time.
test('a list of 100 MB is imported in memory for a small part of it', {
  timeout: 180_000,
  retry: 2,
}, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'large.json')
  const out = createWriteStream(file)
  const shown = 'You see '.repeat(400)
  out.write('[')
  for (let id = 0; id < 3200; id++) {
    const row = `${id === 0 ? '' : ',\n'}${JSON.stringify(id === 1000 ? brokenExpert : expert(id, shown, 10))}`
    if (!out.write(row)) await once(out, 'drain')
  }
  out.end(']')
  await once(out, 'close')
  expect(out.bytesWritten).toBeGreaterThan(100e6)
  const peak = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))'
  const words = ['--max-old-space-size=200', '--import', `data:text/javascript,${encodeURIComponent(peak)}`]
  const command = ['import', file, '--environment', 'textcraft', '--json', '--folder', join(folder, 'data')]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, entry, ...command])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', trajectories: 3199, rejected: 1 })
  expect(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(450)
})

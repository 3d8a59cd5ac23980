import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { brokenExpert, expert } from './experts.ts'

const entry = join(import.meta.dirname, '../../cli/espalier.ts')

/** Prints the peak of this process alone: getrusage's begins with its parent's size. */
const printPeak = `process.on("exit", () => console.error(/VmHWM.*/.exec(fs.readFileSync("/proc/self/status", "utf8"))[0]))`

test('a list of 100 MB is imported in memory for a small part of it', {
  timeout: 180_000,
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
  const peak = `data:text/javascript,import fs from "node:fs"; ${encodeURIComponent(printPeak)}`
  const words = ['--max-old-space-size=200', '--import', peak]
  const command = ['import', file, '--environment', 'textcraft', '--json', '--folder', join(folder, 'data')]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, entry, ...command])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'complete', trajectories: 3199, rejected: 1 })
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]) / 1024).toBeLessThan(450)
})

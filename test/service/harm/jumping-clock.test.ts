import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { harmedService, harmRounds } from './harmed-service.ts'

const run = promisify(execFile)
const library = '/usr/lib/*/faketime/libfaketime.so.1'
const [minute, hour, day] = [60, 3600, 86_400]
/** Seconds by which the clock is off, one after the other. */
const jumps = [hour, -hour, 0, 12 * hour, -day, 10 * minute, 30 * day, -30 * day, 365 * day, 0]

/** The library by which a process sees another clock: Debian's faketime, installed if this is root. */
async function clockLibrary(): Promise<string> {
  const [found] = globSync(library)
  if (found !== undefined) return found
  const words = ['install', '--yes', '--no-install-recommends', 'faketime']
  if (process.getuid?.() !== 0)
    throw new Error(`libfaketime is missing. Run: sudo apt-get ${words.join(' ')}`)
  await run('apt-get', ['update'], { timeout: 300_000 })
  await run('apt-get', words, { timeout: 300_000 })
  return globSync(library)[0] as string
}

test('wherever the clock of the service jumps, its runs go on, and end as with a steady one', async () => {
  const random = seededRandom('jumping clock')
  const outer = await temporaryFolder()
  const clock = join(outer, 'clock')
  // The processes read the file at any time: it is always whole.
  const set = async (seconds: number) => {
    await writeFile(`${clock}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    await rename(`${clock}.new`, clock)
  }
  await set(0)
  const subject = await harmedService(join(outer, 'data'), {
    env: {
      LD_PRELOAD: await clockLibrary(),
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  })
  expect(await subject.start()).toBe(true)
  const runs: Run[] = []
  for (let round = 0; round < harmRounds; round += 1) {
    const jump = jumps[round % jumps.length] as number
    const created = await subject.submit(round)
    runs.push(created)
    await delay(500 + random() * 2000)
    await set(jump)
    // The processes of the service follow the clock: what it writes has its time.
    // Node keeps the time of its header for up to a second.
    const error = async () => {
      const { headers } = await fetch(`${subject.service.address}/health`)
      return Math.abs(Date.parse(String(headers.get('date'))) - (Date.now() + jump * 1000))
    }
    await expect.poll(error, { interval: 200 }).toBeLessThan(30_000)
    if (random() < 0.3) {
      await subject.service.end('SIGKILL')
      expect(await subject.start()).toBe(true)
    }
    await delay(500 + random() * 2000)
  }
  for (const { id } of runs) {
    const ended = await subject.untilEnded(id)
    expect(ended.status).toBe('succeeded')
    // Running time is counted by a steady clock: no run has played for longer than the test.
    expect(ended.running_seconds).toBeLessThan(600)
  }
  for (const round of runs.keys()) expect(await subject.compare(round)).toEqual([])
  expect(subject.deaths).toEqual([])
})

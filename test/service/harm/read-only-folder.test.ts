import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { harmedService, harmRounds } from './harmed-service.ts'
import { freezeFolder, smallDisk, whyNoDisk } from './small-disk.ts'

const bytes = 96 * 1024 * 1024
const why = await whyNoDisk()
if (why !== null) console.log(`No folder is made read-only here. ${why}`)

test.runIf(why === null)(
  'a folder that cannot be written is refused by name, and all goes on once it can',
  async () => {
    const disk = await smallDisk(bytes)
    const folder = join(disk.path, 'data')
    const subject = await harmedService(folder)
    expect(await subject.start()).toBe(true)
    const run = await subject.submit(1)
    await delay(1500)
    await subject.service.end('SIGKILL')
    await disk.setReadOnly(true)
    expect(await subject.start()).toBe(false)
    expect(subject.deaths.map(({ how }) => how)).toEqual([
      expect.stringMatching(/storage_failed.*read-only.*the right to write/is),
    ])
    await disk.setReadOnly(false)
    expect(await subject.start()).toBe(true)
    expect((await subject.untilEnded(run.id)).status).toBe('succeeded')
    expect(await subject.compare(1)).toEqual([])
  },
)

test.runIf(why === null)(
  'a folder of bodies that becomes read-only while runs play is named, and costs no episode',
  async () => {
    const disk = await smallDisk(bytes)
    const folder = join(disk.path, 'data')
    const subject = await harmedService(folder)
    expect(await subject.start()).toBe(true)
    const runs: Run[] = []
    for (let round = 0; round < harmRounds; round += 1) {
      runs.push(await subject.submit(round))
      await delay(500)
      const thaw = await freezeFolder(join(folder, 'bodies'))
      try {
        await expect
          .poll(async () => (await fetch(`${subject.service.address}/health?deep=true`)).text(), {
            interval: 200,
          })
          .toMatch(/storage_failed.*read-only.*the right to write/)
        const open = (await Promise.all(runs.map(({ id }) => subject.get(id)))).filter(
          ({ ended_at }) => ended_at === null,
        )
        for (const { last_problem } of open)
          expect(last_problem?.message).toMatch(/takes no writes.*read-only/)
      } finally {
        await thaw()
      }
    }
    for (const { id } of runs) await subject.untilEnded(id)
    for (const round of runs.keys()) expect(await subject.compare(round)).toEqual([])
    expect(subject.deaths).toEqual([])
  },
)

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { type HarmedService, harmedService, harmRounds } from './harmed-service.ts'
import { smallDisk, whyNoDisk } from './small-disk.ts'

// Longer: HARM_ROUNDS=40 npm test -- --project service test/service/harm

const bytes = 96 * 1024 * 1024
/** Bytes left free on a full disk: some writes still find room, and any of the following is the first without. */
const mostLeft = 300_000
const why = await whyNoDisk()
if (why !== null) console.log(`No disk is filled here. ${why}`)

test.runIf(why === null)(
  'a disk that becomes full at any write names the problem on its runs, loses nothing, and all goes on once it has room',
  async () => {
    const random = seededRandom('full disk')
    const disk = await smallDisk(bytes)
    const subject = await harmedService(join(disk.path, 'data'))
    expect(await subject.start()).toBe(true)
    const runs: Run[] = []
    let [kills, named] = [0, 0]
    for (let round = 0; round < harmRounds; round += 1) {
      runs.push(await subject.submit(round))
      await delay(random() * 1000)
      await disk.fill(Math.floor(random() * mostLeft))
      const problem = await untilProblem(subject, runs)
      if (problem !== null) {
        named += 1
        expect(problem).toMatch(
          /takes no writes.*(database or disk is full|no space left).*free some space/is,
        )
        const health = async () => {
          const answer = await fetch(`${subject.service.address}/health`)
          return [answer.status, await answer.text()]
        }
        // A probe may have found room in between.
        await expect.poll(health).toEqual([503, expect.stringContaining('disk is full')])
      }
      const isKilled = random() < 0.5
      if (isKilled) {
        kills += 1
        await subject.service.end('SIGKILL')
      }
      await disk.empty()
      if (isKilled) expect(await subject.start()).toBe(true)
      await untilWell(subject)
    }
    for (const { id } of runs) await subject.untilEnded(id)
    for (const round of runs.keys()) expect(await subject.compare(round)).toEqual([])
    console.log(
      `The disk was full ${harmRounds} times, ${kills} of them with a kill; ${runs.length} runs are right.`,
    )
    expect(named).toBeGreaterThan(0)
    expect(subject.deaths).toEqual([])
  },
)

test.runIf(why === null)(
  'a service that starts on a full disk says so, and starts once it has room',
  async () => {
    const disk = await smallDisk(bytes)
    const subject = await harmedService(join(disk.path, 'data'))
    expect(await subject.start()).toBe(true)
    const run = await subject.submit(0)
    await subject.service.end('SIGKILL')
    await disk.fill(0)
    // SQLite may start without room: then the service stays, and names the problem.
    if (await subject.start())
      expect(await untilProblem(subject, [run])).toMatch(/disk is full|no space left/)
    else expect(subject.deaths.map(({ how }) => how)).toEqual([expect.stringMatching(/disk is full/i)])
    await subject.service.end('SIGKILL')
    await disk.empty()
    expect(await subject.start()).toBe(true)
    expect((await subject.untilEnded(run.id)).status).toBe('succeeded')
    expect(await subject.compare(0)).toEqual([])
  },
)

/** The problem of the open runs, once the service knows it; null if all runs had ended before the disk was full. */
async function untilProblem({ get }: HarmedService, runs: readonly Run[]): Promise<string | null> {
  const until = performance.now() + 60_000
  for (;;) {
    const open = (await Promise.all(runs.map(({ id }) => get(id)))).filter(
      ({ ended_at }) => ended_at === null,
    )
    if (open.length === 0) return null
    const problem = open.find(({ last_problem }) => last_problem)?.last_problem
    if (problem) return problem.message
    if (performance.now() > until) return 'no run names a problem'
    await delay(200)
  }
}

async function untilWell({ service }: HarmedService): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${service.address}/health?deep=true`)).status, {
      interval: 200,
    })
    .toBe(200)
}

import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ErrorCode, EspalierError, errorCodes } from '../../../shared/core/contracts/errors.ts'
import type { HostAnswer } from '../../../shared/core/contracts/host-call.ts'
import { isTransient } from '../../../shared/core/engine/episodes/episode-error.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { signal } = new AbortController()
const slowStart = 'It resets the shop first: have that end sooner.'

/** Two hosts, each of which answers a start in the same way. */
async function openFailing(answer: HostAnswer, within?: number) {
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: {} })
  onTestFinished(() => world.close())
  const registry = new HostRegistry(world.ledger)
  for (const id of ['one', 'two']) {
    const now = world.clock.now()
    const host = {
      id,
      image: 'browser',
      address: 'http://127.0.0.1:1',
      status: 'starting',
      slots: 4,
    } as const
    const times = { launched_at: now, seen_at: now, idle_since: now }
    await registry.enter({ ...host, ...times, sessions: 0, draining: false })
    await registry.open(id)
  }
  const made = { starts: 0 }
  const caller = {
    async call({ operation }: { operation: string }) {
      if (operation === 'create') made.starts += 1
      return answer
    },
  }
  const looks = { first: 1, most: 2, late: 2 }
  const limit = within === undefined ? {} : { within }
  const environment = { image: 'browser', environment: 'webarena', withSnapshots: false, ...limit }
  const sessions = hostSessions({ world, caller, ...environment, slowStart, looks })
  return { made, open: () => sessions.open({ task: '3', seed: 0, holder: 'a test' }, signal) }
}

const answerOf = (code: ErrorCode, param: string | null): HostAnswer => {
  const error = new EspalierError(code, 'It fails.', param === null ? {} : { param })
  return { status: error.status, body: error.toBody() }
}

test('no answer of hosts has a session opened without bound', async () => {
  const codes = fc.constantFrom(...(Object.keys(errorCodes) as ErrorCode[]))
  const known = fc.tuple(codes, fc.constantFrom('host', 'task', null)).map((given) => answerOf(...given))
  const unknown = fc.record({ status: fc.integer({ min: 400, max: 599 }), body: fc.jsonValue() })
  const failing = fc.oneof(known, unknown as fc.Arbitrary<HostAnswer>)
  await fc.assert(
    fc.asyncProperty(failing, async (answer) => {
      const { open, made } = await openFailing(answer)
      await expect(open()).rejects.toThrow()
      expect(made.starts).toBeLessThan(200)
    }),
    {
      numRuns: 15,
      examples: (
        ['host_timed_out', 'host_unreachable', 'unknown_host', 'host_full', 'host_draining'] as const
      ).map((code) => [answerOf(code, 'host')]),
    },
  )
})

test.each([
  [undefined, 10],
  [120_000, 3],
  [680_000, 2],
])(
  'a start that no host answers within %s ms is given up after %i tries with its cause and cure, and retried as a run says',
  async (within, tries) => {
    const { open, made } = await openFailing(answerOf('host_timed_out', 'host'), within)
    const failure = await open().catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'host_timed_out',
      message: expect.stringMatching(/did not start the task "3" of webarena .* It resets the shop first/),
    })
    expect(isTransient(failure)).toBe(true)
    expect(made.starts).toBe(tries)
  },
)

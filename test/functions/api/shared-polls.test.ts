import fc from 'fast-check'
import { expect, test } from 'vitest'
import { followStream } from '../../../functions/api/follow-stream.ts'
import { type FollowedEvent, SharedPolls } from '../../../functions/api/shared-polls.ts'
import type { RunStatus } from '../../../shared/core/contracts/run.ts'

const times = { poll: 4, snapshot: 8, keepAlive: 10_000 }

/** A run of which each read shows one more event, until it has ended with the last. */
function growingRun(length: number, pageSize: number) {
  const seen = { reads: 0 }
  const status = (): RunStatus => (seen.reads >= length ? 'succeeded' : 'running')
  return {
    seen,
    followed: {
      name: 'run',
      pageSize,
      async get() {
        seen.reads += 1
        return { status: status() }
      },
      async events({ after, limit }: { after: number; limit: number }): Promise<FollowedEvent[]> {
        const all = Array.from({ length: Math.min(seen.reads, length) }, (_, at) => at + 1)
        return all
          .filter((sequence) => sequence > after)
          .slice(0, limit)
          .map((sequence) => ({ sequence, type: 'run.status' }))
      },
    } as const,
  }
}

test('each of several followers gets every event once, in order, and then the end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 6 }),
      async (length, pageSize, afters) => {
        const { followed } = growingRun(length, pageSize)
        const polls = new SharedPolls()
        const { signal } = new AbortController()
        const follow = async (after: number) => {
          const said: unknown[] = []
          for await (const message of followStream(followed, { after, key: 'run', polls, times, signal }))
            if (message !== 'keep-alive' && message.event !== 'run') said.push(message.id ?? message.event)
          return said
        }
        for (const [at, said] of (await Promise.all(afters.map(follow))).entries()) {
          const first = (afters[at] ?? 0) + 1
          const rest = Array.from({ length: Math.max(0, length - first + 1) }, (_, more) =>
            String(first + more),
          )
          expect(said).toEqual([...rest, 'end'])
        }
      },
    ),
    { numRuns: 30 },
  ))

test('followers at one place share their reads, and a first read is never an older one', async () => {
  const { followed, seen } = growingRun(1000, 500)
  const polls = new SharedPolls()
  const one = await polls.poll('run', followed, 0, 0)
  expect(await polls.poll('run', followed, 0, 60_000)).toBe(one)
  expect(await polls.poll('run', followed, 0, 0)).not.toBe(one)
  expect(seen.reads).toBe(2)
  expect(await polls.poll('other', followed, 0, 60_000)).not.toBe(one)
  expect(await polls.poll('run', followed, 1, 60_000)).not.toBe(one)
})

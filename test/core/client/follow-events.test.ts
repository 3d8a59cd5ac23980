import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createFetchTransport } from '../../../shared/core/client/fetch-transport.ts'
import { followEvents, readRollout } from '../../../shared/core/client/follow-events.ts'

const stream = (text: string) => () => new Response(text)
const group = (sequence: number) =>
  `id: ${sequence}\nevent: group.finished\ndata: {"sequence":${sequence}}\n\n`
const broken = (code = 'internal') =>
  `event: error\ndata: ${JSON.stringify({ error: { type: 'server_error', code, message: 'away', param: null } })}\n\n`
const end = 'event: end\ndata: {"status":"succeeded"}\n\n'
const refused = (status: number) => () => new Response('<html>Bad Gateway</html>', { status })

// The sequence numbers of a stream whose requests get these answers.
async function follow(answers: readonly (() => Response)[], patience = 30_000) {
  const asked: (string | null)[] = []
  const transport = createFetchTransport({
    address: 'http://127.0.0.1:1',
    fetch: async (_, { headers }) => {
      asked.push(new Headers(headers).get('Last-Event-ID'))
      return answers[asked.length - 1]?.() ?? stream(end)()
    },
  })
  const { signal } = new AbortController()
  const found: number[] = []
  for await (const message of followEvents(transport, '/events', readRollout, { signal, patience })) {
    if ('end' in message) break
    if ('event' in message) found.push(message.event.sequence)
  }
  return { asked, found }
}

// Follows over faked times, which pass as fast as the streams are read.
async function followFast(...given: Parameters<typeof follow>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    let isOver = false
    const following = follow(...given).finally(() => {
      isOver = true
    })
    following.catch(() => undefined)
    while (!isOver) await vi.advanceTimersByTimeAsync(100)
    return await following
  } finally {
    vi.useRealTimers()
  }
}

const anyFault = fc.oneof(
  fc.constantFrom(408, 429, 500, 502, 503).map(refused),
  fc.constant(stream(broken())),
)

test('a fault that may pass breaks no stream, and each event comes once', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyFault, { maxLength: 2 }), { maxLength: 3 }), async (faults) => {
      const answers = faults.flatMap((each, at) => [...each, stream(group(at + 1))])
      const { asked, found } = await followFast(answers)
      expect(found).toEqual(faults.map((_, at) => at + 1))
      const behind = faults.flatMap((each, at) => [...each, null].map(() => (at === 0 ? null : String(at))))
      expect(asked.slice(0, -1)).toEqual(behind)
    }),
    { numRuns: 30 },
  ))

test.each([
  ['a refusal', refused(404)],
  ['damage', stream(broken('damaged_object'))],
])('%s ends the stream', async (_, answer) => {
  await expect(followFast([answer])).rejects.toThrow()
})

test.each([
  ['answers', refused(503)],
  ['events', stream(broken())],
])('errors as %s end the stream when patience ends', async (_, answer) => {
  const answers = Array.from({ length: 20 }, () => answer)
  await expect(followFast(answers, 5000)).rejects.toMatchObject({ name: 'ApiError' })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EndpointRate } from '../../../../shared/play/models/rates/endpoint-rate.ts'
import type { Quota } from '../../../../shared/play/models/rates/quota.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { VirtualTime } from './virtual-time.ts'

interface PlannedCall {
  worker: number
  /** Milliseconds. */
  after: number
  takes: number
  tokens: number
}

interface MadeCall extends PlannedCall {
  asked: number
  sent: number
}

let endpoints = 0

interface Jump {
  /** Milliseconds. */
  after: number
  by: number
}

/** Makes the calls through several workers over one real ledger, in virtual time; `share` is what each takes after all. */
async function play(
  quota: Quota,
  calls: readonly PlannedCall[],
  { share = 1, jumps = [] }: { share?: number; jumps?: readonly Jump[] } = {},
): Promise<MadeCall[]> {
  const time = new VirtualTime()
  const world = await openTestWorld()
  const shared = { ledger: time.watch(world.ledger), clock: time }
  const endpoint = `endpoint-${endpoints++}`
  const workers = Array.from({ length: 4 }, () => new EndpointRate(endpoint, quota, shared))
  const start = time.passed
  for (const { after, by } of jumps) time.sleep(after).then(() => time.jump(by))
  const made = calls.map(async (call): Promise<MadeCall> => {
    await time.sleep(call.after)
    const asked = time.passed - start
    const permit = await workers[call.worker]?.acquire(call.tokens)
    const sent = time.passed - start
    await time.sleep(call.takes)
    permit?.settle({ requests: 1, tokens: Math.floor(call.tokens * share) })
    return { ...call, asked, sent }
  })
  return time.pass(Promise.all(made))
}

/** The most that any window holds beyond what the rate allows in it. */
function largestExcess(made: readonly MadeCall[], perMinute: number, amount: (call: MadeCall) => number) {
  const sent = made.toSorted((left, right) => left.sent - right.sent)
  let largest = 0
  for (const [first, opening] of sent.entries()) {
    let total = 0
    for (const call of sent.slice(first)) {
      total += amount(call)
      largest = Math.max(largest, total - ((call.sent - opening.sent) * perMinute) / 60_000)
    }
  }
  return largest
}

/** Ten seconds' worth, or one call and the two seconds that a lease lives. */
const allowed = (perMinute: number, call: number) => Math.max(perMinute / 6, perMinute / 30 + call) + 1e-6

const plannedCalls = fc.array(
  fc.record({
    worker: fc.integer({ min: 0, max: 3 }),
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
    takes: fc.integer({ min: 0, max: 20_000 }),
    tokens: fc.integer({ min: 1, max: 2000 }),
  }),
  { minLength: 1, maxLength: 60 },
)

const one = (more: Partial<PlannedCall> = {}): PlannedCall => ({
  worker: 0,
  after: 0,
  takes: 100,
  tokens: 10,
  ...more,
})

describe('several workers over one ledger', () => {
  it('never send more requests than the rate and the burst, and all are served', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2000 }), plannedCalls, async (requests, calls) => {
        const made = await play({ requests, tokens: null }, calls)
        expect(largestExcess(made, requests, () => 1)).toBeLessThanOrEqual(allowed(requests, 1))
      }),
      { numRuns: 25 },
    )
  })

  it('never send more tokens than the rate and the burst, and all are served', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2000, max: 200_000 }), plannedCalls, async (tokens, calls) => {
        const made = await play({ requests: null, tokens }, calls)
        const largest = Math.max(...calls.map((call) => call.tokens))
        expect(largestExcess(made, tokens, (call) => call.tokens)).toBeLessThanOrEqual(
          allowed(tokens, largest),
        )
      }),
      { numRuns: 25 },
    )
  })

  it('serve the calls of each worker in their order, and none much later than its turn', async () => {
    await fc.assert(
      fc.asyncProperty(plannedCalls, async (calls) => {
        const quota = { requests: 60, tokens: 20_000 }
        const made = await play(quota, calls)
        const work = made.reduce((sum, { tokens }) => sum + Math.max(1000, tokens * 3), 0)
        for (const worker of [0, 1, 2, 3]) {
          const own = made.filter((call) => call.worker === worker)
          for (const left of own)
            for (const right of own)
              if (left.asked < right.asked) expect(left.sent).toBeLessThanOrEqual(right.sent)
        }
        const last = Math.max(...made.map(({ sent }) => sent))
        expect(last).toBeLessThanOrEqual(Math.max(...calls.map(({ after }) => after)) + work + 20_000)
      }),
      { numRuns: 15 },
    )
  })

  it('do not starve a large call by a stream of small ones', async () => {
    const small = Array.from({ length: 400 }, (_, index) => one({ after: index * 250, tokens: 100 }))
    const large = one({ worker: 1, after: 5000, tokens: 5000 })
    const made = await play({ requests: null, tokens: 20_000 }, [...small, large])
    const { asked, sent } = made.at(-1) as MadeCall
    expect(sent - asked).toBeLessThan(40_000)
  })

  it('use the whole quota when there is work for it', async () => {
    const calls = Array.from({ length: 400 }, (_, index) => one({ worker: index % 4 }))
    const made = await play({ requests: 600, tokens: null }, calls)
    const last = Math.max(...made.map(({ sent }) => sent))
    expect(last).toBeGreaterThanOrEqual(30_000)
    expect(last).toBeLessThan(45_000)
  })

  it('use again what answers did not need', async () => {
    const calls = Array.from({ length: 100 }, (_, index) => one({ worker: index % 4, tokens: 1000 }))
    const [whole, tenth] = await Promise.all([
      play({ requests: null, tokens: 20_000 }, calls),
      play({ requests: null, tokens: 20_000 }, calls, { share: 0.1 }),
    ])
    const last = (made: MadeCall[]) => Math.max(...made.map(({ sent }) => sent))
    expect(last(whole)).toBeGreaterThan(280_000)
    expect(last(tenth)).toBeLessThan(120_000)
  })
})

describe('where the clock is set', () => {
  const jumps = fc.array(
    fc.record({
      after: fc.integer({ min: 0, max: 90_000 }),
      by: fc.oneof(fc.constantFrom(-3_600_000, 3_600_000), fc.integer({ min: -600_000, max: 600_000 })),
    }),
    { minLength: 1, maxLength: 4 },
  )

  it('all calls are served, none much later than its turn', async () => {
    await fc.assert(
      fc.asyncProperty(plannedCalls, jumps, async (calls, set) => {
        const made = await play({ requests: 60, tokens: 20_000 }, calls, { jumps: set })
        const work = made.reduce((sum, { tokens }) => sum + Math.max(1000, tokens * 3), 0)
        const last = Math.max(...made.map(({ sent }) => sent))
        // A jump that is shorter than calls may lie ahead is waited out.
        const latest = Math.max(...calls.map(({ after }) => after)) + work + set.length * 70_000
        expect(last).toBeLessThanOrEqual(latest + 20_000)
      }),
      { numRuns: 25 },
    )
  })

  it.each([-3_600_000, 3_600_000])(
    'by %i ms, calls that wait go on at the rate of the endpoint',
    async (by) => {
      const calls = Array.from({ length: 200 }, (_, index) => one({ worker: index % 4 }))
      const made = await play({ requests: 600, tokens: null }, calls, { jumps: [{ after: 5000, by }] })
      expect(Math.max(...made.map(({ sent }) => sent))).toBeLessThan(30_000)
      // What was given out before the jump is not known after it: a burst may come twice, and no more.
      expect(largestExcess(made, 600, () => 1)).toBeLessThanOrEqual(2 * allowed(600, 1))
    },
  )

  it('what a call did not need is given back without waiting for the clock', async () => {
    const time = new VirtualTime()
    const { ledger } = await openTestWorld()
    const world = { ledger: time.watch(ledger), clock: time }
    const quota = { requests: null, tokens: 1000 }
    const permit = await time.pass(new EndpointRate('e', quota, world).acquire(1000))
    time.jump(-600_000)
    permit.settle({ requests: 1, tokens: 0 })
    await time.pass(time.sleep(1))
    const item = await ledger.get({ partition: 'rates', sort: 'e' })
    expect(item?.tokens_at).toBeLessThan(time.now() + 20_000)
  })
})

describe('one worker', () => {
  it('asks the ledger far less often than it lets calls through', async () => {
    const time = new VirtualTime()
    const { ledger } = await openTestWorld()
    let asked = 0
    const counting = {
      ...time.watch(ledger),
      update: (change: Parameters<typeof ledger.update>[0]) => {
        asked += 1
        return ledger.update(change)
      },
    }
    const rate = new EndpointRate('e', { requests: 60_000, tokens: null }, { ledger: counting, clock: time })
    const calls = Array.from({ length: 4000 }, async (_, index) => {
      await time.sleep(index * 2)
      await rate.acquire(1)
    })
    await time.pass(Promise.all(calls))
    expect(asked).toBeLessThan(40)
  })

  it('refuses a call that is larger than the quota of a minute, saying what to change', async () => {
    const { ledger } = await openTestWorld()
    const clock = new VirtualTime()
    const rate = new EndpointRate('mine', { requests: null, tokens: 1000 }, { ledger, clock })
    await expect(rate.acquire(1001)).rejects.toThrow(/"mine" allows 1000.*can take 1001.*max_tokens/)
  })

  it('leaves a call that is aborted while it waits, and gives its turn to others', async () => {
    const time = new VirtualTime()
    const { ledger } = await openTestWorld()
    const world = { ledger: time.watch(ledger), clock: time }
    const rate = new EndpointRate('e', { requests: 1, tokens: null }, world)
    const other = new EndpointRate('e', { requests: 1, tokens: null }, world)
    await time.pass(rate.acquire(1))
    const start = time.now()
    const controller = new AbortController()
    const waiting = rate.acquire(1, controller.signal)
    await time.pass(Promise.race([waiting, time.sleep(10_000)]))
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await time.pass(other.acquire(1))
    expect(time.now() - start).toBeLessThan(65_000)
    await expect(rate.acquire(1, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })

  it('passes a failure of the ledger on to all who wait, and goes on when it works again', async () => {
    const { ledger } = await openTestWorld()
    const time = new VirtualTime()
    let broken = true
    const update: typeof ledger.update = (change) =>
      broken ? Promise.reject(new Error('the ledger is down')) : ledger.update(change)
    const rate = new EndpointRate(
      'e',
      { requests: 60, tokens: 100 },
      { ledger: { ...time.watch(ledger), update }, clock: time },
    )
    const calls = await Promise.allSettled([rate.acquire(1), rate.acquire(2)])
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    broken = false
    await time.pass(rate.acquire(1))
  })
})

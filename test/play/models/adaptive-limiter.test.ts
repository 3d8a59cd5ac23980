import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AdaptiveLimiter, type Slot, type SlotOutcome } from '../../../shared/play/models/adaptive-limiter.ts'

async function round(limiter: AdaptiveLimiter, count: number, outcome: SlotOutcome): Promise<void> {
  for (let call = 0; call < count; call++) (await limiter.acquire()).release(outcome)
}

describe('AdaptiveLimiter', () => {
  it('starts at 20 and doubles each time as many calls as the limit were answered', async () => {
    const limiter = new AdaptiveLimiter()
    expect(limiter.limit).toBe(20)
    await round(limiter, 19, 'answered')
    expect(limiter.limit).toBe(20)
    await round(limiter, 1, 'answered')
    expect(limiter.limit).toBe(40)
    await round(limiter, 40, 'answered')
    expect(limiter.limit).toBe(80)
  })

  it('cuts to four fifths on a 429 and then grows by 5 % a round', async () => {
    const limiter = new AdaptiveLimiter({ now: () => 0 })
    await round(limiter, 20, 'answered')
    await round(limiter, 1, 'rate_limited')
    expect(limiter.limit).toBe(32) // 40 × 0.8
    await round(limiter, 32, 'answered')
    expect(limiter.limit).toBe(33) // 33.6
    await round(limiter, 33, 'answered')
    expect(limiter.limit).toBe(35) // 35.28
  })

  it('cuts once in a cool-down of 15 s', async () => {
    let now = 0
    const limiter = new AdaptiveLimiter({ now: () => now })
    await round(limiter, 5, 'rate_limited')
    expect(limiter.limit).toBe(16)
    now = 14_999
    await round(limiter, 1, 'rate_limited')
    expect(limiter.limit).toBe(16)
    now = 15_000
    await round(limiter, 1, 'rate_limited')
    expect(limiter.limit).toBe(12) // 12.8
  })

  it('learns nothing from other failures, and a 429 starts the round again', async () => {
    const limiter = new AdaptiveLimiter({ now: () => 0 })
    await round(limiter, 100, 'failed')
    expect(limiter.limit).toBe(20)
    await round(limiter, 19, 'answered')
    await round(limiter, 1, 'rate_limited')
    await round(limiter, 15, 'answered')
    expect(limiter.limit).toBe(16)
    await round(limiter, 1, 'answered')
    expect(limiter.limit).toBe(16) // 16.8
    await round(limiter, 16, 'answered')
    expect(limiter.limit).toBe(17) // 17.64
  })

  it('stays between 1 and its maximum', async () => {
    let now = 0
    const limiter = new AdaptiveLimiter({ maximum: 30, now: () => now })
    await round(limiter, 20, 'answered')
    expect(limiter.limit).toBe(30)
    for (let cut = 0; cut < 40; cut++) {
      now += 15_000
      await round(limiter, 1, 'rate_limited')
    }
    expect(limiter.limit).toBe(1)
    expect(new AdaptiveLimiter({ maximum: 3 }).limit).toBe(3)
  })

  it('serves waiting calls in order, and forgets those that abort', async () => {
    const limiter = new AdaptiveLimiter({ maximum: 1 })
    const first = await limiter.acquire()
    const order: string[] = []
    const aborting = new AbortController()
    const second = limiter.acquire().then((slot) => {
      order.push('second')
      return slot
    })
    const third = limiter.acquire(aborting.signal)
    const fourth = limiter.acquire().then((slot) => {
      order.push('fourth')
      return slot
    })
    aborting.abort(new Error('enough'))
    await expect(third).rejects.toThrow('enough')
    first.release('answered')
    ;(await second).release('answered')
    ;(await fourth).release('answered')
    expect(order).toEqual(['second', 'fourth'])
    expect(limiter.inFlight).toBe(0)
  })

  it('gives a slot back once, however often it is released', async () => {
    const limiter = new AdaptiveLimiter({ maximum: 2 })
    const slot = await limiter.acquire()
    await limiter.acquire()
    slot.release('failed')
    slot.release('failed')
    expect(limiter.inFlight).toBe(1)
  })

  it('never has more calls in flight than its limit, and never leaves a free slot while calls wait', async () => {
    const outcome = fc.constantFrom<SlotOutcome>('answered', 'rate_limited', 'failed')
    const step = fc.oneof(
      fc.constant({ kind: 'acquire' as const }),
      fc.record({ kind: fc.constant('release' as const), outcome, pick: fc.nat() }),
      fc.record({ kind: fc.constant('abort' as const), pick: fc.nat() }),
      fc.record({ kind: fc.constant('wait' as const), time: fc.nat(20_000) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 200 }),
        fc.integer({ min: 1, max: 8 }),
        async (steps, start) => {
          let now = 0
          const limiter = new AdaptiveLimiter({ start, maximum: 16, now: () => now })
          const open: Slot[] = []
          const waiting = new Set<AbortController>()
          for (const action of steps) {
            const limit = limiter.limit
            const before = limiter.inFlight
            if (action.kind === 'acquire') {
              const controller = new AbortController()
              waiting.add(controller)
              limiter.acquire(controller.signal).then(
                (slot) => {
                  waiting.delete(controller)
                  open.push(slot)
                },
                () => waiting.delete(controller),
              )
            } else if (action.kind === 'release') {
              const [slot] = open.splice(open.length === 0 ? 0 : action.pick % open.length, 1)
              slot?.release(action.outcome)
            } else if (action.kind === 'abort') {
              ;[...waiting][waiting.size === 0 ? 0 : action.pick % waiting.size]?.abort()
            } else now += action.time
            await new Promise(setImmediate)
            if (limiter.inFlight > before)
              expect(limiter.inFlight).toBeLessThanOrEqual(Math.max(limit, limiter.limit))
            if (waiting.size > 0) expect(limiter.inFlight).toBeGreaterThanOrEqual(limiter.limit)
            expect(limiter.inFlight).toBe(open.length)
          }
          for (let rounds = 0; rounds < 500 && (open.length > 0 || waiting.size > 0); rounds++) {
            open.pop()?.release('answered')
            await new Promise(setImmediate)
          }
          expect([open.length, waiting.size, limiter.inFlight]).toEqual([0, 0, 0])
        },
      ),
      { numRuns: 60 },
    )
  })
})

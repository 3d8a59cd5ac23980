import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { type FleetHost, planFleet } from '../../../shared/environments/hosts/plan-fleet.ts'

const limits = fleetLimitsSchema.parse({ slots: 4, max_hosts: 5, burst: 2, idle: 60, lost_after: 300 })
const now = 1_000_000

function host(id: string, changed: Partial<FleetHost> = {}): FleetHost {
  return { id, state: 'ready', slots: 4, sessions: 0, seen_at: now, idle_since: null, ...changed }
}

const anyLimits = fc.record({
  slots: fc.integer({ min: 1, max: 10 }),
  max_hosts: fc.integer({ min: 0, max: 12 }),
  burst: fc.integer({ min: 1, max: 5 }),
  idle: fc.integer({ min: 1, max: 300 }),
  lost_after: fc.integer({ min: 60, max: 600 }),
})

const anyHosts = fc
  .array(
    fc.record({
      state: fc.constantFrom('starting', 'ready', 'leaving'),
      slots: fc.integer({ min: 1, max: 10 }),
      sessions: fc.nat(10),
      seen_at: fc.integer({ min: now - 700_000, max: now }),
      idle_since: fc.option(fc.integer({ min: now - 700_000, max: now })),
    }),
    { maxLength: 12 },
  )
  .map((hosts) =>
    hosts.map(
      (one, index): FleetHost => ({
        ...one,
        id: `host_${index}`,
        sessions: Math.min(one.sessions, one.slots),
      }),
    ),
  )

describe('a plan of a fleet', () => {
  test('launches what the free slots leave to do, and no more than the burst', () => {
    expect(planFleet(3, [], limits, now)).toEqual({ launch: 1, stop: [], wanted: 1 })
    expect(planFleet(3, [host('a', { sessions: 1 })], limits, now)).toEqual({
      launch: 0,
      stop: [],
      wanted: 1,
    })
    expect(planFleet(3, [host('a', { state: 'starting' })], limits, now).launch).toBe(0)
    expect(planFleet(40, [], limits, now)).toEqual({ launch: 2, stop: [], wanted: 10 })
  })

  test('stops the hosts that were idle for longest, and keeps those whose slots are waited for', () => {
    const hosts = [
      host('a', { idle_since: now - 70_000 }),
      host('b', { idle_since: now - 90_000 }),
      host('c', { idle_since: now - 50_000 }),
    ]
    expect(planFleet(0, hosts, limits, now)).toEqual({ launch: 0, stop: ['b', 'a'], wanted: 1 })
    expect(planFleet(8, hosts, limits, now).stop).toEqual(['b'])
    expect(planFleet(9, hosts, limits, now).stop).toEqual([])
  })

  test('gives up hosts that give no sign of life, and lets leaving ones finish', () => {
    const hosts = [
      host('lost', { sessions: 2, seen_at: now - 300_000 }),
      host('leaving', { state: 'leaving', sessions: 1 }),
      host('left', { state: 'leaving' }),
    ]
    expect(planFleet(0, hosts, limits, now).stop).toEqual(['lost', 'left'])
  })

  test('never goes above the most hosts, nor the burst', () => {
    fc.assert(
      fc.property(fc.nat(200), anyHosts, anyLimits, (waiting, hosts, any) => {
        const { launch } = planFleet(waiting, hosts, any, now)
        expect(launch).toBeLessThanOrEqual(any.burst)
        if (launch > 0) expect(hosts.length + launch).toBeLessThanOrEqual(any.max_hosts)
      }),
    )
  })

  test('never stops a host that is alive and has sessions, or one that was idle for too short', () => {
    fc.assert(
      fc.property(fc.nat(200), anyHosts, anyLimits, (waiting, hosts, any) => {
        for (const id of planFleet(waiting, hosts, any, now).stop) {
          const one = hosts.find((known) => known.id === id)
          const isLost = (one?.seen_at ?? 0) <= now - any.lost_after * 1000
          if (isLost || one === undefined) continue
          expect(one.sessions).toBe(0)
          if (one.state !== 'leaving') expect(one.idle_since).toBeLessThanOrEqual(now - any.idle * 1000)
        }
      }),
    )
  })

  test('never stops a slot that is waited for, nor launches while it stops a spare one', () => {
    fc.assert(
      fc.property(fc.nat(60), anyHosts, anyLimits, (waiting, hosts, any) => {
        const { stop, launch } = planFleet(waiting, hosts, any, now)
        const alive = hosts.filter(({ seen_at }) => seen_at > now - any.lost_after * 1000)
        const usable = alive.filter(({ state }) => state !== 'leaving')
        const spare = usable.filter(({ id }) => stop.includes(id))
        if (spare.length === 0) return
        const kept = usable.filter(({ id }) => !stop.includes(id))
        const free = kept.reduce((sum, { slots, sessions }) => sum + slots - sessions, 0)
        expect(free).toBeGreaterThanOrEqual(waiting)
        expect(launch).toBe(0)
      }),
    )
  })

  test('a fleet grows until all who wait have a slot, then rests, and shrinks to nothing when they leave', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        anyLimits,
        fc.infiniteStream(fc.nat(2)),
        (demand, any, slow) => {
          const fleet = new SimulatedFleet(any, slow)
          const enough = Math.ceil(demand / any.slots)
          fleet.waiting = demand
          fleet.pass(60 + Math.ceil(enough / any.burst) * 3)
          const served = Math.min(demand, any.max_hosts * any.slots)
          expect(fleet.sessions).toBe(served)
          expect(fleet.size).toBe(Math.min(enough, any.max_hosts))
          const { launches, stops } = fleet
          fleet.pass(100)
          expect([fleet.launches, fleet.stops]).toEqual([launches, stops])
          fleet.leaveAll()
          fleet.pass(Math.ceil(any.idle / 10) + 10)
          expect(fleet.size).toBe(0)
          expect(fleet.launches).toBe(launches)
        },
      ),
      { numRuns: 100 },
    )
  })
})

/** Hosts that start, hold sessions and leave, with a pass every ten seconds. */
class SimulatedFleet {
  waiting = 0
  launches = 0
  stops = 0
  #hosts: (FleetHost & { startsIn: number })[] = []
  #now = now
  readonly #limits: typeof limits
  readonly #slow: Iterator<number>

  constructor(any: typeof limits, slow: Iterator<number>) {
    this.#limits = any
    this.#slow = slow
  }

  get size(): number {
    return this.#hosts.length
  }

  get sessions(): number {
    return this.#hosts.reduce((sum, { sessions }) => sum + sessions, 0)
  }

  pass(times: number): void {
    for (let time = 0; time < times; time += 1) {
      this.#now += 10_000
      for (const one of this.#hosts) this.#live(one)
      const plan = planFleet(this.waiting, this.#hosts, this.#limits, this.#now)
      this.#hosts = this.#hosts.filter(({ id }) => !plan.stop.includes(id))
      this.stops += plan.stop.length
      for (let one = 0; one < plan.launch; one += 1) this.#launch()
    }
  }

  leaveAll(): void {
    this.waiting = 0
    for (const one of this.#hosts) Object.assign(one, { sessions: 0, idle_since: this.#now })
  }

  #live(one: FleetHost & { startsIn: number }): void {
    one.startsIn -= 1
    if (one.startsIn > 0) return
    if (one.state === 'starting') Object.assign(one, { state: 'ready', idle_since: this.#now })
    one.seen_at = this.#now
    const taken = Math.min(this.waiting, one.slots - one.sessions)
    this.waiting -= taken
    one.sessions += taken
    if (one.sessions > 0) one.idle_since = null
  }

  #launch(): void {
    const startsIn = 1 + (this.#slow.next().value as number)
    this.launches += 1
    this.#hosts.push({
      ...host(`host_${this.launches}`, { state: 'starting', slots: this.#limits.slots, seen_at: this.#now }),
      startsIn,
    })
  }
}

import { expect, test } from 'vitest'
import type { Loop, LoopRequestInput } from '../../../shared/core/contracts/loop.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { LoopPorts } from '../../../shared/learn/loops/loop-ports.ts'
import type { NextLook } from '../../../shared/learn/loops/open-loops.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { loopRequest, makeLoop, openDrivenLoops } from './drive-loop.ts'
import { FakeService } from './fake-service.ts'

/** After how many calls to anything outside the process dies, and whether the last of them was still made. */
interface Death {
  calls: number
  made: boolean
}

class KilledError extends Error {
  override readonly name = 'KilledError'
}

/** Everything that a loop calls, for a process that dies. */
function mortal(world: World, parts: LoopPorts, { calls, made }: Death) {
  let left = calls
  const wrap =
    (method: (...given: unknown[]) => unknown) =>
    (...given: unknown[]): unknown => {
      left -= 1
      if (left > 0) return method(...given)
      const killed = () => Promise.reject(new KilledError('killed'))
      return left === 0 && made ? Promise.resolve(method(...given)).then(killed, killed) : killed()
    }
  const through = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (typeof value === 'function') return wrap(value.bind(target) as (...given: unknown[]) => unknown)
        return typeof value === 'object' && value !== null ? through(value) : value
      },
    })
  const { isSimulated, checkEndpoint, datasets, ...rest } = parts
  const { lineage, ...calledDatasets } = datasets
  return {
    world: { clock: world.clock, ledger: through(world.ledger), objects: through(world.objects) },
    parts: {
      ...through(rest),
      runs: through(parts.runs),
      trainings: through(parts.trainings),
      models: through(parts.models),
      servers: through(parts.servers),
      reports: through(parts.reports),
      tasks: wrap(parts.tasks as (...given: unknown[]) => unknown) as LoopPorts['tasks'],
      datasets: { ...through(calledDatasets), lineage },
      isSimulated,
      checkEndpoint,
    },
    isAlive: () => left > 0,
  }
}

/** What two loops must have in common: everything but when it was. */
function withoutTimes(loop: Loop): unknown {
  return JSON.parse(
    JSON.stringify(loop, (name, value) =>
      /(_at|^id$|_seconds$|^name$|^lineage$)/.test(name) &&
      typeof value !== 'object' &&
      !String(value).match(/^[a-z-]+$/)
        ? undefined
        : value,
    ).replaceAll(loop.id, 'LOOP'),
  )
}

const requests: [string, Partial<LoopRequestInput>][] = [
  ['eto with a control', { recipe: 'eto', control: true, settings: { rounds: 2 }, patience: null }],
  [
    'rft with checkpoints to choose from',
    { recipe: 'rft', candidates: 2, tasks: { dev: { split: 'dev' } }, settings: { rounds: 1 } },
  ],
]

test.each(requests)(
  '%s: killed at every call of every look, it makes the same rounds, and nothing twice',
  async (_, rest) => {
    const { world, close } = await openOwnWorld()
    try {
      const whole = new FakeService()
      const expected = await makeLoop(openDrivenLoops(world, whole.parts()), loopRequest(rest))
      expect(expected.status).toBe('succeeded')

      for (const made of [false, true]) {
        const service = new FakeService()
        const queue: NextLook[] = []
        const { loops } = openDrivenLoops(world, service.parts(), queue)
        const own = loops.of('default')
        const { id } = await own.create(loopRequest(rest))
        let deaths = 0
        for (let looks = 0; queue.length > 0; looks += 1) {
          if (looks > 1000) throw new Error('The loop has not ended.')
          const [next] = queue
          let more: NextLook[] | null = null
          // The same message, again and again, in processes that live a call longer each time.
          for (let calls = 1; more === null; calls += 1) {
            const process = mortal(world, service.parts(), { calls, made })
            const dying = openDrivenLoops(process.world, process.parts)
            try {
              const job = { id, look: next?.look, isRepeated: calls > 1 }
              more = await dying.loops.handler.advance(job)
              // It may have died in its last call and not have noticed: a dead process sends nothing.
              if (!process.isAlive()) more = null
            } catch (error) {
              if (process.isAlive()) throw error
              deaths += 1
            }
          }
          queue.shift()
          queue.push(...more)
        }
        expect(deaths).toBeGreaterThan(50)
        expect(service.made).toEqual(whole.made)
        const loop = await own.get(id)
        expect(withoutTimes(loop)).toEqual(withoutTimes(expected))
        expect(loop.status).toBe('succeeded')
      }
    } finally {
      await close()
    }
  },
)

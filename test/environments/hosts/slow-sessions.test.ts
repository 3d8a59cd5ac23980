import { expect, onTestFinished, test } from 'vitest'
import type { BackendAnswer, SessionBackend } from '../../../containers/env-host/session-backend.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const request = { task: 'textcraft-0042', seed: 0, holder: 'a test' }

/** Sessions on a host whose starts and steps last until they are interrupted, where the action says so. */
async function openSlow({ isSlowToStart = false, callsWithin = 60_000 } = {}) {
  const events: string[] = []
  const steps: Parameters<SessionBackend['step']>[] = []
  const backend = (): SessionBackend => {
    const interrupted = Promise.withResolvers<never>()
    interrupted.promise.catch(() => undefined)
    const answer = (observation: string): BackendAnswer => ({
      observation,
      screen: `sketch of ${observation}`,
      ...{ reward: 0, done: false, valid: true, progress: 0 },
    })
    return {
      async reset() {
        events.push('reset')
        return isSlowToStart ? interrupted.promise : answer('start')
      },
      async step(action, seen) {
        steps.push(seen === undefined ? [action] : [action, seen])
        events.push('step')
        return action === 'last' ? interrupted.promise : answer(action)
      },
      validActions: () => null,
      interrupt() {
        events.push('interrupted')
        interrupted.reject(new Error('The session is closed.'))
      },
      async close() {
        events.push('closed')
      },
    }
  }
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: {} })
  onTestFinished(() => world.close())
  const served = { id: 'slow', facts: async () => textcraft, open: async () => backend() }
  const hosts = { world, environment: served, served, withSnapshots: false, callsWithin }
  const { sessions, add } = openInProcessHosts(hosts)
  await add('one')
  const leases = () => new HostRegistry(world.ledger).countLeases('one', world.clock.now())
  return { sessions, events, steps, leases, add }
}

const happened = (events: string[], name: string) => expect.poll(() => events).toContain(name)

test('a step that is under way when its session is closed is ended, before anyone else has its place', async () => {
  const { sessions, events, leases } = await openSlow()
  const { live } = await sessions.open(request, new AbortController().signal)
  const step = live.step('last', new AbortController().signal)
  const ended = expect(step).rejects.toThrow()
  await happened(events, 'step')
  await live.close()
  expect(events).toEqual(['reset', 'step', 'interrupted', 'closed'])
  expect(await leases()).toBe(0)
  await ended
})

test('a start that nobody waits for any more is ended, before anyone else has its place', async () => {
  const { sessions, events, leases } = await openSlow({ isSlowToStart: true })
  const cancelled = new AbortController()
  const opening = sessions.open(request, cancelled.signal)
  const failed = expect(opening).rejects.toThrow()
  await happened(events, 'reset')
  cancelled.abort()
  await failed
  expect(events).toEqual(['reset', 'interrupted', 'closed'])
  expect(await leases()).toBe(0)
})

test('a start that the caller gave up, without an answer, is ended before another host is asked', async () => {
  const { sessions, events, add } = await openSlow({ isSlowToStart: true, callsWithin: 200 })
  await add('two')
  const cancelled = new AbortController()
  const opening = sessions.open(request, cancelled.signal)
  const failed = expect(opening).rejects.toThrow()
  await expect.poll(() => events.filter((event) => event === 'reset').length).toBeGreaterThan(1)
  expect(events.slice(0, 4)).toEqual(['reset', 'interrupted', 'closed', 'reset'])
  cancelled.abort()
  await failed
})

test('a session that is closed while nothing is under way is not interrupted', async () => {
  const { sessions, events } = await openSlow()
  const { live } = await sessions.open(request, new AbortController().signal)
  await live.step('on', new AbortController().signal)
  await live.close()
  expect(events).toEqual(['reset', 'step', 'closed'])
})

test('the sketch of a screen is answered, and a step says what it was chosen by', async () => {
  const { sessions, steps } = await openSlow()
  const { live, result } = await sessions.open(request, new AbortController().signal)
  expect(result.screen).toBe('sketch of start')
  const { signal } = new AbortController()
  expect(await live.step('on', signal)).toMatchObject({ observation: 'on', screen: 'sketch of on' })
  const seen = { observation: 'as it was', screen: 'another sketch' }
  await live.step('further', signal, seen)
  await live.step('back', signal, { observation: 'as it was' })
  expect(steps).toEqual([['on'], ['further', seen], ['back', { observation: 'as it was' }]])
})

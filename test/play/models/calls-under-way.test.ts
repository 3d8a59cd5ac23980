import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { CallsUnderWay } from '../../../shared/play/models/calls-under-way.ts'

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason))
  })

it('aborts a call with its caller’s reason, and no other call', async () => {
  const calls = new CallsUnderWay()
  const [one, other] = [new AbortController(), new AbortController()]
  const ended = calls.run(one.signal, untilAborted)
  const asked = Promise.withResolvers<string>()
  const answered = calls.run(other.signal, () => asked.promise)
  one.abort('enough')
  await expect(ended).rejects.toBe('enough')
  asked.resolve('fine')
  expect(await answered).toBe('fine')
})

it('aborts a call whose caller has already aborted', async () => {
  await expect(new CallsUnderWay().run(AbortSignal.abort('late'), untilAborted)).rejects.toBe('late')
})

it('aborts all when they are ended, with a caller’s signal or without, and those that come later', async () => {
  const calls = new CallsUnderWay()
  const underWay = [calls.run(new AbortController().signal, untilAborted), calls.run(undefined, untilAborted)]
  calls.end('closed')
  for (const call of underWay) await expect(call).rejects.toBe('closed')
  await expect(calls.run(undefined, untilAborted)).rejects.toBe('closed')
})

it('leaves no listener on the signal of a caller', async () => {
  const calls = new CallsUnderWay()
  const { signal } = new AbortController()
  const call = calls.run(signal, async () => getEventListeners(signal, 'abort').length)
  expect(await call).toBe(1)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

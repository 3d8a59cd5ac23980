import { expect, it } from 'vitest'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { chatRequest, completion } from '../chat-request.ts'
import { fakeClock } from '../fake-clock.ts'
import { recordingMeter } from '../recording-meter.ts'
import { scriptedModels } from '../scripted-models.ts'

const answered = () => Response.json(completion('hello'))
const busy = () =>
  Response.json({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '1' } })

async function openRated(answers: (() => Response)[], endpoint: object) {
  const { ledger } = await openTestWorld()
  const clock = fakeClock()
  const scripted = scriptedModels(answers, { ...endpoint }, { rates: { ledger, clock } })
  const meter = recordingMeter()
  return { ...scripted, meter, clock, ledger, ask: () => scripted.model.complete(chatRequest(), { meter }) }
}

it('a retry is a request of its own', async () => {
  const { ask, clock, seen } = await openRated([busy, answered], { requests_per_minute: 1 })
  await ask()
  expect(seen).toHaveLength(2)
  expect(clock.now()).toBeGreaterThanOrEqual(60_000)
})

it('tokens are taken at their upper bound, and what an answer did not need comes back', async () => {
  // Each call can take 111 tokens, and takes 12.
  const { ask, clock } = await openRated([answered], { tokens_per_minute: 120 })
  await ask()
  await ask()
  expect(clock.now()).toBeLessThan(55_500)
  expect(clock.now()).toBeGreaterThan(0)
})

it('a call that never fits is refused before it is reserved or sent', async () => {
  const { ask, meter, seen } = await openRated([answered], { tokens_per_minute: 110 })
  await expect(ask()).rejects.toThrow('"mine" allows 110 tokens per minute, and this call can take 111')
  expect([meter.events, seen]).toEqual([[], []])
})

it('a call that its meter refuses takes nothing of the rate', async () => {
  const { ask, clock, model } = await openRated([answered], { requests_per_minute: 1 })
  const meter = { reserve: () => Promise.reject(new Error('the cap is reached')) }
  for (let call = 0; call < 3; call += 1)
    await expect(model.complete(chatRequest(), { meter })).rejects.toThrow('the cap is reached')
  await ask()
  expect(clock.now()).toBeLessThan(60_000)
})

import { expect, it } from 'vitest'
import { endpointSchema } from '../../../shared/models/endpoint-configuration.ts'
import { openModels } from '../../../shared/models/model-pool.ts'
import { chatRequest } from '../chat-request.ts'
import { fakeClock } from '../fake-clock.ts'
import { recordingMeter } from '../recording-meter.ts'

function open(endpoint: Record<string, unknown> = {}) {
  const clock = fakeClock()
  const configuration = endpointSchema.parse({ kind: 'simulated', ...endpoint })
  return { model: openModels(new Map([['simulated', configuration]]), { clock }).model('simulated'), clock }
}

it('reserves and settles each call, within its bound, and is free', async () => {
  const { model } = open()
  const meter = recordingMeter()
  const answer = await model.complete(chatRequest(), { meter })
  expect(answer.cost).toBe(0)
  expect(answer.finish_reason).toBe('stop')
  expect(answer.input_tokens).toBe(11)
  expect(answer.input_tokens + answer.output_tokens).toBeLessThanOrEqual(meter.bounds[0]?.tokens ?? 0)
  expect(meter.events).toEqual(['reserve call-0', `settle call-0 11+${answer.output_tokens}`])
})

it('costs what its prices say', async () => {
  const { model } = open({ prices: { '*': { input: 1_000_000, output: 0 } } })
  const meter = recordingMeter()
  expect((await model.complete(chatRequest(), { meter })).cost).toBe(11)
  expect(meter.bounds[0]?.cost).toBe(11)
})

it('cuts its answer at max_tokens', async () => {
  const { model } = open()
  const meter = recordingMeter()
  const answer = await model.complete(chatRequest({ max_tokens: 2 }), { meter })
  expect(answer).toMatchObject({ finish_reason: 'length', output_tokens: 2 })
  expect(answer.content).toHaveLength(6)
})

it('takes its latency, give or take the spread, the same for the same request', async () => {
  const { model, clock } = open({ latency: 100, latency_spread: 40 })
  for (const seed of [1, 2, 3, 1]) await model.complete(chatRequest({ seed }), { meter: recordingMeter() })
  const [first, second, third, again] = clock.slept
  expect(again).toBe(first)
  expect(new Set([first, second, third]).size).toBe(3)
  for (const slept of clock.slept) expect(Math.abs(slept - 100)).toBeLessThanOrEqual(40)
})

it('loses a call that is aborted while it takes its time', async () => {
  const configuration = endpointSchema.parse({ kind: 'simulated', latency: 60_000 })
  const model = openModels(new Map([['simulated', configuration]])).model('simulated')
  const meter = recordingMeter()
  const signal = AbortSignal.timeout(20)
  await expect(model.complete(chatRequest(), { meter, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
})

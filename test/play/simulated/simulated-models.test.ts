import { expect, it } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../../shared/play/simulated/open-simulated-models.ts'
import { chatRequest } from '../models/chat-request.ts'
import { fakeClock } from '../models/fake-clock.ts'
import { recordingMeter } from '../models/recording-meter.ts'

function open(endpoint: Record<string, unknown> = {}) {
  const clock = fakeClock()
  const configuration = endpointSchema.parse({ kind: 'simulated', ...endpoint })
  const models = openModels(new Map([['simulated', configuration]]), {
    simulated: openSimulatedModels,
    clock,
  })
  return { models, model: models.model('simulated'), clock }
}

it('reserves and settles each call, within its bound, and is free', async () => {
  const { model } = open()
  const meter = recordingMeter()
  const answer = await model.complete(chatRequest(), { meter })
  expect(answer.cost).toBe(0)
  expect(answer.choices.map((choice) => choice.finish_reason)).toEqual(['stop'])
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
  expect(answer).toMatchObject({ choices: [{ finish_reason: 'length' }], output_tokens: 2 })
  expect(answer.choices[0]?.content).toHaveLength(6)
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
  const model = openModels(new Map([['simulated', configuration]]), { simulated: openSimulatedModels }).model(
    'simulated',
  )
  const meter = recordingMeter()
  const signal = AbortSignal.timeout(20)
  await expect(model.complete(chatRequest(), { meter, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
})

it('gives several choices in one call', async () => {
  const { model } = open()
  const meter = recordingMeter()
  const messages = [
    { role: 'user' as const, content: 'Valid actions: go north, go south, wait here, look around' },
  ]
  const answer = await model.complete(chatRequest({ messages, n: 20 }), { meter })
  expect(answer.choices).toHaveLength(20)
  expect(new Set(answer.choices.map(({ content }) => content)).size).toBeGreaterThan(1)
  expect(answer.model_calls).toBe(1)
  expect(answer.input_tokens + answer.output_tokens).toBeLessThanOrEqual(meter.bounds[0]?.tokens ?? 0)
})

it('embeds texts and rates conversations, within their bounds, at its prices and with its latency', async () => {
  const { models, clock } = open({ prices: { '*': { input: 1_000_000, output: 0 } }, latency: 30 })
  const meter = recordingMeter()
  const texts = ['a note about oak logs', 'another note']
  const { vectors, ...embedded } = await models.embedding('simulated').embed({ model: 'm', texts }, { meter })
  expect(vectors.map((vector) => vector.length)).toEqual([256, 256])
  expect(embedded.cost).toBe(embedded.input_tokens)
  const scorer = models.scorer('simulated')
  const rate = (content: string) =>
    scorer.score({ model: 'm', messages: [{ role: 'user', content }] }, { meter })
  const first = await rate('Goal: wait')
  expect(await rate('Goal: wait')).toEqual(first)
  expect((await rate('Goal: go')).value).not.toBe(first.value)
  expect(Math.abs(first.value)).toBeLessThanOrEqual(1)
  expect(first.cost).toBe(first.input_tokens)
  expect(clock.slept).toEqual([30, 30, 30, 30])
  expect(meter.bounds[0]?.tokens).toBe(embedded.input_tokens)
  expect(meter.bounds[1]?.tokens).toBe(first.input_tokens)
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { price } from '../../chaos/call-book.ts'
import { ModelEndpoint, type StormKind } from '../../chaos/model-endpoint.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Meter } from '../../shared/core/contracts/meter.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { chatRequest } from '../play/models/chat-request.ts'

/** Counts as the engine does: what a call cost, and what it could cost at most where its answer was lost. */
function countingMeter() {
  const counted = { calls: 0, lost: 0, nano: 0 }
  const count = (cost: number | null) => {
    counted.calls += 1
    counted.nano += Math.round((cost ?? 0) * 1e9)
  }
  let reserved = 0
  const meter: Meter = {
    async reserve(bound) {
      reserved += 1
      return {
        id: `call-${reserved}`,
        settle: async ({ cost }) => count(cost),
        release: async () => undefined,
        async lose() {
          counted.lost += 1
          count(bound.cost)
        },
      }
    },
  }
  return { meter, counted }
}

async function openEndpoint(maxRetries: number) {
  const endpoint = new ModelEndpoint({ seed: 3, isQuick: true })
  await endpoint.listen()
  const configuration = endpointSchema.parse({
    kind: 'openai',
    ...endpoint.addresses,
    max_retries: maxRetries,
    prices: { '*': price },
  })
  const models = openModels(new Map([['mine', configuration]]))
  onTestFinished(async () => {
    await models.close()
    await endpoint.close()
  })
  const ask = (meter: Meter) => models.model('mine').complete(chatRequest({ max_tokens: 100 }), { meter })
  return { endpoint, ask }
}

describe('the money of a client whose calls meet', () => {
  test.each<StormKind>(['hang-up', 'garbage', 'error', 'limit', 'refuse'])(
    '%s is what the endpoint charged, to the last digit',
    async (storm) => {
      const { endpoint, ask } = await openEndpoint(0)
      const { meter, counted } = countingMeter()
      const answer = await ask(meter)
      await endpoint.begin(storm, 1)
      await expect(ask(meter)).rejects.toThrow('"mine" failed')
      await expect(ask(meter)).rejects.toThrow('"mine" failed')
      await endpoint.calm()
      expect((await ask(meter)).choices).toEqual(answer.choices)
      const booked = endpoint.book.totals(chatRequest().model)
      expect(counted).toEqual({ calls: booked.calls, lost: booked.cut, nano: booked.cost })
      // What comes over the connection that was there is cut, and new ones are refused.
      expect(booked.cut).toBe({ 'hang-up': 2, garbage: 2, refuse: 1, error: 0, limit: 0, slow: 0 }[storm])
      expect(booked.repeated).toBe(0)
    },
  )
})

test('of a model that is refused some prompts the same are refused each time, and none of them is charged', async () => {
  const endpoint = new ModelEndpoint({ seed: 3, isQuick: true })
  await endpoint.listen()
  onTestFinished(() => endpoint.close())
  const ask = async (task: number, model: string) => {
    const messages = [
      { role: 'system', content: 'You play a game.' },
      { role: 'user', content: `Task ${task}.` },
    ]
    const body = JSON.stringify({ model, messages, max_tokens: 10 })
    return (await fetch(`${endpoint.addresses.base_url}/chat/completions`, { method: 'POST', body })).status
  }
  const askAll = (model: string) => Promise.all(Array.from({ length: 60 }, (_, task) => ask(task, model)))
  endpoint.refusing.add('one').add('other')
  const statuses = await askAll('one')
  expect(new Set(statuses)).toEqual(new Set([200, 400]))
  expect(await askAll('other')).toEqual(statuses)
  expect(endpoint.book.totals('one').calls).toBe(statuses.filter((status) => status === 200).length)
  endpoint.refusing.delete('one')
  expect(new Set(await askAll('one'))).toEqual(new Set([200]))
})

test('the log of the endpoint has a call once it is over, and none that never came', async () => {
  const { endpoint, ask } = await openEndpoint(0)
  const { meter, counted } = countingMeter()
  await ask(meter)
  const log = (id: string) => fetch(`${endpoint.addresses.call_log_url}/${id}`)
  const { cost } = (await (await log('call-1')).json()) as { cost: number }
  expect(Math.round(cost * 1e9)).toBe(counted.nano)
  expect((await log('call-2')).status).toBe(404)
})

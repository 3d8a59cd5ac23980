import { describe, expect, it } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const messages: Message[] = [
  { role: 'system', content: 'Rate it.' },
  { role: 'user', content: 'Goal: wait' },
]
const flat = '[system]\nRate it.\n\n[user]\nGoal: wait'
const request = { model: 'rater', messages }

/** As vLLM documents it: one item for each text, one probability for each class. */
const classified = (probs: unknown, usage: object = { prompt_tokens: 8, total_tokens: 8 }) => ({
  id: 'classify-1',
  object: 'list',
  created: 1,
  model: 'rater',
  data: [{ index: 0, label: 'LABEL_0', probs, num_classes: Array.isArray(probs) ? probs.length : 0 }],
  usage,
})

async function score(body: unknown, endpoint: object = {}) {
  const { models, seen } = scriptedModels([() => Response.json(body)], { ...endpoint })
  const meter = recordingMeter()
  return { answer: await models.scorer('mine').score(request, { meter }), meter, seen }
}

describe('a trained value', () => {
  it('is asked for beside /v1, as one text under the names of both servers, and costs its input', async () => {
    const prices = { '*': { input: 1_000_000, output: 9_000_000 } }
    const { answer, meter, seen } = await score(classified([0.25]), { prices, api_key_env: 'THE_KEY' })
    expect(answer).toEqual({ value: 0.25, model_calls: 1, input_tokens: 8, cost: 8 })
    expect(seen[0]?.url).toBe('http://127.0.0.1:9/classify')
    expect(seen[0]?.body).toEqual({ model: 'rater', input: flat, text: flat })
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk-very-secret-1234')
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 8+0'])
    // 36 bytes are 12 tokens, and a text has 4 for its marks.
    expect(meter.bounds).toEqual([{ tokens: 16, cost: 16 }])
  })

  it.each([
    ['http://10.0.0.1:8000/v1/', 'http://10.0.0.1:8000/classify'],
    ['http://10.0.0.1:8000', 'http://10.0.0.1:8000/classify'],
    ['http://10.0.0.1/models/rater/v1', 'http://10.0.0.1/models/rater/classify'],
  ])('of the server at %s is at %s', async (base_url, url) => {
    const { seen } = await score({ data: 1 }, { base_url })
    expect(seen[0]?.url).toBe(url)
  })

  it.each([
    ['a bare number', { data: -0.5 }, -0.5, 16],
    ["vLLM's, of one label", classified([0.75]), 0.75, 8],
    ["SGLang's, of one text", { embedding: [1.5], meta_info: { prompt_tokens: 6 } }, 1.5, 6],
    ["SGLang's, of a list", [{ embedding: [-2], meta_info: { prompt_tokens: 6 } }], -2, 6],
    ['zero', { data: 0 }, 0, 16],
  ])('is read from an answer that is %s', async (_what, body, value, input_tokens) => {
    const { answer } = await score(body)
    expect(answer).toEqual({ value, model_calls: 1, input_tokens, cost: null })
  })

  it.each([
    ['two classes', classified([0.4, 0.6])],
    ['no class', classified([])],
    ['two texts', { data: [{ probs: [1] }, { probs: [2] }] }],
    ['a text for a number', { data: '0.5' }],
    ['nothing', { data: null }],
    ['a vector', { embedding: [0.1, 0.2] }],
    ['a chat', { choices: [{ message: { content: '0.5' } }] }],
    ['a list of nothing', []],
  ])('is no number when the answer has %s: it is lost, and quoted', async (_what, body) => {
    const { models } = scriptedModels([() => Response.json(body)])
    const meter = recordingMeter()
    const call = models.scorer('mine').score(request, { meter })
    await expect(call).rejects.toMatchObject({
      name: 'ModelError',
      transient: false,
      message: expect.stringContaining(JSON.stringify(body).slice(0, 200)),
    })
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })

  it('of a server without /classify is an error that names the model', async () => {
    const { models } = scriptedModels([() => Response.json({ detail: 'Not Found' }, { status: 404 })])
    const call = models.scorer('mine').score(request, { meter: recordingMeter() })
    await expect(call).rejects.toThrow('serves the model "rater"')
  })
})

import { describe, expect, it } from 'vitest'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const request = { model: 'embedder', texts: ['first text', 'second'] }
const embeddings = (vectors: unknown[], usage: object | null = { prompt_tokens: 5, total_tokens: 5 }) => ({
  object: 'list',
  model: 'embedder',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  ...(usage === null ? {} : { usage }),
})
const answered = () =>
  Response.json(
    embeddings([
      [0.5, 1],
      [2, -3],
    ]),
  )

describe('embeddings', () => {
  it('come one for each text, and cost their input', async () => {
    const prices = { embedder: { input: 1_000_000, output: 9_000_000 } }
    const { models, seen } = scriptedModels([answered], { prices, api_key_env: 'THE_KEY' })
    const meter = recordingMeter()
    expect(await models.embedding('mine').embed(request, { meter })).toEqual({
      vectors: [
        [0.5, 1],
        [2, -3],
      ],
      model_calls: 1,
      input_tokens: 5,
      cost: 5,
    })
    expect(seen[0]?.url).toBe('http://127.0.0.1:9/v1/embeddings')
    expect(seen[0]?.body).toEqual({ model: 'embedder', input: request.texts, encoding_format: 'float' })
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer sk-very-secret-1234')
    expect(seen[0]?.headers.get('x-client-request-id')).toBe('call-0')
    // 10 and 6 bytes are 4 and 2 tokens, and each text has 4 for its marks.
    expect(meter.bounds).toEqual([{ tokens: 14, cost: 14 }])
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 5+0'])
  })

  it('are put in the order of the texts, and estimated where the endpoint counts no tokens', async () => {
    const { data, ...rest } = embeddings([[1], [2]], null)
    const { models } = scriptedModels([() => Response.json({ ...rest, data: data.toReversed() })])
    const answer = await models.embedding('mine').embed(request, { meter: recordingMeter() })
    expect(answer).toEqual({ vectors: [[1], [2]], model_calls: 1, input_tokens: 14, cost: null })
  })

  it('are asked for again as chats are, and share their limit', async () => {
    const busy = () => Response.json({ error: { message: 'slow down' } }, { status: 429 })
    const { models, clock } = scriptedModels([busy, answered], { max_concurrency: 1, max_retries: 1 })
    const meter = recordingMeter()
    await models.embedding('mine').embed(request, { meter })
    expect(clock.slept).toHaveLength(1)
    expect(meter.events).toEqual(['reserve call-0', 'release call-0', 'reserve call-1', 'settle call-1 5+0'])
    const [first, second] = [models.embedding('mine').embed(request, { meter }), models.model('mine')]
    const chat = second.complete(
      { model: 'm', messages: [], temperature: 1, top_p: 1, max_tokens: 1, seed: 0 },
      { meter },
    )
    await expect(chat).rejects.toThrow('not a chat completion')
    await first
    expect(meter.events.slice(4)).toEqual([
      'reserve call-2',
      'settle call-2 5+0',
      'reserve call-3',
      'lose call-3',
      'reserve call-4',
      'lose call-4',
    ])
  })

  it('end with the pool that was closed', async () => {
    const { models } = scriptedModels([answered])
    await models.close()
    await expect(models.embedding('mine').embed(request, { meter: recordingMeter() })).rejects.toThrow(
      'closed',
    )
  })
})

describe.each([
  ['fewer vectors than texts', embeddings([[1]]), '1 embeddings for 2 texts'],
  ['more vectors than texts', embeddings([[1], [2], [3]]), '3 embeddings for 2 texts'],
  ['one text twice', { data: [1, 2].map((value) => ({ index: 0, embedding: [value] })) }, 'for 2 texts'],
  ['vectors of different lengths', embeddings([[1], [1, 2]]), 'different lengths: 1, 2'],
  ['vectors of no length', embeddings([[], []]), 'not a list of embeddings'],
  ['texts for vectors', embeddings(['AACAPw==', 'AACAPw==']), 'not a list of embeddings'],
])('an answer with %s', (_what, body, said) => {
  it('is lost, and an error', async () => {
    const { models } = scriptedModels([() => Response.json(body)])
    const meter = recordingMeter()
    await expect(models.embedding('mine').embed(request, { meter })).rejects.toThrow(said)
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })
})

it('an error under status 200 is lost and asked for again', async () => {
  const { models } = scriptedModels([() => Response.json({ error: 'no such model' }), answered])
  const meter = recordingMeter()
  await models.embedding('mine').embed(request, { meter })
  expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 5+0'])
})

it('an answer with a number that is too large for one is an error', async () => {
  const body = JSON.stringify(embeddings([['BIG'], [1]])).replace('"BIG"', '1e999')
  const headers = { 'content-type': 'application/json' }
  const { models } = scriptedModels([() => new Response(body, { headers })])
  const call = models.embedding('mine').embed(request, { meter: recordingMeter() })
  await expect(call).rejects.toThrow('not a list of embeddings')
})

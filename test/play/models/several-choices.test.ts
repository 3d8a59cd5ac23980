import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../shared/play/models/model-error.ts'
import { chatRequest, completionOf } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { type SeenRequest, scriptedModels } from './scripted-models.ts'

const prices = { '*': { input: 1_000_000, output: 1_000_000 } }

/** Gives `most` choices at a time; each names the seed that it was asked for with. */
const giving =
  (most: number) =>
  ({ n = 1, seed }: SeenRequest['body']) =>
    Response.json(
      completionOf(Array.from({ length: Math.min(Number(n), most) }, (_, index) => `${seed}+${index}`)),
    )

const sent = (seen: SeenRequest[]) => seen.map(({ body }) => [body.seed, body.n ?? 1])

describe('a call for several choices', () => {
  it('is one request, bounded by as many answers, where the endpoint gives them all', async () => {
    const { model, seen } = scriptedModels([giving(128)], { prices })
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest({ n: 20 }), { meter })
    expect(answer.choices.map(({ content }) => content)).toEqual(
      Array.from({ length: 20 }, (_, at) => `7+${at}`),
    )
    expect(answer).toMatchObject({ model_calls: 1, input_tokens: 9, output_tokens: 60, cost: 69 })
    expect(sent(seen)).toEqual([[7, 20]])
    expect(meter.bounds).toEqual([{ tokens: 11 + 20 * 100, cost: 11 + 20 * 100 }])
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 9+60'])
  })

  it('sends no n for one choice', async () => {
    const { model, seen } = scriptedModels([giving(1)])
    await model.complete(chatRequest({ n: 1 }), { meter: recordingMeter() })
    expect(seen[0]?.body).not.toHaveProperty('n')
  })

  it('asks for the rest at once, under other seeds, as soon as it knows how many come at a time', async () => {
    let inFlight = 0
    let most = 0
    const slow = async (body: SeenRequest['body']) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await new Promise(setImmediate)
      inFlight -= 1
      return giving(2)(body)
    }
    const { model, seen } = scriptedModels([slow], { prices })
    const meter = recordingMeter()
    const answer = await model.complete(chatRequest({ n: 7 }), { meter })
    expect(sent(seen)).toEqual([
      [7, 7],
      [9, 2],
      [11, 2],
      [13, 1],
    ])
    expect(most).toBe(3)
    expect(new Set(answer.choices.map(({ content }) => content)).size).toBe(7)
    expect(answer).toMatchObject({ model_calls: 4, input_tokens: 36, output_tokens: 21, cost: 57 })
    expect(meter.events.filter((event) => event.startsWith('settle'))).toHaveLength(4)
  })

  it('keeps to max_choices from the first request on', async () => {
    const { model, seen } = scriptedModels([giving(128)], { max_choices: 3 })
    const answer = await model.complete(chatRequest({ n: 7 }), { meter: recordingMeter() })
    expect(sent(seen)).toEqual([
      [7, 3],
      [10, 3],
      [13, 1],
    ])
    expect(answer.choices.map(({ content }) => content)).toEqual([
      ...['7+0', '7+1', '7+2', '10+0', '10+1', '10+2', '13+0'],
    ])
    expect(answer.cost).toBeNull()
  })

  it('takes no more than were wanted from an endpoint that gives more, and counts what they cost', async () => {
    const five = () => Response.json(completionOf(['a', 'b', 'c', 'd', 'e']))
    const { model } = scriptedModels([five])
    const answer = await model.complete(chatRequest({ n: 2 }), { meter: recordingMeter() })
    expect(answer.choices.map(({ content }) => content)).toEqual(['a', 'b'])
    expect(answer.output_tokens).toBe(15)
  })

  it('has exactly as many choices as wanted, each sample asked for once, whatever comes at a time', async () => {
    const counts = fc.record({
      n: fc.integer({ min: 1, max: 128 }),
      most: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      max_choices: fc.option(fc.integer({ min: 1, max: 128 }), { nil: undefined }),
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    })
    await fc.assert(
      fc.asyncProperty(counts, async ({ n, most, max_choices, seed }) => {
        const endpoint = max_choices === undefined ? {} : { max_choices }
        const { model, seen } = scriptedModels(most.map(giving), { ...endpoint, prices })
        const meter = recordingMeter()
        const answer = await model.complete(chatRequest({ n, seed }), { meter })
        expect(answer.choices).toHaveLength(n)
        expect(answer.model_calls).toBe(seen.length)
        expect(answer.cost).toBe(9 * seen.length + 3 * n)
        expect(new Set(seen.map(({ body }) => body.seed)).size).toBe(seen.length)
        for (const { body } of seen) {
          expect(Number(body.seed)).toBeLessThan(2 ** 31)
          expect(Number(body.n ?? 1)).toBeLessThanOrEqual(max_choices ?? 128)
        }
        expect(meter.events.filter((event) => event.startsWith('settle'))).toHaveLength(seen.length)
        expect(meter.events).toHaveLength(2 * seen.length)
      }),
    )
  })
})

describe('a call for several choices that fails', () => {
  it('does so when all its requests have ended, and what they cost stays counted', async () => {
    const gate = Promise.withResolvers<void>()
    const refuse = () => {
      setTimeout(gate.resolve, 20)
      return Response.json({ error: { message: 'too hot' } }, { status: 403 })
    }
    const late = async (body: SeenRequest['body']) => {
      await gate.promise
      return giving(1)(body)
    }
    const { model } = scriptedModels([late, refuse, late], { max_choices: 1 })
    const meter = recordingMeter()
    const error = await model.complete(chatRequest({ n: 3 }), { meter }).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(ModelError)
    expect(meter.events.slice(3).toSorted()).toEqual([
      'release call-1',
      'settle call-0 9+3',
      'settle call-2 9+3',
    ])
  })

  it('says which setting asks for fewer where that may be the reason', async () => {
    const refuse = () => Response.json({ error: { message: "'n' must be at most 1" } }, { status: 400 })
    const { model } = scriptedModels([refuse])
    const meter = recordingMeter()
    await expect(model.complete(chatRequest({ n: 4 }), { meter })).rejects.toThrow('max_choices')
    await expect(model.complete(chatRequest(), { meter })).rejects.not.toThrow('max_choices')
  })

  it('because it is aborted leaves no reservation open', async () => {
    const controller = new AbortController()
    const stop = async () => {
      controller.abort(new Error('enough'))
      await new Promise(setImmediate)
      throw controller.signal.reason
    }
    const { model } = scriptedModels([stop], { max_choices: 1 })
    const meter = recordingMeter()
    const call = model.complete(chatRequest({ n: 3 }), { meter, signal: controller.signal })
    await expect(call).rejects.toThrow('enough')
    const open = meter.events.filter((event) => event.startsWith('reserve')).length * 2
    expect(meter.events).toHaveLength(open)
  })
})

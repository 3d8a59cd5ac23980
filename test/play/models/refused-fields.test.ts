import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { toWireTurns } from '../../../shared/play/models/codecs/wire-messages.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { type SeenRequest, scriptedModels } from './scripted-models.ts'

const refuse = (message: string) => Response.json({ error: { message } }, { status: 400 })
const both = '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'

/** Answers as Anthropic does by its compatible address and by Bedrock. */
const takesOne = (body: SeenRequest['body']) =>
  'temperature' in body && 'top_p' in body ? refuse(both) : Response.json(completion('ok'))

const ask = async (endpoint: object, changes: object = {}) => {
  const { model, seen } = scriptedModels([takesOne], { ...endpoint })
  await model.complete(chatRequest(changes), { meter: recordingMeter() })
  return seen.map(({ body }) => [body.temperature, body.top_p])
}

describe('an endpoint that refuses temperature beside top_p', () => {
  it.each([
    [{ temperature: 0.3 }, [0.3, undefined]],
    [{ top_p: 0.9 }, [undefined, 0.9]],
    [{}, [1, undefined]],
    [{ temperature: 0 }, [0, undefined]],
  ])('is sent the one that the run asks for: %j', async (changes, sent) => {
    expect((await ask({}, changes)).at(-1)).toEqual(sent)
  })

  it('is asked once for it', async () => {
    const { model, seen } = scriptedModels([takesOne])
    const meter = recordingMeter()
    for (const temperature of [0.3, 0.4, 1]) await model.complete(chatRequest({ temperature }), { meter })
    expect(seen).toHaveLength(4)
    expect(meter.events.slice(0, 2)).toEqual(['reserve call-0', 'release call-0'])
  })

  it('is sent one alone as its setting says, and refused nothing', async () => {
    expect(await ask({ sampling: 'temperature' }, { temperature: 0.3 })).toEqual([[0.3, undefined]])
    expect(await ask({ sampling: 'top_p' }, { top_p: 0.9 })).toEqual([[undefined, 0.9]])
  })

  it('refuses a run that asks for both, which is told the setting', async () => {
    await expect(ask({}, { temperature: 0.3, top_p: 0.9 })).rejects.toThrow('Set sampling to "temperature"')
  })
})

test.each([
  ["'messages[0].role' does not support 'system' with this model.", 'set system to "user"'],
  ['System role not supported', 'set system to "user"'],
  ['Developer instruction is not enabled for models/gemma-3', 'set system to "user"'],
  ['Conversation roles must alternate user/assistant/user/assistant/...', 'set alternate to true'],
  [
    'roles must alternate between "user" and "assistant", but found multiple "user" roles',
    'alternate to true',
  ],
  ["Unsupported parameter: 'stop' is not supported with this model.", 'Set stop to false'],
  ["Unrecognized request argument supplied: 'seed'", 'Set seed to false'],
])('the refusal “%s” names the setting', async (message, advice) => {
  const { model } = scriptedModels([() => refuse(message)])
  await expect(model.complete(chatRequest(), { meter: recordingMeter() })).rejects.toThrow(advice)
})

describe('toWireTurns', () => {
  const system: Message = { role: 'system', content: 'Rules.' }
  const user = (content: string): Message => ({ role: 'user', content })
  const agent: Message = { role: 'assistant', content: 'Action: look' }

  it('leaves turns as they are unless the endpoint says otherwise', () => {
    const turns = [system, user('a'), user('b')]
    expect(toWireTurns(turns, {})).toBe(turns)
    expect(toWireTurns(turns, { system: 'developer', alternate: false })).toBe(turns)
  })

  it('puts the system text before the first turn of the user', () => {
    expect(toWireTurns([system, user('a'), agent, user('b')], { system: 'user' })).toEqual([
      user('Rules.\n\na'),
      agent,
      user('b'),
    ])
    expect(toWireTurns([system, agent], { system: 'user' })).toEqual([user('Rules.'), agent])
    expect(toWireTurns([system], { system: 'user' })).toEqual([user('Rules.')])
  })

  const message = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant'),
    content: fc.string({ minLength: 1 }),
  }) as fc.Arbitrary<Message>

  it('keeps every text in its order, without a system role and with roles that alternate', () => {
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const turns = toWireTurns(messages, { system: 'user', alternate: true })
        expect(turns.map(({ content }) => content).join('\n\n')).toBe(
          messages.map(({ content }) => content).join('\n\n'),
        )
        for (const [at, { role }] of turns.entries()) {
          expect(role).not.toBe('system')
          expect(role).not.toBe(turns[at - 1]?.role)
        }
      }),
    )
  })
})

test('a system text goes to the endpoint under the role that it knows', async () => {
  const messages: Message[] = [
    { role: 'system', content: 'Rules.' },
    { role: 'user', content: 'a' },
  ]
  const sent = async (endpoint: object) => {
    const { model, seen } = scriptedModels([() => Response.json(completion('ok'))], { ...endpoint })
    await model.complete(chatRequest({ messages, stop: ['\n'] }), { meter: recordingMeter() })
    return seen[0]?.body
  }
  expect((await sent({ system: 'user', stop: false }))?.messages).toEqual([
    { role: 'user', content: 'Rules.\n\na' },
  ])
  expect(await sent({ stop: false })).not.toHaveProperty('stop')
  expect((await sent({ system: 'developer' }))?.messages).toEqual([
    { role: 'developer', content: 'Rules.' },
    { role: 'user', content: 'a' },
  ])
})

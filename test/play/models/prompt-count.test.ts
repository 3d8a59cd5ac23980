import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EndpointWarning } from '../../../shared/core/contracts/endpoint-warning.ts'
import { leastPromptTokens, warnOfShortCount } from '../../../shared/play/models/prompt-count.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const user = (content: string) => [{ role: 'user' as const, content }]
const prose = 'You are in the middle of a room. Looking quickly around you, you see a cabinet and a drawer. '
const warn = (content: string, counted: number | null) =>
  warnOfShortCount({ endpoint: 'mine', model: 'small', messages: user(content) }, counted)

describe('warnOfShortCount', () => {
  it.each([
    ['English', prose.repeat(21)],
    ['Chinese', '你在一个房间的中央。你看到一个柜子和一个抽屉。'.repeat(30)],
    ['Thai', 'คุณอยู่กลางห้อง มองไปรอบๆ อย่างรวดเร็ว '.repeat(20)],
    ['numbers', Array.from({ length: 500 }, (_, at) => at).join(' ')],
  ])('names the endpoint if 64 tokens are counted of 2 kB of %s', (_what, content) => {
    expect(warn(content, 64)).toMatchObject({
      code: 'short_prompt_count',
      endpoint: 'mine',
      message: expect.stringMatching(/"mine" counted 64 tokens.*window may be too small/),
    })
  })

  // Counted with o200k_base, which takes few tokens for such texts.
  it.each([
    ['English', prose.repeat(21), 463],
    ['Chinese', '你在一个房间的中央。你看到一个柜子和一个抽屉。'.repeat(90), 1710],
    ['Thai', 'คุณอยู่กลางห้อง มองไปรอบๆ อย่างรวดเร็ว '.repeat(50), 751],
    ['Georgian', 'თქვენ ხართ ოთახის შუაში. '.repeat(80), 642],
    ['Hindi', 'आप एक कमरे के बीच में हैं। '.repeat(80), 641],
    ['long words', 'internationalization responsibilities characterization environmental '.repeat(40), 201],
    ['spaces', ' '.repeat(4000), 32],
    ['a line of dashes', '-'.repeat(4000), 62],
    ['a short text', 'Say hello.', 0],
  ])('says nothing of a count that can be right: %s', (_what, content, counted) => {
    expect(warn(content, counted)).toBeNull()
  })

  it('says nothing if the endpoint does not count', () => {
    expect(warn(prose.repeat(21), null)).toBeNull()
  })

  it('takes no text for more tokens than it has characters or bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(leastPromptTokens(user(text))).toBeLessThanOrEqual([...text].length)
      }),
    )
  })
})

it('a model reports it with the call, which is answered all the same', async () => {
  const warnings: EndpointWarning[] = []
  const { model } = scriptedModels([
    () => Response.json(completion('look', { prompt_tokens: 64, completion_tokens: 2 })),
  ])
  const meter = { ...recordingMeter(), warned: (warning: EndpointWarning) => warnings.push(warning) }
  const { choices } = await model.complete(chatRequest({ messages: user(prose.repeat(21)) }), { meter })
  expect(choices[0]?.content).toBe('look')
  expect(warnings).toEqual([expect.objectContaining({ endpoint: 'mine', model: 'gpt-test' })])
})

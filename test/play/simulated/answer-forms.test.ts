import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { learnactPrompts } from '../../../shared/play/methods/learnact/learnact-prompts.ts'
import { actPrompt } from '../../../shared/play/methods/prompts/act-prompt.ts'
import { noKnowledge, renderAgentPrompt } from '../../../shared/play/methods/prompts/agent-prompt.ts'
import { knowledgePrompts } from '../../../shared/play/methods/prompts/knowledge-prompts.ts'
import { reactPrompt } from '../../../shared/play/methods/prompts/react-prompt.ts'
import { reflexionPrompts } from '../../../shared/play/methods/reflexion/reflexion-prompts.ts'
import { reflectionPrompts } from '../../../shared/play/methods/rmcts/reflection-prompts.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { debatePrompts, judgePrompts } from '../../../shared/play/search/values/value-prompts.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { environments, type Opened, openTasks, transcriptOf } from './played-tasks.ts'

const book = new PromptBook()
const names = Object.keys(environments) as (keyof typeof environments)[]
const starts = (await Promise.all(names.map((name) => openTasks(name, 7, 1)))).flatMap((opened) =>
  opened.map(({ start }) => start.observation),
)

function say(messages: readonly Message[], skill = 1, seed = 0): string {
  return answerPrompt(messages, { skill, seed: 0 }, { seed, choice: 0 })
}

function agentPrompt({ guide, start }: Opened, prompt: typeof actPrompt): Message[] {
  return [
    { role: 'system', content: renderAgentPrompt(prompt, book, guide, noKnowledge) },
    { role: 'user', content: start.observation },
  ]
}

/** A task with its first turn, as a transcript, and the rules before it. */
function asked(opened: Opened, text: (transcript: string, action: string) => string): Message[] {
  const prompt = agentPrompt(opened, reactPrompt)
  const content = say(prompt)
  const action = content.split('Action: ')[1] ?? ''
  const { observation } = opened.core.step(opened.start.state, action)
  const turns: Message[] = [
    { role: 'user', content: opened.start.observation },
    { role: 'assistant', content },
    { role: 'user', content: observation },
  ]
  const introduction = book.fill(judgePrompts.introduction, { rules: opened.guide.rules })
  return [
    { role: 'system', content: introduction },
    { role: 'user', content: text(transcriptOf(turns), action) },
  ]
}

describe.each(names)('in %s', (name) => {
  test('where only an action is asked for, no thought comes with it', async () => {
    const [opened] = (await openTasks(name, 7, 1)) as [Opened]
    const acting = say(agentPrompt(opened, actPrompt))
    expect(acting).toMatch(/^Action: .+$/)
    expect(say(agentPrompt(opened, reactPrompt))).toMatch(/^Thought: .+\nAction: .+$/)
    expect(opened.core.step(opened.start.state, acting.slice('Action: '.length)).valid).toBe(true)
  })

  test('advice with texts of another task changes nothing', async () => {
    const [one, other] = (await openTasks(name, 7, 2)) as [Opened, Opened]
    const advice = `In another task, the start was:\n${other.start.observation}\nIt was of no use.`
    const shown = book.fill(knowledgePrompts.advice, { advice })
    const [system, user] = agentPrompt(one, actPrompt) as [Message, Message]
    const advised = [system, { ...user, content: `${user.content}\n\n${shown}` }]
    expect(say(advised)).toBe(say([system, user]))
  })

  test('texts are written in the form asked for, about what was done', async () => {
    const [opened] = (await openTasks(name, 7, 1)) as [Opened]
    const slots = { advice: '', checks: '', earlier: '' }
    const texts = (seed: number) =>
      [
        asked(opened, (transcript) => book.fill(debatePrompts.support, { transcript })),
        asked(opened, (transcript) => book.fill(debatePrompts.oppose, { transcript })),
        asked(opened, (transcript, action) =>
          book.fill(reflectionPrompts.expectation, { transcript, action }),
        ),
        asked(opened, (transcript) => book.fill(reflexionPrompts.note, { ...slots, transcript })),
        asked(opened, (transcript) => book.fill(judgePrompts.rubric, { ...slots, transcript })),
      ].map((messages) => say(messages, 1, seed))
    for (const seed of [1, 2, 3]) {
      const [support, oppose, expectation, note, checks] = texts(seed)
      expect(support).toMatch(/^Opinion: .{20,}$/)
      expect(oppose).toMatch(/^Opinion: .{20,}$/)
      expect(oppose).not.toBe(support)
      expect(expectation).toMatch(/^Expectation: .{20,}$/)
      expect(note).toMatch(/^Note: .{20,}$/)
      expect(checks).toMatch(/^Checks:\n1\. .+\n2\. .+/)
    }
    const variety = new Set(Array.from({ length: 12 }, (_none, seed) => texts(seed).join()))
    expect(variety.size).toBeGreaterThan(4)
  })
})

test('the expectation of an action names that action, and advice what it was answered', async () => {
  const [opened] = (await openTasks('textcraft', 7, 1)) as [Opened]
  const action = 'craft 9 golden door using 1 stick'
  const expectations = Array.from({ length: 20 }, (_none, seed) =>
    say(
      asked(opened, (transcript) => book.fill(reflectionPrompts.expectation, { transcript, action })),
      1,
      seed,
    ),
  )
  expect(expectations.every((text) => text.includes(action))).toBe(true)
  const contrast = asked(opened, (transcript) =>
    book.fill(reflectionPrompts.contrast, {
      transcript,
      action,
      expectation: 'A door.',
      outcome: 'Could not find enough items to craft minecraft:golden_door',
      end: 'failed',
    }),
  )
  const advice = Array.from({ length: 20 }, (_none, seed) => say(contrast, 1, seed))
  for (const text of advice) expect(text).toMatch(/^Advice: .{20,}$/)
  expect(advice.some((text) => text.includes('Could not find enough items'))).toBe(true)
})

test('whatever a transcript holds, the answer has the form that was asked for', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom(...starts, '--- Agent, turn 1\n', '\n\n', 'Action: '))
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.nat(5), (transcript, seed) => {
      const question = book.fill(judgePrompts.question, { transcript, checks: '', advice: '' })
      expect(say([{ role: 'user', content: question }], 0.5, seed)).toMatch(/\nStatus code: [A-E]$/)
      const note = book.fill(reflexionPrompts.note, { transcript, earlier: '' })
      expect(say([{ role: 'user', content: note }], 0.5, seed)).toMatch(/^Note: /)
      const create = book.fill(learnactPrompts.create, { observation: transcript, request: '' })
      expect(say([{ role: 'user', content: create }], 0.5, seed)).toMatch(/^```js\n[\s\S]+\n```$/)
    }),
  )
})

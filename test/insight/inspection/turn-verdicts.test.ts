import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import { type AgentTurn, turnVerdicts } from '../../../shared/insight/inspection/turn-verdicts.ts'

const say = (role: PromptMessage['role'], content: string): PromptMessage => ({ role, content })

/** A turn after another: its prompt is the earlier prompt and answer, then two ids of the next observation. */
function next(before: AgentTurn | null, call: string, answer = 0): AgentTurn {
  const messages = [
    ...(before === null ? [say('user', 'task')] : [...before.messages]),
    ...(before === null
      ? []
      : [say('assistant', before.answers[answer]?.content ?? ''), say('user', 'then')]),
  ]
  const earlier = before?.record
  const prompt = [...(earlier?.prompt_ids ?? [1, 2, 3]), ...(earlier?.answers[answer]?.ids ?? []), 8, 9]
  return {
    call,
    start: 0,
    previous: before && { call: before.call, answer },
    messages,
    answers: [{ content: `${call} a` }, { content: `${call} b` }],
    record: {
      prompt_ids: prompt,
      answers: [
        { ids: [10, 11], logprobs: null },
        { ids: [12, 13], logprobs: null },
      ],
    },
  }
}

const kindsOf = (turns: readonly AgentTurn[]) => [...turnVerdicts(turns).values()].map(({ kind }) => kind)

function withPrompt(turn: AgentTurn, prompt: number[] | null, messages = turn.messages): AgentTurn {
  return { ...turn, messages, record: turn.record && { ...turn.record, prompt_ids: prompt } }
}

const root = next(null, 'root')
const first = next(root, 'first')

test('the first turn from a place is continuous, and the others from there are forked', () => {
  const second = next(root, 'second', 1)
  const deeper = next(second, 'deeper')
  expect(kindsOf([root, first, second, deeper, next(null, 'again')])).toEqual([
    'continuous',
    'continuous',
    'forked',
    'continuous',
    'forked',
  ])
})

test('equal texts whose ids differ have drifted, from the first position that differs', () => {
  const ids = [...(first.record?.prompt_ids ?? [])]
  ids[5] = 99
  expect(turnVerdicts([root, withPrompt(first, ids)]).get('first')).toEqual({
    kind: 'drifted',
    position: 5,
    previous: 'root',
  })
})

test('white space at the ends of an answer, which templates cut, is no other text', () => {
  const messages = first.messages.map((message) => ({ ...message, content: message.content.trim() }))
  const spoken = { ...root, answers: [{ content: ' root a\n' }] }
  const turns = [spoken, withPrompt(first, [1, 2, 3, 8, 9, 10, 99], messages)]
  expect(turnVerdicts(turns).get('first')?.kind).toBe('drifted')
})

test('another text is rewritten: a shortened prompt, another answer', () => {
  const cut = withPrompt(first, [1, 2, 8], [say('user', 'task'), say('user', 'then')])
  const other = withPrompt(first, [1, 2, 3, 7], [say('user', 'task'), say('assistant', 'else')])
  expect(kindsOf([root, cut])).toEqual(['continuous', 'rewritten'])
  expect(kindsOf([root, other])).toEqual(['continuous', 'rewritten'])
})

test('unknown ids are absent, and so is the turn after them', () => {
  expect(kindsOf([root, withPrompt(first, null), next(first, 'deeper')])).toEqual([
    'continuous',
    'absent',
    'absent',
  ])
  expect(kindsOf([{ ...root, record: null }, first])).toEqual(['absent', 'absent'])
  expect(kindsOf([first])).toEqual(['absent'])
})

test('a verdict of continuous or forked means that the prompt begins with all before it', () => {
  const change = fc.record({ at: fc.nat({ max: 20 }), id: fc.nat({ max: 14 }) })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 1 }), fc.option(change)), { maxLength: 12 }),
      (steps) => {
        const turns = [root]
        for (const [from, answer, changed] of steps) {
          const before = turns[from % turns.length] as AgentTurn
          const turn = next(before, `turn/${turns.length}`, answer)
          const ids = [...(turn.record?.prompt_ids ?? [])]
          if (changed) ids[changed.at % ids.length] = changed.id
          turns.push(withPrompt(turn, ids))
        }
        const byCall = new Map(turns.map((turn) => [turn.call, turn]))
        for (const [call, { kind, position }] of turnVerdicts(turns)) {
          const turn = byCall.get(call) as AgentTurn
          if (turn.previous === null) continue
          const before = byCall.get(turn.previous.call)?.record
          const sequence = [
            ...(before?.prompt_ids ?? []),
            ...(before?.answers[turn.previous.answer]?.ids ?? []),
          ]
          const begins = sequence.every((id, place) => turn.record?.prompt_ids?.[place] === id)
          expect(kind === 'continuous' || kind === 'forked').toBe(begins)
          if (position !== undefined) expect(turn.record?.prompt_ids?.[position]).not.toBe(sequence[position])
        }
      },
    ),
  )
})

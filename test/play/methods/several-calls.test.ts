import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import type { ChatChoice, ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import { createCorridor } from './corridor.ts'

type Given = { name: string; arguments: string }

const act = (action: string): Given => ({ name: 'act', arguments: JSON.stringify({ action }) })

function answerOf(calls: readonly Given[], place: number): ChatChoice {
  const thinking = { text: `thought ${place}`, field: 'reasoning_content' as const }
  const tool_calls = calls.map((call, at) => ({ id: `call${at}`, type: 'function' as const, function: call }))
  return { content: 'Go.', finish_reason: 'stop', thinking, ...(tool_calls.length > 0 && { tool_calls }) }
}

const goal = { id: 'goal-3', split: 'test', type: 'goal', description: 'reach the goal' } as const

/** Plays the corridor by tools, with one list of calls for each answer; the last one repeats. */
async function playCalls(
  method: string,
  answers: readonly (readonly Given[])[],
  more: Pick<PlayOnceOptions, 'limits'> = {},
) {
  const prompts: (readonly PromptMessage[])[] = []
  const options = {
    world: await openTestWorld(),
    environment: { ...createCorridor(), tasks: () => [goal] },
    task: goal.id,
    method: { id: method, actions: 'tools' },
    ...more,
    model: {
      async complete({ messages }: ChatRequest) {
        const place = prompts.push(messages) - 1
        const calls = answers[Math.min(place, answers.length - 1)] ?? []
        const choices = [answerOf(calls, place)]
        return { choices, model_calls: 1, input_tokens: 10, output_tokens: 5, cost: 0 }
      },
    },
  }
  const { outcome } = await playOnce(options)
  return { prompts, outcome, tree: await treeOf(options) }
}

test.each(['act', 'react'])('%s makes the calls of one answer one after the other', async (method) => {
  const { prompts, tree } = await playCalls(method, [[act('forward'), act('forward'), act('forward')]])
  expect(prompts).toHaveLength(1)
  expect(tree.nodes.map(({ action }) => action)).toEqual([null, 'forward', 'forward', 'forward'])
  expect(tree.nodes.at(-1)).toMatchObject({ reward: 1, done: true })
})

const odd = fc.constantFrom<Given>(
  act('look'),
  act('back'),
  { name: 'act', arguments: '' },
  { name: 'act', arguments: '{"action": "lo' },
  { name: 'functions.act', arguments: '{}' },
  { name: 'a b'.repeat(40), arguments: '{"x": "</tool_call>"}' },
)

test('each prompt shows an answer as one turn with its thoughts, and answers each of its calls once, directly behind it', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(odd, { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (answers) => {
        const { prompts, outcome } = await playCalls('react', answers)
        expect(outcome).toMatchObject({ type: 'ended' })
        const [head] = prompts as [readonly PromptMessage[]]
        for (const [asked, prompt] of prompts.entries()) {
          const turns = prompt.slice(head.length)
          const said = turns.filter(({ role }) => role === 'assistant')
          expect(said.map(({ thinking }) => thinking?.text)).toEqual(said.map((_, at) => `thought ${at}`))
          expect(said).toHaveLength(asked)
          const ids = said.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
          expect(new Set(ids).size).toBe(ids.length)
          for (const [at, { role, tool_calls = [] }] of turns.entries()) {
            if (role !== 'assistant') continue
            const results = turns.slice(at + 1, at + 1 + tool_calls.length)
            expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(tool_calls.map(({ id }) => id))
            for (const { function: call } of tool_calls) {
              expect(call.name).toMatch(/^[\w-]{1,64}$/)
              expect(() => JSON.parse(call.arguments)).not.toThrow()
            }
          }
          expect(turns.filter(({ role }) => role === 'tool')).toHaveLength(ids.length)
        }
      },
    ),
    { numRuns: 30 },
  ))

test('a search makes none of several calls, and says so', async () => {
  const { tree } = await playCalls('best-of-n', [[act('forward'), act('forward')]])
  expect(JSON.stringify(tree.nodes[1]?.observation)).toContain('One call at a time: this answer has 2')
  expect(tree.nodes.every(({ reward }) => reward === 0)).toBe(true)
})

test.each([1, 2, 4, 5])(
  'a limit of %i steps holds in the middle of the calls of an answer',
  async (steps) => {
    const looks = Array.from({ length: 3 }, () => act('look'))
    const { outcome, tree } = await playCalls('react', [looks], { limits: { steps } })
    expect(outcome).toMatchObject({ limit: 'steps' })
    expect(tree.nodes).toHaveLength(1 + steps)
  },
)

test('nodes of one answer name the node of its first call', async () => {
  const { tree } = await playCalls('react', [[act('look')], [act('look'), act('look'), act('forward')]])
  expect(tree.nodes.slice(0, 5).map(({ answer_of }) => answer_of)).toEqual([
    ...[undefined, undefined],
    ...[undefined, 2, 2],
  ])
})

import { describe, expect, test } from 'vitest'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, type PlayOnceOptions, playOnce, summarise, treeOf } from '../../support/play-once.ts'
import { act, scriptedModel, scriptedRoles } from '../../support/scripted-episode.ts'

const environments = openEnvironments(definitions, null)

const valued = { verdicts: 1, branching: 2, proposals: 2, max_steps: 4 }
const methods = [
  { id: 'act', max_steps: 5 },
  { id: 'react', max_steps: 5 },
  { id: 'best-first', budget: 3, ...valued },
  { id: 'tree-of-thoughts', budget: 3, order: 'depth', value: 'debate', ...valued },
  { id: 'mcts', iterations: 2, samples: 2, max_depth: 3 },
  { id: 'mcts', iterations: 3, value: 'judge', ...valued },
  { id: 'rmcts', iterations: 3, value: 'debate', policy_threshold: 0, value_threshold: 0, ...valued },
]

const longText = 'w'.repeat(100_000)
/** What a policy may answer, none of it an action. */
const answers = {
  nothing: '',
  blanks: ' \n\t\n ',
  'a refusal': 'I am sorry, but I cannot help with that.',
  'no action': 'Thought: I could do many things.',
  'an empty action': 'Thought: t\nAction:',
  'an action of 100,000 letters': act(longText),
  'a thought of 100,000 letters': `Thought: ${longText}\nAction: zzz`,
  'twenty thousand lines': act('zzz\n'.repeat(20_000)),
  'ten thousand brackets': act('('.repeat(10_000) + '['.repeat(10_000)),
  'broken text': act('a\ud800b\u0000c\udc00 \ufeff\u202e'),
  'names that objects have': act('__proto__'),
  'slots and signs of replacement': act("{{transcript}} $& $' {{advice}}"),
}

async function play(environment: string, method: PlayOnceOptions['method'], answer: string) {
  const opened = await environments.open(environment)
  const task = opened.environment.tasks().find(({ split }) => split === 'test')?.id as string
  const model = scriptedModel(({ role, question }) => {
    if (role === 'policy') return answer
    if (role === 'debate') return 'Opinion: o'
    if (role === 'reflection') return 'Expectation: e\nAdvice: a'
    return question.includes('Which checks') ? 'Checks:\n1. c' : 'Status code: C'
  })
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: opened.environment,
    task,
    model,
    method,
    request: { roles: scriptedRoles },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return { options, model }
}

describe.each(methods)('$id', (method) => {
  test.each(Object.entries(answers))(
    'goes on with invalid turns where the policy answers %s',
    async (_what, answer) => {
      const { options, model } = await play('textcraft', method, answer)
      const { nodes } = await treeOf(options)
      const [root, ...taken] = nodes
      expect(taken.length).toBeGreaterThan(0)
      for (const node of taken) {
        expect([node.valid, node.reward, node.done]).toEqual([false, 0, false])
        // The agent sees the error, and is where it was.
        expect(node.observation).not.toEqual([{ type: 'text', text: '' }])
        expect(node.state_hash).toBe(root?.state_hash)
      }
      const summary = await summarise(options)
      expect([summary?.reward, summary?.grounding_accuracy ?? 0, summary?.unparsable]).toEqual([0, 0, 0])
      const made = model.calls.length
      const before = await journalRecords(options)
      expect((await playOnce({ ...options, writer: 'second' })).outcome.type).toBe('ended')
      expect([model.calls.length, await journalRecords(options)]).toEqual([made, before])
    },
  )

  test('ends with the longest path where the policy always does the same', async () => {
    const { options } = await play('textcraft', method, act('inventory'))
    const { nodes } = await treeOf(options)
    expect(Math.max(...nodes.map(({ depth }) => depth))).toBeLessThanOrEqual(5)
    expect(nodes.slice(1).every(({ valid }) => valid)).toBe(true)
  })
})

describe.each(['alfworld', 'pddl', 'webshop'])('in %s', (environment) => {
  test.each(Object.entries(answers))('%s is an invalid turn', async (_what, answer) => {
    const { options } = await play(environment, { id: 'react', max_steps: 3 }, answer)
    const { nodes } = await treeOf(options)
    expect(nodes.map(({ valid }) => valid)).toEqual([true, false, false, false])
  })
})

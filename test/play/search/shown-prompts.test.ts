import { describe, expect, test } from 'vitest'
import type { Message, PromptMessage } from '../../../shared/core/contracts/message.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import { someMemories } from '../../support/random-methods.ts'
import { onlyEnvironment } from '../../support/test-environment.ts'

const valued = { iterations: 3, verdicts: 2, branching: 2, proposals: 3, max_steps: 3 }
const played = [
  { id: 'act' },
  { id: 'react' },
  { id: 'best-first', value: 'judge', budget: 3, verdicts: 2, max_steps: 3 },
  { id: 'tree-of-thoughts', value: 'debate', budget: 3, verdicts: 2, max_steps: 3 },
  { id: 'mcts', iterations: 2, samples: 2, max_depth: 3 },
  { id: 'mcts', value: 'judge', ...valued },
  { id: 'rmcts', value: 'debate', policy_likeness: -1, value_likeness: -1, policy_threshold: 0, ...valued },
]

async function play(
  method: PlayOnceOptions['method'],
  prompts: Record<string, string> = {},
  examples?: NonNullable<PlayOnceOptions['request']>['examples'],
) {
  const requests: ChatRequest[] = []
  const model = createHashModel({ delay: 1, onCall: (request) => requests.push(request) })
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: createHashEnvironment(3, { depth: 4 }),
    model,
    models: createHashModels(model),
    memories: someMemories,
    method,
    request: { prompts, ...(examples && { examples }) },
  }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  return { options, requests, records: await journalRecords(options) }
}

/** Every prompt that the journal says was asked, put together again from its lines. */
function promptsIn(records: readonly JournalRecord[]): Message[][] {
  const messages = new Map(
    records.flatMap((record) => ('message' in record ? [[record.message, record.value] as const] : [])),
  )
  const requests = new Map(
    records.flatMap((record) =>
      'request' in record && 'value' in record ? [[record.request, record.value]] : [],
    ),
  )
  return records.flatMap((record) => {
    if (!('effect' in record)) return []
    const names = requests.get(record.request)?.messages
    return names ? [names.map((name) => messages.get(name) as Message)] : []
  })
}

const sorted = (prompts: readonly (readonly PromptMessage[])[]) =>
  prompts.map((prompt) => JSON.stringify(prompt.map(({ role, content }) => ({ role, content })))).toSorted()

describe.each(played)('$id', (method) => {
  test('has every prompt in its journal, byte for byte as the models got it', async () => {
    const { records, requests } = await play(method)
    expect(requests.length).toBeGreaterThan(0)
    expect(sorted(promptsIn(records))).toEqual(sorted(requests.map(({ messages }) => messages)))
  })
})

describe('a run that brings its own prompts', () => {
  test('shows them, and they stand in the journal and the tree', async () => {
    const { options, records, requests } = await play(
      { id: 'rmcts', value: 'debate', policy_likeness: -1, policy_threshold: 0, ...valued },
      {
        react: 'MY AGENT\n{{rules}}\n\nAction: <one>',
        'debate-support': 'MY CASE FOR\n{{transcript}}\nAnswer in this form:\nOpinion: <case>',
        'reflection-expectation': 'MY EXPECTATION of {{action}}\nAnswer in this form:\nExpectation: <text>',
        advice: 'MY ADVICE <{{advice}}>',
      },
    )
    const shown = requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'))
    const system = 'MY AGENT\nDo as you are told.\n\nAction: <one>'
    for (const start of [system, 'MY CASE FOR\n--- Env', 'MY EXPECTATION of ', 'MY ADVICE <(1)']) {
      expect(shown.some((text) => text.includes(start))).toBe(true)
      expect(promptsIn(records).some((prompt) => prompt.some(({ content }) => content.includes(start)))).toBe(
        true,
      )
    }
    for (const gone of [
      'Answer with one thought',
      'was the right one',
      'if all goes well',
      'START OF ADVICE',
    ]) {
      expect(shown.some((text) => text.includes(gone))).toBe(false)
    }
    expect((await treeOf(options)).messages[0]).toEqual({ role: 'system', content: system })
  })

  test('is taken, or refused with the field that is wrong', async () => {
    const planner = createRunPlanner({
      methods: openMethods(),
      environments: onlyEnvironment(createHashEnvironment(3)),
      isPriced: () => true,
    })
    const plan = (id: string, prompts: Record<string, string>) =>
      planner.plan(toRequest({ method: { id }, prompts }))
    const own = { react: 'Do it. {{rules}}' }
    expect((await plan('react', own)).request.prompts).toEqual(own)
    await expect(plan('act', own)).rejects.toMatchObject({ code: 'unknown_field', param: 'prompts.react' })
    await expect(plan('react', { react: '{{rules}} {{goal}}' })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'prompts.react',
    })
    await expect(plan('best-first', { advice: 'x' })).rejects.toMatchObject({ param: 'prompts.advice' })
  })
})

describe.each(['reasoning_v1', 'explorative_v1'])('the prefix %s', (prompt_prefix) => {
  test.each(['act', 'react'])('stands before the newest observation of %s alone', async (id) => {
    const own = `BEFORE ${prompt_prefix}`
    const { requests } = await play({ id, prompt_prefix }, { [prompt_prefix]: own })
    const plain = await play({ id })
    const shown = requests.map(({ messages }) => messages.map(({ content }) => content))
    expect(shown.length).toBeGreaterThan(1)
    for (const contents of shown) {
      expect(contents.at(-1)).toMatch(new RegExp(`^${own}\n\n.`))
      expect(contents.filter((content) => content.includes(own))).toHaveLength(1)
    }
    expect(plain.requests.every(({ messages }) => !JSON.stringify(messages).includes('BEFORE'))).toBe(true)
  })
})

describe('few-shot turns', () => {
  const picture = { type: 'blob' as const, sha256: 'a'.repeat(64), media_type: 'image/png' }
  const shots = [
    { role: 'user' as const, content: 'EXAMPLE TASK', pictures: [picture] },
    { role: 'assistant' as const, content: 'EXAMPLE ANSWER' },
  ]

  test('stand between the system text and the task, in every prompt and in the tree', async () => {
    const { options, requests } = await play({ id: 'react' }, { 'few-shot': 'MIND {{count}} TURNS.' }, shots)
    expect(requests.length).toBeGreaterThan(1)
    for (const { messages } of requests) {
      expect(messages[0]?.content).toMatch(/\n\nMIND 2 TURNS\.$/)
      expect(messages.slice(1, 3)).toEqual(shots)
    }
    expect((await treeOf(options)).messages.slice(1, 3)).toEqual(shots)
  })

  test('take the place of the example in ETO’s layout', async () => {
    const { options, requests } = await play({ id: 'react', layout: 'eto' }, {}, shots)
    expect(requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(requests[0]?.messages.slice(2, 4)).toEqual(shots)
    expect(await treeOf(options)).toMatchObject({ layout: 'eto' })
  })

  test('are checked, and their pictures kept by their digests', async () => {
    const kept: string[] = []
    const planner = createRunPlanner({
      methods: openMethods(),
      environments: onlyEnvironment(createHashEnvironment(3)),
      isPriced: () => true,
      pictures: {
        put: async ({ data }) => {
          kept.push(data)
          return picture
        },
      },
    })
    const plan = (id: string, examples: NonNullable<PlayOnceOptions['request']>['examples']) =>
      planner.plan(toRequest({ method: { id }, examples }))
    const sent = [{ ...shots[0], pictures: [{ media_type: 'image/png', data: 'AAAA' }] }, shots[1]] as never
    expect((await plan('react', sent)).request.examples).toEqual(shots)
    expect(kept).toEqual(['AAAA'])
    const twice = [...shots, shots[0], shots[0]] as never
    await expect(plan('react', twice)).rejects.toMatchObject({ param: 'examples[3]' })
    await expect(plan('react', [...shots, shots[0]] as never)).rejects.toMatchObject({
      param: 'examples[2]',
    })
    await expect(plan('code-as-policy', shots)).rejects.toMatchObject({ param: 'examples' })
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'
import { readAgentParameters } from '../../../shared/play/methods/agent-parameters.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { choiceOf } from '../../../shared/play/methods/model-calls.ts'
import { parseAnswer } from '../../../shared/play/methods/parse-answer.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, playOnce, treeOf } from '../../support/play-once.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'

const rambling = 'Thought: t\nAction: get 1 a\nand so on\nObservation: Got 1 a\nThought: u\nAction: get 2 b'

describe('an answer that goes on after its action', () => {
  test.each([
    ['plain', 'get 1 a', 'Thought: t\nAction: get 1 a'],
    ['agent-r', 'get 2 b', rambling],
    ['eto', rambling.slice(rambling.indexOf('get 1 a')), rambling],
  ] as const)('is read in the style %s', (style, action, message) => {
    expect(parseAnswer(rambling, style)).toEqual({ action, message })
  })

  test.each([
    ['Action: a\nAction: b', 'b', 'Action: a\nAction: b'],
    ['Action:\n  inventory  \nmore', 'inventory', 'Action:\n  inventory'],
    ['Observation: I see.\nAction: a', 'a', 'Observation: I see.\nAction: a'],
    ['Action 1: a\nObservation 1: b\nAction 2: c', 'a', 'Action: a'],
    ['I would look around.\ninventory', 'inventory', 'I would look around.\ninventory'],
    ['Action:', '', 'Action:'],
    ['', '', ''],
  ])('plain: of %j the action is %j, and %j is kept', (answer, action, message) => {
    expect(parseAnswer(answer, 'plain')).toEqual({ action, message })
  })

  test('is kept in the plain style up to its action, whatever follows as an observation', () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab :.') }).map((text) => `x${text.trim()}`)
    fc.assert(
      fc.property(line, line, fc.string(), (thought, action, rest) => {
        const own = `Thought: ${thought}\nAction: ${action}`
        const read = parseAnswer(`${own}\nObservation: ${rest}`, 'plain')
        expect(read).toEqual({ message: own, action })
        expect(parseAnswer(read.message, 'plain')).toEqual(read)
      }),
    )
  })
})

describe('ETO’s style', () => {
  test('takes the first action with all its lines, and complains where there is none', () => {
    expect(parseAnswer(' Action: a\nb\nAction: c ', 'eto', 'webshop').action).toBe('a\nb\nAction: c')
    expect(parseAnswer('Action:\nsearch[a]', 'eto', 'webshop')).toMatchObject({
      action: '',
      complaint: "Invalid format. The input must contains 'Action: '",
    })
    expect(parseAnswer('Action:look', 'eto', 'alfworld').action).toBe('look')
    expect(parseAnswer('look', 'eto', 'alfworld').complaint).toBe(
      "Error Input. Your input must contains 'Action: '",
    )
  })

  test('has an answer without an action cost a step that the environment does not hear of', async () => {
    const heard: string[] = []
    const environment = createTestEnvironment({
      reset: () => ({ state: {}, observation: 'start' }),
      step: (state, action) => {
        heard.push(action)
        return { state, observation: 'done', reward: 1, done: true }
      },
    })
    const answers = ['I think about it.', 'Thought: t\nAction: win']
    const { tree } = await playScripted(environment, { id: 'react', style: 'eto', max_steps: 5 }, answers)
    expect(heard).toEqual(['win'])
    expect(tree.nodes[1]).toMatchObject({
      action: '',
      valid: false,
      done: false,
      observation: [{ type: 'text', text: "Invalid format. The input must contains 'Action: '" }],
      state_hash: tree.nodes[0]?.state_hash,
    })
    expect(tree.nodes[2]).toMatchObject({ action: 'win', reward: 1, depth: 2 })
  })
})

const environments = openEnvironments(definitions, null)
const planner = createRunPlanner({ methods: openMethods(), environments, isPriced: () => true })
const toRequest = (more: object) =>
  runRequestSchema.parse({
    environment: 'textcraft',
    method: { id: 'react' },
    model: { endpoint: 'test', id: 'test' },
    ...more,
  })

describe('a run', () => {
  test('records its style, and in ETO’s style where its answers stop', async () => {
    const planned = async (more: object) => (await planner.plan(toRequest(more))).request
    expect(await planned({})).toMatchObject({ method: { style: 'plain', layout: 'system' } })
    expect((await planned({})).model).not.toHaveProperty('stop')
    const eto = { method: { id: 'react', style: 'eto' } }
    expect((await planned(eto)).model.stop).toEqual(['\nObservation:', '\nTask:', '\n---'])
    const own = { ...eto, model: { endpoint: 'test', id: 'test', stop: ['END'] } }
    expect((await planned(own)).model.stop).toEqual(['END'])
  })

  test('of before there were styles is read as it was, also when it is extended', async () => {
    expect(readAgentParameters({ id: 'react', max_steps: 5 })).toEqual({})
    const request = toRequest({ method: { id: 'react', max_steps: 5 } })
    const extend = (method: object) =>
      planner.extend({ request: { ...request, method } as typeof request }, { method: { max_steps: 6 } })
    expect(extend({ id: 'react', max_steps: 5 }).request.method).not.toHaveProperty('style')
    expect(extend({ id: 'react', max_steps: 5, style: 'plain' }).request.method.style).toBe('plain')
  })

  test.each([[[]], [['a', 'b', 'c', 'd', 'e']], [['']]])('is refused with the stops %j', (stop) => {
    const request = { ...toRequest({}), model: { endpoint: 'test', id: 'test', stop } }
    expect(runRequestSchema.safeParse(request).success).toBe(false)
  })

  test('stops the policy’s answers alone, unless a role has stops of its own', () => {
    const { model, roles } = toRequest({
      model: { endpoint: 'test', id: 'test', stop: ['\nObservation:'] },
      roles: { value: { temperature: 0 }, reflection: { stop: ['END'] } },
    })
    const stops = (['policy', 'value', 'reflection'] as const).map(
      (role) => choiceOf({ model, roles }, role).stop,
    )
    expect(stops).toEqual([['\nObservation:'], undefined, ['END']])
  })

  test('has stops in its requests and its journal only where it was given some', async () => {
    const environment = createTestEnvironment({
      reset: () => ({ state: {}, observation: 'start' }),
      step: (state) => ({ state, observation: 'done', reward: 1, done: true }),
    })
    const settingsOf = async (model: object) => {
      const { requests, settings } = await playScripted(environment, { id: 'react' }, ['Action: a'], model)
      return [requests[0]?.stop, settings]
    }
    const [sent, settings] = await settingsOf({ stop: ['END'] })
    expect(sent).toEqual(['END'])
    expect(settings).toHaveProperty('stop', ['END'])
    const [unsent, plain] = await settingsOf({})
    expect(unsent).toBeUndefined()
    expect(plain).not.toHaveProperty('stop')
  })
})

/** Plays one episode whose policy says the answers in turn. */
async function playScripted(
  environment: ReturnType<typeof createTestEnvironment>,
  method: { id: string; [parameter: string]: unknown },
  answers: readonly string[],
  model: object = {},
) {
  const requests: ChatRequest[] = []
  const options = {
    world: await openTestWorld(),
    environment,
    method,
    request: { model: { endpoint: 'test', id: 'test', ...model } },
    model: {
      async complete(request: ChatRequest) {
        requests.push(request)
        const content = answers[requests.length - 1] ?? answers.at(-1) ?? ''
        const choices = Array.from({ length: request.n ?? 1 }, () => ({ content, finish_reason: 'stop' }))
        return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: null }
      },
    },
  }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  const records = await journalRecords(options)
  const asked = records.find((record) => 'request' in record && 'value' in record)
  const settings = asked && 'value' in asked ? asked.value.settings : null
  return { tree: await treeOf(options), requests, settings }
}

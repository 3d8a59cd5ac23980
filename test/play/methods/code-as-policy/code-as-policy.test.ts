import { expect, test } from 'vitest'
import { codeAsPolicy } from '../../../../shared/play/methods/code-as-policy/code-as-policy.ts'
import type { ChatModel, ChatRequest } from '../../../../shared/play/models/chat-model.ts'
import { observationText } from '../../../../shared/play/search/conversation.ts'
import { openInProcessHosts } from '../../../support/in-process-hosts.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { playOnce, treeOf } from '../../../support/play-once.ts'
import { createCorridor } from '../corridor.ts'
import { walk } from '../make-action.ts'
import { type PlayedMethod, playKilled, playMethod } from '../play-method.ts'

const block = (code: string) => `Here it is.\n\`\`\`js\n${code}\n\`\`\``

/** Answers in turn. */
const inTurn =
  (...answers: string[]) =>
  ({ messages }: ChatRequest) =>
    answers[messages.filter(({ role }) => role === 'assistant').length] ?? ''

const played = (answer: PlayedMethod<object>['answer'], more: Partial<PlayedMethod<object>> = {}) => ({
  method: codeAsPolicy,
  environment: createCorridor(),
  answer,
  ...more,
})

test('a program is run to its end as one step, with every step of the environment kept', async () => {
  const { tree, requests, outcome } = await playMethod(
    played(inTurn(block('function go() { act("forward") }\nwhile (true) go()'))),
  )
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(requests).toHaveLength(1)
  expect(tree.nodes).toHaveLength(2)
  expect(tree.best).toMatchObject({ reward: 1, done: true, valid: true, depth: 1 })
  expect(tree.best.action).toBe('function go() { act("forward") }\nwhile (true) go()')
  expect(tree.best.primitives?.map(({ action }) => action)).toEqual(['forward', 'forward', 'forward'])
  expect(tree.steps).toBe(3)
})

test('what a program has done when it stops, it has done', async () => {
  const { tree } = await playMethod(played(inTurn(block('act("forward")\nact("fly")\nact("forward")'))))
  expect(tree.best).toMatchObject({ reward: 0, done: false, valid: false })
  expect(observationText(tree.best.observation)).toBe(
    'Nothing happens.\nThe program stopped: Nothing happens.',
  )
  expect(tree.steps).toBe(2)
  expect(tree.best.state_hash).not.toBe(tree.root.state_hash)
})

test('an answer without a program, or with a broken one, is counted, and asked for again with what is wrong', async () => {
  const { tree, requests } = await playMethod(
    played(inTurn('I would rather not.', block('act("forward"'), block('for (;;) act("forward")'))),
  )
  expect(tree.isSolved).toBe(true)
  expect(tree.unread).toBe(2)
  const said = requests.at(-1)?.messages.map(({ role, content }) => [role, content.split('\n')[0]])
  expect(said?.slice(2)).toEqual([
    ['assistant', 'I would rather not.'],
    ['user', expect.stringContaining('no ```js block')],
    ['assistant', 'Here it is.'],
    ['user', expect.stringContaining('It is no JavaScript')],
  ])
  expect(tree.best.effect).toBe('program/2')
})

test('a model that never writes a program has played, and failed', async () => {
  const { tree, outcome } = await playMethod(played(() => '', { parameters: { tries: 2 } }))
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(tree.nodes).toHaveLength(2)
  expect(tree.best).toMatchObject({ reward: 0, valid: false, done: false, action: '' })
  expect(tree.unread).toBe(2)
  expect(tree.steps).toBe(0)
})

test('functions of a library are shown, and may be called', async () => {
  const { tree, requests } = await playMethod(
    played(inTurn(block('walk(3, "forward")')), { parameters: { library: 'lib-x' }, actions: [walk] }),
  )
  expect(tree.isSolved).toBe(true)
  const system = requests[0]?.messages[0]?.content
  expect(system).toContain('- walk(count, way): Does something.')
  expect(system).not.toContain('one action each')
})

test('a program takes so many actions and no more', async () => {
  const { tree } = await playMethod(
    played(inTurn(block('for (;;) act("look")')), { parameters: { max_actions: 7 } }),
  )
  expect(tree.steps).toBe(7)
  expect(observationText(tree.best.observation)).toContain('more than 7 actions')
})

test.each(['in the worker', 'on hosts'])(
  'a limit on steps stops a program half-way, and a larger one lets it go on: %s',
  async (where) => {
    const world = await openTestWorld()
    const environment = createCorridor()
    const hosts = openInProcessHosts({ world, environment })
    await hosts.add('host-1')
    const hosting = where === 'on hosts' ? { hosting: 'host' as const, sessions: hosts.sessions } : {}
    const asked: ChatRequest[] = []
    const model: ChatModel = {
      async complete(request) {
        asked.push(request)
        const choices = [{ content: block('for (;;) act("forward")'), finish_reason: 'stop' }]
        return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
      },
    }
    const episode = { world, environment, model, method: { id: 'code-as-policy' }, ...hosting }
    const steps = 2
    expect((await playOnce({ ...episode, limits: { steps } })).outcome).toEqual({
      type: 'ended',
      limit: 'steps',
    })
    expect((await treeOf(episode)).nodes).toHaveLength(1)
    expect((await playOnce({ ...episode, limits: { steps: 100 } })).outcome).toEqual({
      type: 'ended',
      limit: null,
    })
    expect((await treeOf(episode)).nodes[1]?.primitives).toHaveLength(10)
    expect(asked).toHaveLength(1)
  },
)

test('chance in a program is the same in every replay, and a killed episode comes to the same', async () => {
  const code = 'while (true) act(Math.random() < 0.5 ? "forward" : "look")'
  const { whole, resumed } = await playKilled(played(inTurn('no', 'no', block(code))))
  expect(whole.tree.nodes).toHaveLength(2)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
  expect(resumed.every(({ outcome }) => outcome.type === 'ended')).toBe(true)
})

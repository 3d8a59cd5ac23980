import { describe, expect, test } from 'vitest'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { spliceRevision } from '../../../shared/data/datasets/kinds/revision/splice-revision.ts'
import type { HostedEnvironment } from '../../../shared/environments/environment.ts'
import { followStates } from '../../../shared/insight/inspection/follow-states.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import { toConversation } from '../../../shared/play/search/conversation.ts'
import { SearchTree } from '../../../shared/play/search/tree.ts'
import { type FoundConversation, played, rowsOf } from '../../data/datasets/kinds/made-attempt.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise, treeBytes, treeOf } from '../../support/play-once.ts'
import {
  act,
  journalEntries,
  type ScriptedStep,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
} from '../../support/scripted-episode.ts'
import { createTestEnvironment, onlyEnvironment } from '../../support/test-environment.ts'

const undo = { restore_action: 'undo {{steps}}' }

/** Says the answers in their order. */
async function play(
  method: PlayOnceOptions['method'],
  answers: readonly string[],
  steps: Record<string, ScriptedStep> = {},
) {
  const model = scriptedModel(() => answers[model.calls.length - 1] ?? act('x'))
  const taken: string[][] = []
  const environment = scriptedEnvironment(steps)
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: {
      ...environment,
      async open(task) {
        const core = await environment.open(task)
        return {
          ...core,
          step(state: { path: string[] }, action: string) {
            taken.push([...state.path, action])
            return core.step(state, action)
          },
        }
      },
    },
    model,
    method,
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return { model, options, taken: taken.map((path) => path.join('/')), tree: await treeOf(options) }
}

describe('going back', () => {
  test('brings the state back, shows it again, and is a turn but no step of the environment', async () => {
    const { options, taken, tree } = await play({ id: 'react', max_steps: 5, ...undo }, [
      act('a'),
      act('b'),
      act('undo 2'),
      act('c'),
      act('undo 1'),
    ])
    expect(taken).toEqual(['a', 'a/b', 'c'])
    const told = tree.nodes.map(({ action, observation, state_of, valid }) => [
      action,
      observation[0]?.type === 'text' ? observation[0].text : '',
      state_of,
      valid,
    ])
    expect(told).toEqual([
      [null, 'start', undefined, true],
      ['a', 'saw a', undefined, true],
      ['b', 'saw a/b', undefined, true],
      ['undo 2', 'start', 0, true],
      ['c', 'saw c', undefined, true],
      ['undo 1', 'start', 0, true],
    ])
    expect(tree.nodes.map(({ state_hash }) => state_hash)[3]).toBe(tree.nodes[0]?.state_hash)
    expect(await summarise(options)).toMatchObject({ steps: 3, path_length: 5, primitive_steps: 3 })
  })

  test('further than there is to go is refused, and changes nothing', async () => {
    const { taken, tree } = await play({ id: 'act', max_steps: 4, ...undo }, [
      'Action: undo 1',
      'Action: a',
      'Action: undo 2',
      'Action: undo 0',
    ])
    expect(taken).toEqual(['a'])
    expect(tree.nodes.map(({ valid, state_of }) => [valid, state_of])).toEqual([
      [true, undefined],
      [false, 0],
      [true, undefined],
      [false, 2],
      [false, 2],
    ])
  })

  test('without the parameter it is an action like any other', async () => {
    const { taken } = await play({ id: 'react', max_steps: 2 }, [act('a'), act('undo 1')])
    expect(taken).toEqual(['a', 'a/undo 1'])
  })

  test('attempts of best-of-n can do it too', async () => {
    const model = scriptedModel(({ role, way }) =>
      role !== 'policy' ? 'Status code: C' : way === '' ? act('a') : act('undo 1'),
    )
    const options: PlayOnceOptions = {
      world: await openTestWorld(),
      environment: scriptedEnvironment(),
      model,
      method: { id: 'best-of-n', attempts: 2, max_steps: 2, rubric: false, verdicts: 1, ...undo },
      request: { roles: scriptedRoles },
    }
    expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
    const { nodes } = await treeOf(options)
    expect(nodes.filter(({ action }) => action === 'undo 1').map(({ state_of }) => state_of)).toEqual([0, 0])
  })

  test('an episode that is taken up again comes to the same tree', async () => {
    const { options } = await play({ id: 'react', max_steps: 4, ...undo }, [
      act('a'),
      act('b'),
      act('undo 1'),
      act('c'),
    ])
    const before = await treeBytes(options)
    expect((await playOnce({ ...options, writer: 'other' })).outcome).toEqual({ type: 'ended', limit: null })
    expect(await treeBytes(options)).toBe(before)
  })

  test('the states on the way can be looked at', async () => {
    const { options } = await play({ id: 'react', max_steps: 4, ...undo }, [
      act('a'),
      act('b'),
      act('undo 1'),
      act('c'),
    ])
    const tree = SearchTree.fold(await journalEntries(options)) as SearchTree
    const environment = options.environment as ReturnType<typeof scriptedEnvironment>
    const core = await environment.open('task')
    const { hashState } = await import('../../../shared/environments/hash-state.ts')
    const statesOf = async () => ({
      reset: () => core.reset('task', 0).state,
      step: (state: object, action: string) => core.step(state as { path: string[] }, action).state,
      hash: (state: object) => hashState(state as { path: string[] }),
    })
    const at = async (node: number) =>
      followStates(
        { tree, played: { environment: 'test', seed: 0, task: 'task' }, statesOf },
        tree.node(node),
      )
    expect(await at(3)).toEqual({ state: { path: ['a'] }, before: { path: ['a', 'b'] } })
    expect(await at(4)).toEqual({ state: { path: ['a', 'c'] }, before: { path: ['a'] } })
  })

  test.each(['system', 'eto'])(
    'what is played reads as what exploration rows teach, laid out as %s',
    async (layout) => {
      const environment = scriptedEnvironment({ 'b/y': { done: true, reward: 1 } })
      const search = await played({
        environment,
        model: scriptedModel(({ role, way }) => {
          if (role !== 'policy') return 'Status code: C'
          return (way === '' || way === 'OK' ? ['a', 'b'] : ['x', 'y']).map(act)
        }),
        method: {
          id: 'mcts',
          value: 'reward',
          plan: 'whole-task',
          iterations: 12,
          branching: 2,
          proposals: 2,
          max_steps: 2,
          layout,
        },
        request: { roles: scriptedRoles },
      })
      const attempt = { ...search, tree: async () => toConversation(await search.tree()) }
      const rows = await rowsOf(attempt, { max_context: 1000, max_turns: 1000 })
      const { row } = rows.at(-1) as FoundConversation
      const said = row.messages.flatMap(({ role, content }) =>
        role === 'assistant' && content !== 'OK' ? [content] : [],
      )
      expect(said.some((text) => /Action: undo \d+$/.test(text))).toBe(true)
      const { model } = await play({ id: 'react', max_steps: said.length, layout, ...undo }, said, {
        'b/y': { done: true, reward: 1 },
      })
      const shown = [
        ...(model.calls.at(-1)?.request.messages ?? []),
        { role: 'assistant', content: said.at(-1) },
      ]
      expect(shown).toEqual(row.messages.map(({ role, content }) => ({ role, content })))
    },
  )
})

describe('a pause', () => {
  test('does nothing, is answered with ok., and is a turn but no step', async () => {
    const { options, taken, tree } = await play({ id: 'react', max_steps: 3, pause_action: 'wait' }, [
      act('a'),
      act('wait'),
      act('b'),
    ])
    expect(taken).toEqual(['a', 'a/b'])
    expect(tree.nodes[2]).toMatchObject({
      action: 'wait',
      observation: [{ type: 'text', text: 'ok.' }],
      valid: true,
      state_of: 1,
      primitives: [],
    })
    expect(await summarise(options)).toMatchObject({ steps: 2, path_length: 3 })
  })

  test('can be taken back to, as to the state it was made in', async () => {
    const { taken, tree } = await play({ id: 'react', max_steps: 4, pause_action: 'wait', ...undo }, [
      act('a'),
      act('wait'),
      act('b'),
      act('undo 1'),
    ])
    expect(taken).toEqual(['a', 'a/b'])
    expect(tree.nodes[4]?.state_of).toBe(1)
  })

  test.each(['system', 'eto'])('reads as what revision rows teach, laid out as %s', async (layout) => {
    const { tree } = await play({ id: 'react', max_steps: 2, layout }, [act('a'), act('b')])
    const taught = spliceRevision(toConversation(tree), { good: 2, bad: 1 }, null, {
      sentence: 't',
      pause_action: 'wait',
    })
    const { model } = await play({ id: 'react', max_steps: 3, pause_action: 'wait', layout }, [
      act('a'),
      act('wait'),
      act('b'),
    ])
    expect(model.calls.at(-1)?.request.messages).toEqual(
      taught.messages.slice(0, -2).map(({ role, content }) => ({ role, content })),
    )
  })

  test.each([
    { id: 'mcts', iterations: 1, samples: 1, max_depth: 1 },
    { id: 'mcts', value: 'reward', iterations: 2, branching: 1, proposals: 1, max_steps: 2 },
    { id: 'best-first', value: 'reward', budget: 2, branching: 1, proposals: 1, max_steps: 2 },
  ])('searches take it too: $id', async (method) => {
    const { taken, tree } = await play({ ...method, pause_action: 'wait' }, Array(20).fill(act('wait')))
    expect(taken).toEqual([])
    expect(tree.nodes.slice(1).every(({ state_of }) => state_of === 0)).toBe(true)
    expect(tree.nodes.length).toBeGreaterThan(1)
  })
})

describe('what a run is refused', () => {
  const environment = createTestEnvironment({
    reset: () => ({ state: {}, observation: '' }),
    step: () => ({ state: {}, observation: '', reward: 0, done: false }),
  })
  const plan = (method: { id: string }, facts: object = {}) => {
    const hosted = { ...environment, ...facts, host: { kind: 'image', image: 'any' } } as HostedEnvironment
    const opened = Object.keys(facts).length === 0 ? environment : hosted
    return createRunPlanner({
      methods: openMethods(),
      environments: onlyEnvironment(opened),
      isPriced: () => true,
    }).plan(runRequestSchema.parse({ environment: 'test', method, model: { endpoint: 'test', id: 'test' } }))
  }

  test.each(['mcts', 'rmcts', 'best-first', 'code-as-policy'])(
    '%s has no use for a restore action',
    async (id) => {
      await expect(plan({ id, ...undo })).rejects.toMatchObject({
        param: 'method.restore_action',
        message: expect.stringContaining('go back by themselves'),
      })
    },
  )

  test('where an environment cannot go back, the agent cannot either', async () => {
    await expect(plan({ id: 'react', ...undo }, { snapshot: 'none' })).rejects.toMatchObject({
      param: 'method.restore_action',
    })
    await expect(
      plan({ id: 'react', ...undo }, { snapshot: 'replay', deterministic: false }),
    ).rejects.toMatchObject({
      param: 'method.restore_action',
    })
    expect((await plan({ id: 'react', ...undo }, { snapshot: 'replay' })).request.method).toMatchObject(undo)
    expect((await plan({ id: 'react' }, { snapshot: 'none' })).request.method.id).toBe('react')
  })

  test('an action that does not say where to is none', async () => {
    await expect(plan({ id: 'react', restore_action: 'undo' } as { id: string })).rejects.toMatchObject({
      param: 'method.restore_action',
    })
  })
})

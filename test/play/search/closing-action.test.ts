import { describe, expect, test } from 'vitest'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  committedEffects,
  journalRecords,
  type PlayOnceOptions,
  playOnce,
  summarise,
  treeBytes,
  treeOf,
} from '../../support/play-once.ts'
import {
  act,
  journalEntries,
  type ScriptedStep,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
} from '../../support/scripted-episode.ts'

interface Script {
  grades?: Record<string, string>
  steps?: Record<string, ScriptedStep>
  closing?: string
  method: PlayOnceOptions['method']
}

async function search({ grades = {}, steps = {}, closing = 'stop', method }: Script) {
  const model = scriptedModel(({ role, way }) =>
    role === 'policy' ? ['x', 'y'].map(act) : `Status code: ${grades[way] ?? 'E'}`,
  )
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: { ...scriptedEnvironment(steps), ...(closing !== '' && { closing_action: closing }) },
    model,
    request: { roles: scriptedRoles },
    method: { branching: 2, max_steps: 3, rubric: false, verdicts: 1, ...method },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return options
}

const scored = { 'x/stop': { done: true, reward: 1 } }

const searches: Record<string, PlayOnceOptions['method']> = {
  'mcts, one search for each step': { id: 'mcts', value: 'judge', plan: 'per-step', iterations: 2 },
  'mcts, one search for the task': { id: 'mcts', value: 'judge', plan: 'whole-task', iterations: 2 },
  'best-first': { id: 'best-first', budget: 4 },
  'tree-of-thoughts': { id: 'tree-of-thoughts', budget: 4 },
}

describe.each(Object.entries(searches))('%s', (_name, method) => {
  test('has the state scored that it takes for solved, and its path ends there', async () => {
    const options = await search({ grades: { x: 'A' }, steps: scored, method })
    const { best, nodes } = await treeOf(options)
    expect(nodes[best]).toMatchObject({ action: 'x', reward: 1, done: true, terminal: true })
    expect(await summarise(options)).toMatchObject({ reward: 1, success: true, path_length: 1 })
    expect(nodes.some(({ action }) => action === 'stop')).toBe(false)
  })

  test('is played again from its journal to the same tree, without another step', async () => {
    const options = await search({ grades: { x: 'A' }, steps: scored, method })
    const [bytes, effects] = [await treeBytes(options), await committedEffects(options)]
    expect((await playOnce({ ...options, writer: 'next' })).outcome).toEqual({ type: 'ended', limit: null })
    expect([await treeBytes(options), await committedEffects(options)]).toEqual([bytes, effects])
  })

  test('takes no closing action where the state has ended by itself, and none where there is none', async () => {
    const ended = await search({ grades: { x: 'A' }, steps: { x: { done: true, reward: 0.5 } }, method })
    const open = await search({ grades: { x: 'A' }, closing: '', method })
    for (const options of [ended, open]) {
      expect((await journalEntries(options)).some((entry) => 'end' in entry)).toBe(false)
    }
  })
})

test.each(['mcts', 'best-first', 'tree-of-thoughts'])(
  '%s has the last state scored if it solved nothing',
  async (id) => {
    const method = {
      id,
      ...(id === 'mcts' && { value: 'judge', plan: 'per-step', iterations: 2 }),
      max_steps: 1,
    }
    const options = await search({ grades: { x: 'C', y: 'D' }, steps: scored, method })
    expect(await summarise(options)).toMatchObject({ reward: 1, success: true })
  },
)

test.each(['per-step', 'whole-task'])(
  'rmcts, %s, has the last state scored before it reflects',
  async (plan) => {
    const method = {
      id: 'rmcts',
      plan,
      iterations: 2,
      success: 'environment',
      policy_threshold: 0,
      max_steps: 1,
    }
    const options = await search({ grades: { x: 'C', y: 'D' }, steps: scored, method })
    expect(await summarise(options)).toMatchObject({ reward: 1, success: true })
    const records = await journalRecords(options)
    const end = records.findIndex((record) => 'entry' in record && 'end' in record.entry)
    const reflection = records.findIndex(
      (record) => 'effect' in record && record.effect.startsWith('reflect/'),
    )
    expect(end).toBeGreaterThan(0)
    expect(reflection).toBeGreaterThan(end)
  },
)

test('a state whose score is 0 has ended, with that reward', async () => {
  const method = { id: 'best-first', budget: 4 }
  const options = await search({ grades: { y: 'A' }, steps: { 'y/stop': { done: true, reward: 0 } }, method })
  const { best, nodes } = await treeOf(options)
  expect(nodes[best]).toMatchObject({ action: 'y', reward: 0, done: true })
})

import { expect, test } from 'vitest'
import { trajectorySchema } from '../../shared/contracts/trajectory.ts'
import type { JournalRecord } from '../../shared/engine/journal-record.ts'
import { summariseJournal } from '../../shared/search/summarise-journal.ts'
import type { NodeEntry, OpenEntry } from '../../shared/search/tree-entry.ts'

const observation = [{ type: 'text' as const, text: 'You see nothing.' }]

const open: OpenEntry = {
  open: {
    environment: 'textcraft',
    task: 'a',
    method: 'mcts',
    answer: 'best',
    messages: [{ role: 'user', content: 'Craft a stick.' }],
    observation,
    state_hash: null,
    success_threshold: 1,
  },
}

const node = (parent: number, valid: boolean, effect: string, reward = 0): NodeEntry => ({
  node: {
    parent,
    action: 'look',
    message: 'Action: look',
    observation,
    reward,
    terminal: false,
    done: false,
    disaster: false,
    valid,
    progress: reward,
    prior: 1,
    state_hash: null,
    effect,
  },
})

const entry = (value: OpenEntry | NodeEntry): JournalRecord => ({ entry: value as never })

const call = (effect: string, cached_tokens?: number, reasoning_tokens?: number): JournalRecord => ({
  effect,
  request: effect,
  result: null,
  usage: {
    model_calls: 1,
    input_tokens: 90,
    ...(cached_tokens !== undefined && { cached_tokens }),
    output_tokens: 10,
    ...(reasoning_tokens !== undefined && { reasoning_tokens }),
    cost: 0.01,
  },
})

const options = {
  purpose: 'play' as const,
  run: 'run-1',
  episode: 'ep-0000000',
  method: 'mcts',
  model: 'openai/small',
  version: 'test',
}

test('counts invalid actions over the whole tree, cached and reasoning tokens on the path and in all', () => {
  const records = [
    { segment: 1, writer: 'w', code: 'c', at: '2026-11-21T09:00:00.000Z', elapsed: 1 },
    entry(open),
    call('one', 64, 7),
    entry(node(0, true, 'one', 0.5)),
    entry(node(0, false, 'one')),
    call('two', 32, 2),
    entry(node(2, false, 'two')),
    call('three'),
  ]
  const summary = summariseJournal(records, options)
  expect(summary).toMatchObject({ invalid_actions: 2, grounding_accuracy: 1, nodes: 4 })
  expect(summary?.usage).toEqual({
    model_calls: 3,
    input_tokens: 270,
    cached_tokens: 96,
    output_tokens: 30,
    reasoning_tokens: 9,
    cost: 0.03,
  })
  const trajectory = trajectorySchema.parse(summary?.trajectory)
  expect(trajectory.final_metrics).toMatchObject({ total_prompt_tokens: 90, total_cached_tokens: 64 })
  expect(trajectory.final_metrics?.extra).toMatchObject({ total_reasoning_tokens: 7 })
  expect(trajectory.steps.at(-1)?.metrics).toMatchObject({ prompt_tokens: 90, cached_tokens: 64 })
  expect(trajectory.steps.at(-1)?.metrics?.extra).toEqual({ reasoning_tokens: 7 })
})

test('says nothing of cached tokens where there were none, as in what was played before they were counted', () => {
  const summary = summariseJournal([entry(open), call('one'), entry(node(0, true, 'one', 1))], options)
  expect(summary?.usage).not.toHaveProperty('cached_tokens')
  expect(JSON.stringify(summary?.trajectory)).not.toContain('cached')
})

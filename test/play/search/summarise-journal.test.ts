import { expect, test } from 'vitest'
import { trajectorySchema } from '../../../shared/core/contracts/trajectory.ts'
import { summariseJournal } from '../../../shared/play/search/summarise-journal.ts'
import { nodeEntry, openEntry, record, text, used } from '../../builders/journals.ts'

const observation = text('You see nothing.')

const open = openEntry({
  environment: 'textcraft',
  task: 'a',
  messages: [{ role: 'user', content: 'Craft a stick.' }],
  observation,
})

const node = (parent: number, valid: boolean, effect: string, reward = 0) =>
  nodeEntry({
    parent,
    action: 'look',
    message: 'Action: look',
    observation,
    reward,
    valid,
    progress: reward,
    effect,
  })

const call = (effect: string, cached_tokens?: number, reasoning_tokens?: number) =>
  used(
    {
      ...(cached_tokens !== undefined && { cached_tokens }),
      ...(reasoning_tokens !== undefined && { reasoning_tokens }),
    },
    effect,
  )

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
    record(open),
    call('one', 64, 7),
    record(node(0, true, 'one', 0.5)),
    record(node(0, false, 'one')),
    call('two', 32, 2),
    record(node(2, false, 'two')),
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
  const summary = summariseJournal([record(open), call('one'), record(node(0, true, 'one', 1))], options)
  expect(summary?.usage).not.toHaveProperty('cached_tokens')
  expect(JSON.stringify(summary?.trajectory)).not.toContain('cached')
})

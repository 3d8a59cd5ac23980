import { describe, expect, test } from 'vitest'
import type { CallTotals } from '../../chaos/call-book.ts'
import { compareRun } from '../../chaos/compare.ts'
import type { EpisodeOutcome, RunOutcome } from '../../chaos/outcome.ts'
import type { Run } from '../../shared/core/contracts/run.ts'

const booked: CallTotals = { calls: 5, repeated: 0, cut: 1, mayMiss: false, tokens: 1000, cost: 1_234_500 }

const episode = (index: number): EpisodeOutcome => ({
  id: `ep-${index}`,
  task: `test-${index}`,
  epoch: 0,
  status: index === 0 ? 'succeeded' : 'failed',
  reward: index === 0 ? 1 : 0,
  error: null,
  workingSeconds: 1.5,
  tree: `digest-${index}`,
})

const ended = { cancelled: 0, errored: 0, limited: 0 }
const usage = { model_calls: 5, input_tokens: 700, output_tokens: 300, cost: 0.0012345 }

function outcome(
  changes: { run?: Partial<Run>; episodes?: EpisodeOutcome[]; ended?: string[] } = {},
): RunOutcome {
  const run = {
    id: 'run-1',
    status: 'succeeded',
    ended_at: '2026-11-22T00:00:00Z',
    running_seconds: 3,
    episodes: { total: 2, waiting: 0, active: 0, succeeded: 1, failed: 1, ...ended },
    usage,
    lost_calls: 1,
    ...changes.run,
  } as Run
  return {
    run,
    episodes: changes.episodes ?? [episode(0), episode(1)],
    ended: changes.ended ?? ['ep-0', 'ep-1'],
  }
}

const undisturbed = { status: 'succeeded', episodes: [episode(0), episode(1)], ended: ['ep-0', 'ep-1'] }
const findingsOf = (disturbed: RunOutcome, books = booked) =>
  compareRun('a plan', disturbed, undisturbed, books).map(({ what }) => what)

test('a run that came to what it comes to undisturbed, for the money that the endpoint charged, is no finding', () => {
  expect(findingsOf(outcome())).toEqual([])
})

describe('found is', () => {
  const [first, second] = [episode(0), episode(1)]
  test.each<[string, RunOutcome]>([
    ['run did not end', outcome({ run: { ended_at: null, status: 'running', status_reason: null } })],
    ['run ended otherwise', outcome({ run: { status: 'failed' } })],
    ['episode lost', outcome({ episodes: [first] })],
    ['episode doubled', outcome({ episodes: [first, second, second] })],
    ['episode doubled', outcome({ episodes: [first, second, episode(2)] })],
    ['episode differs', outcome({ episodes: [first, { ...second, task: 'test-9' }] })],
    ['episode errored', outcome({ episodes: [first, { ...second, status: 'errored', reward: null }] })],
    ['episode ended otherwise', outcome({ episodes: [first, { ...second, reward: 0.5 }] })],
    ['tree differs', outcome({ episodes: [first, { ...second, tree: 'another' }] })],
    ['negative duration', outcome({ episodes: [first, { ...second, workingSeconds: -0.1 }] })],
    ['negative duration', outcome({ run: { running_seconds: -1 } })],
    ['end not reported once', outcome({ ended: ['ep-0', 'ep-1', 'ep-1'] })],
    ['end not reported once', outcome({ ended: ['ep-0'] })],
    ['calls differ', outcome({ run: { usage: { ...usage, model_calls: 6 } } })],
    ['tokens differ', outcome({ run: { usage: { ...usage, output_tokens: 301 } } })],
    ['money differs', outcome({ run: { usage: { ...usage, cost: 0.001234501 } } })],
    ['lost calls differ', outcome({ run: { lost_calls: 0 } })],
  ])('%s', (what, disturbed) => {
    expect(findingsOf(disturbed)).toContain(what)
  })

  test('a call that was lost and not booked, unless the endpoint may have missed it', () => {
    const more = { ...usage, model_calls: 6, output_tokens: 400, cost: 0.0014 }
    const counted = outcome({ run: { usage: more, lost_calls: 2 } })
    expect(findingsOf(counted)).toEqual(['calls differ', 'tokens differ', 'money differs'])
    expect(findingsOf(counted, { ...booked, mayMiss: true })).toEqual([])
    expect(findingsOf(outcome({ run: { usage: more } }), { ...booked, mayMiss: true })).toContain(
      'calls differ',
    )
  })

  test('an end that was not reported, of an episode that ends twice', () => {
    const twice = { ...undisturbed, ended: ['ep-0', 'ep-1', 'ep-1'] }
    const find = (disturbed: RunOutcome) =>
      compareRun('a plan', disturbed, twice, booked).map(({ what }) => what)
    expect(find(outcome({ ended: ['ep-0', 'ep-1', 'ep-1'] }))).toEqual([])
    expect(find(outcome())).toEqual(['end not reported once'])
  })

  test('a call under an id that was used before', () => {
    expect(findingsOf(outcome(), { ...booked, repeated: 1 })).toEqual(['calls differ'])
  })

  test('counters that the episodes do not bear out', () => {
    const counts = { total: 2, waiting: 0, active: 0, succeeded: 2, failed: 0, ...ended }
    expect(findingsOf(outcome({ run: { episodes: counts } }))).toEqual(['counters off', 'counters off'])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { type Report, reportSchema } from '../../../shared/core/contracts/report.ts'
import { buildReport } from '../../../shared/insight/reports/build-report.ts'
import { endedEpisode, erroredEpisode, learningEpisode, stream } from '../../builders/episodes.ts'
import { endedRun } from '../../builders/runs.ts'

const report = (episodes: Iterable<Episode>) =>
  buildReport(endedRun('run-1'), stream(episodes), { simulated: false, facts: null, interval: 't' })

const means = (of: Report) => [
  of.success_rate.mean,
  of.success_rate.stderr,
  of.reward.mean,
  of.reward.stderr,
  of.mean_steps,
  of.mean_path_length,
  of.mean_primitive_steps,
  of.mean_nodes,
  of.mean_model_calls,
  of.mean_cached_tokens,
  of.mean_working_seconds,
  of.invalid_actions.count,
  of.invalid_actions.share.mean,
  ...of.draws.flatMap(({ pass_at_k, pass_hat_k, best_of_k }) => [
    pass_at_k.mean,
    pass_hat_k.mean,
    best_of_k.mean,
  ]),
  of.mean_tokens,
  of.mean_cost,
]

describe('a report', () => {
  test('gives rates, means and sums worked out by hand', async () => {
    const found = await report([
      endedEpisode(0, 'a', 1, { steps: 2 }),
      endedEpisode(1, 'b', 0, { steps: 6 }),
      endedEpisode(2, 'b', 0.5, { steps: 4 }),
    ])
    expect(reportSchema.parse(found)).toEqual(found)
    expect(found.success_rate).toMatchObject({ mean: 1 / 3, count: 3, tasks: 2 })
    expect(found.reward.mean).toBe(0.5)
    expect(found).toMatchObject({ mean_steps: 4, mean_nodes: 5, mean_tokens: 100, mean_cost: 0.5 })
    expect(found.tasks).toEqual([
      {
        task: 'a',
        type: null,
        episodes: 1,
        scored: 1,
        successes: 1,
        mean_reward: 1,
        mean_steps: 2,
        mean_tokens: 100,
        mean_cost: 0.5,
        steps: 2,
        tokens: 100,
        cost: 0.5,
      },
      {
        task: 'b',
        type: null,
        episodes: 2,
        scored: 2,
        successes: 0,
        mean_reward: 0.25,
        mean_steps: 5,
        mean_tokens: 100,
        mean_cost: 0.5,
        steps: 10,
        tokens: 200,
        cost: 1,
      },
    ])
  })

  test('counts invalid actions over whole trees, cached tokens, calls and working time', async () => {
    const tokens = { input_tokens: 90, cached_tokens: 40, output_tokens: 10, reasoning_tokens: 4 }
    const usage = { model_calls: 6, ...tokens, cost: 0.25 }
    const found = await report([
      endedEpisode(0, 'a', 1, { nodes: 5, invalid_actions: 1, usage, working_seconds: 3 }),
      endedEpisode(1, 'b', 0, { nodes: 9, invalid_actions: 3 }),
      endedEpisode(2, 'c', 0, { nodes: 9, invalid_actions: null }),
      erroredEpisode(3, 'd'),
    ])
    expect(found.invalid_actions).toMatchObject({ count: 4, share: { mean: 4 / 12, count: 12, tasks: 2 } })
    expect(found).toMatchObject({
      mean_cached_tokens: 40 / 3,
      mean_reasoning_tokens: 4 / 3,
      mean_model_calls: 14 / 3,
    })
    expect(found.mean_working_seconds).toBeCloseTo(5 / 3, 12)
  })

  test('adds up what was wrong with answers, warns from one in a hundred on, and leaves out who did not count', async () => {
    const tally = { total: 200, cut: 0, empty: 0, filtered: 0, refused: 0, unparsable: 0 }
    const value = { ...tally, total: 50, empty: 10 }
    const found = await report([
      endedEpisode(0, 'a', 1, { answers: { ...tally, cut: 90, refused: 1 } }),
      endedEpisode(1, 'b', 0, { answers: { ...tally, cut: 2, empty: 10, by_role: { value } } }),
      endedEpisode(2, 'c', 0),
    ])
    expect(found.answers).toEqual({
      ...tally,
      total: 400,
      cut: 92,
      empty: 10,
      refused: 1,
      by_role: { value },
    })
    expect(found.answer_warnings.map(({ asked, fault, share }) => [asked, fault, share])).toEqual([
      ['policy', 'cut', 92 / 350],
      ['value', 'empty', 0.2],
    ])
    expect(found.answer_warnings[1]?.message).toContain(
      'the answers of the role "value" (10 of 50) were empty',
    )
    const before = await report([endedEpisode(0, 'a', 1)])
    expect([before.answers, before.answer_warnings]).toEqual([null, []])
  })

  test('says how likely one or all of k episodes succeed, for as many as every task has', async () => {
    const rewards = { a: [1, 1, 0, 0], b: [1, 1, 1, 1], c: [0, 0, 1] }
    const episodes = Object.entries(rewards).flatMap(([task, each]) =>
      each.map((reward) => ({ task, reward })),
    )
    const found = await report([
      ...episodes.map(({ task, reward }, index) => endedEpisode(index, task, reward)),
      erroredEpisode(90, 'c'),
      erroredEpisode(91, 'never'),
    ])
    expect(found.draws.map(({ k }) => k)).toEqual([1, 2, 3])
    // By hand: pass@2 of 2 in 4 is 5/6, of 4 in 4 is 1, of 1 in 3 is 2/3; pass^2 is 1/6, 1 and 0.
    const [one, two, three] = found.draws
    expect(one?.pass_at_k).toMatchObject({ mean: (1 / 2 + 1 + 1 / 3) / 3, tasks: 3 })
    expect(one?.pass_hat_k.mean).toBeCloseTo((1 / 2 + 1 + 1 / 3) / 3, 12)
    expect(two?.pass_at_k.mean).toBeCloseTo((5 / 6 + 1 + 2 / 3) / 3, 12)
    expect(two?.pass_hat_k.mean).toBeCloseTo((1 / 6 + 1) / 3, 12)
    expect(three?.pass_at_k).toMatchObject({ mean: 1, ci: { method: 'wilson' } })
  })

  test('says the best reward of k episodes, which no success shows', async () => {
    const rewards = { a: [0.2, 0.6, 0.2], b: [0, 0.5, 0.5] }
    const episodes = Object.entries(rewards).flatMap(([task, each]) =>
      each.map((reward) => ({ task, reward })),
    )
    const found = await report(episodes.map(({ task, reward }, index) => endedEpisode(index, task, reward)))
    // By hand, of two: (0.6 + 0.6 + 0.2) / 3 and 0.5.
    const best = found.draws.map(({ k, best_of_k }) => [k, best_of_k.mean, best_of_k.tasks])
    expect(best).toEqual([
      [1, expect.closeTo(1 / 3, 12), 2],
      [2, expect.closeTo((1.4 / 3 + 0.5) / 2, 12), 2],
      [3, expect.closeTo(0.55, 12), 2],
    ])
  })

  test('leaves episodes that learned or annotated out of every mean and task, and counts them', async () => {
    const ordinary = [
      endedEpisode(2, 'a', 1),
      endedEpisode(3, 'b', 0, { path_length: 8, primitive_steps: 8 }),
    ]
    const learned = [
      learningEpisode(0, { steps: 90, nodes: 90, unparsable: 5 }),
      { ...endedEpisode(4, 'run-0/ep-0000000', null, { unparsable: 0 }), purpose: 'annotate' as const },
      { ...erroredEpisode(1, 'learn:melt'), purpose: 'learn' as const },
    ]
    const without = await report(ordinary)
    const found = await report([...learned, ...ordinary])
    expect(means(found)).toEqual(means(without))
    expect(found).toMatchObject({ mean_path_length: 6, mean_primitive_steps: 7, tasks: without.tasks })
    expect(without).toMatchObject({ learning_episodes: 0, unparsable: 2, errors: [] })
    expect(found).toMatchObject({ learning_episodes: 2, unparsable: 8, errors: [{ task: 'learn:melt' }] })
  })

  test('takes what was paid, calls lost on the way included, from the run', async () => {
    const found = await report([endedEpisode(0, 'a', 1)])
    expect(found.usage.cost).toBe(1.25)
    expect(found.lost_calls).toBe(2)
  })

  test('counts a limited episode in reward and success only when it has a reward', async () => {
    const found = await report([
      endedEpisode(0, 'a', 1),
      endedEpisode(1, 'b', 0.2, { status: 'limited', limit: 'steps' }),
      endedEpisode(2, 'c', null, { status: 'limited', limit: 'cost', steps: 10 }),
      endedEpisode(3, 'd', 1, { status: 'limited', limit: 'steps', success: true }),
    ])
    expect(found.reward).toMatchObject({ count: 3, tasks: 3 })
    expect(found.success_rate.mean).toBeCloseTo(2 / 3, 12)
    expect(found.mean_steps).toBe((4 + 4 + 10 + 4) / 4)
    expect(found.limits).toEqual({ cost: 1, steps: 2 })
  })

  test('lists the first thousand errors', async () => {
    const found = await report(Array.from({ length: 1200 }, (_, index) => erroredEpisode(index, 'a')))
    expect(found.errors).toHaveLength(1000)
    expect(found.errors[0]).toEqual({
      episode: 'ep-0000000',
      task: 'a',
      name: 'HostLost',
      message: 'The host left.',
    })
    expect(found.success_rate.mean).toBeNull()
    expect(found.mean_steps).toBeNull()
  })

  test('counts an episode that plays on as it ended before, and one that never ended not at all', async () => {
    const extended: Episode = { ...endedEpisode(1, 'b', 0), status: 'running' }
    const first: Episode = { ...endedEpisode(2, 'c', 0), status: 'running', result: null }
    const found = await report([endedEpisode(0, 'a', 1), extended, first])
    expect(found.reward).toMatchObject({ mean: 0.5, count: 2 })
    expect(found.tasks[1]).toMatchObject({ episodes: 1, scored: 1, mean_reward: 0 })
    expect(found.tasks[2]).toMatchObject({ episodes: 1, scored: 0, mean_reward: null })
  })

  test('groups by type of task and difficulty where the environment is known', async () => {
    const facts = new Map([
      ['a', { type: 'easy', min_steps: 2 }],
      ['b', { type: 'hard', min_steps: 12 }],
    ])
    const episodes = [endedEpisode(0, 'a', 1), endedEpisode(1, 'b', 0)]
    const options = { simulated: false, facts, interval: 'bootstrap' as const }
    const found = await buildReport(endedRun('run-1'), stream(episodes), options)
    expect(reportSchema.parse(found)).toEqual(found)
    expect(found.by_type?.map(({ name, success_rate }) => [name, success_rate.mean])).toEqual([
      ['easy', 1],
      ['hard', 0],
    ])
    expect(found.by_difficulty?.map(({ name }) => name)).toEqual(['2 steps', '9–16 steps'])
    expect(found.tasks.map(({ type }) => type)).toEqual(['easy', 'hard'])
    expect(found.success_rate.ci).toMatchObject({ method: 'bootstrap-percentile', lower: 0, upper: 1 })
    expect(await report(episodes)).toMatchObject({ by_type: null, by_difficulty: null })
  })

  test('has no mean cost where an endpoint states no prices', async () => {
    const usage = { model_calls: 1, input_tokens: 1, output_tokens: 1, cost: null }
    const found = await report([endedEpisode(0, 'a', 1, { usage })])
    expect(found.mean_cost).toBeNull()
    expect(found.mean_tokens).toBe(2)
  })
})

const anyEpisodes = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom(0, 0.25, 0.5, 1), fc.nat(40)), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.map(([task, reward, steps], index) => endedEpisode(index, task, reward, { steps })))

test('adding errored and cancelled episodes changes no mean', async () => {
  await fc.assert(
    fc.asyncProperty(anyEpisodes, fc.nat(30), async (episodes, at) => {
      const cancelled = endedEpisode(901, 'z', null, { status: 'cancelled' })
      const more = episodes.toSpliced(at, 0, erroredEpisode(900, 'a'), cancelled)
      expect(means(await report(more))).toEqual(means(await report(episodes)))
    }),
  )
})

test('the order of episodes changes no figure', async () => {
  const shuffled = anyEpisodes.chain((episodes) =>
    fc.tuple(
      fc.constant(episodes),
      fc.shuffledSubarray(episodes, { minLength: episodes.length, maxLength: episodes.length }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ([episodes, other]) => {
      const [left, right] = [await report(episodes), await report(other)]
      for (const [index, mean] of means(left).entries()) {
        // Sums in another order differ in their last bits.
        if (mean === null) expect(means(right)[index]).toBeNull()
        else expect(means(right)[index]).toBeCloseTo(mean, 10)
      }
      const byTask = (of: Report) => of.tasks.toSorted((one, two) => (one.task < two.task ? -1 : 1))
      expect(byTask(right)).toEqual(byTask(left))
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import { leaderboardSchema } from '../../../../shared/core/contracts/leaderboard.ts'
import type { RunRequestInput } from '../../../../shared/core/contracts/run.ts'
import { compareRuns } from '../../../../shared/insight/reports/compare-runs.ts'
import { buildLeaderboard } from '../../../../shared/insight/reports/leaderboard/build-leaderboard.ts'
import { endedEpisode, erroredEpisode, queuedEpisode, stream } from '../../../builders/episodes.ts'
import { endedRun } from '../../../builders/runs.ts'

const tasks = Array.from({ length: 12 }, (_, at) => `task-${at}`)

/** An episode at each task, of which so many succeed. */
const solving = (count: number, of: readonly string[] = tasks) =>
  of.map((task, at) => endedEpisode(at, task, at < count ? 1 : 0))

function played(id: string, request: Partial<RunRequestInput>, episodes: Episode[]) {
  return { run: endedRun(id, { method: { id: 'react' }, ...request }), episodes: stream(episodes) }
}

const build = (runs: ReturnType<typeof played>[]) =>
  buildLeaderboard(runs, { simulated: false, selection: { experiment: 'depth' } })

test('runs that differ in seed and name are one cell, and a cell of another method is tested against it', async () => {
  const found = await build([
    played('run-1', { seed: 0, name: 'a' }, solving(0)),
    played('run-2', { seed: 1, name: 'b' }, solving(0)),
    played('run-3', { method: { id: 'mcts', iterations: 4 } }, solving(12)),
    played('run-4', { method: { id: 'mcts', iterations: 8 } }, solving(1)),
  ])
  expect(leaderboardSchema.parse(found)).toEqual(found)
  expect(found.entries.map(({ label }) => label)).toEqual([
    'mcts (iterations=4)',
    'mcts (iterations=8)',
    'react',
  ])
  const react = found.cells.find(({ runs }) => runs.length === 2)
  expect(react).toMatchObject({ episodes: 24, scored: 24, comparable: true, note: null })
  expect(react?.success_rate).toMatchObject({ mean: 0, count: 24, tasks: 12 })
  expect(found.tests).toHaveLength(3)
  const [best] = found.tests.toSorted((left, right) => (left.p_value ?? 1) - (right.p_value ?? 1))
  // Twelve tasks to none: 2 / 2^12, and three tests.
  expect(best?.shared_tasks).toBe(12)
  expect(best?.p_value).toBeCloseTo(2 / 2 ** 12, 12)
  expect(best?.adjusted_p).toBeCloseTo(6 / 2 ** 12, 12)
})

const shares = fc.constantFrom(0, 0.25, 0.5, 1)
const perTask = fc.array(fc.array(fc.option(shares), { maxLength: 3 }), { minLength: 3, maxLength: 3 })

// Episodes at the first tasks, with these rewards; null is an error of the service.
const rewarded = (rewards: (number | null)[][]) =>
  rewards.flatMap((own, at) =>
    own.map((reward, epoch) => {
      const task = tasks[at] ?? ''
      return reward === null
        ? erroredEpisode(10 * at + epoch, task)
        : endedEpisode(10 * at + epoch, task, reward)
    }),
  )

test('a test of two cells is the comparison of their runs; runs of one cell are one run with all episodes', () =>
  fc.assert(
    fc.asyncProperty(perTask, perTask, perTask, async (one, more, other) => {
      const act = { method: { id: 'act' } }
      const whole = () => played('run-1', {}, [...rewarded(one), ...rewarded(more)])
      const rival = () => played('run-3', act, rewarded(other))
      const found = await build([whole(), rival()])
      const { runs, shared_tasks } = await compareRuns([rival(), whole()], {
        simulated: false,
        interval: 't',
      })
      const [test] = found.tests
      if (test !== undefined && shared_tasks > 0) {
        const { sign_test, success_rate } = runs[1]?.difference ?? {}
        expect(test).toMatchObject({ shared_tasks, success_rate, ...sign_test })
      }
      const parts = [played('run-1', {}, rewarded(one)), played('run-2', { seed: 1 }, rewarded(more))]
      const split = await build([...parts, rival()])
      expect(split.tests).toEqual(found.tests)
      const cells = (board: typeof found) => board.cells.map(({ runs: _, ...cell }) => cell)
      expect(cells(split)).toEqual(cells(found))
    }),
  ))

test('an error of the service is no zero: its task is in no rate and in no test', async () => {
  const [first, ...rest] = solving(12)
  const found = await build([
    played('run-1', {}, [erroredEpisode(0, first?.task ?? ''), ...rest]),
    played('run-2', { method: { id: 'act' } }, solving(12)),
  ])
  const [cell] = found.cells
  expect(cell).toMatchObject({ errored: 1, scored: 11, unscored_tasks: 1, comparable: true })
  expect(cell?.success_rate.mean).toBe(1)
  expect(cell?.note).toBe(
    '1 of 12 tasks have no reward and are in no rate, so the cell is on no front, in no average and in no rank.',
  )
  expect(found.tests).toMatchObject([
    { shared_tasks: 11, better: 0, worse: 0, p_value: null, adjusted_p: null },
  ])
})

test('a cell with other tasks than its neighbours says so, and is in no test, on no front and in no average', async () => {
  const found = await build([
    played('run-1', {}, solving(6)),
    played('run-2', { method: { id: 'act' } }, solving(3)),
    played('run-3', { method: { id: 'mcts' } }, solving(3, ['task-0', 'task-1', 'other'])),
  ])
  const odd = found.cells.find(({ runs }) => runs[0]?.run === 'run-3')
  expect(odd).toMatchObject({ comparable: false, on_front: false })
  expect(odd?.note).toContain('(3, of which 2 are among their 12)')
  expect(odd?.success_rate.mean).toBe(1)
  expect(found.environments[0]?.tasks).toBe(12)
  expect(found.tests.flatMap(({ entry, against }) => [entry, against])).not.toContain(odd?.entry)
  expect(found.entries.find(({ id }) => id === odd?.entry)?.average).toBeNull()
  expect(found.entries.at(-1)?.id).toBe(odd?.entry)
})

test('a cell with tasks that have no reward stays in the table and its tests, and is on no front, in no average and in no rank', async () => {
  const half = tasks.slice(6)
  const cut = half.map((task, at) => endedEpisode(at + 6, task, null, { status: 'limited', limit: 'cost' }))
  const waiting = half.map((task, at) => queuedEpisode(at + 6, task))
  const halfSolved = solving(6, tasks.slice(0, 6))
  const found = await build([
    played('run-1', {}, [...halfSolved, ...cut]),
    played('run-2', { method: { id: 'mcts' } }, [...halfSolved, ...waiting]),
    played('run-3', { method: { id: 'act' } }, solving(3)),
  ])
  for (const method of ['react', 'mcts']) {
    const entry = found.entries.find((each) => each.method === method)
    const cell = found.cells.find((each) => each.entry === entry?.id)
    expect(cell).toMatchObject({ comparable: true, unscored_tasks: 6, on_front: false })
    expect(cell?.success_rate.mean).toBe(1)
    expect(cell?.note).toContain('on no front, in no average and in no rank')
    expect(entry?.average).toBeNull()
  }
  expect(found.entries[0]).toMatchObject({ method: 'act', average: { on_front: true } })
  expect(found.cells.find(({ entry }) => entry === found.entries[0]?.id)?.on_front).toBe(true)
  expect(found.tests.map(({ shared_tasks }) => shared_tasks)).toEqual([6, 6, 6])
})

test('entries without an average are not ranked by a rate over a part of the tasks', async () => {
  const [first, ...rest] = solving(12)
  const pddl = { environment: 'pddl' }
  const found = await build([
    played('run-1', {}, [erroredEpisode(0, first?.task ?? ''), ...rest]),
    played('run-2', { ...pddl, method: { id: 'act' } }, solving(1)),
  ])
  expect(found.entries.map(({ average, method }) => [method, average])).toEqual([
    ['act', null],
    ['react', null],
  ])
})

test('environments, data and limits make columns, and averages weigh each alike', async () => {
  const pddl = { environment: 'pddl' }
  const found = await build([
    played('run-1', {}, solving(6)),
    played('run-2', pddl, solving(1, ['p-1', 'p-2'])),
    played('run-3', { method: { id: 'act' } }, solving(6)),
    played('run-4', { episode_limits: { steps: 3 } }, solving(2)),
  ])
  expect(found.environments.map(({ label }) => label).toSorted()).toEqual([
    'pddl',
    'textcraft',
    'textcraft (steps=3)',
  ])
  const react = found.entries.find(({ method }) => method === 'react')
  expect(react?.average?.success_rate.mean).toBeCloseTo((6 / 12 + 1 / 2 + 2 / 12) / 3, 12)
  expect(found.entries.find(({ method }) => method === 'act')?.average).toBeNull()
})

test('entries without an average are ranked by a cell that is comparable, not by an earlier one that is not', async () => {
  const pddl = { environment: 'pddl' }
  const [act, mcts] = [{ method: { id: 'act' } }, { method: { id: 'mcts' } }]
  const found = await build([
    played('run-1', {}, solving(6)),
    played('run-2', { method: { id: 'rmcts' } }, solving(6)),
    played('run-3', act, solving(3, ['x-0', 'x-1', 'x-2'])),
    played('run-4', { ...act, ...pddl }, solving(2)),
    played('run-5', { ...mcts, ...pddl }, solving(9)),
  ])
  expect(found.entries.every(({ average }) => average === null)).toBe(true)
  const ranked = found.entries.map(({ method }) => method)
  expect(ranked[0]).toBe('mcts')
  expect(ranked.at(-1)).toBe('act')
})

test('the front holds what no other beats in success and cost; without a price there is none', async () => {
  const priced = (cost: number | null, successes: number) =>
    solving(successes).map((episode) => ({
      ...episode,
      result: episode.result && { ...episode.result, usage: { ...episode.result.usage, cost } },
    }))
  const found = await build([
    played('run-1', {}, priced(0.1, 6)),
    played('run-2', { method: { id: 'act' } }, priced(0.2, 6)),
    played('run-3', { method: { id: 'mcts' } }, priced(0.3, 9)),
    played('run-4', { method: { id: 'rmcts' } }, priced(null, 12)),
  ])
  const front = found.cells.map(({ on_front, runs }) => [runs[0]?.run, on_front])
  expect(Object.fromEntries(front)).toEqual({
    'run-1': true,
    'run-2': false,
    'run-3': true,
    'run-4': false,
  })
})

test('labels name what distinguishes methods, few settings of many, and never two alike', async () => {
  const many = (last: number) => ({
    method: { id: 'mcts', a: 1, b: last, c: last, d: last, e: last, f: last },
  })
  const models = ['one', 'two'].map((id) => ({ model: { endpoint: 'test', id } }))
  const found = await build([
    played('run-1', many(1), solving(1)),
    played('run-2', many(2), solving(2)),
    ...models.map((model, at) => played(`run-${at + 3}`, model, solving(0))),
  ])
  expect(found.entries.map(({ label, model }) => `${label} ${model}`)).toEqual([
    'mcts (b=2, c=2, d=2, +2) openai/small',
    'mcts (b=1, c=1, d=1, +2) openai/small',
    'react test/one',
    'react test/two',
  ])
})

const model = { endpoint: 'simulated', id: 'simulated' }

test.each<[string, Partial<RunRequestInput>, RegExp]>([
  [
    'thoughts that are sent back',
    { model: { ...model, reasoning: 'keep' } },
    /^Has another passport: model\.reasoning is "keep", and not set elsewhere\.$/,
  ],
  [
    'turns that fit a prompt',
    { model: { ...model, max_prompt_tokens: 4000 } },
    /model\.max_prompt_tokens is 4000, and /,
  ],
  ['pictures that are shown', { model: { ...model, max_pictures: 1 } }, /model\.max_pictures is 1, and /],
  [
    'the layout of turns',
    { method: { id: 'react', layout: 'eto' } },
    /method\.layout is "eto", and "system" elsewhere/,
  ],
  [
    'calls of tools',
    { method: { id: 'react', actions: 'tools' } },
    /method\.actions is "tools", and "text" elsewhere/,
  ],
  ['a prompt', { prompts: { react: 'Act.' } }, /prompts\.react is "Act\.", and not set elsewhere/],
])(
  'runs that differ only in %s are not ranked together, and the field is named',
  async (_, request, note) => {
    const found = await build([
      played('run-1', { model }, solving(6)),
      played('run-2', { model, method: { id: 'act' } }, solving(4)),
      played('run-3', { model, ...request }, solving(12)),
    ])
    const cellOf = (run: string) => found.cells.find(({ runs }) => runs.some((each) => each.run === run))
    expect(cellOf('run-3')).toMatchObject({
      comparable: false,
      on_front: false,
      note: expect.stringMatching(note),
    })
    expect(cellOf('run-1')).toMatchObject({ comparable: true, note: null })
    expect(found.tests.flatMap(({ entry, against }) => [entry, against])).not.toContain(
      cellOf('run-3')?.entry,
    )
    expect(found.entries.find(({ id }) => id === cellOf('run-3')?.entry)?.average).toBeNull()
  },
)

test('runs of one cell that were scored by other rules are refused, with the field named', async () => {
  const horizon = { parameter: 'max_steps', least: 10, most: 10, from: 'method' } as const
  const scored = (id: string, seed: number, scorer: string) => {
    const each = played(id, { model, seed }, solving(6))
    return { ...each, run: { ...each.run, resolved: { horizon, parameters: {}, scorer } } }
  }
  const found = await build([scored('run-1', 0, '1'), scored('run-2', 1, '2'), scored('run-3', 2, '1')])
  expect(found.cells).toHaveLength(1)
  expect(found.cells[0]).toMatchObject({
    comparable: false,
    note: 'Has another passport: scorer is "2", and "1" elsewhere.',
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endReason, endReasonSchema } from '../../../shared/core/contracts/end-reason.ts'
import {
  type Episode,
  type EpisodeFilter,
  type EpisodeResult,
  type EpisodeStatus,
  episodeId,
  episodeOrderSchema,
  episodeStatusSchema,
} from '../../../shared/core/contracts/episode.ts'
import type { RunStatus } from '../../../shared/core/contracts/run.ts'
import { noUsage } from '../../../shared/core/contracts/usage.ts'
import { newEpisodeRow } from '../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { Runs } from '../../../shared/core/engine/runs/runs.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const ends = ['succeeded', 'failed', 'limited', 'errored'] as const

/** Few different figures, so that many are equal, and some that are not there. */
function randomResult(random: () => number): EpisodeResult {
  const few = () => Math.floor(random() * 4)
  const status = ends[few()] ?? 'failed'
  return {
    status,
    reward: status === 'errored' ? null : few() / 3,
    success: status === 'succeeded',
    limit: null,
    error: null,
    steps: few(),
    nodes: few() + 1,
    path_length: few(),
    primitive_steps: few(),
    progress_rate: null,
    grounding_accuracy: null,
    invalid_actions: 0,
    unparsable: 0,
    usage: {
      model_calls: few(),
      input_tokens: few(),
      output_tokens: few(),
      cost: random() < 0.2 ? null : few() / 8,
    },
    working_seconds: few(),
    attempt: 1,
  }
}

/** Ends, as if they had been played, most of a run's episodes; the others have no item yet, or are being played. */
async function endAtRandom({ ledger }: World, run: string, total: number): Promise<void> {
  const random = seededRandom('episodes')
  for (let index = 0; index < total; index += 1) {
    const chance = random()
    if (chance < 0.1) continue
    const result = randomResult(random)
    const played = chance < 0.2 ? { status: 'running' as const } : { status: result.status, result }
    const { partition, sort } = ledgerKeys.episode(run, episodeId(index))
    await ledger.update({ key: { partition, sort }, set: { ...newEpisodeRow(index, 1), ...played } })
  }
}

/** Every page of a list, one after the other. */
async function allPages(
  runs: Runs,
  run: string,
  query: { limit: number } & Partial<EpisodeFilter>,
): Promise<Episode[]> {
  const found: Episode[] = []
  for (let after: string | undefined; ; ) {
    const page = await runs.episodes(run, { ...query, ...(after !== undefined && { after }) })
    found.push(...page.data)
    expect(page.data.length).toBeLessThanOrEqual(query.limit)
    expect(page.has_more ? page.data.length : 0).toBe(page.has_more ? query.limit : 0)
    if (!page.has_more) return found
    after = page.last_id ?? undefined
  }
}

/** What a figure is, computed without the code under test. */
const figures: Record<EpisodeFilter['sort'], (episode: Episode) => number | string | null | undefined> = {
  index: ({ index }) => index,
  task: ({ task }) => task,
  reward: ({ result }) => result?.reward,
  steps: ({ result }) => result?.steps,
  nodes: ({ result }) => result?.nodes,
  model_calls: ({ result }) => result?.usage.model_calls,
  tokens: ({ result }) => result && result.usage.input_tokens + result.usage.output_tokens,
  cost: ({ result }) => result?.usage.cost,
  working_seconds: ({ result }) => result?.working_seconds,
}

/** All at once: those without the figure behind those with it, each stably sorted out of the order of the index. */
function sortAll(episodes: Episode[], { reason, status, task, sort, order }: EpisodeFilter): string[] {
  const figure = figures[sort]
  const passing = episodes.filter(
    (episode) =>
      (status === undefined || episode.status === status) &&
      (reason === undefined || endReason(episode) === reason) &&
      (task === undefined || episode.task.includes(task)),
  )
  const has = (episode: Episode) => (figure(episode) ?? null) !== null
  const sign = order === 'asc' ? 1 : -1
  const sorted = passing.filter(has).toSorted((left, right) => {
    const [a, b] = [figure(left), figure(right)]
    return a === b || a == null || b == null ? 0 : (a < b ? -1 : 1) * sign
  })
  return [...sorted, ...passing.filter((episode) => !has(episode))].map(({ id }) => id)
}

/** A run of 1,200 episodes, more than one reading of the ledger gives, and all of them. */
async function openEndedRun(status: RunStatus = 'running') {
  const world = await openTestWorld()
  const { runs } = openTestEngine({ world })
  const { id: run } = await runs.create(toRequest({ epochs: 60, max_parallel: 1 }))
  await endAtRandom(world, run, 1200)
  await world.ledger.update({ key: ledgerKeys.run(run), set: { status, ended_at: 1 } })
  return { world, runs, run, all: await allPages(runs, run, { limit: 1000 }) }
}

describe('the episodes of a run', () => {
  test('all come once, in the order of their index, where nothing else is asked', async () => {
    const { all } = await openEndedRun()
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 1200 }, (_, index) => index))
    expect(new Set(all.map(({ status }) => status)).size).toBe(6)
  })

  test.each(['running', 'succeeded', 'cancelled'] as const)(
    'of a run that is %s come in any order, filtered and in pages of any size, as if all had been sorted at once',
    async (state) => {
      const { runs, run, all } = await openEndedRun(state)
      const filters = fc.record({
        status: fc.option(fc.constantFrom<EpisodeStatus>(...episodeStatusSchema.options), { nil: undefined }),
        reason: fc.option(fc.constantFrom(...endReasonSchema.options), { nil: undefined }),
        task: fc.option(fc.constantFrom('task', '1', '-7', 'none'), { nil: undefined }),
        sort: fc.constantFrom(...episodeOrderSchema.options),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      })
      await fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 150, max: 1000 }), async (filter, limit) => {
          const found = await allPages(runs, run, { ...filter, limit })
          expect(found.map(({ id }) => id)).toEqual(sortAll(all, filter))
        }),
        { numRuns: 40 },
      )
    },
  )

  test.each(['running', 'succeeded', 'cancelled'] as const)(
    'of a run that is %s are to be asked for again only if they have not ended',
    async (state) => {
      const { runs, run, all } = await openEndedRun(state)
      const kinds = fc.constantFrom('tree' as const, 'trajectory' as const)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...all), kinds, async ({ id, status }, kind) => {
          const isOpen = status === 'queued' || status === 'running'
          await expect(runs[kind](run, id)).rejects.toMatchObject({
            code: 'not_found',
            message: isOpen
              ? expect.stringContaining('Try again when it has started')
              : `The episode ${id} ended before it began, so it has no ${kind}.`,
          })
        }),
        { numRuns: 40 },
      )
    },
  )

  test('of an ended run are sorted anew once it was continued', async () => {
    const { world, runs, run } = await openEndedRun('succeeded')
    const dearest = async () => (await runs.episodes(run, { limit: 1, sort: 'cost', order: 'desc' })).data[0]
    const before = await dearest()
    const { partition } = ledgerKeys.episode(run, '')
    const result = { ...randomResult(Math.random), usage: { ...noUsage, cost: 9 } }
    const set = { ...newEpisodeRow(700, 1), status: 'succeeded' as const, result }
    await world.ledger.update({ key: { partition, sort: episodeId(700) }, set })
    await world.ledger.update({ key: ledgerKeys.run(run), set: { ended_at: 2 } })
    expect(before?.index).not.toBe(700)
    expect(await dearest()).toMatchObject({ index: 700, result: { usage: { cost: 9 } } })
  })

  test('are found by any part of their task, in any case', async () => {
    const { runs, run } = await openEndedRun()
    const { data } = await runs.episodes(run, { limit: 3, task: 'TASK-13' })
    expect(data.map(({ task }) => task)).toEqual(['task-13', 'task-13', 'task-13'])
  })

  test('an unknown episode to go on behind is refused in any order', async () => {
    const { runs, run } = await openEndedRun()
    for (const sort of ['index', 'reward'] as const) {
      for (const after of ['ep-0001200', run]) {
        const page = runs.episodes(run, { limit: 3, sort, after })
        await expect(page).rejects.toMatchObject({ code: 'invalid_request', param: 'after' })
      }
    }
  })
})

test('a page goes on behind where its episode stands now, also when that no longer passes the filter', async () => {
  const world = await openTestWorld()
  const { runs } = openTestEngine({ world })
  const { id } = await runs.create(toRequest({ max_parallel: 1 }))
  const end = (index: number, status: 'succeeded' | 'failed', steps: number) =>
    world.ledger.update({
      key: ledgerKeys.episode(id, episodeId(index)),
      set: { ...newEpisodeRow(index, 1), status, result: { ...randomResult(() => 0), status, steps } },
    })
  for (const [index, steps] of [10, 20, 30, 40].entries()) await end(index, 'succeeded', steps)
  const query = { limit: 2, status: 'succeeded', sort: 'steps', order: 'asc' } as const
  const first = await runs.episodes(id, query)
  expect(first.data.map(({ index }) => index)).toEqual([0, 1])
  await end(1, 'failed', 35)
  const second = await runs.episodes(id, { ...query, after: 'ep-0000001' })
  expect(second.data.map(({ index }) => index)).toEqual([3])
  expect(second.has_more).toBe(false)
})

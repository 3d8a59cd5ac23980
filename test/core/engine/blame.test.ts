import { describe, expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { DeathCounting } from '../../../shared/core/engine/episodes/blame-episode.ts'
import type { EpisodeRow } from '../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { enlistWorker } from '../../../shared/core/engine/workers.ts'
import type { QueueName, World } from '../../../shared/core/world/ports.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const environment = withLongTasks()
const episode = episodeId(0)

function withLongTasks() {
  const hash = createHashEnvironment(5, { depth: 6, disasters: 0 })
  return { ...hash, tasks: () => [{ id: 'task-0', split: 'test', type: 'any', description: 'any' }] }
}

/** A model whose calls never end, as those of a process that dies in the middle of one. */
const silent: ChatModel = { complete: () => new Promise<never>(() => undefined) }

interface Case {
  world: World
  run: string
  row(): Promise<EpisodeRow>
  /** A worker takes the episode up, and is never heard of again. */
  die(worker: string, isAlone: boolean): Promise<void>
  open(worker: string, model?: ChatModel): ReturnType<typeof openTestEngine>
}

async function openCase(deaths: DeathCounting): Promise<Case> {
  const world = await openTestWorld()
  const open: Case['open'] = (worker, model = createHashModel()) =>
    openTestEngine({ world, environment, worker, model, deaths })
  const { id: run } = await open('planner').runs.create(toRequest({ method: { id: 'mcts', iterations: 2 } }))
  const row = async () => (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow
  return {
    world,
    run,
    row,
    open,
    async die(worker, isAlone) {
      const { starts } = await row()
      void open(worker, silent).runner.play({ body: { run, episode } }, isAlone)
      while ((await row()).starts === starts) await new Promise((resolve) => setTimeout(resolve, 2))
    },
  }
}

async function takeAll({ queues }: World, queue: QueueName): Promise<unknown[]> {
  const messages = await queues[queue].receive({ max: 100, wait: 0, visibility: 600 })
  await Promise.all(messages.map(({ receipt }) => queues[queue].delete(receipt)))
  return messages.map(({ body }) => body)
}

describe('witnessed deaths', () => {
  test('the third that an episode was played alone for ends it, with what was seen of each', async () => {
    const { run, open, die, row } = await openCase('witnessed')
    const { blame, runs } = open('witness')
    for (const worker of ['one', 'two', 'three']) {
      await die(worker, true)
      expect(await blame({ run, episode }, { worker, evidence: `${worker} fell over.` })).toBe(true)
    }
    const { status, result } = await runs.episode(run, episode)
    expect({ status, reward: result?.reward, name: result?.error?.name }).toEqual({
      status: 'errored',
      reward: null,
      name: 'WorkerDied',
    })
    expect(result?.error?.message).toMatch(
      /3 workers died.*one at \d{4}-.*: one fell over\. two at .*: two fell over\. three at .*: three fell over\..*Retry the run/,
    )
    expect(await row()).toMatchObject({ starts: 3 })
    expect(await runs.get(run)).toMatchObject({ status: 'failed', episodes: { errored: 1 } })
  })

  test('a death is counted once, and gives the episode back to be played alone', async () => {
    const { world, run, open, die, row } = await openCase('witnessed')
    const { blame } = open('witness')
    await takeAll(world, 'episodes')
    await die('one', true)
    const death = { worker: 'one', evidence: 'It fell over.' }
    expect(await blame({ run, episode }, death)).toBe(true)
    expect(await takeAll(world, 'alone')).toEqual([{ run, episode }])
    expect(await blame({ run, episode }, death)).toBe(false)
    expect(await row()).toMatchObject({ status: 'queued', worker: null, deaths: [death] })
    expect(await takeAll(world, 'alone')).toEqual([])
  })

  test('no death beside others counts, none of another worker, and none that was not seen', async () => {
    const { run, open, die, row } = await openCase('witnessed')
    const { blame } = open('witness')
    const evidence = 'It fell over.'
    await die('beside-others', false)
    expect(await blame({ run, episode }, { worker: 'beside-others', evidence })).toBe(false)
    for (const worker of ['one', 'two', 'three', 'four', 'five']) await die(worker, true)
    expect(await blame({ run, episode }, { worker: 'four', evidence })).toBe(false)
    expect(await row()).toMatchObject({ status: 'running', worker: 'five', deaths: [] })
  })
})

describe('inferred deaths', () => {
  test('are those of workers that ended without a word while they played it alone', async () => {
    const { run, open, die, row } = await openCase('inferred')
    for (const worker of ['a', 'b']) await die(worker, false)
    for (const worker of ['one', 'two', 'three']) await die(worker, true)
    expect((await row()).deaths?.map(({ worker }) => worker)).toEqual(['one', 'two'])
    const { runner, runs } = open('next')
    await runner.play({ body: { run, episode } }, true)
    expect((await runs.episode(run, episode)).result?.error?.message).toMatch(
      /one at .* two at .* three at .*: It ended without a word\./,
    )
  })

  test('do not include workers of a service that died with it, but those whose end it saw', async () => {
    const { world, run, open, die, row } = await openCase('inferred')
    const machine = {
      ...{ kind: 'service' as const, host: 'head', version: '1', labels: [], capacity: 1 },
      ...{ started_at: new Date(0).toISOString(), endpoints: [], environments: [], methods: [] },
    }
    for (const worker of ['a', 'b', 'one', 'two', 'three', 'four']) {
      await enlistWorker(world, worker, { machine })
      await die(worker, worker.length > 1)
      const expires = worker === 'two' ? 0 : 1
      await world.ledger.update({ key: ledgerKeys.worker(worker), set: { expires } })
    }
    expect((await row()).deaths?.map(({ worker }) => worker)).toEqual(['two'])
    await open('next').runner.play({ body: { run, episode } }, true)
    const { result, starts } = await open('reader').runs.episode(run, episode)
    expect([result?.error ?? null, starts]).toEqual([null, 7])
  })

  test('do not include those who left in good order, however often', async () => {
    const { run, open, row } = await openCase('inferred')
    for (const worker of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      const { runner } = open(worker)
      runner.stop('shutdown', 'The worker stops.')
      await runner.play({ body: { run, episode } }, true)
    }
    expect(await row()).toMatchObject({ status: 'queued', idle_starts: 0, deaths: [], alone_with: null })
  })
})

describe.each<DeathCounting>(['witnessed', 'inferred'])('with %s deaths', (counting) => {
  test('an episode whose starts came to nothing is played alone, and never beside others', async () => {
    const { world, run, open, die, row } = await openCase(counting)
    await takeAll(world, 'episodes')
    for (const worker of ['a', 'b']) await die(worker, false)
    await open('next').runner.play({ body: { run, episode } }, false)
    expect(await row()).toMatchObject({ starts: 2, idle_starts: 2 })
    expect(await takeAll(world, 'alone')).toEqual([{ run, episode }])
  })

  test('one that gets further alone is sent back among the others, and its deaths are forgotten', async () => {
    const { world, run, open, die, row } = await openCase(counting)
    const { blame, runner, runs } = open('next')
    for (const worker of ['one', 'two']) {
      await die(worker, true)
      await blame({ run, episode }, { worker, evidence: 'It fell over.' })
    }
    await Promise.all([takeAll(world, 'episodes'), takeAll(world, 'alone')])
    await runner.play({ body: { run, episode } }, true)
    expect(await row()).toMatchObject({ status: 'queued', idle_starts: 0, deaths: [], alone_with: null })
    expect(await takeAll(world, 'episodes')).toEqual([{ run, episode }])
    await runner.play({ body: { run, episode } }, false)
    expect((await runs.episode(run, episode)).result?.error).toBeNull()
  })
})

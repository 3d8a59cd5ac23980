import type { Context, SQSEvent } from 'aws-lambda'
import { expect, test, vi } from 'vitest'
import { handler as advanceEpisodes } from '../../functions/advance-episodes/handler.ts'
import type { FunctionServices } from '../../functions/aws/open-function-services.ts'
import { readSettings } from '../../functions/aws/settings.ts'
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts'
import { openEnvironmentServices } from '../../functions/wiring/open-environment-services.ts'
import { wireService } from '../../functions/wiring/wire-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { episodeId } from '../../shared/core/contracts/episode.ts'
import type { EpisodeRow } from '../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { hasWorkerOf, isAlive } from '../../shared/core/engine/workers.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../shared/play/simulated/open-simulated-models.ts'
import { toRequest } from '../support/open-test-engine.ts'
import { openTestWorld } from '../support/open-test-world.ts'

const opened = vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
  process.env.POWERTOOLS_METRICS_DISABLED = 'true'
  return { parts: null as unknown }
})

// The functions open the AWS world; here they are given a local one, and are otherwise as they are.
vi.mock('../../functions/aws/open-function-services.ts', () => ({
  openFunctionServices: async () => opened.parts,
}))

const queue = (name: string) => `https://sqs.example.com/1/${name}`
const settings = readSettings({
  ESPALIER_STAGE: 'test',
  ESPALIER_CODE: 'code',
  ESPALIER_TABLE: 'table',
  ESPALIER_BUCKET: 'bucket',
  ESPALIER_QUEUE_EPISODES: queue('episodes'),
  ESPALIER_QUEUE_ALONE: queue('alone'),
  ESPALIER_QUEUE_DATASETS: queue('datasets'),
  ESPALIER_QUEUE_JOBS: queue('jobs'),
  ESPALIER_DEAD_EPISODES: queue('dead-episodes'),
  ESPALIER_DEAD_ALONE: queue('dead-alone'),
  ESPALIER_DEAD_DATASETS: queue('dead-datasets'),
  ESPALIER_DEAD_JOBS: queue('dead-jobs'),
})
const episode = episodeId(0)

/** @param latency milliseconds before the model answers */
function partsOf(world: World, latency: number): FunctionServices {
  const simulated = endpointSchema.parse({ kind: 'simulated', latency })
  const hosts = { call: () => Promise.reject(new Error('There are no hosts here.')) }
  const models = openModels(new Map([['simulated', simulated]]), { simulated: openSimulatedModels })
  return { settings, world, models, routes: null, ...openEnvironmentServices({ world, hosts }) }
}

function eventOf(name: string, run: string): SQSEvent {
  const record = {
    messageId: 'message',
    receiptHandle: '1.1',
    body: JSON.stringify({ run, episode }),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:eu-central-1:1:${name}`,
    awsRegion: 'eu-central-1',
  }
  return { Records: [record] }
}

const contextOf = (awsRequestId: string) =>
  ({ awsRequestId, functionName: 'test', getRemainingTimeInMillis: () => 900_000 }) as Context

async function openRun() {
  const world = await openTestWorld()
  const parts = partsOf(world, 0)
  const { engine } = wireService({
    methods: openMethods(),
    ...parts,
    worker: 'planner',
    code: 'code',
    onError: () => undefined,
  })
  const runs = engine.runs.of('default')
  const { id: run } = await runs.create(
    toRequest({ tasks: { split: 'test', limit: 1 }, model: { endpoint: 'simulated', id: 'simulated' } }),
  )
  // Its models answered once.
  await world.ledger.update({ key: ledgerKeys.run(run), set: { preflight: 'passed' } })
  const row = async () => (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow
  /** An invocation takes the episode up, and asks a model that is silent. */
  async function ask(id: string, name: 'episodes' | 'alone') {
    opened.parts = partsOf(world, 600_000)
    const { starts } = await row()
    void advanceEpisodes(eventOf(name, run), contextOf(id)).catch(() => undefined)
    await expect.poll(async () => (await row()).starts).toBe(starts + 1)
  }
  return {
    ask,
    world,
    run,
    runs,
    row,
    /** An invocation asks, and is never heard of again. */
    async die(id: string, name: 'episodes' | 'alone') {
      await ask(id, name)
      await world.ledger.update({ key: ledgerKeys.worker(`lambda-${id}`), delete: true })
    },
    async advance(id: string, name: 'episodes' | 'alone') {
      opened.parts = partsOf(world, 0)
      return advanceEpisodes(eventOf(name, run), contextOf(id))
    },
    async bury() {
      opened.parts = partsOf(world, 0)
      return deadLetters(eventOf('dead-episodes', run), contextOf('burial'))
    },
  }
}

test('invocations that die count against an episode that they played alone, and the next ends it after the third', async () => {
  const { run, runs, row, die, advance } = await openRun()
  for (const id of ['a', 'b']) await die(id, 'episodes')
  expect((await row()).deaths ?? []).toEqual([])
  for (const id of ['one', 'two', 'three']) await die(id, 'alone')
  expect((await row()).deaths?.map(({ worker }) => worker)).toEqual(['lambda-one', 'lambda-two'])
  expect(await advance('next', 'alone')).toEqual({ batchItemFailures: [] })
  const { status, result } = await runs.episode(run, episode)
  expect([status, result?.reward, result?.error?.name]).toEqual(['errored', null, 'WorkerDied'])
  expect(result?.error?.message).toMatch(
    /lambda-one at .*lambda-two at .*lambda-three at .*ended without a word/,
  )
})

test('deaths beside others never end an episode: it is played alone, and goes well there', async () => {
  const { run, runs, row, world, die, advance } = await openRun()
  for (const id of ['a', 'b']) await die(id, 'episodes')
  expect(await advance('c', 'episodes')).toEqual({ batchItemFailures: [] })
  expect(await row()).toMatchObject({ status: 'running', starts: 2 })
  const [message] = await world.queues.alone.receive({ max: 1, wait: 0, visibility: 60 })
  expect(message?.body).toEqual({ run, episode })
  for (let turn = 0; (await runs.episode(run, episode)).result === null; turn += 1) {
    await advance(`alone-${turn}`, turn === 0 ? 'alone' : 'episodes')
  }
  expect(['succeeded', 'failed', 'limited']).toContain((await runs.episode(run, episode)).status)
})

test('a dead letter is no death: the episode is sent again with the deaths that it has', async () => {
  const { run, runs, row, world, die, bury } = await openRun()
  for (const id of ['a', 'b']) await die(id, 'episodes')
  for (const id of ['one', 'two', 'three']) await die(id, 'alone')
  const before = (await row()).deaths
  const messages = () => world.queues.episodes.receive({ max: 10, wait: 0, visibility: 60 })
  await messages()
  expect(await bury()).toEqual({ batchItemFailures: [] })
  expect((await row()).deaths).toEqual(before)
  expect((await runs.episode(run, episode)).result).toBeNull()
  const active = await world.ledger.get(ledgerKeys.active(run, episode))
  expect(Number(active?.queued_at)).toBeGreaterThan(Date.now())
})

test('an invocation keeps no episode of its version waiting, since it takes up nothing after its event', async () => {
  const { world, ask } = await openRun()
  await ask('a', 'episodes')
  expect(await isAlive(world, 'lambda-a')).toBe(true)
  expect(await hasWorkerOf(world, 'code', 'default')).toBe(false)
})

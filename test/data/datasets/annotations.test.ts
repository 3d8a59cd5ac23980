import { describe, expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { RunStatus } from '../../../shared/core/contracts/run.ts'
import type { Queue, World } from '../../../shared/core/world/ports.ts'
import type { Attempts } from '../../../shared/data/datasets/attempts.ts'
import { openReports } from '../../../shared/insight/reports/open-reports.ts'
import type { ChatModel, ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { beforeChanges } from '../../support/before-changes.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  type AnnotationEngine,
  attemptsOf,
  branchedTree,
  judgingModel,
  openAnnotationEngine,
} from './open-annotation-engine.ts'

const dataset = 'dataset-06c5k8q2xg-4hj7k2mn'
const run = 'run-06c5k8q2xg-4hj7k2mn'
const trees = { first: branchedTree('oak'), second: branchedTree('elm') }
const attempts = attemptsOf(trees)
const asked = ['first', 'second'].map((episode) => ({ source: 'import-1', episode }))
/** Of each tree: cut and burn on one bad path, sell on the other. */
const questions = 6

async function untilRun({ runs }: AnnotationEngine, ...statuses: RunStatus[]) {
  for (;;) {
    const now = await runs.get(run)
    if (statuses.includes(now.status)) return now
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function open(options: Partial<Parameters<typeof openAnnotationEngine>[0]> = {}) {
  const model = judgingModel()
  const world = await openTestWorld()
  return { model, world, ...openAnnotationEngine({ world, attempts, model, ...options }) }
}

/** The same world for a process that can be killed: then it takes no message any more, and can change nothing. */
function mortalWorld(world: World): { mortal: World; kill: () => Promise<void> } {
  const { episodes } = world.queues
  let isDead = false
  const receiving = new Set<Promise<unknown>>()
  const alive = beforeChanges(world, () => {
    if (isDead) throw new Error('The process is dead.')
  })
  const queue: Queue = {
    dead_letters: episodes.dead_letters,
    send: (messages) => episodes.send(messages),
    // Short polls: one that is under way when the process dies would take the message along.
    async receive(options) {
      if (isDead) await new Promise((resolve) => options.signal?.addEventListener('abort', resolve))
      if (isDead) return []
      const received = episodes.receive({ ...options, wait: 0.02 })
      receiving.add(received)
      return received.finally(() => receiving.delete(received))
    },
    delete: (receipt) => episodes.delete(receipt),
    extend: (receipt, visibility) => episodes.extend(receipt, visibility),
  }
  return {
    mortal: { ...alive, queues: { ...world.queues, episodes: queue } },
    async kill() {
      isDead = true
      await Promise.allSettled(receiving)
    },
  }
}

/** Whether a question is about the action that names this. */
const isLastOf = ({ messages }: ChatRequest, action: string) =>
  messages.at(-1)?.content.split('--- Agent').at(-1)?.includes(action) === true

/** A model that never answers what is asked about the action that burns. */
function hangingAt(model: ChatModel): ChatModel {
  return {
    async complete(request, call) {
      if (!isLastOf(request, 'burn')) return model.complete(request, call)
      return new Promise((_, reject) =>
        call.signal?.addEventListener('abort', () => reject(call.signal?.reason)),
      )
    },
  }
}

/** An annotation run that has come to its end. */
async function askedThrough(options: Partial<Parameters<typeof openAnnotationEngine>[0]> = {}) {
  const engine = await open(options)
  await engine.start()
  expect(await engine.annotations.start({ dataset, attempts: asked })).toBe(run)
  return { ...engine, ended: await untilRun(engine, 'succeeded', 'failed') }
}

describe('what a dataset asks a model', () => {
  test('is a run like any other, listed and paid for, of which no environment is opened', async () => {
    const { runs, ended, model } = await askedThrough()
    expect((await runs.list({ limit: 10 })).data.map(({ id }) => id)).toEqual([run])
    expect(ended).toMatchObject({
      status: 'succeeded',
      episodes: { total: 2, succeeded: 2 },
      usage: { model_calls: questions, cost: 0.006 },
      request: {
        name: `asks about dataset ${dataset}`,
        environment: 'textcraft',
        method: { id: 'judge-steps', dataset, kind: 'revision', parameters: {} },
        model: { endpoint: 'test', id: 'test' },
      },
    })
    expect(model.prompts).toHaveLength(questions)
    expect(new Set(model.prompts).size).toBe(questions)
  })

  test('can be read answer by answer, by the position of the attempt', async () => {
    const { annotations } = await askedThrough()
    const second = await annotations.read(run, 1)
    expect([...(second ?? [])].toSorted()).toEqual([
      ['judge/1', 'Reasons: so it is.\nJudgement: Good'],
      ['judge/4', 'Reasons: so it is.\nJudgement: Bad'],
      ['judge/6', 'Reasons: so it is.\nJudgement: Bad'],
      [
        'pairs',
        [
          [3, 5],
          [3, 6],
          [7, 5],
          [7, 6],
        ],
      ],
    ])
    expect(await annotations.state(run)).toEqual({ status: 'ended', reason: null, done: 2, total: 2 })
  })

  test('has episodes without a reward, and without a tree', async () => {
    const { runs } = await askedThrough()
    const { data } = await runs.episodes(run, { limit: 10 })
    expect(data).toMatchObject([
      {
        task: 'import-1/first',
        purpose: 'annotate',
        status: 'succeeded',
        result: { reward: null, success: null, nodes: 0, usage: { model_calls: 3 } },
      },
      { task: 'import-1/second', purpose: 'annotate', status: 'succeeded' },
    ])
    await expect(runs.tree(run, 'ep-0000000')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Only that one has a tree'),
    })
  })

  test('is in no mean', async () => {
    const { runs } = await askedThrough()
    const reports = openReports({ runs, isSimulated: () => true, tasksOf: async () => new Map() } as never)
    const report = await reports.report(run)
    expect(report).toMatchObject({
      success_rate: { mean: null, count: 0 },
      reward: { mean: null, count: 0 },
      learning_episodes: 0,
      tasks: [],
      usage: { model_calls: questions },
    })
  })

  test('is asked once for each dataset, however often it is started', async () => {
    const engine = await open()
    const request = { dataset, attempts: asked }
    const started = await Promise.all([1, 2, 3].map(() => engine.annotations.start(request)))
    await engine.start()
    await untilRun(engine, 'succeeded')
    expect([...started, await engine.annotations.start(request)]).toEqual([run, run, run, run])
    expect((await engine.runs.list({ limit: 10 })).data).toHaveLength(1)
    expect(engine.model.prompts).toHaveLength(questions)
  })

  test('is asked of a real attempt: one that is gone is an error, and gives no answers', async () => {
    const { annotations, runs, ended } = await askedThrough({ attempts: attemptsOf({ first: trees.first }) })
    expect(ended).toMatchObject({ status: 'succeeded', episodes: { succeeded: 1, errored: 1 } })
    expect((await annotations.read(run, 0))?.has('pairs')).toBe(true)
    expect(await annotations.read(run, 1)).toBeNull()
    expect((await runs.episode(run, 'ep-0000001')).result?.error?.message).toBe(
      'There is no trajectory second.',
    )
  })

  test('can be asked again where it failed', async () => {
    const some: Record<string, (typeof trees)['first']> = { first: trees.first }
    const engine = await askedThrough({ attempts: attemptsOf(some) })
    some.second = trees.second
    await engine.runs.retry(run)
    await untilRun(engine, 'succeeded')
    expect((await engine.annotations.read(run, 1))?.has('judge/4')).toBe(true)
    expect(engine.model.prompts).toHaveLength(questions)
  })

  test('fails where no episode can be asked about, and says where to look', async () => {
    const attempts: Attempts = {
      async open(...name) {
        const tree = () => Promise.reject(new Error('The tree is gone.'))
        return { ...(await attemptsOf(trees).open(...name)), tree }
      },
    }
    const { annotations } = await askedThrough({ attempts })
    expect(await annotations.state(run)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(`The run ${run}, which asks the model, failed`),
      done: 2,
    })
    expect(await annotations.read(run, 0)).toBeNull()
  })
})

describe('a limit of what is asked', () => {
  test('pauses the run and says why; with a higher one it goes on, and asks nothing twice', async () => {
    const engine = await open({ request: { limits: { cost: 0.0035 } } })
    await engine.start()
    await engine.annotations.start({ dataset, attempts: asked })
    const paused = await untilRun(engine, 'paused')
    expect(paused.usage.cost).toBeLessThanOrEqual(0.0035)
    const state = await engine.annotations.state(run)
    expect(state.status).toBe('paused')
    expect(state.reason).toContain('limits.cost reached')
    expect(state.reason).toContain('Resume the run to go on with the dataset.')
    expect(state.done).toBeLessThan(2)
    await engine.runs.resume(run, { limits: { cost: 1 } })
    const ended = await untilRun(engine, 'succeeded')
    expect(ended.usage).toMatchObject({ model_calls: questions, cost: 0.006 })
    expect(engine.model.prompts).toHaveLength(questions)
  })

  test('needs a model with a price', async () => {
    const { annotations } = await open({ isPriced: false, request: { limits: { cost: 1 } } })
    await expect(annotations.start({ dataset, attempts: asked })).rejects.toMatchObject({
      code: 'unpriced_endpoint',
      param: 'limits.cost',
    })
  })

  test('of episodes is none: what was asked for is asked', async () => {
    const { ended } = await askedThrough()
    expect(ended.request.episode_limits).toEqual({})
  })
})

describe('an annotation run', () => {
  test('that is stopped in the middle goes on elsewhere, and asks nothing twice that was answered', async () => {
    const world = await openTestWorld()
    const model = judgingModel({ delay: 40 })
    const first = openAnnotationEngine({ world, attempts, model, worker: 'first' })
    await first.start()
    await first.annotations.start({ dataset, attempts: asked })
    while (model.prompts.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
    await first.stop(1000)
    const before = model.prompts.length
    expect(before).toBeLessThan(questions)
    const second = openAnnotationEngine({ world, attempts, model, worker: 'second' })
    await second.start()
    const ended = await untilRun(second, 'succeeded')
    expect(model.prompts).toHaveLength(questions)
    expect(ended).toMatchObject({ usage: { model_calls: questions }, lost_calls: 0 })
  })

  test('whose worker is killed goes on elsewhere: only questions that had no answer yet are asked again', async () => {
    const world = await openTestWorld()
    const { mortal, kill } = mortalWorld(world)
    const dying = judgingModel()
    const first = openAnnotationEngine({ world: mortal, attempts, model: hangingAt(dying), worker: 'first' })
    await first.start()
    await first.annotations.start({ dataset, attempts: asked })
    const committed = async () =>
      (await Promise.all([0, 1].map((index) => first.runs.journal(run, episodeId(index)))))
        .flat()
        .filter((record) => 'effect' in record && record.usage)
    while ((await committed()).length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
    await kill()
    await world.ledger.update({ key: { partition: 'workers', sort: 'first' }, set: { expires: 0 } })
    const model = judgingModel()
    const second = openAnnotationEngine({ world, attempts, model, worker: 'second' })
    await second.start()
    for (const index of [0, 1]) {
      await world.queues.episodes.send([{ body: { run, episode: episodeId(index) }, group: run }])
    }
    await untilRun(second, 'succeeded')
    expect(dying.prompts).toHaveLength(4)
    expect(model.prompts).toHaveLength(2)
    expect(model.prompts.every((prompt) => prompt.includes('burn'))).toBe(true)
  })

  test('begins anew where the tree it asked about is another meanwhile: no answer about the old one counts', async () => {
    const world = await openTestWorld()
    const first = openAnnotationEngine({
      world,
      attempts,
      model: hangingAt(judgingModel()),
      worker: 'first',
    })
    await first.start()
    await first.annotations.start({ dataset, attempts: asked })
    const committed = async () =>
      (await first.runs.journal(run, episodeId(0))).filter((record) => 'effect' in record && record.usage)
    while ((await committed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    await first.stop(1)

    const model = judgingModel()
    const changed = attemptsOf({ ...trees, first: branchedTree('pine') })
    const second = openAnnotationEngine({ world, attempts: changed, model, worker: 'second' })
    await second.start()
    await untilRun(second, 'succeeded')
    const { result } = await second.runs.episode(run, episodeId(0))
    expect(result).toMatchObject({ status: 'succeeded', attempt: 2 })
    expect(model.prompts.filter((prompt) => prompt.includes('pine'))).toHaveLength(questions / 2)
    expect(model.prompts.filter((prompt) => prompt.includes('oak'))).toEqual([])
  })

  test('cannot be extended, and says what to do instead', async () => {
    const { runs } = await askedThrough()
    await expect(runs.extend(run, { limits: { cost: 2 } })).rejects.toMatchObject({
      code: 'invalid_state',
      param: 'run',
      message: expect.stringContaining('a new dataset, or a new scoring, asks anew'),
    })
  })

  test('that is paused or cancelled says so', async () => {
    const engine = await open()
    await engine.annotations.start({ dataset, attempts: asked })
    expect(await engine.annotations.state(run)).toMatchObject({ status: 'going', done: 0, total: 2 })
    await engine.runs.pause(run)
    expect(await engine.annotations.state(run)).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('Paused by request.'),
    })
    await engine.runs.cancel(run)
    expect(await engine.annotations.state(run)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('was cancelled'),
    })
  })
})

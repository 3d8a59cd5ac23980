import { expect, test } from 'vitest'
import { type Episode, episodeId } from '../../../shared/core/contracts/episode.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import {
  type RubricScoringInput,
  rubricScoringRequestSchema,
} from '../../../shared/core/contracts/rubric-scoring.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { Runs } from '../../../shared/core/engine/runs/runs.ts'
import type { Attempts } from '../../../shared/data/datasets/attempts.ts'
import { endDigest } from '../../../shared/data/datasets/end-digest.ts'
import { JudgementStore } from '../../../shared/insight/judgements/judgement-store.ts'
import { openScorings } from '../../../shared/insight/judgements/open-scorings.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { attemptOf } from '../../builders/attempts.ts'
import { endedEpisode, erroredEpisode } from '../../builders/episodes.ts'
import { makeRun } from '../../builders/runs.ts'
import { branchedTree, openAnnotationEngine } from '../../data/datasets/open-annotation-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const run = 'run-played'
const price = 0.001

/** A judge whose answers a test decides; each call costs the price. */
function judge(answer: (prompt: string, call: number) => string): ChatModel & { prompts: string[] } {
  const prompts: string[] = []
  return {
    prompts,
    async complete({ messages }, { meter }) {
      const prompt = messages.map(({ content }) => content).join('\n')
      const reservation = await meter.reserve({ tokens: 100, cost: price })
      const content = answer(prompt, prompts.push(prompt))
      const spent = { input_tokens: 10, output_tokens: 5, cost: price }
      await reservation.settle(spent)
      return { choices: [{ content, finish_reason: 'stop' }], model_calls: 1, ...spent }
    },
  }
}

/** A run that was played, and an engine that judges it. */
async function openPlayed(model: ChatModel, count = 4) {
  const world = await openTestWorld()
  await world.ledger.update({ key: ledgerKeys.run(run), set: { id: run } })
  const episodes: Episode[] = Array.from({ length: count }, (_, index) =>
    endedEpisode(index, `task-${index}`, index % 2, { status: index % 2 ? 'succeeded' : 'failed' }),
  )
  episodes.push(erroredEpisode(count, 'task-error'))
  const attempts: Attempts = {
    async open(source, id) {
      const found = episodes.find((episode) => episode.id === id) as Episode
      return { ...attemptOf(branchedTree(id), { source, episode: id }), end: endDigest(found) }
    },
  }
  const engine = openAnnotationEngine({ world, attempts, model })
  await engine.start()
  const runs: Runs = {
    ...engine.runs,
    annotate: (...given) => engine.runs.annotate(...given),
    cancel: (...given) => engine.runs.cancel(...given),
    journal: (...given) => engine.runs.journal(...given),
    resume: (...given) => engine.runs.resume(...given),
    get: async (id) => (id === run ? makeRun({ id, status: 'succeeded' }) : engine.runs.get(id)),
    episodes: async (id, query) => (id === run ? toList(episodes, false) : engine.runs.episodes(id, query)),
  }
  const scorings = openScorings({ world, runs })
  const store = new JudgementStore(world.ledger)
  const request = (rest: Partial<RubricScoringInput> = {}) =>
    rubricScoringRequestSchema.parse({
      name: 'careful',
      rubric: 'Be careful.',
      model: { endpoint: 'test', id: 'test' },
      ...rest,
    })
  const until = async (rest: Partial<RubricScoringInput> = {}) => {
    for (;;) {
      const state = await scorings.advance(run, request(rest))
      if (state.status !== 'going') return state
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const judged = async () => {
    const found = []
    for await (const judgement of store.read(run)) found.push(judgement)
    return found
  }
  return { ...engine, runs, world, episodes, scorings, request, until, judged }
}

test('each ended episode is judged once, by a run that is paid for like any other', async () => {
  const model = judge((prompt) => `Reasons: so.\nScore: ${prompt.includes('ep-0000001') ? 9 : 2}`)
  const { judged, runs, until } = await openPlayed(model)
  const state = await until()
  expect(state).toMatchObject({
    status: 'ended',
    total: 4,
    skipped: 0,
    scored: 4,
    errors: 0,
    by: { kind: 'scorer', name: 'rubric', model: 'test/test' },
    usage: { model_calls: 4, cost: 0.004 },
  })
  expect((await judged()).map(({ episode, note, value }) => [episode, value, note])).toEqual([
    ['ep-0000000', 0.2, 'so.'],
    ['ep-0000001', 0.9, 'so.'],
    ['ep-0000002', 0.2, 'so.'],
    ['ep-0000003', 0.2, 'so.'],
  ])
  const judging = await runs.get(state.judge_run ?? '')
  expect(judging.request.metadata).toEqual({ scored_run: run, score: 'careful' })
  expect(await until()).toMatchObject({ status: 'ended', total: 4, skipped: 4, judge_run: null })
  expect(model.prompts).toHaveLength(4)
})

test('what the judge does not say readably is an error, asked for anew only when it is asked to', async () => {
  let isClear = false
  const model = judge((prompt) => (prompt.includes('ep-0000002') && !isClear ? 'Good.' : 'Score: 5'))
  const { judged, until } = await openPlayed(model)
  expect(await until()).toMatchObject({ scored: 3, errors: 1 })
  expect((await judged()).filter(({ value }) => value === null)).toMatchObject([
    { episode: 'ep-0000002', error: expect.stringContaining('no score that can be read') },
  ])
  isClear = true
  expect(await until()).toMatchObject({ skipped: 4 })
  expect(await until({ again: true })).toMatchObject({ skipped: 3, scored: 1, errors: 0 })
  expect((await judged()).map(({ value }) => value)).toEqual([0.5, 0.5, 0.5, 0.5])
})

test('at its budget the judge pauses with what it has, and goes on with a higher one', async () => {
  const model = judge(() => 'Score: 5')
  const { judged, until } = await openPlayed(model, 12)
  const paused = await until({ limits: { cost: 4.5 * price } })
  expect(paused).toMatchObject({ status: 'paused', reason: expect.stringContaining('is paused') })
  expect(paused.usage?.cost).toBeLessThanOrEqual(4.5 * price)
  expect((await judged()).length).toBeLessThan(12)
  const ended = await until({ limits: { cost: 1 } })
  expect(ended).toMatchObject({ status: 'ended', total: 12, scored: 12 })
  expect(await judged()).toHaveLength(12)
  expect(model.prompts).toHaveLength(12)
})

test('another rubric judges anew, in place of the first; what was played on is judged anew too', async () => {
  const model = judge((prompt) => (prompt.includes('Be fast.') ? 'Score: 1' : 'Score: 7'))
  const { episodes, judged, until } = await openPlayed(model)
  await until({ limit: 2 })
  expect(await judged()).toHaveLength(2)
  expect(await until()).toMatchObject({ skipped: 2, scored: 2 })
  expect(await until({ rubric: 'Be fast.' })).toMatchObject({ skipped: 0, scored: 4 })
  expect((await judged()).map(({ value }) => value)).toEqual([0.1, 0.1, 0.1, 0.1])
  const [first] = episodes as [Episode]
  episodes[0] = endedEpisode(0, 'task-0', 1, { ...first.result, steps: 99, status: 'succeeded' })
  expect(await until({ rubric: 'Be fast.' })).toMatchObject({ skipped: 3, scored: 1 })
})

test('two who ask at the same moment have one judge at work, and another rubric has to wait', async () => {
  const model = judge(() => 'Score: 5')
  const { request, scorings, until } = await openPlayed(model)
  const both = await Promise.all([0, 1].map(() => scorings.advance(run, request())))
  expect(new Set(both.map(({ judge_run }) => judge_run)).size).toBe(1)
  await until()
  expect(model.prompts).toHaveLength(4)

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: ChatModel = {
    async complete(asked, call) {
      await held
      return model.complete(asked, call)
    },
  }
  const other = await openPlayed(slow)
  await other.scorings.advance(run, other.request())
  await expect(other.scorings.advance(run, other.request({ rubric: 'Be fast.' }))).rejects.toMatchObject({
    code: 'invalid_state',
    param: 'name',
  })
  release()
  expect(await other.until()).toMatchObject({ status: 'ended', scored: 4 })
})

test('a judge whose run is cancelled leaves no judgement of what it was not asked about, and another can start', async () => {
  const model = judge(() => 'Score: 5')
  const hanging: ChatModel = {
    complete: (asked, call) =>
      asked.messages.some(({ content }) => content.includes(`${episodeId(2)} `))
        ? new Promise((_, reject) =>
            call.signal?.addEventListener('abort', () => reject(call.signal?.reason)),
          )
        : model.complete(asked, call),
  }
  const { judged, request, runs, scorings, until } = await openPlayed(hanging)
  const { judge_run } = await scorings.advance(run, request())
  await expect.poll(() => model.prompts.length).toBe(3)
  await runs.cancel(judge_run ?? '')
  expect(await until()).toMatchObject({ status: 'failed', reason: expect.stringContaining('was cancelled') })
  expect((await judged()).map(({ episode }) => episode)).not.toContain(episodeId(2))
})

test('a name that people judge under is refused before a model is asked', async () => {
  const model = judge(() => 'Score: 5')
  const { request, scorings, world } = await openPlayed(model)
  const by = { kind: 'person', name: 'ada' } as const
  const at = '2026-11-26T09:00:00.000Z'
  const judgement = { run, episode: 'ep-0000000', name: 'careful', node: null, by, value: 1, error: null }
  await new JudgementStore(world.ledger).put([{ ...judgement, note: null, at, end: 'x' }])
  await expect(scorings.advance(run, request())).rejects.toMatchObject({ code: 'conflict', param: 'name' })
  expect(model.prompts).toEqual([])
})

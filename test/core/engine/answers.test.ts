import { expect, test } from 'vitest'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ChatChoice, ChatModel } from '../../../shared/play/models/chat-model.ts'
import { judgeAnswers } from '../../../shared/play/search/answer-faults.ts'
import { createCorridor } from '../../play/methods/corridor.ts'
import {
  openTestEngine,
  type TestEngine,
  toRequest,
  untilStatus,
  withTasks,
} from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const kinds = {
  fine: { content: 'Thought: t\nAction: look', finish_reason: 'stop' },
  cut: { content: 'Thought: I think and think', finish_reason: 'length' },
  empty: { content: '', finish_reason: 'stop' },
  'spent on reasoning': { content: '', finish_reason: 'length' },
  filtered: { content: '', finish_reason: 'content_filter' },
  refused: { content: 'I cannot help with that.', finish_reason: 'stop', refused: true },
  unparsable: { content: 'I would rather look around.', finish_reason: 'stop' },
} as const satisfies Record<string, ChatChoice>

type Kind = keyof typeof kinds

/** A model whose answers are all of one kind, or of the kind that stands in `next`. */
function modelOf(kind: Kind): ChatModel & { kind: Kind; calls: number } {
  return {
    kind,
    calls: 0,
    async complete({ n = 1 }) {
      this.calls += 1
      const choices = Array.from({ length: n }, () => ({ ...kinds[this.kind] }))
      return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
    },
  }
}

interface Playing {
  engine: TestEngine
  model: ReturnType<typeof modelOf>
  world: World
  run: string
}

async function start(
  kind: Kind,
  {
    tasks = 20,
    players = 1,
    ...request
  }: Partial<RunRequestInput> & { tasks?: number; players?: number } = {},
): Promise<Playing> {
  const world = await openTestWorld()
  const model = modelOf(kind)
  const environment = withTasks(createCorridor(), tasks as number)
  const engines = Array.from({ length: players }, () => openTestEngine({ world, environment, model }))
  const engine = engines[0] as TestEngine
  const { id } = await engine.runs.create(
    toRequest({ method: { id: 'react', max_steps: 4 }, max_parallel: 4, ...request }),
  )
  for (const { worker } of engines) await worker.start()
  return { engine, model, world, run: id }
}

const ended = ['succeeded', 'failed', 'paused'] as const

test.each<[Kind, RegExp]>([
  ['cut', /^\d+ of the first \d+ answers of the agent were cut or empty: \d+ cut at max_tokens \(512\)\./],
  ['empty', /: \d+ empty\./],
  ['spent on reasoning', /: \d+ cut at max_tokens \(512\)\..*a higher model\.max_tokens/],
])(
  'a run whose first answers are all %s pauses with the reason, and scores nothing',
  async (kind, reason) => {
    const { engine, model, run } = await start(kind)
    const paused = await untilStatus(engine, run, ...ended)
    expect(paused.status).toBe('paused')
    expect(paused.status_reason).toMatch(reason)
    expect(paused.status_reason).toContain('resume it to go on all the same')
    expect(model.calls).toBeGreaterThanOrEqual(10)
    expect(model.calls).toBeLessThan(80)
    const { data } = await engine.runs.episodes(run, { limit: 100 })
    expect(data.map(({ result }) => result?.reward ?? null).every((reward) => reward === null)).toBe(true)
    expect(paused.episodes.failed).toBe(0)
  },
)

test.each([
  [{ reasoned: 1, called: 0 }, /\d+ empty \(\d+ with reasoning alone\)\. .*--reasoning-parser/],
  [{ reasoned: 0, called: 1 }, /\d+ empty \(\d+ with tool calls in place of text\)\. .*turn off tool calls/],
  [undefined, /\d+ empty\. .*chat template/],
])('answers that end without text are not helped by more tokens: %j', async (silent, advice) => {
  const model: ChatModel = {
    async complete() {
      const usage = { model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
      return { choices: [{ ...kinds.empty }], ...(silent && { silent }), ...usage }
    },
  }
  const environment = withTasks(createCorridor(), 20)
  const engine = openTestEngine({ world: await openTestWorld(), environment, model })
  const { id } = await engine.runs.create(
    toRequest({ method: { id: 'react', max_steps: 4 }, max_parallel: 4 }),
  )
  await engine.worker.start()
  const { status_reason } = await untilStatus(engine, id, ...ended)
  expect(status_reason).toMatch(advice)
  expect(status_reason).not.toContain('max_tokens')
})

test('a run that paused while its last episodes were played keeps the reason when all of them end with an error', async () => {
  const { engine, run } = await start('empty', {
    tasks: 10,
    method: { id: 'react', max_steps: 1 },
    max_parallel: 10,
  })
  await untilStatus(engine, run, ...ended)
  await expect
    .poll(async () => (await engine.runs.get(run)).status_reason)
    .toMatch(/^It had paused: 10 of the first 10 answers .* Every episode ended with an error\.$/)
})

test('resumed, it goes on to its end without a pause for the same reason, and still scores no zero', async () => {
  const { engine, run } = await start('cut')
  await untilStatus(engine, run, 'paused')
  await engine.runs.resume(run, {})
  const over = await untilStatus(engine, run, ...ended)
  expect(over).toMatchObject({ status: 'failed', status_reason: 'Every episode ended with an error.' })
  expect(over.episodes).toMatchObject({ errored: 20, failed: 0 })
  expect(over.answers).toMatchObject({ total: 80, cut: 80 })
  expect(over.answer_warnings[0]).toMatchObject({ fault: 'cut', share: 1, param: 'model.max_tokens' })
  const { result } = await engine.runs.episode(run, 'ep-0000000')
  expect(result).toMatchObject({
    status: 'errored',
    reward: null,
    success: null,
    error: { name: 'UnusableAnswers' },
  })
})

test('several workers pause a run once, and count together', async () => {
  const { engine, run, world } = await start('empty', { players: 3, max_parallel: 30 })
  await untilStatus(engine, run, 'paused')
  await new Promise((resolve) => setTimeout(resolve, 200))
  const { episodes, status } = await engine.runs.get(run)
  expect([status, episodes.failed, episodes.limited, episodes.succeeded]).toEqual(['paused', 0, 0, 0])
  const events = await engine.runs.events(run, { after: 0, limit: 100 })
  expect(events.filter((event) => event.type === 'run.status' && event.status === 'paused')).toHaveLength(1)
  const counted = await world.ledger.get(ledgerKeys.firstAnswers(run, 'policy'))
  expect(counted).toMatchObject({ cut: 0 })
  expect(counted?.answers).toBeGreaterThanOrEqual(10)
  expect(counted?.empty).toBe(counted?.answers)
})

test.each<Kind>(['filtered', 'refused', 'unparsable'])(
  'answers that are all %s are answers of the model: scored, counted and warned of',
  async (kind) => {
    const { engine, run } = await start(kind, { tasks: 5 })
    const over = await untilStatus(engine, run, ...ended)
    expect(over.status).toBe('succeeded')
    expect(over.episodes.failed).toBe(5)
    expect(over.answers).toMatchObject({ total: 20, [kind]: 20 })
    expect(over.answer_warnings).toMatchObject([{ asked: 'policy', fault: kind, count: 20, share: 1 }])
  },
)

test('an episode without a single answer of use is no zero, even where there are too few to pause', async () => {
  const { engine, model, run } = await start('spent on reasoning', { tasks: 1 })
  const over = await untilStatus(engine, run, ...ended)
  expect(over).toMatchObject({ status: 'failed', episodes: { errored: 1, failed: 0 } })
  expect(model.calls).toBe(4)
  const { result } = await engine.runs.episode(run, 'ep-0000000')
  expect(result?.error?.message).toContain('model.max_tokens')
  expect(result).toMatchObject({ reward: null, answers: { total: 4, cut: 4 } })

  // Retried, it is asked anew, and what was counted before is no longer counted.
  model.kind = 'fine'
  await engine.runs.retry(run)
  const again = await untilStatus(engine, run, 'succeeded')
  expect(again.episodes).toMatchObject({ errored: 0, failed: 1 })
  expect(again.answers).toEqual({ total: 4, cut: 0, empty: 0, filtered: 0, refused: 0, unparsable: 0 })
  expect(again.answer_warnings).toEqual([])
})

test('a run goes on where most of its first answers are of use', async () => {
  let calls = 0
  const model: ChatModel = {
    async complete() {
      calls += 1
      const choices = [{ ...(calls % 5 === 0 ? kinds.cut : kinds.fine) }]
      return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
    },
  }
  const environment = withTasks(createCorridor(), 20)
  const engine = openTestEngine({ world: await openTestWorld(), environment, model })
  const { id } = await engine.runs.create(
    toRequest({ method: { id: 'react', max_steps: 4 }, max_parallel: 1 }),
  )
  await engine.worker.start()
  const over = await untilStatus(engine, id, ...ended)
  expect(over).toMatchObject({ status: 'succeeded', episodes: { failed: 20 } })
  expect(over.answers).toMatchObject({ total: 80, cut: 16 })
  expect(over.answer_warnings.map(({ message }) => message)).toEqual([
    "20 % of the agent's answers (16 of 80) were cut at max_tokens: raise model.max_tokens (now 512).",
  ])
  // Each episode's counts are those of its journal, and the run's are their sum.
  const { data } = await engine.runs.episodes(id, { limit: 100 })
  for (const { id: episode, result } of data)
    expect(result?.answers).toEqual(judgeAnswers(await engine.runs.journal(id, episode)).counts)
})

test('the role whose answers cannot be read is named, with its own limit', async () => {
  const model: ChatModel = {
    async complete({ messages, n = 1 }) {
      const isJudged = messages[0]?.content.startsWith('You judge') === true
      const choices = Array.from({ length: n }, () => ({ ...(isJudged ? kinds.cut : kinds.fine) }))
      return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: 0 }
    },
  }
  const environment = withTasks(createCorridor(), 20)
  const engine = openTestEngine({ world: await openTestWorld(), environment, model })
  const search = { iterations: 1, branching: 1, proposals: 1, max_steps: 2, rubric: false, verdicts: 4 }
  const roles = { value: { max_tokens: 64 } }
  const { id } = await engine.runs.create(
    toRequest({ method: { id: 'mcts', value: 'judge', ...search }, roles }),
  )
  await engine.worker.start()
  const { status, status_reason } = await untilStatus(engine, id, ...ended)
  expect(status).toBe('paused')
  expect(status_reason).toMatch(/answers of the role "value" were cut or empty: \d+ cut at max_tokens \(64\)/)
  expect(status_reason).toContain('a higher roles.value.max_tokens')
})

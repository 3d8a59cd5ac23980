import { describe, expect, test } from 'vitest'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { PathStep } from '../../shared/environments/recorded-path.ts'
import { SessionPool } from '../../shared/environments/session-pool.ts'
import type { SeenResult, SessionResult, SessionSource } from '../../shared/environments/session-source.ts'

interface Counter {
  count: number
}

interface CountingOptions {
  /** Names the state; where it changes, so did the environment. */
  hashOf?: (count: number) => string
  /** Fails after the step was taken. */
  onStep?: (action: string) => void
  /** Fails after the session was put back. */
  onRestore?: () => void
  withSnapshots?: boolean
  /** What plays it. */
  runtime?: string
}

/** Sessions of a game that counts its steps, and shows every tenth only. */
function openCounting({
  hashOf = String,
  onStep,
  onRestore,
  withSnapshots = false,
  runtime,
}: CountingOptions = {}): SessionSource & {
  opened: number
  steps: number
} {
  const resultOf = ({ count }: Counter): SessionResult => ({
    observation: `ten times ${Math.floor(count / 10)}`,
    reward: 0,
    done: false,
    valid: true,
    progress: 0,
    state_hash: hashOf(count),
    snapshot: withSnapshots ? ({ state: { count } } as unknown as SessionResult['snapshot']) : null,
  })
  const source = {
    opened: 0,
    steps: 0,
    async open() {
      source.opened += 1
      const session: Counter = { count: 0 }
      const live = {
        async step(action: string) {
          source.steps += 1
          session.count += Number(action)
          onStep?.(action)
          return resultOf(session)
        },
        async restore(snapshot: SessionResult['snapshot']) {
          session.count = Number(snapshot?.state.count ?? 0)
          onRestore?.()
          return resultOf(session)
        },
        async close() {},
      }
      const started = { ...resultOf(session), snapshot: null }
      return { live, result: { ...started, ...(runtime !== undefined && { runtime }) } }
    },
  }
  return source
}

const task = { id: 'count', seed: 0, holder: 'a test' }
const { signal } = new AbortController()

/** What a step of a path, or its start, is recorded as. */
const recorded = (action: string | null, observation: string, state_hash: string): PathStep => ({
  action,
  answer: { observation, reward: 0, done: false, valid: true, progress: 0, state_hash },
})

describe('a session whose call failed', () => {
  const failure = new EspalierError('endpoint_failed', 'The answer has another shape than it should.')

  test('is not stepped on from, because the step may have been taken', async () => {
    let isBroken = true
    const onStep = () => {
      if (!isBroken) return
      isBroken = false
      throw failure
    }
    const pool = new SessionPool(openCounting({ onStep }), task, [0, 0, 0, 0])
    const start = { action: null, answer: await pool.open(signal) }
    // Both are taken from the start, as the samples of one node are.
    const first = pool.step([start], '7', signal)
    const second = pool.step([start], '7', signal)
    await expect(first).rejects.toBe(failure)
    expect(await second).toMatchObject({ state_hash: '7' })
  })

  test('is not stepped on from, because it may have been put back', async () => {
    const onRestore = () => {
      throw failure
    }
    const pool = new SessionPool(openCounting({ onRestore }), task, [0, 0, 0, 0])
    const start = { action: null, answer: await pool.open(signal) }
    const seven = { action: '7', answer: await pool.step([start], '7', signal) }
    const first = pool.step([start], '1', signal)
    const second = pool.step([start, seven], '7', signal)
    await expect(first).rejects.toBe(failure)
    expect(await second).toMatchObject({ observation: 'ten times 1', state_hash: '14' })
  })
})

describe('a recorded path', () => {
  const start = recorded(null, 'ten times 0', '0')
  const seven = recorded('7', 'ten times 0', '7')
  const eight = recorded('1', 'ten times 0', '8')

  test('is not gone where the same is shown of another state', async () => {
    const source = openCounting({ hashOf: (count) => `${count} of a new version` })
    const pool = new SessionPool(source, task, [0, 0, 0, 0])
    await expect(
      pool.step([recorded(null, 'ten times 0', '0 of a new version'), seven], '1', signal),
    ).rejects.toMatchObject({
      code: 'replay_diverged',
      message: expect.stringMatching(/step 1 \("7"\).*state_hash/),
    })
  })

  test('that is not gone by another version of a browser says both versions', async () => {
    const source = openCounting({ hashOf: (count) => `${count} anew`, runtime: 'Chromium 156.0' })
    const begun = { ...start, answer: { ...start.answer, runtime: 'Chromium 153.0' } }
    const replay = (from: PathStep) => new SessionPool(source, task, []).step([from], '1', signal)
    await expect(replay(begun)).rejects.toMatchObject({
      code: 'replay_diverged',
      message: expect.stringMatching(/began with Chromium 153\.0, and this replay is by Chromium 156\.0/),
    })
    await expect(replay(start)).rejects.toMatchObject({ message: expect.not.stringContaining('Chromium') })
  })

  test('is gone once, and gone back to by snapshots from then on', async () => {
    const source = openCounting({ withSnapshots: true })
    const pool = new SessionPool(source, task, [0, 0, 0, 0])
    expect(await pool.step([start, seven, eight], '1', signal)).toMatchObject({ state_hash: '9' })
    expect(source.steps).toBe(3)
    expect(await pool.step([start, seven], '2', signal)).toMatchObject({ state_hash: '9' })
    expect(source.steps).toBe(4)
    expect(source.opened).toBe(1)
  })
})

test('where replays are matched, other texts are no difference, and a step says what its action was chosen by', async () => {
  const seen: (SeenResult | undefined)[] = []
  let visit = 0
  const source: SessionSource = {
    async open() {
      visit += 1
      const page = (name: string, reward = 0) => ({
        ...{ observation: `${name} on visit ${visit}`, reward, done: false, valid: true },
        ...{ progress: 0, state_hash: null, snapshot: null },
      })
      const live = {
        async step(action: string, _signal: AbortSignal, chosenBy?: SeenResult) {
          seen.push(chosenBy)
          return page(action, action === 'lucky' && visit > 1 ? 1 : 0)
        },
        restore: async () => page('start'),
        close: async () => undefined,
      }
      return { live, result: page('start') }
    },
  }
  const open = () => new SessionPool(source, { ...task, replays: 'matched' })
  const first = open()
  const start = { action: null, answer: await first.open(signal) }
  const one = { action: 'one', answer: await first.step([start], 'one', signal) }
  await first.step([start, one], 'two', signal)
  expect(seen.splice(0)).toEqual([undefined, undefined])
  const again = await open().step([start, one], 'two', signal)
  expect(again.observation).toBe('two on visit 2')
  expect(seen.map((each) => each?.observation)).toEqual(['start on visit 1', 'one on visit 1'])
  // A sketch of a screen is named only to who shows one.
  const sketched = { ...one, answer: { ...one.answer, screen: 'a sketch' } }
  seen.length = 0
  await open().step([start, sketched], 'two', signal)
  expect(seen.every((each) => each?.screen === undefined)).toBe(true)
  const lucky = { ...one, action: 'lucky' }
  const before = visit
  await expect(open().step([start, lucky], 'two', signal)).rejects.toMatchObject({ code: 'replay_diverged' })
  expect(visit - before).toBe(2)
})

test.each([
  ['matched', true],
  ['exact', false],
] as const)(
  'where replays are %s, whether one that diverged is tried once more is %s',
  async (replays, isTried) => {
    const answer = { done: false, valid: true, progress: 0, state_hash: null, snapshot: null }
    let taken = 0
    const live = {
      async step(action: string) {
        taken += 1
        return { ...answer, observation: action, reward: taken === 1 ? 1 : 0 }
      },
      restore: async () => ({ ...answer, observation: 'start', reward: 0 }),
      close: async () => undefined,
    }
    const source: SessionSource = { open: async () => ({ live, result: await live.restore() }) }
    const start = { action: null, answer: { ...answer, observation: 'start', reward: 0 } }
    const one = { action: 'one', answer: { ...answer, observation: 'one', reward: 0 } }
    const step = new SessionPool(source, { ...task, replays }).step([start, one], 'two', signal)
    if (isTried) expect(await step).toMatchObject({ observation: 'two' })
    else await expect(step).rejects.toMatchObject({ code: 'replay_diverged' })
    expect(taken).toBe(isTried ? 3 : 1)
  },
)

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import type { PathStep, RecordedAnswer } from '../../shared/environments/recorded-path.ts'
import { SessionLostError } from '../../shared/environments/session-lost-error.ts'
import { SessionPool } from '../../shared/environments/session-pool.ts'
import type {
  SeenResult,
  SessionRequest,
  SessionResult,
  SessionSource,
} from '../../shared/environments/session-source.ts'

const { signal } = new AbortController()
const task = { id: 'maze', seed: 0, holder: 'a test' }

interface MazeOptions {
  /** Sessions at once; the pool's first waits for nothing here. */
  room?: number
  /** Whether the next call in a session loses it. */
  isLost?: () => boolean
  /** Whether anyone lacks room while the next call is made. */
  isWanted?: () => boolean
  /** Sessions show texts of their own. */
  isMatched?: boolean
}

/** A game whose states are the actions that led there: any two differ, and the same actions lead to the same state. */
function openMaze({ room = 99, isLost = () => false, isWanted = () => false, isMatched }: MazeOptions = {}) {
  const counted = { actions: 0, resets: 0, spares: 0, most: 0 }
  const open = new Set<object>()
  const wanted = new Set<() => void>()
  const resultOf = (path: readonly string[], by: number): SessionResult => ({
    observation: `at ${path.join(' ')}${isMatched ? ` in session ${by}` : ''}`,
    reward: 0,
    done: path.at(-1) === 'end',
    valid: true,
    progress: 0,
    state_hash: isMatched ? null : path.join(' '),
    snapshot: null,
  })
  const begin = ({ onNoRoom }: SessionRequest, isSpare: boolean) => {
    const by = counted.resets
    counted.resets += 1
    let path: string[] = []
    const key = {}
    const giveUp = () => onNoRoom?.()
    open.add(key)
    if (isSpare) wanted.add(giveUp)
    counted.most = Math.max(counted.most, open.size)
    const called = async () => {
      await Promise.resolve()
      if (isWanted()) for (const each of [...wanted]) each()
      if (!open.has(key) || isLost()) throw new SessionLostError('The session is gone.')
    }
    const live = {
      async step(action: string, _signal: AbortSignal, seen?: SeenResult) {
        await called()
        // What was seen is named where this session showed something else.
        if (isMatched) expect(seen?.observation.startsWith(`at ${path.join(' ')} in`) ?? true).toBe(true)
        expect(path.at(-1)).not.toBe('end')
        counted.actions += 1
        path = [...path, action]
        return resultOf(path, by)
      },
      async restore() {
        await called()
        counted.resets += 1
        path = []
        return resultOf(path, by)
      },
      async close() {
        open.delete(key)
        wanted.delete(giveUp)
      },
    }
    return { live, result: resultOf([], by) }
  }
  const source: SessionSource = {
    open: async (request) => begin(request, false),
    async openSpare(request) {
      if (open.size >= room) return null
      counted.spares += 1
      return begin(request, true)
    },
  }
  return { source, counted, open }
}

/** Actions at states that were reached before, in any order, as a search takes them. */
const searches = fc.array(fc.record({ from: fc.nat(), action: fc.constantFrom('a', 'b', 'end') }), {
  minLength: 1,
  maxLength: 40,
})

type Step = typeof searches extends fc.Arbitrary<(infer Each)[]> ? Each : never

/** Takes the actions of a search in sessions of a maze. @returns what each was answered, and how many actions it took there */
async function search(
  steps: readonly Step[],
  sessions: number,
  { replays = 'exact', ...maze }: MazeOptions & { replays?: 'exact' | 'matched' } = {},
) {
  const { source, counted, open } = openMaze({ ...maze, isMatched: replays === 'matched' })
  const pool = new SessionPool(source, { ...task, sessions, replays }, Array(200).fill(0))
  const paths: PathStep[][] = [[{ action: null, answer: await pool.open(signal) }]]
  const answers: RecordedAnswer[] = []
  const actions: number[] = []
  for (const { from, action } of steps) {
    const open = paths.filter((path) => path.at(-1)?.answer.done !== true)
    const path = open[from % open.length] as PathStep[]
    const before = counted.actions
    // As it is read from a journal.
    const answer = structuredClone(await pool.step(path, action, signal))
    answers.push(answer)
    actions.push(counted.actions - before)
    paths.push([...path, { action, answer }])
  }
  const left = open.size
  await pool.close()
  return { answers, actions, counted, left, leaked: open.size }
}

const kinds = fc.constantFrom('exact' as const, 'matched' as const)
const placesOf = (answers: readonly RecordedAnswer[]) =>
  answers.map(({ observation, ...rest }) => ({ ...rest, at: observation.replace(/ in session .*/, '') }))

describe('sessions that stand at different states', () => {
  test('answer as one session does, and no step takes more actions or resets than with one', async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.integer({ min: 2, max: 6 }), kinds, async (steps, sessions, replays) => {
        const one = await search(steps, 1, { replays })
        const more = await search(steps, sessions, { replays })
        expect(placesOf(more.answers)).toEqual(placesOf(one.answers))
        for (const [index, actions] of more.actions.entries()) {
          expect(actions).toBeLessThanOrEqual(one.actions[index] as number)
        }
        expect(more.counted.resets).toBeLessThanOrEqual(one.counted.resets)
        expect(more.counted.most).toBeLessThanOrEqual(sessions)
        expect(one.counted.most).toBe(1)
        expect(more.leaked).toBe(0)
      }),
    )
  })

  test('answer so too where they are lost, given up for others, or find no room', async () => {
    const chances = fc.record({ lost: fc.double({ min: 0, max: 0.3, noNaN: true }), seed: fc.nat() })
    await fc.assert(
      fc.asyncProperty(
        searches,
        chances,
        kinds,
        fc.nat({ max: 5 }),
        async (steps, { lost, seed }, replays, room) => {
          const random = seededRandom('maze', String(seed))
          const chance = (share: number) => () => random() < share
          const troubled = { replays, room, isLost: chance(lost), isWanted: chance(0.1) }
          const { answers, counted, leaked } = await search(steps, 5, troubled)
          expect(placesOf(answers)).toEqual(placesOf((await search(steps, 1, { replays })).answers))
          expect(counted.most).toBeLessThanOrEqual(Math.max(1, room))
          expect(leaked).toBe(0)
        },
      ),
    )
  })

  // Each of two branches is gone on with in turn.
  const inTurn = [0, 0, 1, 2, 3, 4, 5, 6].map((from) => ({
    from,
    action: from % 2 === 0 ? ('a' as const) : ('b' as const),
  }))

  test('are used where each stands: two branches that grow in turn are never replayed', async () => {
    expect((await search(inTurn, 2)).actions).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect((await search(inTurn, 1)).actions.at(-1)).toBeGreaterThan(2)
  })

  test('are closed at once when anyone lacks room, but for the first', async () => {
    let isWanted = false
    const given = await search(inTurn, 2, { isWanted: () => isWanted })
    expect([given.left, given.counted.spares]).toEqual([2, 1])
    isWanted = true
    const taken = await search(inTurn, 2, { isWanted: () => isWanted })
    expect(taken.left).toBe(1)
    expect(taken.answers).toEqual(given.answers)
  })

  test('are not opened where that fails, and the step is taken all the same', async () => {
    const { source, counted } = openMaze()
    let tries = 0
    const openSpare = async () => {
      tries += 1
      throw new Error('no host')
    }
    const pool = new SessionPool({ ...source, openSpare }, { ...task, sessions: 3 }, [])
    const start = { action: null, answer: await pool.open(signal) }
    for (const action of ['a', 'b', 'a']) {
      expect((await pool.step([start], action, signal)).observation).toBe(`at ${action}`)
    }
    expect([tries, counted.resets, counted.most]).toEqual([1, 3, 1])
  })

  test('are all left by an episode that ends, also those that stand idle', async () => {
    expect(await search(inTurn, 4)).toMatchObject({ left: 2, leaked: 0 })
  })
})

test('where another session stands, a lost one costs no pause', async () => {
  let losing = false
  const isLost = () => {
    const isNow = losing
    losing = false
    return isNow
  }
  const { source } = openMaze({ isLost })
  const pool = new SessionPool(source, { ...task, sessions: 2 }, [])
  const start = { action: null, answer: await pool.open(signal) }
  const one = { action: 'a', answer: await pool.step([start], 'a', signal) }
  await pool.step([start], 'b', signal)
  losing = true
  expect((await pool.step([start, one], 'b', signal)).observation).toBe('at a b')
})

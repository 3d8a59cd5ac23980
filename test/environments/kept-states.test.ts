import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { PathStep } from '../../shared/environments/recorded-path.ts'
import { SessionLostError } from '../../shared/environments/session-lost-error.ts'
import { SessionPool } from '../../shared/environments/session-pool.ts'
import type { SessionResult, SessionSource } from '../../shared/environments/session-source.ts'

const { signal } = new AbortController()
const notKept = () => new EspalierError('state_not_kept', 'It is not kept.')

/** What a word is after an action: a letter more, or, by `back`, the word before. */
function after(words: readonly string[], action: string): readonly string[] {
  return action === 'back' ? words.slice(0, Math.max(1, words.length - 1)) : [...words, words.at(-1) + action]
}

interface Keeping {
  /** Whether a word is kept when it is reached. */
  isKept?: (word: string) => boolean
  /** How many words are kept at most. */
  most?: number
  /** How many hosts take turns in opening sessions. */
  hosts?: number
  /** What comes back for a word that was kept. */
  comesBack?: (word: string) => string
}

/**
 * Sessions of a game that writes words, and goes back among those that it has written. A word that was kept comes back
 * without the ones before it.
 */
function openWords({
  isKept = () => true,
  most = Number.POSITIVE_INFINITY,
  hosts = 1,
  comesBack = (word) => word,
}: Keeping = {}) {
  const kept = new Map<string, string>()
  let named = 0
  const counted = { steps: 0, restored: 0, opened: 0, refused: 0, notKept: 0 }
  const resultOf = (word: string): SessionResult => ({
    ...{ observation: `The word is "${word}".`, reward: 0, done: false, valid: true, progress: 0 },
    ...{ state_hash: null, snapshot: null },
  })
  const keep = (host: string, word: string): SessionResult['snapshot'] => {
    if (!isKept(word)) return null
    named += 1
    const name = `${host} ${named}`
    kept.set(name, word)
    if (kept.size > most) kept.delete(kept.keys().next().value ?? '')
    return { state: { name } } as unknown as SessionResult['snapshot']
  }
  const source: SessionSource = {
    async open() {
      const host = `host ${counted.opened % hosts}`
      counted.opened += 1
      let words: readonly string[] = ['']
      let isWhole = true
      const live = {
        host,
        async step(action: string) {
          if (action === 'back' && !isWhole && words.length === 1) {
            counted.refused += 1
            throw notKept()
          }
          counted.steps += 1
          words = after(words, action)
          const word = words.at(-1) ?? ''
          return { ...resultOf(word), snapshot: keep(host, word) }
        },
        async restore(snapshot: SessionResult['snapshot']) {
          const name = String(snapshot?.state.name)
          const isHere = name.startsWith(host)
          const word = snapshot === null ? '' : isHere ? kept.get(name) : undefined
          if (word === undefined) {
            words = ['lost']
            counted.notKept += 1
            throw notKept()
          }
          if (snapshot !== null) counted.restored += 1
          words = [snapshot === null ? word : comesBack(word)]
          isWhole = snapshot === null
          return resultOf(word)
        },
        async close() {},
      }
      return { live, result: resultOf('') }
    },
  }
  return { source, counted }
}

/** Takes actions from earlier states, each by its number, and compares what is answered with the words. */
async function search(
  source: SessionSource,
  choices: readonly (readonly [from: number, action: string])[],
  sessions = 1,
): Promise<void> {
  const pool = new SessionPool(source, { id: 'words', seed: 0, holder: 'a test', sessions }, [0, 0])
  const start: PathStep = { action: null, answer: await pool.open(signal) }
  const nodes: { path: PathStep[]; words: readonly string[] }[] = [{ path: [start], words: [''] }]
  for (const [from, action] of choices) {
    const { path, words } = nodes[from % nodes.length] as (typeof nodes)[number]
    const answer = await pool.step(path, action, signal)
    const written = after(words, action)
    expect(answer.observation).toBe(`The word is "${written.at(-1)}".`)
    nodes.push({ path: [...path, { action, answer }], words: written })
  }
  await pool.close()
}

const from = fc.nat(1000)
const letters = fc.constantFrom('a', 'b', 'c')

test('where every state is kept, each action is taken once, whatever is gone back to', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(from, letters), { maxLength: 40 }), async (choices) => {
      const { source, counted } = openWords()
      await search(source, choices)
      expect(counted).toMatchObject({ steps: choices.length, opened: 1 })
    }),
  ))

test('answers are those of who goes all the way again, where some states are kept, for some time, without what was before', async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(from, fc.oneof({ weight: 3, arbitrary: letters }, fc.constant('back'))), {
        maxLength: 40,
      }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 2 }),
      async (choices, most, sessions, hosts) => {
        const { source, counted } = openWords({ isKept: (word) => !word.endsWith('b'), most, hosts })
        await search({ ...source, openSpare: source.open }, choices, sessions)
        refused += counted.refused
      },
    ),
    { numRuns: 300 },
  )
  expect(refused).toBeGreaterThan(0)
})

test('several sessions take no more actions than one', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(from, letters), { maxLength: 40 }),
      fc.integer({ min: 2, max: 4 }),
      async (choices, sessions) => {
        const isKept = (word: string) => !word.endsWith('b')
        const [one, several] = [openWords({ isKept }), openWords({ isKept })]
        await search(one.source, choices)
        await search({ ...several.source, openSpare: several.source.open }, choices, sessions)
        expect(several.counted.steps).toBeLessThanOrEqual(one.counted.steps)
      },
    ),
  ))

test('a state is gone back to on the host that keeps it', async () => {
  const { source, counted } = openWords({ hosts: 2, isKept: (word) => !word.endsWith('b') })
  const choices = [
    [0, 'a'],
    [1, 'b'],
    [0, 'c'],
    [1, 'c'],
    [3, 'a'],
    [3, 'c'],
  ] as const
  await search({ ...source, openSpare: source.open }, choices, 2)
  expect(counted).toMatchObject({ opened: 2, notKept: 0, steps: choices.length })
})

test('a state that is kept no more is gone to by its actions, and the session goes on', async () => {
  const { source, counted } = openWords({ most: 1 })
  await search(source, [
    [0, 'a'],
    [1, 'b'],
    [1, 'c'],
    [1, 'a'],
  ])
  expect(counted).toMatchObject({ opened: 1, restored: 0, steps: 6 })
})

test('a state that comes back as another is found out by the recorded steps after it, and all are taken again', async () => {
  const isKept = (word: string) => word === 'a'
  const { source, counted } = openWords({ isKept, comesBack: () => 'z' })
  await search(source, [
    [0, 'a'],
    [1, 'b'],
    [2, 'c'],
    [0, 'b'],
    [2, 'a'],
  ])
  expect(counted).toMatchObject({ opened: 2, restored: 1 })
})

test('sessions at states that only their actions lead to keep their places, where there is room for others', async () => {
  const { source, counted } = openWords({ isKept: (word) => !word.endsWith('b') })
  const choices = [
    [0, 'a'],
    [1, 'b'],
    [0, 'c'],
    [3, 'b'],
    [2, 'b'],
    [4, 'b'],
    [5, 'b'],
    [6, 'b'],
  ] as const
  await search({ ...source, openSpare: source.open }, choices, 3)
  expect(counted).toMatchObject({ opened: 2, steps: choices.length })
})

test('a state that a host cannot go back to, whatever the reason, is gone to by its actions in the next session', async () => {
  const { source, counted } = openWords({
    comesBack: () => {
      throw new SessionLostError('The host has not answered.')
    },
  })
  await search(source, [
    [0, 'a'],
    [1, 'b'],
    [1, 'c'],
  ])
  expect(counted).toMatchObject({ opened: 2, restored: 1, steps: 4 })
})

test('a state is not asked for where no session is on its host', async () => {
  const { source, counted } = openWords({ hosts: 2 })
  const pool = new SessionPool(source, { id: 'words', seed: 0, holder: 'a test' }, [0, 0])
  const start: PathStep = { action: null, answer: await pool.open(signal) }
  const a: PathStep = { action: 'a', answer: await pool.step([start], 'a', signal) }
  await pool.open(signal)
  await pool.step([start, a], 'b', signal)
  await pool.close()
  expect(counted).toMatchObject({ opened: 2, restored: 0, notKept: 0, steps: 3 })
})

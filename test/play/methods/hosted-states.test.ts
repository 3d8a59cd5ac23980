import { expect, test } from 'vitest'
import { EpisodePlayer } from '../../../shared/core/engine/episode-player.ts'
import { Journal } from '../../../shared/core/engine/journal.ts'
import type { SessionSource } from '../../../shared/environments/session-source.ts'
import { HostedStates } from '../../../shared/play/methods/hosted-states.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

/** Sessions without snapshots that show the actions taken in them, and for each of them how many were taken in all. */
function countingSessions() {
  const taken: string[] = []
  const resultOf = (path: readonly string[]) => ({
    observation: `after ${path.join(', ')}`,
    reward: 0,
    done: false,
    valid: true,
    progress: 0,
    state_hash: path.join('/'),
    snapshot: null,
  })
  const source: SessionSource = {
    async open() {
      let path: string[] = []
      const live = {
        async step(action: string) {
          taken.push(action)
          path = [...path, action]
          return resultOf(path)
        },
        async restore() {
          path = []
          return resultOf(path)
        },
        async validActions() {
          return [`on from ${path.join(', ')}`]
        },
        async close() {},
      }
      return { live, result: resultOf(path) }
    },
  }
  return { source, taken }
}

/** Takes `a`, then `b`, at two nodes each that the same actions lead to. @returns what all nodes showed */
async function playTwice(
  deterministic: boolean,
  { source, world }: { source: SessionSource; world: Awaited<ReturnType<typeof openTestWorld>> },
  listed?: string[],
): Promise<string[]> {
  const { objects, clock } = world
  const journal = await Journal.open({ objects, clock, prefix: 'journal/', writer: 'w', code: 'code' })
  const shown: string[] = []
  const player = new EpisodePlayer({
    journal,
    steps: () => 0,
    limits: {},
    seed: ['seed'],
    async play(effects) {
      const facts = { ...createHashEnvironment(1), deterministic }
      const states = new HostedStates(effects, source, { facts, seed: 0, holder: 'test' })
      await states.open('task', 'root')
      for (const [from, action, key] of [
        ['root', 'a', 'first'],
        ['first', 'b', 'first/next'],
        ['root', 'a', 'second'],
        ['second', 'b', 'second/next'],
        ['second', 'c', 'second/other'],
      ] as const) {
        shown.push((await states.step(from, action, key)).observation)
      }
      for (const key of listed ? ['first', 'second/next', 'first'] : [])
        listed?.push(...((await states.validActions(key)) ?? ['none']))
      await states.close()
    },
  })
  expect((await player.play()).type).toBe('ended')
  return shown
}

const shown = ['after a', 'after a, b', 'after a', 'after a, b', 'after a, c']

test('actions that were taken before are answered without a session where the environment is deterministic', async () => {
  const { source, taken } = countingSessions()
  expect(await playTwice(true, { source, world: await openTestWorld() })).toEqual(shown)
  expect(taken).toEqual(['a', 'b', 'a', 'c'])
})

test('they are taken again where it is not', async () => {
  const { source, taken } = countingSessions()
  expect(await playTwice(false, { source, world: await openTestWorld() })).toEqual(shown)
  expect(taken.length).toBeGreaterThan(4)
})

test('an episode that is played again from its journal shows the same, and takes nothing', async () => {
  const world = await openTestWorld()
  await playTwice(true, { source: countingSessions().source, world })
  const { source, taken } = countingSessions()
  expect(await playTwice(true, { source, world })).toEqual(shown)
  expect(taken).toEqual([])
})

test('the possible actions of a state are listed by a session that is brought there, and by the journal later', async () => {
  const { source } = countingSessions()
  const world = await openTestWorld()
  const [first, again]: string[][] = [[], []]
  await playTwice(true, { source, world }, first)
  await playTwice(true, { source: { open: () => Promise.reject(new Error('Nothing opens.')) }, world }, again)
  expect(first).toEqual(['on from a', 'on from a, b', 'on from a'])
  expect(again).toEqual(first)
})

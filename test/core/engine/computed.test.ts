import { expect, test } from 'vitest'
import type { EffectScope } from '../../../shared/core/engine/effect-scope.ts'
import { EpisodePlayer, type PlayOutcome } from '../../../shared/core/engine/episode-player.ts'
import { Journal } from '../../../shared/core/engine/journal.ts'
import { readJournal } from '../../../shared/core/engine/read-journal.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const prefix = 'runs/run/episodes/ep-0000000/attempts/1/journal/'
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function createPlayer(
  { objects, clock }: World,
  play: (scope: EffectScope) => Promise<void>,
): Promise<EpisodePlayer> {
  const journal = await Journal.open({
    objects,
    clock,
    prefix,
    writer: `writer-${Math.random()}`,
    code: 'code',
  })
  return new EpisodePlayer({ journal, play, steps: () => 0, limits: {}, seed: ['seed'] })
}

/** Branches side by side, each of which writes what it computes before and after an effect. */
function branches(delay: () => number): (scope: EffectScope) => Promise<void> {
  return async (scope) => {
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const compute = (value: string) =>
          scope.compute(async () => {
            await sleep(delay())
            return value
          })
        scope.write({ first: await compute(`${name}1`) })
        const said = await scope.effect(name, { settings: name }, async () => ({ result: name }))
        scope.write({ second: await compute(`${said}2`) })
      }),
    )
  }
}

async function entriesOf({ objects }: World): Promise<unknown[]> {
  const { records } = await readJournal(objects, prefix)
  return records.flatMap((record) => ('entry' in record ? [record.entry] : []))
}

test('the order of things does not depend on how long a computation takes, live and in replays', async () => {
  const world = await openTestWorld()
  let left = 60
  // A later question is answered sooner.
  const first = await createPlayer(
    world,
    branches(() => (left -= 6)),
  )
  expect(await first.play()).toEqual({ type: 'ended', limit: null })
  const entries = await entriesOf(world)
  expect(entries.slice(0, 3)).toEqual([{ first: 'a1' }, { first: 'b1' }, { first: 'c1' }])
  const again = await createPlayer(
    world,
    branches(() => Math.random() * 10),
  )
  expect(await again.play()).toEqual({ type: 'ended', limit: null })
  expect(await entriesOf(world)).toEqual(entries)
})

test('a computation that fails ends the attempt, whatever the function would catch', async () => {
  const world = await openTestWorld()
  const error = new Error('broken')
  const player = await createPlayer(world, async (scope) => {
    try {
      await scope.compute(async () => {
        throw error
      })
    } catch {
      scope.write({ caught: true })
    }
  })
  expect(await player.play()).toEqual({ type: 'failed', error, effect: null } satisfies PlayOutcome)
})

test('a worker that cannot wait any longer leaves the episode to the next', async () => {
  const world = await openTestWorld()
  const endless = await createPlayer(world, async (scope) => {
    await scope.compute(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
  })
  const outcome = endless.play()
  await sleep(5)
  endless.stop('deadline', 'No time is left.')
  endless.abort()
  expect(await outcome).toEqual({ type: 'left', reason: 'deadline', message: 'No time is left.' })
})

import { expect, test } from 'vitest'
import { EpisodePlayer } from '../../../../shared/core/engine/episode-player.ts'
import { Journal } from '../../../../shared/core/engine/journal.ts'
import { JournalFencedError } from '../../../../shared/core/engine/journal-fenced-error.ts'
import { readJournal } from '../../../../shared/core/engine/read-journal.ts'
import { readTokens } from '../../../../shared/core/engine/tokens/token-log.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { mortalWorld } from '../../../support/mortal-world.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { tokenRecord } from '../../../support/token-record.ts'

const prefix = 'runs/a/journal/'
const tokens = 'runs/a/tokens/'

function open({ objects, clock }: World, writer: string): Promise<Journal> {
  return Journal.open({ objects, clock, prefix, tokens, writer, code: 'test' })
}

const calls = 6
const nameOf = (call: number) => `node/${call}/sample/0`
const promptOf = (call: number) => Array.from({ length: 20 + 5 * call }, (_, place) => place)

/** Plays calls one after the other, each with its tokens, or without. */
async function play(world: World, writer: string, records = true): Promise<void> {
  const player = new EpisodePlayer({
    journal: await open(world, writer),
    steps: () => 0,
    limits: {},
    seed: ['a'],
    async play(scope) {
      for (let call = 0; call < calls; call += 1) {
        const record = tokenRecord(nameOf(call), { prompt_ids: promptOf(call) })
        await scope.effect(nameOf(call), { settings: { call } }, async () => ({
          result: call,
          ...(records && { tokens: record }),
        }))
      }
    },
  })
  await player.play()
}

async function recorded({ objects }: World) {
  const { records } = await readJournal(objects, prefix)
  return { records, tokens: await readTokens(objects, tokens, records) }
}

test.each([false, true])(
  'a kill at any write loses no token record, the write done: %s',
  async (isWritten) => {
    const undisturbed = await openTestWorld()
    await play(undisturbed, 'w')
    const expected = (await recorded(undisturbed)).tokens
    expect(expected.map(({ call }) => call)).toEqual(Array.from({ length: calls }, (_, call) => nameOf(call)))
    for (let writes = 1; writes <= 2 * calls; writes += 1) {
      const world = await openTestWorld()
      const mortal = mortalWorld(world, writes, isWritten)
      void play(mortal.world, 'first')
      await mortal.dead
      const before = await recorded(world)
      const committed = before.records.flatMap((record) => ('effect' in record ? [record.effect] : []))
      expect(
        before.tokens.map(({ call }) => call),
        `killed at write ${writes}`,
      ).toEqual(committed)
      await play(world, 'second')
      expect((await recorded(world)).tokens).toEqual(expected)
    }
  },
)

test('records are beside the journal, whose lines are the same without them', async () => {
  const [withTokens, without] = [await openTestWorld(), await openTestWorld()]
  await play(withTokens, 'w')
  await play(without, 'w', false)
  const lines = async (world: World) =>
    (await recorded(world)).records.filter((record) => !('segment' in record))
  expect(await lines(withTokens)).toEqual(await lines(without))
  expect((await without.objects.list(tokens)).objects).toEqual([])
})

test('the ids of a call are found by its writer, and by one that opens the journal later', async () => {
  const world = await openTestWorld()
  await play(world, 'first')
  for (const writer of ['second', 'third']) {
    const journal = await open(world, writer)
    for (let call = calls - 1; call >= 0; call -= 1)
      expect(await journal.tokensOf(nameOf(call), 0)).toEqual([...promptOf(call), 4, 5])
    expect(await journal.tokensOf(nameOf(0), 1)).toBeNull()
    expect(await journal.tokensOf('node/99/sample/0', 0)).toBeNull()
    await journal.append([{ entry: {} }], 0, [tokenRecord(`own of ${writer}`)])
    expect(await journal.tokensOf(`own of ${writer}`, 0)).toEqual([1, 2, 3, 4, 5])
  }
  await play(world, 'fourth')
  const { tokens: all } = await recorded(world)
  expect(all.map(({ call }) => call)).toEqual([
    ...Array.from({ length: calls }, (_, call) => nameOf(call)),
    'own of second',
    'own of third',
  ])
})

test('the record of a writer that was overtaken does not count', async () => {
  const world = await openTestWorld()
  const [slow, fast] = [await open(world, 'slow'), await open(world, 'fast')]
  await fast.append([{ entry: {} }], 0, [tokenRecord('kept')])
  await expect(slow.append([{ entry: {} }], 0, [tokenRecord('void')])).rejects.toThrow(JournalFencedError)
  expect((await recorded(world)).tokens.map(({ call }) => call)).toEqual(['kept'])
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Journal } from '../../../../shared/core/engine/journal.ts'
import { JournalFencedError } from '../../../../shared/core/engine/journal-fenced-error.ts'
import { WorkerLogs } from '../../../../shared/core/engine/log/worker-logs.ts'
import { readJournal } from '../../../../shared/core/engine/read-journal.ts'
import { atOnce, type ContractWorld, type OpenWorld, uniqueName } from './contract-world.ts'

const line = (text: string) => ({ entry: { text } })

/** What workers' logs promise over every driver's objects. */
export function describeLogContract(name: string, openWorld: OpenWorld): void {
  describe(`logs over the objects of ${name}`, () => {
    let opened: ContractWorld
    let run: string
    beforeAll(async () => {
      opened = await openWorld()
    })
    beforeEach(() => {
      run = uniqueName()
    })
    afterAll(() => opened.dispose())

    const prefixOf = (episode: number) => `runs/${run}/episodes/${episode}/attempts/1/journal/`
    const openJournal = (logs: WorkerLogs | null, episode: number, writer: string) =>
      Journal.open({
        objects: opened.world.objects,
        clock: opened.world.clock,
        prefix: prefixOf(episode),
        writer,
        code: 'code',
        ...(logs && { log: () => logs.of(run) }),
      })
    async function textsOf(episode: number): Promise<string[]> {
      const { records } = await readJournal(opened.world.objects, prefixOf(episode))
      return records.flatMap((record) => ('entry' in record ? [String(record.entry.text)] : []))
    }

    test('twenty episodes side by side read each as it was written, while they are and after', async () => {
      const logs = new WorkerLogs(opened.world, 5)
      const texts = Array.from({ length: 4 }, (_, number) => `text ${number}`)
      const journals = await atOnce(20, async (episode) => {
        const journal = await openJournal(logs, episode, 'writer')
        for (const text of texts) await journal.append([line(text)], 0)
        return journal
      })
      for (const [episode] of journals.entries()) expect(await textsOf(episode)).toEqual(texts)
      await Promise.all(journals.map((journal) => journal.close()))
      for (const [episode] of journals.entries()) expect(await textsOf(episode)).toEqual(texts)
      const { objects } = await opened.world.objects.list(`runs/${run}/logs/`)
      expect(objects.length).toBeLessThan(20 * 3)
    })

    test('of ten that take an episode over at once one goes on, after all that was committed', async () => {
      const logs = new WorkerLogs(opened.world, 5)
      const dead = await openJournal(logs, 0, 'dead')
      for (const text of ['a', 'b', 'c']) await dead.append([line(text)], 0)
      const outcomes = await atOnce(10, async (index) => {
        const journal = await openJournal(
          index % 2 === 0 ? new WorkerLogs(opened.world, 5) : null,
          0,
          `w${index}`,
        )
        return journal.append([line(`w${index}`)], 0).then(
          () => `w${index}`,
          (error: unknown) => {
            if (error instanceof JournalFencedError) return null
            throw error
          },
        )
      })
      await expect(dead.append([line('late')], 0)).rejects.toThrow(JournalFencedError)
      const written = outcomes.filter((outcome) => outcome !== null)
      expect(written.length).toBeGreaterThan(0)
      const texts = await textsOf(0)
      expect(texts.slice(0, 3)).toEqual(['a', 'b', 'c'])
      expect(texts.slice(3).toSorted()).toEqual(written.toSorted())
    })
  })
}

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../../chaos/compare.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { TranscriptHits } from '../../../shared/core/contracts/transcript-search.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type HarmedService, harmedService } from './harmed-service.ts'

const ofBooks = ['calls differ', 'tokens differ', 'money differs', 'lost calls differ']

test.each(['the whole folder', 'the database alone'])(
  'an older copy of %s goes on from its moment, and its runs end as they would have',
  async (kind) => {
    const outer = await temporaryFolder()
    const [folder, copy] = [join(outer, 'data'), join(outer, 'copy')]
    const subject = await harmedService(folder)
    expect(await subject.start()).toBe(true)
    const [old, ended] = [await subject.submit(1), await subject.submit(0)]
    await subject.untilEnded(ended.id)
    await hits(subject)
    await subject.service.end('SIGTERM')
    await cp(folder, copy, { recursive: true })

    expect(await subject.start()).toBe(true)
    const later = await subject.submit(2)
    for (const { id } of [old, later]) await subject.untilEnded(id)
    await hits(subject)
    await subject.service.end('SIGTERM')
    if (kind === 'the whole folder') {
      await rm(folder, { recursive: true })
      await cp(copy, folder, { recursive: true })
    } else await cp(join(copy, 'espalier.db'), join(folder, 'espalier.db'))

    expect(await subject.start()).toBe(true)
    await subject.untilEnded(old.id)
    // Of what came later only its request is left: sent again, it is a run.
    await expect(subject.get(later.id)).rejects.toThrow('404')
    const again = await subject.submit(2)
    await subject.untilEnded(again.id)
    for (const number of [0, 1, 2]) {
      const findings = await subject.compare(number, { areSettled: false })
      expect(withoutBooks(findings)).toEqual([])
    }
    const listed = await subject.api.json<{ data: Run[] }>('GET', '/v1/runs')
    expect(listed.data.map(({ id }) => id).toSorted()).toEqual([old.id, ended.id, again.id].toSorted())
    await expect.poll(async () => (await hits(subject)).not_indexed).toBe(0)
    const { data } = await hits(subject)
    expect(new Set(data.map(({ id }) => id)).size).toBe(data.length)
    expect(data.filter(({ run }) => ![old.id, ended.id, again.id].includes(run))).toEqual([])
    expect(data.length).toBeGreaterThan(0)
    expect(subject.deaths).toEqual([])
  },
)

/** The endpoint's books have the calls made since the copy, too, which nothing here can know. */
function withoutBooks(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ what }) => !ofBooks.includes(what))
}

function hits({ api }: HarmedService): Promise<TranscriptHits> {
  return api.json<TranscriptHits>('GET', '/v1/transcripts?q=craft&limit=100')
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../../cli/run-cli.ts'
import { recordingTerminal } from '../../cli/recording-terminal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { harmedService } from './harmed-service.ts'

async function espalier(...words: string[]): Promise<void> {
  const terminal = recordingTerminal()
  expect(await runCli([...words, '--json'], terminal), terminal.notes.join('\n')).toBe(0)
}

test('a backup during play goes on from its moment, and its runs end as they would have', async () => {
  const outer = await temporaryFolder()
  const [folder, copy] = [join(outer, 'data'), join(outer, 'copy')]
  const subject = await harmedService(folder)
  expect(await subject.start()).toBe(true)
  const ended = await subject.submit(0)
  await subject.untilEnded(ended.id)
  const playing = [await subject.submit(1), await subject.submit(2)]
  await espalier('backup', copy, '--folder', folder)
  await subject.service.end('SIGKILL')
  await rm(folder, { recursive: true })
  await espalier('restore', copy, '--folder', folder)

  expect(await subject.start()).toBe(true)
  for (const { id } of playing) await subject.untilEnded(id)
  const ofBooks = ['calls differ', 'tokens differ', 'money differs', 'lost calls differ']
  for (const number of [0, 1, 2]) {
    // The endpoint's books have the calls made since the backup, too.
    const findings = (await subject.compare(number)).filter(({ what }) => !ofBooks.includes(what))
    expect(findings).toEqual([])
  }
  expect(subject.deaths).toEqual([])
})

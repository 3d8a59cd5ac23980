import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('a run is labelled, found, archived and deleted by commands', async () => {
  const folder = ['--folder', await temporaryFolder()]
  const played = await espalier(
    ...['run', '--environment', 'textcraft', '--method', 'react', '--model', 'simulated', '--limit', '1'],
    ...['--experiment', 'depth', '--tag', 'a', '--tag', 'b', '--note', 'A first try.', ...folder, '--json'],
  )
  expect(played.exitCode).toBe(0)
  const list = async (...flags: string[]) =>
    JSON.parse((await espalier('runs', ...flags, ...folder, '--json')).out).data as Run[]
  const [run] = await list('--experiment', 'depth', '--tag', 'a', '--tag', 'b')
  const id = run?.id ?? ''
  expect(run?.request).toMatchObject({ experiment: 'depth', tags: ['a', 'b'], note: 'A first try.' })

  const labelled = await espalier('label', id, '--untag', 'a', '--name', 'better', '--note', '', ...folder)
  expect(labelled.out).toBe(`${id}  (better)\nexperiment   depth\ntags         b`)
  expect((await espalier('experiments', ...folder)).out).toMatch(/depth +1 +0 +0/)
  expect((await espalier('show', id, ...folder)).out).toContain('experiment   depth')

  await espalier('archive', id, ...folder)
  expect(await list()).toEqual([])
  expect((await list('--archived')).map((each) => each.id)).toEqual([id])
  await espalier('unarchive', id, ...folder)
  expect((await list('--metadata', 'team=vision')).length).toBe(0)

  const deleted = await espalier('delete', id, ...folder)
  expect(deleted).toMatchObject({ exitCode: 0, out: `${id} is deleted.` })
  expect(await list('--archived', 'any')).toEqual([])
  expect((await espalier('delete', id, ...folder)).exitCode).toBe(1)
})

test.each([
  [['label', 'run-1'], 'Say what is to change'],
  [['delete', 'key-1'], '"key-1" is the id of no run, dataset or import'],
  [['runs', '--metadata', 'team'], 'is not name=value'],
])('%j is refused before anything is done', async (words, message) => {
  const refused = await espalier(...words, '--folder', await temporaryFolder())
  expect(refused.exitCode).toBe(2)
  expect(refused.notes).toContain(message)
})

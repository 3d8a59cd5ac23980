import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function openCli() {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const play = async (method: string) => {
    const small = ['--environment', 'textcraft', '--model', 'simulated', '--limit', '3']
    const { out } = await espalier('run', '--method', method, ...small, '--json')
    return (JSON.parse(out.split('\n').at(-1) ?? '') as { run: string }).run
  }
  return { folder, espalier, play }
}

test('reports, comparisons and curves are printed for people and for programs, and written to files', async () => {
  const { espalier, folder, play } = await openCli()
  const [one, other] = [await play('react'), await play('best-of-n')]

  const table = await espalier('report', one, '--format', 'csv')
  expect(table.out).toMatch(/^run,scope,name,metric,value/)
  const page = await espalier('report', one, '--format', 'md', '--interval', 'bootstrap')
  expect(page.out).toMatch(/^# Report of /)
  const file = join(folder, 'report.csv')
  const written = await espalier('report', one, '--out', file)
  expect(written).toMatchObject({ exitCode: 0, out: '', notes: `Written to ${file}.` })
  expect(await readFile(file, 'utf8')).toMatch(/^\uFEFFrun,scope,name,metric,value/)
  const text = join(folder, 'report.txt')
  await espalier('report', one, '--out', text)
  expect(await readFile(text, 'utf8')).toMatch(
    /^report of .*\nGenerated data: [^\n]*\n(?:[^\n]+\n)?\nsuccess rate/,
  )

  const nowhere = await espalier('report', one, '--out', join(folder, 'nowhere', 'report.csv'))
  expect(nowhere).toMatchObject({
    exitCode: 1,
    notes: expect.stringMatching(/^\S+report\.csv cannot be written: ENOENT[^\n]*$/),
  })

  expect((await espalier('compare', one, other)).out).toContain('what differs in their settings')
  expect((await espalier('compare', one, other, '--format', 'md')).out).toContain(
    '# 2 runs on 3 shared tasks',
  )
  const curves = await espalier('curves', one, other)
  expect(curves.out).toMatch(/^success rate once an episode has spent so many calls · 3 shared tasks/)
  const json = await espalier('curves', one, '--over', 'tokens', '--json')
  expect(JSON.parse(json.out)).toMatchObject({ object: 'curves', over: 'tokens', shared_tasks: 3 })
})

test('an unknown format and an unknown run are different errors', async () => {
  const { espalier } = await openCli()
  const format = await espalier('report', 'run-1', '--format', 'xlsx')
  expect(format.exitCode).not.toBe(0)
  expect(format.notes).toMatch(/json, csv, md/)
  const run = await espalier('curves', 'run-1')
  expect(run.exitCode).not.toBe(0)
  expect(run.notes).toMatch(/no run/)
})

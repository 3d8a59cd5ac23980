import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

let folder: string
let run: Run

beforeAll(async () => {
  const lent = await lentFolder()
  folder = lent.folder
  const words = ['run', '--environment', 'textcraft', '--method', 'react', '--model', 'simulated']
  const { out } = await espalier([...words, '--limit', '2', '--epochs', '2', '--json'])
  run = out
    .split('\n')
    .map((line) => JSON.parse(line))
    .findLast(({ object }) => object === 'run')
  return lent.remove
})

async function espalier(words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli([...words, '--folder', folder], terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

async function readTable(file: string) {
  const bytes = await readFile(file)
  return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
}

test('tables hold every episode, step and call, and their sums are the usage of the run', async () => {
  const out = join(folder, 'tables')
  expect((await espalier(['download', run.id, '--format', 'parquet', '--out', out])).exitCode).toBe(0)
  const [episodes, steps, calls] = await Promise.all(
    ['episodes', 'steps', 'calls'].map((name) => readTable(join(out, `${name}.parquet`))),
  )
  const sum = (rows: Record<string, unknown>[] = [], name: string) =>
    rows.reduce((total, row) => total + Number(row[name]), 0)
  expect(episodes?.map(({ task, epoch }) => `${task} ${epoch}`)).toHaveLength(4)
  expect(calls).toHaveLength(run.usage.model_calls)
  expect(sum(calls, 'input_tokens')).toBe(run.usage.input_tokens)
  expect(sum(episodes, 'output_tokens')).toBe(run.usage.output_tokens)
  expect(steps).toHaveLength(sum(episodes, 'nodes') - 4)
  expect(steps?.filter(({ on_path }) => on_path)).toHaveLength(sum(episodes, 'path_length'))
})

test('CSV has the same rows, with a heading', async () => {
  const out = join(folder, 'csv')
  await espalier(['download', run.id, '--format', 'csv', '--out', out])
  const [heading, ...rows] = (await readFile(join(out, 'episodes.csv'), 'utf8')).trimEnd().split('\r\n')
  expect(heading).toMatch(/^\uFEFFrun,episode,index,environment,method,endpoint,model,task,epoch/)
  expect(rows).toHaveLength(4)
  expect(rows[0]).toContain(`${run.id},ep-0000000,0,textcraft,react,simulated,simulated,textcraft-`)
})

test('ATIF files are the trajectories as the service has them', async () => {
  const out = join(folder, 'atif')
  const { out: said } = await espalier(['download', run.id, '--format', 'atif', '--out', out, '--json'])
  const { paths } = JSON.parse(said)
  expect(paths).toHaveLength(4)
  const shown = await espalier(['show', run.id, 'ep-0000001', '--trajectory'])
  const file = join(out, run.id, 'ep-0000001', 'trajectory.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(shown.out))
})

test('the same run gives the same log, byte by byte', async () => {
  const logs: Buffer[] = []
  for (const name of ['first', 'second']) {
    const out = join(folder, name)
    await espalier(['download', run.id, '--format', 'inspect', '--out', out])
    const [file] = await readdir(out)
    logs.push(await readFile(join(out, file ?? '')))
  }
  expect(logs[0]?.subarray(0, 2).toString()).toBe('PK')
  expect(logs[1]).toEqual(logs[0])
})

test('a folder that cannot be written to, a run that is not there and a missing format are errors with a way out', async () => {
  await writeFile(join(folder, 'file'), '')
  const there = await espalier(['download', run.id, '--format', 'csv', '--out', join(folder, 'file')])
  expect(there).toMatchObject({ exitCode: 1, notes: expect.stringContaining('Nothing can be written to') })
  const unknown = await espalier(['download', 'run-none', '--format', 'csv'])
  expect(unknown).toMatchObject({ exitCode: 1, notes: expect.stringContaining('run-none') })
  expect(await espalier(['download', run.id])).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('--format'),
  })
})

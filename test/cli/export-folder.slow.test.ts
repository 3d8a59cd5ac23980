import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test('export refuses a folder with other rows before it builds, and names the dataset when that shows later', async () => {
  const folder = await temporaryFolder()
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const datasets = async () =>
    (JSON.parse((await espalier('datasets', '--json')).out) as List<Dataset>).data.map(({ id }) => id)
  const game = ['--environment', 'textcraft', '--split', 'train', '--limit', '3', '--seed', '1']
  await espalier('run', ...game, '--method', 'react', '--model', 'simulated')
  const out = join(folder, 'rows')
  const exported = (...words: string[]) =>
    espalier('export', 'latest', '--min-reward', '0', '--out', out, ...words)

  expect((await exported()).exitCode).toBe(0)
  expect((await exported()).exitCode).toBe(0)
  const before = await datasets()
  expect(before).toHaveLength(2)
  for (const words of [
    ['--split', 'train=0.5,test=0.5'],
    ['--keep-gzip'],
    ['--format', 'xtuner'],
    ['--format', 'parquet'],
  ]) {
    const { exitCode, notes } = await exported(...words)
    expect(exitCode).toBe(1)
    expect(notes).toMatch(/holds data-00001\.jsonl.*Nothing is built yet/)
  }
  expect(await datasets()).toEqual(before)

  await writeFile(join(out, 'data-00002.jsonl'), '')
  const { exitCode, notes } = await exported()
  expect(exitCode).toBe(1)
  const [built] = await datasets()
  expect(before).not.toContain(built)
  expect(notes).toContain(`another: espalier export --dataset ${built} --out FOLDER --folder ${folder}`)

  await rm(out, { recursive: true })
  expect((await exported('--split', 'train=0.5,test=0.5', '--keep-gzip')).exitCode).toBe(0)
  expect((await exported('--split', 'train=0.5,test=0.5', '--keep-gzip')).exitCode).toBe(0)
  expect(await readdir(out)).toContain('lineage-train-00001.jsonl.gz')
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Run } from '../../shared/core/contracts/run.ts'
import { wellFormed } from '../../shared/core/contracts/well-formed.ts'
import {
  callColumns,
  episodeColumns,
  stepColumns,
  type TableColumnType,
  toCallRows,
  toEpisodeRow,
  toStepRows,
} from '../../shared/data/exports/episode-tables.ts'
import { type ExportClient, readEpisodes } from '../../shared/data/exports/read-episodes.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError } from '../command-error.ts'
import { type Connection, lookAt } from '../connect.ts'
import { openCsvFile, openParquetTable, type TableFile } from '../download/table-file.ts'
import { writeInspectLog } from '../download/write-inspect-log.ts'
import { fillFolder } from '../fill-folder.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const formats = ['inspect', 'atif', 'csv', 'parquet'] as const

type DownloadFormat = (typeof formats)[number]
type DownloadOptions = GlobalOptions & { format: DownloadFormat; out?: string }

interface Downloaded {
  format: DownloadFormat
  folder: string
  paths: string[]
  left_out: string[]
}

export function addDownloadCommand(program: Command, terminal: Terminal): void {
  program
    .command('download')
    .description('Write episodes of runs to files that other programs read: Inspect, ATIF, CSV, Parquet.')
    .argument('<run...>', 'the runs: ids, or latest')
    .addOption(
      choiceOption(
        '--format <format>',
        'inspect: a log for `inspect view`; atif: Harbor’s trajectories; csv, parquet: tables of episodes, steps and calls',
        formats,
      ).makeOptionMandatory(),
    )
    .option('--out <folder>', 'output folder (default: downloads in the data folder)')
    .addHelpText(
      'after',
      '\nTraining data is built by espalier export.\nExample: espalier download run-0123 --format inspect --out logs && inspect view --log-dir logs',
    )
    .action(async (runs: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DownloadOptions>()
      await lookAt(options, terminal, async (connection) => {
        const found: Run[] = []
        for (const id of new Set(runs)) found.push(await connection.client.run(id))
        const written = await write(connection, found, options)
        printResult(terminal, options, { object: 'download', ...written }, () => [
          ...written.left_out,
          `${written.paths.length} ${written.paths.length === 1 ? 'file' : 'files'} in ${written.folder}`,
        ])
      })
    })
}

async function write(
  connection: Connection,
  runs: readonly Run[],
  { format, out }: DownloadOptions,
): Promise<Downloaded> {
  const folder = out ?? join(connection.folder ?? '.', 'downloads')
  try {
    const { files, left_out } = await fillFolder(folder, async (aside) => {
      const written = await writeFormat(connection, runs, { format, folder: aside })
      if (written.files.length === 0) throw nothingWritten(written)
      return written
    })
    return { format, folder, paths: files.map((file) => join(folder, file)), left_out }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new CommandError('unwritable_folder', `Nothing can be written to ${folder}: ${error.message}`)
    throw error
  }
}

function nothingWritten({ left_out }: Written): CommandError {
  return new CommandError('no_rows', `There is nothing to download. ${left_out.join('. ')}.`)
}

interface Written {
  files: string[]
  left_out: string[]
}

async function writeFormat(
  { client, address, embedded }: Connection,
  runs: readonly Run[],
  { format, folder }: { format: DownloadFormat; folder: string },
): Promise<Written> {
  if (format === 'csv' || format === 'parquet') {
    return { files: await writeTables(client, runs, { folder, format }), left_out: [] }
  }
  const written: Written = { files: [], left_out: [] }
  for (const run of runs) {
    if (format === 'inspect') {
      const { file, counts } = await writeInspectLog(client, run, {
        folder,
        address: embedded ? null : address,
      })
      written.files.push(file)
      note(written, run, counts.others, 'play no task and are no samples')
      note(written, run, counts.unfinished, 'have not ended and are no samples yet')
    } else {
      const { files, without } = await writeTrajectories(client, run, { folder })
      written.files.push(...files)
      note(written, run, without, 'have no trajectory: they took no action, or play no task')
    }
  }
  return written
}

function note({ left_out }: Written, { id }: Run, episodes: number, why: string): void {
  if (episodes > 0) left_out.push(`${id}: ${episodes} ${episodes === 1 ? 'episode' : 'episodes'} ${why}`)
}

export async function writeTables(
  client: ExportClient,
  runs: readonly Run[],
  { folder, format }: { folder: string; format: 'csv' | 'parquet' },
): Promise<string[]> {
  const openTable = format === 'csv' ? openCsvFile : openParquetTable
  const fileOf = (name: string) => `${name}.${format}`
  const opened: TableFile[] = []
  const open = async (name: string, columns: Record<string, TableColumnType>): Promise<TableFile> => {
    const table = await openTable(join(folder, fileOf(name)), columns)
    opened.push(table)
    return table
  }
  try {
    const episodes = await open('episodes', episodeColumns)
    const steps = await open('steps', stepColumns)
    const calls = await open('calls', callColumns)
    for (const run of runs) {
      for await (const exported of readEpisodes(client, run, { tree: true, calls: true })) {
        await episodes.add([toEpisodeRow(exported)])
        await steps.add(toStepRows(exported))
        await calls.add(toCallRows(exported))
      }
    }
    for (const table of opened) await table.end()
  } finally {
    for (const table of opened) await table.close()
  }
  return ['episodes', 'steps', 'calls'].map(fileOf)
}

interface WrittenTrajectories {
  files: string[]
  without: number
}

/** Writes `{run}/{episode}/trajectory.json` for each episode that has a trajectory, in Harbor's format (ATIF). */
export async function writeTrajectories(
  client: ExportClient,
  run: Run,
  { folder }: { folder: string },
): Promise<WrittenTrajectories> {
  const files: string[] = []
  let without = 0
  for await (const { episode, trajectory } of readEpisodes(client, run, { trajectory: true })) {
    if (trajectory === null) {
      without += 1
      continue
    }
    const place = join(run.id, episode.id)
    const file = join(place, 'trajectory.json')
    await mkdir(join(folder, place), { recursive: true })
    await writeFile(join(folder, file), `${JSON.stringify(wellFormed(trajectory), null, 2)}\n`)
    files.push(file)
  }
  return { files, without }
}

import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import {
  type ImportSettings,
  importSettingsSchema,
  type TrajectoryFormat,
  trajectoryFormatSchema,
} from '../../shared/core/contracts/trajectory-import.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import { BadRowError } from '../../shared/data/formats/bad-row-error.ts'
import { otherKind, recogniseFormat } from '../../shared/data/formats/formats.ts'
import { cutRows } from '../../shared/data/trajectories/cut-rows.ts'
import { decodeRow } from '../../shared/data/trajectories/decode-row.ts'
import { wrongUsage } from '../command-error.ts'
import { withConnection } from '../connect.ts'
import { formatImport, formatOutcome, formatRejections } from '../format-trajectories.ts'
import type { GlobalOptions } from '../global-options.ts'
import { type ImportOutcome, type ImportWork, importFiles } from '../import/import-files.ts'
import { openRows } from '../import/open-rows.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

const mostRows = 20

type ImportOptions = GlobalOptions & {
  format?: string
  environment?: string
  data?: string
  name?: string
  method?: string
  model?: string
  reward?: number
  rewardScale?: number
  successAt?: number
  head?: number
  dryRun?: boolean
}

const shownRejections = 10

export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('Import trajectories from other programs, as experts and as training data.')
    .argument('<file...>', 'files (JSON Lines, a JSON list, Parquet; also gzipped), or folders of them')
    .option(
      '--format <format>',
      `${trajectoryFormatSchema.options.join(', ')} (default: as the first row looks)`,
    )
    .option('--environment <id>', 'environment of the rows, unless they name it')
    .option('--data <pack>', 'the data pack that the tasks are from (default: the one that runs play)')
    .option('--name <text>', 'display name of the import')
    .option('--method <name>', 'method of the rows (default: as they say, else expert)')
    .option('--model <name>', 'model of the rows (default: as they say, else unknown)')
    .option('--reward <n>', 'reward of rows without one (default: 1)', parseNumber)
    .option('--reward-scale <n>', 'the largest reward that rows can have (default: 1)', parseNumber)
    .option('--success-at <n>', 'minimum reward of a success (default: 1)', parseNumber)
    .option('--head <n>', 'messages before the first answer (default: found by rule)', parseNumber)
    .option('--dry-run', 'only check the files; store nothing')
    .addHelpText(
      'after',
      `\nExample: espalier import trajectories.jsonl --format atif --environment ${exampleEnvironment}`,
    )
    .action(async (paths: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>()
      const files = await findFiles(paths)
      const settings = toSettings(options, options.format ?? (await detectFormat(files)))
      const work: ImportWork = { files, settings, name: options.name }
      const outcome = await runImport(work, options, terminal)
      printResult(terminal, options, toJson(outcome, settings), () => toLines(outcome, settings))
    })
}

async function runImport(
  work: ImportWork,
  options: ImportOptions,
  terminal: Terminal,
): Promise<ImportOutcome> {
  const signal = terminal.interruption()
  const line = await showLine(terminal)
  try {
    if (options.dryRun) return await importFiles(work, { client: null, line, signal })
    return await withConnection(
      options,
      terminal,
      async ({ client }) => {
        await noteUnknown(work.settings, client, terminal)
        return importFiles(work, { client, line, signal })
      },
      {
        purpose: 'look',
      },
    )
  } finally {
    line.stop()
  }
}

async function noteUnknown(
  { environment }: ImportSettings,
  client: Pick<ApiClient, 'environments'>,
  terminal: Terminal,
): Promise<void> {
  if (environment === undefined) return
  const { data } = await client.environments()
  if (data.some(({ id }) => id === environment)) return
  const known = data.map(({ id }) => id).join(', ')
  terminal.note(
    `There is no environment "${environment}" here (there are ${known}): these trajectories can be learned from, but are no experts of any run's tasks.`,
  )
}

function toSettings(options: ImportOptions, format: string): ImportSettings {
  const { environment, data, method, model, reward, rewardScale, successAt, head } = options
  const given = {
    format,
    environment,
    data,
    method,
    model,
    reward,
    reward_scale: rewardScale,
    success_at: successAt,
    head,
  }
  const settings = importSettingsSchema.safeParse(given)
  if (settings.success) return settings.data
  const { message } = describeInvalid(settings.error, {
    part: 'json',
    schema: importSettingsSchema,
    value: given,
  })
  throw wrongUsage(message.replace(/^"(\w+)"/, (_, name: string) => `--${name.replaceAll('_', '-')}`))
}

function toJson(
  { made, trajectories, rejected, rejections }: ImportOutcome,
  settings: ImportSettings,
): object {
  return {
    ...(made ?? { settings, trajectories, rejected }),
    rejections: rejections.slice(0, shownRejections),
  }
}

function toLines(outcome: ImportOutcome, { format }: ImportSettings): string[] {
  const { made, rejected, rejections } = outcome
  const shown = formatRejections(rejections.slice(0, shownRejections))
  const head = made === null ? `${formatOutcome(outcome, format)}; nothing is stored` : formatImport(made)
  const left = rejected - shown.length
  const rest =
    left <= 0
      ? []
      : [`and ${left} more${made === null ? '' : `: espalier trajectories ${made.id} --rejections`}`]
  const next =
    made === null
      ? []
      : [
          `use them: espalier export --trajectories ${made.id}, or as experts: espalier export RUN --expert ${made.id}`,
        ]
  return [head, ...shown.map((each) => `  ${each}`), ...rest.map((each) => `  ${each}`), ...next]
}

/**
 * The format of the first row with a known format's fields.
 * @throws CommandError if no row has one
 */
async function detectFormat(files: readonly string[]): Promise<TrajectoryFormat> {
  let why = 'there is no row in it'
  let looked = 0
  for (const file of files) {
    for await (const raw of cutRows(openRows(file, () => {}))) {
      const [format, reason] = 'fault' in raw ? [null, raw.fault] : formatOf(raw.bytes)
      if (format !== null) return format
      if (looked++ === 0) why = reason.replace(/\.$/, '')
      if (looked >= mostRows) break
    }
    if (looked >= mostRows) break
  }
  throw wrongUsage(`The format of ${files[0]} is not recognised: ${why}. Name it with --format`)
}

function formatOf(bytes: Uint8Array): [TrajectoryFormat | null, string] {
  try {
    // The first level alone decides. Search trees nest deep.
    const row = decodeRow(bytes, Number.POSITIVE_INFINITY)
    const kind = otherKind(row)
    if (kind !== null) return [null, `its first row is ${kind}, which is no trajectory`]
    const names = Object.keys(row).slice(0, 10).join(', ')
    return [recogniseFormat(row)?.id ?? null, `its first row has the fields ${names}`]
  } catch (error) {
    if (error instanceof BadRowError) return [null, error.message]
    throw error
  }
}

const rowsName = /\.(json|jsonl|ndjson|parquet)(\.gz)?$/i
const besides = /^(manifest\.json|dataset_info\.json|metadata\.json|lineage-.*)$/
/** `search_results_10` comes after `search_results_9`. */
const inOrder = new Intl.Collator('en', { numeric: true })

/**
 * Lists files in the order of their paths: files themselves, and all files of rows below folders.
 * @throws CommandError for a missing path, and for a folder without files of rows
 */
async function findFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) files.push(...(await filesAt(path)))
  return files
}

async function filesAt(path: string): Promise<string[]> {
  const about = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw wrongUsage(`There is no file or folder ${path}.`)
    }
    throw error
  })
  if (!about.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const found = names.filter((name) => rowsName.test(name) && !besides.test(basename(name)))
  if (found.length === 0) {
    throw wrongUsage(`The folder ${path} holds no .json, .jsonl, .ndjson or .parquet file.`)
  }
  return found.sort(inOrder.compare).map((name) => join(path, name))
}

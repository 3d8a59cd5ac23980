import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatBytes, formatCount } from '../../shared/core/client/format-quantity.ts'
import type {
  ImportSettings,
  Rejection,
  TrajectoryImport,
} from '../../shared/core/contracts/trajectory-import.ts'
import { type Reading, readTrajectories } from '../../shared/data/trajectories/read-trajectories.ts'
import { CommandError, interrupted } from '../command-error.ts'
import { describeRejection } from '../format-trajectories.ts'
import type { ProgressLine } from '../show-line.ts'
import { type Batch, fullBody, toBatches } from './batches.ts'
import { openRows } from './open-rows.ts'

export interface ImportWork {
  files: readonly string[]
  settings: ImportSettings
  name: string | undefined
}

export interface ImportNeeds {
  client: ApiClient | null
  line: ProgressLine
  signal: AbortSignal
}

export interface ImportOutcome {
  trajectories: number
  rejected: number
  rejections: Rejection[]
  made: TrajectoryImport | null
}

/**
 * Reads files and sends their rows, a few megabytes at a time. It skips rows that an interrupted import of the same
 * files has already sent.
 * @throws CommandError if no row is a trajectory; nothing is stored then
 */
export async function importFiles(work: ImportWork, needs: ImportNeeds): Promise<ImportOutcome> {
  const { files, settings } = work
  const { client, line, signal } = needs
  const outcome: ImportOutcome = { trajectories: 0, rejected: 0, rejections: [], made: null }
  const total = (await Promise.all(files.map(async (file) => (await stat(file)).size))).reduce(sum, 0)
  let bytes = 0
  const readings = readFiles(files, settings, (more) => {
    bytes += more
    const share = `${formatBytes(bytes)} of ${formatBytes(total)}`
    const { trajectories, rejected } = outcome
    line.update(`${share} read · ${formatCount(trajectories)} taken · ${formatCount(rejected)} rejected`)
  })
  // Create the import only when there is a trajectory for it.
  const waiting: Batch[] = []
  for await (const batch of toBatches(readings)) {
    if (signal.aborted) throw interrupted('Interrupted. The same command goes on where this one stopped.')
    outcome.trajectories += batch.trajectories
    outcome.rejected += batch.rejected
    outcome.rejections.push(...batch.rejections)
    if (client === null) continue
    waiting.push(batch)
    if (outcome.trajectories === 0) continue
    outcome.made ??= await open(client, work)
    for (const next of waiting.splice(0)) outcome.made = await send(client, outcome.made, next)
  }
  if (outcome.trajectories === 0) throw nothingIn(files, outcome)
  return outcome
}

async function open(client: ApiClient, { files, settings, name }: ImportWork): Promise<TrajectoryImport> {
  const key = await digestFiles(files, { settings, name, fullBody })
  return client.createImport({ ...settings, ...(name !== undefined && { name }) }, `import-${key}`)
}

async function send(client: ApiClient, made: TrajectoryImport, batch: Batch): Promise<TrajectoryImport> {
  const { first, next, isLast, text } = batch
  // The last may be empty: it ends the import.
  const isSent = made.status === 'complete' || (made.next >= next && !isLast)
  return isSent ? made : client.appendRows(made.id, text, { first, more: !isLast })
}

function nothingIn(files: readonly string[], { rejected, rejections: [first] }: ImportOutcome): CommandError {
  const where = files.length === 1 ? files[0] : `${files.length} files`
  if (first === undefined) return new CommandError('nothing_imported', `There is no row in ${where}.`)
  return new CommandError(
    'nothing_imported',
    `None of the ${rejected} rows of ${where} is a trajectory; nothing was stored. ${describeRejection(first)}`,
  )
}

function sum(total: number, each: number): number {
  return total + each
}

/**
 * Digests the files' contents, their names, which may be task names, and the import settings. The same import has the
 * same digest in any folder.
 */
async function digestFiles(files: readonly string[], settings: object): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(settings))
  for (const file of files) {
    const content = createHash('sha256')
    for await (const chunk of createReadStream(file)) content.update(chunk as Uint8Array)
    digest.update(basename(file)).update(content.digest())
  }
  return digest.digest('hex')
}

export async function* readFiles(
  files: readonly string[],
  settings: ImportSettings,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Reading> {
  let first = 1
  for (const file of files) {
    for await (const reading of readTrajectories(openRows(file, onBytes), settings, { file, first })) {
      first += 1
      yield reading
    }
  }
}

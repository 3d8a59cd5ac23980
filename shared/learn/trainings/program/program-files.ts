import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Objects } from '../../../core/world/ports.ts'
import type { TrainerFiles } from '../trainer.ts'
import { stepOfCheckpoint } from './progress-file.ts'

const unpack = promisify(gunzip)

export const optimizerFiles =
  /(^|\/)(optimizer|scheduler|rng_state|scaler|trainer_state|training_args|espalier|recipe_state|global_step)/

export const checkpointMarker = 'espalier.json'

export const nothingReported = {
  phase: 'starting',
  step: 0,
  steps: 0,
  tokens: 0,
  tokens_per_second: null,
  seconds_left: null,
  waiting_for: null,
} as const

export function placesOfTraining(folder: string) {
  const at = (name: string) => join(folder, name)
  return {
    folder,
    job: at('job.json'),
    data: at('data'),
    output: at('output'),
    /** Stays empty: programs that take names for folders run in it. */
    empty: at('empty'),
    progress: at('progress.jsonl'),
    stop: at('stop'),
    log: at('trainer.log'),
    identity: at('process.json'),
  }
}

export async function listCheckpoints(
  output: string,
  markers: readonly string[] = [checkpointMarker],
): Promise<TrainerFiles[]> {
  if (!existsSync(output)) return []
  const found: TrainerFiles[] = []
  for (const name of await readdir(output)) {
    const step = stepOfCheckpoint(name)
    const folder = join(output, name)
    if (step === null || !markers.some((marker) => existsSync(join(folder, marker)))) continue
    const names = await filesBelow(folder)
    found.push({ step, folder, names, optimizer: names.filter((each) => optimizerFiles.test(each)) })
  }
  return found.toSorted((one, other) => one.step - other.step)
}

async function filesBelow(folder: string): Promise<string[]> {
  // A trainer may remove an old one meanwhile.
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

export async function restoreCheckpoint(
  output: string,
  step: number,
  write: (folder: string) => Promise<string[]>,
  markers?: readonly string[],
): Promise<void> {
  const known = await listCheckpoints(output, markers)
  if (known.some((each) => each.step >= step)) return
  const made = join(output, `restoring-${step}`)
  const place = join(output, `checkpoint-${step}`)
  await rm(made, { recursive: true, force: true })
  await mkdir(made, { recursive: true })
  await write(made)
  await rm(place, { recursive: true, force: true })
  await rename(made, place)
}

/**
 * Copies a data file of a dataset to this machine.
 * @param options.unpacked - decompresses a gzip file
 * @throws EspalierError `storage_failed` if it is missing
 */
export async function copyData(
  objects: Pick<Objects, 'get'>,
  key: string,
  path: string,
  { unpacked = false } = {},
): Promise<void> {
  const object = await objects.get(key)
  if (object === null) throw new EspalierError('storage_failed', `The file ${key} of a dataset is missing.`)
  const body = unpacked && key.endsWith('.gz') ? await unpack(object.body) : object.body
  await writeFile(`${path}.partial`, body)
  await rename(`${path}.partial`, path)
}

import { existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { TrainingJobFiles } from '../../../core/world/training-jobs.ts'
import { checkpointMarker, listCheckpoints, optimizerFiles } from '../program/program-files.ts'
import { type ReportedProgress, readProgress, stepOfCheckpoint } from '../program/progress-file.ts'
import type { TrainerFiles } from '../trainer.ts'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'
import { foldersOfTraining, keysOfTraining } from './job-places.ts'

export interface OutputNeeds {
  files: TrainingJobFiles
  configuration: AwsTrainerConfiguration
  folder: string
}

/** Fetches a job's progress so far. The file only grows, so this fetches only the new bytes. */
export async function fetchProgress(
  { files, configuration, folder }: OutputNeeds,
  training: string,
): Promise<ReportedProgress | null> {
  const key = keysOfTraining(configuration, training).progress
  const path = foldersOfTraining(folder, training).progress
  const known = existsSync(path) ? (await stat(path)).size : 0
  const found = await files.get(key, { start: known })
  if (found === null || found.size < known) {
    await rm(path, { force: true })
    if (found === null) return null
    return fetchProgress({ files, configuration, folder }, training)
  }
  if (found.body.byteLength > 0) {
    await mkdir(dirname(path), { recursive: true })
    await appendFile(path, found.body)
  }
  return readProgress(path)
}

export async function fetchTail({ files, configuration }: OutputNeeds, training: string): Promise<string[]> {
  const found = await files.get(keysOfTraining(configuration, training).log)
  if (found === null) return []
  return Buffer.from(found.body)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

const markerSchema = z.object({ step: z.int(), files: z.record(z.string(), z.int()) })

interface KeptCheckpoint {
  step: number
  name: string
  names: string[]
  isWhole: boolean
}

/**
 * Fetches the weights of the newest complete checkpoints to this machine. Files that only a trainer needs stay in the
 * bucket, for the next job. Deletes older checkpoints in both. Only for a training with no running job.
 */
export async function fetchCheckpoints(
  needs: OutputNeeds,
  training: string,
  keep: number,
): Promise<TrainerFiles[]> {
  const { checkpoints: folder } = foldersOfTraining(needs.folder, training)
  const whole = (await listKept(needs, training)).filter(({ isWhole }) => isWhole)
  const newest = whole.slice(-keep)
  for (const { name, names } of newest) await fetchWeights(needs, training, name, names)
  for (const { name, names } of whole.slice(0, -keep)) {
    const { checkpoints } = keysOfTraining(needs.configuration, training)
    // Delete the marker first: the leftovers of a crash are then no checkpoint.
    const ordered = names.toSorted(
      (one, other) => Number(other === checkpointMarker) - Number(one === checkpointMarker),
    )
    for (const each of ordered) await needs.files.delete(`${checkpoints}${name}/${each}`)
    await rm(join(folder, name), { recursive: true, force: true })
  }
  const kept = new Set(newest.map(({ step }) => step))
  return (await listCheckpoints(folder))
    .filter(({ step }) => kept.has(step))
    .map((each) => ({
      ...each,
      names: each.names.filter((name) => !optimizerFiles.test(name)),
      optimizer: [],
    }))
}

async function listKept({ files, configuration }: OutputNeeds, training: string): Promise<KeptCheckpoint[]> {
  const { checkpoints } = keysOfTraining(configuration, training)
  const found = new Map<string, Map<string, number>>()
  for (const { key, size } of await files.list(checkpoints)) {
    const [name = '', ...rest] = key.slice(checkpoints.length).split('/')
    if (stepOfCheckpoint(name) === null || rest.length === 0) continue
    found.set(name, (found.get(name) ?? new Map<string, number>()).set(rest.join('/'), size))
  }
  const kept: KeptCheckpoint[] = []
  for (const [name, sizes] of found) {
    const object = await files.get(`${checkpoints}${name}/${checkpointMarker}`)
    const marker = object === null ? null : readMarker(object.body)
    const named = Object.entries(marker?.files ?? {})
    const isWhole = marker !== null && named.every(([file, size]) => sizes.get(file) === size)
    kept.push({ step: stepOfCheckpoint(name) ?? 0, name, names: [...sizes.keys()], isWhole })
  }
  return kept.toSorted((one, other) => one.step - other.step)
}

function readMarker(body: Uint8Array): z.infer<typeof markerSchema> | null {
  try {
    return markerSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

async function fetchWeights(
  { files, configuration, folder }: OutputNeeds,
  training: string,
  name: string,
  names: readonly string[],
): Promise<void> {
  const { checkpoints: place } = foldersOfTraining(folder, training)
  const [made, done] = [join(place, `fetching-${name}`), join(place, name)]
  if (existsSync(done)) return
  await rm(made, { recursive: true, force: true })
  const { checkpoints } = keysOfTraining(configuration, training)
  const wanted = names.filter((each) => each === checkpointMarker || !optimizerFiles.test(each))
  for (const each of wanted) {
    await mkdir(dirname(join(made, each)), { recursive: true })
    await files.download(`${checkpoints}${name}/${each}`, join(made, each))
  }
  await rename(made, done)
}

export async function fetchModel(
  { files, configuration, folder }: OutputNeeds,
  training: string,
  job: string,
): Promise<{ name: string; path: string }[]> {
  const prefix = keysOfTraining(configuration, training).model(job)
  const { model } = foldersOfTraining(folder, training)
  await mkdir(model, { recursive: true })
  const found: { name: string; path: string }[] = []
  for (const { key, size } of await files.list(prefix)) {
    const name = key.slice(prefix.length)
    if (name === '' || name.includes('/') || name === 'README.md') continue
    const path = join(model, name)
    const isThere = existsSync(path) && (await stat(path)).size === size
    if (!isThere) await files.download(key, path)
    found.push({ name, path })
  }
  return found
}

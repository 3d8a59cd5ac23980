import { type Dataset, lineageRowSchema } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Training, TrainingRequest } from '../../core/contracts/training.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import type { Objects } from '../../core/world/ports.ts'
import { isAbsent } from '../../data/datasets/is-absent.ts'
import type { Datasets } from '../../data/datasets/open-datasets.ts'
import { readStoredLines } from '../../data/datasets/read-stored-lines.ts'
import { splitShards } from '../../data/datasets/split-shards.ts'
import type { ModelRegistry } from '../registry/model-registry.ts'
import { checkLinks, checkPaths } from './check-paths.ts'
import { findTrainingRecipe, resolveHyperparameters } from './recipes.ts'
import type { Trainer, TrainerData, TrainerJob } from './trainer.ts'

export interface TrainingPlanNeeds {
  trainers: ReadonlyMap<string, Trainer>
  datasets: Pick<Datasets, 'get' | 'files'>
  models: Pick<ModelRegistry, 'get' | 'lineage'>
  folders: readonly string[] | null
}

export interface TrainingPlan {
  request: TrainingRequest
  trainer: Trainer
  /** Without the training's id. For a registered base, without the folder of its files. */
  job: Omit<TrainerJob, 'training' | 'base' | 'used'>
  datasets: Dataset[]
  runs: string[]
  /** The name of a registered base at the trainer's service; null: its files are here, or it is not registered. */
  remoteBase: string | null
}

/**
 * Checks a training as far as possible before it starts.
 * @throws EspalierError naming the field at fault and the remedy
 */
export async function planTraining(
  needs: TrainingPlanNeeds,
  request: TrainingRequest,
): Promise<TrainingPlan> {
  const { trainer, hyperparameters } = settleTrainer(needs, request)
  await checkLinks({ base: request.base, hyperparameters }, needs.folders)
  checkShares(request)
  const data: TrainerData[] = []
  const datasets: Dataset[] = []
  for (const [place, { dataset: id, split, share }] of request.datasets.entries()) {
    const at = `datasets[${place}].dataset`
    const dataset = await needs.datasets.get(id).catch((error: unknown) => {
      throw isAbsent(error) ? notFound(at, error.message) : error
    })
    checkDataset(dataset, request, trainer, at)
    datasets.push(dataset)
    const { kind, format } = dataset.request
    const shards = splitShards(await needs.datasets.files(id), split)
    const files = shards.map(({ data: { name, key, sha256, rows } }) => ({
      name,
      key,
      sha256,
      rows: rows ?? 0,
    }))
    if (files.length === 0) throw invalid(at, `The dataset "${id}" has no rows. Build one that has.`)
    data.push({ dataset: id, split, kind, format, share: share ?? null, files })
  }
  const remoteBase = await checkBase(needs, request, trainer)
  const { lora, seed, limits } = request
  return {
    request: { ...request, hyperparameters },
    trainer,
    datasets,
    runs: [...new Set(datasets.flatMap((each) => each.request.runs))],
    remoteBase,
    job: {
      recipe: request.recipe,
      data,
      hyperparameters,
      lora,
      seed,
      checkpointSteps: request.checkpoint_steps ?? null,
      keepCheckpoints: request.keep_checkpoints,
      limits: { cost: limits.cost ?? null, seconds: limits.time ?? null },
    },
  }
}

/**
 * Resolves the trainer of a request, and its hyperparameters with every default.
 * @throws EspalierError naming the field: for an unknown trainer or one without the recipe, hyperparameters that are
 * not the recipe's, and paths that the request may not name
 */
export function settleTrainer(
  { trainers, folders }: Pick<TrainingPlanNeeds, 'trainers' | 'folders'>,
  request: Pick<TrainingRequest, 'base' | 'hyperparameters' | 'recipe' | 'trainer'>,
): Pick<TrainerJob, 'hyperparameters'> & { trainer: Trainer } {
  const trainer = trainers.get(request.trainer)
  if (trainer === undefined) throw unknownTrainer(request.trainer, trainers)
  if (!trainer.info.recipes.includes(request.recipe)) {
    throw invalid(
      'recipe',
      `The trainer "${request.trainer}" has no recipe ${request.recipe}. It has: ${trainer.info.recipes.join(', ')}.`,
    )
  }
  const hyperparameters = resolveHyperparameters(
    request.recipe,
    request.hyperparameters,
    trainer.hyperparameters?.(request.recipe),
  )
  checkPaths({ base: request.base, hyperparameters }, { folders, isService: trainer.service !== undefined })
  return { trainer, hyperparameters }
}

/**
 * Builds the trainer's job from a training.
 * @param folder - target for the files of a registered base; null: none, as in functions
 */
export function jobOf(
  { id, request, usage }: Training,
  { job, remoteBase }: TrainingPlan,
  folder: string | null,
): TrainerJob {
  const { limits } = job
  const remaining = {
    cost: limits.cost === null ? null : Math.max(0, limits.cost - usage.cost),
    seconds: limits.seconds === null ? null : Math.max(0, limits.seconds - usage.seconds),
  }
  const given = {
    ...job,
    training: id,
    used: { seconds: usage.seconds, starts: usage.starts },
    limits: remaining,
  }
  if (!('registered' in request.base)) return { ...given, base: request.base }
  if (remoteBase !== null) return { ...given, base: { hub: remoteBase } }
  if (folder !== null) return { ...given, base: { folder } }
  throw new EspalierError('not_supported', 'This service has no place for the files of a registered base.', {
    param: 'base.registered',
  })
}

function checkDataset(dataset: Dataset, request: TrainingRequest, trainer: Trainer, param: string): void {
  const { id, status } = dataset
  if (status !== 'succeeded') {
    const wait = status === 'failed' ? 'Build it again.' : 'Wait until it has succeeded.'
    throw new EspalierError('invalid_state', `The dataset "${id}" is ${status}. ${wait}`, { param })
  }
  const { kinds } = findTrainingRecipe(request.recipe)
  const { kind, format } = dataset.request
  if (!kinds.includes(kind)) {
    throw invalid(
      param,
      `The dataset "${id}" has rows of the kind "${kind}". The recipe ${request.recipe} learns from: ${kinds.join(', ')}.`,
    )
  }
  if (!trainer.info.formats.includes(format)) {
    throw invalid(
      param,
      `The dataset "${id}" is written for "${format}". The trainer "${request.trainer}" reads: ${trainer.info.formats.join(', ')}. Build it again in one of them; that asks no model.`,
    )
  }
  if ((dataset.pictures?.rows ?? 0) > 0) checkPictures(id, request, trainer, param)
  checkHeldOut(dataset, param)
}

/**
 * Refuses before anything is paid for: a trainer or a base that reads only texts would fail on the first row, or
 * learn without the pictures.
 */
function checkPictures(id: string, request: TrainingRequest, trainer: Trainer, param: string): void {
  const leaveOut = 'or build the dataset with "pictures": "leave_out"'
  if (trainer.seesPictures === undefined) {
    throw invalid(
      param,
      `The rows of the dataset "${id}" show pictures, and the trainer "${request.trainer}" trains on texts alone. Export it and train with its tool by hand, ${leaveOut}.`,
    )
  }
  const fault = trainer.seesPictures(request)
  if (fault !== null) {
    throw invalid(
      param,
      `The rows of the dataset "${id}" show pictures, and ${fault}. Name another base, ${leaveOut}.`,
    )
  }
}

/** Uses the build's counts. The rows themselves are checked before the trainer receives them. */
function checkHeldOut({ id, gates }: Dataset, param: string): void {
  const { found = 0, dropped = 0 } = gates.held_out ?? {}
  if (found > dropped) throw heldOut(id, found - dropped, param)
}

function heldOut(id: string, rows: number, param: string): EspalierError {
  return invalid(
    param,
    `The dataset "${id}" has ${rows} rows of tasks that are held out for evaluation: a model that has seen them cannot be evaluated. Build it again with the gate held_out: "drop".`,
  )
}

/** @returns the name of a registered base at the trainer's service, if the service keeps it */
async function checkBase(
  { datasets, models }: TrainingPlanNeeds,
  { base, trainer: id }: TrainingRequest,
  trainer: Trainer,
): Promise<string | null> {
  if (!('registered' in base)) return null
  const param = 'base.registered'
  const lineage = await models.lineage(base.registered).catch((error: unknown) => {
    throw isAbsent(error) ? notFound(param, error.message) : error
  })
  const { remote } = await models.get(base.registered)
  if (remote !== null && remote.trainer !== id) {
    throw invalid(
      param,
      `"${base.registered}" is kept by the service of the trainer "${remote.trainer}", and its weights are not here. Train it with that one.`,
    )
  }
  if (remote === null && trainer.service !== undefined) {
    throw invalid(
      param,
      `The trainer "${id}" trains models that its service keeps, and the weights of "${base.registered}" are here. Name a model of the service as {"hub": "…"}, or train with another trainer.`,
    )
  }
  for (const id of new Set(lineage.steps.flatMap((step) => step.datasets))) {
    const dataset = await datasets.get(id).catch((error: unknown) => {
      if (!isAbsent(error)) throw error
      return null
    })
    if (dataset !== null) checkHeldOut(dataset, param)
  }
  return remote?.name ?? null
}

/**
 * Checks the lineage of every row for held-out tasks, because versions without gates may have built the datasets.
 * @returns the number of rows of tasks with an unknown split
 * @throws EspalierError `invalid_request`
 */
export async function checkLineage(
  { datasets, objects }: Pick<TrainingPlanNeeds, 'datasets'> & { objects: Pick<Objects, 'get'> },
  data: readonly TrainerData[],
  signal: AbortSignal,
): Promise<number> {
  let unknown = 0
  for (const [place, { dataset, split }] of data.entries()) {
    let held = 0
    for (const { lineage } of splitShards(await datasets.files(dataset), split)) {
      signal.throwIfAborted()
      const lines = await readStoredLines(objects, lineage, { skip: 0, take: Number.POSITIVE_INFINITY })
      for (const line of lines) {
        if (line === '') continue
        const { task_split } = lineageRowSchema.parse(JSON.parse(line))
        if (task_split === null) unknown += 1
        else if (task_split !== 'train') held += 1
      }
    }
    if (held > 0) throw heldOut(dataset, held, `datasets[${place}].dataset`)
  }
  return unknown
}

function checkShares({ datasets }: TrainingRequest): void {
  const place = datasets.findIndex(({ share }) => share === undefined)
  if (place === -1 || datasets.every(({ share }) => share === undefined)) return
  throw invalid(`datasets[${place}].share`, 'Give a share to every dataset, or to none.')
}

function unknownTrainer(id: string, trainers: TrainingPlanNeeds['trainers']): EspalierError {
  const known = [...trainers.keys()]
  if (known.length > 0) return notFound('trainer', unknownName('There is no trainer', id, known))
  const advice = 'This service has none: its operator configures them in trainers.json.'
  return notFound('trainer', `There is no trainer "${id}". ${advice}`)
}

function notFound(param: string, message: string): EspalierError {
  return new EspalierError('not_found', message, { param })
}

function invalid(param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param })
}

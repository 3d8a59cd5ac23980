import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { TrainingReason } from '../../../core/contracts/training.ts'
import { findPythonEnvironment, type WantedEnvironment } from '../../../core/programs/python-environment.ts'
import { Coalesced } from '../../../core/world/coalesced.ts'
import type { Objects } from '../../../core/world/ports.ts'
import {
  copyData,
  listCheckpoints,
  nothingReported,
  placesOfTraining,
  restoreCheckpoint,
} from '../program/program-files.ts'
import { type ReportedProgress, readProgress } from '../program/progress-file.ts'
import { readTail, TrainerProcess } from '../program/trainer-process.ts'
import type { TrainedModel, Trainer, TrainerJob, TrainerState } from '../trainer.ts'
import { checkBaseFolder } from './check-base-folder.ts'
import { mergeAdapter } from './merge-adapter.ts'
import { openSettingsCheck, type TrainerSettings } from './trainer-settings.ts'

const program = resolve(import.meta.dirname, '../../../../containers/trainer')

/** Reasons by the program's exit code, for a program that could not write its reason. */
const exitReasons: Record<number, { reason: TrainingReason; message: string }> = {
  65: { reason: 'refused', message: 'The trainer refused the job.' },
  71: { reason: 'not_finite', message: 'The loss was not finite.' },
  72: { reason: 'out_of_memory', message: 'The trainer ran out of memory.' },
  74: { reason: 'disk_full', message: 'The trainer could not write its files: the disk is full.' },
}

export interface LocalTrainerOptions {
  objects: Pick<Objects, 'get'>
  folder: string
  /** A Python with the packages of `containers/trainer/requirements.txt`. @default the managed environment's */
  python?: string
  /** US dollars for an hour of this machine. @default 0 */
  costPerHour?: number
  atOnce?: number
  accelerator?: string | null
  /** Variables that its processes see, beside those of the service. */
  environment?: Readonly<Record<string, string>>
  settings?: TrainerSettings
  variables?: NodeJS.ProcessEnv
}

export function trainerPackages(
  variables: NodeJS.ProcessEnv,
): WantedEnvironment & { besideRequirements: string } {
  return {
    requirements: join(program, 'requirements.txt'),
    besideRequirements: join(program, 'requirements-prm.txt'),
    variables,
  }
}

/** Trains on this machine with TRL, in a process of the managed environment: see `containers/trainer/train.py`. */
export function openLocalTrainer(options: LocalTrainerOptions): Trainer {
  const {
    objects,
    folder,
    costPerHour = 0,
    atOnce = 1,
    accelerator = null,
    environment: own = {},
    settings: { accelerate, reportTo } = { accelerate: null, reportTo: [] },
    variables = process.env,
  } = options
  const processes = new Map<string, TrainerProcess>()
  const starts = new Coalesced()
  const checkSettings = openSettingsCheck(program, { accelerate, reportTo })
  // Kept when the files of the training are removed.
  const reportsOf = (training: string) => join(folder, '..', 'training-reports', training)
  const placeOf = (training: string) => placesOfTraining(join(folder, training))

  async function environment(): Promise<{ python: string; beside: string | null }> {
    if (options.python !== undefined) return { python: options.python, beside: null }
    const found = await findPythonEnvironment(trainerPackages(variables))
    if (found.isInstalled) return found
    throw new EspalierError(
      'not_supported',
      'The trainer is not installed on this machine. Install it with: espalier trainers install',
      { param: 'trainer' },
    )
  }

  async function writeInputs(job: TrainerJob): Promise<string> {
    const place = placeOf(job.training)
    await mkdir(place.data, { recursive: true })
    await mkdir(place.output, { recursive: true })
    await mkdir(place.empty, { recursive: true })
    const data = []
    for (const [index, source] of job.data.entries()) {
      const files: string[] = []
      for (const { name, key, sha256 } of source.files) {
        const path = join(place.data, `${index}-${sha256.slice(0, 16)}-${name}`)
        if (!existsSync(path)) await copyData(objects, key, path)
        files.push(path)
      }
      data.push({ dataset: source.dataset, split: source.split, share: source.share, files })
    }
    const settings = {
      recipe: job.recipe,
      base: job.base,
      data,
      hyperparameters: job.hyperparameters,
      lora: job.lora,
      seed: job.seed,
      checkpoint_steps: job.checkpointSteps,
      keep_checkpoints: job.keepCheckpoints,
      output: place.output,
      progress: place.progress,
      stop: place.stop,
      report_to: reportTo,
      run_name: job.training,
      accelerate,
    }
    await writeFile(place.job, JSON.stringify(settings, null, 2))
    return place.job
  }

  async function startProcess(job: TrainerJob): Promise<void> {
    const { training } = job
    const earlier = processes.get(training)
    if (earlier !== undefined && earlier.exit === null) return
    const { python, beside } = await environment()
    const path = await writeInputs(job)
    const place = placeOf(training)
    await rm(place.stop, { force: true })
    if (job.used.starts > 0 && !existsSync(place.progress)) {
      await writeFile(place.progress, `${JSON.stringify({ event: 'earlier', ...job.used })}\n`)
    }
    const isOffline = 'folder' in job.base
    const started = await TrainerProcess.start({
      command: python,
      options: [join(program, 'train.py'), path],
      // Check the exit before reading the file: a program that ended has written its last line.
      folder: place.empty,
      log: place.log,
      identity: place.identity,
      environment: {
        PYTHONUNBUFFERED: '1',
        TRL_EXPERIMENTAL_SILENCE: '1',
        HF_DATASETS_CACHE: join(place.folder, 'cache'),
        TOKENIZERS_PARALLELISM: 'false',
        ...(reportTo.includes('tensorboard') && { TENSORBOARD_LOGGING_DIR: reportsOf(training) }),
        ...own,
        ...(isOffline && { HF_HUB_OFFLINE: '1' }),
        ...(beside !== null && job.recipe === 'prm' && { PYTHONPATH: beside }),
      },
    })
    processes.set(training, started)
  }

  return {
    info: {
      id: 'local',
      object: 'trainer',
      kind: 'local',
      description: 'TRL on the machine of the service.',
      recipes: ['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo', 'policy-gradient'],
      formats: ['trl'],
    },
    atOnce,
    accelerator,
    lookEvery: 1,

    async check(job) {
      await checkSettings((await environment()).python, job)
      return 'folder' in job.base ? checkBaseFolder(job.base.folder, job) : []
    },

    start: (job) => starts.run(job.training, () => startProcess(job)),

    async look({ training }): Promise<TrainerState> {
      await starts.settled(training)
      const place = placeOf(training)
      // Before training starts there is nothing to save.
      const child = processes.get(training)
      const exit = child?.exit ?? null
      const reported = await readProgress(place.progress)
      const tail = await readTail(place.log)
      const seconds = reported?.seconds ?? 0
      return {
        ...stateOf(reported, child === undefined ? 'gone' : exit),
        progress: reported?.progress ?? nothingReported,
        rows: reported?.rows ?? null,
        points: reported?.points ?? [],
        checkpoints: await listCheckpoints(place.output),
        usage: { seconds, cost: (seconds / 3600) * costPerHour, starts: reported?.starts ?? 0 },
        tail,
        warnings: reported?.warnings ?? [],
      }
    },

    async restore({ training }, step, write) {
      const { output } = placeOf(training)
      await restoreCheckpoint(output, step, write)
    },

    async stop({ training }, { atOnce: isNow }) {
      await starts.settled(training)
      const place = placeOf(training)
      const child = processes.get(training)
      if (child === undefined || child.exit !== null) return
      const phase = (await readProgress(place.progress))?.progress.phase
      if (isNow || (phase !== 'training' && phase !== 'saving')) await child.kill()
      else await writeFile(place.stop, '')
    },

    async collect({ training }): Promise<TrainedModel> {
      const reported = await readProgress(placeOf(training).progress)
      if (reported?.end?.state !== 'succeeded') throw new Error(`The training ${training} has not succeeded.`)
      const { folder: made, format, context_length } = reported.end
      const names = (await readdir(made, { withFileTypes: true })).filter((entry) => entry.isFile())
      const kept = names.map(({ name }) => name).filter((name) => name !== 'README.md')
      return {
        format,
        files: kept.map((name) => ({ name, path: join(made, name) })),
        remote: null,
        tokenizer: kept.includes('tokenizer.json') ? 'tokenizer.json' : null,
        chatTemplate: await readFile(join(made, 'chat_template.jinja'), 'utf8').catch(() => null),
        contextLength: context_length,
      }
    },

    async merge(given) {
      return mergeAdapter(given, (await environment()).python)
    },

    async release(training) {
      await starts.settled(training)
      await processes.get(training)?.kill()
      processes.delete(training)
      await rm(placeOf(training).folder, { recursive: true, force: true })
    },

    async close() {
      await Promise.all([...processes.values()].map((child) => child.kill()))
    },
  }
}

type Exit = TrainerProcess['exit'] | 'gone'

function stateOf(reported: ReportedProgress | null, exit: Exit): Pick<TrainerState, 'state' | 'error'> {
  const end = reported?.end ?? null
  if (end?.state === 'succeeded') return { state: 'succeeded', error: null }
  if (exit === null) return { state: 'running', error: null }
  if (end?.state === 'failed') return { state: 'failed', error: end }
  if (end?.state === 'stopped') return { state: 'stopped', error: null }
  if (exit === 'gone') return { state: 'absent', error: null }
  if (exit.signal !== null) return { state: 'died', error: null }
  const known = exitReasons[exit.code ?? 0]
  const error = known ?? {
    reason: 'trainer_failed' as const,
    message: `The trainer ended with code ${exit.code} and did not say why.`,
  }
  return { state: 'failed', error }
}

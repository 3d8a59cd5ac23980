import { existsSync } from 'node:fs'
import { access, appendFile, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { TrainerInfo, TrainingRows } from '../../../core/contracts/training.ts'
import { Coalesced } from '../../../core/world/coalesced.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { checkBaseFolder } from '../local/check-base-folder.ts'
import {
  listCheckpoints,
  nothingReported,
  placesOfTraining,
  restoreCheckpoint,
} from '../program/program-files.ts'
import { readProgress } from '../program/progress-file.ts'
import { endLeftover, readTail, TrainerProcess } from '../program/trainer-process.ts'
import type { TrainedModel, Trainer, TrainerJob, TrainerState } from '../trainer.ts'
import type { CommandTrainerConfiguration } from './command-configuration.ts'
import { judgeEnd, unwritten } from './command-end.ts'
import { CommandProgress } from './command-progress.ts'
import { findModel } from './find-model.ts'
import { commandMarkers, countRows, findTemplate, prepareCommand, writeTemplate } from './prepare-command.ts'

export interface CommandTrainerOptions {
  id: string
  configuration: CommandTrainerConfiguration
  accelerator?: string | null
  objects: Pick<Objects, 'get'>
  folder: string
}

interface Running {
  child: TrainerProcess
  progress: CommandProgress
}

export function openCommandTrainer(options: CommandTrainerOptions): Trainer {
  const { id, configuration, accelerator = null, objects, folder } = options
  const template = findTemplate(configuration)
  const program = configuration.command ?? template?.program ?? ''
  const info = describeTrainer(id, configuration)
  const running = new Map<string, Running>()
  const starts = new Coalesced()
  const placeOf = (training: string) => {
    const places = placesOfTraining(join(folder, training))
    return { ...places, reported: join(places.folder, 'reported.jsonl') }
  }

  async function startProcess(job: TrainerJob): Promise<void> {
    const { training } = job
    const earlier = running.get(training)
    if (earlier !== undefined && earlier.child.exit === null) return
    await earlier?.progress.collect()
    const place = placeOf(training)
    await mkdir(place.folder, { recursive: true })
    await endLeftover(place.identity)
    const prepared = await prepareCommand(objects, configuration, job, place)
    await rm(place.stop, { force: true })
    await rm(place.reported, { force: true })
    if (job.used.starts > 0 && !existsSync(place.progress))
      await writeFile(place.progress, `${JSON.stringify({ event: 'earlier', ...job.used })}\n`)
    // The leading newline ends a line cut short by a crash.
    const started = { event: 'started', pid: process.pid, seconds: 0 }
    await appendFile(place.progress, `\n${JSON.stringify(started)}\n`)
    const progress = new CommandProgress({
      ...place,
      read: template?.lines(prepared.from, job.hyperparameters) ?? null,
    })
    const rows = rowsOf(job)
    if (rows !== null) progress.add({ event: 'rows', ...rows })
    progress.add({ event: 'phase', phase: 'training' })
    const child = await TrainerProcess.start({
      command: prepared.command,
      options: prepared.options,
      folder: place.folder,
      log: place.log,
      identity: place.identity,
      environment: {
        PYTHONUNBUFFERED: '1',
        HF_DATASETS_CACHE: join(place.folder, 'cache'),
        ...('folder' in job.base && { HF_HUB_OFFLINE: '1' }),
        ...prepared.environment,
        ...configuration.environment,
        ESPALIER_PROGRESS: place.reported,
        ESPALIER_JOB: place.job,
      },
      onLine: (line) => progress.line(line),
    })
    running.set(training, { child, progress })
  }

  return {
    info,
    atOnce: configuration.at_once,
    accelerator,
    lookEvery: 1,

    async check(job) {
      if ((await findProgram(program)) === null) {
        throw new EspalierError(
          'not_supported',
          `The command ${program} of the trainer "${id}" is not there, or may not be started. Install it, or correct "command" in trainers.json.`,
          { param: 'trainer' },
        )
      }
      if (template !== null) {
        const none = { job: '', data: '', output: '', work: '', resume: null }
        writeTemplate(template, configuration, job, none)
      }
      return 'folder' in job.base ? checkBaseFolder(job.base.folder, job) : []
    },

    start: (job) => starts.run(job.training, () => startProcess(job)),

    async look(job): Promise<TrainerState> {
      const { training } = job
      await starts.settled(training)
      const place = placeOf(training)
      const now = running.get(training)
      if (now === undefined) await endLeftover(place.identity)
      // Check the exit before reading the lines: a command that ended has written its last line.
      const exit = now === undefined ? 'gone' : now.child.exit
      await now?.progress.collect()
      const failure = now?.progress.failure ?? null
      if (now !== undefined && exit === null && (now.progress.isLost || failure !== null))
        await now.child.kill()
      const tail = await readTail(place.log)
      const reported = await readProgress(place.progress)
      const judged =
        failure === null
          ? await judgeEnd({
              exit,
              end: reported?.end ?? null,
              wasAsked: existsSync(place.stop),
              tail,
              output: place.output,
            })
          : unwritten(failure)
      const seconds = reported?.seconds ?? 0
      const cost = (seconds / 3600) * configuration.cost_per_hour
      return {
        ...judged,
        progress: reported?.progress ?? nothingReported,
        rows: reported?.rows ?? null,
        points: reported?.points ?? [],
        checkpoints: await listCheckpoints(place.output, commandMarkers),
        usage: { seconds, cost, starts: reported?.starts ?? 0 },
        tail,
        warnings: reported?.warnings ?? [],
      }
    },

    async restore({ training }, step, write) {
      if (!configuration.resumes) return
      await restoreCheckpoint(placeOf(training).output, step, write, commandMarkers)
    },

    async stop({ training }, { atOnce }) {
      await starts.settled(training)
      const place = placeOf(training)
      const now = running.get(training)
      if (now === undefined) return endLeftover(place.identity)
      if (now.child.exit !== null) return
      if (atOnce) return now.child.kill()
      if (existsSync(place.stop)) return
      await writeFile(place.stop, '')
      now.child.ask()
      const { child } = now
      setTimeout(() => void child.kill(), configuration.stop_grace * 1000).unref()
    },

    async collect({ training }): Promise<TrainedModel> {
      const place = placeOf(training)
      const end = (await readProgress(place.progress))?.end ?? null
      const said = end?.state === 'succeeded' ? end : null
      const model = await findModel(place.output, said?.folder ?? null)
      if (model === null) throw new Error(`The training ${training} has left no model.`)
      const { names, format, folder: made } = model
      return {
        format,
        files: names.map((name) => ({ name, path: join(made, name) })),
        remote: null,
        tokenizer: names.includes('tokenizer.json') ? 'tokenizer.json' : null,
        chatTemplate: names.includes('chat_template.jinja')
          ? await readFile(join(made, 'chat_template.jinja'), 'utf8')
          : null,
        contextLength: said?.context_length ?? null,
      }
    },

    async release(training) {
      await starts.settled(training)
      const place = placeOf(training)
      const now = running.get(training)
      if (now === undefined) await endLeftover(place.identity)
      await now?.child.kill()
      running.delete(training)
      await rm(place.folder, { recursive: true, force: true })
    },

    async close() {
      await Promise.all([...running.values()].map(({ child }) => child.kill()))
    },
  }
}

function describeTrainer(id: string, configuration: CommandTrainerConfiguration): TrainerInfo {
  const template = findTemplate(configuration)
  return {
    id,
    object: 'trainer',
    kind: 'command',
    description:
      configuration.description ??
      (template === null
        ? `The command ${configuration.command}.`
        : `${template.title} on the machine of the service.`),
    recipes: [...(template?.recipes ?? configuration.recipes ?? [])],
    formats: [...(template?.formats ?? configuration.formats ?? [])],
  }
}

function rowsOf({ data }: TrainerJob): TrainingRows | null {
  if (data.some(({ share }) => share !== null)) return null
  const by_dataset = data.map(({ dataset, split, files }) => {
    const rows = countRows(files)
    return { dataset, split, rows, used: rows }
  })
  const total = by_dataset.reduce((sum, { rows }) => sum + rows, 0)
  const unknown = { tokens: null, learned_tokens: null, longest: null, too_long: null, truncated: null }
  return { total, by_dataset, ...unknown, dropped: null }
}

async function findProgram(command: string): Promise<string | null> {
  const places = command.includes('/')
    ? [command]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command))
  for (const path of places) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}

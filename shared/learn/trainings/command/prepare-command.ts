import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { copyData, listCheckpoints, type placesOfTraining } from '../program/program-files.ts'
import type { TrainerDataFile, TrainerJob } from '../trainer.ts'
import type { CommandTrainerConfiguration } from './command-configuration.ts'
import { fillArguments, type PlaceholderValues } from './placeholders.ts'
import { axolotlTemplate } from './templates/axolotl-template.ts'
import { llamaFactoryTemplate } from './templates/llama-factory-template.ts'
import type { TrainerTemplate } from './templates/template.ts'
import { torchtuneTemplate } from './templates/torchtune-template.ts'
import { xtunerTemplate } from './templates/xtuner-template.ts'

const templates: readonly TrainerTemplate[] = [
  llamaFactoryTemplate,
  axolotlTemplate,
  torchtuneTemplate,
  xtunerTemplate,
]

export function findTemplate({ template }: CommandTrainerConfiguration): TrainerTemplate | null {
  return templates.find(({ name }) => name === template) ?? null
}

/**
 * Files that mark a complete checkpoint, written last: ours after the command's line, and transformers' Trainer's.
 */
export const commandMarkers = ['espalier.json', 'trainer_state.json']

export interface PreparedCommand {
  command: string
  options: string[]
  environment: Record<string, string>
  /** The step to resume from. 0: the beginning. */
  from: number
}

function plainNames(job: Pick<TrainerJob, 'data'>): string[][] {
  return job.data.map(({ files }, index) =>
    files.map(({ name }) => `${index + 1}-${name.replace(/\.gz$/, '')}`),
  )
}

/**
 * Writes a template's files and commands for a training.
 *
 * @throws EspalierError naming a request that the tool cannot satisfy
 */
export function writeTemplate(
  template: TrainerTemplate,
  configuration: CommandTrainerConfiguration,
  job: Omit<TrainerJob, 'training' | 'used'>,
  places: PlaceholderValues,
) {
  const names = plainNames(job)
  return template.write({
    ...job,
    data: job.data.map(({ kind, share, files }, index) => ({
      kind,
      share,
      rows: countRows(files),
      names: names[index] ?? [],
    })),
    places,
    settings: configuration.settings,
    program: configuration.command ?? template.program,
    devices: configuration.devices,
    hasGpu: existsSync('/dev/nvidia0'),
  })
}

/**
 * Writes a command's inputs into the training's folder: its data, unpacked, `job.json`, and for a template the
 * configuration of its tool. A tool that cannot resume finds an empty output folder.
 */
export async function prepareCommand(
  objects: Pick<Objects, 'get'>,
  configuration: CommandTrainerConfiguration,
  job: TrainerJob,
  at: ReturnType<typeof placesOfTraining>,
): Promise<PreparedCommand> {
  await mkdir(at.data, { recursive: true })
  await mkdir(at.output, { recursive: true })
  refuseFolderOfName(job.base, at.folder)
  const last = configuration.resumes ? (await listCheckpoints(at.output, commandMarkers)).at(-1) : undefined
  await removeOthers(at.output, last?.folder ?? null)
  const names = plainNames(job)
  for (const [index, { files }] of job.data.entries()) {
    for (const [place, { key }] of files.entries()) {
      const path = join(at.data, names[index]?.[place] ?? '')
      if (!existsSync(path)) await copyData(objects, key, path, { unpacked: true })
    }
  }
  const places: PlaceholderValues = {
    job: at.job,
    data: at.data,
    output: at.output,
    work: at.folder,
    resume: last?.folder ?? null,
  }
  await writeFile(at.job, `${JSON.stringify(describeJob(job, places, names), null, 2)}\n`)
  const from = last?.step ?? 0
  const template = findTemplate(configuration)
  if (template === null) {
    const options = fillArguments(configuration.arguments ?? [], places)
    return { command: configuration.command ?? '', options, environment: {}, from }
  }
  const { files, commands, environment } = writeTemplate(template, configuration, job, places)
  for (const [name, text] of Object.entries(files)) await writeFile(join(at.folder, name), text)
  const script = join(at.folder, 'run.sh')
  await writeFile(script, `set -eu\n${commands.map((words) => words.map(quoted).join(' ')).join('\n')}\n`)
  return { command: 'sh', options: [script], environment, from }
}

/** Tools take a hub's name for a folder if their working folder has one of that name. */
function refuseFolderOfName(base: TrainerJob['base'], work: string): void {
  if (!('hub' in base) || !existsSync(join(work, base.hub))) return
  throw new EspalierError(
    'invalid_request',
    `"${base.hub}" is also a folder of the training. Name a model of the hub, or register yours.`,
    { param: 'base.hub' },
  )
}

async function removeOthers(output: string, resumed: string | null): Promise<void> {
  const markers = resumed === null ? [] : commandMarkers
  const whole = new Set((await listCheckpoints(output, markers)).map(({ folder }) => folder))
  for (const name of await readdir(output)) {
    const path = join(output, name)
    if (!whole.has(path)) await rm(path, { recursive: true, force: true })
  }
}

function describeJob(job: TrainerJob, places: PlaceholderValues, names: string[][]) {
  return {
    training: job.training,
    recipe: job.recipe,
    base: job.base,
    data: job.data.map(({ dataset, split, kind, format, share, files }, index) => ({
      dataset,
      split,
      kind,
      format,
      share,
      rows: countRows(files),
      files: (names[index] ?? []).map((name) => join(places.data, name)),
    })),
    hyperparameters: job.hyperparameters,
    lora: job.lora,
    seed: job.seed,
    checkpoint_steps: job.checkpointSteps,
    keep_checkpoints: job.keepCheckpoints,
    output: places.output,
    resume_from: places.resume,
  }
}

export function countRows(files: readonly TrainerDataFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

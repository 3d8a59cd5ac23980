import { stringify } from 'yaml'
import { EspalierError } from '../../../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../../../core/contracts/json.ts'
import type { Lora, TrainingRecipe } from '../../../../core/contracts/training.ts'
import type { TrainerJob } from '../../trainer.ts'
import type { TemplateName } from '../command-configuration.ts'
import type { PlaceholderValues } from '../placeholders.ts'
import type { ToolLine } from '../tool-lines.ts'

export interface TemplateJob
  extends Pick<TrainerJob, 'recipe' | 'base' | 'hyperparameters' | 'lora' | 'seed'> {
  checkpointSteps: number | null
  keepCheckpoints: number
  data: { kind: string; share: number | null; rows: number; names: string[] }[]
  places: PlaceholderValues
  /**
   * From the configuration: further settings by the tool's names, the program, and the devices that share a batch.
   */
  settings: JsonObject
  program: string
  devices: number
  hasGpu: boolean
}

export interface TemplateRun {
  files: Record<string, string>
  commands: string[][]
  environment: Record<string, string>
}

export interface TrainerTemplate {
  name: TemplateName
  title: string
  program: string
  recipes: readonly TrainingRecipe[]
  formats: readonly string[]
  /** @throws EspalierError naming a request that the tool cannot satisfy */
  write(job: TemplateJob): TemplateRun
  /** Reads the tool's output. @param from - the step it resumes from */
  lines(from: number, hyperparameters: TemplateJob['hyperparameters']): (line: string) => ToolLine | null
}

/** Hyperparameters for a template, which must take every one: a tool would silently ignore the others. */
export class HyperparameterReader {
  readonly #rest: Map<string, Json>
  readonly #tool: string

  constructor({ hyperparameters }: Pick<TemplateJob, 'hyperparameters'>, tool: string) {
    this.#rest = new Map(Object.entries(hyperparameters))
    this.#tool = tool
  }

  number(name: string): number {
    return Number(this.take(name))
  }

  take(name: string): Json {
    const value = this.#rest.get(name) ?? null
    this.#rest.delete(name)
    return value
  }

  /** Takes one that the tool supports for some values only. @throws EspalierError for any other value */
  oneOf<T extends Json>(name: string, values: readonly T[], why: string): T {
    const value = this.take(name)
    const found = values.find((each) => each === value)
    if (found !== undefined) return found
    throw new EspalierError(
      'invalid_request',
      `${this.#tool} cannot do ${JSON.stringify(value)}: ${why} Choose from: ${values.map((each) => JSON.stringify(each)).join(', ')}.`,
      { param: `hyperparameters.${name}` },
    )
  }

  /** Tokens of a row. @throws EspalierError for null: the tools have defaults of their own */
  maxLength(): number {
    const length = this.take('max_length')
    if (typeof length === 'number') return length
    throw new EspalierError('invalid_request', `${this.#tool} needs a number of tokens.`, {
      param: 'hyperparameters.max_length',
    })
  }

  /** Number of accumulated batches in a step. @throws EspalierError if the devices cannot share a batch */
  batches(devices: number): { micro: number; accumulated: number } {
    const size = this.number('batch_size')
    const micro = this.number('micro_batch_size')
    if (size % (micro * devices) === 0) return { micro, accumulated: size / (micro * devices) }
    throw new EspalierError(
      'invalid_request',
      `It is ${size}, and must be a multiple of hyperparameters.micro_batch_size, which is ${micro}, times the trainer’s devices, ${devices}.`,
      { param: 'hyperparameters.batch_size' },
    )
  }

  /** @throws EspalierError for a hyperparameter that the template did not take */
  finish(): void {
    const [name] = this.#rest.keys()
    if (name === undefined) return
    throw new EspalierError('invalid_request', `${this.#tool} has nothing for it.`, {
      param: `hyperparameters.${name}`,
    })
  }
}

/** @throws EspalierError if the data is mixed by shares, which the tools do differently */
export function refuseShares({ data }: TemplateJob, tool: string): void {
  const place = data.findIndex(({ share }) => share !== null)
  if (place === -1) return
  throw new EspalierError(
    'invalid_request',
    `${tool} mixes datasets in another way. Leave the shares out: it then learns all rows of all of them.`,
    { param: `datasets[${place}].share` },
  )
}

/**
 * Adds the configuration's own settings of the tool.
 *
 * @throws EspalierError for one that the training sets
 */
export function withSettings(ours: JsonObject, { settings }: TemplateJob, tool: string): JsonObject {
  const name = Object.keys(settings).find((each) => each in ours)
  if (name === undefined) return { ...ours, ...settings }
  throw new EspalierError(
    'invalid_request',
    `The training says ${tool}’s "${name}". Take it out of the trainer’s settings in trainers.json.`,
    { param: 'trainer' },
  )
}

/** YAML for Python: in YAML 1.1 a number such as `5e-7` without a point is a string. */
export function pythonYaml(value: JsonObject): string {
  return stringify(value).replaceAll(/^(\s*[\w-]+: -?\d+)e([+-]\d+)$/gm, '$1.0e$2')
}

export function targetsOf({ target_modules }: Lora): 'all' | string[] {
  return target_modules === 'all-linear' ? 'all' : target_modules
}

export function nameOfBase({ base }: Pick<TemplateJob, 'base'>): { name: string; revision: string | null } {
  return 'folder' in base
    ? { name: base.folder, revision: null }
    : { name: base.hub, revision: base.revision ?? null }
}

/**
 * Converts a share of all steps to a number: transformers 5 reads a share, 4 reads steps, and tools run with both.
 *
 * @throws EspalierError if the number of steps is unknown
 */
export function warmupSteps(job: TemplateJob, warmup: number, isPacked: boolean): number {
  if (warmup === 0 || warmup >= 1) return Math.round(warmup)
  const { max_steps, epochs, batch_size, micro_batch_size } = job.hyperparameters
  const [size, micro] = [Number(batch_size), Number(micro_batch_size) * job.devices]
  const rows = job.data.reduce((sum, each) => sum + each.rows, 0)
  if (typeof max_steps === 'number') return Math.ceil(warmup * max_steps)
  if (isPacked || rows === 0) {
    throw new EspalierError(
      'invalid_request',
      'Packed rows make a number of steps that is not known before: say it in steps, or set hyperparameters.max_steps.',
      { param: 'hyperparameters.warmup' },
    )
  }
  const perEpoch = Math.ceil(Math.ceil(rows / micro) / (size / micro))
  return Math.ceil(warmup * Math.ceil(perEpoch * Number(epochs)))
}

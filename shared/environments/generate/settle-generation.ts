import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { TaskGeneration } from '../../core/contracts/task-generation.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import type { EnvironmentFacts, EnvironmentTask } from '../environment.ts'
import { generateTasks } from './generate-tasks.ts'
import type { TaskGenerator } from './task-generator.ts'

export type SettledGeneration = Required<Pick<TaskGeneration, 'generator' | 'version'>> & TaskGeneration

type Generating = Pick<EnvironmentFacts, 'id' | 'generators'>

/**
 * Fills in a request's generator, that generator's version, and every bound.
 * @throws EspalierError `invalid_request` or `unknown_field`, naming the error and the valid choices
 */
export function settleGeneration(environment: Generating, request: TaskGeneration): SettledGeneration {
  const { generator: _name, version: _version, count, seed, split, ...given } = request
  const generator = findGenerator(environment, request)
  const parsed = generator.bounds.safeParse(given)
  if (!parsed.success) {
    const at = ['tasks', 'generate']
    throw describeInvalid(parsed.error, {
      part: 'json',
      schema: generator.bounds,
      value: given as JsonObject,
      at,
    })
  }
  const { id, version } = generator
  return { generator: id, version, count, seed, split, ...parsed.data }
}

export async function generateSettled(
  environment: Generating,
  settled: TaskGeneration,
): Promise<EnvironmentTask[]> {
  const { count, generator: _name, seed, split, version: _version, ...bounds } = settled
  return generateTasks(findGenerator(environment, settled), {
    count,
    seed,
    split,
    bounds: bounds as JsonObject,
  })
}

function findGenerator({ generators = [], id }: Generating, request: TaskGeneration): TaskGenerator {
  const { generator: name, version } = request
  const choices = [...new Set(generators.map((each) => each.id))]
  if (choices.length === 0) {
    throw refused(
      'generate',
      `Nothing generates tasks of ${id} over this data. Leave tasks.generate out; data "builtin" has a generator where the environment has one.`,
    )
  }
  if (name === undefined && choices.length > 1) {
    throw refused('generate.generator', `Say which generator of ${id} is meant: ${choices.join(', ')}.`)
  }
  const named = generators.filter((each) => name === undefined || each.id === name)
  if (named.length === 0) {
    throw refused('generate.generator', unknownName(`${id} has no generator`, name, choices))
  }
  const found =
    version === undefined
      ? named.reduce((newest, each) => (each.version > newest.version ? each : newest))
      : named.find((each) => each.version === version)
  if (found !== undefined) return found
  throw refused(
    'generate.version',
    `The generator "${named[0]?.id}" has no version ${version}. Choose one of: ${named.map((each) => each.version).join(', ')}.`,
  )
}

function refused(field: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param: `tasks.${field}` })
}

import { extname, join, resolve } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { MethodValidation } from '../../shared/core/contracts/method-validation.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import {
  RemoteCallError,
  ThreadLostError,
  ThreadTimeoutError,
} from '../../shared/core/threads/thread-errors.ts'
import { ThreadPool } from '../../shared/core/threads/thread-pool.ts'
import { inProcess } from '../../shared/environments/environments.ts'
import { loadMethodModule } from '../../shared/play/methods/added/load-method-module.ts'
import { readMethodsFile } from '../../shared/play/methods/added/methods-file.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import {
  type EnvironmentLaws,
  endlessLaws,
  reportLaws,
  type ValidatedMethod,
} from '../../shared/play/methods/validation/validate-method.ts'
import { wrongUsage } from '../command-error.ts'
import { isMethodFile } from '../method-file.ts'

export interface ValidationSettings {
  folder: string
  parameters: JsonObject
  seed: number
  tasks: number
  steps: number
  cuts: number
  timeLimit: number
}

export interface ValidationRequest extends ValidationSettings {
  file: string | null
  method: string
  environment: string
}

interface ValidationOptions {
  method?: string
  environments?: readonly string[]
  onProgress(text: string): void
}

const memory = 2048

/**
 * Validates the methods of a file, a method of `methods.json`, or an included one. They run in a separate process, so
 * that an endless loop is ended and reported.
 */
export async function validateMethods(
  named: string,
  settings: ValidationSettings,
  { environments = inProcess, method: only, onProgress }: ValidationOptions,
): Promise<MethodValidation[]> {
  const all = await findTargets(named, settings)
  const targets = all.filter(({ method }) => only === undefined || method.id === only)
  if (targets.length === 0) {
    const ids = all.map(({ method }) => method.id)
    throw wrongUsage(unknownName(`${named} exports no method`, only, ids))
  }
  const reports: MethodValidation[] = []
  for (const target of targets) {
    const checked: EnvironmentLaws[] = []
    for (const environment of environments) {
      onProgress(`${target.method.id} in ${environment}`)
      checked.push(await checkApart(target, environment, settings, onProgress))
    }
    reports.push(reportLaws(target, checked))
  }
  return reports
}

type Target = ValidatedMethod & { path: string | null }

async function findTargets(named: string, settings: ValidationSettings): Promise<Target[]> {
  const { cuts, folder, parameters, seed, steps, tasks } = settings
  const how = { cuts, parameters, seed, steps, tasks }
  const ofFile = async (path: string, file: string): Promise<Target[]> => {
    const { digest, files, methods } = await loadMethodModule(path, file)
    return methods.map((method) => ({ ...how, method, path, module: { file, digest, files } }))
  }
  if (isMethodFile(named)) return ofFile(resolve(named), named)
  const added = (await readMethodsFile(join(resolve(folder), 'methods.json'))).get(named)
  if (added === undefined) return [{ ...how, method: openMethods().find(named), path: null, module: null }]
  return (await ofFile(resolve(folder, added.file), added.file)).filter(({ method }) => method.id === named)
}

async function checkApart(
  { method, path }: Target,
  environment: string,
  settings: ValidationSettings,
  onProgress: (text: string) => void,
): Promise<EnvironmentLaws> {
  let last = 'its start'
  const pool = new ThreadPool<ValidationRequest, EnvironmentLaws>({
    file: new URL(`./validate-method-process${extname(import.meta.filename)}`, import.meta.url),
    name: method.id,
    size: 1,
    process: { memory },
    answer: async (question: { law: string; task: string }) => {
      last = `the law ${question.law}, ${question.task}`
      onProgress(`${method.id} in ${environment}: ${question.law}, ${question.task}`)
    },
  })
  const request = { ...settings, environment, method: method.id, file: path }
  try {
    return await pool.call(request, { limit: settings.timeLimit * 1000, caller: method.id })
  } catch (error) {
    if (error instanceof ThreadTimeoutError)
      return endlessLaws(
        environment,
        `It took more than ${settings.timeLimit} seconds, and was ended at ${last}. --time-limit gives it longer.`,
      )
    if (error instanceof ThreadLostError)
      return endlessLaws(environment, `Its process ended at ${last}: ${error.reason}`)
    if (error instanceof RemoteCallError && error.thrown === 'EspalierError')
      throw new EspalierError('invalid_request', error.message)
    throw error
  } finally {
    // The pool ends its process immediately. Nothing needs to wait for it.
    void pool.close()
  }
}

import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import {
  absolutePathSchema,
  hubIdSchema,
  modelNameSchema,
  revisionSchema,
} from '../../core/contracts/path-types.ts'
import type { TrainingBase } from '../../core/contracts/training.ts'
import type { TrainerJob } from './trainer.ts'

/**
 * Checks every string of a training that its trainer may take for a path. Other tenants' models lie on the same machine.
 *
 * @param options.folders - below which requests may name paths; null: anywhere
 * @param options.isService - the trainer's models are kept by a service, which names them in its own way
 * @throws EspalierError `invalid_request`, naming the field
 */
export function checkPaths(
  { base, hyperparameters }: { base: TrainingBase; hyperparameters: TrainerJob['hyperparameters'] },
  { folders, isService }: { folders: readonly string[] | null; isService: boolean },
): void {
  if ('hub' in base) {
    check('base.hub', base.hub, isService ? modelNameSchema : hubIdSchema)
    if (base.revision !== undefined) check('base.revision', base.revision, revisionSchema)
  }
  for (const [param, path] of pathsOf(base, hyperparameters)) {
    check(param, path, absolutePathSchema)
    if (folders !== null && !folders.some((folder) => isInside(path, folder))) throw outside(param)
  }
}

/**
 * Follows the links of a training's paths, just before its trainer reads them: a link below an allowed folder may lead out of it.
 *
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function checkLinks(
  { base, hyperparameters }: Pick<TrainerJob, 'hyperparameters'> & { base: TrainingBase },
  folders: readonly string[] | null,
): Promise<void> {
  if (folders === null) return
  const real = await Promise.all(folders.map(followed))
  for (const [param, path] of pathsOf(base, hyperparameters)) {
    const target = await followed(path)
    if (!real.some((folder) => isInside(target, folder))) throw outside(param)
  }
}

function pathsOf(
  base: TrainingBase,
  { reward }: TrainerJob['hyperparameters'],
): [param: string, path: string][] {
  const named: [param: string, path: string][] = []
  if ('folder' in base) named.push(['base.folder', base.folder])
  if (typeof reward === 'object' && reward !== null && 'file' in reward) {
    named.push(['hyperparameters.reward.file', String(reward.file)])
  }
  return named
}

function check(param: string, value: string, schema: z.ZodType<string>): void {
  const parsed = schema.safeParse(value)
  if (parsed.success) return
  const message = `${JSON.stringify(value.slice(0, 200))}: ${parsed.error.issues[0]?.message}.`
  throw new EspalierError('invalid_request', message, { param })
}

function isInside(path: string, folder: string): boolean {
  const root = resolve(folder)
  return `${resolve(path)}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

async function followed(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return resolve(path)
  }
}

function outside(param: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    'This service lets requests name no such path. Register the model, or have its operator name the folder in "folders" of trainers.json.',
    { param },
  )
}

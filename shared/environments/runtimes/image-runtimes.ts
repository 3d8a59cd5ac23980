import { EspalierError } from '../../core/contracts/errors.ts'
import { type Environment, isHosted } from '../environment.ts'
import type { HostNeed, ImageFacts } from '../image-facts.ts'
import { findImage } from '../images.ts'
import {
  chromium,
  java,
  type MissingRuntime,
  pythonWith,
  type RuntimeCheck,
  type RuntimeVariables,
} from './missing-runtime.ts'

function checkOf(need: HostNeed, image: ImageFacts): RuntimeCheck {
  if (typeof need === 'function') return async (variables) => (await need())(variables)
  if (typeof need === 'object') return pythonWith(image, need.python)
  return need === 'java' ? java : chromium
}

function checksOf(image: string, onMachines = false): RuntimeCheck[] {
  const facts = findImage(image)
  if (facts === undefined) return []
  return ((onMachines ? facts.needsOnMachines : facts.needs) ?? []).map((need) => checkOf(need, facts))
}

export type FindMissingRuntimes = (environment: Environment) => Promise<readonly MissingRuntime[]>

export async function missingOfImage(image: string, variables: RuntimeVariables): Promise<MissingRuntime[]> {
  return missingOf(checksOf(image), variables)
}

export function openRuntimes(variables: RuntimeVariables): FindMissingRuntimes {
  const complete = new Set<string>()
  return async (environment) => {
    if (!isHosted(environment) || environment.host.kind !== 'image') return []
    const { image, machines } = environment.host
    const checks = checksOf(image, machines !== undefined)
    const key = machines === undefined ? image : `${image} on machines`
    if (complete.has(key)) return []
    const missing = await missingOf(checks, variables)
    if (missing.length === 0) complete.add(key)
    return missing
  }
}

/** @throws EspalierError `not_supported` that names each missing program and the command that installs it */
export function refuseMissing(id: string, missing: readonly MissingRuntime[]): void {
  if (missing.length === 0) return
  throw new EspalierError(
    'not_supported',
    `${id} cannot be played on this machine. ${describeMissing(missing)}`,
    {
      param: 'environment',
    },
  )
}

export function describeMissing(missing: readonly MissingRuntime[]): string {
  return missing.map((each) => `${each.missing} ${each.cure}`).join(' ')
}

async function missingOf(
  checks: readonly RuntimeCheck[],
  variables: RuntimeVariables,
): Promise<MissingRuntime[]> {
  return (await Promise.all(checks.map((check) => check(variables)))).flat()
}

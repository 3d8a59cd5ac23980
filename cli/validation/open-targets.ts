import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hostFilesOf, pureImage, serverSessions } from '../../functions/wiring/sessions-of.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { type ListedModules, listModules } from '../../shared/environments/added/list-modules.ts'
import { loadModule } from '../../shared/environments/added/load-module.ts'
import {
  listAddressEnvironments,
  openAddressEnvironment,
} from '../../shared/environments/added/open-address-environment.ts'
import { type Environment, isHosted } from '../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { addressSessions } from '../../shared/environments/hosts/address-sessions.ts'
import {
  builtinData,
  type OpenEnvironment,
  openEnvironments,
} from '../../shared/environments/open-environments.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { wrongUsage } from '../command-error.ts'
import { findDefinition } from '../data/find-definition.ts'
import { withPackStore } from '../data/with-pack-store.ts'
import { definitionsOfFile, isEnvironmentFile, isModuleFile, refusePath } from '../environment-file.ts'
import type { GlobalOptions } from '../global-options.ts'
import { withHost } from './with-host.ts'

export interface TargetOptions extends GlobalOptions {
  environment?: string
  data?: string
  hosting?: 'worker' | 'host'
}

export interface ValidationTarget {
  environment: Environment
  sessions?: SessionSource
}

/**
 * Opens a named environment, the environments of a module, or those of a server that speaks the host protocol.
 * Environments that need a host get one for the duration of the work.
 */
export async function withTargets(
  named: string,
  options: TargetOptions,
  work: (target: ValidationTarget) => Promise<void>,
): Promise<void> {
  if (/^https?:\/\//.test(named)) return withServer(named, options, work)
  if (isModuleFile(named)) {
    const file = resolve(named)
    for (const definition of choose(await loadModule(file, {}, named), options, named)) {
      await withOpened(await openBuiltin(definition), options, work, { files: [file], limits: {} })
    }
    return
  }
  if (isEnvironmentFile(named)) {
    const [definition] = await definitionsOfFile(named, process.env)
    if (definition === undefined) return
    return withOpened(await openBuiltin(definition), options, work, { files: [], limits: {} })
  }
  refusePath(named, 'environment')
  const definition = await findDefinition(options.folder, named)
  const modules = await listModules(join(resolve(options.folder), 'environments.json'))
  const isStored = definition.pack !== undefined && options.data !== builtinData && existsSync(options.folder)
  if (!isStored) {
    const opened = await openEnvironments([definition], null).open(named, options.data)
    return withOpened(opened, options, work, modules)
  }
  const { service: _, ...local } = options
  await withPackStore(local, async (store) =>
    withOpened(await openEnvironments([definition], store).open(named, options.data), options, work, modules),
  )
}

async function withServer(
  address: string,
  options: TargetOptions,
  work: (target: ValidationTarget) => Promise<void>,
): Promise<void> {
  const ids = (await listAddressEnvironments(address)).map((id) => ({ id }))
  for (const { id } of choose(ids, options, address)) {
    const environment = await openAddressEnvironment({ id, address, environment: id })
    const withSnapshots = environment.snapshot === 'native'
    await work({ environment, sessions: addressSessions({ address, environment: id, withSnapshots }) })
  }
}

async function withOpened(
  opened: OpenEnvironment,
  { hosting }: TargetOptions,
  work: (target: ValidationTarget) => Promise<void>,
  modules: ListedModules,
): Promise<void> {
  const { environment } = opened
  const withSnapshots = environment.snapshot === 'native'
  if (isHosted(environment) && environment.host.kind !== 'image') {
    return work({ environment, sessions: serverSessions(environment.id, environment.host, withSnapshots) })
  }
  if (!isHosted(environment) && hosting !== 'host') return work({ environment })
  const host =
    isHosted(environment) && environment.host.kind === 'image'
      ? environment.host
      : { kind: 'image' as const, image: pureImage }
  const there = {
    environment: host.environment ?? environment.id,
    withSnapshots,
    ...hostFilesOf(opened, host),
  }
  await withHost({ image: host.image, modules }, (address) =>
    work({ environment, sessions: addressSessions({ address, ...there }) }),
  )
}

async function openBuiltin(definition: EnvironmentDefinition): Promise<OpenEnvironment> {
  return { environment: await definition.open(null), pack: null, definition }
}

function choose<Item extends { id: string }>(
  all: readonly Item[],
  { environment }: TargetOptions,
  where: string,
): readonly Item[] {
  const chosen = all.filter(({ id }) => environment === undefined || id === environment)
  if (chosen.length > 0) return chosen
  const ids = all.map(({ id }) => id)
  throw wrongUsage(unknownName(`${where} has no environment`, environment, ids))
}

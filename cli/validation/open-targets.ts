import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hostFilesOf, pureImage, serverSessions } from '../../functions/wiring/sessions-of.ts'
import { hostImages } from '../../local/host-images.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { HostProcess } from '../../shared/core/world/local/host-process.ts'
import {
  type ListedModules,
  listModules,
  moduleVariables,
} from '../../shared/environments/added/list-modules.ts'
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
import { describeMissing, missingOfImage } from '../../shared/environments/runtimes/image-runtimes.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { findDefinition } from '../data/find-definition.ts'
import { withPackStore } from '../data/with-pack-store.ts'
import { definitionsOfFile, isEnvironmentFile, isModuleFile, refusePath } from '../environment-file.ts'
import type { GlobalOptions } from '../global-options.ts'

const lastLines = 10

const grace = 5

export interface TargetOptions extends GlobalOptions {
  environment?: string
  data?: string
  hosting?: 'worker' | 'host'
}

export interface ValidationTarget {
  environment: Environment
  sessions?: SessionSource
}

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

async function withHost<Result>(
  { image, modules }: { image: string; modules: ListedModules },
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  const entry = hostImages[image]
  if (entry === undefined) throw new CommandError('no_host', `There is no image "${image}" here.`)
  const missing = await missingOfImage(image, process.env)
  if (missing.length > 0) throw new CommandError('not_supported', describeMissing(missing))
  const folder = await mkdtemp(join(tmpdir(), 'espalier-host-'))
  const log = join(folder, 'host.log')
  const environment = moduleVariables(modules)
  const host = new HostProcess({ id: `host_${randomUUID()}`, image, entry, environment, log })
  try {
    await host.started()
    const { address, reason } = host.describe()
    if (address !== null) return await work(address)
    const said = (await readFile(log, 'utf8')).trim().split('\n').slice(-lastLines).join('\n')
    const why = reason?.replace(/; its output is in .*$/, '') ?? 'It did not start'
    throw new CommandError('no_host', `No host of ${image} could be started. ${why}; it said:\n${said}`)
  } finally {
    await host.stop(grace)
    await rm(folder, { recursive: true, force: true })
  }
}

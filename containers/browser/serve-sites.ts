import { extname } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { openSites, sitesDefinition, sitesOptions } from '../../shared/environments/sites/definition.ts'
import { sitesTasks } from '../../shared/environments/sites/tasks.ts'
import { taskPath } from '../../shared/environments/webarena/pack-format.ts'
import {
  type SessionSite,
  type SessionSites,
  sessionSitesFile,
} from '../../shared/environments/webarena/session-files.ts'
import type { HostLog } from '../env-host/host-log.ts'
import type { ServedEnvironment } from '../env-host/session-backend.ts'
import { KeptPages } from './kept-pages.ts'
import { serveWebarena } from './serve-webarena.ts'

/**
 * The used part of `containers/sites`, which the package leaves out. A separate type, so that none of it is compiled
 * into the package.
 */
interface SitesProgram {
  startSites(): Promise<{ addresses: Readonly<Record<string, string>>; stop(): Promise<void> }>
}

interface LogIns {
  storageStateOf(addresses: Readonly<Record<string, string>>, names: readonly string[]): object
}

/** Serves the practice sites, which start with the first session in this process. Each session has its own copies. */
export function serveSites(log: HostLog, pages = new KeptPages()): ServedEnvironment {
  const benchmark = serveWebarena('visualwebarena', log, pages)
  let starting: ReturnType<SitesProgram['startSites']> | null = null

  async function start(): ReturnType<SitesProgram['startSites']> {
    const { startSites } = await importFromSites<SitesProgram>('start-sites')
    return startSites()
  }

  return {
    id: sitesDefinition.id,
    facts: () => openSites(),
    async open({ task: id, seed, options: given }) {
      const found = sitesTasks().get(id)
      if (found === undefined) {
        throw new EspalierError(
          'unknown_task',
          `sites has no task "${id}". Its tasks are such as shopping/0.`,
          { param: 'task' },
        )
      }
      const options = sitesOptions.parse(parseEnvironmentOptions(sitesDefinition, given))
      starting ??= start()
      const { addresses } = await starting
      const { storageStateOf } = await importFromSites<LogIns>('storage-states')
      const { storage_state: state, sites: used } = found.task
      const session: SessionSites = {
        sites: Object.fromEntries(
          Object.entries(addresses).map(([name, address]) => [name, siteAt(address)]),
        ),
        storage_state: state ? JSON.stringify(storageStateOf(addresses, used)) : null,
      }
      const files = {
        [taskPath(id)]: JSON.stringify({ task: found.written, pictures: {} }),
        [sessionSitesFile]: JSON.stringify(session),
      }
      return benchmark.open({ task: id, seed, files, options })
    },
    async stop() {
      await benchmark.stop?.()
      const running = await starting?.catch(() => null)
      await running?.stop()
    },
  }
}

function siteAt(address: string): SessionSite {
  return {
    address,
    hosts: [new URL(address).host],
    sharing: { kind: 'sessions', reset: '/reset', close: '/close', state: '/state' },
  }
}

async function importFromSites<Module>(name: string): Promise<Module> {
  const address = new URL(`../sites/server/${name}${extname(import.meta.filename)}`, import.meta.url)
  const found = (await import(address.href).catch(whereAbsent)) as Module | undefined
  if (found !== undefined) return found
  throw new EspalierError(
    'host_unreachable',
    'The sites are not part of the package: play them from a clone of the repository.',
  )
}

function whereAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
  throw error
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveWebarena } from '../../containers/browser/serve-webarena.ts'
import type { SessionBackend } from '../../containers/env-host/session-backend.ts'
import { startSites } from '../../containers/sites/server/start-sites.ts'
import { writeStorageStates } from '../../containers/sites/server/storage-states.ts'
import { hostFilesOf, sessionsOf } from '../../functions/wiring/sessions-of.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import { webarenaPackFormat } from '../../shared/environments/webarena/pack-format.ts'
import { openServedHost } from '../../test/support/served-host.ts'

export async function openShop(options: JsonObject, keepsStates = true) {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const sites = await startSites()
  const served = serveWebarena('visualwebarena', () => undefined)
  await writeStorageStates(sites.addresses, join(folder, 'states'))
  const sharing = { kind: 'sessions', close: '/close', ...(keepsStates && { state: '/state' }) }
  const entry = {
    kind: 'visualwebarena',
    sites: { shopping: { address: sites.addresses.shopping, sharing } },
    storage_states: { folder: 'states' },
  }
  const path = join(folder, 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { shop: entry } }))
  const [definition] = await loadAddedEnvironments({ path })
  const world = await openLocalWorld({ folder: join(folder, 'world') })
  const packs = openDataPacks(world)
  const tasks = join(import.meta.dirname, '../../shared/environments/sites/tasks/shopping.json')
  const source = { files: ['shopping.json'], read: () => readFile(tasks) }
  const collected = webarenaPackFormat.collect(source)
  const { digest } = await packs.add({ environment: 'shop', name: 'shop' }, collected)
  const pack = await packs.open('shop', digest)
  const environment = await definition?.open(pack, options)
  if (definition === undefined || environment === undefined || !isHosted(environment)) {
    throw new Error('The shop is no environment.')
  }
  const { host } = environment
  if (host.kind !== 'image') throw new Error('The shop runs on no host of ours.')
  const { caller, calls } = await openServedHost(world, served, 'browser', 16)
  return {
    world,
    environment,
    sessions: sessionsOf({ world, hosts: caller })({ environment, pack, definition, options }),
    calls,
    async backend(task: string): Promise<SessionBackend> {
      const files = (await hostFilesOf({ pack, definition }, host).files?.(task)) ?? {}
      return served.open({ task, seed: 0, files, options })
    },
    async close(): Promise<void> {
      await served.stop?.()
      await sites.stop()
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  openPostgresWorld,
  type PostgresWorld,
} from '../../shared/core/world/postgres/open-postgres-world.ts'

const beside = (file: string) => fileURLToPath(new URL(`../core/contracts/world/${file}`, import.meta.url))

const images = { greeting: beside('greeting-host.ts'), broken: beside('broken-host.ts') }

export interface ClusterWorld {
  world: PostgresWorld
  address: string
  folder: string
  /** Opens the same world once more, as another machine does. */
  join(): Promise<PostgresWorld>
  dispose(): Promise<void>
}

export async function openClusterWorld(address: string): Promise<ClusterWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-shared-'))
  const open = () =>
    openPostgresWorld({ address, objects: join(folder, 'objects'), logs: join(folder, 'logs'), images })
  const world = await open()
  const joined: PostgresWorld[] = []
  return {
    world,
    address,
    folder: join(folder, 'objects'),
    async join() {
      const other = await open()
      joined.push(other)
      return other
    },
    async dispose() {
      await Promise.all([world, ...joined].map((each) => each.close()))
      await rm(folder, { recursive: true })
    },
  }
}

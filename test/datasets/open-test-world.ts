import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalWorld } from '../../shared/world/local/open-local-world.ts'
import type { World } from '../../shared/world/ports.ts'

/** The local world in a folder of its own; `close` removes the folder too. */
export async function openTestWorld(): Promise<{ world: World; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-datasets-'))
  const world = await openLocalWorld({ folder })
  return {
    world,
    async close() {
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

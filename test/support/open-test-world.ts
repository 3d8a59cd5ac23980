import { onTestFinished } from 'vitest'
import { openLocalWorld } from '../../shared/world/local/open-local-world.ts'
import type { World } from '../../shared/world/ports.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A local world in a folder of its own, closed when the test ends. */
export async function openTestWorld(): Promise<World> {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  return world
}

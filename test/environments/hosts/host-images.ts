import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type LocalWorld, openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The image of the pure environments, as a child process runs it. */
export const envHost = fileURLToPath(new URL('../../../containers/env-host/env-host.ts', import.meta.url))

/** A local world whose hosts are real, closed when the test ends. */
export async function openHostWorld(): Promise<LocalWorld> {
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: { 'env-host': envHost } })
  onTestFinished(() => world.close())
  return world
}

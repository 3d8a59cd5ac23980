import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { World } from '../../shared/core/world/ports.ts'

/** A local world in a folder of its own, for as long as its caller wants it; `close` removes the folder too. */
export async function openOwnWorld(): Promise<{ world: World; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-test-'))
  const world = await openLocalWorld({ folder })
  return {
    world,
    async close() {
      await world.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** A local world in a folder of its own, closed when the test ends. */
export async function openTestWorld(): Promise<World> {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  return world
}

/** A local world in a folder of its own that the tests of the calling file, or of its `describe`, share. */
export function shareWorld(): { readonly world: World } {
  let opened: Awaited<ReturnType<typeof openOwnWorld>> | undefined
  beforeAll(async () => {
    opened = await openOwnWorld()
  })
  afterAll(() => opened?.close())
  return {
    get world() {
      if (opened === undefined) throw new Error('The world opens before the first test.')
      return opened.world
    },
  }
}

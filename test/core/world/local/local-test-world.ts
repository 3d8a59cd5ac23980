import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type JoinedWorld, joinLocalWorld } from '../../../../shared/core/world/local/join-local-world.ts'
import { type LocalWorld, openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url))

export const images = {
  greeting: beside('../../contracts/world/greeting-host.ts'),
  broken: beside('../../contracts/world/broken-host.ts'),
}

/** A local world in a folder of its own, for the contract suites. */
export async function openForContract(): Promise<{ world: LocalWorld; dispose(): Promise<void> }> {
  const folder = await newFolder()
  const world = await openLocalWorld({ folder, images })
  return {
    world,
    async dispose() {
      await world.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A joined world with the world that holds its folder in the same process, over a connection of its own. */
export async function openJoined(
  folder: string,
): Promise<{ holder: LocalWorld; world: JoinedWorld; close(): Promise<void> }> {
  const holder = await openLocalWorld({ folder, images, sharing: { onRing: (queue) => world.ring(queue) } })
  const world: JoinedWorld = await joinLocalWorld({
    folder,
    name: 'joined',
    sharing: { onRing: (queue) => holder.ring(queue) },
    holder: process.pid,
  })
  return {
    holder,
    world,
    async close() {
      await world.close()
      await holder.close()
    },
  }
}

/** A joined world in a folder of its own, for the contract suites. */
export async function openJoinedForContract(): Promise<{ world: JoinedWorld; dispose(): Promise<void> }> {
  const folder = await newFolder()
  const { world, close } = await openJoined(folder)
  return {
    world,
    async dispose() {
      await close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A folder of the current test, removed when it ends. */
export async function testFolder(): Promise<string> {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A world of the current test, closed when it ends at the latest. */
export async function openTestWorld(folder: string): Promise<LocalWorld> {
  const world = await openLocalWorld({ folder, images })
  onTestFinished(() => world.close())
  return world
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'espalier-local-'))
}

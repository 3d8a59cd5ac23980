import { join } from 'node:path'
import packageFile from '../package.json' with { type: 'json' }
import { codeVersion } from '../shared/core/engine/code-version.ts'
import { openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import { loadEndpoints } from '../shared/play/models/load-endpoints.ts'
import { hostImages } from './host-images.ts'
import { wireLocalService } from './wire-local-service.ts'

export interface EpisodeToDerive {
  run: string
  episode: string
}

/**
 * Rewrites damaged trees and trajectories of a data folder from their journals. Nothing is played.
 * @returns the written keys, and the reason for each episode that cannot be rebuilt
 */
export async function deriveEnds(
  folder: string,
  episodes: readonly EpisodeToDerive[],
  environment: NodeJS.ProcessEnv,
): Promise<{ written: string[]; failed: string[] }> {
  const found = { written: [] as string[], failed: [] as string[] }
  const world = await openLocalWorld({ folder, images: hostImages })
  try {
    const { engine, models } = await wireLocalService({
      folder,
      world,
      endpoints: await loadEndpoints({ path: join(folder, 'endpoints.json'), environment }),
      code: await codeVersion(packageFile.version),
      capacity: 1,
      duties: [],
      onError: (error, what) => found.failed.push(`${what}: ${String(error)}`),
    })
    try {
      for (const one of episodes) {
        try {
          found.written.push(...(await engine.deriveEnd(one)))
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          found.failed.push(`${one.run} ${one.episode}: ${why}`)
        }
      }
    } finally {
      await models.close()
    }
  } finally {
    await world.close()
  }
  return found
}

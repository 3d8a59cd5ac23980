import { join } from 'node:path'
import { loadEndpoints } from '../../shared/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../../shared/models/model-pool.ts'
import { openAwsWorld } from '../../shared/world/aws/open-aws-world.ts'
import { openAwsSecrets } from '../../shared/world/aws/secrets.ts'
import type { World } from '../../shared/world/ports.ts'
import { once } from './once.ts'
import { readSettings, type Settings } from './settings.ts'
import { toWorldOptions } from './world-options.ts'

/** What all invocations of one instance of a function share. */
export interface Parts {
  settings: Settings
  world: World
  models: ModelPool
}

/** Opens the world and the models of this instance, once. */
export const openParts = once(async (): Promise<Parts> => {
  const settings = readSettings(process.env)
  const world = openAwsWorld(toWorldOptions(settings))
  const path = settings.ESPALIER_ENDPOINTS ?? join(import.meta.dirname, 'endpoints.json')
  const endpoints = await loadEndpoints({ path, environment: process.env })
  const models = openModels(endpoints, { secrets: openAwsSecrets(), rates: world })
  return { settings, world, models }
})

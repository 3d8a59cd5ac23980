import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaleHosts } from '../../functions/scale-hosts/scale-hosts.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { fleetLimitsSchema } from '../../shared/environments/hosts/fleet-limits.ts'
import { countingWorld } from '../../test/support/counting-world.ts'
import { openCountedEngine } from './open-counted-engine.ts'
import type { Operations } from './operations.ts'

export async function countIdle(): Promise<Operations> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-cost-'))
  const local = await openLocalWorld({ folder })
  try {
    const { world, counted } = countingWorld(local)
    await openCountedEngine(world, 'sweep').sweep({ lostAfter: 3600 })
    const caller = {
      call: async () => {
        throw new Error('There is no host to call.')
      },
    }
    const fleets = { 'env-host': fleetLimitsSchema.parse({}) }
    await scaleHosts({ world, caller, fleets, log: () => undefined }, () => 0)
    return counted()
  } finally {
    await local.close()
    await rm(folder, { recursive: true, force: true })
  }
}

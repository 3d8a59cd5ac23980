import packageFile from '../../package.json' with { type: 'json' }
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { LastProblem } from '../../shared/core/contracts/model-failure.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Health, HealthServices } from '../api/api-services.ts'
import { probeKey } from './probe-key.ts'

/** Milliseconds for which a probe's outcome is cached: any client may request one, and each probe writes. */
const probeEvery = 5000
/** Large enough that a local world stores it as a separate file, which a full disk refuses. */
const probeBody = new Uint8Array(128 * 1024)

export interface StorageHealth extends HealthServices {
  problem(): LastProblem | null
}

/**
 * Opens the health of a service over its world. A probe reads and writes the ledger and the objects. Between probes
 * the health is the last outcome, and `ok` before the first.
 */
export function openHealth({ clock, ledger, objects, name }: World): StorageHealth {
  const well: Health = { status: 'ok', version: packageFile.version, world: name }
  let problem: unknown = null
  let since = 0
  let last: { at: number; done: Promise<void> } | null = null

  async function write(): Promise<void> {
    const key = { partition: 'health', sort: 'health' }
    try {
      await ledger.get(key)
      await Promise.all([ledger.update({ key, add: { probes: 1 } }), objects.put(probeKey, probeBody)])
      problem = null
    } catch (error) {
      if (problem === null) since = clock.now()
      problem = error
      throw error
    }
  }

  return {
    now() {
      if (problem !== null) throw problem
      return well
    },
    problem() {
      if (!EspalierError.isInstance(problem)) return null
      const message = `The storage of the service takes no writes, so nothing goes on until it does: ${problem.message}`
      return { message, at: new Date(since).toISOString() }
    },
    async probe() {
      const now = performance.now()
      if (last === null || now - last.at >= probeEvery) last = { at: now, done: write() }
      await last.done
      return well
    },
  }
}

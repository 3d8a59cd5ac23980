import packageFile from '../../package.json' with { type: 'json' }
import type { World } from '../../shared/world/ports.ts'
import type { Health } from '../api/api-services.ts'

/** Milliseconds that an answer stands: `/health` is open to everybody, and each probe writes. */
const probeEvery = 5000
const probeKey = 'health/probe'
/** So large that a local world keeps it as a file of its own, which a full disk does not take. */
const probeBody = new Uint8Array(128 * 1024)

/**
 * Says whether the world can be read and written: by writing to its ledger and its objects, at most once in five seconds.
 *
 * @returns a function that throws the EspalierError which the probe met, such as `storage_failed` with what is wrong and
 * the way out
 */
export function openHealth({ ledger, objects, name }: World): () => Promise<Health> {
  let probe: { at: number; done: Promise<unknown> } | null = null

  async function write(): Promise<void> {
    const key = { partition: 'health', sort: 'health' }
    await ledger.get(key)
    await Promise.all([ledger.update({ key, add: { probes: 1 } }), objects.put(probeKey, probeBody)])
  }

  return async () => {
    const now = performance.now()
    if (probe === null || now - probe.at >= probeEvery) probe = { at: now, done: write() }
    await probe.done
    return { status: 'ok', version: packageFile.version, world: name }
  }
}

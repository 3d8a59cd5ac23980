import type { Observation, ObservationPart } from '../contracts/message.ts'
import type { ShownObservationPart } from '../contracts/node-detail.ts'
import { objectKeys } from '../engine/keys.ts'
import type { World } from '../world/ports.ts'

const signedSeconds = 900

/**
 * The parts of an observation for a page: blobs with an address that needs no key. Only names of blobs are signed, so
 * that no observation can name another object.
 */
export function showParts(
  observation: Observation,
  objects: Pick<World['objects'], 'sign'>,
): Promise<ShownObservationPart[]> {
  return Promise.all(observation.map((part) => show(part, objects)))
}

async function show(
  part: ObservationPart,
  objects: Pick<World['objects'], 'sign'>,
): Promise<ShownObservationPart> {
  if (part.type === 'text') return part
  if (!/^[0-9a-f]{64}$/.test(part.sha256)) return { ...part, url: null }
  const { url } = await objects.sign(objectKeys.blob(part.sha256), { expires_in: signedSeconds })
  return { ...part, url }
}

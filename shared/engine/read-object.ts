import type { Objects } from '../world/ports.ts'

/** The body of an object that must be there. */
export async function readObject(objects: Objects, key: string): Promise<Uint8Array> {
  const object = await objects.get(key)
  if (!object) throw new Error(`The object ${key} is missing.`)
  return object.body
}

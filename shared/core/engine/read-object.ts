import type { Objects } from '../world/ports.ts'

export async function readObject(objects: Pick<Objects, 'get'>, key: string): Promise<Uint8Array> {
  const object = await objects.get(key)
  if (!object) throw new Error(`The object ${key} is missing.`)
  return object.body
}

import type { DataPack, PackSource } from '../../../shared/environments/data-pack.ts'
import { osworldPackFormat } from '../../../shared/environments/osworld/pack-format.ts'

const bytes = (value: unknown) =>
  value instanceof Uint8Array
    ? value
    : new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

function folder(files: Record<string, unknown>): PackSource {
  return { files: Object.keys(files).sort(), read: async (path) => bytes(files[path]) }
}

/** The data pack of a folder with these files, each bytes, text or JSON. */
export async function packOfOsworld(files: Record<string, unknown>): Promise<DataPack> {
  const stored = new Map<string, Uint8Array>()
  for await (const { path, body } of osworldPackFormat.collect(folder(files))) stored.set(path, body)
  return {
    digest: 'd',
    name: 'n',
    files: [...stored.keys()].sort(),
    read: async (path) => stored.get(path) as Uint8Array,
  }
}

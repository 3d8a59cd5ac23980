import type { Objects } from '../../shared/core/world/ports.ts'

/** A part of a store that is used as if it were a whole one. */
export function prefixedObjects(objects: Objects, prefix: string): Objects {
  const cut = <Stored extends { key: string }>(stored: Stored): Stored => ({
    ...stored,
    key: stored.key.slice(prefix.length),
  })
  return {
    put: (key, ...rest) => objects.put(prefix + key, ...rest),
    get: async (key, range) => {
      const found = await objects.get(prefix + key, range)
      return found && cut(found)
    },
    head: async (key) => {
      const found = await objects.head(prefix + key)
      return found && cut(found)
    },
    list: async (start, { after, ...options } = {}) => {
      const page = await objects.list(prefix + start, {
        ...options,
        ...(after !== undefined && { after: prefix + after }),
      })
      return { ...page, objects: page.objects.map(cut) }
    },
    delete: (key) => objects.delete(prefix + key),
    sign: (key, options) => objects.sign(prefix + key, options),
  }
}

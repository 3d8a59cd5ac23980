import type { Objects } from '../../shared/core/world/ports.ts'

/**
 * The same objects, but the process dies (never gets another answer) after it has written `writes` journal segments.
 *
 * @param onDeath called when it dies
 */
export function dyingObjects(
  objects: Objects,
  writes: number,
  onDeath: () => void = () => undefined,
): Objects {
  let left = writes
  return overridePut(objects, async (put, key, body, options) => {
    if (!isSegment(key)) return put(key, body, options)
    left -= 1
    if (left >= 0) return put(key, body, options)
    onDeath()
    return new Promise<never>(() => undefined)
  })
}

/**
 * The same objects, but the answers to some writes of journal segments are lost, never two in a row: they happen, and the
 * caller gets an error.
 */
export function lossyObjects(objects: Objects, isLost: () => boolean): Objects {
  let lastWasLost = false
  return overridePut(objects, async (put, key, body, options) => {
    const written = await put(key, body, options)
    lastWasLost = isSegment(key) && !lastWasLost && isLost()
    if (lastWasLost) throw new Error('The answer was lost on the way.')
    return written
  })
}

type Put = Objects['put']

function overridePut(
  objects: Objects,
  put: (original: Put, ...parameters: Parameters<Put>) => ReturnType<Put>,
): Objects {
  return {
    put: (...parameters) => put((...given) => objects.put(...given), ...parameters),
    get: (...parameters) => objects.get(...parameters),
    head: (...parameters) => objects.head(...parameters),
    list: (...parameters) => objects.list(...parameters),
    delete: (...parameters) => objects.delete(...parameters),
    sign: (...parameters) => objects.sign(...parameters),
  }
}

function isSegment(key: string): boolean {
  return /\/journal\/\d+\.jsonl\.gz$|\.log$/.test(key)
}

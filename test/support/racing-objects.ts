import { setImmediate as rest } from 'node:timers/promises'
import type { Random } from '../../shared/core/random/random.ts'
import { byteRange } from '../../shared/core/world/byte-range.ts'
import type { Objects } from '../../shared/core/world/ports.ts'

export interface Race {
  random: Random
  /** The share of calls that fail: before they did anything, after it, or before they do it late. */
  failing: number
}

/** Bodies by key; each view of them is a process. */
export type Bodies = Map<string, Uint8Array>

/**
 * Objects as a process sees them whose calls overtake those of others, fail, and may do late what they failed at. A killed
 * process gets no answer, and what it had begun may still be done.
 */
export function racingObjects(bodies: Bodies, { random, failing }: Race, isKilled: () => boolean): Objects {
  const wait = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await rest()
  }
  // Writes that still fail one after the other, until their caller gives up.
  let storm = 0
  async function call<Answer>(act: () => Answer, isWrite = false): Promise<Answer> {
    if (isKilled()) return never
    await wait()
    if (isWrite && storm === 0 && random() < failing) storm = 6
    if (isWrite && storm > 0) storm -= 1
    if ((isWrite && storm > 0) || random() < failing) {
      const kind = random()
      if (kind < 0.3) act()
      else if (kind < 0.6) void lasting(20 + Math.floor(random() * 60)).then(act)
      throw new Error('The storage failed.')
    }
    const answer = act()
    await wait()
    return isKilled() ? never : answer
  }
  const info = (key: string, body: Uint8Array) => ({ key, size: body.byteLength, etag: '' })
  return {
    put: (key, body, options = {}) =>
      call(() => {
        if (options.if_none_match === '*' && bodies.has(key)) return { written: false }
        bodies.set(key, body)
        return { written: true, etag: '' }
      }, true),
    get: (key, range) =>
      call(() => {
        const body = bodies.get(key)
        if (body === undefined) return null
        const { offset, length } = byteRange(body.byteLength, range)
        return { ...info(key, body), body: body.subarray(offset, offset + length), content_type: null }
      }),
    head: (key) =>
      call(() => {
        const body = bodies.get(key)
        return body === undefined ? null : info(key, body)
      }),
    list: (prefix, { after = '', limit = 1000 } = {}) =>
      call(() => {
        const keys = [...bodies.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
        const objects = keys.slice(0, limit).map((key) => info(key, bodies.get(key) as Uint8Array))
        return { objects, more: keys.length > limit }
      }),
    delete: (key) => call(() => void bodies.delete(key)),
    sign: () => Promise.reject(new Error('These have no addresses.')),
  }
}

async function lasting(turns: number): Promise<void> {
  for (let left = turns; left > 0; left -= 1) await rest()
}

const never = new Promise<never>(() => undefined)

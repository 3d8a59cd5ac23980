export interface ForeignUse {
  name: string
  place: string
}

const watched: readonly (readonly [name: string, owner: object, key: string])[] = [
  ['Math.random', Math, 'random'],
  ['Date.now', Date, 'now'],
  ['performance.now', performance, 'now'],
  ['crypto.randomUUID', crypto, 'randomUUID'],
  ['crypto.getRandomValues', crypto, 'getRandomValues'],
  ['setTimeout', globalThis, 'setTimeout'],
  ['setInterval', globalThis, 'setInterval'],
  ['setImmediate', globalThis, 'setImmediate'],
  ['fetch', globalThis, 'fetch'],
]

/**
 * Records the clocks, randomness and network that code of these files uses during the work. Espalier's own uses do
 * not count. The work must be alone in its process and runs slower.
 *
 * @param files absolute paths
 */
export async function watchCode<Result>(
  files: readonly string[],
  work: () => Promise<Result>,
): Promise<{ result: Result; uses: ForeignUse[] }> {
  const uses = new Map<string, ForeignUse>()
  const note = (name: string) => {
    const place = callerIn(files)
    if (place !== null) uses.set(`${name} ${place}`, { name, place })
  }
  const restore = [...watched.map((entry) => watch(entry, note)), watchDate(note)]
  try {
    return { result: await work(), uses: [...uses.values()] }
  } finally {
    for (const undo of restore) undo()
  }
}

function watch([name, owner, key]: (typeof watched)[number], note: (name: string) => void): () => void {
  const original = Object.getOwnPropertyDescriptor(owner, key)
  const target = Reflect.get(owner, key)
  if (typeof target !== 'function') return () => undefined
  const value = new Proxy(target, {
    apply(call, self, given) {
      note(name)
      return Reflect.apply(call, self, given)
    },
  })
  Object.defineProperty(owner, key, { value, configurable: true, writable: true })
  return () => {
    if (original === undefined) Reflect.deleteProperty(owner, key)
    else Object.defineProperty(owner, key, original)
  }
}

/** `new Date()` and `Date()` are a clock too; `new Date(0)` is not. */
function watchDate(note: (name: string) => void): () => void {
  const original = globalThis.Date
  globalThis.Date = new Proxy(original, {
    construct(call, given, target) {
      if (given.length === 0) note('new Date')
      return Reflect.construct(call, given, target)
    },
    apply(call, self, given) {
      note('Date')
      return Reflect.apply(call, self, given)
    },
  })
  return () => {
    globalThis.Date = original
  }
}

function callerIn(files: readonly string[]): string | null {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 8
  const lines = (new Error('where').stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = before
  // This module's own frames, and those of the proxy, come first.
  const caller = lines.find((line) => !line.includes('watch-code') && !line.includes('Reflect.'))
  const file = files.find((path) => caller?.includes(path))
  if (caller === undefined || file === undefined) return null
  const name = file.split(/[\\/]/).at(-1) ?? file
  const [, row] = /:(\d+):\d+\)?$/.exec(caller) ?? []
  return row === undefined ? name : `${name}:${row}`
}

const size = 624
const middle = 397

/**
 * The random numbers of Python's `random` module after `random.seed(seed)`, draw for draw: the Mersenne Twister
 * (Matsumoto and Nishimura, 1998), seeded through an array. WebShop numbers its goals by a shuffle of Python's, and
 * the field's lists of tasks are lists of those numbers.
 * @example
 * pythonRandom(233).shuffle(goals)
 */
export interface PythonRandom {
  /** An integer from 0 up to, but not with, `limit`, which is at least 1 and below 2³². */
  below(limit: number): number
  shuffle<Item>(items: Item[]): void
  sample<Item>(items: readonly Item[], count: number): Item[]
}

export function pythonRandom(seed: number): PythonRandom {
  const state = seededState(seed)
  let position = size

  function draw(): number {
    if (position === size) {
      advance(state)
      position = 0
    }
    let drawn = state[position] as number
    position += 1
    drawn ^= drawn >>> 11
    drawn ^= (drawn << 7) & 0x9d2c5680
    drawn ^= (drawn << 15) & 0xefc60000
    return (drawn ^ (drawn >>> 18)) >>> 0
  }

  function below(limit: number): number {
    const bits = 32 - Math.clz32(limit)
    for (;;) {
      const drawn = draw() >>> (32 - bits)
      if (drawn < limit) return drawn
    }
  }

  return {
    below,
    shuffle(items) {
      for (let last = items.length - 1; last > 0; last -= 1) {
        const chosen = below(last + 1)
        const item = items[last] as (typeof items)[number]
        items[last] = items[chosen] as (typeof items)[number]
        items[chosen] = item
      }
    },
    sample(items, count) {
      const pool = [...items]
      return Array.from({ length: Math.min(count, pool.length) }, (_, taken) => {
        const chosen = below(pool.length - taken)
        const item = pool[chosen] as (typeof items)[number]
        pool[chosen] = pool[pool.length - taken - 1] as (typeof items)[number]
        return item
      })
    },
  }
}

function seededState(seed: number): Uint32Array {
  const state = new Uint32Array(size)
  state[0] = 19_650_218
  for (let at = 1; at < size; at += 1) state[at] = Math.imul(1_812_433_253, folded(state, at - 1)) + at
  let at = 1
  const forward = () => {
    at += 1
    if (at < size) return
    state[0] = state[size - 1] as number
    at = 1
  }
  for (let round = 0; round < size; round += 1) {
    state[at] = ((state[at] as number) ^ Math.imul(folded(state, at - 1), 1_664_525)) + seed
    forward()
  }
  for (let round = 1; round < size; round += 1) {
    state[at] = ((state[at] as number) ^ Math.imul(folded(state, at - 1), 1_566_083_941)) - at
    forward()
  }
  state[0] = 0x80000000
  return state
}

function folded(state: Uint32Array, at: number): number {
  const word = state[at] as number
  return word ^ (word >>> 30)
}

function advance(state: Uint32Array): void {
  for (let at = 0; at < size; at += 1) {
    const joined = ((state[at] as number) & 0x80000000) | ((state[(at + 1) % size] as number) & 0x7fffffff)
    const turned = (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)
    state[at] = (state[(at + middle) % size] as number) ^ turned
  }
}

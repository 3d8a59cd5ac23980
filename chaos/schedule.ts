import { createRandom, mixNumber, type Random } from '../shared/core/random/random.ts'
import { type KindId, kindOf } from './kinds.ts'

/**
 * `lasts` is in milliseconds; 0 for an instantaneous one. `strength` is uniform in [0, 1): strength, delay, or choice
 * of process.
 */
export interface Step {
  kind: KindId
  after: number
  lasts: number
  strength: number
  choice: number
}

const gap = { least: 300, most: 2600 }

export function* schedule(seed: number, chosen: readonly KindId[]): Generator<Step, never> {
  const random = createRandom(mixNumber(0xc4a05, seed))
  for (;;) {
    const kind = draw(chosen, random)
    const [least, most] = kindOf(kind).lasts ?? [0, 0]
    yield {
      kind,
      after: Math.round(gap.least + random() * (gap.most - gap.least)),
      lasts: Math.round((least + random() * (most - least)) * 1000),
      strength: random(),
      choice: random(),
    }
  }
}

function draw(chosen: readonly KindId[], random: Random): KindId {
  const total = chosen.reduce((sum, id) => sum + kindOf(id).weight, 0)
  let left = random() * total
  for (const id of chosen) {
    left -= kindOf(id).weight
    if (left < 0) return id
  }
  return chosen.at(-1) as KindId
}

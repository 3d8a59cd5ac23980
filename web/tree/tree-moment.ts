import type { Tree } from '../../shared/contracts/tree.ts'

/** What a search knew of its tree at one moment. Node `n` is there from the moment on at which `count` exceeds `n`. */
export interface TreeMoment {
  /** How many nodes there were. */
  count: number
  visits: Int32Array
  /** The mean of what was backed up through each node; 0 without visits. */
  values: Float64Array
  /** 1 where nothing was left to explore. */
  terminal: Uint8Array
  /** The node whose path was the answer. */
  best: number
}

/** The last moment: what the tree itself says. */
export function lastMoment({ nodes, best }: Tree): TreeMoment {
  return {
    count: nodes.length,
    visits: Int32Array.from(nodes, ({ visits }) => visits),
    values: Float64Array.from(nodes, ({ value }) => value),
    terminal: Uint8Array.from(nodes, ({ terminal }) => Number(terminal)),
    best,
  }
}

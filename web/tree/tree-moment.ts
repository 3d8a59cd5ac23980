import type { Tree } from '../../shared/contracts/tree.ts'

/** A search's knowledge of its tree at one moment. Node `n` exists once `count` exceeds `n`. */
export interface TreeMoment {
  count: number
  visits: Int32Array
  /** The mean of the values backed up through each node; 0 without visits. */
  values: Float64Array
  /** 1 if nothing below the node is left to explore. */
  terminal: Uint8Array
  best: number
}

export function lastMoment({ nodes, best }: Tree): TreeMoment {
  return {
    count: nodes.length,
    visits: Int32Array.from(nodes, ({ visits }) => visits),
    values: Float64Array.from(nodes, ({ value }) => value),
    terminal: Uint8Array.from(nodes, ({ terminal }) => Number(terminal)),
    best,
  }
}

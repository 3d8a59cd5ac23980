import type { Tree } from '../../shared/core/contracts/tree.ts'

export interface TreeMoment {
  count: number
  visits: Int32Array
  /** The mean of the values backed up through each node; 0 without visits. */
  values: Float64Array
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

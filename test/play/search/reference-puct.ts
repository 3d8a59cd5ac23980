import { below, depthOf, type MadeSearch } from './scripted-search.ts'

export interface ReferenceSettings {
  iterations: number
  branching: number
  proposals: number
  exploration: number
  max_steps: number
  parallel: number
}

interface Edge {
  action: string
  prior: number
  visits: number
  sum: number
  isTaken: boolean
}

/**
 * ExACT's R-MCTS (arXiv 2410.02052), over tables that are made anew for each real action, as
 * lines of what it does. Several leaves at a time are chosen one after the other; what the wave has chosen so far is looked
 * up in its own list, so that nothing can be left over from one wave for the next.
 */
export function referencePuct(made: MadeSearch, settings: ReferenceSettings): string[] {
  const lines: string[] = []
  for (let way = ''; !made.at(way).done && depthOf(way) < settings.max_steps; ) {
    const { path, isSolved } = plan(made, settings, way, lines)
    lines.push(...path.map((at) => `goes ${at}`))
    way = path.at(-1) as string
    if (isSolved) break
  }
  return lines
}

function plan(made: MadeSearch, settings: ReferenceSettings, root: string, lines: string[]) {
  const { iterations, parallel } = settings
  const tables = new Map([[root, expand(made, settings, root)]])
  for (let done = 0; done < iterations; ) {
    const wave: string[][] = []
    while (wave.length < Math.min(parallel, iterations - done)) {
      const descent = descend(tables, settings, root, wave)
      if (descent === null) break
      wave.push(descent)
    }
    for (const descent of wave) {
      const [from, edge] = lastEdge(tables, root, descent)
      if (!edge.isTaken) lines.push(`took ${below(from, edge.action)}`)
      edge.isTaken = true
    }
    const values = wave.map((descent) => evaluate(made, settings, tables, wayOf(root, descent)))
    for (const [place, descent] of wave.entries()) {
      backUp(tables, root, descent, values[place] as number)
      lines.push(`${wayOf(root, descent)} is worth ${values[place]}`)
    }
    const solved = wave[values.indexOf(1)]
    if (solved) return { path: solved.map((_, at) => wayOf(root, solved.slice(0, at + 1))), isSolved: true }
    done += wave.length
  }
  const edges = (tables.get(root) ?? []).filter(({ isTaken }) => isTaken)
  const [best] = edges.toSorted(
    (one, other) => other.visits - one.visits || other.sum / other.visits - one.sum / one.visits,
  )
  return { path: [below(root, best?.action ?? '')], isSolved: false }
}

/** P(s, a): the share of the samples, over the actions that are kept. */
function expand(made: MadeSearch, { branching, proposals }: ReferenceSettings, way: string): Edge[] {
  const samples = made.proposed(way, proposals)
  const counts = [...new Set(samples)].map((action) => ({
    action,
    count: samples.filter((sample) => sample === action).length,
  }))
  const kept = counts.toSorted((one, other) => other.count - one.count).slice(0, branching)
  // Against the most frequent, so that what is equal on paper is rounded alike.
  const most = kept[0]?.count ?? 0
  const all = kept.reduce((sum, { count }) => sum + count / most, 0)
  return kept.map(({ action, count }) => ({
    action,
    prior: count / most / all,
    visits: 0,
    sum: 0,
    isTaken: false,
  }))
}

/** U(s, a) = Q + c · P · √N(s) / (1 + N(s, a)); those of the wave count as visits that came back with −1. */
function descend(
  tables: Map<string, Edge[]>,
  { exploration }: ReferenceSettings,
  root: string,
  wave: readonly string[][],
): string[] | null {
  const descent: string[] = []
  for (let edges = tables.get(root); edges; edges = tables.get(wayOf(root, descent))) {
    const underWay = (action: string) =>
      wave.filter((other) => startsWith(other, [...descent, action])).length
    const all = edges.reduce((sum, { action, visits }) => sum + visits + underWay(action), 0)
    let best: { action: string; score: number } | null = null
    for (const { action, prior, sum, visits } of edges) {
      const others = underWay(action)
      if (!isFree(tables, root, wave, [...descent, action])) continue
      const n = visits + others
      const q = n === 0 ? 0 : (sum - others) / n
      const score = q + exploration * prior * (all === 0 ? 1 : Math.sqrt(all) / (1 + n))
      if (best === null || score > best.score) best = { action, score }
    }
    if (best === null) return null
    descent.push(best.action)
  }
  return descent
}

/** Whether some leaf that begins so is not in the wave. */
function isFree(
  tables: Map<string, Edge[]>,
  root: string,
  wave: readonly string[][],
  start: readonly string[],
): boolean {
  if (!wave.some((other) => startsWith(other, start))) return true
  const edges = tables.get(wayOf(root, start)) ?? []
  return edges.some(({ action }) => isFree(tables, root, wave, [...start, action]))
}

function evaluate(
  made: MadeSearch,
  settings: ReferenceSettings,
  tables: Map<string, Edge[]>,
  way: string,
): number {
  if (!made.at(way).done) {
    if (depthOf(way) >= settings.max_steps) return 0
    tables.set(way, expand(made, settings, way))
  }
  return made.valueOf(way)
}

/** Q ← (N · Q + v) / (N + 1), kept as a sum so that what is equal on paper is equal here. */
function backUp(tables: Map<string, Edge[]>, root: string, descent: readonly string[], value: number): void {
  for (let depth = 1; depth <= descent.length; depth += 1) {
    const [, edge] = lastEdge(tables, root, descent.slice(0, depth))
    edge.sum += value
    edge.visits += 1
  }
}

function lastEdge(tables: Map<string, Edge[]>, root: string, descent: readonly string[]): [string, Edge] {
  const from = wayOf(root, descent.slice(0, -1))
  return [from, tables.get(from)?.find(({ action }) => action === descent.at(-1)) as Edge]
}

const wayOf = (root: string, descent: readonly string[]): string => descent.reduce(below, root)

const startsWith = (one: readonly string[], start: readonly string[]): boolean =>
  start.every((action, at) => one[at] === action)

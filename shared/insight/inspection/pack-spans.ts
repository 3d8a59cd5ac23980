import type { SpanKind, Waterfall, WaterfallLane, WaterfallSpan } from '../../core/contracts/waterfall.ts'
import type { SearchNode, SearchTree } from '../../play/search/tree.ts'

export interface UnpackedSpan extends Omit<WaterfallSpan, 'lane' | 'slot'> {
  // Spans of one unit stand in one row of a branch's lane; null: the span stands alone.
  unit: string | null
}

const mostBranches = 24
const slowestShown = 5

// Seconds by which rounded times of two spans, one after the other, may cross.
const rounding = 0.003

/**
 * Sorts spans into lanes, and packs each lane into as few rows as its concurrent spans need. In a tree that forks,
 * calls and steps stand in the lane of their branch; all other spans stand in the lane of their kind.
 */
export function packSpans(
  spans: readonly UnpackedSpan[],
  tree: SearchTree | null,
): Pick<Waterfall, 'lanes' | 'spans' | 'slowest'> {
  const laneOf = lanesOf(spans, tree)
  const grouped = new Map<string, { lane: Omit<WaterfallLane, 'slots'>; spans: UnpackedSpan[] }>()
  for (const span of spans) {
    const lane = laneOf(span)
    const name = `${orderOf(lane)} ${String(lane.branch ?? 'other').padStart(9, '0')}`
    const group = grouped.get(name) ?? { lane, spans: [] }
    group.spans.push(span)
    grouped.set(name, group)
  }
  const groups = [...grouped].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, group]) => group)
  const lanes: WaterfallLane[] = []
  const packed: WaterfallSpan[] = []
  for (const group of groups) {
    const rows = packRows(group.spans, group.lane.kind === null)
    for (const [slot, row] of rows.entries()) {
      for (const { unit: _, ...span } of row) {
        const [from, to] = [milliseconds(span.from), milliseconds(span.to)]
        packed.push({ ...span, lane: lanes.length, slot, from, to })
      }
    }
    lanes.push({ ...group.lane, slots: rows.length })
  }
  return { lanes, spans: packed, slowest: findSlowest(packed) }
}

export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

const order: readonly (SpanKind | null)[] = [
  'queue',
  'setup',
  null,
  'model',
  'environment',
  'wait',
  'program',
  'commit',
]

function orderOf({ kind }: Pick<WaterfallLane, 'kind'>): number {
  return order.indexOf(kind)
}

type Lane = Omit<WaterfallLane, 'slots'>

function lanesOf(spans: readonly UnpackedSpan[], tree: SearchTree | null): (span: UnpackedSpan) => Lane {
  const branches = tree === null ? null : branchesOf(tree)
  const kindLane = ({ kind }: UnpackedSpan): Lane => ({ kind, branch: null })
  if (branches === null) return kindLane
  const counts = new Map<number, number>()
  for (const { node, unit } of spans) {
    if (unit === null || node === null) continue
    const branch = branches[node] ?? 0
    counts.set(branch, (counts.get(branch) ?? 0) + 1)
  }
  const shown = new Set(
    [...counts]
      .toSorted(([one, left], [other, right]) => right - left || one - other)
      .slice(0, mostBranches)
      .map(([branch]) => branch),
  )
  return (span) => {
    if (span.unit === null || span.node === null) return kindLane(span)
    const branch = branches[span.node] ?? 0
    return { kind: null, branch: shown.has(branch) ? branch : null }
  }
}

// For each node the first node of its branch, 0 before the first fork; null for a tree without a fork.
function branchesOf({ nodes }: Pick<SearchTree, 'nodes'>): Int32Array | null {
  let fork: SearchNode | undefined = nodes[0]
  while (fork !== undefined && fork.children.length === 1) fork = nodes[fork.children[0] ?? 0]
  if (fork === undefined || fork.children.length === 0) return null
  const branches = new Int32Array(nodes.length)
  for (const { index, parent } of nodes) {
    if (parent === null) continue
    branches[index] = parent === fork.index ? index : (branches[parent] ?? 0)
  }
  return branches
}

// First fit by start: as many rows as spans, or units, are under way at once.
function packRows(spans: readonly UnpackedSpan[], byUnit: boolean): UnpackedSpan[][] {
  const units: UnpackedSpan[][] = []
  const known = new Map<string, UnpackedSpan[]>()
  for (const span of spans) {
    const unit = byUnit && span.unit !== null ? known.get(span.unit) : undefined
    if (unit !== undefined) unit.push(span)
    else {
      const begun = [span]
      units.push(begun)
      if (span.unit !== null) known.set(span.unit, begun)
    }
  }
  const sorted = units
    .map((unit) => unit.toSorted((left, right) => left.from - right.from))
    .toSorted((left, right) => (left[0]?.from ?? 0) - (right[0]?.from ?? 0))
  const rows: { end: number; spans: UnpackedSpan[] }[] = []
  for (const unit of sorted) {
    const from = unit[0]?.from ?? 0
    const last = unit.at(-1)?.to ?? 0
    const row = rows.find(({ end }) => end <= from || (end - from <= rounding && end < last))
    const placed = row ?? { end: 0, spans: [] }
    if (row === undefined) rows.push(placed)
    for (const span of unit) {
      const begins = Math.max(span.from, placed.end)
      if (begins <= span.to) placed.spans.push({ ...span, from: begins })
      placed.end = Math.max(placed.end, span.to)
    }
  }
  return rows.map((row) => row.spans)
}

function findSlowest(spans: readonly WaterfallSpan[]): number[] {
  const length = (at: number) => (spans[at]?.to ?? 0) - (spans[at]?.from ?? 0)
  return spans
    .flatMap(({ key, kind }, at) => (key !== null && kind !== 'program' ? [at] : []))
    .toSorted((left, right) => length(right) - length(left) || left - right)
    .slice(0, slowestShown)
}

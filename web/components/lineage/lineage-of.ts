import type { LoopLineage } from '../../../shared/core/contracts/loop-report.ts'

type Node = LoopLineage['nodes'][number]

/** More runs than these become one node: a graph of thousands is unreadable. */
const mostRuns = 12

export interface LineageStep {
  model: { id: string; name: string } | null
  training: string | null
  start: { id: string; name: string } | null
  datasets: readonly string[]
  /** The runs of each dataset if known; otherwise the runs of all datasets. */
  runs: Readonly<Record<string, readonly string[]>> | readonly string[]
}

export function lineageOf(steps: readonly LineageStep[]): LoopLineage {
  const nodes = new Map<string, Node>()
  const edges = new Map<string, LoopLineage['edges'][number]>()
  for (const { datasets, model, runs, start, training } of steps) {
    const made = model?.id ?? null
    if (model !== null) add(model.id, 'model', model.name)
    if (training !== null) add(training, 'training', 'training')
    link(made, training, 'made by')
    if (start !== null) add(start.id, 'model', start.name)
    link(training ?? made, start?.id ?? null, 'starts from')
    for (const dataset of datasets) {
      add(dataset, 'dataset', 'dataset')
      link(training ?? made, dataset, 'learns')
    }
    const [only] = datasets
    if (isList(runs)) addRuns(datasets.length === 1 ? (only ?? null) : (training ?? made), runs)
    else for (const [dataset, of] of Object.entries(runs)) addRuns(dataset, of)
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] }

  function addRuns(from: string | null, runs: readonly string[]): void {
    for (const run of runs.slice(0, mostRuns)) {
      add(run, 'run', 'run')
      link(from, run, 'rows of')
    }
    const left = runs.length - mostRuns
    if (left <= 0 || from === null) return
    const rest = `${left.toLocaleString('en')} more runs`
    add(`${from}: ${rest}`, 'trajectories', rest)
    link(from, `${from}: ${rest}`, 'rows of')
  }

  function add(id: string, kind: Node['kind'], label: string): void {
    if (!nodes.has(id)) nodes.set(id, { id, kind, label, round: null, facts: {} })
  }

  function link(from: string | null, to: string | null, label: string): void {
    if (from !== null && to !== null) edges.set(`${from} ${to}`, { from, to, label })
  }
}

function isList(runs: LineageStep['runs']): runs is readonly string[] {
  return Array.isArray(runs)
}

import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { Loop, LoopStage } from '../../../core/contracts/loop.ts'
import type { LoopLineage } from '../../../core/contracts/loop-report.ts'

type LineageNode = LoopLineage['nodes'][number]

/**
 * The origins of a loop's models. Each edge leads from an object to its source: from a model over its training, the
 * datasets and the runs to the nodes of their trees.
 */
export function loopLineage(loop: Pick<Loop, 'request' | 'rounds'>): LoopLineage {
  const nodes = new Map<string, LineageNode>()
  const edges: LoopLineage['edges'] = []
  const add = (node: LineageNode): void => void (nodes.has(node.id) || nodes.set(node.id, node))
  const link = (from: string, to: string, label: string): void => {
    if (edges.some((edge) => edge.from === from && edge.to === to)) return
    edges.push({ from, to, label })
  }
  const base = baseOf(loop)
  add({ id: base, kind: 'model', label: `base ${base}`, round: null, facts: {} })

  for (const { round, start, stages, policy, model } of loop.rounds) {
    for (const stage of stages) {
      if (stage.kind === 'build') addDataset(stage, round)
      if (stage.kind === 'explore') {
        add({
          id: stage.ref,
          kind: 'run',
          label: `exploration of round ${round}`,
          round,
          facts: countsOf(stage),
        })
        link(stage.ref, loop.rounds[round - 1]?.model ?? base, 'played by')
      }
      if (stage.kind === 'train') addTraining(stage, round, start ?? base)
    }
    if (model === null && policy !== null) link(policy.id, base, 'answers for')
    if (model === null && policy !== null) {
      add({ id: policy.id, kind: 'model', label: `${policy.endpoint}/${policy.id}`, round, facts: {} })
    }
  }
  return { nodes: [...nodes.values()], edges }

  function addDataset(stage: LoopStage, round: number): void {
    const { rows = null, tokens = null, sources = [] } = stage.facts
    add({
      id: stage.ref,
      kind: 'dataset',
      label: `${stage.id} of round ${round}`,
      round,
      facts: { rows, tokens },
    })
    for (const source of sourcesIn(sources)) {
      const { source: id, rows: given, episodes, nodes: count, examples } = source
      const kind = id.startsWith('run-') ? 'run' : 'trajectories'
      const label = kind === 'run' ? 'run' : 'imported trajectories'
      add({ id, kind, label, round: null, facts: {} })
      link(stage.ref, id, `${given} rows of ${episodes} episodes`)
      const read = `${stage.ref}/${id}`
      const facts = { nodes: count, episodes, rows: given, examples }
      add({ id: read, kind: 'nodes', label: `${count} nodes`, round, facts })
      link(id, read, 'its trees')
    }
  }

  function addTraining(stage: LoopStage, round: number, start: string): void {
    const { loss = null, steps = null, model } = stage.facts
    add({
      id: stage.ref,
      kind: 'training',
      label: `${stage.id} of round ${round}`,
      round,
      facts: { loss, steps },
    })
    link(stage.ref, stage.purpose === 'experts' ? base : start, 'starts from')
    for (const dataset of datasetsOf(stage, round)) link(stage.ref, dataset, 'learns')
    if (typeof model !== 'string') return
    const label = stage.purpose === 'control' ? 'control' : `model of round ${round}`
    add({ id: model, kind: 'model', label, round, facts: {} })
    link(model, stage.ref, 'made by')
    const chosen = loop.rounds[round]?.model ?? null
    if (stage.purpose !== 'round' || chosen === null || chosen === model) return
    add({ id: chosen, kind: 'model', label: `checkpoint chosen in round ${round}`, round, facts: {} })
    link(chosen, stage.ref, 'made by')
  }

  function datasetsOf(stage: LoopStage, round: number): string[] {
    const named = stage.facts.datasets
    if (Array.isArray(named)) return named.filter((id) => typeof id === 'string')
    const id = stage.purpose === 'round' ? 'build' : 'build-experts'
    const from = stage.purpose === 'round' ? round : 0
    return loop.rounds[from]?.stages.filter((each) => each.id === id).map(({ ref }) => ref) ?? []
  }
}

function baseOf({ request: { base } }: Pick<Loop, 'request'>): string {
  if ('registered' in base) return base.registered
  return 'hub' in base ? base.hub : base.folder
}

function countsOf({ facts }: LoopStage): JsonObject {
  const { episodes = null, succeeded = null, errored = null } = facts
  return { episodes, succeeded, errored }
}

interface Source extends JsonObject {
  source: string
  rows: number
  episodes: number
  nodes: number
  examples: Json[]
}

function sourcesIn(sources: Json): Source[] {
  return Array.isArray(sources) ? (sources as Source[]) : []
}

import type { LineageRow, Origin } from '../../core/contracts/dataset.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { LoopRequest } from '../../core/contracts/loop.ts'
import type { LoopPorts } from './loop-ports.ts'

export interface LineageFacts {
  /** Number of rows from tasks that the loop holds out, with one of these tasks. */
  leaked: { rows: number; task: string } | null
  sources: SourceFacts[]
}

interface SourceFacts {
  source: string
  rows: number
  episodes: number
  nodes: number
  examples: { row: number; task: string; episode: string; node_ids: number[] }[]
}

const mostExamples = 3

export async function readLineage(
  rows: AsyncIterable<LineageRow>,
  { environment, heldOut }: { environment: string; heldOut: ReadonlySet<string> },
): Promise<LineageFacts> {
  let leaks = 0
  let leaked: string | null = null
  const sources = new Map<string, { facts: SourceFacts; episodes: Set<string>; nodes: Set<string> }>()
  for await (const row of rows) {
    if (row.environment === environment && heldOut.has(row.task)) {
      leaks += 1
      leaked ??= row.task
    }
    for (const origin of row.other === null ? [row.origin] : [row.origin, row.other]) {
      const known = sources.get(origin.source) ?? newSource(origin.source)
      sources.set(origin.source, known)
      count(known, row, origin)
    }
  }
  return {
    leaked: leaked === null ? null : { rows: leaks, task: leaked },
    sources: [...sources.values()].map(({ facts, episodes, nodes }) => ({
      ...facts,
      episodes: episodes.size,
      nodes: nodes.size,
    })),
  }
}

function newSource(source: string) {
  return {
    facts: { source, rows: 0, episodes: 0, nodes: 0, examples: [] } as SourceFacts,
    episodes: new Set<string>(),
    nodes: new Set<string>(),
  }
}

function count(
  { facts, episodes, nodes }: ReturnType<typeof newSource>,
  row: LineageRow,
  { episode, node_ids }: Origin,
): void {
  if (row.origin.source === facts.source) facts.rows += 1
  episodes.add(episode)
  for (const id of node_ids) nodes.add(`${episode}/${id}`)
  if (facts.examples.length === mostExamples || row.origin.episode !== episode) return
  facts.examples.push({ row: row.row, task: row.task, episode, node_ids: node_ids.slice(0, 50) })
}

export function toSourceFacts(sources: SourceFacts[]): Json[] {
  return sources.map((source): JsonObject => ({ ...source, examples: source.examples }))
}

export async function heldOutTasks(
  { tasks }: Pick<LoopPorts, 'tasks'>,
  request: LoopRequest,
): Promise<Set<string>> {
  const { dev, test } = request.tasks
  const found = await Promise.all(
    [test, ...(dev === undefined ? [] : [dev])].map((selection) => tasks(request, selection)),
  )
  return new Set(found.flatMap((each) => each.tasks.map(({ id }) => id)))
}

/**
 * Checks whether a registered base, or a model it was trained from, learned tasks on which the loop would measure it.
 *
 * @returns the reason why the base cannot be measured, or null
 */
export async function findBaseLeak(
  parts: Pick<LoopPorts, 'datasets' | 'models' | 'tasks'>,
  request: LoopRequest,
): Promise<string | null> {
  if (!('registered' in request.base)) return null
  const heldOut = await heldOutTasks(parts, request)
  const { environment } = request
  for (const dataset of await parts.models.learned(request.base.registered)) {
    const { leaked } = await readLineage(parts.datasets.lineage(dataset), { environment, heldOut })
    if (leaked === null) continue
    return `The base ${request.base.registered} has learned tasks that the loop would measure it on: ${leaked.rows} rows of ${dataset}, which is in its lineage, are of held-out tasks such as ${leaked.task}. Choose other tasks in tasks.test and tasks.dev, or another base.`
  }
  return null
}

import diff from 'microdiff'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { NodeDetail, StateChange } from '../../core/contracts/node-detail.ts'
import { addUsage, noUsage, type Usage } from '../../core/contracts/usage.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import type { SearchNode, SearchTree } from '../../play/search/tree.ts'
import { type CallPlace, placeOf } from './call-place.ts'
import type { ReadEpisode } from './episode-cache.ts'
import type { NodeState } from './follow-states.ts'
import type { CommittedCall } from './read-calls.ts'
import { checksKey, readNodeJudgement } from './read-node-judgement.ts'
import { type FoundNote, readNotes } from './read-notes.ts'
import type { Unknown } from './task-states.ts'

type Said = Pick<
  NodeDetail,
  'children' | 'node' | 'proposal' | 'expansions' | 'judgement' | 'others' | 'usage'
> & { found: FoundNote[] }

export function describeNode(
  { calls, records }: Pick<ReadEpisode, 'calls' | 'records'>,
  tree: SearchTree,
  node: SearchNode,
  scale: unknown,
): Said {
  const own: Record<CallPlace['kind'], CommittedCall[]> = { expansion: [], judgement: [], other: [] }
  let usage: Usage = noUsage
  for (const call of calls) {
    const place = placeOf(call, tree)
    if (place.node !== node.index) continue
    own[place.kind].push(call)
    usage = addUsage(usage, call.usage ?? noUsage)
  }
  const from = node.effect?.replace(/(?:\/choice\/\d+)?(?:\/call\/\d+)?$/, '')
  const checks = calls.filter(({ key }) => key === checksKey || key.startsWith(`${checksKey}/`))
  return {
    children: [...node.children],
    node: toTreeNode(node),
    proposal: calls.find(({ key }) => key === from)?.show() ?? null,
    expansions: own.expansion.map((call) => call.show()),
    judgement: readNodeJudgement({ node: node.index, calls: own.judgement, checks, scale }),
    found: notesAt(records, node, own.expansion.length > 0),
    others: own.other.map((call) => call.show()),
    usage,
  }
}

function toTreeNode(node: SearchNode): NodeDetail['node'] {
  const { index: _index, children: _children, effect: _effect, observation: _observation, ...rest } = node
  const { value_sum, ...kept } = rest
  return { ...kept, value: node.visits === 0 ? 0 : value_sum / node.visits }
}

function notesAt(records: readonly JournalRecord[], { index }: SearchNode, isExpanded: boolean): FoundNote[] {
  return readNotes(records)
    .filter(({ node }) => node === index || (node === null && isExpanded))
    .flatMap(({ notes }) => notes)
}

export function describeState(
  found: NodeState | Unknown,
): Pick<NodeDetail, 'state' | 'state_changes' | 'state_note'> {
  if ('why' in found) return { state: null, state_changes: null, state_note: found.why }
  const { before, state } = found
  const changes = before === null ? null : stateChanges(before, state)
  return { state, state_changes: changes, state_note: null }
}

export function stateChanges(before: JsonObject, after: JsonObject): StateChange[] {
  const changes = diff(bare(before) as JsonObject, bare(after) as JsonObject, { cyclesFix: false })
  return changes.map((change): StateChange => {
    const { path } = change
    if (change.type === 'CREATE') return { type: 'added', path, after: change.value }
    if (change.type === 'REMOVE') return { type: 'removed', path, before: change.oldValue }
    return { type: 'changed', path, before: change.oldValue, after: change.value }
  })
}

/**
 * The same value, whose objects have their own keys and no others: microdiff takes an inherited `toString` for a key.
 */
function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map(bare)
  if (value === null || typeof value !== 'object') return value
  const own: JsonObject = Object.create(null)
  for (const [key, held] of Object.entries(value)) own[key] = bare(held)
  return own
}

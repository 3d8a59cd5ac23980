import type { Observation } from '../../core/contracts/message.ts'
import type { PrimitiveStep } from '../../core/contracts/tree.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import { type SearchNode, SearchTree } from '../../play/search/tree.ts'
import type { TreeEntry } from '../../play/search/tree-entry.ts'
import { placeOf } from '../inspection/call-place.ts'
import { type CommittedCall, readCalls } from '../inspection/read-calls.ts'
import type { Passage } from './passage.ts'

/** Maximum characters of a passage: a longer text is cut into several, between words if there are any. */
const longestPassage = 20_000
const mostCharacters = 2_000_000
const mostPassages = 20_000

/**
 * The searchable passages of an episode, node by node: its observation, the policy's answer, and the texts about it.
 * Answers belong to the node that they led to; unplayed ones to the node of their request. Equal ones of a node are
 * one passage. Thoughts beside an answer are a passage of its kind.
 * @returns `is_cut` if the episode has more than is indexed
 */
export function readPassages(records: readonly JournalRecord[]): { passages: Passage[]; is_cut: boolean } {
  const entries = records.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  const answers = answersOf(readCalls(records), tree)
  const said = [...answers, ...keptNotes(entries, answers)]
  const byNode = Map.groupBy(said, ({ node }) => node)
  const nodes = tree?.nodes ?? []
  return bound([
    ...distinct(byNode.get(null) ?? []),
    ...nodes.flatMap((node) => {
      const own = byNode.get(node.index) ?? []
      return distinct([...messageOf(node, own), ...own, ...observed(node)])
    }),
  ])
}

function answersOf(calls: readonly CommittedCall[], tree: SearchTree | null): Passage[] {
  const nodes = tree?.nodes ?? []
  const ledTo = new Map(nodes.flatMap(({ effect, index }) => (effect === null ? [] : [[effect, index]])))
  // A search creates one node for equal answers.
  const saidBelow = new Map(
    nodes.map(({ index, message, parent }) => [JSON.stringify([parent, message]), index]),
  )
  return calls.flatMap((call) => {
    const { asked, key } = call
    const place = tree === null ? null : placeOf(call, tree)
    const { answers, endings } = call.show()
    // Numbers of trained values have no ending, and nothing to read.
    return endings.flatMap(({ finish_reason, thinking }, at): Passage[] => {
      const text = answers[at] ?? ''
      const played = ledTo.get(`${key}/choice/${at}`) ?? (at === 0 ? ledTo.get(key) : undefined)
      const equal = asked === 'policy' ? saidBelow.get(JSON.stringify([place?.node, text])) : undefined
      const said: Passage = {
        kind: asked === 'policy' ? 'answer' : 'note',
        node: played ?? equal ?? place?.node ?? null,
        role: asked,
        finish_reason,
        text,
      }
      return thinking === undefined ? [said] : [{ ...said, text: thinking }, said]
    })
  })
}

function keptNotes(entries: readonly TreeEntry[], answers: readonly Passage[]): Passage[] {
  return entries.flatMap((entry): Passage[] => {
    if (!('note' in entry)) return []
    const { note: text, side: role } = entry.note
    if (answers.some((answer) => answer.text.includes(text))) return []
    return [{ kind: 'note', node: 0, role, finish_reason: null, text }]
  })
}

function messageOf({ action, index, message }: SearchNode, own: readonly Passage[]): Passage[] {
  const text = message ?? action
  if (text === null || own.some((each) => each.kind === 'answer' && each.text.includes(text))) return []
  return [{ kind: 'answer', node: index, role: null, finish_reason: null, text }]
}

function observed({ index, observation, primitives = [] }: SearchNode): Passage[] {
  const whole = textOf(observation)
  const within = primitives.flatMap((step: PrimitiveStep) =>
    whole.includes(step.observation) ? [] : [step.observation],
  )
  return [whole, ...within].map((text) => ({
    kind: 'observation',
    node: index,
    role: null,
    finish_reason: null,
    text,
  }))
}

function textOf(observation: Observation): string {
  return observation.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function distinct(passages: readonly Passage[]): Passage[] {
  return [...new Map(passages.map((passage) => [JSON.stringify(passage), passage])).values()]
}

function bound(all: readonly Passage[]): { passages: Passage[]; is_cut: boolean } {
  const passages: Passage[] = []
  let characters = 0
  for (const passage of all) {
    for (const text of cutText(passage.text)) {
      characters += text.length
      if (characters > mostCharacters || passages.length === mostPassages) return { passages, is_cut: true }
      passages.push({ ...passage, text })
    }
  }
  return { passages, is_cut: false }
}

function cutText(text: string): string[] {
  const pieces: string[] = []
  const whole = text.toWellFormed().replaceAll('\u0000', '\ufffd')
  for (let start = 0; start < whole.length; ) {
    const end = Math.min(whole.length, start + longestPassage)
    const gap = end === whole.length ? -1 : whole.slice(start, end).search(/\s\S{0,200}$/)
    const stop = gap > 0 ? start + gap : end
    pieces.push(whole.slice(start, stop))
    start = stop
  }
  return pieces.filter((piece) => piece.trim() !== '')
}

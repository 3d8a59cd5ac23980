import type { JournalRecord } from '../../../../shared/core/engine/journal-record.ts'
import type { Attempt } from '../../../../shared/data/datasets/attempt.ts'
import { SearchTree } from '../../../../shared/play/search/tree.ts'
import type { NodeEntry, OpenEntry, TreeEntry } from '../../../../shared/play/search/tree-entry.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { nodeEntry, openEntry, text } from '../../../builders/journals.ts'
import { picture } from '../../../builders/trees.ts'

/** One line of a search that is written down. */
export type Line =
  | { take: string; from?: number; observation?: string; message?: string; reward?: number; picture?: true }
  | { value: number; of: number }
  | { commit: number }
  | { verdicts: string[]; of: number; order?: 'support-first' | 'oppose-first' }

export interface ScriptedSearch {
  lines: readonly Line[]
  answer?: OpenEntry['open']['answer']
  head?: OpenEntry['open']['messages']
}

/** A searched episode written by hand. Nodes are numbered in the order in which they are taken, from 1. */
export function searched(search: ScriptedSearch, rest: Partial<Attempt> = {}): Attempt {
  const journal = journalOf(search)
  const entries = journal.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  if (tree === null) throw new Error('There is no tree.')
  return attemptOf(tree.toTree(), { journal: async () => journal, ...rest })
}

function journalOf({ lines, answer = 'committed', head }: ScriptedSearch): JournalRecord[] {
  const open = openEntry({
    environment: 'textcraft',
    task: 'stick',
    answer,
    messages: head ?? [
      { role: 'system', content: 'You craft items.' },
      { role: 'user', content: 'start' },
    ],
    observation: text('start'),
  })
  return [{ entry: open }, ...lines.map(toRecord)]
}

function toRecord(line: Line): JournalRecord {
  if ('take' in line) return { entry: toNode(line) }
  if ('commit' in line) return { entry: { commit: { node: line.commit } } }
  if ('value' in line) return { entry: { backup: { node: line.of, value: line.value } } }
  const key = `node/${line.of}/value/verdicts${line.order === undefined ? '' : `/${line.order}`}`
  const choices = line.verdicts.map((content) => ({ content, finish_reason: 'stop' }))
  return { effect: key, request: 'digest', result: { choices } }
}

function toNode({
  take,
  from = 0,
  observation,
  message,
  reward = 0,
  picture: pictured,
}: Extract<Line, { take: string }>): NodeEntry {
  return nodeEntry({
    parent: from,
    action: take,
    message: message ?? `Thought: try ${take}.\nAction: ${take}`,
    observation: pictured ? picture : text(observation ?? `saw ${take}`),
    reward,
    progress: reward,
    effect: 'node/0/plan/0/proposals/choice/0',
  })
}

/** A judge's answer. */
export const verdict = (status: string, thoughts: string) => `Thoughts: ${thoughts}\nStatus code: ${status}`

import type { Attempt } from '../../../shared/datasets/attempt.ts'
import type { JournalRecord } from '../../../shared/engine/journal-record.ts'
import { SearchTree } from '../../../shared/search/tree.ts'
import type { NodeEntry, OpenEntry, TreeEntry } from '../../../shared/search/tree-entry.ts'
import { attemptOf } from './made-attempt.ts'

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

const shownFirst = [{ type: 'text' as const, text: 'start' }]

/** A searched episode written by hand. Nodes are numbered in the order in which they are taken, from 1. */
export function searched(search: ScriptedSearch, rest: Partial<Attempt> = {}): Attempt {
  const journal = journalOf(search)
  const entries = journal.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  if (tree === null) throw new Error('There is no tree.')
  return attemptOf(tree.toTree(), journal, rest)
}

function journalOf({ lines, answer = 'committed', head }: ScriptedSearch): JournalRecord[] {
  const open: OpenEntry = {
    open: {
      environment: 'textcraft',
      task: 'stick',
      method: 'mcts',
      answer,
      messages: head ?? [
        { role: 'system', content: 'You craft items.' },
        { role: 'user', content: 'start' },
      ],
      observation: shownFirst,
      state_hash: null,
      success_threshold: 1,
    },
  }
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
  picture,
}: Extract<Line, { take: string }>): NodeEntry {
  return {
    node: {
      parent: from,
      action: take,
      message: message ?? `Thought: try ${take}.\nAction: ${take}`,
      observation: picture
        ? [{ type: 'blob', sha256: 'f'.repeat(64), media_type: 'image/png' }]
        : [{ type: 'text', text: observation ?? `saw ${take}` }],
      reward,
      terminal: false,
      done: false,
      disaster: false,
      valid: true,
      progress: reward,
      prior: 1,
      state_hash: null,
      effect: 'node/0/plan/0/proposals/choice/0',
    },
  }
}

/** A judge's answer. */
export const verdict = (status: string, thoughts: string) => `Thoughts: ${thoughts}\nStatus code: ${status}`

import type { TokenRecord } from '../../../../core/contracts/token-record.ts'
import type { JournalRecord } from '../../../../core/engine/journal-record.ts'
import { answerBefore } from '../../../../play/methods/token-prompts.ts'
import { SearchTree } from '../../../../play/search/tree.ts'
import type { TreeEntry } from '../../../../play/search/tree-entry.ts'

export interface TokenTurn {
  /** Equal for answers of one call. */
  call: string
  answer: number
  prompt: readonly number[]
  ids: readonly number[]
  /** As many as `ids`; null: it is unknown. */
  logprobs: readonly (number | null)[]
  version: string
  temperature: number | null
}

export type TurnOf = (node: number) => TokenTurn | null

export function recordedTurns(journal: readonly JournalRecord[], records: readonly TokenRecord[]): TurnOf {
  const entries = journal.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  const byCall = new Map(records.map((record) => [record.call, record]))
  return (node) => {
    const given = tree === null ? undefined : answerBefore(tree.node(node))
    const record = given && byCall.get(given.call)
    return given && record ? turnOf(record, given.answer) : null
  }
}

function turnOf(record: TokenRecord, answer: number): TokenTurn | null {
  const { call, model, prompt_ids: prompt, sampler, version } = record
  const given = record.answers[answer]
  if (prompt === null || given === undefined || given.ids === null) return null
  return {
    call,
    answer,
    prompt,
    ids: given.ids,
    logprobs: given.logprobs ?? given.ids.map(() => null),
    version: version ?? model,
    temperature: typeof sampler.temperature === 'number' ? sampler.temperature : null,
  }
}

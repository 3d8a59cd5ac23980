import { hash } from 'node:crypto'
import type { DatasetRow } from '../contracts/dataset-row.ts'
import type { Message } from '../contracts/message.ts'
import { canonicalJson } from './canonical-json.ts'
import { findMaskFault } from './gates/find-mask-fault.ts'
import { countTokens } from './tokens/count-tokens.ts'
import type { Tokenizer } from './tokens/tokenizer.ts'

/** What the gates and the lineage need of a row, so that they need not read it again. */
export interface RowMarks {
  /** Of the longest text that a trainer makes of it: of a pair, the prompt with its longer side. */
  tokens: number
  /** Of the row as {@link canonicalJson}: equal rows have equal digests, in every format. */
  sha256: string
  /** Of what the task's prompt says; see {@link promptDigest}. */
  prompt: string
  empty_turn: boolean
  /** What is wrong with what the row trains on, in words; null where nothing is. */
  mask: string | null
}

/**
 * @param head - the messages before the first action at the task (`Tree.messages`), by which prompts are compared: a row's own
 * prompt may hold turns of play
 */
export function inspectRow(row: DatasetRow, head: readonly Message[], tokenizer: Tokenizer): RowMarks {
  return {
    tokens: tokensOf(row, tokenizer),
    sha256: hash('sha256', canonicalJson(row), 'hex'),
    prompt: promptDigest(head),
    empty_turn: textsOf(row).some((text) => !/\S/.test(text)),
    mask: findMaskFault(row),
  }
}

const digests = new WeakMap<readonly Message[], string>()

/**
 * A digest of a head without its system text, and with every run of white space as one space: tasks with the same wording are
 * the same task to a model, whatever system text a method puts before them. 128 bits of SHA-256, in hex.
 */
export function promptDigest(head: readonly Message[]): string {
  const earlier = digests.get(head)
  if (earlier !== undefined) return earlier
  const withoutSystem = head.filter(({ role }) => role !== 'system')
  // A head that is only a system text has the task in it.
  const compared = (withoutSystem.length > 0 ? withoutSystem : head).map(({ role, content }) => [
    role,
    content.replaceAll(/\s+/g, ' ').trim(),
  ])
  const digest = hash('sha256', JSON.stringify(compared), 'hex').slice(0, 32)
  digests.set(head, digest)
  return digest
}

function tokensOf(row: DatasetRow, tokenizer: Tokenizer): number {
  switch (row.type) {
    case 'conversation':
      return countTokens(row.messages, tokenizer)
    case 'preference': {
      const chosen = countTokens([...row.prompt, ...row.chosen], tokenizer)
      return Math.max(chosen, countTokens([...row.prompt, ...row.rejected], tokenizer))
    }
    case 'unpaired':
      return countTokens([...row.prompt, ...row.completion], tokenizer)
    case 'process':
      return row.completions.reduce(
        (sum, text) => sum + tokenizer.ofText(text),
        countTokens(row.prompt, tokenizer),
      )
    case 'prompt':
      return countTokens(row.prompt, tokenizer)
  }
}

function textsOf(row: DatasetRow): string[] {
  const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)
  switch (row.type) {
    case 'conversation':
      return contents(row.messages)
    case 'preference':
      return contents([...row.prompt, ...row.chosen, ...row.rejected])
    case 'unpaired':
      return contents([...row.prompt, ...row.completion])
    case 'process':
      return [...contents(row.prompt), ...row.completions]
    case 'prompt':
      return contents(row.prompt)
  }
}

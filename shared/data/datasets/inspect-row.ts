import { hash } from 'node:crypto'
import type { DatasetRow, RowMessage } from '../../core/contracts/dataset-row.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { Picture } from '../../core/contracts/picture.ts'
import { withoutReasoning } from '../../play/answers/reasoning.ts'
import { pictureTokens } from '../../play/models/picture-tokens.ts'
import { messagesOf } from './build/settle-pictures.ts'
import { canonicalJson } from './canonical-json.ts'
import { findMaskFault } from './gates/find-mask-fault.ts'
import type { Tokenizer } from './tokens/open-tokenizer.ts'

const tokensPerMessage = 4
const tokensPerChat = 3

export interface RowMarks {
  /** Tokens of the longest text that a trainer builds of it: for a pair, the prompt with its longer side. */
  tokens: number
  /** Digest of the row as {@link canonicalJson}: equal rows have equal digests, in every format. */
  sha256: string
  prompt: string
  empty_turn: boolean
  mask: string | null
}

/**
 * @param head - the messages before the first action at the task (`Tree.messages`), by which prompts are compared: a
 * row's own prompt may hold turns of play
 * @param model - `endpoint/id` of the playing model, whose family's rule counts pictures; absent: the rule that
 * yields most
 */
export function inspectRow(
  row: DatasetRow,
  head: readonly Message[],
  tokenizer: Tokenizer,
  model?: string,
): RowMarks {
  const tools = 'tools' in row && row.tools !== undefined ? tokenizer.ofText(JSON.stringify(row.tools)) : 0
  return {
    tokens: tools + tokensOf(row, (messages) => countTokens(messages, tokenizer, model), tokenizer),
    sha256: hash('sha256', canonicalJson(row), 'hex'),
    prompt: promptDigest(head),
    empty_turn: textsOf(row).some((text) => !/\S/.test(text)),
    mask: findMaskFault(row),
  }
}

const digests = new WeakMap<readonly Message[], string>()

/**
 * A digest of a head without its system text, and with every run of white space as one space. Tasks with the same
 * wording are the same task to a model, whatever system text a method puts before them. 128 bits of SHA-256, in hex.
 */
export function promptDigest(head: readonly Message[]): string {
  const earlier = digests.get(head)
  if (earlier !== undefined) return earlier
  const withoutSystem = head.filter(({ role }) => role !== 'system')
  // A head of only a system text has the task in it.
  const compared = (withoutSystem.length > 0 ? withoutSystem : head).map(({ role, content }) => [
    role,
    content.replaceAll(/\s+/g, ' ').trim(),
  ])
  const digest = hash('sha256', JSON.stringify(compared), 'hex').slice(0, 32)
  digests.set(head, digest)
  return digest
}

function tokensOf(
  row: DatasetRow,
  count: (messages: readonly RowMessage[]) => number,
  tokenizer: Tokenizer,
): number {
  switch (row.type) {
    case 'conversation':
      return count(row.messages)
    case 'preference':
      return Math.max(count([...row.prompt, ...row.chosen]), count([...row.prompt, ...row.rejected]))
    case 'unpaired':
      return count([...row.prompt, ...row.completion])
    case 'process':
      return row.completions.reduce((sum, text) => sum + tokenizer.ofText(text), count(row.prompt))
    case 'prompt':
      return count(row.prompt)
    case 'rollout':
      return row.prompt_ids.length + row.completion_ids.length
    case 'rollout-tree':
      return row.segments.reduce((sum, { ids }) => sum + ids.length, 0)
  }
}

function textsOf(row: DatasetRow): string[] {
  // A turn that shows a picture is not empty, whatever its text. A turn of the model with only reasoning is.
  const texts = messagesOf(row).flatMap(({ role, content, pictures }) => {
    if (pictures !== undefined) return []
    return [role === 'assistant' ? withoutReasoning(content) : content]
  })
  return row.type === 'process' ? [...texts, ...row.completions.map(withoutReasoning)] : texts
}

/**
 * The tokens of a chat as a trainer sees it: each content by the tokenizer, 4 for the role and the marks of a message
 * and 3 for the chat. The rule is that of OpenAI's cookbook ("How to count tokens with tiktoken",
 * `num_tokens_from_messages`); other chat templates differ by a few tokens a message. Pictures are estimated as in
 * prompts.
 *
 * @param model - whose family's rule counts pictures
 */
export function countTokens(messages: readonly RowMessage[], tokenizer: Tokenizer, model?: string): number {
  return messages.reduce(
    (sum, { content, pictures = [], reasoning = '' }) =>
      sum +
      tokenizer.ofText(content) +
      (reasoning === '' ? 0 : tokenizer.ofText(reasoning)) +
      tokensPerMessage +
      tokensOfPictures(pictures, model),
    tokensPerChat,
  )
}

function tokensOfPictures(pictures: readonly Picture[], model: string | undefined): number {
  return pictures.reduce((sum, picture) => sum + pictureTokens(picture, model), 0)
}

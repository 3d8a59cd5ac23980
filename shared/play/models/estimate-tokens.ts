import type { PromptMessage, Thinking } from '../../core/contracts/message.ts'
import type { OfferedTool } from './chat-model.ts'
import { pictureTokens } from './picture-tokens.ts'

/** English prose has about 4.2 bytes a token, code and JSON 3 to 3.5, Chinese and Japanese about 3. */
const bytesPerToken = 3
/** Tokens of chat templates for the role and the marks around a message, and for opening the answer. */
const tokensPerMessage = 4
const tokensPerPrompt = 3

const perMessage = new WeakMap<PromptMessage, number>()

/**
 * The tokens of a text, estimated on the high side: one token for every three bytes of UTF-8, rounded up. Prose comes
 * out about 40 % too high, which suits the reservation of money, and no tokenizer is loaded.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/**
 * The tokens of a prompt, by {@link estimateTokens} and {@link pictureTokens}. Prompts share message objects, so each
 * text is measured once.
 *
 * @param model - counts pictures in its own way; absent: pictures count as for the model that uses most
 */
export function estimatePromptTokens(messages: readonly PromptMessage[], model?: string): number {
  let tokens = tokensPerPrompt
  for (const message of messages) {
    let own = perMessage.get(message)
    if (own === undefined) {
      own = estimateTokens(message.content) + estimateCalls(message) + tokensPerMessage
      perMessage.set(message, own)
    }
    tokens += own
    for (const picture of message.pictures ?? []) tokens += pictureTokens(picture, model)
  }
  return tokens
}

function estimateCalls({ tool_calls = [], thinking }: PromptMessage): number {
  const calls = tool_calls.reduce((sum, call) => sum + estimateTokens(JSON.stringify(call)), 0)
  return calls + (thinking === undefined ? 0 : estimateThoughts(thinking))
}

const sealedTypes = new Set(['reasoning', 'thinking', 'redacted_thinking'])

/** Items and blocks that go back as they came may hold more than their text: encrypted thoughts and signatures. */
function estimateThoughts({ text, field, details = [] }: Thinking): number {
  if (field === 'extra_content') return estimateTokens(JSON.stringify(details))
  if (field !== 'reasoning_items' && field !== 'thinking_blocks') return estimateTokens(text)
  const sealed = details.filter((detail) => sealedTypes.has((detail as { type?: string } | null)?.type ?? ''))
  return estimateTokens(JSON.stringify(sealed))
}

export function estimateToolTokens(tools: readonly OfferedTool[] = []): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools))
}

export function estimateTextTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text) + tokensPerMessage, 0)
}

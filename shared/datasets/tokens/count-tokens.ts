import type { Message } from '../../contracts/message.ts'
import type { Tokenizer } from './tokenizer.ts'

/** The role and the marks around a message, and what opens the answer. */
const tokensPerMessage = 4
const tokensPerChat = 3

/**
 * The tokens of a chat as a trainer sees it: each content by the tokenizer, 4 for the role and the marks of a message and 3
 * for the chat. The rule is that of OpenAI's cookbook ("How to count tokens with tiktoken", `num_tokens_from_messages`);
 * other chat templates differ by a few tokens a message.
 */
export function countTokens(messages: readonly Message[], tokenizer: Tokenizer): number {
  return messages.reduce(
    (sum, { content }) => sum + tokenizer.ofText(content) + tokensPerMessage,
    tokensPerChat,
  )
}

import type { Message } from '../../../core/contracts/message.ts'
import type { Picture } from '../../../core/contracts/picture.ts'
import { pictureTokens } from '../../../play/models/picture-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'

const tokensPerMessage = 4
const tokensPerChat = 3

/**
 * The tokens of a chat as a trainer sees it: each content by the tokenizer, 4 for the role and the marks of a message
 * and 3 for the chat. The rule is that of OpenAI's cookbook ("How to count tokens with tiktoken",
 * `num_tokens_from_messages`); other chat templates differ by a few tokens a message. Pictures are estimated as in
 * prompts.
 *
 * @param model - whose family's rule counts pictures
 */
export function countTokens(messages: readonly Message[], tokenizer: Tokenizer, model?: string): number {
  return messages.reduce(
    (sum, { content, pictures = [] }) =>
      sum + tokenizer.ofText(content) + tokensPerMessage + tokensOfPictures(pictures, model),
    tokensPerChat,
  )
}

function tokensOfPictures(pictures: readonly Picture[], model: string | undefined): number {
  return pictures.reduce((sum, picture) => sum + pictureTokens(picture, model), 0)
}

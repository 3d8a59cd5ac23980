import type { Message } from '../../contracts/message.ts'

/**
 * A prompt as one text, for trainers that take no chat: what was said, turn by turn, each with an empty line after it. Those
 * trainers put nothing between a prompt and its first step.
 */
export function promptText(prompt: readonly Message[]): string {
  return prompt.map(({ content }) => `${content}\n\n`).join('')
}

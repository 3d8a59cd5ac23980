import type { Message } from '../../core/contracts/message.ts'
import type { Random } from '../../core/random/random.ts'

export interface Policy {
  readonly name: string
  /**
   * Answers the prompt: the right next action with probability `skill`, otherwise a plausible mistake.
   *
   * @returns null if the prompt is not one of its environment.
   */
  answer(messages: readonly Message[], skill: number, random: Random): string | null
}

export function readAction(content: string): string | null {
  const position = content.lastIndexOf('Action:')
  if (position < 0) return null
  const [line = ''] = content
    .slice(position + 'Action:'.length)
    .trimStart()
    .split('\n', 1)
  return line.trim()
}

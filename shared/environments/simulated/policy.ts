import type { Message } from '../../core/contracts/message.ts'
import type { Random } from '../../core/random/random.ts'
import type { Expert } from './expert.ts'

export interface Policy {
  readonly name: string
  /** Judges states and writes programs. Without one, such questions get random answers. */
  readonly expert?: Expert
  /**
   * Answers the prompt: the right next action with probability `skill`, otherwise a plausible mistake.
   *
   * @returns null if the prompt is not one of its environment.
   */
  answer(messages: readonly Message[], skill: number, random: Random): string | null
  /** Reads prompts in another wording of the environment. Null: the prompt is not in it. */
  translate?(messages: readonly Message[]): Translation | null
}

export interface Translation {
  readonly messages: readonly Message[]
  answer(text: string): string
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

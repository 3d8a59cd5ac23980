import type { Message } from '../../../core/contracts/message.ts'

/**
 * The mark of an observation in ETO's layout (Song et al. 2024). Every observation of a task but the first has it.
 */
const mark = /^Observation:\s/

const fewShot = /^The first (\d+) turns below are examples of other tasks\.$/m

/**
 * Converts a prompt to the policies' layout: the rules in a system text, and the turns of its own task.
 *
 * A prompt in ETO's layout begins with a user turn answered with `OK`, and plays an example before the task. The task
 * begins with the last user turn that is not an observation.
 */
export function inOneLayout(messages: readonly Message[]): readonly Message[] {
  const [instruction, agreement] = messages
  const shots = fewShot.exec(instruction?.role === 'system' ? instruction.content : '')?.[1]
  if (shots !== undefined) return messages.toSpliced(1, Number(shots))
  if (instruction?.role !== 'user' || agreement?.role !== 'assistant' || agreement.content !== 'OK') {
    return messages
  }
  const start = messages.findLastIndex(({ role, content }) => role === 'user' && !isMarked(content))
  const turns = messages
    .slice(start)
    .map((message) =>
      message.role === 'user' ? { ...message, content: withoutMark(message.content) } : message,
    )
  return [{ role: 'system', content: instruction.content }, ...turns]
}

const advice = '[END OF ADVICE]\n\n'

/** Advice stands before the environment's last answer. */
function isMarked(content: string): boolean {
  return mark.test(shownIn(content))
}

function withoutMark(content: string): string {
  const shown = shownIn(content)
  return content.slice(0, content.length - shown.length) + shown.replace(mark, '')
}

function shownIn(content: string): string {
  const end = content.lastIndexOf(advice)
  return end < 0 ? content : content.slice(end + advice.length)
}

import type { Message } from '../../contracts/message.ts'

/** What marks an observation where prompts are laid out as ETO's (Song et al. 2024): all but the first of a task have it. */
const mark = /^Observation:\s/

/**
 * A prompt as the policies read them: the rules in a system text, and the turns of its own task. A prompt that
 * is laid out as ETO's begins with a user's turn that is answered with `OK`, and plays an example before the task: the task
 * begins with the last turn of the user's that is no observation.
 */
export function inOneLayout(messages: readonly Message[]): readonly Message[] {
  const [instruction, agreement] = messages
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

/** Advice stands before what the environment answered last. */
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

import type { Message } from '../../../core/contracts/message.ts'
import { findElements } from '../../../environments/browser/simulated/read-page.ts'

const marker =
  /^--- (Environment, start|Agent, turn \d+|Environment, turn \d+|\d+ turns are left out here)\n?/m

const opening = /^Crafting commands:|^You are in the middle of a room/m

export function readTranscript(text: string): Message[] | null {
  const pieces = text.split(new RegExp(marker, 'gm'))
  const messages: Message[] = []
  for (let at = 1; at < pieces.length; at += 2) {
    const [heading = '', body = ''] = [pieces[at], pieces[at + 1]]
    const isLast = at + 2 >= pieces.length
    if (heading.startsWith('Agent')) messages.push({ role: 'assistant', content: body.trim() })
    else if (heading.endsWith('start')) messages.push({ role: 'user', content: body.trim() })
    else if (heading.startsWith('Environment')) {
      const content = isLast && !opening.test(body) ? withoutQuestion(body) : body
      messages.push({ role: 'user', content: content.trim() })
    } else messages.push({ role: 'user', content: heading })
  }
  return messages.length === 0 ? null : messages
}

/**
 * The question follows the last answer after an empty line. Only the start of a task and a page contain such lines
 * themselves.
 */
function withoutQuestion(body: string): string {
  const end = body.indexOf('\n\n', Math.max(0, findElements(body)))
  return end < 0 ? body : body.slice(0, end)
}

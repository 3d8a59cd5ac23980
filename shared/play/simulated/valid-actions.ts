import { choose } from '../../core/random/shuffled.ts'
import type { Policy } from '../../environments/simulated/policy.ts'

const thoughts = [
  'I will try what looks most useful here.',
  'One of the offered actions should bring me further.',
  'Let me see what this does.',
]

/**
 * Answers prompts that no other policy recognizes by picking an action from the newest list. A list is `AVAILABLE
 * ACTIONS: a, b` on one line, or `Valid actions:` with a line for each. Skill has no effect.
 */
export const validActionsPolicy: Policy = {
  name: 'valid-actions',
  answer(messages, _skill, random) {
    for (const message of messages.toReversed()) {
      const action = message.role === 'assistant' ? undefined : choose(readActions(message.content), random)
      if (action !== undefined) return `Thought: ${choose(thoughts, random)}\nAction: ${action}`
    }
    return 'I have nothing to go by here, so this is a short answer from the simulated model.'
  },
}

function readActions(content: string): string[] {
  const heading = /(?:valid|available|admissible|possible) actions?[^\n:]*:[ \t]*/gi
  let list: string | undefined
  for (const match of content.matchAll(heading)) list = content.slice(match.index + match[0].length)
  if (list === undefined) return []
  const [line = ''] = list.split('\n', 1)
  if (line.trim() !== '') return clean(line.replace(/^\[|\]\.?\s*$/g, '').split(','))
  const [block = ''] = list.trimStart().split(/\n\s*\n/, 1)
  return clean(block.split('\n'))
}

function clean(actions: string[]): string[] {
  return actions
    .map((action) => action.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .map((action) => action.replace(/^(['"`])(.*)\1$/, '$2'))
    .filter((action) => action !== '')
}

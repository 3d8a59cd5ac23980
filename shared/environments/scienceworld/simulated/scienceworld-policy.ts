import { choose } from '../../../core/random/shuffled.ts'
import type { Policy } from '../../simulated/policy.ts'

const known = 'You are in a small world of rooms with tools, substances, plants and animals'

const thoughts = [
  'I should see more of this place.',
  'The experiment needs something that I have not found yet.',
  'Let me try what can be done here.',
]

/**
 * Wanders through ScienceWorld: opens doors, goes through them, and handles objects of the newest room description.
 * It does no experiments. Skill only raises the share of possible actions, so its rewards are luck.
 */
export const scienceworldPolicy: Policy = {
  name: 'scienceworld',
  answer(messages, skill, random) {
    if (!messages[0]?.content.startsWith(known)) return null
    const shown = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    const room = shown.findLast((content) => content.includes('This room is called')) ?? ''
    const lost = 'look around'
    const possible = [...doors(room), ...handled(room), lost]
    const action = random() < skill ? choose(possible, random) : choose(slips, random)
    return `Thought: ${choose(thoughts, random)}\nAction: ${action ?? lost}`
  },
}

const slips = ['wait1', 'inventory', 'focus on the air', 'teleport to the moon', 'go to the attic']

function doors(room: string): string[] {
  const found = [...room.matchAll(/door to the ([a-z ]+) \(that is (open|closed)\)/g)]
  // Exits are few among many objects but lead to more, so they get a triple weight.
  return found.flatMap(([, name, state]) => {
    const action = state === 'open' ? `go to ${name}` : `open door to ${name}`
    return [action, action, action]
  })
}

function handled(room: string): string[] {
  const found = [...room.matchAll(/^\t(?:a|an) (?:substance called )?([a-z ]+?)(?:[,.(]|$)/gm)]
  const things = found.map(([, name = '']) => name.trim()).filter((name) => name !== '' && name !== 'air')
  return things.flatMap((thing) => [`pick up ${thing}`, `look at ${thing}`, `activate ${thing}`])
}

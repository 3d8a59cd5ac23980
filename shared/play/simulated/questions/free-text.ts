import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'

export interface Occasion {
  readonly goal: string
  readonly action: string
  readonly answer: string
  readonly isAgainst: boolean
}

type Sentence = (occasion: Occasion) => string

const checks: readonly Sentence[] = [
  ({ goal }) => `The environment confirms that it came to: ${goal}.`,
  () => 'The last answer refuses nothing.',
  ({ goal }) => `Everything that is needed to ${goal} was come by.`,
  () => 'No action was made twice without need.',
]

const sentences: Readonly<Record<string, readonly Sentence[]>> = {
  Expectation: [
    ({ action }) => `The environment should confirm "${action}" and show what has changed.`,
    ({ action, goal }) =>
      `After "${action}" the answer should show one thing more of what is needed to ${goal}.`,
    ({ action }) => `"${action}" should be possible, and nothing should be refused.`,
  ],
  Advice: [
    ({ answer }) =>
      `It came from acting on a guess; the answer was "${answer}". Check what is there and what is needed before acting.`,
    ({ answer }) =>
      `The answer "${answer}" tells what was missing. Work through what a step needs, in order, before taking it.`,
    () =>
      'What an action needs was not there yet. See to the preconditions first, and do not repeat what was refused.',
  ],
  Note: [
    ({ answer }) =>
      `When the environment answers "${answer}", do not repeat the action but see to what it needs first.`,
    () =>
      'Write actions exactly as the rules show them, and work through what the goal needs from the bottom up.',
    () => 'Before each action, make sure that what it needs is there, and keep count of what was used up.',
  ],
}

const support: readonly Sentence[] = [
  ({ action, goal }) => `"${action}" is a step that is needed to ${goal}, and the environment took it.`,
  ({ action, answer }) =>
    `The environment answered "${answer}" to "${action}", which brings the task further.`,
  ({ goal }) => `The agent works through what it takes to ${goal} in a sensible order.`,
]

const opposition: readonly Sentence[] = [
  ({ action, goal }) => `"${action}" is not what is needed most to ${goal}, and steps are running out.`,
  ({ answer }) => `The answer "${answer}" shows no sign that the goal is near.`,
  ({ action }) => `Nothing shows that "${action}" helped; other actions come first.`,
]

export function writeText(label: string, occasion: Occasion, random: Random): string {
  if (label === 'Checks') {
    const list = checks
      .slice(0, 2 + Math.floor(random() * 3))
      .map((check, at) => `${at + 1}. ${check(occasion)}`)
    return `Checks:\n${list.join('\n')}`
  }
  const opinions = occasion.isAgainst ? opposition : support
  const own = label === 'Opinion' ? opinions : (sentences[label] ?? sentences.Advice ?? [])
  return `${label}: ${choose(own, random)?.(occasion) ?? ''}`
}

import { type Formula, formulaText } from '../../planning/formula.ts'
import { countPlaceholders, say } from '../language.ts'

/**
 * AgentBoard's text of a fact or an action, by the name of the predicate or operator, with the objects in their
 * order. One table serves all its domains, so a name that two of them share has one form. For `holding` in barman, it
 * names the hand in the container's position, and `used` reads like an action. The trailing spaces are AgentBoard's
 * too.
 * @see Ma et al. 2024, AgentBoard, its PDDL environment; LearnAct's is the same
 */
const phrases: Readonly<Record<string, string>> = {
  on: '{0} is on {1}.',
  clear: 'The {0} is clear.',
  'arm-empty': 'Your arm is empty.',
  holding: 'You are holding {0}. ',
  'on-table': '{0} is on the table.',
  putdown: 'Putdown {0}.',
  stack: 'Stack {0} on {1}.',
  pickup: 'Pickup {0}.',
  unstack: 'Unstack {0} from {1}.',
  isopen: '{0} is open.',
  closed: '{0} is closed.',
  have: 'You have {0}.',
  in: '{0} is in {1}.',
  loose: 'The nut {0} on the hub {1} is loose.',
  tight: 'The nut {0} on the hub {1} is tight.',
  unlocked: '{0} is unlocked.',
  'on-ground': 'Hub {0} is on the ground.',
  'not-on-ground': 'Hub {0} is not on the ground.',
  inflated: 'Wheel {0} is inflated.',
  'not-inflated': 'Wheel {0} is not inflated.',
  fastened: 'Hub {0} is fastened.',
  unfastened: 'Hub {0} is unfastened.',
  intact: 'Wheel {0} is intact.',
  open: 'Open {0}.',
  close: 'Close {0}.',
  fetch: 'Fetch {0} from {1}.',
  'put-away': 'Put-away {0} in {1}.',
  loosen: 'Loosen the nut {0} on the hub {1}.',
  tighten: 'Tighten the nut {0} on the hub {1}.',
  'jack-up': 'jack-up the hub {0}.',
  'jack-down': 'Jack-down the hub {0}.',
  undo: 'Undo the fastening of the nut {0} on the hub {1}.',
  'do-up': 'Do-up the nut {0} on the hub {1}.',
  'remove-wheel': 'Remove-wheel {0} from the hub {1}.',
  'put-on-wheel': 'put-on-wheel {0} on the hub {1}.',
  inflate: 'Inflate the wheel {0}.',
  ball: '{0} is a ball. ',
  gripper: '{0} is a gripper. ',
  'at-robby': 'Robby is at {0}. ',
  at: '{0} is at {1}. ',
  free: '{0} is free. ',
  carry: '{0} is carrying {1}. ',
  move: 'Move from {0} to {1}. ',
  pick: 'Pick up {0} at {1} with arm {2}. ',
  ontable: '{0} is on the table. ',
  empty: '{0} is empty. ',
  contains: '{0} contains {1}. ',
  clean: '{0} is clean. ',
  used: 'Pour {0} from a shot glass to a used shaker {1}',
  dispenses: '{0} dispenses {1}. ',
  'shaker-empty-level': '{0} is at empty level {1}. ',
  'shaker-level': '{0} is at level {1}. ',
  next: 'level {0} is next to level {1}. ',
  unshaked: '{0} is unshaked. ',
  shaked: '{0} is shaked. ',
  'cocktail-part1': '{0} part1 ingredient is {1}. ',
  'cocktail-part2': '{0} part2 ingredient is {1}. ',
  grasp: '{0} grasp {1}. ',
  leave: '{0} leave {1}. ',
  'fill-shot': 'fill-shot glass {0} with {1} with {2} and {3} holding {4}. ',
  'refill-shot': 'refill-shot {0} with {1} with {2} and {3} holding {4}. ',
  'empty-shot': 'use hand {0} to empty-shot glass {1} with beverage {2}. ',
  'clean-shot': 'clean-shot glass {0} with {1} with hand {2} holding shot glass and {3}. ',
  'pour-shot-to-clean-shaker':
    'pour-shot-to-clean-shaker from a shot glass {0} with {1} to a clean shaker {2} with hand {3} from level {4} to level {5}',
  'pour-shot-to-used-shaker':
    'pour-shot-to-used-shaker from a shot glass {0} with {1} to a used shaker {2} with hand {3} from level {4} to level {5}',
  'empty-shaker': 'use hand {0} to empty-shaker {1} with ingredient {2} from level {3} to level {4}.',
  'clean-shaker': 'use hand {0} and hand {1} to clean-shaker {2}',
  shake:
    'shake a cocktail {0} with ingredient {1} and ingredient {2} in a shaker {3} with hand {4} and hand {5}',
  'pour-shaker-to-shot':
    'pour-shaker-to-shot to a shot glass {0} the ingredient {1} with hand {2} from shaker {3} from level {4} to level {5}',
}

/**
 * A fact or an action in AgentBoard's wording. If the table lacks it, or has it for fewer objects, the text is the
 * name with its objects, as in `room rooma` and `drop ball1 rooma left`.
 */
export function agentboardPhrase(name: string, objects: readonly string[]): string {
  const phrase = Object.hasOwn(phrases, name) ? (phrases[name] as string) : null
  return phrase === null || countPlaceholders(phrase) > objects.length
    ? [name, ...objects].join(' ')
    : say(phrase, objects)
}

export function agentboardSentence(name: string, objects: readonly string[]): string {
  const text = agentboardPhrase(name, objects)
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

export function agentboardGoal(goal: Formula): string {
  return `The goal is to satisfy the following conditions: ${conditions(goal).sort().join(', ')}`
}

function conditions(goal: Formula): string[] {
  if (goal.kind === 'and') return goal.parts.flatMap(conditions)
  if (goal.kind !== 'literal') return [formulaText(goal)]
  return [`${goal.negated ? 'not: ' : ''}${agentboardPhrase(goal.predicate, goal.terms)}`]
}

export interface DomainWords {
  readonly mark: RegExp
  readonly facts: readonly (readonly [form: string, fact: string])[]
  readonly actions: readonly (readonly [plain: string, agentboard: string])[]
  readonly kinds: readonly (readonly [kind: string, form: RegExp])[]
  readonly whole: RegExp
}

export function domainWordsOf(text: string): DomainWords | null {
  return domains.find(({ mark }) => mark.test(text)) ?? null
}

const gripper: DomainWords = {
  mark: /\brobby is at \S/i,
  facts: [
    ['{0} is a ball.', '{0} is a ball'],
    ['{0} is a gripper.', '{0} is a gripper'],
    ['room {0}', '{0} is a room'],
    ['robby is at {0}.', 'the robot is at {0}'],
    ['{0} is carrying {1}.', 'gripper {1} holds {0}'],
    ['{0} is free.', 'gripper {0} is free'],
    ['{0} is at {1}.', '{0} is at {1}'],
  ],
  kinds: [
    ['ball', /^(\S+) is a ball$/],
    ['gripper', /^(\S+) is a gripper$/],
    ['room', /^(\S+) is a room$/],
  ],
  whole: /./,
  actions: [
    ['move from {0} to {1}', 'Move from {0} to {1}'],
    ['pick up {0} at {1} with {2}', 'Pick up {0} at {1} with arm {2}'],
    ['drop {0} at {1} from {2}', 'drop {0} {1} {2}'],
  ],
}

const blockworld: DomainWords = {
  mark: /\b(?:your arm is empty|the \S+ is clear)\./i,
  facts: [
    ['your arm is empty.', 'the arm is empty'],
    ['you are holding {0}.', 'the arm holds {0}'],
    ['{0} is on the table.', '{0} is on the table'],
    ['the {0} is clear.', '{0} is clear'],
    ['{0} is on {1}.', '{0} is on {1}'],
  ],
  kinds: [['block', /^(\S+) is on (?:the table|\S+)$/]],
  whole: /./,
  actions: [
    ['pick up {0}', 'Pickup {0}'],
    ['put down {0}', 'Putdown {0}'],
    ['stack {0} on {1}', 'Stack {0} on {1}'],
    ['unstack {0} from {1}', 'Unstack {0} from {1}'],
  ],
}

const tyreworld: DomainWords = {
  mark: /\bhub \S+ is (?:not )?(?:on the ground|fastened|unfastened)\./i,
  facts: [
    ['the nut {0} on the hub {1} is loose.', '{0} is loose on {1}'],
    ['the nut {0} on the hub {1} is tight.', '{0} is tight on {1}'],
    ['hub {0} is on the ground.', '{0} is on the ground'],
    ['hub {0} is not on the ground.', '{0} is jacked up'],
    ['hub {0} is fastened.', '{0} is fastened'],
    ['hub {0} is unfastened.', '{0} is unfastened'],
    ['wheel {0} is inflated.', '{0} is inflated'],
    ['wheel {0} is not inflated.', '{0} is not inflated'],
    ['wheel {0} is intact.', '{0} is intact'],
    ['{0} is open.', '{0} is open'],
    ['{0} is closed.', '{0} is closed'],
    ['{0} is unlocked.', '{0} is unlocked'],
    ['{0} is free.', '{0} has no wheel'],
    ['you have {0}.', 'the robot has {0}'],
    ['{0} is in {1}.', '{0} is in {1}'],
    ['{0} is on {1}.', 'wheel {0} is on {1}'],
  ],
  kinds: [
    ['hub', /^(\S+) is (?:un)?fastened$/],
    ['nut', /^(\S+) is (?:tight|loose) on \S+$/],
    ['wheel', /^(\S+) is intact$/],
  ],
  whole: /\bis (?:unlocked|intact)\./i,
  actions: [
    ['open {0}', 'Open {0}'],
    ['close {0}', 'Close {0}'],
    ['fetch {0} from {1}', 'Fetch {0} from {1}'],
    ['put {0} away in {1}', 'Put-away {0} in {1}'],
    ['loosen {0} on {1}', 'Loosen the nut {0} on the hub {1}'],
    ['tighten {0} on {1}', 'Tighten the nut {0} on the hub {1}'],
    ['jack up {0}', 'jack-up the hub {0}'],
    ['jack down {0}', 'Jack-down the hub {0}'],
    ['undo {0} on {1}', 'Undo the fastening of the nut {0} on the hub {1}'],
    ['do up {0} on {1}', 'Do-up the nut {0} on the hub {1}'],
    ['remove {0} from {1}', 'Remove-wheel {0} from the hub {1}'],
    ['put {0} on {1}', 'put-on-wheel {0} on the hub {1}'],
    ['inflate {0}', 'Inflate the wheel {0}'],
  ],
}

const barman: DomainWords = {
  mark: /\b(?:dispenser\S* dispenses|handempty|part1 ingredient is)\b/i,
  facts: [
    ['pour {0} from a shot glass to a used shaker {1}', '{0} was used for {1}'],
    ['handempty {0}', 'hand {0} is empty'],
    ['you are holding {0}.', 'hand {0} holds something'],
    ['{0} part1 ingredient is {1}.', 'the first part of {0} is {1}'],
    ['{0} part2 ingredient is {1}.', 'the second part of {0} is {1}'],
    ['level {0} is next to level {1}.', 'level {0} comes before level {1}'],
    ['{0} is at empty level {1}.', '{0} is at level {1} when empty'],
    ['{0} is at level {1}.', '{0} is filled to level {1}'],
    ['{0} is on the table.', '{0} is on the table'],
    ['{0} is unshaked.', '{0} is not shaken'],
    ['{0} is shaked.', '{0} is shaken'],
    ['{0} is empty.', '{0} is empty'],
    ['{0} is clean.', '{0} is clean'],
    ['{0} contains {1}.', '{0} contains {1}'],
    ['{0} dispenses {1}.', '{0} dispenses {1}'],
  ],
  kinds: [
    ['shaker', /^(\S+) is at level \S+ when empty$/],
    ['dispenser', /^(\S+) dispenses \S+$/],
    ['ingredient', /^\S+ dispenses (\S+)$/],
    ['cocktail', /^the first part of (\S+) is \S+$/],
  ],
  whole: /\bdispenses\b/i,
  actions: [
    ['grasp {1} with {0}', '{0} grasp {1}'],
    ['put down {1} with {0}', '{0} leave {1}'],
    [
      'fill {0} with {1} from {4} using {2} and {3}',
      'fill-shot glass {0} with {1} with {2} and {3} holding {4}',
    ],
    [
      'refill {0} with {1} from {4} using {2} and {3}',
      'refill-shot {0} with {1} with {2} and {3} holding {4}',
    ],
    ['empty {2} out of {1} with {0}', 'use hand {0} to empty-shot glass {1} with beverage {2}'],
    [
      'clean {0} of {1} using {2} and {3}',
      'clean-shot glass {0} with {1} with hand {2} holding shot glass and {3}',
    ],
    [
      'pour {1} from {0} into clean {2} with {3} from level {4} to {5}',
      'pour-shot-to-clean-shaker from a shot glass {0} with {1} to a clean shaker {2} with hand {3} from level {4} to level {5}',
    ],
    [
      'pour {1} from {0} into used {2} with {3} from level {4} to {5}',
      'pour-shot-to-used-shaker from a shot glass {0} with {1} to a used shaker {2} with hand {3} from level {4} to level {5}',
    ],
    [
      'empty {2} out of {1} with {0} from level {3} to {4}',
      'use hand {0} to empty-shaker {1} with ingredient {2} from level {3} to level {4}',
    ],
    ['clean {2} using {0} and {1}', 'use hand {0} and hand {1} to clean-shaker {2}'],
    [
      'shake {0} of {1} and {2} in {3} using {4} and {5}',
      'shake a cocktail {0} with ingredient {1} and ingredient {2} in a shaker {3} with hand {4} and hand {5}',
    ],
    [
      'pour {0} from {3} into {1} with {2} from level {4} to {5}',
      'pour-shaker-to-shot to a shot glass {0} the ingredient {1} with hand {2} from shaker {3} from level {4} to level {5}',
    ],
  ],
}

const domains = [gripper, tyreworld, barman, blockworld]

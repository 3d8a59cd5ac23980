const effects: Readonly<Record<string, { add: readonly string[]; remove: readonly string[] }>> = {
  // gripper
  'move from {0} to {1}': { add: ['the robot is at {1}'], remove: ['the robot is at {0}'] },
  'pick up {0} at {1} with {2}': {
    add: ['gripper {2} holds {0}'],
    remove: ['{0} is at {1}', 'gripper {2} is free'],
  },
  'drop {0} at {1} from {2}': {
    add: ['{0} is at {1}', 'gripper {2} is free'],
    remove: ['gripper {2} holds {0}'],
  },
  // blocks world
  'pick up {0}': {
    add: ['the arm holds {0}'],
    remove: ['{0} is on the table', '{0} is clear', 'the arm is empty'],
  },
  'put down {0}': {
    add: ['{0} is on the table', '{0} is clear', 'the arm is empty'],
    remove: ['the arm holds {0}'],
  },
  'stack {0} on {1}': {
    add: ['{0} is on {1}', '{0} is clear', 'the arm is empty'],
    remove: ['the arm holds {0}', '{1} is clear'],
  },
  'unstack {0} from {1}': {
    add: ['the arm holds {0}', '{1} is clear'],
    remove: ['{0} is on {1}', '{0} is clear', 'the arm is empty'],
  },
  // tyre world
  'open {0}': { add: ['{0} is open'], remove: ['{0} is closed'] },
  'close {0}': { add: ['{0} is closed'], remove: ['{0} is open'] },
  'fetch {0} from {1}': { add: ['the robot has {0}'], remove: ['{0} is in {1}'] },
  'put {0} away in {1}': { add: ['{0} is in {1}'], remove: ['the robot has {0}'] },
  'loosen {0} on {1}': { add: ['{0} is loose on {1}'], remove: ['{0} is tight on {1}'] },
  'tighten {0} on {1}': { add: ['{0} is tight on {1}'], remove: ['{0} is loose on {1}'] },
  'jack up {0}': { add: ['{0} is jacked up'], remove: ['{0} is on the ground', 'the robot has jack'] },
  'jack down {0}': { add: ['{0} is on the ground', 'the robot has jack'], remove: ['{0} is jacked up'] },
  'undo {0} on {1}': {
    add: ['the robot has {0}', '{1} is unfastened'],
    remove: ['{1} is fastened', '{0} is loose on {1}'],
  },
  'do up {0} on {1}': {
    add: ['{0} is loose on {1}', '{1} is fastened'],
    remove: ['{1} is unfastened', 'the robot has {0}'],
  },
  'remove {0} from {1}': {
    add: ['the robot has {0}', '{1} has no wheel'],
    remove: ['wheel {0} is on {1}'],
  },
  'put {0} on {1}': {
    add: ['wheel {0} is on {1}'],
    remove: ['the robot has {0}', '{1} has no wheel'],
  },
  'inflate {0}': { add: ['{0} is inflated'], remove: ['{0} is not inflated'] },
  // barman
  'grasp {0} with {1}': {
    add: ['hand {1} holds {0}'],
    remove: ['{0} is on the table', 'hand {1} is empty'],
  },
  'put down {0} with {1}': {
    add: ['{0} is on the table', 'hand {1} is empty'],
    remove: ['hand {1} holds {0}'],
  },
  'fill {0} with {1} from {2} using {3} and {4}': {
    add: ['{0} contains {1}', '{0} was used for {1}'],
    remove: ['{0} is empty', '{0} is clean'],
  },
  'refill {0} with {1} from {2} using {3} and {4}': { add: ['{0} contains {1}'], remove: ['{0} is empty'] },
  'empty {0} out of {1} with {2}': { add: ['{1} is empty'], remove: ['{1} contains {0}'] },
  'clean {0} of {1} using {2} and {3}': { add: ['{0} is clean'], remove: ['{0} was used for {1}'] },
  'pour {0} from {1} into clean {2} with {3} from level {4} to {5}': {
    add: ['{1} is empty', '{2} contains {0}', '{2} is not shaken', '{2} is filled to level {5}'],
    remove: ['{1} contains {0}', '{2} is empty', '{2} is clean', '{2} is filled to level {4}'],
  },
  'pour {0} from {1} into used {2} with {3} from level {4} to {5}': {
    add: ['{1} is empty', '{2} contains {0}', '{2} is filled to level {5}'],
    remove: ['{1} contains {0}', '{2} is filled to level {4}'],
  },
  'shake {0} of {1} and {2} in {3} using {4} and {5}': {
    add: ['{3} is shaken', '{3} contains {0}'],
    remove: ['{3} is not shaken', '{3} contains {1}', '{3} contains {2}'],
  },
  'pour {0} from {1} into {2} with {3} from level {4} to {5}': {
    add: ['{2} contains {0}', '{1} is filled to level {5}'],
    remove: ['{2} is empty', '{2} is clean', '{1} is filled to level {4}'],
  },
  'empty {0} out of {1} with {2} from level {3} to {4}': {
    add: ['{1} is empty', '{1} is filled to level {4}'],
    remove: ['{1} contains {0}', '{1} is shaken', '{1} is filled to level {3}'],
  },
  'clean {0} using {1} and {2}': { add: ['{0} is clean'], remove: [] },
}

const patterns = Object.entries(effects).map(([phrase, effect]) => ({ words: phrase.split(' '), effect }))

export function applyAction(facts: ReadonlySet<string>, action: string): Set<string> | null {
  const words = action.split(' ')
  const found = patterns.find(
    (pattern) =>
      pattern.words.length === words.length &&
      pattern.words.every((word, at) => word.startsWith('{') || word === words[at]),
  )
  if (found === undefined) return null
  const objects = new Map(found.words.map((word, at) => [word, words[at] ?? '']))
  const fill = (sentence: string) => sentence.replace(/\{\d\}/g, (slot) => objects.get(slot) ?? '')
  const after = new Set(facts)
  for (const sentence of found.effect.remove) after.delete(fill(sentence))
  for (const sentence of found.effect.add) after.add(fill(sentence))
  return after
}

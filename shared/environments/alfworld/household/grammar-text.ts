import type { PlacingVerb } from './domain-text.ts'

type Alternative = readonly [condition: string, text: string]

type Rule = string | readonly Alternative[]

/**
 * The texts of a household in the notation of TextWorld's PDDL games, with ALFWorld's wording, so that agents trained
 * on one play the other.
 * @param task The sentence after "Your task is to:".
 */
export function grammarText(task: string, verb: PlacingVerb): string {
  const rules: Readonly<Record<string, Rule>> = {
    intro: '-= Welcome to TextWorld, ALFRED! =-\n\n#look.feedback#\n\n#task#',
    task: `Your task is to: ${task}`,
    ...answers,
    'GotoLocation.feedback': `You arrive at {${verb === 'move' ? 'r' : 'lend'}.name}. #examineReceptacle.feedback#`,
    'PutObject.feedback':
      verb === 'move' ? 'You move the {o.name} to the {r.name}.' : 'You put the {o.name} in/on the {r.name}.',
    ...lists,
  }
  const blocks = Object.entries(rules).map(
    ([name, rule]) => `"${name}": ${JSON.stringify(alternatives(rule))}`,
  )
  const templates = { ...commands, PutObject: verb === 'move' ? 'move {o} to {r}' : 'put {o} in/on {r}' }
  const actions = Object.entries(templates).map(([name, template]) =>
    actionBlock(name, template, `#${name}.feedback#`),
  )
  if (verb === 'move') actions.push(actionBlock('help', 'help', helpText(Object.values(templates))))
  return `grammar :: """\n{\n${blocks.join(',\n')}\n}\n""";\n\n${actions.join('\n')}`
}

const carried = 'holds(a:agent, o:object)'
const inside = 'inreceptacle(o:object, r:receptacle)'
const facing = 'atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)'
const onFloor = `atlocation(a:agent, l:location) & objectatlocation(o:object, l:location) & receptacleatlocation(r:receptacle, l:location) & not_${inside}`
const listOf = (entity: string, condition: string) =>
  `[{${entity}.indefinite + ' ' + ${entity}.name | ${condition}}]`
const all = (...states: readonly string[]) => states.map((state) => `is${state}(o:object)`).join(' & ')

const answers: Readonly<Record<string, Rule>> = {
  'look.feedback': [
    [facing, `You are facing the [{r.name | ${facing}}]. Next to it, you see #floor#.`],
    ['', 'You are in the middle of a room. Looking quickly around you, you see #room#.'],
  ],
  room: listOf('r', 'receptacleatlocation(r:receptacle, l:location)'),
  floor: listOf('o', onFloor),
  'inventory.feedback': [
    [carried, `You are carrying: ${listOf('o', carried)}.`],
    ['', 'You are not carrying anything.'],
  ],
  'examineReceptacle.feedback': [
    [
      'openable(r:receptacle) & opened(r:receptacle)',
      `The {r.name} is open. In it, you see ${listOf('o', inside)}.`,
    ],
    ['openable(r:receptacle)', 'The {r.name} is closed.'],
    ['', `On the {r.name}, you see ${listOf('o', inside)}.`],
  ],
  'examineObject.feedback': [
    [all('clean', 'hot', 'sliced'), 'This is a hot and clean sliced {o.name}.'],
    [all('clean', 'cool', 'sliced'), 'This is a cool and clean sliced {o.name}.'],
    [all('clean', 'sliced'), 'This is a clean sliced {o.name}.'],
    [all('hot', 'sliced'), 'This is a hot sliced {o.name}.'],
    [all('cool', 'sliced'), 'This is a cool sliced {o.name}.'],
    [all('clean', 'hot'), 'This is a hot and clean {o.name}.'],
    [all('clean', 'cool'), 'This is a cool and clean {o.name}.'],
    [all('hot'), 'This is a hot {o.name}.'],
    [all('clean'), 'This is a clean {o.name}.'],
    [all('cool'), 'This is a cold {o.name}.'],
    [all('sliced'), 'This is a sliced {o.name}.'],
    ['', "There's nothing special about {o.name}."],
  ],
  'OpenObject.feedback': 'You open the {r.name}. #examineReceptacle.feedback#',
  'CloseObject.feedback': 'You close the {r.name}.',
  'PickupObject.feedback': 'You pick up the {o.name} from the {r.name}.',
  'CleanObject.feedback': 'You clean the {o.name} using the {r.name}.',
  'HeatObject.feedback': 'You heat the {o.name} using the {r.name}.',
  'CoolObject.feedback': 'You cool the {o.name} using the {r.name}.',
  'ToggleObject.feedback': 'You turn on the {o.name}.',
  'SliceObject.feedback': 'You sliced the {co.name} with the {ko.name}.',
}

const lists: Readonly<Record<string, Rule>> = {
  list_empty: 'nothing',
  list_separator: ', ',
  list_last_separator: ', and ',
}

const commands: Readonly<Record<string, string>> = {
  look: 'look',
  inventory: 'inventory',
  examineReceptacle: 'examine {r}',
  examineObject: 'examine {o}',
  GotoLocation: 'go to {r}',
  OpenObject: 'open {r}',
  CloseObject: 'close {r}',
  PickupObject: 'take {o} from {r}',
  CleanObject: 'clean {o} with {r}',
  HeatObject: 'heat {o} with {r}',
  CoolObject: 'cool {o} with {r}',
  ToggleObject: 'use {o}',
  SliceObject: 'slice {co} with {ko}',
}

function alternatives(rule: Rule): { condition?: string; rhs: string }[] {
  if (typeof rule === 'string') return [{ rhs: rule }]
  return rule.map(([condition, rhs]) => (condition === '' ? { rhs } : { condition, rhs }))
}

function actionBlock(name: string, template: string, feedback: string): string {
  return `action ${name} {\n  template :: "${template}";\n  feedback :: "${feedback}";\n}\n`
}

function helpText(templates: readonly string[]): string {
  const lines = templates.map((template) =>
    template.replace(/\{(\w+)\}/g, (_place, name: string) => (name === 'r' ? '(receptacle)' : '(object)')),
  )
  return `Available commands:\n${[...new Set(lines)].map((line) => `  ${line}`).join('\n')}\n`
}

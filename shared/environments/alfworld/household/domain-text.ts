/**
 * The wording of putting an object down: `move mug 1 to desk 1` in games since ALFWorld 0.4, `put mug 1 in/on desk 1`
 * before.
 */
export type PlacingVerb = 'move' | 'put'

/**
 * The rules of a household in PDDL, equal to ALFWorld's. An object must be held to be cleaned, heated, cooled or
 * examined. Only one object is held at a time, and a used lamp stays on. `checked` is there because the planner
 * behind ALFWorld drops actions without effect.
 */
export function domainText(verb: PlacingVerb): string {
  const actions = [...Object.entries(rules), ...(verb === 'move' ? [['help', ask] as const] : [])]
  return `(define (domain household)
  (:requirements :adl :typing)
  (:types agent location receptacle object rtype otype)
  (:predicates
${predicates.map((predicate) => `    (${predicate})`).join('\n')})
${actions.map(([name, rule]) => actionText(name, rule)).join('\n')}
)
`
}

interface Rule {
  readonly parameters: string
  readonly precondition: readonly string[]
  readonly effect: readonly string[]
}

const predicates = [
  'atLocation ?a - agent ?l - location',
  'receptacleAtLocation ?r - receptacle ?l - location',
  'objectAtLocation ?o - object ?l - location',
  'receptacleType ?r - receptacle ?t - rtype',
  'objectType ?o - object ?t - otype',
  'canContain ?rt - rtype ?ot - otype',
  'inReceptacle ?o - object ?r - receptacle',
  'openable ?r - receptacle',
  'opened ?r - receptacle',
  'holds ?a - agent ?o - object',
  'holdsAny ?a - agent',
  'pickupable ?o - object',
  'cleanable ?o - object',
  'heatable ?o - object',
  'coolable ?o - object',
  'sliceable ?o - object',
  'toggleable ?o - object',
  'isClean ?o - object',
  'isHot ?o - object',
  'isCool ?o - object',
  'isSliced ?o - object',
  'isToggled ?o - object',
  'checked ?x - object',
]

const here = ['(atLocation ?a ?l)', '(receptacleAtLocation ?r ?l)']
const reachable = '(or (not (openable ?r)) (opened ?r))'
const ask: Rule = { parameters: '?a - agent', precondition: [], effect: ['(checked ?a)'] }

const treat = (trait: string, receptacles: readonly string[], effect: readonly string[]): Rule => ({
  parameters: '?a - agent ?l - location ?r - receptacle ?o - object',
  precondition: [
    `(${trait} ?o)`,
    `(or ${receptacles.map((kind) => `(receptacleType ?r ${kind}Type)`).join(' ')})`,
    ...here,
    '(holds ?a ?o)',
  ],
  effect,
})

const rules: Readonly<Record<string, Rule>> = {
  look: {
    parameters: '?a - agent ?l - location',
    precondition: ['(atLocation ?a ?l)'],
    effect: ['(checked ?l)'],
  },
  inventory: ask,
  examineReceptacle: {
    parameters: '?a - agent ?r - receptacle',
    precondition: [`(exists (?l - location) (and ${here.join(' ')}))`],
    effect: ['(checked ?r)'],
  },
  examineObject: {
    parameters: '?a - agent ?o - object',
    precondition: ['(holds ?a ?o)'],
    effect: ['(checked ?o)'],
  },
  GotoLocation: {
    parameters: '?a - agent ?lStart - location ?lEnd - location ?r - receptacle',
    precondition: ['(atLocation ?a ?lStart)', '(receptacleAtLocation ?r ?lEnd)'],
    effect: ['(not (atLocation ?a ?lStart))', '(atLocation ?a ?lEnd)'],
  },
  OpenObject: {
    parameters: '?a - agent ?l - location ?r - receptacle',
    precondition: ['(openable ?r)', ...here, '(not (opened ?r))'],
    effect: ['(opened ?r)', '(checked ?r)'],
  },
  CloseObject: {
    parameters: '?a - agent ?l - location ?r - receptacle',
    precondition: ['(openable ?r)', ...here, '(opened ?r)'],
    effect: ['(not (opened ?r))'],
  },
  PickupObject: {
    parameters: '?a - agent ?l - location ?o - object ?r - receptacle',
    precondition: ['(pickupable ?o)', ...here, '(inReceptacle ?o ?r)', '(not (holdsAny ?a))', reachable],
    effect: [
      '(not (inReceptacle ?o ?r))',
      '(not (objectAtLocation ?o ?l))',
      '(holds ?a ?o)',
      '(holdsAny ?a)',
    ],
  },
  PutObject: {
    parameters: '?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype',
    precondition: [
      '(holds ?a ?o)',
      ...here,
      reachable,
      '(objectType ?o ?ot)',
      '(receptacleType ?r ?rt)',
      '(canContain ?rt ?ot)',
    ],
    effect: [
      '(inReceptacle ?o ?r)',
      '(objectAtLocation ?o ?l)',
      '(not (holds ?a ?o))',
      '(not (holdsAny ?a))',
    ],
  },
  CleanObject: treat('cleanable', ['SinkBasin'], ['(isClean ?o)']),
  HeatObject: treat('heatable', ['Microwave'], ['(isHot ?o)', '(not (isCool ?o))']),
  CoolObject: treat('coolable', ['Fridge'], ['(isCool ?o)', '(not (isHot ?o))']),
  ToggleObject: {
    parameters: '?a - agent ?l - location ?o - object ?r - receptacle',
    precondition: ['(toggleable ?o)', ...here, '(inReceptacle ?o ?r)'],
    effect: ['(isToggled ?o)'],
  },
  SliceObject: {
    parameters: '?a - agent ?l - location ?co - object ?ko - object',
    precondition: [
      '(sliceable ?co)',
      '(or (objectType ?ko KnifeType) (objectType ?ko ButterKnifeType))',
      '(atLocation ?a ?l)',
      '(objectAtLocation ?co ?l)',
      '(holds ?a ?ko)',
    ],
    effect: ['(isSliced ?co)'],
  },
}

function actionText(name: string, { parameters, precondition, effect }: Rule): string {
  return `  (:action ${name}
    :parameters (${parameters})
    :precondition (and ${precondition.join(' ')})
    :effect (and ${effect.join(' ')}))`
}

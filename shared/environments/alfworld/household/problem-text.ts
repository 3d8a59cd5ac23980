import type { Household } from './make-game.ts'
import { furniture, lamps, traits } from './room-contents.ts'
import type { HouseholdGoal } from './tasks.ts'

export function problemText({ receptacles, things, start }: Household, goal: HouseholdGoal): string {
  const receptacleKinds = [...new Set(receptacles.map(({ kind }) => kind))]
  const thingKinds = [...new Set(things.map(({ kind }) => kind))]
  const rtypes = new Set([...receptacleKinds, 'SinkBasin', 'Microwave', 'Fridge'])
  const otypes = new Set([...thingKinds, 'Knife', 'ButterKnife'])
  const objects = [
    'agent1 - agent',
    ...[...new Set([start, ...receptacles.map(({ location }) => location)])].map(
      (name) => `${name} - location`,
    ),
    ...receptacles.map(({ id }) => `${id} - receptacle`),
    ...things.map(({ id }) => `${id} - object`),
    ...[...rtypes].map((kind) => `${kind}Type - rtype`),
    ...[...otypes].map((kind) => `${kind}Type - otype`),
  ]
  const init = [
    `atLocation agent1 ${start}`,
    ...receptacles.flatMap(({ id, kind, location }) => [
      `receptacleType ${id} ${kind}Type`,
      `receptacleAtLocation ${id} ${location}`,
      ...(furniture[kind]?.opens ? [`openable ${id}`] : []),
    ]),
    ...things.flatMap(({ id, kind, receptacle }) => [
      `objectType ${id} ${kind}Type`,
      `inReceptacle ${id} ${receptacle.id}`,
      `objectAtLocation ${id} ${receptacle.location}`,
      kind in lamps ? `toggleable ${id}` : `pickupable ${id}`,
      ...Object.entries(traits).flatMap(([trait, kinds]) => (kinds.includes(kind) ? [`${trait} ${id}`] : [])),
    ]),
    ...receptacleKinds.flatMap((kind) =>
      thingKinds
        .filter((thing) => furniture[kind]?.holds.includes(thing))
        .map((thing) => `canContain ${kind}Type ${thing}Type`),
    ),
  ]
  return `(define (problem household)
  (:domain household)
  (:objects
    ${objects.join('\n    ')})
  (:init
    ${init.map((fact) => `(${fact})`).join('\n    ')})
  (:goal ${goalText(goal)}))
`
}

function goalText({ type, object, target }: HouseholdGoal): string {
  const inTarget = (variable: string, ...states: readonly string[]) =>
    [`(objectType ${variable} ${object}Type)`, ...states, `(inReceptacle ${variable} ?r)`].join(' ')
  switch (type) {
    case 'look_at_obj_in_light':
      return `(and
    (exists (?lamp - object ?r - receptacle ?a - agent ?l - location)
      (and (objectType ?lamp ${target}Type) (isToggled ?lamp) (inReceptacle ?lamp ?r)
        (receptacleAtLocation ?r ?l) (atLocation ?a ?l)))
    (exists (?o - object ?a - agent) (and (objectType ?o ${object}Type) (holds ?a ?o))))`
    case 'pick_two_obj_and_place':
      return `(exists (?r - receptacle ?o1 - object ?o2 - object)
    (and (receptacleType ?r ${target}Type) (not (= ?o1 ?o2)) ${inTarget('?o1')} ${inTarget('?o2')}))`
    default: {
      const state = { pick_clean: '(isClean ?o)', pick_heat_: '(isHot ?o)', pick_cool_: '(isCool ?o)' }
      const wanted = Object.entries(state).flatMap(([prefix, condition]) =>
        type.startsWith(prefix) ? [condition] : [],
      )
      return `(exists (?r - receptacle ?o - object)
    (and (receptacleType ?r ${target}Type) ${inTarget('?o', ...wanted)}))`
    }
  }
}

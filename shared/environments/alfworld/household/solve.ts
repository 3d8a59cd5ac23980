import { nameEntities } from '../entity-names.ts'
import type { PlacingVerb } from './domain-text.ts'
import type { Household, Receptacle } from './make-game.ts'
import type { HouseholdGoal } from './tasks.ts'
import { furniture } from './things.ts'

const treatments = [
  ['pick_clean', 'clean', 'SinkBasin'],
  ['pick_heat', 'heat', 'Microwave'],
  ['pick_cool', 'cool', 'Fridge'],
] as const

export function solveHousehold(household: Household, goal: HouseholdGoal, verb: PlacingVerb): string[] {
  const { receptacles, things, start } = household
  const names = nameEntities([...receptacles, ...things].map(({ id }) => id.toLowerCase()))
  const nameOf = ({ id }: { id: string }) => names.nameOf(id.toLowerCase())
  const commands: string[] = []
  const opened = new Set<string>()
  let at = start
  const goTo = (receptacle: Receptacle) => {
    if (receptacle.location === at) return
    commands.push(`go to ${nameOf(receptacle)}`)
    at = receptacle.location
  }
  const open = (receptacle: Receptacle) => {
    goTo(receptacle)
    if (!furniture[receptacle.kind]?.opens || opened.has(receptacle.id)) return
    opened.add(receptacle.id)
    commands.push(`open ${nameOf(receptacle)}`)
  }
  const firstOf = (wanted: string) => receptacles.find(({ kind }) => kind === wanted)

  const target = firstOf(goal.target)
  const wanted = things.filter(({ kind }) => kind === goal.object)
  const treatment = treatments.find(([prefix]) => goal.type.startsWith(prefix))
  for (const thing of wanted) {
    open(thing.receptacle)
    commands.push(`take ${nameOf(thing)} from ${nameOf(thing.receptacle)}`)
    const station = treatment && firstOf(treatment[2])
    if (treatment && station) {
      goTo(station)
      commands.push(`${treatment[1]} ${nameOf(thing)} with ${nameOf(station)}`)
    }
    if (target !== undefined) {
      open(target)
      const place = verb === 'move' ? 'to' : 'in/on'
      commands.push(`${verb} ${nameOf(thing)} ${place} ${nameOf(target)}`)
    }
  }
  const lamp = things.find(({ kind }) => kind === goal.target)
  if (lamp !== undefined) {
    goTo(lamp.receptacle)
    commands.push(`use ${nameOf(lamp)}`)
  }
  return commands
}

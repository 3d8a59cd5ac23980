import type { Random } from '../../../core/random/random.ts'
import { seededRandom } from '../../../core/random/seeded-random.ts'
import { choose, sampled } from '../../../core/random/shuffled.ts'
import { nameEntities } from '../entity-names.ts'
import type { GameFile } from '../game-file.ts'
import { domainText, type PlacingVerb } from './domain-text.ts'
import { grammarText } from './grammar-text.ts'
import { problemText } from './problem-text.ts'
import { contents, furniture, lamps, rooms } from './room-contents.ts'
import { goalSentence, type HouseholdGoal, type HouseholdTask, sourcesOf } from './tasks.ts'

export interface Placed {
  readonly kind: string
  /** As in the games: `Mug_bar__plus_01_dot_23_bar__plus_00_dot_90_bar__minus_02_dot_11`. */
  readonly id: string
}

export interface Receptacle extends Placed {
  readonly location: string
}

export interface HouseholdItem extends Placed {
  readonly receptacle: Receptacle
}

export interface Household {
  readonly receptacles: readonly Receptacle[]
  readonly things: readonly HouseholdItem[]
  readonly start: string
}

const start = 'loc_bar_0_bar_0_bar_0_bar_15'

const usualThings = 12

/**
 * Builds the game of a task: a complete `game.tw-pddl`, so that TextWorld plays it too. It depends on the task's id
 * only.
 * @param verb The wording of putting an object down; games of ALFWorld before 0.4 say `put … in/on …`.
 */
export function makeGame(task: HouseholdTask, verb: PlacingVerb = 'move'): GameFile {
  const household = makeHousehold(task)
  return {
    pddl_domain: domainText(verb),
    grammar: grammarText(goalSentence(task.goal, task.id), verb),
    pddl_problem: problemText(household, task.goal),
    solvable: true,
    walkthrough: solveHousehold(household, task.goal, verb),
  }
}

export function makeHousehold({ id, goal, things: otherThings = usualThings }: HouseholdTask): Household {
  const random = seededRandom(id, 'household')
  const { room, object, target, type } = goal
  const isLook = type === 'look_at_obj_in_light'
  const stands = isLook
    ? rooms[room].map(({ kind }) => kind).filter((kind) => lamps[target]?.includes(kind))
    : []
  const sources = sourcesOf(object, isLook ? '' : target, room)
  const source = choose(sources, random) ?? ''
  const stand = choose(stands, random)
  const needed = new Set([source, stand ?? target])
  const receptacles: Receptacle[] = []
  for (const { kind, count } of rooms[room]) {
    const [least, most] = count
    const many = Math.max(needed.has(kind) ? 1 : 0, least + Math.floor(random() * (most - least + 1)))
    for (let made = 0; made < many; made += 1) receptacles.push(placeReceptacle(kind, receptacles, random))
  }
  const things: HouseholdItem[] = []
  const put = (kind: string, receptacle: Receptacle | undefined) => {
    if (receptacle) things.push({ kind, id: objectId(kind, random), receptacle })
  }
  const ofKind = (kinds: readonly string[]) => receptacles.filter(({ kind }) => kinds.includes(kind))
  put(object, choose(ofKind([source]), random))
  if (type === 'pick_two_obj_and_place') put(object, choose(ofKind(sources), random))
  if (stand !== undefined) put(target, choose(ofKind([stand]), random))
  const others = contents[room].filter((kind) => kind !== object)
  for (const kind of [...sampled(others, otherThings, random), ...sampled(others, otherThings / 3, random)]) {
    put(
      kind,
      choose(
        receptacles.filter((each) => furniture[each.kind]?.holds.includes(kind)),
        random,
      ),
    )
  }
  return { receptacles, things, start }
}

/** Drawers, cabinets and stove burners may stand side by side. Going from one to the other is then no action. */
function placeReceptacle(kind: string, others: readonly Receptacle[], random: Random): Receptacle {
  const neighbour = others.at(-1)
  const isBeside = neighbour?.kind === kind && random() < 0.15
  const basin = /^(.+)Basin$/.exec(kind)
  const id = basin ? `${objectId(basin[1] ?? '', random)}_bar_${kind}` : objectId(kind, random)
  return { kind, id, location: isBeside ? neighbour.location : location(random) }
}

function location(random: Random): string {
  const coordinate = () => signed(Math.floor(random() * 25) - 12)
  const signed = (value: number) => (value < 0 ? `_minus_${-value}` : String(value))
  return `loc_bar_${coordinate()}_bar_${coordinate()}_bar_${Math.floor(random() * 4)}_bar_${choose([0, 30, 45, 60], random)}`
}

function objectId(kind: string, random: Random): string {
  const coordinate = (): string => {
    const hundredths = Math.floor(random() * 700) - 350
    const [whole, rest] = [Math.floor(Math.abs(hundredths) / 100), Math.abs(hundredths) % 100]
    return `_${hundredths < 0 ? 'minus' : 'plus'}_${padded(whole)}_dot_${padded(rest)}`
  }
  return `${kind}_bar_${coordinate()}_bar_${coordinate()}_bar_${coordinate()}`
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}

const treatments = [
  ['pick_clean', 'clean', 'SinkBasin'],
  ['pick_heat', 'heat', 'Microwave'],
  ['pick_cool', 'cool', 'Fridge'],
] as const

function solveHousehold(household: Household, goal: HouseholdGoal, verb: PlacingVerb): string[] {
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

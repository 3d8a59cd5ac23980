import { seededRandom } from '../../../core/random/seeded-random.ts'
import { choose, shuffled } from '../../../core/random/shuffled.ts'
import { householdTypes } from '../definition.ts'
import type { AlfworldTask } from '../tasks.ts'
import { contents, furniture, lamps, type RoomKind, rooms, traits } from './room-contents.ts'

export interface HouseholdGoal {
  readonly type: HouseholdType
  readonly room: RoomKind
  readonly object: string
  readonly target: string
}

export interface HouseholdTask extends AlfworldTask {
  readonly goal: HouseholdGoal
  /** The number of objects unrelated to the task. @default 12 */
  readonly things?: number
}

export type HouseholdType = (typeof householdTypes)[number]

const counts = { train: 40, test: 20 } as const

const testEvery = 3

/**
 * The bundled games. A third of the goals of each type is in `test` only, so that no sentence is in both splits. The
 * types take turns, so any prefix of the list is a fair mix.
 */
export function createHouseholdTasks(): HouseholdTask[] {
  const byType = householdTypes.map(householdGoals)
  return (['test', 'train'] as const).flatMap((split) =>
    Array.from({ length: counts[split] * householdTypes.length }, (_none, number) => {
      const goals = byType[number % householdTypes.length]?.[split] ?? []
      const goal = goals[Math.floor(number / householdTypes.length) % goals.length] as HouseholdGoal
      const folder = `${goal.type}-${goal.object}-None-${goal.target}-${number + 1}`
      const id = `${split}/${folder}/trial_1`
      const sentence = goalSentence(goal, id)
      return {
        id,
        split,
        type: goal.type,
        description: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`,
        placing: 'move',
        goal,
      }
    }),
  )
}

export function householdGoals(type: HouseholdType): { test: HouseholdGoal[]; train: HouseholdGoal[] } {
  const goals = shuffled(goalsOf(type), seededRandom('household goals', type))
  return {
    test: goals.filter((_goal, index) => index % testEvery === 0),
    train: goals.filter((_goal, index) => index % testEvery !== 0),
  }
}

export function goalSentence({ type, object, target }: HouseholdGoal, id: string): string {
  const [thing, place] = [object.toLowerCase(), target.toLowerCase()]
  const done = { clean: 'clean', heat: 'hot', cool: 'cool' }
  const state = /^pick_(clean|heat|cool)/.exec(type)?.[1] as keyof typeof done | undefined
  const forms =
    state !== undefined
      ? [`put a ${done[state]} ${thing} in ${place}.`, `${state} some ${thing} and put it in ${place}.`]
      : type === 'look_at_obj_in_light'
        ? [`look at ${thing} under the ${place}.`, `examine the ${thing} with the ${place}.`]
        : type === 'pick_two_obj_and_place'
          ? [`put two ${thing} in ${place}.`, `find two ${thing} and put them in ${place}.`]
          : [`put a ${thing} in ${place}.`, `put some ${thing} on ${place}.`]
  return choose(forms, seededRandom(id, 'sentence')) ?? ''
}

function goalsOf(type: HouseholdType): HouseholdGoal[] {
  const goals = (Object.keys(rooms) as RoomKind[]).flatMap((room) => {
    const kinds = rooms[room].map(({ kind }) => kind)
    const has = (kind: string) => kinds.includes(kind)
    const things = contents[room]
    const placed = (objects: readonly string[], except: string | null) =>
      objects.flatMap((object) =>
        kinds
          .filter((target) => target !== except && furniture[target]?.holds.includes(object))
          .filter((target) => sourcesOf(object, target, room).length > 0)
          .map((target) => ({ type, room, object, target })),
      )
    const able = (trait: keyof typeof traits) => things.filter((thing) => traits[trait].includes(thing))
    switch (type) {
      case 'look_at_obj_in_light':
        return room === 'bedroom' || room === 'living room'
          ? Object.entries(lamps)
              .filter(([_lamp, stands]) => stands.some(has))
              .flatMap(([target]) => things.map((object) => ({ type, room, object, target })))
          : []
      case 'pick_clean_then_place_in_recep':
        return has('SinkBasin') ? placed(able('cleanable'), 'SinkBasin') : []
      case 'pick_heat_then_place_in_recep':
        return has('Microwave') ? placed(able('heatable'), 'Microwave') : []
      case 'pick_cool_then_place_in_recep':
        return has('Fridge') ? placed(able('coolable'), 'Fridge') : []
      default:
        return placed(things, null)
    }
  })
  return [...new Map(goals.map((goal) => [`${goal.object} ${goal.target}`, goal])).values()]
}

export function sourcesOf(object: string, target: string, room: RoomKind): string[] {
  return rooms[room]
    .map(({ kind }) => kind)
    .filter((kind) => kind !== target && furniture[kind]?.holds.includes(object))
}

import { digestText } from '../../../core/random/random.ts'
import { generatedId, type TaskGenerator, type TaskShape } from '../../generate/task-generator.ts'
import { householdBounds, householdGenerator, householdTypes } from '../definition.ts'
import { nameEntities } from '../entity-names.ts'
import { makeHousehold } from './make-game.ts'
import { goalSentence, type HouseholdGoal, type HouseholdTask, householdGoals } from './tasks.ts'

const roomsOfGoal = 1_000_000_000n
const mostThings = 20

const devEvery = 8

const leastSteps = { look: 3, treat: 5, two: 8, place: 4 }

/**
 * Generates any number of households. A goal keeps the split that it has among the bundled games, so no sentence is
 * in two splits. Some goals of `train` are `dev` here. Rooms that look alike are one task.
 */
export function createHouseholdGenerator(): TaskGenerator<HouseholdTask> {
  const goals = householdTypes.flatMap((type) => {
    const { test, train } = householdGoals(type)
    return [
      ...test.map((goal) => ({ goal, split: 'test' as const })),
      ...train.map((goal) => ({
        goal,
        split: digestText(nameOf(goal)) % devEvery === 0 ? ('dev' as const) : ('train' as const),
      })),
    ]
  })
  const toShape = ({ goal, split }: (typeof goals)[number], things: number): TaskShape<HouseholdTask> => ({
    name: `${nameOf(goal)}-${things}`,
    size: roomsOfGoal,
    split,
    make(number) {
      const id = generatedId(householdGenerator, this, number)
      const { type } = goal
      const sentence = goalSentence(goal, id)
      const description = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
      const min_steps = leastStepsOf(goal)
      const task: HouseholdTask = { id, split, type, description, placing: 'move', goal, things, min_steps }
      return { content: task, type, description, min_steps, key: `${nameOf(goal)} ${appearance(task)}` }
    },
  })
  return {
    ...householdGenerator,
    shapes(bounds) {
      const { things, types } = householdBounds.parse(bounds)
      return goals.filter(({ goal }) => types.includes(goal.type)).map((each) => toShape(each, things))
    },
    shapeOf(name) {
      const [, goalName, digits] = /^(.+)-(\d{1,2})$/.exec(name) ?? []
      const found = goals.find(({ goal }) => nameOf(goal) === goalName)
      const things = Number(digits)
      return found === undefined || things > mostThings ? null : toShape(found, things)
    },
  }
}

function nameOf({ object, room, target, type }: HouseholdGoal): string {
  return [type, object, target, room.replace(' ', '_')].join('-')
}

function leastStepsOf({ type }: HouseholdGoal): number {
  switch (type) {
    case 'look_at_obj_in_light':
      return leastSteps.look
    case 'pick_two_obj_and_place':
      return leastSteps.two
    case 'pick_and_place_simple':
      return leastSteps.place
    default:
      return leastSteps.treat
  }
}

function appearance(task: HouseholdTask): string {
  const { receptacles, things } = makeHousehold(task)
  const names = nameEntities([...receptacles, ...things].map(({ id }) => id.toLowerCase()))
  const nameOfPlaced = ({ id }: { id: string }) => names.nameOf(id.toLowerCase())
  const places = Map.groupBy(receptacles, ({ location }) => location)
  return JSON.stringify([
    [...places.values()].map((side) => side.map(nameOfPlaced).sort().join()).sort(),
    things.map((thing) => `${nameOfPlaced(thing)} ${nameOfPlaced(thing.receptacle)}`).sort(),
  ])
}

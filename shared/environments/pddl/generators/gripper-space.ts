import { combinations, NumberChoices } from '../../generate/number-space.ts'
import { gripper, grippers, leastMoves } from '../domains/make-gripper.ts'
import { writeProblem } from '../robot-domain.ts'
import { gripperBounds, pddlGenerators } from './bounds.ts'
import { type ProblemSpace, sizesWithin } from './problem-generator.ts'

const mostRooms = 26

export const gripperSpace: ProblemSpace = {
  domain: gripper,
  definition: pddlGenerators.gripper,
  sizes: ['rooms', 'balls', 'resting'],
  within(bounds) {
    const { max_balls, max_resting_balls, max_rooms, min_balls, min_rooms } = gripperBounds.parse(bounds)
    return sizesWithin({
      rooms: [min_rooms, max_rooms],
      balls: [min_balls, max_balls],
      resting: [0, max_resting_balls],
    })
  },
  shapeOf(sizes) {
    const { balls: moving = 0, resting = 0, rooms: roomCount = 0 } = sizes
    if (moving < 1 || roomCount < 2 || roomCount > mostRooms) return null
    const rooms = Array.from({ length: roomCount }, (_none, at) => `room${String.fromCharCode(97 + at)}`)
    const names = Array.from({ length: moving + resting }, (_none, at) => `ball${at + 1}`)
    const journeys = BigInt(roomCount * (roomCount - 1)) ** BigInt(moving)
    return {
      sizes,
      size:
        BigInt(roomCount) *
        combinations(names.length, moving) *
        journeys *
        BigInt(roomCount) ** BigInt(resting),
      problem(number) {
        const choices = new NumberChoices(number)
        const start = choices.pick(rooms)
        const chosen = new Set(choices.subset(names, moving))
        const journeysOf = [...chosen].map((ball) => {
          const from = choices.pick(rooms)
          return { ball, from, to: choices.pick(rooms.filter((room) => room !== from)) }
        })
        const others = names
          .filter((name) => !chosen.has(name))
          .map((ball) => `at ${ball} ${choices.pick(rooms)}`)
        const problem = writeProblem(
          'gripper',
          { room: rooms, ball: names, gripper: grippers },
          [
            `at-robby ${start}`,
            ...grippers.map((each) => `free ${each}`),
            ...journeysOf.map(({ ball, from }) => `at ${ball} ${from}`),
            ...others,
          ],
          journeysOf.map(({ ball, to }) => `at ${ball} ${to}`),
        )
        return { problem, minSteps: 2 * moving + leastMoves(rooms, start, journeysOf) }
      },
    }
  },
}

import { choose, sampled } from '../../../core/random/shuffled.ts'
import { type RobotDomain, writeProblem } from '../robot-domain.ts'
import { gripperLanguage, gripperRules, gripperText } from './gripper.ts'

/** Numbers of balls to move, cycled. Twelve need more than 30 steps in any plan, so these tasks are marked. */
const sizes = [4, 5, 6, 7, 4, 8, 5, 9, 6, 12]
const mostMixed = 9
const roomNames = ['rooma', 'roomb', 'roomc']
export const grippers = ['left', 'right']

/** Maximum steps of regular tasks, two per ball and one per move, so that a good plan fits into 30 steps. */
const longestRegular = 28

export const gripper: RobotDomain = {
  name: 'gripper',
  text: gripperText,
  language: gripperLanguage,
  rules: gripperRules,
  tasks: { test: 20, train: 40 },
  generate(random, number) {
    const moving = sizes[number % sizes.length] as number
    const rooms = roomNames.slice(0, moving > 6 || random() < 0.5 ? 2 : 3)
    const names = Array.from(
      { length: moving + Math.floor(random() * 4) },
      (_none, index) => `ball${index + 1}`,
    )
    const balls = sampled(names, moving, random)
    const start = choose(rooms, random) as string
    const way = moving > mostMixed || random() < 0.4 ? sampled(rooms, 2, random) : null
    const journeys = balls.map((ball) => {
      const [from, to] = (way ?? sampled(rooms, 2, random)) as [string, string]
      return { ball, from, to }
    })
    const minSteps = 2 * moving + leastMoves(rooms, start, journeys)
    if (moving <= mostMixed && minSteps > longestRegular) return null
    const resting = names
      .filter((name) => !balls.includes(name))
      .map((ball) => `at ${ball} ${choose(rooms, random)}`)
    const problem = writeProblem(
      'gripper',
      { room: rooms, ball: names, gripper: grippers },
      [
        `at-robby ${start}`,
        ...grippers.map((each) => `free ${each}`),
        ...journeys.map(({ ball, from }) => `at ${ball} ${from}`),
        ...resting,
      ],
      journeys.map(({ ball, to }) => `at ${ball} ${to}`),
    )
    return { problem, minSteps }
  },
  example: {
    problem: writeProblem(
      'gripper',
      { room: ['rooma', 'roomb'], ball: ['ball1', 'ball2', 'ball3'], gripper: grippers },
      ['at-robby rooma', 'free left', 'free right', 'at ball1 rooma', 'at ball2 roomb', 'at ball3 rooma'],
      ['at ball1 roomb', 'at ball3 roomb'],
    ),
    turns: [
      [
        'ball1 and ball3 have to go to roomb, and both are here. I take one with each gripper.',
        'pick up ball1 at rooma with left',
      ],
      ['The right gripper is still free.', 'pick up ball3 at rooma with right'],
      ['Both grippers are full, so I go to roomb.', 'move from rooma to roomb'],
      ['ball1 belongs here.', 'drop ball1 at roomb from left'],
      ['So does ball3.', 'drop ball3 at roomb from right'],
    ],
    program: `// ball1 and ball3 have to go from rooma to roomb. The robot is in rooma and both grippers are free.
function carryTwo(first, second, from, to) {
  act("pick up " + first + " at " + from + " with left")
  act("pick up " + second + " at " + from + " with right")
  act("move from " + from + " to " + to)
  act("drop " + first + " at " + to + " from left")
  act("drop " + second + " at " + to + " from right")
}

carryTwo("ball1", "ball3", "rooma", "roomb")`,
    agentboardProgram: `// ball1 and ball3 have to go from rooma to roomb. Robby is in rooma and both grippers are free.
function carryTwo(first, second, from, to) {
  act("Pick up " + first + " at " + from + " with arm left.")
  act("Pick up " + second + " at " + from + " with arm right.")
  act("Move from " + from + " to " + to + ".")
  act("drop " + first + " " + to + " left")
  act("drop " + second + " " + to + " right")
}

carryTwo("ball1", "ball3", "rooma", "roomb")`,
  },
}

/**
 * A lower bound of the moves between rooms. Each room must be left once per two balls that leave it, and entered once
 * per two that arrive. A room is left as often as it is entered, except the first room and the last.
 */
export function leastMoves(
  rooms: readonly string[],
  start: string,
  journeys: readonly { from: string; to: string }[],
): number {
  const trips = (balls: readonly unknown[]) => Math.ceil(balls.length / grippers.length)
  const movesTo = (last: string) =>
    rooms.reduce((moves, room) => {
      const leaving = trips(journeys.filter(({ from }) => from === room))
      const entering = trips(journeys.filter(({ to }) => to === room))
      return moves + Math.max(leaving, entering + (room === start ? 1 : 0) - (room === last ? 1 : 0))
    }, 0)
  return Math.min(...rooms.map(movesTo))
}

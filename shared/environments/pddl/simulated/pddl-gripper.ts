import { matches, type PddlScene } from './pddl-prompt.ts'

export function planGripper({ facts, goal }: PddlScene): string | null {
  const here = matches(facts, 'the robot is at *')[0]?.[0]
  if (here === undefined) return null
  const wanted = new Map(matches(goal, '* is at *') as [string, string][])
  const held = matches(facts, 'gripper * holds *') as [string, string][]
  const misplaced = (matches(facts, '* is at *') as [string, string][]).filter(
    ([ball, room]) => wanted.has(ball) && wanted.get(ball) !== room,
  )
  for (const [gripper, ball] of held) {
    if ((wanted.get(ball) ?? here) === here) return `drop ${ball} at ${here} from ${gripper}`
  }
  const [free] = matches(facts, 'gripper * is free').flat()
  const heading = wanted.get(held[0]?.[1] ?? '')
  const waiting = misplaced.filter(([, room]) => room === here).map(([ball]) => ball)
  if (free !== undefined && waiting.length > 0) {
    const ball = waiting.find((each) => wanted.get(each) === heading) ?? firstOfLargest(waiting, wanted)
    return `pick up ${ball} at ${here} with ${free}`
  }
  const next = heading ?? largest(misplaced.map(([, room]) => room))
  return next === undefined ? null : `move from ${here} to ${next}`
}

function firstOfLargest(balls: readonly string[], wanted: ReadonlyMap<string, string>): string | undefined {
  const room = largest(balls.map((ball) => wanted.get(ball) ?? ''))
  return balls.find((ball) => wanted.get(ball) === room)
}

function largest(rooms: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(rooms, (room) => room).values()]
  return groups.sort((one, other) => other.length - one.length)[0]?.[0]
}

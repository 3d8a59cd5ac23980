import { callText, type ExpertFunction } from '../../simulated/expert.ts'
import type { FoldedCall } from './folded-call.ts'

export const gripperFunctions: readonly ExpertFunction[] = [
  {
    name: 'carry',
    parameters: ['ball', 'from', 'to', 'gripper'],
    code: `/**
 * Carries one ball from a room to another.
 * @param ball - the ball, such as "ball1"
 * @param from - the room where it is
 * @param to - the room where it has to go
 * @param gripper - a gripper that is free
 */
function carry(ball, from, to, gripper) {
  const here = /The robot is at ([^\\s.]+)\\./i.exec(act("look around"))[1]
  if (here !== from) act("move from " + here + " to " + from)
  act("pick up " + ball + " at " + from + " with " + gripper)
  act("move from " + from + " to " + to)
  act("drop " + ball + " at " + to + " from " + gripper)
}`,
    blunders: [
      [
        '  act("move from " + from + " to " + to)\n  act("drop " + ball',
        '  act("drop " + ball + " at " + to + " from " + gripper)\n  act("move from " + from + " to " + to)\n  act("drop " + ball',
      ],
      ['  act("pick up " + ball + " at " + from + " with " + gripper)\n', ''],
    ],
  },
  {
    name: 'carryTwo',
    parameters: ['first', 'second', 'from', 'firstTo', 'secondTo'],
    code: `/**
 * Carries two balls of one room to their rooms, with the grippers "left" and "right", which have to be free.
 * @param first - the ball that is dropped first
 * @param second - the other ball
 * @param from - the room where both are
 * @param firstTo - the room where the first has to go
 * @param secondTo - the room where the second has to go; may be the same
 */
function carryTwo(first, second, from, firstTo, secondTo) {
  const here = /The robot is at ([^\\s.]+)\\./i.exec(act("look around"))[1]
  if (here !== from) act("move from " + here + " to " + from)
  act("pick up " + first + " at " + from + " with left")
  act("pick up " + second + " at " + from + " with right")
  act("move from " + from + " to " + firstTo)
  act("drop " + first + " at " + firstTo + " from left")
  if (secondTo !== firstTo) act("move from " + firstTo + " to " + secondTo)
  act("drop " + second + " at " + secondTo + " from right")
}`,
    blunders: [
      [
        'act("pick up " + second + " at " + from + " with right")',
        'act("pick up " + second + " at " + from + " with left")',
      ],
      ['  act("move from " + from + " to " + firstTo)\n', ''],
    ],
  },
]

export function foldGripper(plan: readonly string[]): FoldedCall | null {
  const text = plan.slice(0, 7).join('; ')
  const two =
    /^(?:move from \S+ to [^\s;]+; )?pick up (\S+) at (\S+) with (\S+?); pick up (\S+) at \2 with (\S+?); move from \2 to (\S+?); drop (\S+) at \6 from (\S+?); (?:move from \6 to (\S+?); )?drop (\S+) at (\S+) from [^\s;]+/.exec(
      text,
    )
  if (two) {
    const [matched, , from = '', , , , firstTo = '', first = '', , , second = '', secondTo = ''] = two
    return {
      call: callText('carryTwo', first, second, from, firstTo, secondTo),
      steps: matched.split('; ').length,
    }
  }
  const one =
    /^(?:move from \S+ to [^\s;]+; )?pick up (\S+) at (\S+) with (\S+?); move from \2 to (\S+?); drop \1 at \4 from \3(?=;|$)/.exec(
      text,
    )
  if (one === null) return null
  const [matched, ball = '', from = '', gripper = '', to = ''] = one
  return { call: callText('carry', ball, from, to, gripper), steps: matched.split('; ').length }
}

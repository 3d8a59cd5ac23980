import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Policy } from '../../simulated/policy.ts'
import { desktopExpert } from './desktop-expert.ts'
import { type DesktopMove, writeDesktopMove } from './desktop-move.ts'
import { planDesktopMove, plannedMoves } from './plan-desktop.ts'
import { type DesktopSituation, readDesktop } from './read-desktop.ts'

export const desktopPolicy: Policy = {
  name: 'desktop',
  expert: desktopExpert,
  answer(messages, skill, random) {
    const situation = readDesktop(messages)
    if (situation === null) return null
    const right = random() < skill ? planDesktopMove(situation) : null
    const move = right ?? tryAnything(situation, random)
    return think(writeDesktopMove(move, situation.inJson), random)
  },
}

const usual: readonly (readonly string[])[] = [
  ['escape'],
  ['enter'],
  ['tab'],
  ['ctrl', 's'],
  ['ctrl', 'home'],
  ['alt', 'f10'],
]

function tryAnything({ answers, elements, objective }: DesktopSituation, random: Random): DesktopMove {
  const most = 2 * plannedMoves({ objective })
  if (answers.length >= most) return { kind: 'DONE' }
  const draw = random()
  if (answers.length > 1 && draw < 0.08) return { kind: draw < 0.015 ? 'FAIL' : 'DONE' }
  if (draw < 0.16) return { kind: 'WAIT' }
  if (draw < 0.2) return { kind: 'slip' }
  if (draw < 0.32) return { kind: 'keys', keys: choose(usual, random) ?? ['escape'] }
  if (draw < 0.38) return { kind: 'scroll', by: random() < 0.5 ? -3 : 3 }
  if (draw < 0.5)
    return {
      kind: 'type',
      text: choose(objective.match(/[A-Za-z0-9]+/g) ?? [], random) ?? 'a',
      withEnter: false,
    }
  const on = choose(elements, random)
  if (on === undefined)
    return { kind: 'point', x: Math.floor(random() * 1920), y: Math.floor(random() * 1080) }
  return { kind: draw < 0.55 ? 'double_click' : 'click', on }
}

const thoughts: readonly string[] = [
  'Going by the objective, this comes next.',
  'The screen shows what I need.',
  'I compare the screen with the objective and go on.',
]

/** Starts the action's line with its mark, so that the answer is parsed without its thought. */
function think(action: string, random: Random): string {
  return `Thought: ${choose(thoughts, random) ?? ''}\nAction: ${action}`
}

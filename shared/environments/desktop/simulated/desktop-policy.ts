import { digestText, type Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Expert } from '../../simulated/expert.ts'
import type { Policy } from '../../simulated/policy.ts'
import { type DesktopMove, writeDesktopMove } from './desktop-move.ts'
import { type DesktopSituation, readDesktop, type ScreenElement } from './read-desktop.ts'

/**
 * Estimates the progress of its own plan for a desktop, because it cannot see a task's result. A task counts as
 * reached once a solving command was typed and the agent declared it done; before that, it is not scored. There are
 * no functions for desktops.
 */
const desktopExpert: Expert = {
  name: 'desktop',
  look(messages) {
    const situation = readDesktop(messages)
    if (situation === null) return null
    const { isRefused, objective } = situation
    const missing = missingMoves(situation)
    return {
      goal: objective.replace(/\s+/g, ' '),
      isReached: missing === 0,
      isSpoiled: false,
      isRefused,
      next: missing === 1 ? '```DONE```' : null,
      missing,
      functions: [],
      statements: () => [],
      call: () => null,
    }
  },
}

function missingMoves(situation: DesktopSituation): number {
  const { answers, objective } = situation
  const command = commandFor(objective)
  const isSaid = answers.at(-1)?.includes('```DONE```') === true
  if (command === null) return Math.max(1, plannedMoves(situation) - answers.length)
  const isTyped = answers.some((answer) => answer.includes(JSON.stringify(command)))
  return isTyped ? (isSaid ? 0 : 1) : 2
}

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

function plannedMoves({ objective }: Pick<DesktopSituation, 'objective'>): number {
  return 3 + (digestText(objective, 0x811c9dc5) % 3)
}

const impossible = /\b(?:Bluetooth|battery|purchased)\b/i

const commands: readonly [RegExp, (...words: string[]) => string][] = [
  [/\brename the folder (\S+) in my home folder to ([\w-]+)/i, (from, to) => `mv ~/${from} ~/${to}`],
  [
    /\bpack the folder ~\/(\S+) into a compressed archive ~\/([\w.-]*\w)/i,
    (folder, archive) => `tar -C ~ -czf ~/${archive} ${folder}`,
  ],
  [/\bmake (~\/\S+) executable for me\b/i, (path = '') => `chmod u+x ${path}`],
]

function commandFor(objective: string): string | null {
  for (const [pattern, write] of commands) {
    const found = pattern.exec(objective)
    if (found !== null) return write(...found.slice(1))
  }
  return null
}

function planDesktopMove(situation: DesktopSituation): DesktopMove | null {
  const { answers, elements, objective } = situation
  if (impossible.test(objective)) return { kind: 'FAIL' }
  const command = commandFor(objective)
  const terminal = elements.find(({ tag }) => tag === 'terminal')
  if (command !== null && terminal !== undefined) {
    if (answers.some((answer) => answer.includes(JSON.stringify(command)))) return { kind: 'DONE' }
    return { kind: 'type', text: command, withEnter: true }
  }
  if (answers.length >= plannedMoves(situation)) return { kind: 'DONE' }
  const named = namedElement(situation)
  return named === null ? null : { kind: 'click', on: named }
}

function namedElement({ answers, elements, objective }: DesktopSituation): ScreenElement | null {
  const words = new Set(objective.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
  const isUsed = ({ mark, at }: ScreenElement) =>
    answers.some((answer) => answer.includes(mark === null ? (at ?? []).join(', ') : `tag_${mark}`))
  const fitting = elements.filter((element) => words.has(element.name.toLowerCase()) && !isUsed(element))
  return fitting[0] ?? null
}

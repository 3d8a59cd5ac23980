import { digestText } from '../../../core/random/random.ts'
import type { DesktopMove } from './desktop-move.ts'
import type { DesktopSituation, ScreenElement } from './read-desktop.ts'

export function plannedMoves({ objective }: Pick<DesktopSituation, 'objective'>): number {
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

export function commandFor(objective: string): string | null {
  for (const [pattern, write] of commands) {
    const found = pattern.exec(objective)
    if (found !== null) return write(...found.slice(1))
  }
  return null
}

export function planDesktopMove(situation: DesktopSituation): DesktopMove | null {
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

import type { PathTurn } from '../../tree/path-turns.ts'
import { alignSteps } from './align-steps.ts'

export interface NumberedStep {
  number: number
  turn: PathTurn
}

export interface AlignedRow {
  left: NumberedStep | null
  right: NumberedStep | null
  differs: readonly string[] | null
}

export function alignedRows(left: readonly PathTurn[], right: readonly PathTurn[]): AlignedRow[] {
  return alignSteps(left.map(actionOfTurn), right.map(actionOfTurn)).map((pair) => {
    const [own, other] = [stepAt(left, pair.left), stepAt(right, pair.right)]
    return { left: own, right: other, differs: own && other && differencesOf(own.turn, other.turn) }
  })
}

export function isDifference({ differs }: AlignedRow): boolean {
  return differs === null || differs.length > 0
}

export function titleOf({ left, right, differs }: AlignedRow): string {
  if (left === null) return `Step ${right?.number} of the right alone`
  if (right === null) return `Step ${left.number} of the left alone`
  const numbers = numbersOf(left, right)
  return differs?.length ? `Step ${numbers}: different ${differs.join(', ')}` : `Step ${numbers}: equal`
}

export function numbersOf(left: NumberedStep, right: NumberedStep): string {
  return left.number === right.number ? String(left.number) : `${left.number} | ${right.number}`
}

export function actionOfTurn({ action, said }: PathTurn): string {
  return action === '' ? said : action
}

function stepAt(turns: readonly PathTurn[], at: number | null): NumberedStep | null {
  const turn = at === null ? undefined : turns[at]
  return turn === undefined || at === null ? null : { number: at + 1, turn }
}

function differencesOf(left: PathTurn, right: PathTurn): string[] {
  const pairs: Record<string, [string, string]> = {
    action: [actionOfTurn(left), actionOfTurn(right)],
    observation: [left.shown, right.shown],
    pictures: [left.pictures.join(), right.pictures.join()],
    result: [left.outcome.join(), right.outcome.join()],
  }
  return Object.entries(pairs).flatMap(([name, [one, other]]) => (one === other ? [] : name))
}

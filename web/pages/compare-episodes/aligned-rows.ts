import type { PathTurn } from '../../tree/path-turns.ts'
import { alignSteps } from './align-steps.ts'

/** A step of a trajectory: its number, from 1 on, and what was said and shown. */
export interface NumberedStep {
  number: number
  turn: PathTurn
}

/** Steps beside each other, and what about them differs. */
export interface AlignedRow {
  left: NumberedStep | null
  right: NumberedStep | null
  /** In words, such as `action`; empty where the steps are equal. Null where only one side has a step. */
  differs: readonly string[] | null
}

/** The rows of two trajectories: which steps stand beside each other, and which of them differ in what the environment saw and answered. */
export function alignedRows(left: readonly PathTurn[], right: readonly PathTurn[]): AlignedRow[] {
  return alignSteps(left.map(actionOfTurn), right.map(actionOfTurn)).map((pair) => {
    const [own, other] = [stepAt(left, pair.left), stepAt(right, pair.right)]
    return { left: own, right: other, differs: own && other && differencesOf(own.turn, other.turn) }
  })
}

/** Whether the steps of a row are not the same, or one is missing. */
export function isDifference({ differs }: AlignedRow): boolean {
  return differs === null || differs.length > 0
}

/** What a row is about, in words. */
export function titleOf({ left, right, differs }: AlignedRow): string {
  if (left === null) return `Step ${right?.number} of the right alone`
  if (right === null) return `Step ${left.number} of the left alone`
  const numbers = numbersOf(left, right)
  return differs?.length ? `Step ${numbers}: different ${differs.join(', ')}` : `Step ${numbers}: equal`
}

/** The numbers of both steps of a row, as one where they are the same. */
export function numbersOf(left: NumberedStep, right: NumberedStep): string {
  return left.number === right.number ? String(left.number) : `${left.number} | ${right.number}`
}

/** What a step did: its action, or what was said where none was read from that. */
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

import { hash } from 'node:crypto'
import type { Dataset, DatasetGates, DatasetKindId } from '../../../core/contracts/dataset.ts'
import { type GateId, gates } from '../../../core/contracts/gates.ts'
import { findKind } from '../dataset-kinds.ts'
import type { RowMarks } from '../inspect-row.ts'
import { DigestTable } from './digest-table.ts'

export interface GateRow extends RowMarks {
  task: string
  task_split: string | null
  unfit: boolean
  same_action?: boolean
  /** The row's split, as an index; null if the dataset has no splits. */
  split: number | null
}

/**
 * Accepts rows into a dataset or drops them, one after the other in the dataset's order, and counts what each gate
 * found and dropped. Later gates do not see a dropped row, but they see a row that a gate only flags, by the request.
 * Memory is a few dozen bytes a row. A resumed build shows the same rows again from the first.
 */
export class Gatekeeper {
  readonly #request: DatasetGates
  readonly #kind: DatasetKindId | null
  readonly #areSamples: boolean
  readonly #found = new Map<GateId, number>()
  readonly #dropped = new Map<GateId, number>()
  readonly #rows = new DigestTable()
  readonly #prompts = new DigestTable()
  readonly #tasks = new DigestTable()
  readonly #heldOutPrompts = new DigestTable()
  #total = 0
  #longest = 0

  /** @param kind - kind of the rows: gates for other kinds are not counted; null: unknown */
  constructor(request: DatasetGates, kind: DatasetKindId | null = null) {
    this.#request = request
    this.#kind = kind
    this.#areSamples = kind !== null && findKind(kind).equalRowsAreSamples === true
  }

  /**
   * Shows a row before any is taken, wherever it comes in the order. This collects the prompts of held-out tasks, so
   * that the same prompt does not enter under another task's name.
   *
   * @returns whether rows of the task may enter at all; a dropped one needs no split
   */
  foresee({ task_split, prompt }: Pick<GateRow, 'task_split' | 'prompt'>): boolean {
    if (!isHeldOut(task_split)) return true
    this.#heldOutPrompts.set(prompt, 0)
    return this.#request.held_out === 'keep'
  }

  take(row: GateRow): GateId | null {
    const { held_out, empty_turns, same_action, max_tokens } = this.#request
    const duplicates = this.#areSamples ? 'keep' : this.#request.duplicates
    if (row.mask !== null) return this.#drop('wrong_loss_mask')
    if (row.unfit) return this.#drop('unfit')
    if (isHeldOut(row.task_split) && this.#find('held_out', held_out)) return 'held_out'
    if (row.empty_turn && this.#find('empty_turns', empty_turns)) return 'empty_turns'
    if (row.same_action && this.#find('same_action', same_action)) return 'same_action'
    if (max_tokens !== null && row.tokens > max_tokens) return this.#drop('max_tokens')
    if (this.#rows.get(row.sha256) !== undefined && this.#find('duplicates', duplicates)) return 'duplicates'
    if (this.#leaks(row)) return this.#drop('leaks')
    this.#rows.set(row.sha256, 0)
    this.#total += row.tokens
    this.#longest = Math.max(this.#longest, row.tokens)
    return null
  }

  counts(): Dataset['gates'] {
    const inUse = (id: GateId) =>
      (id !== 'max_tokens' || this.#request.max_tokens !== null) &&
      (id !== 'same_action' || this.#kind === 'step-preference')
    return Object.fromEntries(
      (Object.keys(gates) as GateId[])
        .filter(inUse)
        .map((id) => [id, { found: this.#found.get(id) ?? 0, dropped: this.#dropped.get(id) ?? 0 }]),
    )
  }

  tokens(): NonNullable<Dataset['tokens']> {
    return { tokenizer: this.#request.tokenizer, total: this.#total, longest: this.#longest }
  }

  #leaks({ task, task_split, prompt, split }: GateRow): boolean {
    const isOther = this.#heldOutPrompts.get(prompt) !== undefined && !isHeldOut(task_split)
    if (isOther && this.#request.held_out === 'drop') return true
    if (split === null) return false
    const key = hash('sha256', task, 'hex')
    const before = [this.#tasks.get(key), this.#prompts.get(prompt)]
    if (before.some((each) => each !== undefined && each !== split)) return true
    this.#tasks.set(key, split)
    this.#prompts.set(prompt, split)
    return false
  }

  #find(gate: GateId, action: 'drop' | 'keep'): boolean {
    if (action === 'drop') this.#drop(gate)
    else count(this.#found, gate)
    return action === 'drop'
  }

  #drop(gate: GateId): GateId {
    count(this.#found, gate)
    count(this.#dropped, gate)
    return gate
  }
}

function isHeldOut(taskSplit: string | null): boolean {
  return taskSplit !== null && taskSplit !== 'train'
}

function count(counts: Map<GateId, number>, gate: GateId): void {
  counts.set(gate, (counts.get(gate) ?? 0) + 1)
}

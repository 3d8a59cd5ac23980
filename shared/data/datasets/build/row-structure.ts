import type { DatasetKindId } from '../../../core/contracts/dataset.ts'
import type { RowTool } from '../../../core/contracts/dataset-row.ts'
import type { DatasetFormat, RowStructure } from '../../formats/trainer-format.ts'
import type { FoundRow } from '../kind.ts'
import { messagesOf } from './settle-pictures.ts'

export function withTools(found: FoundRow, tools: RowTool[] | undefined): FoundRow {
  const { row } = found
  if (tools === undefined) return found
  if (row.type === 'process' || row.type === 'rollout' || row.type === 'rollout-tree') return found
  return { ...found, row: { ...row, tools } }
}

export interface CountedStructure {
  calls: boolean
  thoughts: number
  /** Tokens of the row's branches without sharing; 0 for a row that shares none. */
  flat_tokens: number
}

export function structureOf({ row, left_out_thoughts = 0 }: FoundRow): CountedStructure {
  const thoughts = messagesOf(row).filter(({ reasoning }) => reasoning !== undefined).length
  return {
    calls: 'tools' in row && row.tools !== undefined,
    thoughts: thoughts + left_out_thoughts,
    flat_tokens: row.type === 'rollout-tree' ? row.flat_tokens : 0,
  }
}

export class StructureOfRows {
  #calls = false
  #thoughts = 0
  #rows = 0
  #flatTokens = 0

  add({ calls, flat_tokens, thoughts }: CountedStructure): void {
    this.#calls ||= calls
    this.#flatTokens += flat_tokens
    this.#thoughts += thoughts
    if (thoughts > 0) this.#rows += 1
  }

  get facts(): RowStructure {
    return { calls: this.#calls, thoughts: this.#thoughts > 0 }
  }

  savings(tokens: number): string[] {
    if (this.#flatTokens === 0) return []
    const saved = Math.round((1 - tokens / this.#flatTokens) * 100)
    return [
      `The trees hold ${tokens} tokens in place of ${this.#flatTokens}, ${saved} % less: ${(this.#flatTokens / tokens).toFixed(1)} times fewer.`,
    ]
  }

  warnings(format: Pick<DatasetFormat, 'id' | 'keepsThoughts'>, kind: DatasetKindId): string[] {
    if (this.#thoughts === 0 || format.keepsThoughts?.(kind) === true) return []
    const [answers, rows] = [counted(this.#thoughts, 'answer'), counted(this.#rows, 'row')]
    return [
      `The format "${format.id}" has no place for the model’s thoughts in rows of this kind: those of ${answers} in ${rows} are left out.`,
    ]
  }
}

function counted(count: number, name: string): string {
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}

import type { DatasetKindId } from '../../../core/contracts/dataset.ts'
import type { RowTool } from '../../../core/contracts/dataset-row.ts'
import type { DatasetFormat, RowStructure } from '../../formats/trainer-format.ts'
import type { FoundRow } from '../kind.ts'
import { messagesOf } from './settle-pictures.ts'

/** Adds the offered tools to a row of chat; a process-reward row is plain text, which has no place for them. */
export function withTools(found: FoundRow, tools: RowTool[] | undefined): FoundRow {
  if (tools === undefined || found.row.type === 'process') return found
  return { ...found, row: { ...found.row, tools } }
}

export interface CountedStructure {
  calls: boolean
  thoughts: number
}

export function structureOf({ row, left_out_thoughts = 0 }: FoundRow): CountedStructure {
  const thoughts = messagesOf(row).filter(({ reasoning }) => reasoning !== undefined).length
  return { calls: 'tools' in row && row.tools !== undefined, thoughts: thoughts + left_out_thoughts }
}

export class StructureOfRows {
  #calls = false
  #thoughts = 0
  #rows = 0

  add({ calls, thoughts }: CountedStructure): void {
    this.#calls ||= calls
    this.#thoughts += thoughts
    if (thoughts > 0) this.#rows += 1
  }

  get facts(): RowStructure {
    return { calls: this.#calls, thoughts: this.#thoughts > 0 }
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

import { z } from 'zod'
import { memoryNoteSchema } from '../../core/contracts/memory.ts'
import type { EffectRecord, JournalRecord } from '../../core/engine/journal-record.ts'

const shownSchema = memoryNoteSchema.extend({ score: z.number().optional() })
const knownSchema = z.object({ notes: z.array(shownSchema) })
const recallKey = /^recall\/[^/]+\/(\d+)$/

export type FoundNote = z.infer<typeof shownSchema>

export interface FoundNotes {
  node: number | null
  notes: FoundNote[]
}

export function readNotes(records: readonly JournalRecord[]): FoundNotes[] {
  return records.flatMap((record) => ('effect' in record ? (toFound(record) ?? []) : []))
}

function toFound({ effect, result }: EffectRecord): FoundNotes | null {
  if (effect === 'known') return { node: null, notes: knownSchema.safeParse(result).data?.notes ?? [] }
  const node = recallKey.exec(effect)?.[1]
  if (node === undefined) return null
  return { node: Number(node), notes: z.array(shownSchema).safeParse(result).data ?? [] }
}

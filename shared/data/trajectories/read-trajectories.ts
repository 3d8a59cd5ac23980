import {
  type ImportSettings,
  type Rejection,
  type RejectionsLine,
  rejectionsLineSchema,
  rowId,
  type TrajectoryLine,
  trajectoryLineSchema,
} from '../../core/contracts/trajectory-import.ts'
import { BadRowError, checkShape } from '../formats/bad-row-error.ts'
import { findReadableFormat } from '../formats/formats.ts'
import { cutRows, type RawRow } from './cut-rows.ts'
import { decodeRow } from './decode-row.ts'
import { readRow } from './read-row.ts'

export type Reading = { trajectory: TrajectoryLine } | { rejection: Rejection } | { earlier: RejectionsLine }

export interface RowSource {
  file: string | null
  first: number
}

/**
 * Reads a file of trajectories row by row, in memory for one row. No row is fatal: an invalid row becomes a rejection
 * with its line. Rows read before, as the command sends them, pass unchanged.
 *
 * @example
 * for await (const reading of readTrajectories(createReadStream(path), settings, { file: 'rows.json', first: 1 })) …
 */
export async function* readTrajectories(
  chunks: AsyncIterable<Uint8Array>,
  settings: ImportSettings,
  { file, first }: RowSource,
): AsyncGenerator<Reading> {
  let row = first
  // A row is its whole file only if no other follows, so each waits for the next.
  let waiting: RawRow | null = null
  for await (const raw of cutRows(chunks)) {
    if (waiting !== null) yield readOne(waiting, settings, { file, row: row++, isWhole: false })
    waiting = raw
  }
  if (waiting !== null) yield readOne(waiting, settings, { file, row, isWhole: row === first })
}

function readOne(
  raw: RawRow,
  settings: ImportSettings,
  place: { file: string | null; row: number; isWhole: boolean },
): Reading {
  const { file, row } = place
  const { line } = raw
  try {
    if ('fault' in raw) throw new BadRowError(null, raw.fault)
    const value = decodeRow(raw.bytes, findReadableFormat(settings.format).levels)
    if (value.schema_version === 'espalier-trajectory-v1') {
      return { trajectory: checkShape(trajectoryLineSchema, value) }
    }
    if (value.schema_version === 'espalier-rejections-v1') {
      return { earlier: checkShape(rejectionsLineSchema, value) }
    }
    return { trajectory: readRow(value, settings, { ...place, line }) }
  } catch (error) {
    if (!(error instanceof BadRowError)) throw error
    return { rejection: { id: rowId(row), file, line, row, field: error.field, reason: error.message } }
  }
}

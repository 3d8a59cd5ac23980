import {
  keptRejections,
  type Rejection,
  type RejectionsLine,
  rowId,
} from '../../shared/core/contracts/trajectory-import.ts'
import type { Reading } from '../../shared/data/trajectories/read-trajectories.ts'

/** Bytes per request body, and the upper bound of one trajectory: both fit a Lambda request, encoded. */
export const fullBody = 2_000_000

export interface Batch {
  first: number
  next: number
  isLast: boolean
  text: string
  trajectories: number
  rejected: number
  rejections: Rejection[]
}

type Outcome = { line: string; bytes: number } | { rejection: Rejection }

/**
 * Groups readings into request bodies. The same readings produce the same bodies. The first thousand rejections are
 * sent in full, the others counted.
 */
export async function* toBatches(readings: AsyncIterable<Reading>): AsyncGenerator<Batch> {
  let sent = 0
  let batch = emptyBatch(1)
  let lines: string[] = []
  let bytes = 0

  function close(isLast: boolean): Batch {
    const { rejected, rejections } = batch
    if (rejected > 0) {
      const line: RejectionsLine = { schema_version: 'espalier-rejections-v1', rejected, rejections }
      lines.push(`${JSON.stringify(line)}\n`)
    }
    const closed = { ...batch, isLast, text: lines.join('') }
    lines = []
    bytes = 0
    batch = emptyBatch(closed.next)
    return closed
  }

  for await (const reading of readings) {
    const outcome = outcomeOf(reading)
    batch.next += 1
    if ('line' in outcome) {
      lines.push(outcome.line)
      bytes += outcome.bytes
      batch.trajectories += 1
    } else {
      batch.rejected += 1
      if (sent++ < keptRejections) batch.rejections.push(outcome.rejection)
    }
    if (bytes >= fullBody) yield close(false)
  }
  yield close(true)
}

function outcomeOf(reading: Reading): Outcome {
  if ('rejection' in reading) return reading
  if ('earlier' in reading) throw new Error('A file holds what only the command writes.')
  const line = `${JSON.stringify(reading.trajectory)}\n`
  const bytes = Buffer.byteLength(line)
  if (bytes <= fullBody) return { line, bytes }
  const { file, line: at, row } = reading.trajectory
  const reason = `the trajectory takes ${(bytes / 1e6).toFixed(1)} MB, and ${fullBody / 1e6} MB is the most`
  return { rejection: { id: rowId(row), file, line: at, row, field: null, reason } }
}

function emptyBatch(first: number): Batch {
  return { first, next: first, isLast: false, text: '', trajectories: 0, rejected: 0, rejections: [] }
}

import { EspalierError } from '../../core/contracts/errors.ts'
import type { ImportSettings, Rejection, TrajectoryLine } from '../../core/contracts/trajectory-import.ts'
import { type RowSource, readTrajectories } from './read-trajectories.ts'

export interface ReadBodyResult {
  lines: TrajectoryLine[]
  rejections: Rejection[]
  rejected: number
  rows: number
}

/**
 * Reads a whole body.
 *
 * @throws EspalierError `invalid_request` if rows read before have other numbers than the body's
 */
export async function readBody(
  body: Uint8Array,
  settings: ImportSettings,
  source: RowSource,
): Promise<ReadBodyResult> {
  const result: ReadBodyResult = { lines: [], rejections: [], rejected: 0, rows: 0 }
  for await (const reading of readTrajectories(once(body), settings, source)) {
    if ('trajectory' in reading) result.lines.push(reading.trajectory)
    else if ('earlier' in reading) {
      result.rejections.push(...reading.earlier.rejections)
      result.rejected += reading.earlier.rejected
    } else {
      result.rejections.push(reading.rejection)
      result.rejected += 1
    }
  }
  result.rows = result.lines.length + result.rejected
  checkNumbers(result, source.first)
  return result
}

function checkNumbers({ lines, rows }: ReadBodyResult, first: number): void {
  let last = first - 1
  for (const { row } of lines) {
    if (row <= last || row >= first + rows) {
      throw new EspalierError(
        'invalid_request',
        `The body's rows are those from ${first} to ${first + rows - 1}, each once and in order; ${row} is out of place.`,
        { param: 'first' },
      )
    }
    last = row
  }
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}

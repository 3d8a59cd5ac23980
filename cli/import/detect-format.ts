import type { TrajectoryFormat } from '../../shared/core/contracts/trajectory-import.ts'
import { BadRowError } from '../../shared/data/formats/bad-row-error.ts'
import { otherKind, recogniseFormat } from '../../shared/data/formats/formats.ts'
import { cutRows } from '../../shared/data/trajectories/cut-rows.ts'
import { decodeRow } from '../../shared/data/trajectories/decode-row.ts'
import { wrongUsage } from '../command-error.ts'
import { openRows } from './open-rows.ts'

const mostRows = 20

/**
 * The format of the first row with a known format's fields.
 * @throws CommandError if no row has one
 */
export async function detectFormat(files: readonly string[]): Promise<TrajectoryFormat> {
  let why = 'there is no row in it'
  let looked = 0
  for (const file of files) {
    for await (const raw of cutRows(openRows(file, () => {}))) {
      const [format, reason] = 'fault' in raw ? [null, raw.fault] : formatOf(raw.bytes)
      if (format !== null) return format
      if (looked++ === 0) why = reason.replace(/\.$/, '')
      if (looked >= mostRows) break
    }
    if (looked >= mostRows) break
  }
  throw wrongUsage(`The format of ${files[0]} is not recognised: ${why}. Name it with --format`)
}

function formatOf(bytes: Uint8Array): [TrajectoryFormat | null, string] {
  try {
    // The first level alone decides. Search trees nest deep.
    const row = decodeRow(bytes, Number.POSITIVE_INFINITY)
    const kind = otherKind(row)
    if (kind !== null) return [null, `its first row is ${kind}, which is no trajectory`]
    const names = Object.keys(row).slice(0, 10).join(', ')
    return [recogniseFormat(row)?.id ?? null, `its first row has the fields ${names}`]
  } catch (error) {
    if (error instanceof BadRowError) return [null, error.message]
    throw error
  }
}

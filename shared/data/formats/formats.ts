import { datasetFormatSchema } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { TrajectoryFormat } from '../../core/contracts/trajectory-import.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { agentR } from './agent-r.ts'
import { agenttraj } from './agenttraj.ts'
import { atif } from './atif.ts'
import { axolotl } from './axolotl.ts'
import { eto, isEtoPair } from './eto.ts'
import { fastchat } from './fastchat.ts'
import { llamaFactory } from './llama-factory.ts'
import { openai } from './openai.ts'
import { parquet } from './parquet.ts'
import { tokenFormats } from './token-formats.ts'
import type { DatasetFormat, ReadableFormat, TwoWayFormat } from './trainer-format.ts'
import { trl } from './trl.ts'
import { xtuner } from './xtuner.ts'

/** Every format, in the order in which recognition tries them: those with rarer fields come first. */
const formats: readonly (ReadableFormat | TwoWayFormat)[] = [
  atif,
  agentR,
  agenttraj,
  eto,
  fastchat,
  llamaFactory,
  xtuner,
  parquet,
  openai,
  axolotl,
  trl,
]

export const datasetFormats: readonly DatasetFormat[] = [
  ...formats.filter((format): format is TwoWayFormat => 'write' in format),
  ...tokenFormats,
].toSorted((one, other) => place(one) - place(other))

function place({ id }: DatasetFormat): number {
  return datasetFormatSchema.options.indexOf(id)
}

/** @throws EspalierError for an unknown format */
export function findFormat(id: string): DatasetFormat {
  const format = datasetFormats.find((each) => each.id === id)
  if (format) return format
  const known = datasetFormats.map((each) => each.id)
  throw new EspalierError('invalid_request', unknownName('There is no dataset format', id, known), {
    param: 'format',
  })
}

export function findReadableFormat(id: TrajectoryFormat): ReadableFormat {
  const format = formats.find((each) => each.id === id)
  if (format) return format
  throw new Error(`The format "${id}" of the contract is not in the list of formats.`)
}

export function recogniseFormat(row: Record<string, unknown>): ReadableFormat | null {
  return formats.find((format) => format.recognises(row)) ?? null
}

/** The kind of a row that is no trajectory, though a dataset may hold it. */
export function otherKind(row: Record<string, unknown>): string | null {
  if (isEtoPair(row)) return null
  if ('chosen' in row || 'rejected' in row || 'preferred_output' in row) return 'a pair'
  if ('kto_tag' in row || 'label' in row) return 'an unpaired example'
  if ('completions' in row && 'labels' in row) return 'a row for process rewards'
  return null
}

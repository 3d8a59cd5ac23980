import { EspalierError } from '../contracts/errors.ts'
import type { DatasetFormat } from './format.ts'
import { agentR } from './formats/agent-r.ts'
import { agenttraj } from './formats/agenttraj.ts'
import { axolotl } from './formats/axolotl.ts'
import { fastchat } from './formats/fastchat.ts'
import { llamaFactory } from './formats/llama-factory.ts'
import { openai } from './formats/openai.ts'
import { parquet } from './formats/parquet.ts'
import { trl } from './formats/trl.ts'
import { xtuner } from './formats/xtuner.ts'

/** Every format, in the order in which they are listed. Each line is one format's own. */
export const datasetFormats: readonly DatasetFormat[] = [
  openai,
  trl,
  llamaFactory,
  axolotl,
  xtuner,
  fastchat,
  agenttraj,
  agentR,
  parquet,
]

/** @throws EspalierError for a format that is not there */
export function findFormat(id: string): DatasetFormat {
  const format = datasetFormats.find((each) => each.id === id)
  if (format) return format
  const known = datasetFormats.map((each) => each.id).join(', ')
  throw new EspalierError('invalid_request', `There is no dataset format "${id}". Choose from: ${known}.`, {
    param: 'format',
  })
}

import type { TrajectoryFormat } from '../contracts/trajectory-import.ts'
import { agentR } from './readers/agent-r.ts'
import { agenttraj } from './readers/agenttraj.ts'
import { atif } from './readers/atif.ts'
import { canonicalRow } from './readers/canonical-row.ts'
import { eto } from './readers/eto.ts'
import { llamaFactory } from './readers/llama-factory.ts'
import { messages } from './readers/messages.ts'
import { xtuner } from './readers/xtuner.ts'
import type { TrajectoryReader } from './trajectory-reader.ts'

/** How each format is read. Formats that differ in name alone share a reader. */
export const trajectoryReaders: Readonly<Record<TrajectoryFormat, TrajectoryReader>> = {
  eto,
  agenttraj,
  'agent-r': agentR,
  atif,
  openai: messages,
  trl: messages,
  axolotl: messages,
  'llama-factory': llamaFactory,
  xtuner,
  fastchat: eto,
  parquet: canonicalRow,
}

import type { TrajectoryFormat } from '../contracts/trajectory-import.ts'
import { agentRReader } from './readers/agent-r.ts'
import { agenttrajReader } from './readers/agenttraj.ts'
import { atifReader } from './readers/atif.ts'
import { canonicalRow } from './readers/canonical-row.ts'
import { etoReader } from './readers/eto.ts'
import { llamaFactoryReader } from './readers/llama-factory.ts'
import { messagesReader } from './readers/messages.ts'
import { xtunerReader } from './readers/xtuner.ts'
import type { TrajectoryReader } from './trajectory-reader.ts'

/** How each format is read. Formats that differ in name alone share a reader. */
export const trajectoryReaders: Readonly<Record<TrajectoryFormat, TrajectoryReader>> = {
  eto: etoReader,
  agenttraj: agenttrajReader,
  'agent-r': agentRReader,
  atif: atifReader,
  openai: messagesReader,
  trl: messagesReader,
  axolotl: messagesReader,
  'llama-factory': llamaFactoryReader,
  xtuner: xtunerReader,
  fastchat: etoReader,
  parquet: canonicalRow,
}

import type { Observation } from '../../../shared/core/contracts/message.ts'
import {
  type ImportSettingsInput,
  importSettingsSchema,
} from '../../../shared/core/contracts/trajectory-import.ts'
import { type Reading, readTrajectories } from '../../../shared/data/trajectories/read-trajectories.ts'

/** Reads a file's content as an import of TextCraft, or as the settings say. */
export async function readText(
  content: string | Uint8Array,
  settings: ImportSettingsInput,
  { file = 'rows.jsonl', chunk = Number.POSITIVE_INFINITY }: { file?: string; chunk?: number } = {},
): Promise<Reading[]> {
  const parsed = importSettingsSchema.parse({ environment: 'textcraft', ...settings })
  return allOf(readTrajectories(chunksOf(content, chunk), parsed, { file, first: 1 }))
}

export async function* chunksOf(content: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, Math.min(bytes.length, start + size))
  }
}

/** The trajectories of readings; none of which may be a rejection. */
export function trajectoriesOf(readings: readonly Reading[]) {
  return readings.map((reading) => {
    if ('trajectory' in reading) return reading.trajectory
    throw new Error(JSON.stringify(reading))
  })
}

/** The rejections of readings as `line field: reason`, and the lines of what was taken. */
export function rejectionsOf(readings: readonly Reading[]) {
  return {
    taken: readings.flatMap((reading) => ('trajectory' in reading ? [reading.trajectory.line] : [])),
    rejected: readings.flatMap((reading) => ('rejection' in reading ? [reading.rejection] : [])),
  }
}

/** What was played, without what the tree adds. */
export function played({ messages, nodes }: { messages: object[]; nodes: PlayedNode[] }) {
  return {
    head: messages,
    steps: nodes.slice(1).map(({ action, message, observation }) => ({
      action,
      message,
      observation: observation.map((part) => (part.type === 'text' ? part.text : null)),
    })),
  }
}

interface PlayedNode {
  action: string | null
  message: string | null
  observation: Observation
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

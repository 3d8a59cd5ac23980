import { z } from 'zod'
import { BadRowError, checkShape } from '../bad-row-error.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import { messagesSchema, toTurns } from './messages.ts'

const rowSchema = z.looseObject({ type: z.string(), messages: messagesSchema })

/** The canonical row as Parquet keeps it; of its types, a conversation is a trajectory. */
export const canonicalRow: TrajectoryReader = {
  description: 'the rows of our Parquet files, as JSON',
  read(row) {
    if (row.type !== 'conversation') {
      throw new BadRowError('type', 'only a row of the type "conversation" is a trajectory')
    }
    const { messages } = checkShape(rowSchema, row)
    return { ...nothingSaid, body: { turns: toTurns(messages, 'messages') } }
  },
}

import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import type { Turn } from '../turn.ts'
import { sharegptTurns, sharegptTurnsSchema } from './sharegpt-turns.ts'

const rowSchema = z.looseObject({ conversations: sharegptTurnsSchema, system: z.string().nullish() })

/** LLaMA-Factory's ShareGPT form, `{conversations: [{from, value}], system?}`. */
export const llamaFactoryReader: TrajectoryReader = {
  description: 'LLaMA-Factory’s ShareGPT form: `{conversations: [{from, value}], system?}`',
  read(row) {
    const { conversations, system } = checkShape(rowSchema, row)
    const said: Turn[] = system ? [{ at: 'system', role: 'system', content: system, learned: null }] : []
    return { ...nothingSaid, body: { turns: [...said, ...sharegptTurns(conversations)] } }
  },
}

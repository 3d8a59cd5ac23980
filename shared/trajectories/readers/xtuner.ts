import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import type { Turn } from '../turn.ts'

const rowSchema = z.looseObject({
  conversation: z
    .array(
      z.looseObject({
        system: z.string().nullish(),
        input: z.string(),
        output: z.string(),
        output_with_loss: z.boolean().nullish(),
      }),
    )
    .min(1),
})

/** xtuner's conversations, `{conversation: [{system?, input, output, output_with_loss?}]}`. */
export const xtunerReader: TrajectoryReader = {
  description: 'xtuner: `{conversation: [{system?, input, output, output_with_loss?}]}`',
  read(row) {
    const { conversation } = checkShape(rowSchema, row)
    const turns = conversation.flatMap(
      ({ system, input, output, output_with_loss = null }, index): Turn[] => {
        const at = `conversation[${index}]`
        return [
          ...(system
            ? [{ at: `${at}.system`, role: 'system' as const, content: system, learned: null }]
            : []),
          { at: `${at}.input`, role: 'user', content: input, learned: null },
          { at: `${at}.output`, role: 'assistant', content: output, learned: output_with_loss },
        ]
      },
    )
    return { ...nothingSaid, body: { turns } }
  },
}

import { z } from 'zod'
import { checkShape } from '../shared/data/formats/bad-row-error.ts'
import { nothingSaid } from '../shared/data/formats/read-trajectory.ts'
import { type TwoWayFormat, UnfitRowError } from '../shared/data/formats/trainer-format.ts'

const rowSchema = z.object({ instruction: z.string(), input: z.string(), output: z.string() })

/** The rows of Stanford Alpaca (Taori et al. 2023): an instruction, what it is about, and one answer. No chat, no weights. */
export const alpaca: Omit<TwoWayFormat, 'id'> = {
  description: 'Alpaca: instruction, input and one output.',
  container: 'jsonl',
  readsGzip: false,
  kinds: ['sft'],
  write(row) {
    if (row.type !== 'conversation')
      throw new Error(`alpaca has no place for rows of the type "${row.type}".`)
    const system = row.messages.filter(({ role }) => role === 'system')
    const [asked, answered, ...more] = row.messages.filter(({ role }) => role !== 'system')
    if (asked?.role !== 'user' || answered?.role !== 'assistant' || more.length > 0) {
      throw new UnfitRowError('it has more than one question and one answer')
    }
    return {
      instruction: system.map(({ content }) => content).join('\n\n'),
      input: asked.content,
      output: answered.content,
    }
  },
  show(data) {
    const { instruction, input, output } = rowSchema.parse(data)
    return [
      {
        name: 'messages',
        turns: [
          { role: 'system', content: instruction, learned: false },
          { role: 'user', content: input, learned: false },
          { role: 'assistant', content: output, learned: true },
        ],
      },
    ]
  },
  companions: () => [],
  usage: () => '### Alpaca\n\nUnpack the files of a split and give them to the trainer as its data path.',
  reads: 'Alpaca: `{instruction, input, output}`',
  recognises: (row) => 'instruction' in row && 'output' in row,
  read(row) {
    const { instruction, input, output } = checkShape(rowSchema, row)
    return {
      ...nothingSaid,
      body: {
        turns: [
          { at: 'instruction', role: 'system', content: instruction, learned: false },
          { at: 'input', role: 'user', content: input, learned: false },
          { at: 'output', role: 'assistant', content: output, learned: true },
        ],
      },
    }
  },
}

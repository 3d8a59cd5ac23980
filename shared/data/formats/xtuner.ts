import { z } from 'zod'
import type { ConversationRow } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { alternatingTurns } from './alternating-turns.ts'
import { checkShape } from './bad-row-error.ts'
import { filledSplits } from './data-files.ts'
import { isLearned } from './learned.ts'
import { nothingSaid, type ReadTrajectory, type Turn } from './read-trajectory.ts'
import { showPart } from './shown-parts.ts'
import { type FormatFacts, type TwoWayFormat, unsupportedRow } from './trainer-format.ts'

/**
 * XTuner's `conversation` of inputs and outputs, with which Agent-R was trained. Its `encode_fn` honours
 * `output_with_loss` per turn (InternLM/xtuner 0.2.0, xtuner/dataset/utils.py); Agent-R's own conversion drops it.
 */
export const xtuner: TwoWayFormat = {
  id: 'xtuner',
  description: 'XTuner 0.1 and 0.2: conversations of input and output, each output with or without loss.',
  container: 'json',
  readsGzip: true,
  kinds: ['sft', 'revision', 'exploration'],
  write(row): JsonObject {
    if (row.type !== 'conversation') throw unsupportedRow('xtuner', row.type)
    return { conversation: exchanges(row) }
  },
  show(data) {
    const { conversation } = rowSchema.parse(data)
    const turns = conversation.flatMap(({ system, input, output, output_with_loss }) => [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system, isLearned: false }]),
      { role: 'user' as const, content: input, isLearned: false },
      { role: 'assistant' as const, content: output, isLearned: output_with_loss },
    ])
    return [showPart('messages', turns, (_, index) => turns[index]?.isLearned === true)]
  },
  companions: () => [],
  usage,
  reads: 'xtuner: `{conversation: [{system?, input, output, output_with_loss?}]}`',
  recognises: (row) => 'conversation' in row,
  read,
}

const rowSchema = z.object({
  conversation: z.array(
    z.object({ system: z.string(), input: z.string(), output: z.string(), output_with_loss: z.boolean() }),
  ),
})

/** Rows from elsewhere, in which all but the texts may be missing. */
const readRowSchema = z.looseObject({
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

function read(row: Record<string, unknown>): ReadTrajectory {
  const { conversation } = checkShape(readRowSchema, row)
  const turns = conversation.flatMap(({ system, input, output, output_with_loss = null }, index): Turn[] => {
    const at = `conversation[${index}]`
    return [
      ...(system ? [{ at: `${at}.system`, role: 'system' as const, content: system, learned: null }] : []),
      { at: `${at}.input`, role: 'user', content: input, learned: null },
      { at: `${at}.output`, role: 'assistant', content: output, learned: output_with_loss },
    ]
  })
  return { ...nothingSaid, body: { turns } }
}

function exchanges({ messages }: ConversationRow): JsonObject[] {
  const { system, turns } = alternatingTurns(messages)
  const pairs: JsonObject[] = []
  for (let index = 0; index < turns.length; index += 2) {
    const [question, answer] = turns.slice(index, index + 2)
    if (question === undefined || answer === undefined) break
    pairs.push({
      system: index === 0 ? system : '',
      input: question.content,
      output: answer.content,
      output_with_loss: isLearned(answer),
    })
  }
  return pairs
}

function usage(facts: FormatFacts): string {
  const [[, names] = ['train', []]] = filledSplits(facts)
  return `### XTuner

In the configuration:

\`\`\`python
train_dataset = dict(
    type=process_hf_dataset,
    dataset=dict(type=load_dataset, path="json", data_files=${JSON.stringify(names)}),
    dataset_map_fn=None,
    template_map_fn=dict(type=template_map_fn_factory, template=prompt_template),
    remove_unused_columns=True,
    …
)
\`\`\`

\`output_with_loss\` is honoured as it is. The newer XTuner v1 reads the format \`openai\`, without the weights.`
}

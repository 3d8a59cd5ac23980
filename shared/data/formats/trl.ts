import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { messagesRead, plainMessages, promptText, readMessages } from './chat-messages.ts'
import { messageColumns, referenceColumn, textColumn } from './column-types.ts'
import { filledSplits } from './data-files.ts'
import { checkLearnsAll, learningStart, learnsAlong } from './learned.ts'
import { allOfIt, chatTurnsSchema, contextOnly, showPart, showSteps, theModels } from './shown-parts.ts'
import { type DatasetFormat, type FormatFacts, UnfitRowError } from './trainer-format.ts'
import { picturedColumns, picturedUsage, showPictured, writePictured } from './trl-pictures.ts'

/**
 * Hugging Face TRL's dataset formats (https://huggingface.co/docs/trl/dataset_formats): language modeling, prompt and
 * completion, preference, unpaired preference, stepwise supervision, and prompts.
 *
 * TRL has no weights. A row that learns some of the model's turns is split at the first learned turn. The turns
 * before it are the prompt, which has no loss. The others are the completion, whose user turns `assistant_only_loss`
 * excludes.
 */
export const trl: DatasetFormat = {
  id: 'trl',
  description: 'Hugging Face TRL: SFT, DPO, KTO, process reward and GRPO.',
  container: 'jsonl',
  readsGzip: true,
  kinds: [
    'sft',
    'preference',
    'step-preference',
    'revision',
    'exploration',
    'unpaired',
    'process-reward',
    'prompts',
  ],
  pictures: {
    kinds: ['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'prompts'],
    place: 'files',
  },
  write(row, { kind, isPictured = false }): JsonObject {
    if (isPictured) return writePictured(row)
    switch (row.type) {
      case 'conversation':
        return kind === 'sft' ? wholeConversation(row) : promptAndCompletion(row)
      case 'preference':
        return {
          prompt: plainMessages(row.prompt),
          chosen: plainMessages(row.chosen),
          rejected: plainMessages(row.rejected),
        }
      case 'unpaired':
        return {
          prompt: plainMessages(row.prompt),
          completion: plainMessages(row.completion),
          label: row.label,
        }
      case 'process':
        return {
          prompt: promptText(row.prompt),
          completions: row.completions,
          labels: row.labels,
          values: row.values,
        }
      case 'prompt':
        return { prompt: plainMessages(row.prompt), reference: row.reference }
    }
  },
  columns(kind, isPictured) {
    if (isPictured) return picturedColumns(kind)
    if (kind === 'prompts') return [{ name: 'prompt', list: messageColumns }, referenceColumn]
    if (kind !== 'process-reward') return null
    return [
      textColumn('prompt'),
      { name: 'completions', list: 'string' },
      { name: 'labels', list: 'bool' },
      { name: 'values', list: 'float64' },
    ]
  },
  show,
  companions: () => [],
  usage,
  reads: messagesRead,
  recognises: (row) => Array.isArray(row.prompt) && Array.isArray(row.completion) && !('label' in row),
  read: readMessages,
}

const chatSchema = z.object({ messages: chatTurnsSchema })
const promptSchema = z.object({ prompt: chatTurnsSchema })
const completedSchema = promptSchema.extend({ completion: chatTurnsSchema })
const judgedSchema = completedSchema.extend({ label: z.boolean() })
const pairSchema = promptSchema.extend({ chosen: chatTurnsSchema, rejected: chatTurnsSchema })

/** DPO and KTO mask no turns, so the environment's turns within a side count as well. */
function show(data: JsonObject, kind: DatasetKindId): ShownPart[] {
  if ('images' in data) return showPictured(data)
  const prompted = (given: z.infer<typeof promptSchema>) => showPart('prompt', given.prompt, contextOnly)
  switch (kind) {
    case 'sft':
      return [showPart('messages', chatSchema.parse(data).messages, theModels)]
    case 'revision':
    case 'exploration': {
      const row = completedSchema.parse(data)
      return [prompted(row), showPart('completion', row.completion, theModels)]
    }
    case 'preference':
    case 'step-preference': {
      const row = pairSchema.parse(data)
      const sides = (['chosen', 'rejected'] as const).map((name) => showPart(name, row[name], allOfIt))
      return [prompted(row), ...sides]
    }
    case 'unpaired': {
      const row = judgedSchema.parse(data)
      return [prompted(row), { ...showPart('completion', row.completion, allOfIt), label: row.label }]
    }
    case 'process-reward':
      return showSteps(data)
    case 'prompts':
      return [prompted(promptSchema.parse(data))]
  }
}

function wholeConversation(row: ConversationRow): JsonObject {
  checkLearnsAll(row, 'TRL')
  return { messages: plainMessages(row.messages) }
}

function promptAndCompletion(row: ConversationRow): JsonObject {
  const start = learningStart(row)
  if (start === null || start === 0) {
    throw new UnfitRowError(
      'TRL learns from one turn of the model on, so that a prompt must stand before it, and no later turn of the model may be context only',
    )
  }
  return {
    prompt: plainMessages(row.messages.slice(0, start)),
    completion: plainMessages(row.messages.slice(start)),
  }
}

const sft = (settings: string) =>
  `from trl import SFTConfig, SFTTrainer

trainer = SFTTrainer(model="…", train_dataset=rows, args=SFTConfig(${settings}))`

const prm = `from trl.experimental.prm import PRMConfig, PRMTrainer  # TRL 1.13 or earlier: later ones have no such trainer

rows = rows.select_columns(["prompt", "completions", "labels"])
trainer = PRMTrainer(model=…, processing_class=…, train_dataset=rows, args=PRMConfig(max_length=None, max_completion_length=None))`

const dpo = `from trl import DPOConfig, DPOTrainer

trainer = DPOTrainer(model="…", train_dataset=rows, args=DPOConfig(max_length=None))`

const recipes: Record<DatasetKindId, string> = {
  sft: sft('assistant_only_loss=True, max_length=None'),
  revision: sft('completion_only_loss=True, assistant_only_loss=True, max_length=None'),
  exploration: sft('completion_only_loss=True, assistant_only_loss=True, max_length=None'),
  preference: dpo,
  'step-preference': dpo,
  unpaired: `from trl import KTOConfig, KTOTrainer

trainer = KTOTrainer(model="…", train_dataset=rows, args=KTOConfig(max_length=None))`,
  'process-reward': prm,
  prompts: `from trl import GRPOConfig, GRPOTrainer

def verify(completions, reference, **_):  # plays on from the prompt as the reference says, and returns the rewards
    …

trainer = GRPOTrainer(model="…", reward_funcs=verify, train_dataset=rows, args=GRPOConfig())`,
}

const notes: Partial<Record<DatasetKindId, string>> = {
  sft: `\`assistant_only_loss\` keeps the environment’s words out of the loss. It needs a chat template that marks what is generated; TRL brings one for the common models. ${learnsAlong}`,
  revision:
    'Both settings are needed: without `assistant_only_loss`, what the environment says after the revision is learned too; without `completion_only_loss`, the bad beginning is.',
  exploration: 'One turn is learned: the completion.',
  preference:
    'TRL counts every token of a side, the environment’s words in it too: it masks no turns in DPO. Steps (`step-preference`) have none.',
  unpaired: 'TRL counts every token of a completion, the environment’s words in it too.',
  'process-reward':
    'The prompt is plain text, each turn with an empty line after it. `values` holds the tree’s value of each step, for trainers that learn numbers.',
}

function usage(facts: FormatFacts): string {
  const { kind } = facts
  if (facts.isPictured) return picturedUsage(facts)
  const [[first] = ['train']] = filledSplits(facts)
  const note = notes[kind]
  return `### TRL

\`\`\`python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", split="${first}")

${recipes[kind]}
\`\`\`

\`max_length=None\` matters: by default TRL cuts rows at 1,024 tokens without a word.${note === undefined ? '' : `\n\n${note}`}`
}

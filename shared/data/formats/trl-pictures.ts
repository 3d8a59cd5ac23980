import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow, DatasetRow, RowMessage } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { type ColumnType, jsonColumn, referenceColumn, textColumn } from './column-types.ts'
import { imagesSchema, openTurns, placeMessages } from './content-parts.ts'
import { filledSplits } from './data-files.ts'
import { learnsLastOnly } from './learned.ts'
import { pictureFiles } from './picture-names.ts'
import { allOfIt, contextOnly, showPart, theModels } from './shown-parts.ts'
import { structuredTurns, toolsColumn, toolsOfRow } from './structured-turns.ts'
import { type FormatFacts, type RowStructure, UnfitRowError, unsupportedRow } from './trainer-format.ts'

/**
 * TRL's vision datasets (1.16.0, https://huggingface.co/docs/trl/dataset_formats#vision-datasets): contents are lists
 * of parts, and `images` fills the placeholders in their order. Its collators fill only those of the prompt, and mask
 * no turns within a completion: so a conversation becomes a prompt and the one answer to learn.
 */
export function writePictured(row: DatasetRow): JsonObject {
  switch (row.type) {
    case 'conversation':
      return promptAndAnswer(row)
    case 'preference':
      return {
        ...prompted(row, row.prompt),
        chosen: withoutPictures('chosen side', row, row.chosen),
        rejected: withoutPictures('rejected side', row, row.rejected),
        ...toolsColumn(row),
      }
    case 'unpaired':
      return {
        ...prompted(row, row.prompt),
        completion: withoutPictures('completion', row, row.completion),
        label: row.label,
        ...toolsColumn(row),
      }
    case 'prompt':
      return { ...prompted(row, row.prompt), reference: row.reference, ...toolsColumn(row) }
    default:
      throw unsupportedRow('trl', row.type)
  }
}

function prompted(row: DatasetRow, prompt: readonly RowMessage[]): JsonObject {
  return { prompt: placeMessages(structuredTurns(prompt, toolsOfRow(row))), images: pictureFiles(prompt) }
}

function promptAndAnswer(row: ConversationRow): JsonObject {
  if (!learnsLastOnly(row)) {
    throw new UnfitRowError(
      'of rows that show pictures TRL learns a whole completion, so that a row with several answers to learn would teach the environment’s words too',
    )
  }
  const last = row.messages.length - 1
  return {
    ...prompted(row, row.messages.slice(0, last)),
    completion: placeMessages(structuredTurns(row.messages.slice(last), row.tools, last)),
    ...toolsColumn(row),
  }
}

function withoutPictures(
  name: string,
  row: DatasetRow & { prompt: readonly RowMessage[] },
  messages: readonly RowMessage[],
) {
  if (pictureFiles(messages).length === 0) {
    return placeMessages(structuredTurns(messages, toolsOfRow(row), row.prompt.length))
  }
  throw new UnfitRowError(
    `the ${name} shows pictures, and TRL shows those of the prompt alone; rows of single answers have them there (step-preference; unpaired with "level": "step"), and the format parquet holds both`,
  )
}

const partColumns: ColumnType[] = [
  textColumn('role'),
  { name: 'content', list: [textColumn('type'), textColumn('text')] },
]

export function picturedColumns(
  kind: DatasetKindId,
  { calls, thoughts }: RowStructure = { calls: false, thoughts: false },
): ColumnType[] {
  const turns = (name: string): ColumnType =>
    calls || thoughts ? jsonColumn(name) : { name, list: partColumns }
  const tools = calls ? [jsonColumn('tools')] : []
  const prompt = [turns('prompt'), { name: 'images', list: 'string' }, ...tools]
  switch (kind) {
    case 'preference':
    case 'step-preference':
      return [...prompt, turns('chosen'), turns('rejected')]
    case 'unpaired':
      return [...prompt, turns('completion'), { name: 'label', dtype: 'bool' }]
    case 'prompts':
      return [...prompt, referenceColumn]
    default:
      return [...prompt, turns('completion')]
  }
}

const sidesSchema = imagesSchema.extend({
  prompt: z.unknown(),
  completion: z.unknown().optional(),
  chosen: z.unknown().optional(),
  rejected: z.unknown().optional(),
  label: z.boolean().optional(),
})

export function showPictured(data: JsonObject): ShownPart[] {
  const { images = [], prompt, label, ...sides } = sidesSchema.parse(data)
  const turnsOf = openTurns(images)
  const parts = [showPart('prompt', turnsOf(prompt), contextOnly)]
  const masked = label === undefined && sides.chosen === undefined ? theModels : allOfIt
  for (const name of ['completion', 'chosen', 'rejected'] as const) {
    if (sides[name] === undefined) continue
    const part = showPart(name, turnsOf(sides[name]), masked)
    parts.push(label === undefined ? part : { ...part, label })
  }
  return parts
}

const trainers: Partial<Record<DatasetKindId, [trainer: string, configuration: string, settings: string]>> = {
  preference: ['DPOTrainer', 'DPOConfig', 'max_length=None'],
  'step-preference': ['DPOTrainer', 'DPOConfig', 'max_length=None'],
  unpaired: ['KTOTrainer', 'KTOConfig', 'max_length=None'],
}

const supervised = ['SFTTrainer', 'SFTConfig', 'completion_only_loss=True, max_length=None'] as const

function recipeOf(kind: DatasetKindId): string {
  if (kind === 'prompts') {
    return `from trl import GRPOConfig, GRPOTrainer

def verify(completions, reference, **_):  # plays on from the prompt as the reference says, and returns the rewards
    …

trainer = GRPOTrainer(model="…", reward_funcs=verify, train_dataset=rows, args=GRPOConfig())`
  }
  const [trainer, configuration, settings] = trainers[kind] ?? supervised
  return `from trl import ${configuration}, ${trainer}

trainer = ${trainer}(model="…", train_dataset=rows, args=${configuration}(${settings}))`
}

export const answerLimitNote = 'By default TRL ends an answer after 512 tokens: set `max_completion_length`.'

export function picturedUsage(facts: FormatFacts): string {
  const [[split] = ['train']] = filledSplits(facts)
  return `### TRL

The rows name pictures in the folder \`images\`. They need a model that sees, and Pillow and torchvision beside TRL:

\`\`\`python
import os
from datasets import Image, List, load_dataset

folder = "path/to/this/folder"
rows = load_dataset(folder, split="${split}")
rows = rows.map(lambda row: {"images": [os.path.join(folder, name) for name in row["images"]]})
rows = rows.cast_column("images", List(Image()))

${recipeOf(facts.kind)}
\`\`\`

${facts.kind === 'prompts' ? answerLimitNote : '`max_length=None` matters: by default TRL cuts rows at 1,024 tokens, which cuts into pictures.'}`
}

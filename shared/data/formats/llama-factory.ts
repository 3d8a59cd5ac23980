import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow, DatasetRow, RowMessage, RowOf } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { alternatingTurns } from './alternating-turns.ts'
import { checkShape } from './bad-row-error.ts'
import { rawTurnsSchema, systemTurn } from './chat-messages.ts'
import { type ColumnType, textColumn } from './column-types.ts'
import { filledSplits, unpackedName } from './data-files.ts'
import { checkLearnsAll, learnsAlong, learnsLastOnly } from './learned.ts'
import { pictureFiles, toShownPicture } from './picture-names.ts'
import { nothingSaid, type ReadTrajectory } from './read-trajectory.ts'
import { fromSharegpt, type SharegptTurn, sharegptTurnSchema, sharegptTurns } from './sharegpt.ts'
import { contextOnly, showPart, theModels } from './shown-parts.ts'
import { type StructuredTurn, structuredTurns, toolsOfRow } from './structured-turns.ts'
import {
  type CompanionFile,
  type FormatFacts,
  type TwoWayFormat,
  UnfitRowError,
  unsupportedRow,
} from './trainer-format.ts'

/**
 * LLaMA-Factory's ShareGPT format with the `dataset_info.json` that names its columns (hiyouga/LLaMA-Factory 0.9.5,
 * data/README.md; src/llamafactory/data/converter.py). LLaMA-Factory skips rows whose turns do not alternate, with
 * only a warning; this format counts them and leaves them out.
 */
export const llamaFactory: TwoWayFormat = {
  id: 'llama-factory',
  description: 'LLaMA-Factory: ShareGPT conversations, ranking and KTO, with their dataset_info.json.',
  container: 'jsonl',
  readsGzip: false,
  kinds: ['sft', 'step-preference', 'exploration', 'unpaired'],
  pictures: { kinds: ['sft', 'step-preference', 'exploration', 'unpaired'], place: 'files' },
  write(row, { kind, isPictured = false }): JsonObject {
    switch (row.type) {
      case 'conversation':
        return conversation(row, learnsLast(kind, isPictured), isPictured)
      case 'preference':
        return ranking(row, isPictured)
      case 'unpaired':
        return feedback(row, isPictured)
      default:
        throw unsupportedRow('llama-factory', row.type)
    }
  },
  columns: (kind, isPictured, { calls } = { calls: false, thoughts: false }) =>
    calls || isPictured ? columnsOf(kind, isPictured, calls) : null,
  keepsThoughts: () => true,
  show,
  companions,
  usage,
  reads: 'LLaMA-Factory’s ShareGPT form: `{conversations: [{from, value}], system?}`',
  recognises: (row) => 'conversations' in row && !('chosen' in row),
  read,
}

const dialogueSchema = z.object({
  system: z.string(),
  conversations: z.array(sharegptTurnSchema),
  images: z.array(z.string()).optional(),
})
const rankingSchema = z.object({ chosen: sharegptTurnSchema, rejected: sharegptTurnSchema })
const feedbackSchema = z.object({ kto_tag: z.boolean() })

/**
 * True for a conversation that teaches only its last answer, as `mask_history` has it. With pictures, each answer is
 * a row of its own.
 */
function learnsLast(kind: DatasetKindId, isPictured: boolean): boolean {
  return kind === 'exploration' || isPictured
}

function show(data: JsonObject, kind: DatasetKindId): ShownPart[] {
  const { system, conversations, images } = dialogueSchema.parse(data)
  const names = (images ?? []).values()
  const seen = (turn: z.infer<typeof sharegptTurnSchema>) => {
    const { role, content } = fromSharegpt(turn)
    if (images === undefined || role === 'assistant') return { role, content }
    const texts = content.split(placeholder)
    const pictures = texts.slice(1).map(() => toShownPicture(names.next().value ?? ''))
    return { role, content: texts.join(''), ...(pictures.length > 0 && { pictures }) }
  }
  const turns = [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...conversations.map(seen),
  ]
  if (kind === 'step-preference') {
    const { chosen, rejected } = rankingSchema.parse(data)
    return [
      showPart('prompt', turns, contextOnly),
      showPart('chosen', [fromSharegpt(chosen)], theModels),
      showPart('rejected', [fromSharegpt(rejected)], theModels),
    ]
  }
  if (kind === 'unpaired') {
    return [
      showPart('prompt', turns.slice(0, -1), contextOnly),
      { ...showPart('completion', turns.slice(-1), theModels), label: feedbackSchema.parse(data).kto_tag },
    ]
  }
  const last = (_: unknown, index: number) => index === turns.length - 1
  return [showPart('messages', turns, learnsLast(kind, images !== undefined) ? last : theModels)]
}

const readRowSchema = z.looseObject({ conversations: rawTurnsSchema, system: z.unknown().optional() })

function read(row: Record<string, unknown>): ReadTrajectory {
  const { conversations, system } = checkShape(readRowSchema, row)
  const turns = [...systemTurn(system, 'system'), ...sharegptTurns(conversations)]
  return { ...nothingSaid, body: { turns } }
}

function conversation(row: ConversationRow, isLastOnly: boolean, isPictured: boolean): JsonObject {
  if (!isLastOnly) checkLearnsAll(row, 'LLaMA-Factory')
  else if (!learnsLastOnly(row)) {
    throw new UnfitRowError(
      'LLaMA-Factory masks all turns of the model but the last, and others are learned too',
    )
  }
  return withColumns(row, row.messages, isPictured)
}

function ranking(row: RowOf<'preference'>, isPictured: boolean): JsonObject {
  const { prompt, chosen, rejected } = row
  const [[good], [bad]] = [chosen, rejected]
  if (good === undefined || bad === undefined || chosen.length + rejected.length > 2) {
    throw new UnfitRowError(
      'a side has more than one message, and LLaMA-Factory ranks two answers of one message each',
    )
  }
  if (isPictured) checkNoPlaceholder([good, bad])
  const answer = (message: RowMessage) =>
    structuredTurns([message], row.tools, prompt.length).map(sharegptTurnOf)[0] as SharegptTurn
  return { ...withColumns(row, prompt, isPictured), chosen: answer(good), rejected: answer(bad) }
}

function feedback(row: RowOf<'unpaired'>, isPictured: boolean): JsonObject {
  const { prompt, completion, label } = row
  if (completion.length !== 1) {
    throw new UnfitRowError(
      'the completion has more than one message, and LLaMA-Factory’s KTO takes one answer; `level: "step"` makes such rows',
    )
  }
  return { ...withColumns(row, [...prompt, ...completion], isPictured), kto_tag: label }
}

/**
 * The system text is a column of its own, empty if there is none: LLaMA-Factory reads it for every row. Pictures are
 * the column `images`, with `<image>` in the text at each position.
 */
function withColumns(
  row: DatasetRow,
  messages: ConversationRow['messages'],
  isPictured: boolean,
): JsonObject {
  const { system, turns } = alternatingTurns(messages)
  const structured = structuredTurns(turns, toolsOfRow(row))
  const tools = toolsText(row)
  if (!isPictured) return { conversations: structured.map(sharegptTurnOf), system, ...tools }
  checkNoPlaceholder(messages)
  const conversations = structured.map((turn) => {
    const { from, value } = sharegptTurnOf(turn)
    return { from, value: value + placeholder.repeat(turn.pictures?.length ?? 0) }
  })
  return { conversations, system, ...tools, images: pictureFiles(turns) }
}

/**
 * A turn with its call as LLaMA-Factory's `function_call`: the JSON alone, or after words and in its marks. Thoughts
 * are before it in `<think>`, where its templates look for them (0.9.5, `FunctionFormatter`, `ReasoningTemplate`).
 */
function sharegptTurnOf({ role, content, reasoning, call }: StructuredTurn): SharegptTurn {
  const thoughts = reasoning === undefined ? '' : `<think>\n${reasoning}\n</think>\n\n`
  if (call === undefined) {
    const from = { system: 'human', user: 'human', assistant: 'gpt', tool: 'observation' } as const
    return { from: from[role], value: `${thoughts}${content}` }
  }
  const json = JSON.stringify({ name: call.name, arguments: call.arguments })
  const value = content === '' ? json : `${content}\n<tool_call>${json}</tool_call>`
  return { from: 'function_call', value: `${thoughts}${value}` }
}

function toolsText(row: DatasetRow): { tools?: string } {
  const tools = toolsOfRow(row)
  if (tools === undefined) return {}
  return {
    tools: JSON.stringify(
      tools.map(({ name, description, schema }) => ({ name, description, parameters: schema })),
    ),
  }
}

/** Rows of a dataset with tools or pictures may have none, as general conversations: later files need the same columns. */
function columnsOf(kind: DatasetKindId, isPictured: boolean, hasTools: boolean): ColumnType[] {
  const turn = [textColumn('from'), textColumn('value')]
  const sides = kind === 'step-preference' ? ['chosen', 'rejected'] : []
  return [
    { name: 'conversations', list: turn },
    ...['system', ...(hasTools ? ['tools'] : [])].map(textColumn),
    ...(isPictured ? [{ name: 'images', list: 'string' }] : []),
    ...sides.map((name) => ({ name, struct: turn })),
    ...(kind === 'unpaired' ? [{ name: 'kto_tag', dtype: 'bool' }] : []),
  ]
}

const placeholder = '<image>'
/** Texts that LLaMA-Factory treats as placeholders anywhere (0.9.5, `IMAGE_PLACEHOLDER` and similar). */
const places = /<(?:image|video|audio)>/

/** @throws UnfitRowError for a text in which a trainer would look for a missing picture */
function checkNoPlaceholder(messages: readonly Message[]): void {
  const found = messages.flatMap(({ content }) => places.exec(content) ?? [])[0]
  if (found === undefined) return
  throw new UnfitRowError(`a text has ${found}, which LLaMA-Factory takes for the place of a picture`)
}

function companions(facts: FormatFacts): CompanionFile[] {
  const info = Object.fromEntries(
    llamaFactoryEntries(facts).map(({ name, file }) => [
      name,
      {
        file_name: unpackedName(file),
        formatting: 'sharegpt',
        ...(facts.kind === 'step-preference' ? { ranking: true } : {}),
        columns: {
          messages: 'conversations',
          system: 'system',
          ...(facts.structure?.calls ? { tools: 'tools' } : {}),
          ...(facts.isPictured ? { images: 'images' } : {}),
          ...(facts.kind === 'step-preference' ? { chosen: 'chosen', rejected: 'rejected' } : {}),
          ...(facts.kind === 'unpaired' ? { kto_tag: 'kto_tag' } : {}),
        },
        tags: {
          role_tag: 'from',
          content_tag: 'value',
          user_tag: 'human',
          assistant_tag: 'gpt',
          ...(facts.structure?.calls
            ? { observation_tag: 'observation', function_tag: 'function_call' }
            : {}),
        },
      },
    ]),
  )
  const text = `${JSON.stringify(info, null, 2)}\n`
  return [{ name: 'dataset_info.json', content_type: 'application/json', text }]
}

const stages: Partial<Record<DatasetKindId, string>> = {
  sft: 'stage: sft',
  exploration: 'stage: sft',
  'step-preference': 'stage: dpo',
  unpaired: 'stage: kto',
}

const calls =
  'Calls are turns `function_call`, their results `observation`, and `tools` has the offered tools: choose the `template` of the model, which words all three.'

function usage(facts: FormatFacts): string {
  const entries = llamaFactoryEntries(facts)
  const [first, ...others] = filledSplits(facts).map(([split]) => split)
  const names = (split: string | undefined) =>
    entries
      .filter((entry) => entry.split === split)
      .map(({ name }) => name)
      .join(',')
  const isLastOnly =
    (facts.kind === 'sft' || facts.kind === 'exploration') &&
    learnsLast(facts.kind, facts.isPictured === true)
  const held =
    others.length === 0 ? '' : `\neval_dataset: ${others.map(names).join(',')}  # ${others.join(', ')}`
  return `### LLaMA-Factory

In the YAML of the training:

\`\`\`yaml
${stages[facts.kind]}${isLastOnly ? '\nmask_history: true  # the last turn alone is learned' : ''}
dataset_dir: path/to/this/folder  # with its dataset_info.json${facts.isPictured ? '\nmedia_dir: path/to/this/folder  # where the folder images lies; the model must be one that sees' : ''}
dataset: ${names(first)}${held}
cutoff_len: 8192  # longer rows are cut without a word
\`\`\`${facts.kind === 'sft' && !isLastOnly ? `\n\n${learnsAlong}` : ''}${facts.structure?.calls ? `\n\n${calls}` : ''}`
}

function llamaFactoryEntries({
  title,
  files,
}: Pick<FormatFacts, 'title' | 'files'>): { name: string; split: string; file: string }[] {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = slug === '' ? 'espalier' : slug
  const splits = filledSplits({ files })
  return splits.flatMap(([split, names]) =>
    names.map((file, index) => {
      const number = names.length === 1 ? '' : `_${String(index + 1).padStart(5, '0')}`
      const part = splits.length === 1 ? '' : `_${split}`
      return { name: `${base}${part}${number}`, split, file }
    }),
  )
}

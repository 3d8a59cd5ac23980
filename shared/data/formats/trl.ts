import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import type { ConversationRow, DatasetRow, RowMessage } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import { messagesRead, promptText, readMessages } from './chat-messages.ts'
import { type ColumnType, jsonColumn, messageColumns, referenceColumn, textColumn } from './column-types.ts'
import { filledSplits } from './data-files.ts'
import { checkLearnsAll, learningStart, learnsAlong } from './learned.ts'
import { allOfIt, chatTurnsSchema, contextOnly, showPart, showSteps, theModels } from './shown-parts.ts'
import { structuredTurns, templateTurn, toolsColumn, toolsOfRow } from './structured-turns.ts'
import { rolloutHookColumns } from './token-columns.ts'
import { rolloutHook, showTokens } from './token-rows.ts'
import {
  type FormatFacts,
  type RowStructure,
  type TwoWayFormat,
  UnfitRowError,
  unsupportedRow,
} from './trainer-format.ts'
import {
  answerLimitNote,
  picturedColumns,
  picturedUsage,
  showPictured,
  writePictured,
} from './trl-pictures.ts'

/**
 * Hugging Face TRL's dataset formats (https://huggingface.co/docs/trl/dataset_formats): language modeling, prompt and
 * completion, preference, unpaired preference, stepwise supervision, and prompts.
 *
 * TRL has no weights. A row that learns some of the model's turns is split at the first learned turn. The turns
 * before it are the prompt, which has no loss. The others are the completion, whose user turns `assistant_only_loss`
 * excludes.
 */
export const trl: TwoWayFormat = {
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
    'rollouts',
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
          prompt: turnsOf(row, row.prompt),
          chosen: turnsOf(row, row.chosen, row.prompt.length),
          rejected: turnsOf(row, row.rejected, row.prompt.length),
          ...toolsColumn(row),
        }
      case 'unpaired':
        return {
          prompt: turnsOf(row, row.prompt),
          completion: turnsOf(row, row.completion, row.prompt.length),
          label: row.label,
          ...toolsColumn(row),
        }
      case 'process':
        return {
          prompt: promptText(row.prompt),
          completions: row.completions,
          labels: row.labels,
          values: row.values,
        }
      case 'prompt':
        return { prompt: turnsOf(row, row.prompt), reference: row.reference, ...toolsColumn(row) }
      case 'rollout':
        return rolloutHook(row)
      case 'rollout-tree':
        throw unsupportedRow('trl', row.type)
    }
  },
  columns(kind, isPictured, structure) {
    if (kind === 'rollouts') return rolloutHookColumns
    if (isPictured) return picturedColumns(kind, structure)
    if (kind !== 'process-reward' && structure !== undefined && (structure.calls || structure.thoughts))
      return structuredColumns(kind, structure)
    if (kind === 'prompts') return [{ name: 'prompt', list: messageColumns }, referenceColumn]
    if (kind !== 'process-reward') return null
    return [
      textColumn('prompt'),
      { name: 'completions', list: 'string' },
      { name: 'labels', list: 'bool' },
      { name: 'values', list: 'float64' },
    ]
  },
  keepsThoughts: (kind) => kind !== 'process-reward',
  show,
  companions: () => [],
  usage,
  reads: messagesRead,
  recognises: (row) => Array.isArray(row.prompt) && Array.isArray(row.completion) && !('label' in row),
  read: readMessages,
}

function turnsOf(row: DatasetRow, turns: readonly RowMessage[], before = 0): JsonObject[] {
  return structuredTurns(turns, toolsOfRow(row), before).map(templateTurn)
}

function structuredColumns(kind: DatasetKindId, { calls }: RowStructure): ColumnType[] {
  const tools = calls ? [jsonColumn('tools')] : []
  const turns = (...names: string[]) => [...names.map(jsonColumn), ...tools]
  switch (kind) {
    case 'preference':
    case 'step-preference':
      return turns('prompt', 'chosen', 'rejected')
    case 'unpaired':
      return [...turns('prompt', 'completion'), { name: 'label', dtype: 'bool' }]
    case 'prompts':
      return [...turns('prompt'), referenceColumn]
    case 'sft':
      return turns('messages')
    default:
      return turns('prompt', 'completion')
  }
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
    case 'rollouts':
    case 'rollout-trees':
      return showTokens(data)
  }
}

function wholeConversation(row: ConversationRow): JsonObject {
  checkLearnsAll(row, 'TRL')
  return { messages: turnsOf(row, row.messages), ...toolsColumn(row) }
}

function promptAndCompletion(row: ConversationRow): JsonObject {
  const start = learningStart(row)
  if (start === null || start === 0) {
    throw new UnfitRowError(
      'TRL learns from one turn of the model on, so that a prompt must stand before it, and no later turn of the model may be context only',
    )
  }
  const turns = turnsOf(row, row.messages)
  return { prompt: turns.slice(0, start), completion: turns.slice(start), ...toolsColumn(row) }
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
  rollouts: `from itertools import cycle
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

generations = …  # rows of a group that a step compares
groups = {}
for row in rows:
    groups.setdefault(row["group"], []).append(row)
groups = {name: members for name, members in groups.items() if len(members) >= generations}  # no row counts twice
turn = {name: cycle(members) for name, members in groups.items()}

def rollout_func(prompts, trainer):  # a prompt is the name of a group, as often as there are generations
    drawn = [next(turn[name]) for name in prompts]
    return {name: [row[name] for row in drawn] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", "reward")}

trainer = GRPOTrainer(
    model="…", args=GRPOConfig(num_generations=generations), rollout_func=rollout_func,
    train_dataset=Dataset.from_dict({"prompt": list(groups)}), reward_funcs=lambda reward, **_: reward,
)`,
  'rollout-trees': '',
}

const notes: Partial<Record<DatasetKindId, string>> = {
  sft: `\`assistant_only_loss\` keeps the environment’s words out of the loss. It needs a chat template that marks what is generated; TRL brings one for the common models. ${learnsAlong}`,
  revision:
    'Both settings are needed: without `assistant_only_loss`, what the environment says after the revision is learned too; without `completion_only_loss`, the bad beginning is.',
  exploration: 'One turn is learned: the completion.',
  preference:
    'TRL counts every token of a side, the environment’s words in it too: it masks no turns in DPO. Steps (`step-preference`) have none.',
  unpaired: 'TRL counts every token of a completion, the environment’s words in it too.',
  prompts: answerLimitNote,
  rollouts:
    'The columns are those of the rollout hook, `reward` and `advantages` besides. TRL computes its own advantages from rewards; those of the rows are for a trainer that takes given ones. Rows of an earlier policy are off-policy: `logprobs` holds the policy’s that sampled them.',
  'process-reward':
    'The prompt is plain text, each turn with an empty line after it. `values` holds the tree’s value of each step, for trainers that learn numbers.',
}

function structureNote({ kind, structure }: FormatFacts): string {
  if (kind === 'process-reward' || structure === undefined) return ''
  const calls = structure.calls
    ? 'Calls are in `tool_calls`, their results in turns of the role `tool`, and the offered tools in the column `tools`: the model’s chat template must have places for them. '
    : ''
  const thoughts = structure.thoughts
    ? '`reasoning_content` holds the model’s thoughts; most chat templates show those of the last turns only, and some need another name for it. '
    : ''
  return calls === '' && thoughts === ''
    ? ''
    : `${calls}${thoughts}The turns are columns of the type \`Json\`, which \`datasets\` has from 4.7 on.`
}

function usage(facts: FormatFacts): string {
  const { kind } = facts
  if (facts.isPictured) return picturedUsage(facts)
  const [[first] = ['train']] = filledSplits(facts)
  const cut = recipes[kind].includes('max_length=None')
    ? '`max_length=None` matters: by default TRL cuts rows at 1,024 tokens without a word.'
    : undefined
  const said = [cut, notes[kind], structureNote(facts)].flatMap((each) => (each ? `\n\n${each}` : []))
  return `### TRL

\`\`\`python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", split="${first}")

${recipes[kind]}
\`\`\`${said.join('')}`
}

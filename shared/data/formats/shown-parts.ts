import { z } from 'zod'
import type { DatasetRow, RowMessage, WeightedMessage } from '../../core/contracts/dataset-row.ts'
import type { ShownPart, ShownTurn } from '../../core/contracts/shown-row.ts'
import { isLearned } from './learned.ts'
import { callSchema, contentWithCalls } from './shown-calls.ts'
import { showTokens } from './token-rows.ts'

export const chatTurnSchema = callSchema
export const chatTurnsSchema = z.array(chatTurnSchema)

type Said = Pick<ShownTurn, 'role' | 'pictures'> & Omit<z.infer<typeof callSchema>, 'role'>

export type LearnedTurns = (turn: Said, index: number) => boolean

export const contextOnly: LearnedTurns = () => false
export const theModels: LearnedTurns = ({ role }) => role === 'assistant'
export const allOfIt: LearnedTurns = () => true
export function learnedOf(messages: readonly WeightedMessage[]): LearnedTurns {
  return (_, index) => {
    const message = messages[index]
    return message !== undefined && isLearned(message)
  }
}

export function showPart(name: ShownPart['name'], said: readonly Said[], learned: LearnedTurns): ShownPart {
  const turns = said.map((turn, index) => ({
    role: turn.role,
    content: contentWithCalls(turn),
    learned: learned(turn, index),
    ...(turn.pictures && { pictures: turn.pictures }),
  }))
  return { name, turns }
}

const stepsSchema = z.object({
  prompt: z.string(),
  completions: z.array(z.string()),
  labels: z.array(z.boolean()),
  values: z.array(z.number()).optional(),
})

/** A prompt in one text, and the steps after it: a process reward model learns their labels, not their words. */
export function showSteps(data: unknown): ShownPart[] {
  const { prompt, ...steps } = stepsSchema.parse(data)
  return [showPart('prompt', [{ role: 'text', content: prompt }], contextOnly), stepsPart(steps)]
}

function stepsPart({ completions, labels, values }: Omit<z.infer<typeof stepsSchema>, 'prompt'>): ShownPart {
  const turns = completions.map((content, index): ShownTurn => {
    const [label, value] = [labels[index], values?.[index]]
    return {
      role: 'assistant',
      content,
      learned: null,
      ...(label !== undefined && { label }),
      ...(value !== undefined && { value }),
    }
  })
  return { name: 'steps', turns }
}

function seen(messages: readonly RowMessage[]): Said[] {
  return messages.map(({ role, content, pictures, reasoning }) => ({
    role,
    content,
    reasoning_content: reasoning,
    ...(pictures && {
      pictures: pictures.map(({ sha256, media_type }) => ({ sha256, media_type, url: null })),
    }),
  }))
}

export function showRow(row: DatasetRow): ShownPart[] {
  if (row.type === 'conversation') {
    return [showPart('messages', seen(row.messages), learnedOf(row.messages))]
  }
  if (row.type === 'rollout' || row.type === 'rollout-tree') return showTokens(row)
  const prompt = showPart('prompt', seen(row.prompt), contextOnly)
  switch (row.type) {
    case 'preference':
      return [
        prompt,
        showPart('chosen', seen(row.chosen), theModels),
        showPart('rejected', seen(row.rejected), theModels),
      ]
    case 'unpaired':
      return [prompt, { ...showPart('completion', seen(row.completion), theModels), label: row.label }]
    case 'process':
      return [prompt, stepsPart(row)]
    case 'prompt':
      return [prompt]
  }
}

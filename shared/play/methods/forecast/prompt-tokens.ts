import type { Message } from '../../../core/contracts/message.ts'
import type { TokenCounter } from '../../models/token-counter.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import { type PromptTemplate, slotPattern } from '../../search/prompt-template.ts'
import type { RoleEffort } from '../effort.ts'
import type { TextSizes } from './measure-prompts.ts'

const emptyHead: Message[] = [
  { role: 'system', content: '' },
  { role: 'user', content: '' },
]
const emptyTurn: Message[] = [
  { role: 'assistant', content: '' },
  { role: 'user', content: '' },
]

export interface AroundSizes {
  head: number
  turn: number
  transcriptTurn: number
}

export async function measureAround(counter: TokenCounter): Promise<AroundSizes> {
  const head = await counter.ofPrompt(emptyHead)
  return {
    head,
    turn: (await counter.ofPrompt([...emptyHead, ...emptyTurn])) - head,
    transcriptTurn:
      (await counter.ofText('--- Agent, turn 1000\n\n--- Environment, turn 1000\n\n')) +
      (await counter.ofText('--- 1000 turns are left out here\n')),
  }
}

export async function measureTexts(
  counter: TokenCounter,
  prompts: readonly PromptTemplate[],
  book: PromptBook,
): Promise<ReadonlyMap<PromptTemplate, number>> {
  const sizes = new Map<PromptTemplate, number>()
  for (const prompt of prompts) {
    sizes.set(prompt, await counter.ofText(book.textOf(prompt).replaceAll(slotPattern, '')))
  }
  return sizes
}

const aroundNote = 64
const shortText = 24

export function policyTokens(
  sizes: TextSizes,
  { turns, notes, max_prompt_tokens }: { turns: number; notes: number; max_prompt_tokens: number },
): number {
  const start = sizes.start + notesTokens(sizes, notes)
  const turn = turnTokens(sizes)
  // The text before the first turn is never cut, nor is the newest turn.
  return sizes.tools + Math.min(start + turns * turn, Math.max(start + turn, max_prompt_tokens))
}

export function turnTokens({ action, around, observation }: TextSizes): number {
  return action + observation + around.turn
}

export function roleTokens(
  sizes: TextSizes,
  { role, prompts }: Pick<RoleEffort, 'role' | 'prompts'>,
  {
    book,
    max_prompt_tokens,
    notes,
    turns,
  }: { turns: number; notes: number; max_prompt_tokens: number; book: PromptBook },
): number {
  if (role === 'embedding') return sizes.objective + Math.max(sizes.first, sizes.observation) + shortText
  const transcript = transcriptTokens(sizes, turns, max_prompt_tokens)
  if (prompts === undefined) return sizes.around.head + sizes.rules + transcript
  const slots: Readonly<Record<string, number>> = {
    rules: sizes.rules,
    transcript,
    history: transcript,
    trace: transcript,
    advice: notesTokens(sizes, notes),
    notes: notesTokens(sizes, notes),
    earlier: notesTokens(sizes, notes),
    action: sizes.action,
    observation: Math.max(sizes.first, sizes.observation),
    outcome: sizes.observation,
    value: shortText,
    later: shortText,
    truth: shortText,
    end: shortText,
    name: shortText,
  }
  const texts = prompts.map((prompt) => book.textOf(prompt))
  const filled = texts.flatMap((text) =>
    [...text.matchAll(slotPattern)].map(([, slot = '']) => slots[slot] ?? sizes.answer),
  )
  const own = prompts.map((prompt) => sizes.texts.get(prompt) as number)
  return [...own, ...filled].reduce((sum, tokens) => sum + tokens, sizes.around.head)
}

function transcriptTokens(
  { action, around, first, observation }: TextSizes,
  turns: number,
  max_prompt_tokens: number,
): number {
  const turn = action + observation + around.transcriptTurn
  const start = first + around.transcriptTurn
  return Math.min(start + turns * turn, Math.max(start + turn, max_prompt_tokens / 2))
}

function notesTokens({ action, answer, objective }: TextSizes, notes: number): number {
  if (notes === 0) return 0
  return aroundNote + notes * (aroundNote + objective + action + answer)
}

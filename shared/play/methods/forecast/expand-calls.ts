import type { Role } from '../../../core/contracts/model-choice.ts'
import type { Usage } from '../../../core/contracts/usage.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { CallsByTurns, Effort } from '../effort.ts'
import type { AskedModels } from './asked-models.ts'
import { answerTokens, type PromptSizes, type TextSizes } from './measure-prompts.ts'
import { policyTokens, roleTokens } from './prompt-tokens.ts'
import { pricedUsage } from './range.ts'

export type SizesOf = (role: 'policy' | Role) => PromptSizes

export interface AlikeCalls {
  role: 'policy' | Role
  count: number
  requests: number
  each: Usage
}

export function expandCalls(
  effort: Effort,
  which: 'expected' | 'at_most',
  { sizesOf, models, book }: { sizesOf: SizesOf; models: AskedModels; book: PromptBook },
): AlikeCalls[] {
  function expand(
    role: AlikeCalls['role'],
    calls: CallsByTurns,
    { answers, answer_tokens = 0 }: { answers: number; answer_tokens?: number | undefined },
    prompt: (sizes: TextSizes, turns: number, max_prompt_tokens: number) => number,
  ): AlikeCalls[] {
    const model = models.get(role)
    if (model === undefined) return []
    const { choice, maxChoices, price } = model
    const requests = maxChoices === null ? 1 : Math.max(1, Math.ceil(answers / maxChoices))
    const max_tokens = Math.max(choice.max_tokens, answer_tokens)
    const sizes = sizesOf(role)[which]
    const answer = which === 'expected' ? answerTokens({ max_tokens }) : max_tokens
    return calls.flatMap((count, turns) => {
      if (count === 0) return []
      const input_tokens = prompt(sizes, turns, choice.max_prompt_tokens)
      const used = { model_calls: 1, input_tokens, output_tokens: (answers / requests) * answer }
      return [{ role, count: count * requests, requests, each: pricedUsage(used, price) }]
    })
  }

  const { answers = 1, answer_tokens, notes, others = [] } = effort
  return [
    ...expand('policy', effort[which], { answers, answer_tokens }, (sizes, turns, max_prompt_tokens) =>
      policyTokens(sizes, { turns, notes: notes?.[which] ?? 0, max_prompt_tokens }),
    ),
    ...others.flatMap((other) =>
      expand(other.role, other[which], other, (sizes, turns, max_prompt_tokens) =>
        roleTokens(sizes, other, { turns, notes: other.notes?.[which] ?? 0, max_prompt_tokens, book }),
      ),
    ),
  ]
}

export function countAlike(calls: readonly AlikeCalls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0)
}

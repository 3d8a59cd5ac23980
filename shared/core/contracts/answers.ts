import { z } from 'zod'
import { roleSchema } from './model-choice.ts'

/**
 * The faults of a model's answer. An answer has at most one: the first that holds, in the order of the faults'
 * descriptions.
 */
export const answerFaultSchema = z
  .enum(['filtered', 'refused', 'cut', 'empty', 'unparsable'])
  .describe(
    '`filtered`: withheld or interrupted by a content filter. `refused`: marked by the endpoint as a refusal, apart from content. `cut`: ended by the limit on its length, whatever its text. `empty`: without text. `unparsable`: text in none of the requested forms.',
  )

export type AnswerFault = z.infer<typeof answerFaultSchema>

const endings = {
  filtered: new Set(['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content']),
  refused: new Set(['refusal']),
  cut: new Set(['length', 'max_tokens', 'model_length']),
}

export function faultOfEnding(finish_reason: string | null | undefined): keyof typeof endings | null {
  const word = finish_reason?.toLowerCase() ?? ''
  return (['filtered', 'refused', 'cut'] as const).find((fault) => endings[fault].has(word)) ?? null
}

const tallyShape = {
  total: z
    .int()
    .nonnegative()
    .describe('Number of all answers. A call that asks for several samples has several answers.'),
  cut: z
    .int()
    .nonnegative()
    .describe('Answers ended by the limit on their length (`max_tokens`), whatever their text.'),
  empty: z.int().nonnegative().describe('Answers without text, except cut answers.'),
  filtered: z.int().nonnegative().describe('Answers withheld or interrupted by a content filter.'),
  refused: z.int().nonnegative().describe('Answers marked by the endpoint as refusals, apart from content.'),
  unparsable: z
    .int()
    .nonnegative()
    .describe(
      'Other answers not in the requested form: an answer of the agent without `Action:`, or an unreadable verdict or program.',
    ),
}

const answerTallySchema = z.object(tallyShape)

export type AnswerTally = z.infer<typeof answerTallySchema>

export const answerCountsSchema = z
  .object({
    ...tallyShape,
    by_role: z
      .partialRecord(roleSchema, answerTallySchema)
      .exactOptional()
      .describe(
        'Counts for roles such as the judge (`value`), included in the totals. The other answers are the agent’s.',
      ),
  })
  .meta({ id: 'AnswerCounts' })

export type AnswerCounts = z.infer<typeof answerCountsSchema>

export const answerWarningSchema = z
  .object({
    asked: z
      .enum(['policy', ...roleSchema.options])
      .describe('The role that gave the answers; `policy` is the agent.'),
    fault: answerFaultSchema,
    count: z.int(),
    total: z.int().describe('Number of all answers of the same model.'),
    share: z.number().describe('`count` divided by `total`, 0 to 1.'),
    param: z.string().nullable().describe('The field of the run to change; null if there is none.'),
    message: z.string(),
  })
  .meta({ id: 'AnswerWarning' })

export type AnswerWarning = z.infer<typeof answerWarningSchema>

export const noTally: Readonly<AnswerTally> = {
  total: 0,
  cut: 0,
  empty: 0,
  filtered: 0,
  refused: 0,
  unparsable: 0,
}

export function addAnswers(left: AnswerCounts, right: AnswerCounts): AnswerCounts {
  return combine(left, right, 1)
}

export function subtractAnswers(from: AnswerCounts, counted: AnswerCounts): AnswerCounts {
  return combine(from, counted, -1)
}

function combine(left: AnswerCounts, right: AnswerCounts, sign: 1 | -1): AnswerCounts {
  if (!left.by_role && !right.by_role) return combineTallies(left, right, sign)
  const by_role: NonNullable<AnswerCounts['by_role']> = {}
  for (const role of roleSchema.options) {
    const [one, other] = [left.by_role?.[role], right.by_role?.[role]]
    if (one ?? other) by_role[role] = combineTallies(one ?? noTally, other ?? noTally, sign)
  }
  return { ...combineTallies(left, right, sign), ...(Object.keys(by_role).length > 0 && { by_role }) }
}

function combineTallies(left: AnswerTally, right: AnswerTally, sign: 1 | -1): AnswerTally {
  return {
    total: left.total + sign * right.total,
    cut: left.cut + sign * right.cut,
    empty: left.empty + sign * right.empty,
    filtered: left.filtered + sign * right.filtered,
    refused: left.refused + sign * right.refused,
    unparsable: left.unparsable + sign * right.unparsable,
  }
}

import type { AnswerCounts, AnswerFault, AnswerTally, AnswerWarning } from './answers.ts'
import { noTally, subtractAnswers } from './answers.ts'
import { type Role, roleSchema, simulatedAnswerTokens } from './model-choice.ts'
import type { RunRequest } from './run.ts'

type Asked = 'policy' | Role

/** The minimum share of faulty answers for a warning; an occasional malformed answer costs one step only. */
const leastShare: Readonly<Record<AnswerFault, number>> = {
  cut: 0.01,
  empty: 0.01,
  filtered: 0.01,
  refused: 0.01,
  unparsable: 0.1,
}

const faults = ['cut', 'empty', 'filtered', 'refused', 'unparsable'] as const satisfies AnswerFault[]

export function answerWarnings(
  answers: AnswerCounts | null,
  request: Pick<RunRequest, 'model' | 'roles'>,
): AnswerWarning[] {
  if (answers === null) return []
  return talliesOf(answers).flatMap(([asked, tally]) =>
    faults.flatMap((fault) => {
      const count = tally[fault]
      const share = tally.total === 0 ? 0 : count / tally.total
      if (share < leastShare[fault]) return []
      const { param, advice } = adviceOn(fault, asked, request)
      const who = asked === 'policy' ? "the agent's answers" : `the answers of the role "${asked}"`
      const message = `${percent(share)} of ${who} (${count} of ${tally.total}) ${wordsFor(fault, asked)}: ${advice}.`
      return [{ asked, fault, count, total: tally.total, share, param, message }]
    }),
  )
}

export function answerLimitOf(
  asked: Asked,
  { model, roles }: Pick<RunRequest, 'model' | 'roles'>,
): { param: string; max_tokens: number } {
  const own = asked === 'policy' ? undefined : roles[asked]?.max_tokens
  return own === undefined
    ? { param: 'model.max_tokens', max_tokens: model.max_tokens ?? simulatedAnswerTokens }
    : { param: `roles.${asked}.max_tokens`, max_tokens: own }
}

function talliesOf({ by_role = {}, ...all }: AnswerCounts): [Asked, AnswerTally][] {
  const roles = roleSchema.options.flatMap((role): [Role, AnswerTally][] => {
    const tally = by_role[role]
    return tally ? [[role, tally]] : []
  })
  const agent = roles.reduce<AnswerTally>((left, [, tally]) => subtractAnswers(left, tally), {
    ...noTally,
    ...all,
  })
  return [['policy', agent], ...roles]
}

function wordsFor(fault: AnswerFault, asked: Asked): string {
  switch (fault) {
    case 'cut':
      return 'were cut at max_tokens'
    case 'empty':
      return 'were empty'
    case 'filtered':
      return 'were held back by a content filter'
    case 'refused':
      return 'were refusals'
    case 'unparsable':
      return asked === 'policy' ? 'were not in the form asked for' : 'could not be read'
  }
}

function adviceOn(
  fault: AnswerFault,
  asked: Asked,
  request: Pick<RunRequest, 'model' | 'roles'>,
): { param: string | null; advice: string } {
  const { param, max_tokens } = answerLimitOf(asked, request)
  switch (fault) {
    case 'cut':
      return { param, advice: `raise ${param} (now ${max_tokens})` }
    case 'empty':
      return {
        param: null,
        advice:
          "they ended by themselves, so more tokens do not help: see that the server's reasoning parser and chat template fit the model, and what the endpoint sends",
      }
    case 'filtered':
      return { param: null, advice: "change the filter's settings at the endpoint, or the prompts" }
    case 'refused':
      return { param: 'prompts', advice: 'change the prompts, or choose another model' }
    case 'unparsable':
      return asked === 'policy'
        ? { param: 'model', advice: 'choose a model that keeps to the form, or change the prompts' }
        : { param: `roles.${asked}`, advice: `choose another model in roles.${asked}, or change the prompts` }
  }
}

function percent(share: number): string {
  return `${share === 1 ? 100 : Math.min(99, Math.round(100 * share))} %`
}

import { type Formula, formulaText } from '../planning/formula.ts'
import { type Language, say } from './language.ts'

export function goalText(goal: Formula, language: Language): string {
  if (goal.kind === 'and') return goal.parts.map((part) => goalText(part, language)).join('; ')
  if (goal.kind !== 'literal') return formulaText(goal)
  return `${goal.negated ? 'not: ' : ''}${say(language.sentences[goal.predicate] ?? formulaText(goal), goal.terms)}`
}

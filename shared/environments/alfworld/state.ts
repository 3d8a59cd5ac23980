import { changeFacts, type Facts, includesFact } from '../planning/facts.ts'
import type { Effect, Formula } from '../planning/formula.ts'
import type { Domain } from '../planning/parse-domain.ts'
import type { PlanningTask } from '../planning/planning-task.ts'
import type { TextGrammar } from './parse-grammar.ts'
import type { TextSymbol } from './parse-symbols.ts'

/**
 * A state as its differences from the initial state, which are far fewer than all its facts. All lists are sorted.
 */
export type AlfworldState = {
  on: number[]
  off: number[]
  reached: number[]
  /** The text of `look` in AgentBoard's language; absent in the game's own. */
  seen?: string
}

export interface StateFacts {
  factsOf(state: AlfworldState): Facts
  changed(state: AlfworldState, before: Facts, after: Facts): Pick<AlfworldState, 'on' | 'off'>
}

export const negation = 'not_'

/**
 * Drops facts that neither rules nor texts read, such as examined objects, so that states that play alike are equal.
 */
export function createStateFacts(domain: Domain, task: PlanningTask, grammar: TextGrammar): StateFacts {
  const inTexts = predicatesInTexts(grammar)
  const negated = new Set([...inTexts].filter((name) => name.startsWith(negation)))
  const relevant = predicatesInRules(domain, task.goal, inTexts)
  const kept = new Map<number, { isRelevant: boolean; isNegated: boolean }>()
  const about = (fact: number) => {
    let known = kept.get(fact)
    if (known === undefined) {
      const { predicate } = task.literal(fact)
      known = { isRelevant: relevant.has(predicate), isNegated: negated.has(negation + predicate) }
      kept.set(fact, known)
    }
    return known
  }
  const initial = task.initial.filter((fact) => about(fact).isRelevant)
  const atFirst = new Set(initial)
  return {
    factsOf: ({ on, off }) => changeFacts(initial, on, off),
    changed(state, before, after) {
      const off = [...state.off, ...before.filter((fact) => !includesFact(after, fact))]
      return {
        on: after.filter((fact) => !atFirst.has(fact) && about(fact).isRelevant),
        off: [...new Set(off)]
          .filter((fact) => (atFirst.has(fact) || about(fact).isNegated) && !includesFact(after, fact))
          .sort(ascending),
      }
    },
  }
}

function ascending(one: number, other: number): number {
  return one - other
}

function predicatesInTexts(grammar: TextGrammar): Set<string> {
  const names = new Set<string>()
  const visit = (symbol: TextSymbol): void => {
    if (symbol.kind !== 'each') return
    for (const { predicate } of symbol.query) names.add(predicate)
    visit(symbol.item)
  }
  for (const rule of [...grammar.rules.values()].flat()) {
    for (const { predicate } of rule.condition) names.add(predicate)
    rule.symbols.forEach(visit)
  }
  for (const { template, feedback } of grammar.actions.values()) [...template, ...feedback].forEach(visit)
  return names
}

function predicatesInRules(domain: Domain, goal: Formula, inTexts: ReadonlySet<string>): Set<string> {
  const names = new Set(inTexts)
  for (const name of inTexts) if (name.startsWith(negation)) names.add(name.slice(negation.length))
  const conditions = [goal, ...domain.actions.map(({ precondition }) => precondition)]
  for (const name of conditions.flatMap(predicatesOf)) names.add(name)
  const visit = (effect: Effect): string[] => {
    if (!('effects' in effect)) return [effect.predicate]
    const changed = effect.effects.flatMap(visit)
    if (effect.kind === 'when' && changed.some((name) => names.has(name))) {
      for (const name of predicatesOf(effect.condition)) names.add(name)
    }
    return changed
  }
  for (let size = -1; size !== names.size; ) {
    size = names.size
    for (const { effects } of domain.actions) effects.forEach(visit)
  }
  return names
}

function predicatesOf(formula: Formula): string[] {
  switch (formula.kind) {
    case 'literal':
      return [formula.predicate]
    case 'equal':
      return []
    case 'and':
    case 'or':
      return formula.parts.flatMap(predicatesOf)
    default:
      return predicatesOf(formula.part)
  }
}

import type { Formula } from '../planning/formula.ts'
import type { TypedName } from '../planning/typed-names.ts'

export interface GoalBlock {
  readonly variables: readonly TypedName[]
  readonly conditions: readonly GoalCondition[]
}

export type GoalCondition = Extract<Formula, { kind: 'literal' | 'equal' }>

/**
 * Splits a goal such as "there is a hot apple in a fridge, and …" into conjuncts that can be solved one by one.
 * Returns null for a goal of another shape. Quantifiers inside a conjunct move to its front.
 */
export function goalBlocks(goal: Formula): GoalBlock[] | null {
  const blocks: GoalBlock[] = []
  const visit = (formula: Formula): boolean => {
    if (formula.kind === 'and') return formula.parts.every(visit)
    const block = readBlock(formula)
    if (block !== null) blocks.push(block)
    return block !== null
  }
  return visit(goal) ? blocks : null
}

function readBlock(formula: Formula): GoalBlock | null {
  const variables: TypedName[] = []
  const conditions: GoalCondition[] = []
  const visit = (part: Formula): boolean => {
    switch (part.kind) {
      case 'literal':
      case 'equal':
        conditions.push(part)
        return true
      case 'and':
        return part.parts.every(visit)
      case 'exists':
        if (part.variables.some(({ name }) => variables.some((known) => known.name === name))) return false
        variables.push(...part.variables)
        return visit(part.part)
      default:
        return false
    }
  }
  return visit(formula) ? { variables, conditions } : null
}

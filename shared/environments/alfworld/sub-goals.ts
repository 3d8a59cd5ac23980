import { isVariable } from '../planning/formula.ts'
import type { GoalBlock, GoalCondition } from './goal-blocks.ts'

const agent = '?sub-goal-agent'

/**
 * The sub-goals of a goal, for the progress rate. The object is held, or clean, hot or cool and held. If several
 * objects are wanted, also the first in its target and the second held. A lamp to look under counts when it is on.
 * The goal itself does not count. AgentBoard (Ma et al. 2024, section 3.1) labels sub-goals by hand. These follow
 * from the goal.
 * @param isStatic True if no action changes facts of a predicate.
 */
export function subGoals(
  blocks: readonly GoalBlock[],
  isStatic: (predicate: string) => boolean,
): GoalBlock[] {
  return blocks.flatMap((block) => subGoalsOf(block, isStatic))
}

function subGoalsOf(block: GoalBlock, isStatic: (predicate: string) => boolean): GoalBlock[] {
  const dynamic = block.conditions.filter(
    (condition) => condition.kind === 'literal' && !condition.negated && !isStatic(condition.predicate),
  )
  const fixed = block.conditions.filter(
    (condition) => condition.kind === 'equal' || isStatic(condition.predicate),
  )
  const statesOf = (variable: string) =>
    dynamic.filter((condition) => condition.kind === 'literal' && condition.terms.join() === variable)
  const placed = dynamic.flatMap((condition) => {
    if (condition.kind !== 'literal' || condition.predicate !== 'inreceptacle') return []
    const [object = ''] = condition.terms
    const isLamp = statesOf(object).some(
      (state) => state.kind === 'literal' && state.predicate === 'istoggled',
    )
    return isVariable(object) && !isLamp ? [{ object, condition }] : []
  })
  const make = (conditions: readonly GoalCondition[]): GoalBlock => {
    const names = new Set(conditions.flatMap(variablesOf))
    const about = fixed.filter((condition) => variablesOf(condition).every((name) => names.has(name)))
    const variables = [...block.variables, { name: agent, types: ['agent'] }]
    return {
      variables: variables.filter(({ name }) => names.has(name)),
      conditions: [...conditions, ...about],
    }
  }
  if (placed.length === 0) {
    return dynamic
      .filter(
        (condition) => condition.kind === 'literal' && isAchievement(condition.predicate, condition.terms),
      )
      .map((condition) => make([condition]))
  }
  const done: GoalCondition[] = []
  return placed.flatMap(({ object, condition }, index) => {
    const held: GoalCondition = {
      kind: 'literal',
      negated: false,
      predicate: 'holds',
      terms: [agent, object],
    }
    const states = statesOf(object)
    const stations = [make([...done, held]), ...states.map((state) => make([...done, held, state]))]
    done.push(condition, ...states)
    return index === placed.length - 1 ? stations : [...stations, make([...done])]
  })
}

function isAchievement(predicate: string, terms: readonly string[]): boolean {
  return predicate === 'holds' || terms.length === 1
}

function variablesOf(condition: GoalCondition): string[] {
  const terms = condition.kind === 'equal' ? [condition.left, condition.right] : condition.terms
  return terms.filter(isVariable)
}

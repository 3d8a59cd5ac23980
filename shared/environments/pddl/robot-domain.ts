import type { Random } from '../../random/random.ts'
import type { Problem } from './engine/parse-problem.ts'
import type { Language } from './language.ts'

/** A problem that was made up. */
export interface MadeProblem {
  readonly problem: Problem
  /** A lower bound of the steps to its goal, by counting what has to happen. */
  readonly minSteps: number
}

/** One of the four domains that come along. */
export interface RobotDomain {
  readonly name: string
  /** Its PDDL. */
  readonly text: string
  readonly language: Language
  /** What the agent is and what it has to heed, for prompts. */
  readonly rules: string
  /** A problem with its solution and the thoughts on the way, for prompts. */
  readonly example: {
    readonly problem: Problem
    readonly turns: readonly (readonly [thought: string, action: string])[]
    /** JavaScript that does the same. */
    readonly program: string
    /** The same program with AgentBoard's phrases. */
    readonly agentboardProgram: string
  }
  readonly tasks: { readonly test: number; readonly train: number }
  /**
   * Makes a problem up; null where the dice gave one that is too easy.
   *
   * @param number How many there are already, so that sizes can be mixed evenly.
   */
  generate(random: Random, number: number): MadeProblem | null
}

/**
 * Writes a problem from its facts as words, such as `on b1 b2`.
 *
 * @param objects By type.
 */
export function writeProblem(
  domain: string,
  objects: Readonly<Record<string, readonly string[]>>,
  initial: readonly string[],
  goal: readonly string[],
): Problem {
  const atom = (fact: string) => {
    const [predicate = '', ...terms] = fact.split(' ')
    return { predicate, terms }
  }
  return {
    name: domain,
    domain,
    objects: Object.entries(objects).flatMap(([type, names]) =>
      names.map((name) => ({ name, types: [type] })),
    ),
    initial: initial.map(atom),
    goal: { kind: 'and', parts: goal.map((fact) => ({ kind: 'literal', negated: false, ...atom(fact) })) },
  }
}

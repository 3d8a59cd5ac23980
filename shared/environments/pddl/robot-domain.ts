import type { Random } from '../../core/random/random.ts'
import type { Problem } from '../planning/parse-problem.ts'
import type { Language } from './language.ts'

export interface MadeProblem {
  readonly problem: Problem
  readonly minSteps: number
}

export interface RobotDomain {
  readonly name: string
  readonly text: string
  readonly language: Language
  readonly rules: string
  readonly example: {
    readonly problem: Problem
    readonly turns: readonly (readonly [thought: string, action: string])[]
    readonly program: string
    readonly agentboardProgram: string
  }
  readonly tasks: { readonly test: number; readonly train: number }
  /**
   * Generates a problem, or returns null if the random one is too easy.
   * @param number The count of earlier problems, to mix sizes evenly.
   */
  generate(random: Random, number: number): MadeProblem | null
}

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

import type { JsonObject } from '../../../contracts/json.ts'
import type { GeneratorDefinition, TaskGenerator, TaskShape } from '../../generate/task-generator.ts'
import { formulaText } from '../engine/formula.ts'
import type { Problem } from '../engine/parse-problem.ts'
import { goalText } from '../goal-text.ts'
import type { MadeProblem, RobotDomain } from '../robot-domain.ts'

/** All problems of one size of a domain, by number. */
export interface ProblemShape {
  readonly sizes: Readonly<Record<string, number>>
  readonly size: bigint
  /** Null for a number that is no problem. Every problem has one number. */
  problem(number: bigint): MadeProblem | null
}

/** What a domain has to say of its sizes. */
export interface ProblemSpace {
  readonly domain: RobotDomain
  readonly definition: GeneratorDefinition
  /** The names of the sizes, in the order in which ids have them. */
  readonly sizes: readonly string[]
  /** All combinations of sizes within the bounds. */
  within(bounds: JsonObject): readonly Readonly<Record<string, number>>[]
  /** The problems of these sizes; null where there are none of them. */
  shapeOf(sizes: Readonly<Record<string, number>>): ProblemShape | null
}

/**
 * A generator of a domain's problems, each solvable by how it is made. Left out are those that need more steps than an episode
 * has, and those that come along with Espalier, so that no generated training task is one of the built-in tests.
 *
 * @param mostSteps the length of an episode
 * @param builtin contents, as {@link problemContent} has them, of the problems that come along
 */
export function createProblemGenerator(
  space: ProblemSpace,
  mostSteps: number,
  builtin: () => ReadonlySet<string>,
): TaskGenerator<Problem> {
  const { domain, definition, sizes: names } = space
  const toShape = (shape: ProblemShape): TaskShape<Problem> => ({
    name: names.map((name) => `${name}-${shape.sizes[name]}`).join('-'),
    size: shape.size,
    make(number) {
      const made = shape.problem(number)
      if (made === null || made.minSteps > mostSteps || builtin().has(problemContent(made.problem)))
        return null
      return {
        content: made.problem,
        type: domain.name,
        description: `${domain.name}: ${goalText(made.problem.goal, domain.language)}.`,
        min_steps: made.minSteps,
      }
    },
  })
  const form = new RegExp(`^${names.map((name) => `${name}-(\\d{1,3})`).join('-')}$`)
  return {
    ...definition,
    shapes: (bounds) =>
      space.within(bounds).flatMap((sizes) => {
        const shape = space.shapeOf(sizes)
        return shape === null || shape.size === 0n ? [] : [toShape(shape)]
      }),
    shapeOf(name) {
      const values = form.exec(name)?.slice(1).map(Number)
      if (values === undefined) return null
      const shape = space.shapeOf(Object.fromEntries(names.map((each, at) => [each, values[at] ?? 0])))
      return shape && toShape(shape)
    },
  }
}

/** What a problem says, in whichever order it says it. */
export function problemContent({ domain, goal, initial, objects }: Problem): string {
  const parts = goal.kind === 'and' ? goal.parts : [goal]
  return JSON.stringify([
    domain,
    objects.map(({ name, types }) => `${name} ${types.join(' ')}`).sort(),
    initial.map(({ predicate, terms }) => [predicate, ...terms].join(' ')).sort(),
    parts.map(formulaText).sort(),
  ])
}

/** All combinations of one value of each range, both ends included. */
export function sizesWithin(
  ranges: Readonly<Record<string, readonly [from: number, to: number]>>,
): Readonly<Record<string, number>>[] {
  return Object.entries(ranges).reduce<Record<string, number>[]>(
    (found, [name, [from, to]]) =>
      found.flatMap((sizes) =>
        Array.from({ length: to - from + 1 }, (_none, at) => ({ ...sizes, [name]: from + at })),
      ),
    [{}],
  )
}

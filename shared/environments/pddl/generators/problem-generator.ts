import type { JsonObject } from '../../../core/contracts/json.ts'
import type { GeneratorDefinition, TaskGenerator, TaskShape } from '../../generate/task-generator.ts'
import { canonicalForm } from '../../planning/canonical-form.ts'
import { formulaText } from '../../planning/formula.ts'
import type { Problem } from '../../planning/parse-problem.ts'
import { goalText } from '../goal-text.ts'
import type { MadeProblem, RobotDomain } from '../robot-domain.ts'

export interface ProblemShape {
  readonly sizes: Readonly<Record<string, number>>
  readonly size: bigint
  problem(number: bigint): MadeProblem | null
}

export interface ProblemSpace {
  readonly domain: RobotDomain
  readonly definition: GeneratorDefinition
  readonly sizes: readonly string[]
  within(bounds: JsonObject): readonly Readonly<Record<string, number>>[]
  shapeOf(sizes: Readonly<Record<string, number>>): ProblemShape | null
}

export const identityOf = { 1: problemContent, 2: canonicalForm } as const

/**
 * Creates a generator of a domain's problems, each solvable by construction. It leaves out problems that need more
 * steps than an episode has. It also leaves out the bundled ones, so that no generated training task is a built-in
 * test. Its versions make the same problems. Version 1 splits them by number, version 2 by their canonical form, so
 * that no two splits share a problem up to renaming.
 * @param mostSteps the length of an episode
 * @param builtin the bundled problems, by the version's identity
 */
export function createProblemGenerator(
  space: ProblemSpace,
  version: keyof typeof identityOf,
  { builtin, mostSteps }: { mostSteps: number; builtin: () => ReadonlySet<string> },
): TaskGenerator<Problem> {
  const { domain, sizes: names } = space
  const definition = { ...space.definition, version }
  const toShape = (shape: ProblemShape): TaskShape<Problem> => {
    let last: { number: bigint; made: (MadeProblem & { identity: string }) | null } | undefined
    const at = (number: bigint) => {
      if (last?.number === number) return last.made
      const made = shape.problem(number)
      last = { number, made: made && { ...made, identity: identityOf[version](made.problem) } }
      return last.made
    }
    return {
      name: names.map((name) => `${name}-${shape.sizes[name]}`).join('-'),
      size: shape.size,
      ...(version > 1 && { splitKey: (number) => at(number)?.identity ?? String(number) }),
      make(number) {
        const made = at(number)
        if (made === null || made.minSteps > mostSteps || builtin().has(made.identity)) return null
        return {
          content: made.problem,
          type: domain.name,
          description: `${domain.name}: ${goalText(made.problem.goal, domain.language)}.`,
          min_steps: made.minSteps,
        }
      },
    }
  }
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

export function problemContent({ domain, goal, initial, objects }: Problem): string {
  const parts = goal.kind === 'and' ? goal.parts : [goal]
  return JSON.stringify([
    domain,
    objects.map(({ name, types }) => `${name} ${types.join(' ')}`).sort(),
    initial.map(({ predicate, terms }) => [predicate, ...terms].join(' ')).sort(),
    parts.map(formulaText).sort(),
  ])
}

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

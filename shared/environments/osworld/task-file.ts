import { z } from 'zod'

const parameters = z.record(z.string(), z.unknown()).default({})

export const osworldSetupSchema = z.looseObject({ type: z.string().min(1), parameters })

export type OsworldSetup = z.infer<typeof osworldSetupSchema>

const getterSchema = z.looseObject({ type: z.string().min(1) })

export type OsworldGetter = z.infer<typeof getterSchema>

/** A metric's getters. In a list, each belongs to the metric at the same index. Null: no input. */
const gettersSchema = z
  .union([getterSchema, z.array(getterSchema.nullable()), z.strictObject({}).transform(() => null), z.null()])
  .optional()

const evaluatorSchema = z.looseObject({
  func: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  conj: z.enum(['and', 'or']).default('and'),
  result: gettersSchema,
  expected: gettersSchema,
  options: z.unknown().optional(),
  postconfig: z.array(osworldSetupSchema).default([]),
})

/**
 * A task in OSWorld's format (Xie et al. 2024). Unknown fields, such as further kinds of set-up and metrics, are
 * kept: the program that sets up and scores interprets them.
 */
export const osworldTaskSchema = z.looseObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"'),
  instruction: z.string().min(1),
  snapshot: z.string().default(''),
  source: z.unknown().optional(),
  config: z.array(osworldSetupSchema).default([]),
  related_apps: z.array(z.string()).default([]),
  evaluator: evaluatorSchema,
})

export type OsworldTask = z.infer<typeof osworldTaskSchema>

export function isInfeasible({ evaluator }: Pick<OsworldTask, 'evaluator'>): boolean {
  return evaluator.func === 'infeasible'
}

export function setupsOf({ config, evaluator }: OsworldTask): readonly OsworldSetup[] {
  return [...config, ...evaluator.postconfig]
}

export function gettersOf({ evaluator }: OsworldTask): readonly OsworldGetter[] {
  return [evaluator.result, evaluator.expected]
    .flat()
    .filter((getter): getter is OsworldGetter => getter !== null && getter !== undefined)
}

import { z } from 'zod'

const parameters = z.record(z.string(), z.unknown()).default({})

/** One thing that is done to the machine before a task begins, or before it is scored. Kinds that are not known here are kept. */
export const osworldSetupSchema = z.looseObject({ type: z.string().min(1), parameters })

export type OsworldSetup = z.infer<typeof osworldSetupSchema>

/** Where a value comes from that a metric is given. */
const getterSchema = z.looseObject({ type: z.string().min(1) })

export type OsworldGetter = z.infer<typeof getterSchema>

/** Of a metric's getters, those of a list belong to the metrics in the same places; null: it is given none. */
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
 * A task as OSWorld's files have it (Xie et al. 2024). What is not known here, such as further kinds of set-up and metrics, is kept: the
 * program that sets up and scores decides on it.
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

/** Whether a task cannot be done, so that only saying so (FAIL) is right. */
export function isInfeasible({ evaluator }: Pick<OsworldTask, 'evaluator'>): boolean {
  return evaluator.func === 'infeasible'
}

/** All that is done to the machine: before the task begins, and then before it is scored. */
export function setupsOf({ config, evaluator }: OsworldTask): readonly OsworldSetup[] {
  return [...config, ...evaluator.postconfig]
}

/** All that its metrics are given. */
export function gettersOf({ evaluator }: OsworldTask): readonly OsworldGetter[] {
  return [evaluator.result, evaluator.expected]
    .flat()
    .filter((getter): getter is OsworldGetter => getter !== null && getter !== undefined)
}

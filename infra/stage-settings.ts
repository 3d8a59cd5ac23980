import type { Node } from 'constructs'
import { z } from 'zod'
import { EspalierError } from '../shared/contracts/errors.ts'

const wholeNumber = 'must be a whole number from 2 to 1000'
const someDollars = 'must be a number of US dollars above 0'

/** What a deployer may choose, as `-c name=value`. */
export const stageSettingsSchema = z.strictObject({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be lower-case letters, digits and dashes, at most 16')
    .default('dev')
    .describe('Names one deployment; everything in it carries the name.'),
  maxConcurrency: z.coerce
    .number(wholeNumber)
    .pipe(z.int(wholeNumber).min(2, wholeNumber).max(1000, wholeNumber))
    .default(50)
    .describe('Workers that play episodes at the same time, each of them up to ten.'),
  budget: z.coerce
    .number(someDollars)
    .positive(someDollars)
    .default(50)
    .describe(
      "US dollars a month: at 80 % and 100 % of them a mail is sent. It stops nothing; a run's limits do.",
    ),
  dashboard: z
    .union([z.boolean(), z.stringbool()], 'must be true or false')
    .default(true)
    .describe('Whether the stage has a dashboard, which is paid for beyond the first three of an account.'),
  trainings: z
    .union([z.boolean(), z.stringbool()], 'must be true or false')
    .default(false)
    .describe(
      'Whether the stage has what trainings in jobs of SageMaker need: their image, role and rights.',
    ),
  mail: z
    .email('must be an address')
    .optional()
    .describe('The address that receives alarms and notices of the budget.'),
})

export type StageSettings = z.infer<typeof stageSettingsSchema>

/**
 * Checks settings from wherever they come.
 *
 * @param show - how their source calls a setting
 * @throws EspalierError `invalid_request`, naming the setting
 */
export function parseStageSettings(
  given: Readonly<Record<string, unknown>>,
  show: (name: string) => string = (name) => `The setting ${name}:`,
): StageSettings {
  const parsed = stageSettingsSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0])
  throw new EspalierError('invalid_request', `${show(name)} ${issue?.message}.`, { param: name })
}

/** Reads the settings from the context of the app. */
export function readStageSettings(node: Node): StageSettings {
  const names = Object.keys(stageSettingsSchema.shape)
  return parseStageSettings(Object.fromEntries(names.map((name) => [name, node.tryGetContext(name)])))
}

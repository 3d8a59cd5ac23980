import type { Node } from 'constructs'
import { z } from 'zod'
import { EspalierError } from '../shared/contracts/errors.ts'
import { workerChoiceSchema } from '../shared/contracts/workers.ts'

const wholeNumber = 'must be a whole number from 2 to 1000'
const fewWorkers = 'must be a whole number from 0 to 16'
const someMessages = 'must be a whole number from 1 to 10'
const someSeconds = 'must be a whole number of seconds from 0 to 300'
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
  mail: z
    .email('must be an address')
    .optional()
    .describe('The address that receives alarms and notices of the budget.'),
  maxWorkers: z.coerce
    .number(fewWorkers)
    .pipe(z.int(fewWorkers).min(0, fewWorkers).max(16, fewWorkers))
    .default(0)
    .describe(
      'Long-lived workers on Fargate at the same time, for slow models; 0: none, and nothing of them.',
    ),
  workers: workerChoiceSchema
    .default('auto')
    .describe('What plays runs that do not say: Lambda, workers on Fargate, or by how fast a model answers.'),
  batch: z.coerce
    .number(someMessages)
    .pipe(z.int(someMessages).min(1, someMessages).max(10, someMessages))
    .default(10)
    .describe('Episodes of one invocation at most.'),
  batchWindow: z.coerce
    .number(someSeconds)
    .pipe(z.int(someSeconds).min(0, someSeconds).max(300, someSeconds))
    .default(0)
    .describe('Seconds for which Lambda waits until there are so many episodes for an invocation.'),
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

import type { Node } from 'constructs'
import { z } from 'zod'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { workerChoiceSchema } from '../shared/core/contracts/workers.ts'
import { type FleetChanges, fleetChangesSchema } from '../shared/environments/hosts/fleet-limits.ts'
import { deployedImages } from './deployed-images.ts'
import type { BuiltImages } from './images/container-images.ts'

const wholeNumber = 'must be a whole number from 2 to 1000'
const fewWorkers = 'must be a whole number from 0 to 100'
const warmUnits = 'must be a whole number from 4000 to 100000'
const someMessages = 'must be a whole number from 1 to 10'
const someSeconds = 'must be a whole number of seconds from 0 to 300'
const someDollars = 'must be a number of US dollars, 0 for no budget'
const yesOrNo = z.union([z.boolean(), z.stringbool()], 'must be true or false')

const fleetsForm = 'must be JSON such as {"env-host": {"max_hosts": 50}}'

function parseFleets(given: unknown, context: z.RefinementCtx): Record<string, FleetChanges> {
  const value = typeof given === 'string' ? toJson(given) : given
  const parsed = z.record(z.string(), fleetChangesSchema).safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') ?? ''
    const message = where === '' ? fleetsForm : `${fleetsForm}: ${where}: ${issue?.message}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const known = deployedImages().map(({ id }) => id)
  const unknown = Object.keys(parsed.data).find((image) => !known.includes(image))
  if (unknown === undefined) return parsed.data
  const message = `names no image "${unknown}"; there are: ${known.join(', ')}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const imagesForm =
  'must be the address of images with {image} in it, such as ghcr.io/acme/espalier-{image}:1.2, or JSON with an address for each'
const imagesPattern = z.string().regex(/^[a-z0-9][\w./:@-]*\{image\}[\w./:@-]*$/, imagesForm)
const imageAddresses = z.record(z.string(), z.string().regex(/^[a-z0-9][\w./:@-]*$/, imagesForm), imagesForm)

function parseImages(given: unknown, context: z.RefinementCtx): BuiltImages {
  const isJson = typeof given === 'string' && given.startsWith('{"')
  const value = isJson ? toJson(given) : given
  const parsed = (typeof value === 'string' ? imagesPattern : imageAddresses).safeParse(value)
  if (parsed.success) return parsed.data
  context.addIssue({ code: 'custom', message: imagesForm })
  return z.NEVER
}

const subnetsForm = 'must be ids of subnets with commas between them, such as subnet-0a1b2c3d,subnet-4e5f6a7b'
const subnetIds = z
  .union(
    [z.array(z.string()), z.string().transform((text) => text.split(',').map((id) => id.trim()))],
    subnetsForm,
  )
  .pipe(z.array(z.string().regex(/^subnet-[0-9a-f]{8,17}$/, subnetsForm)).min(1, subnetsForm))

const shape = {
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be lower-case letters, digits and dashes, at most 16')
    .regex(/(?<!-data)$/, 'must not end in -data, as the stacks of data do')
    .default('dev')
    .describe('names the deployment; everything in it carries the name'),
  mail: z
    .email('must be an address')
    .optional()
    .describe('the address that receives alarms and notices of the budget'),
  budget: z.coerce
    .number(someDollars)
    .nonnegative(someDollars)
    .default(50)
    .describe(
      'US dollars a month for the whole account: mails at 80 % and 100 %; it stops nothing. 0: no budget',
    ),
  maxConcurrency: z.coerce
    .number(wholeNumber)
    .pipe(z.int(wholeNumber).min(2, wholeNumber).max(1000, wholeNumber))
    .default(50)
    .describe(
      'workers that play episodes at the same time, each of them up to ten; less where the quota is low',
    ),
  quota: z.coerce
    .number('must be a whole number above 9')
    .pipe(z.int().min(10, 'must be a whole number above 9'))
    .optional()
    .describe('concurrent executions that the account allows, where they cannot be asked for'),
  fleets: z
    .unknown()
    .transform(parseFleets)
    .optional()
    .describe('limits of fleets by image, as JSON: {"env-host": {"max_hosts": 50, "idle": 120}}'),
  hosts: yesOrNo
    .default(true)
    .describe('environments on hosts, whose images need Docker; without, pure ones'),
  images: z
    .unknown()
    .transform(parseImages)
    .optional()
    .describe('images that are built already, by their address with {image} for the name of each'),
  buildInAccount: yesOrNo
    .optional()
    .describe('builds the images in CodeBuild, inside the account; as usual if Docker does not answer'),
  web: yesOrNo.default(true).describe('the dashboard'),
  cloudfront: yesOrNo
    .default(true)
    .describe(
      'CloudFront, which AWS refuses to accounts that it has not verified: the API shows the dashboard',
    ),
  dashboard: yesOrNo
    .default(true)
    .describe("CloudWatch's dashboard, which is paid for beyond the first three of an account"),
  maxWorkers: z.coerce
    .number(fewWorkers)
    .pipe(z.int(fewWorkers).min(0, fewWorkers).max(100, fewWorkers))
    .default(0)
    .describe(
      'long-lived workers on Fargate at the same time, for slow models; 0: none, and nothing of them',
    ),
  warmWrites: z.coerce
    .number(warmUnits)
    .pipe(z.int(warmUnits).min(4000, warmUnits).max(100_000, warmUnits))
    .optional()
    .describe('writes a second for which the table is warm, and three times as many reads; paid for once'),
  workers: workerChoiceSchema
    .default('auto')
    .describe('what plays runs that do not say: lambda, fargate, or auto, by how fast a model answers'),
  batch: z.coerce
    .number(someMessages)
    .pipe(z.int(someMessages).min(1, someMessages).max(10, someMessages))
    .default(10)
    .describe('episodes of one invocation at most'),
  batchWindow: z.coerce
    .number(someSeconds)
    .pipe(z.int(someSeconds).min(0, someSeconds).max(300, someSeconds))
    .default(0)
    .describe('seconds for which Lambda waits until there are so many episodes for an invocation'),
  trainings: yesOrNo
    .default(false)
    .describe('what trainings in jobs of SageMaker need: their image, role and rights'),
  protect: yesOrNo
    .default(false)
    .describe('termination protection: CloudFormation refuses to delete the stack'),
  vpc: z
    .string()
    .regex(/^vpc-[0-9a-f]{8,17}$/, 'must be the id of a VPC, such as vpc-0a1b2c3d')
    .optional()
    .describe('a VPC that is there, for the hosts; with --subnets'),
  subnets: subnetIds
    .optional()
    .describe('the subnets of that VPC in which hosts run, with commas between them'),
  privateSubnets: yesOrNo
    .default(false)
    .describe('the subnets have a NAT gateway or endpoints: hosts get no public addresses'),
  domain: z
    .string()
    .regex(
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
      'must be a domain such as agents.example.com',
    )
    .optional()
    .describe('a domain of yours for the dashboard; with --certificate'),
  certificate: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]+$/,
      'must be the ARN of a certificate of ACM in us-east-1, where CloudFront looks for it',
    )
    .optional()
    .describe("the ARN of the domain's certificate, in us-east-1"),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('a bucket that an earlier stage left, to go on with its data; with --table'),
  table: z
    .string()
    .regex(/^[\w.-]{3,255}$/, 'must be the name of a table')
    .optional()
    .describe('the table that belongs to that bucket'),
}

const pairs = [
  ['vpc', 'subnets'],
  ['domain', 'certificate'],
  ['bucket', 'table'],
] as const

export const stageSettingsSchema = z.strictObject(shape).superRefine((settings, context) => {
  for (const [one, other] of pairs) {
    for (const [given, missing] of [
      [one, other],
      [other, one],
    ] as const) {
      if (settings[given] === undefined || settings[missing] !== undefined) continue
      context.addIssue({ code: 'custom', path: [given], message: `needs ${missing} beside it` })
    }
  }
  if (settings.privateSubnets && settings.vpc === undefined) {
    const message = 'is for subnets of a VPC that is there: name vpc and subnets'
    context.addIssue({ code: 'custom', path: ['privateSubnets'], message })
  }
  if (!(settings.web && settings.cloudfront) && settings.domain !== undefined) {
    const message =
      'is for the dashboard by CloudFront: leave both in, or unset the domain and its certificate'
    context.addIssue({ code: 'custom', path: ['domain'], message })
  }
  if (!settings.hosts && settings.maxWorkers > 0) {
    const message = 'needs the network of hosts: leave hosts in, or set it to 0'
    context.addIssue({ code: 'custom', path: ['maxWorkers'], message })
  }
})

export type StageSettings = z.infer<typeof stageSettingsSchema>
export type StageSettingName = keyof StageSettings

export const stageSettingTexts = Object.fromEntries(
  Object.entries(shape).map(([name, schema]) => [name, schema.description ?? '']),
) as Record<StageSettingName, string>

export const stageSettingNames = Object.keys(shape) as StageSettingName[]

/**
 * Checks settings of any source.
 *
 * @param show - the source's name for a setting
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

export function toTexts(settings: Readonly<Record<string, unknown>>): [name: string, text: string][] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (Array.isArray(value)) return [[name, value.join(',')] as [string, string]]
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as [string, string]]
  })
}

export function givenSettings(node: Node): Partial<Record<StageSettingName, unknown>> {
  return Object.fromEntries(
    stageSettingNames
      .map((name) => [name, node.tryGetContext(name) as unknown] as const)
      .filter(([, value]) => value !== undefined),
  )
}

export function readStageSettings(node: Node): StageSettings {
  return parseStageSettings(givenSettings(node))
}

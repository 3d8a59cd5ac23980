import { z } from 'zod'
import { isolationLimits } from '../../shared/core/contracts/catalogue.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import type { ModuleLimits } from '../../shared/environments/added/load-module.ts'
import type { FacadeRoots } from './mount-facades.ts'

const positive = z.coerce.number().int().positive()
const environmentSchema = z.string().min(1).nullable().default(null)

const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('0: any that is free.'),
  ESPALIER_HOST_BIND: z.string().min(1).default('127.0.0.1'),
  ESPALIER_HOST_SLOTS: positive.default(1000).describe('Sessions at most.'),
  ESPALIER_HOST_SESSION_IDLE: positive.default(1800).describe('Seconds after which an unused session goes.'),
  ESPALIER_HOST_YIELD_AFTER: positive
    .default(60)
    .describe(
      'Seconds after which an unused session of AgentGym is closed for a new one, when all slots are taken.',
    ),
  ESPALIER_HOST_LEAVE_AFTER: positive.default(3600).describe('Seconds without sessions until it leaves.'),
  ESPALIER_HOST_LEAVE_SPENT: z
    .stringbool()
    .default(false)
    .describe('Whether it leaves after a session that may have left something which another would meet.'),
  ESPALIER_HOST_ENVIRONMENTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((path) => path.trim())
        .filter(Boolean),
    )
    .describe('Paths of modules, with commas between them, whose environments are served too.'),
  ESPALIER_HOST_MODULE_LIMITS: z
    .string()
    .default('{}')
    .transform(toJson)
    .pipe(
      z.record(
        z.string(),
        z.strictObject(isolationLimits),
        'must be JSON such as {"my-game": {"step_time_limit": 60}}',
      ),
    )
    .describe('Limits of the environments of modules, above what these declare.'),
  ESPALIER_HOST_PROGRAMS: z
    .string()
    .default('[]')
    .transform(toJson)
    .pipe(z.array(z.array(z.string()).min(1), 'must be JSON such as [["python3", "game.py"]]'))
    .describe('Commands of programs whose environments are served too.'),
  ESPALIER_HOST_DATA: z
    .string()
    .default('{}')
    .transform(toJson)
    .pipe(
      z.record(z.string(), z.string().min(1), `must be JSON such as {"${exampleEnvironment}": "./recipes"}`),
    )
    .describe('Folders of data, by environment: what is played where a session brings no files.'),
  ESPALIER_HOST_ACCESS_KEY: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'What every request has to bring as "Authorization: Bearer …". A fleet gives one to each host.',
    ),
  ESPALIER_HOST_AGENTGYM: environmentSchema.describe('The environment whose AgentGym server stands at /.'),
  ESPALIER_HOST_OPENENV: environmentSchema.describe('The environment whose OpenEnv server stands at /.'),
})

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export interface HostSettings {
  port: number
  bind: string
  slots: number
  sessionIdle: number
  yieldAfter: number
  leaveAfter: number
  leavesSpent: boolean
  modules: readonly string[]
  moduleLimits: ModuleLimits
  programs: readonly (readonly string[])[]
  data: Readonly<Record<string, string>>
  accessKey: string | null
  roots: FacadeRoots
}

/** @throws EspalierError `invalid_request`, naming the variable */
export function readHostSettings(environment: Record<string, string | undefined>): HostSettings {
  const parsed = settingsSchema.safeParse(environment)
  if (!parsed.success) {
    const { message, param } = describeInvalid(parsed.error, {
      part: 'json',
      schema: settingsSchema,
      value: environment,
    })
    throw new EspalierError('invalid_request', message, param === null ? {} : { param })
  }
  const { data } = parsed
  return {
    port: data.PORT,
    bind: data.ESPALIER_HOST_BIND,
    slots: data.ESPALIER_HOST_SLOTS,
    sessionIdle: data.ESPALIER_HOST_SESSION_IDLE,
    yieldAfter: data.ESPALIER_HOST_YIELD_AFTER,
    leaveAfter: data.ESPALIER_HOST_LEAVE_AFTER,
    leavesSpent: data.ESPALIER_HOST_LEAVE_SPENT,
    modules: data.ESPALIER_HOST_ENVIRONMENTS,
    moduleLimits: data.ESPALIER_HOST_MODULE_LIMITS,
    programs: data.ESPALIER_HOST_PROGRAMS,
    data: data.ESPALIER_HOST_DATA,
    accessKey: data.ESPALIER_HOST_ACCESS_KEY,
    roots: { agentgym: data.ESPALIER_HOST_AGENTGYM, openenv: data.ESPALIER_HOST_OPENENV },
  }
}

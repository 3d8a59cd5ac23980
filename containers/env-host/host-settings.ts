import { z } from 'zod'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { describeInvalid } from '../../shared/contracts/validation/describe-invalid.ts'

const positive = z.coerce.number().int().positive()

/** What the environment variables of a host say. */
const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('0: any that is free.'),
  ESPALIER_HOST_BIND: z.string().min(1).default('127.0.0.1'),
  ESPALIER_HOST_SLOTS: positive.default(1000).describe('Sessions at most.'),
  ESPALIER_HOST_SESSION_IDLE: positive.default(1800).describe('Seconds after which an unused session goes.'),
  ESPALIER_HOST_LEAVE_AFTER: positive.default(3600).describe('Seconds without sessions until it leaves.'),
})

export interface HostSettings {
  /** 0: any that is free. */
  port: number
  /** The address to listen at. */
  bind: string
  /** How many sessions it holds at most. */
  slots: number
  /** Seconds after which a session that nobody used is let go. */
  sessionIdle: number
  /** Seconds without any session after which the host leaves by itself. */
  leaveAfter: number
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
    leaveAfter: data.ESPALIER_HOST_LEAVE_AFTER,
  }
}

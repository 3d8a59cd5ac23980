import { z } from 'zod'
import { EspalierError } from '../core/contracts/errors.ts'
import { webAddress } from './tools/outside-facts.ts'

export const secretSchema = z.strictObject({
  variable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .describe('The environment variable of the service that holds the secret.'),
})

// Seconds. With the opening of the pages, a start must end before its lease of a slot.
export const longestSiteReset = 600

/**
 * The schema of a POST request that restores state which sessions change.
 * @param what its name in descriptions
 * @param seconds its time limit: the maximum, and the default
 */
export function resetHookSchema(what: string, seconds = { most: longestSiteReset, usual: longestSiteReset }) {
  return z.strictObject({
    address: webAddress.describe(`Address for the POST request. It answers when the ${what} is reset.`),
    form: z
      .record(z.string(), z.union([z.string(), secretSchema]))
      .default({})
      .describe('Form fields of the request.'),
    headers: z.record(z.string(), secretSchema).default({}),
    timeout: z
      .int()
      .positive()
      .max(seconds.most)
      .default(seconds.usual)
      .describe('Maximum seconds for a reset.'),
  })
}

/** A reset with secrets filled in, as a host receives it. Never journaled, and never in an error. */
export const filledHookSchema = z.object({
  address: z.string(),
  form: z.record(z.string(), z.string()),
  headers: z.record(z.string(), z.string()),
  timeout: z.number(),
})

export type FilledHook = z.infer<typeof filledHookSchema>

export function fillHook(
  { address, form, headers, timeout }: z.infer<ReturnType<typeof resetHookSchema>>,
  read: (variable: string, field: string) => string,
): FilledHook {
  const filled = (values: Record<string, string | { variable: string }>, field: string) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : read(value.variable, `${field}.${name}`),
      ]),
    )
  return { address, timeout, form: filled(form, 'form'), headers: filled(headers, 'headers') }
}

export interface SecretVariables {
  id: string
  variables: Readonly<Record<string, string | undefined>>
}

/** @throws EspalierError `invalid_request` if it is not set, naming the field of `environments.json` */
export function readSecret({ id, variables }: SecretVariables, variable: string, field: string): string {
  const value = variables[variable]
  if (value !== undefined && value !== '') return value
  throw missingSetting(id, field, `the environment variable ${variable} is not set`)
}

export function missingSetting(id: string, field: string, what: string): EspalierError {
  const param = `environments.${id}.${field}`
  return new EspalierError('invalid_request', `${param} in environments.json: ${what}.`, { param })
}

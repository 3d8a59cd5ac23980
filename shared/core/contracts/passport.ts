import { z } from 'zod'

const termSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const passportSchema = z
  .object({
    digest: z.string().describe('Digest of `terms`. Runs with equal digests may be ranked together.'),
    terms: z
      .record(z.string(), termSchema)
      .describe(
        'Data, tasks (as a digest of their ids), scorer, horizon, history rule, prompts, and settings of observations and actions, by field; null if the request has none, or if the run is older than this record.',
      ),
  })
  .meta({ id: 'Passport' })

export type Passport = z.infer<typeof passportSchema>

export const passportDifferencesSchema = z.array(
  z.object({
    field: z.string().describe('Field of the passport, such as `model.max_prompt_tokens`.'),
    values: z.array(termSchema).describe('One value for each run, in the order of the runs.'),
  }),
)

export type PassportDifferences = z.infer<typeof passportDifferencesSchema>

export const passportHeading = 'Other passports: do not rank these runs together. They differ in'

export function describePassportDifference({ field, values }: PassportDifferences[number]): string {
  return `${field}: ${values.map((value) => describeTerm(value)).join(', ')}`
}

export function describeTerm(value: Passport['terms'][string] | undefined): string {
  return value === undefined || value === null ? 'not set' : JSON.stringify(value)
}

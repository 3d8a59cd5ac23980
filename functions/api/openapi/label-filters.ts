import { z } from 'zod'
import { labelFilterShape } from '../../../shared/core/contracts/labels.ts'
import { listQuerySchema } from '../../../shared/core/contracts/list.ts'
import { runFilterSchema } from '../../../shared/core/contracts/run.ts'

const metadataPrefix = 'metadata.'

export const filterDescription =
  'Items must match all filters of the request. With filters, a page searches at most 1,000 items. If older items remain, `has_more` is true, even if few items matched. `last_id` is then the last item searched: pass it as `after` to continue. The list omits archived items unless `archived` includes them.'

export const labelledEntryFilters = {
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only items whose name contains this text (ignores case).'),
  ...labelFilterShape,
}

const runsShape = { ...listQuerySchema.shape, ...runFilterSchema.shape }

export const runsQuery = z.looseObject(runsShape).superRefine((query, context) => {
  const unknown = Object.keys(query).filter((name) => !(name in runsShape) && !isMetadata(name))
  if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown, input: query })
  for (const name of Object.keys(query).filter(isMetadata)) {
    if (typeof query[name] === 'string') continue
    context.addIssue({
      code: 'custom',
      path: [name],
      message: 'Give it once: a name has one value',
      input: query[name],
    })
  }
})

function isMetadata(name: string): boolean {
  return name.startsWith(metadataPrefix) && name.length > metadataPrefix.length
}

export function readRunsQuery(query: z.infer<typeof runsQuery>) {
  const { limit, after, status, environment, method, model, name, experiment, tag, archived, ...rest } = query
  const metadata = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key.slice(metadataPrefix.length), String(value)]),
  )
  const known = { after, status, environment, method, model, name, experiment, tag, archived }
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
  return { limit, ...(given as typeof known), ...(Object.keys(metadata).length > 0 && { metadata }) }
}

import type { Keys } from '../../shared/core/auth/open-keys.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { judgeNameSchema } from '../../shared/core/contracts/judgement.ts'
import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { type ApiContext, principalOf } from './api-app.ts'

const longestName = 80

/**
 * Returns the judge's name: the name of the key, or without a key the name in the request.
 * @param by - the name in the request
 * @throws EspalierError `invalid_request` if it differs from the key's name
 */
export async function nameJudge(
  keys: Pick<Keys, 'find'>,
  context: ApiContext,
  by: string | undefined,
): Promise<string> {
  const { key, tenant } = principalOf(context)
  if (key === null) return by ?? 'operator'
  const name = toJudgeName((await keys.find(tenant, key))?.name ?? key, key)
  if (by === undefined || by === name) return name
  throw new EspalierError(
    'invalid_request',
    `This key judges as "${name}". Leave "by" out, or use a key of the person’s own: espalier keys create --name NAME.`,
    { param: 'by' },
  )
}

function toJudgeName(name: string, key: string): string {
  const short = clipText(name.trim().toWellFormed(), longestName).trim()
  return judgeNameSchema.safeParse(short).success ? short : key
}

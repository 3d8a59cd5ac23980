import type { Keys } from '../../shared/auth/open-keys.ts'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { judgeNameSchema } from '../../shared/contracts/judgement.ts'
import { clipText } from '../../shared/contracts/well-formed.ts'
import { type ApiContext, principalOf } from './api-app.ts'

const longestName = 80

/**
 * What the person is called who judges: as her key is, or where she shows none, as she says.
 *
 * @param by - what the request says
 * @throws EspalierError `invalid_request` where that is another name than the key's
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

/** Names of keys may be longer, and begin with white space. */
function toJudgeName(name: string, key: string): string {
  const short = clipText(name.trim().toWellFormed(), longestName).trim()
  return judgeNameSchema.safeParse(short).success ? short : key
}

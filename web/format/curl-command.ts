import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { quoteForShell } from './quote-for-shell.ts'
import { safeJson } from './safe-json.ts'

export interface WrittenRequest {
  url: string
  body: JsonObject
  /** True if the service requires a key. The copied text reads it from the environment and never contains it. */
  needsKey: boolean
}

export function curlCommand({ body, needsKey, url }: WrittenRequest): string {
  return [
    `curl -sS ${quoteForShell(url)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $ESPALIER_API_KEY"'] : []),
    "-H 'Content-Type: application/json'",
    `-d ${quoteForShell(safeJson(body))}`,
  ].join(' \\\n  ')
}

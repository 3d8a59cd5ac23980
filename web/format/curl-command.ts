import type { JsonObject } from '../../shared/contracts/json.ts'
import { quoteForShell } from './quote-for-shell.ts'
import { safeJson } from './safe-json.ts'

/** A request of the API that is written down for people to copy. */
export interface WrittenRequest {
  url: string
  body: JsonObject
  /** Whether the service asks for a key. It is taken from the environment: what is copied holds none. */
  needsKey: boolean
}

/** The request by curl. */
export function curlCommand({ body, needsKey, url }: WrittenRequest): string {
  return [
    `curl -sS ${quoteForShell(url)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $ESPALIER_API_KEY"'] : []),
    "-H 'Content-Type: application/json'",
    `-d ${quoteForShell(safeJson(body))}`,
  ].join(' \\\n  ')
}

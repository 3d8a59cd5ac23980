import { networkEventSchema } from '../../../../shared/environments/webarena/verified/network-trace.ts'
import type { StoredTrace } from '../../../../shared/environments/webarena/verified/stored-trace.ts'
import { ownSites, type VerifiedCase } from './verified-cases.ts'

export function storedTraceOf(
  { task, response, entries }: VerifiedCase,
  incomplete: string | null = null,
): StoredTrace {
  const events = entries.map((entry) => networkEventSchema.parse(entry))
  const _espalier = { task, sites: ownSites, response, incomplete }
  return { log: { version: '1.2', entries: events, _espalier } }
}

import { didYouMean } from '../../core/contracts/validation/nearest-name.ts'
import type { CallFailure } from './call-failure.ts'
import type { EndpointAddress } from './endpoint-addresses.ts'
import type { EndpointKey } from './endpoint-key.ts'
import { callIdHeader, type ModelTransport, parseBody } from './transport.ts'

/** Milliseconds for the endpoint's list, which is free and may be missing. */
const patience = 5000
const refusal =
  /\bmodel\b.{0,200}\b(?:not|no|unknown|invalid)\b|\b(?:not|no such|unknown|invalid)\b.{0,20}\bmodel\b/is

export function isUnknownModel({ code, said, status }: CallFailure): boolean {
  if (status === 404 || code === 'model_not_found') return true
  return (status === 400 || status === 422) && refusal.test(said)
}

export async function suggestModel(
  model: string,
  priced: readonly string[],
  at: { address: EndpointAddress; key: EndpointKey | null; transport: Pick<ModelTransport, 'send'> },
): Promise<string> {
  const listed = await listModels(model, at).catch(() => [])
  const names = [...priced, ...listed]
  return names.includes(model) ? '' : didYouMean(model, names)
}

async function listModels(
  model: string,
  { address, key, transport }: Parameters<typeof suggestModel>[2],
): Promise<string[]> {
  const { url, headers } = await address.address({ path: '/models', model, body: {} }, { key, callId: '' })
  // No call log knows this request.
  const { [callIdHeader]: _, ...sent } = headers
  const signal = AbortSignal.timeout(patience)
  const body = parseBody(await transport.send({ method: 'GET', url, headers: sent, body: '', signal }))
  const { data } = body as { data?: unknown }
  if (!Array.isArray(data)) return []
  return data.flatMap((each: { id?: unknown } | null) => (typeof each?.id === 'string' ? [each.id] : []))
}

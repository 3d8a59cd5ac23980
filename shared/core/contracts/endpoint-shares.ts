import { EspalierError } from './errors.ts'

/** An endpoint of a pool, and its share of the episodes: a whole number beside those of the others. */
export interface EndpointShare {
  endpoint: string
  share: number
}

const member = /^([^,=]+)(?:=([1-9]\d{0,2}))?$/
const most = 16

/**
 * Reads the endpoints that a run names: one, or several as one pool, such as `openai=2,azure`. A share is 1 if absent.
 * @throws EspalierError `invalid_request`
 */
export function endpointShares(named: string, param = 'model.endpoint'): EndpointShare[] {
  const refuse = (why: string) =>
    new EspalierError(
      'invalid_request',
      `${param} "${named}" ${why}. Name one endpoint, or several with their shares: openai=2,azure=1.`,
      { param },
    )
  const shares = named.split(',').map((text): EndpointShare => {
    const [, endpoint, share = '1'] = member.exec(text.trim()) ?? []
    if (endpoint === undefined)
      throw refuse(`has "${text.trim()}", which is no endpoint with a share from 1 to 999`)
    return { endpoint, share: Number(share) }
  })
  const names = new Set(shares.map(({ endpoint }) => endpoint))
  if (names.size < shares.length) throw refuse('names an endpoint twice')
  if (shares.length > most) throw refuse(`names more than ${most} endpoints`)
  return shares
}

/**
 * The endpoint of an episode: every call of it goes to one, so that it may be repeated. Of as many episodes in a row as
 * all shares together, each endpoint gets its share.
 */
export function endpointAt(named: string, index: number): string {
  const shares = endpointShares(named)
  let place = index % shares.reduce((sum, { share }) => sum + share, 0)
  for (const { endpoint, share } of shares) {
    if (place < share) return endpoint
    place -= share
  }
  return named
}

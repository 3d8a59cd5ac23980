import { openWireProxy, type PassingRequest, type WireProxy } from './wire-proxy.ts'

/** Asks moto, which has no capacity providers of Fargate, for the launch type instead; all else passes as it is. */
export function openFargateFront(moto: string): Promise<WireProxy> {
  return openWireProxy(moto, (request) => {
    if (!isCall(request, 'RunTask')) return 'pass'
    const { capacityProviderStrategy: _, ...rest } = JSON.parse(request.body.toString())
    return { body: JSON.stringify({ ...rest, launchType: 'FARGATE' }) }
  })
}

/** Whether a request is a call of this operation, in the protocols that name it in a header. */
export function isCall({ headers }: PassingRequest, operation: string): boolean {
  return String(headers['x-amz-target']).endsWith(`.${operation}`)
}

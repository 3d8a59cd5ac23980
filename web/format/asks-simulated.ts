import type { EndpointInfo } from '../../shared/core/contracts/catalogue.ts'
import type { Run } from '../../shared/core/contracts/run.ts'

export function asksSimulated(
  { request: { model, roles } }: Pick<Run, 'request'>,
  endpoints: readonly EndpointInfo[],
): boolean {
  const asked = [model, ...Object.values(roles)].flatMap((choice) => choice?.endpoint ?? [])
  return endpoints.some(({ id, kind }) => kind === 'simulated' && asked.includes(id))
}

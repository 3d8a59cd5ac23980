import { join } from 'node:path'
import type { EndpointInfo } from '../../shared/core/contracts/catalogue.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { openModels } from '../../shared/play/models/model-pool.ts'
import { type Check, fail, ok, warn } from './check.ts'

export function checkEndpoints(endpoints: EndpointInfo[]): Check[] {
  return endpoints.map((endpoint) => {
    const name = `endpoint ${endpoint.id}`
    if (!endpoint.ready) {
      return warn(
        name,
        endpoint.note ?? 'not ready',
        'A run that names it does not begin until this is mended.',
      )
    }
    if (!endpoint.priced) {
      return warn(
        name,
        'ready, without prices',
        'Give prices in endpoints.json to see and cap money; --max-tokens works without.',
      )
    }
    if (endpoint.kind === 'simulated') return ok(name, 'ready; proves plumbing, not quality')
    return ok(name, `ready${tokensOf(endpoint)}`)
  })
}

// The tokens that runs can record there, as configured; `espalier endpoints test --features` asks for some.
function tokensOf({ tokens }: EndpointInfo): string {
  if (tokens === undefined) return ''
  if (tokens === null) return '; gives no tokens'
  return tokens === 'logprobs'
    ? '; may give log-probabilities, and no token ids'
    : `; gives token ids and log-probabilities (${tokens})`
}

export async function checkConfiguredEndpoints(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Check[]> {
  const path = join(folder, 'endpoints.json')
  try {
    const endpoints = await loadEndpoints({ path, environment })
    return checkEndpoints(openModels(endpoints, { environment }).list())
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [fail('endpoints', error.message, `Mend ${path}; no service starts with it.`)]
  }
}

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { z } from 'zod'
import {
  type EndpointConfiguration,
  endpointSchema,
  endpointsFileSchema,
} from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'

export type Endpoints = ReadonlyMap<string, EndpointConfiguration>

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Loads the built-in endpoints and those of `endpoints.json`, which override them. Built in are `simulated` and
 * `openai`. `openai` lacks its key until `OPENAI_API_KEY` is set, and uses `OPENAI_BASE_URL` if that is set too.
 *
 * @param options.path the path of `endpoints.json`, which may be absent
 * @param options.onlyKeyed whether to omit `openai` until its key is set, as in functions, which never have the
 * variable
 * @throws EspalierError `invalid_request`, naming the field, if the file is invalid
 * @example
 * const endpoints = await loadEndpoints({ path: join(dataFolder, 'endpoints.json'), environment: process.env })
 */
export async function loadEndpoints(options: {
  path: string | null
  environment: EnvironmentVariables
  onlyKeyed?: boolean
}): Promise<Endpoints> {
  const endpoints = builtInEndpoints(options.environment, options.onlyKeyed ?? false)
  const text = options.path === null ? null : await readIfPresent(options.path)
  if (options.path === null || text === null) return endpoints
  for (const [name, endpoint] of Object.entries(parseEndpoints(text, options.path).endpoints)) {
    endpoints.set(name, withAbsoluteKeyFile(endpoint, dirname(options.path)))
  }
  return endpoints
}

function builtInEndpoints(
  environment: EnvironmentVariables,
  onlyKeyed: boolean,
): Map<string, EndpointConfiguration> {
  const endpoints = new Map<string, EndpointConfiguration>()
  endpoints.set('simulated', endpointSchema.parse({ kind: 'simulated' }))
  const isKeyed = Boolean(environment.OPENAI_API_KEY)
  if (onlyKeyed && !isKeyed) return endpoints
  const parsed = endpointSchema.safeParse({
    kind: 'openai',
    base_url: (isKeyed && environment.OPENAI_BASE_URL) || 'https://api.openai.com/v1',
    api_key_env: 'OPENAI_API_KEY',
    organization: environment.OPENAI_ORG_ID || undefined,
  })
  if (!parsed.success) {
    throw new EspalierError('invalid_request', 'OPENAI_BASE_URL must be an http or https address.', {
      param: 'OPENAI_BASE_URL',
    })
  }
  return endpoints.set('openai', parsed.data)
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function parseEndpoints(text: string, path: string): z.infer<typeof endpointsFileSchema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the text around the mistake, which may contain a pasted key.
    const position = /line \d+ column \d+/.exec(String(error))?.[0]
    throw new EspalierError('invalid_request', `${path} is not JSON${position ? ` (${position})` : ''}.`)
  }
  const parsed = endpointsFileSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = firstIssue(parsed.error)
  const param = issue.path.map(String).join('.')
  throw new EspalierError('invalid_request', `${path}: ${param || 'the file'}: ${issue.message}`, {
    ...(param === '' ? {} : { param }),
  })
}

function firstIssue(error: z.ZodError): { path: readonly PropertyKey[]; message: string } {
  const issue = error.issues[0]
  if (issue === undefined) throw error
  if (issue.code === 'unrecognized_keys') {
    const known = issue.keys.includes('api_key')
      ? 'Keys are never written here: put it in an environment variable and name that as api_key_env, in a file of mode 600 as api_key_file, or in AWS as api_key_secret.'
      : 'There is no such field.'
    return { path: [...issue.path, issue.keys[0] ?? ''], message: known }
  }
  return issue
}

function withAbsoluteKeyFile(endpoint: EndpointConfiguration, folder: string): EndpointConfiguration {
  if (endpoint.kind === 'simulated' || endpoint.api_key_file === undefined) return endpoint
  return { ...endpoint, api_key_file: resolve(folder, endpoint.api_key_file) }
}

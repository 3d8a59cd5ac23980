import { z } from 'zod'
import { resetSchema, stepSchema } from './openenv-schemas.ts'

/** The version of OpenEnv's HTTP API. */
const apiVersion = '1.0.0'

/** `GET /openapi.json`: by its version and paths a client sees which API is spoken. */
export function describeOpenapi(environment: string): object {
  return {
    openapi: '3.1.0',
    info: { title: `OpenEnv: ${environment}`, version: apiVersion },
    paths: {
      '/reset': { post: operation('Starts an episode and ends it.', resetSchema) },
      '/step': { post: operation('Takes the first step of an episode and ends it.', stepSchema) },
      '/state': { get: operation('The state before an episode.') },
      '/metadata': { get: operation('What the environment is.') },
      '/health': { get: operation('Whether the host takes episodes.') },
      '/schema': { get: operation('The schemas of actions, observations and states.') },
      '/mcp': { post: operation('JSON-RPC 2.0; these environments have no tools.', z.looseObject({})) },
    },
  }
}

function operation(summary: string, body?: z.ZodType): object {
  const responses = { 200: { description: summary, content: { 'application/json': {} } } }
  if (body === undefined) return { summary, responses }
  const schema = z.toJSONSchema(body, { io: 'input' })
  return { summary, requestBody: { content: { 'application/json': { schema } } }, responses }
}

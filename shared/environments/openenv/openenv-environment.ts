import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { registeredFetch } from '../../core/outbound/outbound-fetch.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { boundResponse } from '../tools/bounded-response.ts'
import { calledTools } from '../tools/called-tools.ts'
import type { Tool } from '../tools/tool-call.ts'
import { type ActionForm, chooseActionForm, describeActionForm } from './openenv-actions.ts'
import type { OpenenvRegistration } from './openenv-registration.ts'
import type { OpenenvSocket } from './openenv-socket.ts'

const longestAnswer = 60_000
const listing = { pause: 500, longest: 30_000 }

const metadataSchema = z.object({ name: z.string(), description: z.string() })
const schemasSchema = z.object({ action: jsonObjectSchema })
const toolsSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().default(''),
      input_schema: jsonObjectSchema.default({}),
    }),
  ),
})

export interface OpenenvActions {
  readonly form: ActionForm
  readonly tools: readonly Tool[]
}

export interface OpenenvTask extends EnvironmentTask {
  readonly reset: JsonObject
}

/**
 * Opens the environment of an OpenEnv server. Reads the form of actions from the server's schema, and its tools,
 * once, here.
 * @throws EspalierError `host_unreachable`; `endpoint_failed` for a server that breaks the protocol;
 * `invalid_request` if the registration does not fit the server's schema
 */
export async function openOpenenvEnvironment(
  id: string,
  registration: OpenenvRegistration,
): Promise<HostedEnvironment> {
  const address = registration.address.replace(/\/+$/, '')
  const name = openenvServerName(id)
  const schemas = await ask(name, `${address}/schema`, schemasSchema)
  const metadata = await ask(name, `${address}/metadata`, metadataSchema)
  const form = chooseActionForm(schemas.action, registration)
  if (form === null) {
    throw new EspalierError(
      'invalid_request',
      `${name} has no field of an action that a text could be${registration.action_field === undefined ? '' : ` with the name "${registration.action_field}"`}. Change or leave out "actions" and "action_field" in environments.json.`,
      { param: `environments.${id}` },
    )
  }
  const tools = form.kind === 'tools' ? await listTools(name, address) : []
  const tasks = listOpenenvTasks(id, registration)
  const shown: EnvironmentTask[] = tasks.map(({ reset: _, ...task }) => task)
  const {
    description = metadata.description,
    deterministic,
    success_threshold,
    default_max_steps,
  } = registration
  const written = describeActionForm(form, schemas.action, tools)
  const guide = {
    rules: `${registration.rules ?? description}\n\n${written}`,
    ...(tools.length > 0 && { tools: calledTools(tools) }),
    example: null,
  }
  return {
    id,
    description: `${description} Played on an OpenEnv server.`,
    snapshot: 'replay',
    deterministic,
    success_threshold,
    default_max_steps,
    tasks: () => shown,
    describe: () => guide,
    host: { kind: 'openenv', address, registration, actions: { form, tools } },
  }
}

export function openenvServerName(id: string): string {
  return `The OpenEnv server of "${id}"`
}

export function listOpenenvTasks(id: string, { tasks }: Pick<OpenenvRegistration, 'tasks'>): OpenenvTask[] {
  return Object.entries(tasks).flatMap(([split, listed]) => {
    if (!isRange(listed)) {
      return listed.map(({ id: task, reset, description, max_steps }) => ({
        id: task,
        split,
        type: 'openenv',
        description: description ?? `Task ${task} of an OpenEnv server.`,
        ...(max_steps !== undefined && { max_steps }),
        reset,
      }))
    }
    const [from, to] = listed
    return Array.from({ length: to - from }, (_, position) => ({
      id: `${id}-${String(from + position).padStart(5, '0')}`,
      split,
      type: 'openenv',
      description: `The episode with the seed ${from + position} of an OpenEnv server.`,
      reset: { seed: from + position },
    }))
  })
}

function isRange(listed: OpenenvRegistration['tasks'][string]): listed is [number, number] {
  return typeof listed[0] === 'number'
}

async function listTools(name: string, address: string): Promise<Tool[]> {
  const signal = AbortSignal.timeout(longestAnswer)
  const started = performance.now()
  for (;;) {
    const socket = await open(name, address, signal)
    try {
      const { type, data } = await socket.ask({ type: 'step', data: { type: 'list_tools' } }, signal)
      const parsed = toolsSchema.safeParse(type === 'observation' ? data.observation : undefined)
      if (parsed.success && parsed.data.tools.length > 0) {
        return parsed.data.tools.map(({ name: tool, description, input_schema }) => ({
          name: tool,
          description,
          schema: input_schema,
        }))
      }
      const isFull = type === 'error' && data.code === 'CAPACITY_REACHED'
      if (!isFull || performance.now() - started > listing.longest) {
        const said = typeof data.message === 'string' ? `: ${clipText(data.message, 200)}` : ''
        const message = isFull
          ? `${name} has no room to list its tools${said}. Try again, or let it hold more sessions.`
          : `${name} lists no tools${said}. Where its actions are no calls of tools, say so as "actions" in environments.json.`
        throw new EspalierError(isFull ? 'host_unreachable' : 'endpoint_failed', message)
      }
    } finally {
      await socket.close()
    }
    await wait(listing.pause)
  }
}

async function open(name: string, address: string, signal: AbortSignal): Promise<OpenenvSocket> {
  try {
    const { OpenenvSocket } = await import('./openenv-socket.ts')
    return await OpenenvSocket.open(name, address, signal)
  } catch (cause) {
    if (!(cause instanceof SessionLostError)) throw cause
    throw new EspalierError('host_unreachable', `${cause.message} Start it, or correct its address.`, {
      cause,
    })
  }
}

async function ask<Schema extends z.ZodType>(
  name: string,
  url: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const path = new URL(url).pathname
  let status: number
  let text: string
  try {
    const response = await registeredFetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(longestAnswer),
    })
    status = response.status
    text = await boundResponse(response).text()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EspalierError(
      'host_unreachable',
      `${name} cannot be reached (${reason}). Start it, or correct its address.`,
      { cause },
    )
  }
  const parsed = status === 200 ? schema.safeParse(parseJson(text)) : null
  if (parsed?.success) return parsed.data
  throw new EspalierError(
    'endpoint_failed',
    `${name} answered ${path} with ${status === 200 ? 'another shape than OpenEnv has' : `the status ${status}`}. Check that its address is that of an OpenEnv server, with the path that it stands under.`,
  )
}

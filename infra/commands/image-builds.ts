import type { SSMClient } from '@aws-sdk/client-ssm'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { ImageBuilds } from '../stage-facts.ts'

const buildSchema = z.object({
  id: z.string(),
  buildStatus: z.string(),
  currentPhase: z.string().optional(),
  phases: z
    .array(
      z.object({
        phaseStatus: z.string().optional(),
        contexts: z.array(z.object({ message: z.string().optional() })).optional(),
      }),
    )
    .default([]),
  logs: z.object({ groupName: z.string().optional(), streamName: z.string().optional() }).default({}),
  exportedEnvironmentVariables: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
})

type Build = z.infer<typeof buildSchema>

const shownLines = 40

export interface BuildOptions {
  endpoints: Readonly<Record<string, string | undefined>>
  note(text: string): void
  pause(milliseconds: number): Promise<void>
}

/**
 * Builds a stage's images by its project of CodeBuild, and waits for them.
 *
 * @param client - any client of AWS: it has the region, and signs. CodeBuild's own client would be a package for three requests
 * @returns the address of each image, with its digest
 * @throws EspalierError `invalid_request` with the last lines of its log if the build fails
 */
export async function buildImages(
  client: SSMClient,
  { project, repository }: ImageBuilds,
  { endpoints, note, pause }: BuildOptions,
): Promise<Record<string, string>> {
  const ask = (service: keyof typeof targets, operation: string, body: object) =>
    askAws(client, { service, operation, body, endpoint: endpoints[service] })
  let { build } = z
    .object({ build: buildSchema })
    .parse(await ask('codebuild', 'StartBuild', { projectName: project }))
  let phase: string | undefined
  while (build.buildStatus === 'IN_PROGRESS') {
    if (build.currentPhase !== phase) {
      phase = build.currentPhase
      note(`Images: ${phase?.toLowerCase().replaceAll('_', ' ')} (${build.id})`)
    }
    await pause(5000)
    const { builds } = z
      .object({ builds: z.array(buildSchema).length(1) })
      .parse(await ask('codebuild', 'BatchGetBuilds', { ids: [build.id] }))
    build = builds[0] ?? build
  }
  if (build.buildStatus === 'SUCCEEDED') return addressesOf(build, repository)
  const { groupName: logGroupName, streamName: logStreamName } = build.logs
  const isLogged = logGroupName !== undefined && logStreamName !== undefined
  const range = { logGroupName, logStreamName, limit: shownLines, startFromHead: false }
  const { events } = z
    .object({ events: z.array(z.object({ message: z.string() })) })
    .parse(isLogged ? await ask('logs', 'GetLogEvents', range) : { events: [] })
  throw failure(
    build,
    events.map(({ message }) => message.trimEnd()),
  )
}

function addressesOf(
  { id, exportedEnvironmentVariables }: Build,
  repository: string,
): Record<string, string> {
  const built = exportedEnvironmentVariables.find(({ name }) => name === 'IMAGES')?.value.trim() ?? ''
  const digests = built.split(' ').map((entry) => /^([\w-]+)=(sha256:[0-9a-f]{64})$/.exec(entry))
  if (digests.includes(null)) throw new Error(`The build ${id} named its images as "${built}".`)
  return Object.fromEntries(digests.map((found) => [found?.[1], `${repository}@${found?.[2]}`]))
}

function failure({ id, buildStatus, phases, logs }: Build, lines: string[]): EspalierError {
  const reasons = phases
    .filter(({ phaseStatus }) => phaseStatus !== undefined && phaseStatus !== 'SUCCEEDED')
    .flatMap(({ contexts = [] }) => contexts.flatMap(({ message }) => message || []))
  const ending =
    lines.length === 0 ? 'It has no log.' : `Its last lines (${logs.groupName}):\n${lines.join('\n')}`
  return new EspalierError(
    'invalid_request',
    `The build ${id} of the images ended as ${buildStatus}. ${reasons.join(' ')}\n${ending}`,
  )
}

const targets = { codebuild: 'CodeBuild_20161006', logs: 'Logs_20140328' }

interface AwsRequest {
  service: keyof typeof targets
  operation: string
  body: object
  endpoint: string | undefined
}

async function askAws(
  client: SSMClient,
  { service, operation, body, endpoint }: AwsRequest,
): Promise<unknown> {
  const region = await client.config.region()
  const { protocol, host, hostname, port } = new URL(endpoint ?? `https://${service}.${region}.amazonaws.com`)
  const signer = await client.config.signer({
    name: 'sigv4',
    signingName: service,
    signingRegion: region,
    properties: {},
  })
  const text = JSON.stringify(body)
  const { headers } = await signer.sign({
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: '/',
    query: {},
    headers: {
      host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${targets[service]}.${operation}`,
    },
    body: text,
  })
  const answer = await fetch(`${protocol}//${host}/`, { method: 'POST', headers, body: text })
  if (answer.ok) return answer.json()
  const refused = z
    .object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() })
    .catch({ __type: String(answer.status) })
    .parse(await answer.json().catch(() => null))
  const error = new Error(refused.message ?? refused.Message ?? `${service} refused ${operation}.`)
  error.name = refused.__type.split('#').at(-1) ?? ''
  throw error
}

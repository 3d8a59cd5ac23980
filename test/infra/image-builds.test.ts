import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SSMClient } from '@aws-sdk/client-ssm'
import { expect, onTestFinished, test } from 'vitest'
import { buildImages } from '../../infra/commands/image-builds.ts'

const builds = {
  project: 'espalier-dev-images',
  repository: '123456789012.dkr.ecr.us-east-1.amazonaws.com/i',
}
const client = new SSMClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
})
const digest = `sha256:${'ab'.repeat(32)}`

type Answer = { status?: number; body: unknown }

// Answers as CodeBuild and CloudWatch's logs document it, one answer after the other.
async function emulate(...answers: Answer[]) {
  const asked: { operation: unknown; body: unknown; signed: unknown }[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    asked.push({
      operation: request.headers['x-amz-target'],
      body: JSON.parse(Buffer.concat(parts).toString()),
      signed: request.headers.authorization,
    })
    const { status = 200, body } = answers[asked.length - 1] ?? { status: 500, body: {} }
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const said: string[] = []
  const pauses: number[] = []
  const build = () =>
    buildImages(client, builds, {
      endpoints: { codebuild: address, logs: address },
      note: (text) => void said.push(text),
      pause: async (milliseconds) => void pauses.push(milliseconds),
    })
  return { build, asked, said, pauses }
}

const build = (buildStatus: string, rest: object = {}) => ({ id: 'i:1', buildStatus, ...rest })
const running = (currentPhase: string) => ({ body: { builds: [build('IN_PROGRESS', { currentPhase })] } })
const started = { body: { build: build('IN_PROGRESS', { currentPhase: 'SUBMITTED' }) } }
const logs = { groupName: '/espalier/dev/images', streamName: '1' }

test('a build is waited for, its phases are told once, and its images have digests', async () => {
  const exportedEnvironmentVariables = [{ name: 'IMAGES', value: `env-host=${digest} worker=${digest} ` }]
  const done = { body: { builds: [build('SUCCEEDED', { exportedEnvironmentVariables })] } }
  const {
    build: run,
    asked,
    said,
    pauses,
  } = await emulate(started, running('DOWNLOAD_SOURCE'), running('BUILD'), running('BUILD'), done)
  expect(await run()).toEqual({
    'env-host': `${builds.repository}@${digest}`,
    worker: `${builds.repository}@${digest}`,
  })
  expect(said).toEqual(['submitted', 'download source', 'build'].map((phase) => `Images: ${phase} (i:1)`))
  expect(asked.map(({ operation }) => operation)).toEqual([
    'CodeBuild_20161006.StartBuild',
    ...Array(4).fill('CodeBuild_20161006.BatchGetBuilds'),
  ])
  expect(asked.map(({ body }) => body).slice(0, 2)).toEqual([
    { projectName: builds.project },
    { ids: ['i:1'] },
  ])
  for (const { signed } of asked) {
    expect(signed).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/codebuild\/aws4_request, SignedHeaders=/,
    )
  }
  expect(pauses).toHaveLength(4)
})

test('a failed build ends with its reason and the last lines of its log', async () => {
  const phases = [
    { phaseType: 'INSTALL', phaseStatus: 'SUCCEEDED', contexts: [{ message: '' }] },
    {
      phaseType: 'BUILD',
      phaseStatus: 'FAILED',
      contexts: [{ message: 'sh build-images.sh: exit status 1' }],
    },
    { phaseType: 'COMPLETED' },
  ]
  const failed = { body: { builds: [build('FAILED', { phases, logs })] } }
  const events = ['browser: building\n', 'E: Unable to locate package libreoffice\n'].map((message) => ({
    message,
  }))
  const { build: run, asked } = await emulate(started, failed, { body: { events } })
  await expect(run()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(
      /i:1.*FAILED.*exit status 1[\s\S]*espalier\/dev\/images[\s\S]*browser: building\nE: Unable to locate/,
    ),
  })
  expect(asked.at(-1)).toMatchObject({
    operation: 'Logs_20140328.GetLogEvents',
    body: { logGroupName: logs.groupName, logStreamName: '1', startFromHead: false },
  })
})

test('a build that was stopped before it had a log says so', async () => {
  const { build: run, asked } = await emulate(started, { body: { builds: [build('STOPPED')] } })
  await expect(run()).rejects.toThrow(/STOPPED[\s\S]*no log/)
  expect(asked).toHaveLength(2)
})

test('a refusal has the name that AWS gives it', async () => {
  const body = { __type: 'com.amazon#AccessDeniedException', message: 'no codebuild:StartBuild' }
  const { build: run } = await emulate({ status: 400, body })
  await expect(run()).rejects.toMatchObject({ name: 'AccessDeniedException', message: body.message })
})

test('a build that names no image by its digest is a bug, not an image', async () => {
  const exportedEnvironmentVariables = [{ name: 'IMAGES', value: 'env-host=None' }]
  const done = { body: { builds: [build('SUCCEEDED', { exportedEnvironmentVariables })] } }
  const { build: run } = await emulate(started, done)
  await expect(run()).rejects.toThrow('env-host=None')
})

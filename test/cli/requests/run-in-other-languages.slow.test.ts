import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../../cli/run-cli.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { cliCommand } from '../../../web/format/cli-command.ts'
import { curlCommand } from '../../../web/format/curl-command.ts'
import { quoteForShell } from '../../../web/format/quote-for-shell.ts'
import { safeJson } from '../../../web/format/safe-json.ts'
import { typescriptProgram } from '../../../web/format/typescript-program.ts'
import { emptyDraft, toRequest } from '../../../web/pages/new-run/run-draft.ts'
import { shellWords } from '../../support/shell-words.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { recordingTerminal } from '../recording-terminal.ts'
import { awkward, drafts } from './run-drafts.ts'

const entry = join(import.meta.dirname, '../../../cli/espalier.ts')
const root = join(import.meta.dirname, '../../..')

const wild = toRequest({
  ...emptyDraft,
  name: "it's $5\n`now` \u001b[31m",
  environment: 'textcraft',
  method: 'mcts',
  parameters: { iterations: 3, library: '12' },
  endpoint: 'simulated',
  model: 'simulated',
})

/** A service that keeps the bodies and headers it is sent, and answers each as refused. */
async function listen() {
  const asked: { url: string; body: Json; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Json
    asked.push({ url: request.url ?? '', body, key: request.headers.authorization })
    response.statusCode = 201
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ id: 'run-1' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, service: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a POSIX shell reads every quoted word back', () => {
  const word = awkward.filter(
    (each) =>
      !each.includes('\0') &&
      each.isWellFormed() &&
      !['\u0001', '\u0002'].some((mark) => each.includes(mark)),
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const [call] = shellWords('show', [['show', ...words.map(quoteForShell)].join(' ')])
      expect(call?.words).toEqual(words)
    }),
    { numRuns: 40 },
  )
})

test('the command line sends the request that the page sends, whatever is in it', async () => {
  const { asked, service } = await listen()
  await fc.assert(
    fc.asyncProperty(fc.array(drafts, { minLength: 5, maxLength: 5 }), async (many) => {
      const requests = many.map(toRequest)
      const commands = requests.map((request) => cliCommand(request, service))
      const calls = shellWords('espalier', commands)
      expect(calls).toHaveLength(requests.length)
      for (const [at, { input, words }] of calls.entries()) {
        const request = requests[at] as JsonObject
        expect(commands[at]?.match(/(?!\n)[\p{Cc}\p{Cf}]/u)).toBeNull()
        if (words.includes('--file')) {
          expect(words).toEqual(['run', '--service', service, '--file', '-'])
          expect(JSON.parse(input)).toEqual(request)
          continue
        }
        asked.length = 0
        const terminal = recordingTerminal()
        // The dry run sends the same body, and starts nothing.
        await runCli([...words, '--dry-run', '--json'], terminal)
        expect(terminal.notes).toEqual([])
        expect(asked).toHaveLength(1)
        expect(asked[0]).toMatchObject({ url: '/v1/runs?dry_run=true' })
        expect(asked[0]?.body).toEqual(request)
      }
    }),
    { numRuns: 25 },
  )
})

test('what flags can say is said by flags', () => {
  const draft = {
    ...emptyDraft,
    name: "it's $5",
    environment: 'textcraft',
    tasks: { split: 'train', range: [0, 50], types: ['depth-1'], limit: 20 },
    method: 'mcts',
    parameters: { value: 'debate', iterations: 4 },
    endpoint: 'simulated',
    model: 'simulated',
    roles: { debate: { temperature: 0.1 } },
    limits: { tokens: 300_000 },
  }
  expect(cliCommand(toRequest(draft), 'http://localhost:8080')).toBe(
    [
      'espalier run --service http://localhost:8080 --environment textcraft --split train',
      '  --limit 20 --type depth-1 --range 0-50 --method mcts --set value=debate',
      '  --set iterations=4 --endpoint simulated --model simulated --role debate.temperature=0.1',
      "  --max-tokens 300000 --name 'it'\\''s $5'",
    ].join(' \\\n'),
  )
})

test('the command takes what flags cannot say from its standard input', async () => {
  const { asked, service } = await listen()
  const command = cliCommand(wild, service)
  expect(command).toContain('--file -')
  const script = `espalier() { "${process.execPath}" "${entry}" "$@" --dry-run --json; }\n${command}`
  const child = spawn('sh', ['-c', script], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(asked[0]?.body).toEqual(wild)
})

test('curl sends the request, with the key of the environment where there is one', async () => {
  fc.assert(
    fc.property(fc.array(drafts, { minLength: 5, maxLength: 5 }), (many) => {
      const requests = many.map(toRequest)
      const calls = shellWords(
        'curl',
        requests.map((request) =>
          curlCommand({ url: 'http://localhost:8080/v1/runs', body: request, needsKey: false }),
        ),
      )
      for (const [at, { words }] of calls.entries()) {
        expect(words.slice(0, -1)).toEqual([
          '-sS',
          'http://localhost:8080/v1/runs',
          '-H',
          'Content-Type: application/json',
          '-d',
        ])
        expect(JSON.parse(words.at(-1) ?? '')).toEqual(requests[at])
      }
    }),
    { numRuns: 20 },
  )
  const { asked, service } = await listen()
  const environment = { ...process.env, ESPALIER_API_KEY: 'esp_1', NO_PROXY: '*' }
  await promisify(execFile)(
    'sh',
    ['-c', curlCommand({ url: `${service}/v1/runs`, body: wild, needsKey: true })],
    { env: environment },
  )
  expect(asked).toEqual([{ url: '/v1/runs', body: wild, key: 'Bearer esp_1' }])
})

test('the TypeScript passes the checker, and sends the request', async () => {
  const { asked, service } = await listen()
  const file = join(await temporaryFolder(), 'start-run.mts')
  await writeFile(file, typescriptProgram({ url: `${service}/v1/runs`, body: wild, needsKey: true }))
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--target', 'es2024', '--module', 'nodenext']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const run = promisify(execFile)
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...types, file])
  const { stdout } = await run(process.execPath, [file], {
    env: { ...process.env, ESPALIER_API_KEY: 'esp_1' },
  })
  expect(stdout.trim()).toBe('run-1')
  expect(asked).toEqual([{ url: '/v1/runs', body: wild, key: 'Bearer esp_1' }])
})

test('nothing in JSON for people stays invisible, and it means the same', () => {
  fc.assert(
    fc.property(fc.array(awkward), (texts) => {
      const json = safeJson(texts)
      expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
      expect(JSON.parse(json)).toEqual(texts)
    }),
  )
})

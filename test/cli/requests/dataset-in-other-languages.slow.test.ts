import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../../cli/run-cli.ts'
import { datasetCommand } from '../../../web/pages/new-dataset/dataset-command.ts'
import { shellWords } from '../../support/shell-words.ts'
import { recordingTerminal } from '../recording-terminal.ts'
import { drafts } from './dataset-drafts.ts'

/** A service that keeps what it is sent. */
async function listen() {
  const asked: { url: string; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    asked.push({ url: request.url ?? '', body: JSON.parse(await text(request)) })
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ id: 'dataset-1' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, service: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('the command line sends what the page sends, wherever it has flags for it', async () => {
  const { asked, service } = await listen()
  let said = 0
  await fc.assert(
    fc.asyncProperty(fc.array(drafts, { minLength: 4, maxLength: 4 }), async (many) => {
      const written = many.flatMap((draft) => {
        const command = datasetCommand(draft, service)
        return command === null ? [] : [{ command, draft }]
      })
      const calls =
        written.length === 0
          ? []
          : shellWords(
              'espalier',
              written.map(({ command }) => command),
            )
      for (const [at, { words }] of calls.entries()) {
        asked.length = 0
        const terminal = recordingTerminal()
        await runCli([...words, '--dry-run', '--json'], terminal)
        expect(terminal.notes).toEqual([])
        expect(asked).toEqual([{ url: '/v1/datasets?dry_run=true', body: written[at]?.draft }])
        said += 1
      }
    }),
    { numRuns: 25 },
  )
  expect(said).toBeGreaterThan(10)
})

test('what no flag says is not half said', () => {
  const service = 'http://localhost:8080'
  expect(datasetCommand({ runs: ['r'], limits: { tokens: 9 } }, service)).toBeNull()
  expect(datasetCommand({ runs: ['r'], model: { id: 'm', temperature: 0 } }, service)).toBeNull()
  expect(datasetCommand({ runs: ['r'], name: 'a\u001b[31m' }, service)).toBeNull()
  expect(datasetCommand({ runs: ['r'], seed: 'x' as unknown as number }, service)).toBeNull()
  const scored = (score: object) =>
    datasetCommand({ runs: ['r'], scores: [{ name: 'helpful', ...score }] }, service)
  expect(scored({ at_least: 0.2, at_most: 0.8 })).toBeNull()
  expect(scored({ by: 'ada' })).toBeNull()
  expect(scored({ at_most: 0.8 })).toMatch(/ --score 'helpful<=0.8'$/)
  expect(datasetCommand({ runs: ['r'], kind: 'sft', gates: { held_out: 'keep' } }, service)).toBe(
    'espalier export --service http://localhost:8080 r --kind sft --keep-held-out',
  )
})

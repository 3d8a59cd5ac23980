import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import type { ApiKey, CreatedKey } from '../../shared/core/contracts/key.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

async function serve(folder: string) {
  const service = await openService({ folder, port: 0, auth: 'keys', work: false, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  return service
}

const create = ['keys', 'create', '--name', 'nightly', '--scopes', 'runs:write,runs:read']

test('a key is the only thing on standard output, and opens the service that then serves the folder', async () => {
  const folder = await temporaryFolder()
  const made = await espalier(...create, '--tenant', 'acme', '--folder', folder)
  expect(made.exitCode).toBe(0)
  expect(made.out).toMatch(/^esp_[0-9a-z]{18}_[0-9a-z]{52}$/)
  expect(made.notes).toContain('tenant "acme"')
  expect(made.notes).not.toContain(made.out)

  const { address } = await serve(folder)
  const at = ['--service', address]
  expect((await espalier('runs', ...at, '--api-key', made.out)).exitCode).toBe(0)
  const refused = await espalier('runs', ...at)
  expect(refused).toMatchObject({
    exitCode: 1,
    notes: expect.stringMatching(/API key.*--api-key.*ESPALIER_API_KEY/),
  })
  const wrong = await espalier('runs', ...at, '--api-key', 'esp_wrong')
  expect(wrong).toMatchObject({ exitCode: 1, notes: expect.stringContaining('unknown, revoked or expired') })
  expect(wrong.notes).not.toContain('esp_wrong')
  const broken = await espalier('runs', ...at, '--api-key', 'esp_wrong\nkey')
  expect(broken).toMatchObject({ exitCode: 2, notes: expect.stringContaining('a character that no key has') })
  const beyond = await espalier('keys', 'list', ...at, '--api-key', made.out)
  expect(beyond).toMatchObject({ exitCode: 1, notes: expect.stringContaining('"admin"') })
})

test('while a service holds the folder, keys are made, listed and revoked through it, for any tenant', async () => {
  const folder = await temporaryFolder()
  const { address } = await serve(folder)
  const there = ['--folder', folder, '--tenant', 'acme']
  const made = JSON.parse(
    (await espalier(...create, '--expires', '90d', ...there, '--json')).out,
  ) as CreatedKey
  expect(made).toMatchObject({ tenant: 'acme', scopes: ['runs:write', 'runs:read'] })
  expect(Date.parse(made.expires_at ?? '') - Date.parse(made.created_at)).toBe(90 * 24 * 3600 * 1000)
  const listed = JSON.parse((await espalier('keys', 'list', ...there, '--json')).out) as List<ApiKey>
  expect(listed.data.map(({ id }) => id)).toEqual([made.id])
  expect((await espalier('keys', 'list', ...there)).out).toMatch(/nightly +runs:write runs:read/)
  expect((await espalier('keys', 'list', '--folder', folder)).out).toContain('No keys yet')
  const elsewhere = await espalier('keys', 'revoke', made.id, '--folder', folder)
  expect(elsewhere).toMatchObject({ exitCode: 1, notes: expect.stringContaining('There is no key') })
  expect((await espalier('keys', 'revoke', made.id, ...there)).out).toContain('is revoked')
  expect((await espalier('runs', '--service', address, '--api-key', made.key)).exitCode).toBe(1)
})

test("runs of one tenant are not in another's list, in one folder", async () => {
  const folder = await temporaryFolder()
  const run = [
    'run',
    '--environment',
    'textcraft',
    '--method',
    'react',
    '--model',
    'simulated',
    '--limit',
    '1',
  ]
  const played = await espalier(...run, '--tenant', 'acme', '--folder', folder)
  expect(played.exitCode).toBe(0)
  expect((await espalier('runs', '--folder', folder)).out).toContain('No runs yet')
  expect((await espalier('runs', '--folder', folder, '--tenant', 'acme')).out).toContain('textcraft')
})

test.each([
  [[...create, '--expires', 'soon'], 'such as 90d'],
  [['keys', 'create', '--name', 'x', '--scopes', 'everything'], '"everything" is no scope'],
  [['keys', 'create', '--scopes', 'admin'], '--name'],
  [['keys', 'revoke', 'esp_not-an-id'], 'Give its id'],
  [['runs', '--tenant', 'No/Tenant'], 'lower-case letters'],
  [['runs', '--tenant', 'acme', '--service', '127.0.0.1:1'], '--tenant is for the data folder'],
  [['keys', 'list', '--stage', 'prod', '--service', '127.0.0.1:1'], 'leave one out'],
])('%j is wrong usage', async (words, message) => {
  const { exitCode, notes } = await espalier(...words)
  expect({ exitCode, notes }).toMatchObject({ exitCode: 2, notes: expect.stringContaining(message) })
})

import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import type { TenantLimits } from '../../shared/core/contracts/tenant-limits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

async function espalier(...words: string[]) {
  const terminal = recordingTerminal()
  const exitCode = await runCli(words, terminal)
  return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
}

test('limits are set, shown and lifted one by one, each tenant its own', async () => {
  const folder = await temporaryFolder()
  const acme = ['--tenant', 'acme', '--folder', folder]
  const set = await espalier('limits', 'set', '--max-cost', '100', '--max-tokens', '1000000', ...acme)
  expect(set.exitCode).toBe(0)
  expect(set.out).toContain('tenant "acme"')
  expect(set.out).toMatch(/cost +\$100\.00 +\$0\ntokens +1\.0 M +0/)
  expect((await espalier('limits', ...acme)).out).toBe(set.out)

  const lifted = await espalier('limits', 'set', '--max-cost', 'none', ...acme, '--json')
  expect(JSON.parse(lifted.out) as TenantLimits).toEqual({
    object: 'tenant_limits',
    tenant: 'acme',
    cost: null,
    tokens: 1_000_000,
    used: { cost: 0, tokens: 0 },
  })
  expect(JSON.parse((await espalier('limits', ...acme, '--json')).out)).toEqual(JSON.parse(lifted.out))
  expect((await espalier('limits', '--folder', folder)).out).toMatch(/cost +none +\$0\ntokens +none +0/)
})

test('the limits are shown with what runs have used', async () => {
  const folder = await temporaryFolder()
  const run = ['run', '--environment', 'textcraft', '--method', 'react', '--model', 'simulated']
  const played = await espalier(...run, '--limit', '1', '--folder', folder, '--json')
  expect(played.exitCode).toBe(0)
  const { used } = JSON.parse((await espalier('limits', '--folder', folder, '--json')).out) as TenantLimits
  expect(used.tokens).toBeGreaterThan(0)
})

test('while a service holds the folder, its holder sets limits through it, and no key does', async () => {
  const folder = await temporaryFolder()
  const service = await openService({ folder, port: 0, auth: 'keys', work: false, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const acme = ['--tenant', 'acme', '--folder', folder]
  const key = (await espalier('keys', 'create', '--name', 'all', '--scopes', 'admin', ...acme)).out
  expect((await espalier('limits', 'set', '--max-tokens', '5000', ...acme)).exitCode).toBe(0)

  const byKey = ['--service', service.address, '--api-key', key]
  expect(JSON.parse((await espalier('limits', ...byKey, '--json')).out)).toMatchObject({
    tenant: 'acme',
    tokens: 5000,
  })
  const refused = await espalier('limits', 'set', '--max-tokens', 'none', ...byKey, '--json')
  expect(refused).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('espalier limits set --stage STAGE --tenant TENANT'),
  })
  expect(JSON.parse(refused.out)).toMatchObject({ error: { code: 'not_operator' } })
  expect(JSON.parse((await espalier('limits', ...acme, '--json')).out)).toMatchObject({ tokens: 5000 })
})

test('both commands have an example in their help', async () => {
  expect((await espalier('limits', '--help')).out).toContain('Example: espalier limits --tenant acme')
  const { out } = await espalier('limits', 'set', '--help')
  expect(out).toContain('Example: espalier limits set --max-cost 100 --stage prod --tenant acme')
  expect(out).toContain('--stage <stage>')
})

test.each([
  [['limits', 'set'], 'Which limit?'],
  [['limits', 'set', '--max-cost', '0'], 'more than 0'],
  [['limits', 'set', '--max-cost', 'much'], 'or "none"'],
  [['limits', 'set', '--max-cost', '1e300'], 'at most 1000000'],
  [['limits', 'set', '--max-tokens', '1.5'], 'whole number above 0'],
  [['limits', 'set', '--max-tokens', ''], 'whole number above 0'],
  [['limits', 'raise'], 'too many arguments'],
  [['limits', '--stage', 'prod', '--service', '127.0.0.1:1'], 'leave one out'],
  [['limits', 'set', '--max-cost', '1', '--stage', 'prod', '--service', '127.0.0.1:1'], 'leave one out'],
])('%j is wrong usage', async (words, message) => {
  const { exitCode, notes } = await espalier(...words)
  expect({ exitCode, notes }).toMatchObject({ exitCode: 2, notes: expect.stringContaining(message) })
})

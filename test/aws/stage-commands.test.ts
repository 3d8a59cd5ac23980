import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DeleteParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openKeys } from '../../shared/core/auth/open-keys.ts'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import { openTenantLimits } from '../../shared/core/engine/spending/open-tenant-limits.ts'
import { openAwsLedger } from '../../shared/core/world/aws/open-aws-ledger.ts'
import { openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import { type DataPackRow, openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { makeTestResources, type TestResources } from './aws-test-resources.ts'

describe('commands with --stage', () => {
  const stage = uniqueName()
  const parameter = `/espalier/${stage}/settings`
  const store = new SSMClient()
  let resources: TestResources

  beforeAll(async () => {
    resources = await makeTestResources()
    const Value = JSON.stringify({ table: resources.options.table, bucket: resources.options.bucket })
    await store.send(new PutParameterCommand({ Name: parameter, Value, Type: 'String' }))
  })
  afterAll(async () => {
    await store.send(new DeleteParameterCommand({ Name: parameter }))
    await resources.remove()
  })

  async function espalier(...words: string[]) {
    const { ESPALIER_URL } = process.env
    const terminal = recordingTerminal({ environment: ESPALIER_URL === undefined ? {} : { ESPALIER_URL } })
    const exitCode = await runCli([...words, '--json'], terminal)
    return { exitCode, out: JSON.parse(terminal.outs.join('\n')) as object, notes: terminal.notes.join('\n') }
  }

  const acme = ['--stage', stage, '--tenant', 'acme']

  test('make keys that the table knows', async () => {
    const { out } = await espalier('keys', 'create', '--name', 'first', '--scopes', 'admin', ...acme)
    const keys = openKeys({ ledger: openAwsLedger(resources.options.table), clock: systemClock })
    expect(await keys.verify((out as CreatedKey).key)).toMatchObject({ tenant: 'acme', scopes: ['admin'] })
    expect((await espalier('keys', 'list', ...acme)).out).toMatchObject({ data: [{ name: 'first' }] })
  })

  test('set limits that hold in the table', async () => {
    await espalier('limits', 'set', '--max-cost', '100', '--max-tokens', '1000', ...acme)
    await espalier('limits', 'set', '--max-tokens', 'none', ...acme)
    const limits = openTenantLimits({ ledger: openAwsLedger(resources.options.table) })
    expect(await limits.get('acme')).toMatchObject({ cost: 100, tokens: null })
    expect((await espalier('limits', ...acme)).out).toEqual(await limits.get('acme'))
    expect((await espalier('limits', '--stage', stage)).out).toMatchObject({ tenant: 'default', cost: null })
  })

  test('add data packs that the stage then has', async () => {
    const folder = await temporaryFolder()
    const toy = join(import.meta.dirname, '../cli/toy-definition.ts')
    await writeFile(
      join(folder, 'riddles.ts'),
      `import { toyDefinition } from '${toy}'\nexport const riddles = toyDefinition()\n`,
    )
    const environments = { riddles: { kind: 'module', file: './riddles.ts' } }
    await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
    await mkdir(join(folder, 'games'))
    await writeFile(join(folder, 'games', 'piano.txt'), 'What has keys and opens nothing?\npiano\n')
    const there = ['--stage', stage, '--folder', folder]
    const { out } = await espalier('data', 'add', 'riddles', join(folder, 'games'), ...there)
    expect(out).toMatchObject({ environment: 'riddles', name: 'games', splits: { test: 1 } })
    const { digest } = out as DataPackRow
    expect((await espalier('data', 'list', ...there)).out).toMatchObject([{ name: 'games', digest }])
    const packs = openDataPacks(openAwsWorld({ ...resources.options, hosts: null }))
    const pack = await packs.open('riddles', digest)
    expect(Buffer.from(await pack.read('piano.txt')).toString()).toContain('piano')
    await espalier('data', 'remove', 'riddles', 'games', ...there)
    expect((await espalier('data', 'list', ...there)).out).toEqual([])
  })

  test('go before the service that ESPALIER_URL names', async () => {
    vi.stubEnv('ESPALIER_URL', 'localhost:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await espalier('limits', ...acme)).out).toMatchObject({ tenant: 'acme' })
  })

  test('say that there is no such stage', async () => {
    const { exitCode, notes } = await espalier('limits', '--stage', 'nowhere')
    expect({ exitCode, notes }).toMatchObject({ exitCode: 2, notes: expect.stringContaining('"nowhere"') })
  })
})

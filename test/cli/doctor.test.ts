import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Check } from '../../cli/checks/check.ts'
import { checkWorkers } from '../../cli/checks/check-workers.ts'
import { checkNode } from '../../cli/commands/doctor.ts'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import { recordingTerminal } from './recording-terminal.ts'

describe('doctor', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function doctor(at: string, environment: Record<string, string> = {}) {
    const terminal = recordingTerminal({ environment })
    const exitCode = await runCli(['doctor', '--json', '--folder', at], terminal)
    const { ok, checks } = JSON.parse(terminal.outs.join('\n')) as { ok: boolean; checks: Check[] }
    return { exitCode, ok, check: (name: string) => checks.find((each) => each.name === name) }
  }

  it('finds the ground firm, and says that a folder can be made', async () => {
    const { exitCode, ok, check } = await doctor(join(folder, 'a', 'b'))
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true })
    expect(check('data folder')?.message).toContain('can be made')
    expect(check('endpoint simulated')?.status).toBe('ok')
    expect(check('holder')?.message).toContain('none; commands open')
  })

  it('names the environments that the folder adds, and what is wrong with their file', async () => {
    const path = join(folder, 'environments.json')
    const far = { kind: 'host', address: 'http://127.0.0.1:1' }
    await writeFile(path, JSON.stringify({ environments: { far } }))
    expect((await doctor(folder)).check('environment far')?.status).toBe('ok')
    await writeFile(path, JSON.stringify({ environments: { far: { ...far, port: 1 } } }))
    const { exitCode, check } = await doctor(folder)
    expect(exitCode).toBe(1)
    expect(check('environments')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('environments.far.port'),
      action: expect.stringContaining(path),
    })
  })

  it('fails for a folder that is a file, in one JSON document', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { exitCode, ok, check } = await doctor(file)
    expect({ exitCode, ok }).toEqual({ exitCode: 1, ok: false })
    expect(check('data folder')).toMatchObject({
      status: 'fail',
      action: expect.stringContaining('--folder'),
    })
  })

  it('fails for a folder that another version of the program wrote', async () => {
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    sqlite.exec('pragma user_version = 1')
    sqlite.close()
    const { exitCode, check } = await doctor(folder)
    expect(exitCode).toBe(1)
    expect(check('data folder')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('an older Espalier'),
    })
  })

  it('says what an endpoint is missing, never what a key is', async () => {
    const endpoints = {
      remote: { kind: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key_env: 'REMOTE_KEY' },
      keyed: { kind: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key_file: 'key' },
    }
    await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
    await writeFile(join(folder, 'key'), 'very-secret')
    await chmod(join(folder, 'key'), 0o644)
    const { exitCode, check } = await doctor(folder, { OTHER: 'x' })
    expect(exitCode).toBe(0)
    expect(check('endpoint remote')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('REMOTE_KEY'),
      action: expect.stringContaining('does not begin'),
    })
    expect(check('endpoint keyed')?.message).toContain('chmod 600')
    expect(JSON.stringify(check('endpoint keyed'))).not.toContain('very-secret')
  })

  it('names the key that OpenAI lacks', async () => {
    const { check } = await doctor(folder, {})
    expect(check('endpoint openai')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('OPENAI_API_KEY is not set'),
    })
  })

  it('warns of an endpoint without prices, and fails for a broken endpoints.json', async () => {
    const { check } = await doctor(folder, { OPENAI_API_KEY: 'sk-test' })
    expect(check('endpoint openai')).toMatchObject({ status: 'warn', message: 'ready, without prices' })
    await writeFile(join(folder, 'endpoints.json'), '{')
    expect((await doctor(folder)).check('endpoints')).toMatchObject({ status: 'fail' })
  })

  it('fails for a folder that no service could open', async () => {
    await writeFile(join(folder, 'lock.db'), 'no database, and long enough to be read as one'.repeat(20))
    expect((await doctor(folder)).check('holder')).toMatchObject({ status: 'fail' })
  })

  it('says how many workers a service would start, and with how much memory', async () => {
    const { check } = await doctor(folder)
    expect(check('workers')).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/would start [1-9]\d*, one for each core, with up to \d+\.\d GiB/),
    })
  })

  it('says how many workers a running service has', () => {
    const health = { status: 'ok', version: '0.1.0', world: 'local' }
    const messages = (more: object, isHere = true) =>
      checkWorkers({ ...health, ...more }, isHere).map(({ status, message }) => `${status}: ${message}`)
    const [here] = messages({ workers: { wanted: 4, playing: 4 } })
    expect(here).toMatch(/^ok: 4 play, with up to \d+\.\d GiB of memory each$/)
    expect(messages({ workers: { wanted: 4, playing: 3 } }, false)).toEqual(['warn: 3 of 4 play'])
    expect(messages({})).toEqual(['ok: none: the service plays in its own process'])
    expect(messages({ world: 'aws' })).toEqual([])
  })

  it('asks a service that runs on the folder', async () => {
    const service = await openService({ folder, port: 0, work: false, log: () => undefined })
    try {
      const { check } = await doctor(folder)
      expect(check('holder')?.message).toContain(`process ${process.pid} serves it`)
      expect(check('workers')?.message).toBe('none: the service plays in its own process')
    } finally {
      await service.close()
    }
  })

  it('asks for Node 24', () => {
    expect(checkNode('24.0.0').status).toBe('ok')
    expect(checkNode('22.22.0')).toMatchObject({ status: 'fail', message: 'Node 22.22.0 is too old.' })
  })

  it('prints a line for each thing it looked at', async () => {
    const terminal = recordingTerminal()
    expect(await runCli(['doctor', '--folder', folder], terminal)).toBe(0)
    expect(terminal.outs.join('\n')).toMatch(/^ok {4}node: Node 2/)
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { loadEndpointsWith } from '../../cli/simulated-endpoint.ts'
import { openService } from '../../local/open-service.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const root = join(import.meta.dirname, '../..')

/** Opens a service as another process would, over a model that does not answer in time. */
async function openHolder(folder: string) {
  const endpoints = await loadEndpointsWith(folder, {}, { skill: 0.6, latency: 600_000 })
  return openService({ folder, port: 0, endpoints, log: () => undefined })
}

test('a quickstart names the process that holds its folder, and takes the folder over when that process ends', async () => {
  const folder = await temporaryFolder()
  const holder = await openHolder(folder)
  const terminal = recordingTerminal()
  const words = ['quickstart', '--folder', folder, '--tasks', '3', '--no-serve', '--latency', '1']
  const ended = runCli(words, terminal)
  const notes = () => terminal.notes.join('\n')
  await expect.poll(notes).toMatch(/nothing is spent/)
  expect(notes()).toMatch(
    new RegExp(`Process ${process.pid} holds .* since \\d{4}-.*Z and serves it at ${holder.address}`),
  )
  await expect
    .poll(async () => {
      const answer = await holder.app.request(`${holder.address}/v1/runs`, {
        headers: { Authorization: `Bearer ${holder.word}` },
      })
      return ((await answer.json()) as { data: unknown[] }).data.length
    })
    .toBe(2)
  await holder.close({ grace: 0 })
  expect(await ended).toBe(0)
  expect(notes()).toContain('has ended. This command goes on by itself.')
  expect(notes()).not.toMatch(/--service|ESPALIER_URL/)
  expect(terminal.outs.join('\n')).toContain('Dataset of the mcts run')
})

test.each(['quickstart', 'start', 'espalier'])(
  'no shell stands between npm and the process of %s',
  (script) => {
    expect(packageFile.scripts).toHaveProperty(
      script,
      expect.stringMatching(/^[^;]+ && exec env node [^;&|]+$/),
    )
  },
)

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a service that npm started ends with its workers after %s to a shell between them',
  async (signal) => {
    const folder = await temporaryFolder()
    const entry = join(root, 'cli/espalier.ts')
    // Two commands, so that no shell replaces itself by the service.
    const script = `"${process.execPath}" "${entry}" serve --port 0 --workers 1 --json --folder "${folder}"; true`
    const shell = spawn('/bin/sh', ['-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    onTestFinished(() => void shell.kill('SIGKILL'))
    await lineOf(shell.stdout as Readable, '"address"')
    const worker = JSON.parse(await lineOf(shell.stderr as Readable, '"worker.started"')) as { pid: number }
    // The service, which inherited both streams, closes them when it ends.
    const closed = [once(shell.stdout as Readable, 'close'), once(shell.stderr as Readable, 'close')]
    shell.kill(signal)
    await once(shell as ChildProcess, 'exit')
    await Promise.all(closed)
    await expect.poll(() => isAlive(worker.pid)).toBe(false)
  },
)

async function lineOf(stream: Readable, part: string): Promise<string> {
  const lines = createInterface({ input: stream })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.includes(part)) resolve(line)
    })
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

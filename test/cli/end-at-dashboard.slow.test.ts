import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { usualPort } from '../../cli/end-at-dashboard.ts'
import { runCli } from '../../cli/run-cli.ts'
import { openService } from '../../local/open-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const words = ['quickstart', '--tasks', '1', '--latency', '0', '--skill', '1']

test('where a person looks on, the quickstart ends by serving its runs until it is interrupted', async () => {
  const folder = await temporaryFolder()
  const terminal = recordingTerminal({ isInteractive: true })
  const ended = runCli([...words, '--folder', folder], terminal)
  await expect.poll(() => terminal.outs.join('\n')).toMatch(/Ctrl-C ends it/)
  const address = /shows these runs: (http:\S+\/runs)/.exec(terminal.outs.join('\n'))?.[1] ?? ''
  const listed = (await (await fetch(new URL('/v1/runs', address))).json()) as { data: unknown[] }
  expect(listed.data).toHaveLength(2)
  terminal.interrupt()
  expect(await ended).toBe(0)
  await expect(fetch(address)).rejects.toThrow()
})

test('its usual port may be taken; it then takes another', async () => {
  const other = createServer().listen(usualPort, '127.0.0.1')
  onTestFinished(() => void other.close())
  // Either it listens, or somebody else on this machine does: both take the port.
  await new Promise((resolve) => other.once('listening', resolve).once('error', resolve))
  const terminal = recordingTerminal({ isInteractive: true })
  const ended = runCli([...words, '--folder', await temporaryFolder()], terminal)
  await expect.poll(() => terminal.outs.join('\n')).toMatch(/Ctrl-C ends it/)
  const port = new URL(/(http:\S+\/runs)/.exec(terminal.outs.join('\n'))?.[1] ?? '').port
  expect(port).not.toBe(String(usualPort))
  terminal.interrupt()
  expect(await ended).toBe(0)
})

test.each([
  [[], false],
  [['--no-serve'], true],
] as const)(
  'with %j and a person: %s, it ends and says what serves its runs',
  async (more, isInteractive) => {
    const folder = await temporaryFolder()
    const terminal = recordingTerminal({ isInteractive })
    expect(await runCli([...words, ...more, '--folder', folder], terminal)).toBe(0)
    const last = terminal.outs.at(-1)
    expect(last).toContain(`espalier serve --folder ${folder}`)
    expect(last).toContain(`http://127.0.0.1:${usualPort}/runs`)
  },
)

test('as JSON it says nothing else', async () => {
  const terminal = recordingTerminal({ isInteractive: true })
  const folder = await temporaryFolder()
  expect(await runCli([...words, '--json', '--folder', folder], terminal)).toBe(0)
  expect(JSON.parse(terminal.outs.join('\n'))).toHaveProperty('runs')
})

test('where a service holds the folder already, its address is shown', async () => {
  const folder = await temporaryFolder()
  const service = await openService({ folder, port: 0, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const terminal = recordingTerminal({ isInteractive: true })
  expect(await runCli([...words, '--folder', folder], terminal)).toBe(0)
  expect(terminal.outs.at(-1)).toContain(`${service.address}/runs`)
})

test('serve says first where the dashboard is', async () => {
  const terminal = recordingTerminal()
  const ended = runCli(['serve', '--port', '0', '--folder', await temporaryFolder()], terminal)
  await expect.poll(() => terminal.outs.length).toBeGreaterThan(3)
  const address = /^Espalier's dashboard: (http:\S+)$/.exec(terminal.outs[0] ?? '')?.[1] ?? ''
  expect((await fetch(`${address}/health`)).status).toBe(200)
  expect(terminal.outs[1]).toContain(`${address}/docs`)
  terminal.interrupt()
  expect(await ended).toBe(0)
})

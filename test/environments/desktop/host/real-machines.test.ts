import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { BackendLostError } from '../../../../containers/env-host/session-backend.ts'
import { realMachines } from '../../../../shared/environments/desktop/host/real-machines.ts'
import { ownDesktops } from '../../../../shared/environments/desktop/host/seats.ts'
import { serveOsworld } from '../../../../shared/environments/desktop/host/serve-desktop.ts'
import { openTaskProgram } from '../../../../shared/environments/desktop/host/task-program.ts'
import type { SessionMachine } from '../../../../shared/environments/osworld/machines.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** What answers as a machine does and as what resets it, once it was asked so often. */
async function openMachine({ asleep = 0, status = 200 } = {}) {
  const seen: string[] = []
  let left = asleep
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/reset') return response.writeHead(status).end()
    left -= 1
    response.writeHead(left >= 0 ? 503 : 200).end('Linux\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hook = { address: `${address}/reset`, form: { key: 'secret' }, headers: {}, timeout: 20 }
  return { address, hook, seen }
}

const take = (machine: SessionMachine) =>
  realMachines(() => undefined)
    .seatsOf(machine)
    .take(new AbortController().signal)

const node = (code: string): [string, ...string[]] => [process.execPath, '-e', code]

test('a machine is reset before each session, and taken once it shows its screen', async () => {
  const { address, hook, seen } = await openMachine({ asleep: 2 })
  const seat = await take({ address, reset: hook })
  expect(seat).toMatchObject({ address, runtime: 'OSWorld machine, Linux', network: true })
  const look = 'GET /screenshot'
  expect(seen).toEqual(['POST /reset', look, look, look, 'GET /platform'])
  await take({ address, reset: hook })
  expect(seen.filter((path) => path === 'POST /reset')).toHaveLength(2)
})

test('a command resets a machine, and what it leaves running is not waited for', async () => {
  const { address } = await openMachine()
  const file = join(await temporaryFolder(), 'process')
  const code = `const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' })
    require('node:fs').writeFileSync('${file}', String(child.pid))
    child.unref()`
  onTestFinished(async () => void process.kill(Number(await readFile(file, 'utf8'))))
  const began = performance.now()
  await take({ address, reset: { command: node(code), timeout: 40 } })
  expect(performance.now() - began).toBeLessThan(30_000)
})

test.each([
  ['that ends with an error', node('process.exit(3)'), 20, /command ended with 3/],
  ['that is not there', [join('no', 'such')] as [string], 20, /command does not start/],
  ['that is late', node('setTimeout(() => {}, 60_000)'), 1, /not reset within 1 seconds/],
])('a command %s loses the session', async (_what, command, timeout, message) => {
  const { address } = await openMachine()
  const taking = take({ address, reset: { command, timeout } })
  await expect(taking).rejects.toBeInstanceOf(BackendLostError)
  await expect(taking).rejects.toThrow(message)
})

test('a machine whose reset fails, or that shows no screen after it, loses the session without its secrets', async () => {
  const refusing = await openMachine({ status: 403 })
  await expect(take({ address: refusing.address, reset: refusing.hook })).rejects.toThrow(
    `the machine at ${refusing.address} answered its reset with 403.`,
  )
  const { address, hook, seen } = await openMachine({ asleep: 1000 })
  const now = performance.now.bind(performance)
  let ahead = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  onTestFinished(() => void clock.mockRestore())
  const refused = expect(take({ address, reset: hook })).rejects.toThrow(/shows no screen 20 seconds/)
  await expect.poll(() => seen).toContain('GET /screenshot')
  ahead = hook.timeout * 1000
  await refused
})

test.each([
  ['host', 'leaves'],
  ['session', 'is closed'],
])('where the %s %s, the reset that is under way is ended', async (who) => {
  const { address } = await openMachine()
  const machines = realMachines(() => undefined)
  const leaving = new AbortController()
  const taking = machines
    .seatsOf({ address, reset: { command: node('setTimeout(() => {}, 60_000)'), timeout: 50 } })
    .take(leaving.signal)
  const failed = expect(taking).rejects.toThrow(/by SIGKILL/)
  await new Promise((soon) => setTimeout(soon, 200))
  if (who === 'host') await machines.stop()
  else leaving.abort()
  await failed
})

test('a session loses its machine to one that takes it after, and not to one of another machine', async () => {
  const [one, two] = await Promise.all([openMachine(), openMachine()])
  const machines = realMachines(() => undefined)
  const seatOf = ({ address, hook }: typeof one) =>
    machines.seatsOf({ address, reset: hook }).take(new AbortController().signal)
  const [first, other] = await Promise.all([seatOf(one), seatOf(two)])
  const second = await seatOf(one)
  expect(first.lost.reason).toBeInstanceOf(BackendLostError)
  expect([second.lost.aborted, other.lost.aborted]).toEqual([false, false])
  await first.close()
  await seatOf(one)
  expect(second.lost.aborted).toBe(true)
})

test('nothing is reset for a session that is closed already', async () => {
  const { address } = await openMachine()
  const file = join(await temporaryFolder(), 'reset')
  const machine = { address, reset: { command: ['touch', file] as [string, string], timeout: 20 } }
  const taking = realMachines(() => undefined)
    .seatsOf(machine)
    .take(AbortSignal.abort())
  await expect(taking).rejects.toThrow(/its session is closed/)
  expect(existsSync(file)).toBe(false)
})

test('a host without an access key runs no command for who opens sessions', async () => {
  const folder = await temporaryFolder()
  const log = () => undefined
  const parts = { seats: ownDesktops(log), program: openTaskProgram(log), machines: realMachines(log) }
  const osworld = serveOsworld({ ...parts, mayRunCommands: false })
  const machine = {
    address: 'http://127.0.0.1:1',
    reset: { command: ['touch', join(folder, 'x')], timeout: 5 },
  }
  const open = (files: Record<string, string>) => osworld.open({ task: 'os/a', seed: 0, files })
  await expect(open({ 'machine.json': JSON.stringify(machine) })).rejects.toMatchObject({
    code: 'not_supported',
  })
  await expect(open({ 'machine.json': '{"address": "secret"}' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.not.stringContaining('secret'),
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../../shared/learn/serving/server-process.ts'

/** Milliseconds until an emulator must listen. */
const longestStart = 60_000

export interface EmulatorProgram {
  name: string
  command: string
  arguments: (port: number) => string[]
  environment: Record<string, string>
  log: string
}

/** An emulator that listens on 127.0.0.1, on a port that was free. */
export interface Emulator {
  name: string
  port: number
  address: string
  stop(): Promise<void>
}

/** Starts an emulator and waits until it listens. What it prints is kept in its log. */
export async function startEmulator(program: EmulatorProgram): Promise<Emulator> {
  const port = await findFreePort()
  const log = openSync(program.log, 'a')
  const child = spawn(program.command, program.arguments(port), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...program.environment },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const failed = once(child, 'error').then(([error]) => String(error))
  const ended = once(child, 'exit').then(([code, signal]) => `it ended with ${code ?? signal}`)
  const outcome = await Promise.race([failed, ended, listens(port)])
  if (outcome !== null) {
    child.kill('SIGKILL')
    throw new Error(
      `${program.name} did not start: ${outcome}.\n${readFileSync(program.log, 'utf8').slice(-3000)}`,
    )
  }
  return {
    name: program.name,
    port,
    address: `http://127.0.0.1:${port}`,
    stop: () => stop(child, ended),
  }
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await ended
  clearTimeout(timer)
}

/** Null once somebody listens there. */
async function listens(port: number): Promise<string | null> {
  for (const deadline = Date.now() + longestStart; Date.now() < deadline; await wait(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return null
  }
  return `nothing listened on port ${port} within ${longestStart / 1000} seconds`
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { errorText, type HostLog } from '../../../../containers/env-host/host-log.ts'
import { BackendLostError } from '../../../../containers/env-host/session-backend.ts'
import type { SessionMachine } from '../../osworld/machines.ts'
import { postResetHook } from '../../post-reset-hook.ts'
import type { MachineSeats } from './seats.ts'

const probeMilliseconds = 10_000
const betweenProbesMilliseconds = 500
const longestPlatform = 60

export interface RealMachines {
  seatsOf(machine: SessionMachine): Pick<MachineSeats, 'take'>
  stop(): Promise<void>
}

/** A machine that does not come back counts as lost: its session is reopened, on another machine if there is one. */
export function realMachines(log: HostLog): RealMachines {
  const stopping = new AbortController()
  const holders = new Map<string, AbortController>()
  return {
    seatsOf: (machine) => ({
      async take(leaving) {
        const { address, reset } = machine
        // A holder whose lease ended, for example with its worker, may still be active here.
        holders
          .get(address)
          ?.abort(new BackendLostError(`another session has the machine at ${address} now.`))
        const lost = new AbortController()
        holders.set(address, lost)
        const began = performance.now()
        const until = AbortSignal.any([stopping.signal, leaving, lost.signal])
        const wrong = await resetMachine(machine, until)
        if (wrong !== null) throw failed(log, address, wrong)
        const platform = await platformOf(address, began + reset.timeout * 1000, until)
        if (platform === null) {
          throw failed(log, address, `shows no screen ${reset.timeout} seconds after its reset began`)
        }
        log('info', 'machine.reset', { address, seconds: Math.round((performance.now() - began) / 1000) })
        return {
          address,
          runtime: `OSWorld machine, ${platform}`,
          // The next request reveals a loss of connection.
          lost: lost.signal,
          network: true,
          async close() {
            if (holders.get(address) === lost) holders.delete(address)
          },
        }
      },
    }),
    async stop() {
      stopping.abort()
    },
  }
}

/** @returns the fault, worded to follow the machine's name; null: it was reset */
async function resetMachine({ reset }: SessionMachine, stopping: AbortSignal): Promise<string | null> {
  if ('command' in reset) return runReset(reset.command, reset.timeout, stopping)
  return (await postResetHook(reset, stopping))?.wrong ?? null
}

/**
 * Runs a program to its end. It does not wait for child processes, for example a virtual machine, and ends them only
 * if the program itself is late. Its standard error goes to the host's log.
 */
async function runReset(
  [file, ...rest]: readonly [string, ...string[]],
  timeout: number,
  stopping: AbortSignal,
): Promise<string | null> {
  if (stopping.aborted) return 'was not reset: its session is closed'
  const limit = AbortSignal.timeout(timeout * 1000)
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  const until = AbortSignal.any([limit, stopping])
  until.addEventListener('abort', end)
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (limit.aborted) return `was not reset within ${timeout} seconds`
    if (code === 0) return null
    return `was not reset: its command ended ${code === null ? `by ${signal}` : `with ${code}`}`
  } catch (error) {
    return `was not reset: its command does not start (${errorText(error)})`
  } finally {
    until.removeEventListener('abort', end)
  }
}

async function platformOf(address: string, end: number, stopping: AbortSignal): Promise<string | null> {
  const ask = async (path: string) => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(probeMilliseconds), stopping])
      const response = await fetch(`${address}${path}`, { signal, redirect: 'error' })
      const body = Buffer.from(await response.arrayBuffer())
      return response.ok ? body : null
    } catch {
      return null
    }
  }
  while ((await ask('/screenshot')) === null) {
    if (stopping.aborted || performance.now() > end) return null
    await delay(betweenProbesMilliseconds)
  }
  const named = (await ask('/platform'))?.toString('utf8').trim().slice(0, longestPlatform)
  return named === undefined || named === '' ? 'a system without a name' : named
}

function failed(log: HostLog, address: string, wrong: string): BackendLostError {
  log('warn', 'machine.reset_failed', { address, wrong })
  return new BackendLostError(`the machine at ${address} ${wrong}.`)
}

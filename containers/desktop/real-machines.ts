import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { SessionMachine } from '../../shared/environments/osworld/machines.ts'
import { postResetHook } from '../../shared/environments/post-reset-hook.ts'
import { errorText, type HostLog } from '../env-host/host-log.ts'
import { BackendLostError } from '../env-host/session-backend.ts'
import type { MachineSeats } from './seats.ts'

/** Milliseconds that one look at a machine may take, and between two. */
const looksWithin = 10_000
const betweenLooks = 500
/** Of what a machine says of its system. */
const longestPlatform = 60

/** Virtual machines of an administrator. */
export interface RealMachines {
  /** The one that a session brings: it is put back whenever it is taken. */
  seatsOf(machine: SessionMachine): Pick<MachineSeats, 'take'>
  /** Ends the resets that are under way. */
  stop(): Promise<void>
}

/** A machine that does not come back fails as one that is lost: its session is opened again, on another where there is one. */
export function realMachines(log: HostLog): RealMachines {
  const stopping = new AbortController()
  /** Of each machine the session that has it, by what says that it is lost. */
  const holders = new Map<string, AbortController>()
  return {
    seatsOf: (machine) => ({
      async take(leaving) {
        const { address, reset } = machine
        // Whose lease ended, as with its worker, may be at work here still.
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
          // That it is not reached any more shows at the next request.
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

/** @returns what went wrong, as what follows the machine's name; null: it was reset */
function resetMachine({ reset }: SessionMachine, stopping: AbortSignal): Promise<string | null> {
  return 'command' in reset
    ? runReset(reset.command, reset.timeout, stopping)
    : postResetHook(reset, stopping)
}

/**
 * Runs a program to its end. What it leaves running, such as a virtual machine, is not waited for, and ended only where the program itself is
 * late. What it writes to its standard error is in the host's log.
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

/**
 * Waits until the machine shows its screen.
 *
 * @param end when it is given up, by the clock of `performance`
 * @returns what it calls its system; null: it shows no screen
 */
async function platformOf(address: string, end: number, stopping: AbortSignal): Promise<string | null> {
  const ask = async (path: string) => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(looksWithin), stopping])
      const response = await fetch(`${address}${path}`, { signal, redirect: 'error' })
      const body = Buffer.from(await response.arrayBuffer())
      return response.ok ? body : null
    } catch {
      return null
    }
  }
  while ((await ask('/screenshot')) === null) {
    if (stopping.aborted || performance.now() > end) return null
    await delay(betweenLooks)
  }
  const named = (await ask('/platform'))?.toString('utf8').trim().slice(0, longestPlatform)
  return named === undefined || named === '' ? 'a system without a name' : named
}

function failed(log: HostLog, address: string, wrong: string): BackendLostError {
  log('warn', 'machine.reset_failed', { address, wrong })
  return new BackendLostError(`the machine at ${address} ${wrong}.`)
}

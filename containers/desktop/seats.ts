import type { HostLog } from '../env-host/host-log.ts'
import { BackendLostError } from '../env-host/session-backend.ts'
import { openDesktop } from './open-desktop.ts'

/** A machine that a session has for itself until it closes it. */
export interface DesktopSeat {
  /** `http://host:port` of its server. */
  readonly address: string
  /** What plays it, with its versions. */
  readonly runtime: string
  /** Fires when it is gone. */
  readonly lost: AbortSignal
  /** Where programs on the machine are reached from here: a browser's debug port, and VLC's; absent: at the machine's address. */
  readonly ports?: { readonly chromium: number; readonly vlc: number }
  /** Whether its set-up and its scoring may fetch files from the network. */
  readonly network: boolean
  close(): Promise<void>
}

/** Where sessions get their machines from. Each that is taken is at the start: nothing of an earlier session is on it. */
export interface MachineSeats {
  /**
   * @param leaving ends the waiting
   * @throws BackendLostError where a machine does not come
   */
  take(leaving: AbortSignal): Promise<DesktopSeat>
  /** Whether one was taken whose processes and files nothing kept apart from what comes next. */
  readonly isSpent: boolean
  stop(): Promise<void>
}

/** Desktops of this host, each begun when it is taken. */
export function ownDesktops(log: HostLog): MachineSeats {
  const open = new Set<DesktopSeat>()
  const stopping = new AbortController()
  let isSpent = false
  return {
    get isSpent() {
      return isSpent
    },
    async take(leaving) {
      const desktop = await openDesktop({ log, signal: AbortSignal.any([stopping.signal, leaving]) })
      isSpent ||= desktop.isolation === 'none'
      const seat: DesktopSeat = {
        address: desktop.address,
        runtime: desktop.runtime,
        lost: desktop.lost,
        ports: { chromium: await desktop.reach(9222), vlc: await desktop.reach(8080) },
        network: false,
        async close() {
          open.delete(seat)
          await desktop.close()
        },
      }
      open.add(seat)
      return seat
    },
    async stop() {
      stopping.abort(new BackendLostError('the host is leaving.'))
      await Promise.all([...open].map((seat) => seat.close()))
    },
  }
}

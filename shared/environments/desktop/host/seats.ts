import type { HostLog } from '../../../../containers/env-host/host-log.ts'
import { BackendLostError } from '../../../../containers/env-host/session-backend.ts'
import { openDesktop } from './open-desktop.ts'

export interface DesktopSeat {
  readonly address: string
  readonly runtime: string
  readonly lost: AbortSignal
  /**
   * Ports of programs on the machine, as reached from here: a browser's debug port, and VLC's; absent: at the
   * machine's address.
   */
  readonly ports?: { readonly chromium: number; readonly vlc: number }
  readonly network: boolean
  close(): Promise<void>
}

export interface MachineSeats {
  /**
   * @param leaving ends the waiting
   * @throws BackendLostError if no machine comes
   */
  take(leaving: AbortSignal): Promise<DesktopSeat>
  readonly isSpent: boolean
  stop(): Promise<void>
}

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

import { availableParallelism, totalmem } from 'node:os'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { requireDesktop } from './require-desktop.ts'
import { ownDesktops } from './seats.ts'
import { serveDesktopTasks, serveOsworld } from './serve-desktop.ts'
import { openTaskProgram } from './task-program.ts'

/** Bytes of memory of a desktop with a program of an office on it, with room. */
const memoryOfDesktop = 1.5 * 2 ** 30

// The entry point of the image, and of the child process that takes its place on one machine. A desktop is some ten processes, and
// waits for its programs to start most of the time.
await runHost(
  async () => {
    // A host that cannot open a desktop should not come to be.
    await requireDesktop(process.env)
    const parts = { seats: ownDesktops(logEvent), program: openTaskProgram(logEvent) }
    const stop = async () => {
      await Promise.all([parts.seats.stop(), parts.program.stop()])
    }
    return [{ ...serveDesktopTasks(parts), stop }, serveOsworld(parts)]
  },
  { ESPALIER_HOST_SLOTS: String(slotsHere()) },
)

/** Where sessions cannot be kept apart there is one; elsewhere as many as memory and processors are for. */
function slotsHere(): number {
  const byMemory = Math.floor(
    Math.min(totalmem(), process.constrainedMemory() || totalmem()) / memoryOfDesktop,
  )
  return Math.max(1, Math.min(byMemory, 2 * availableParallelism()))
}

import { desktopsHere } from '../../shared/environments/desktop/desktops-here.ts'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { requireDesktop } from './require-desktop.ts'
import { ownDesktops } from './seats.ts'
import { serveDesktopTasks, serveOsworld } from './serve-desktop.ts'
import { openTaskProgram } from './task-program.ts'

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
  { ESPALIER_HOST_SLOTS: String(desktopsHere()) },
)

import { desktopsHere } from '../../shared/environments/desktop/desktops-here.ts'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { realMachines } from './real-machines.ts'
import { requireScoring } from './require-scoring.ts'
import { ownDesktops } from './seats.ts'
import { serveDesktopTasks, serveOsworld } from './serve-desktop.ts'
import { openTaskProgram } from './task-program.ts'

// The entry point of the image, and of the child process that replaces it on one machine. A desktop is some ten
// processes, and mostly waits for its programs to start.
await runHost(
  async ({ accessKey }) => {
    // A host that cannot score a task must fail here.
    await requireScoring(process.env)
    const parts = {
      seats: ownDesktops(logEvent),
      machines: realMachines(logEvent),
      program: openTaskProgram(logEvent),
      // Otherwise an unknown caller could start any program.
      mayRunCommands: accessKey !== null,
    }
    const stop = async () => {
      await Promise.all([parts.machines.stop(), parts.seats.stop(), parts.program.stop()])
    }
    return [{ ...serveDesktopTasks(parts), stop }, serveOsworld(parts)]
  },
  { ESPALIER_HOST_SLOTS: String(desktopsHere()) },
)

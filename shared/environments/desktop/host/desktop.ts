import { logEvent } from '../../../../containers/env-host/host-log.ts'
import { runHost } from '../../../../containers/env-host/run-host.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { findPythonEnvironment } from '../../../core/programs/python-environment.ts'
import { desktopsHere } from '../desktops-here.ts'
import { desktopScoringPackages } from '../python-packages.ts'
import { realMachines } from './real-machines.ts'
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

/**
 * Checks that this machine can set up and score tasks, so that an incapable host fails at its start. The first
 * session that needs a desktop checks whether one can open: sessions on an administrator's machines need none.
 * @param variables `ESPALIER_PYTHON`, which names a Python that has the packages itself, as in the image;
 * `ESPALIER_CACHE`
 * @throws EspalierError `not_supported` with the command that installs missing packages
 */
async function requireScoring(variables: NodeJS.ProcessEnv): Promise<void> {
  if (variables.ESPALIER_PYTHON !== undefined) return
  const { isInstalled } = await findPythonEnvironment(desktopScoringPackages(variables))
  if (isInstalled) return
  throw new EspalierError(
    'not_supported',
    'The Python packages that set up and score the tasks of desktops are not installed. Install them once: espalier environments install desktop, or the id of your environment of the kind osworld.',
  )
}

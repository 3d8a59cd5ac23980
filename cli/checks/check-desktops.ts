import { EspalierError } from '../../shared/contracts/errors.ts'
import { findMissingPrograms } from '../../shared/environments/desktop/debian-programs.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { findPythonEnvironment } from '../../shared/python/python-environment.ts'
import { type Check, ok } from './check.ts'

const name = 'desktops'

/**
 * Checks that `desktop` and `osworld` can run on this machine, with the command that installs missing packages.
 * Missing packages are no failure: everything else works without them.
 * @param variables environment variables: `ESPALIER_PYTHON` and `ESPALIER_CACHE`
 */
export async function checkDesktops(variables: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const { packages, install } = await findMissingPrograms()
  if (install !== null) {
    const message = `desktop and osworld need ${packages.length} of Debian's packages that are not here; nothing else does`
    return { name, status: 'ok', message, action: `To play them, run as root: ${install}` }
  }
  if (await hasPackages(variables)) return ok(name, 'programs and Python packages are here')
  const message = 'the Python packages that set up and score tasks on desktops are not installed'
  return { name, status: 'ok', message, action: 'To play them: espalier environments install desktop' }
}

async function hasPackages(variables: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  try {
    return (await findPythonEnvironment(desktopScoringPackages(variables))).isInstalled
  } catch (error) {
    // There is no Python.
    if (EspalierError.isInstance(error)) return false
    throw error
  }
}

import { EspalierError } from '../../shared/contracts/errors.ts'
import { findMissingPrograms } from '../../shared/environments/desktop/debian-programs.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { findPythonEnvironment } from '../../shared/python/python-environment.ts'

/**
 * Checks that this machine can open desktops and score their tasks, so that a host which cannot does not come to be.
 *
 * @param variables `ESPALIER_PYTHON`, which names a Python that has the packages itself, as in the image; `ESPALIER_CACHE`
 * @throws EspalierError `not_supported` with the line that installs what is missing
 */
export async function requireDesktop(variables: NodeJS.ProcessEnv): Promise<void> {
  const { packages, install } = await findMissingPrograms()
  if (install !== null) {
    throw new EspalierError(
      'not_supported',
      `Desktops need programs of Debian's that are not here: ${packages.join(', ')}. Install them as root: ${install}`,
    )
  }
  if (variables.ESPALIER_PYTHON !== undefined) return
  const { isInstalled } = await findPythonEnvironment(desktopScoringPackages(variables))
  if (isInstalled) return
  throw new EspalierError(
    'not_supported',
    'The Python packages that set up and score the tasks of desktops are not installed. Install them once: espalier environments install desktop',
  )
}

import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { findPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'

/**
 * Checks that this machine can set up and score tasks, so that an incapable host fails at its start. The first
 * session that needs a desktop checks whether one can open: sessions on an administrator's machines need none.
 * @param variables `ESPALIER_PYTHON`, which names a Python that has the packages itself, as in the image;
 * `ESPALIER_CACHE`
 * @throws EspalierError `not_supported` with the command that installs missing packages
 */
export async function requireScoring(variables: NodeJS.ProcessEnv): Promise<void> {
  if (variables.ESPALIER_PYTHON !== undefined) return
  const { isInstalled } = await findPythonEnvironment(desktopScoringPackages(variables))
  if (isInstalled) return
  throw new EspalierError(
    'not_supported',
    'The Python packages that set up and score the tasks of desktops are not installed. Install them once: espalier environments install desktop, or the id of your environment of the kind osworld.',
  )
}

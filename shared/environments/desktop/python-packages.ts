import { join } from 'node:path'
import type { WantedEnvironment } from '../../python/python-environment.ts'

/** The programs of the image: `containers/desktop` of the repository, and of the package. */
const programs = join(import.meta.dirname, '../../../containers/desktop')

/** The Python of a desktop's own `python`: Debian's, which has the bindings of accessibility, with pyautogui beside it. */
export function desktopSessionPackages(variables: NodeJS.ProcessEnv): WantedEnvironment {
  return {
    requirements: join(programs, 'session/requirements.txt'),
    onSystemPackages: true,
    variables: { ...variables, ESPALIER_PYTHON: '/usr/bin/python3' },
  }
}

/** The packages of the program that sets tasks up and scores them: desktop-env and what its metrics use. */
export function desktopScoringPackages(
  variables: NodeJS.ProcessEnv,
): WantedEnvironment & { besideRequirements: string } {
  return {
    requirements: join(programs, 'scoring/requirements.txt'),
    // Its own list of packages has gigabytes of what tasks do not need.
    besideRequirements: join(programs, 'scoring/desktop-env.txt'),
    variables,
  }
}

import { join } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { WantedEnvironment } from '../../core/programs/python-environment.ts'
import { findMissingPrograms } from './debian-programs.ts'

const programs = join(import.meta.dirname, 'host')

/**
 * The Python of a desktop's own `python`: Debian's, because it has the accessibility bindings, with pyautogui added.
 */
export function desktopSessionPackages(variables: NodeJS.ProcessEnv): WantedEnvironment {
  return {
    requirements: join(programs, 'session/requirements.txt'),
    onSystemPackages: true,
    variables: { ...variables, ESPALIER_PYTHON: '/usr/bin/python3' },
  }
}

export function desktopScoringPackages(
  variables: NodeJS.ProcessEnv,
): WantedEnvironment & { besideRequirements: string } {
  return {
    requirements: join(programs, 'scoring/requirements.txt'),
    // Its own list of packages has gigabytes of packages that tasks do not need.
    besideRequirements: join(programs, 'scoring/desktop-env.txt'),
    variables,
  }
}

export async function desktopPythons(variables: NodeJS.ProcessEnv): Promise<WantedEnvironment[]> {
  const { install } = await findMissingPrograms()
  if (install === null) return [desktopSessionPackages(variables), desktopScoringPackages(variables)]
  throw new EspalierError(
    'not_supported',
    `Desktops need programs of Debian's that are not here. Install them as root, and run this again:\n  ${install}`,
  )
}

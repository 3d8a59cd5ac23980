import { EspalierError } from '../../core/contracts/errors.ts'
import { pythonCure } from '../../core/programs/python-cure.ts'
import { findPythonEnvironment } from '../../core/programs/python-environment.ts'
import { pythonOf, type RuntimeCheck } from '../runtimes/missing-runtime.ts'
import { findMissingPrograms } from './debian-programs.ts'
import { desktopScoringPackages } from './python-packages.ts'

export const desktopPrograms: RuntimeCheck = async (variables) => {
  const { packages, install } = await findMissingPrograms(variables)
  if (install === null) return []
  const few = packages.slice(0, 3).join(', ')
  const names = packages.length <= 3 ? few : `${few} and ${packages.length - 3} more`
  return [{ missing: `Debian's packages ${names} are not installed.`, cure: `Run as root: ${install}` }]
}

export const desktopScoring: RuntimeCheck = async (variables) => {
  if (variables.ESPALIER_PYTHON !== undefined) return []
  try {
    if ((await findPythonEnvironment(desktopScoringPackages({ ...variables }))).isInstalled) return []
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return [{ missing: `Python (${pythonOf(variables)}) cannot be started.`, cure: pythonCure }]
  }
  return [
    {
      missing: 'The Python packages that set up and score tasks on desktops are not installed.',
      cure: 'Install them: espalier environments install desktop',
    },
  ]
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { findMissingPrograms } from '../../shared/environments/desktop/debian-programs.ts'
import {
  desktopScoringPackages,
  desktopSessionPackages,
} from '../../shared/environments/desktop/python-packages.ts'

const run = promisify(execFile)

/**
 * Once before the tests of desktops: as root, Debian's packages are installed where they are missing; then the Python packages are.
 *
 * @throws Error with the line that installs what is missing, where this is not root
 */
export async function setup(): Promise<void> {
  const { packages, install } = await findMissingPrograms()
  if (install !== null) {
    if (process.getuid?.() !== 0)
      throw new Error(`Desktops need programs that are not here. Run: sudo ${install}`)
    console.log(`Installing ${packages.length} packages for desktops.`)
    await run('apt-get', ['update'], { timeout: 300_000 })
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], {
      timeout: 1_500_000,
      maxBuffer: 2 ** 28,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  await installPythonEnvironment(desktopSessionPackages(process.env), () => undefined)
  await installPythonEnvironment(desktopScoringPackages(process.env), () => undefined)
}

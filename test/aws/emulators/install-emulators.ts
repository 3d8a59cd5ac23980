import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkDone, installOnce, installPackages } from './install-once.ts'

const lists = ['package.json', 'package-lock.json', 'requirements.txt'].map((name) =>
  join(import.meta.dirname, name),
)

/** What to run, once it is installed. */
export interface Emulators {
  fauxqs: string
  dynoxide: string
  /** The Python that has moto. */
  python: string
  /** Variables that this Python needs. */
  python_environment: Record<string, string>
}

/**
 * Installs the emulators into the cache folder, under a digest of their locked versions, when they are missing. They are not
 * among the project's own packages: nothing but these tests needs them.
 */
export async function installEmulators(): Promise<Emulators> {
  const folder = await installOnce('emulators', lists, (making) => {
    installPackages(making)
    installMoto(making)
  })
  const dynoxide = join(folder, 'node_modules/@dynoxide/linux-x64/dynoxide')
  if (!existsSync(dynoxide)) {
    throw new Error(
      `The DynamoDB emulator is there for Linux on x64 only; this is ${process.platform} on ${process.arch}. Run the tests there, or over an account with AWS_E2E=1.`,
    )
  }
  const venv = join(folder, 'venv/bin/python')
  return {
    fauxqs: join(folder, 'node_modules/fauxqs/dist/app.js'),
    dynoxide,
    python: existsSync(venv) ? venv : 'python3',
    python_environment: existsSync(venv) ? {} : { PYTHONPATH: join(folder, 'python') },
  }
}

/** Into an environment of its own, or, where Python cannot make one, into a folder. */
function installMoto(folder: string): void {
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  if (python.error || python.status !== 0) {
    throw new Error(
      'The emulator of S3 and ECS needs Python 3.10 or later, and there is no `python3` here. Install it (Debian: apt install python3 python3-venv) and run the tests again.',
    )
  }
  const venv = join(folder, 'venv')
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--requirement',
    'requirements.txt',
  ]
  if (spawnSync('python3', ['-m', 'venv', venv], { encoding: 'utf8' }).status === 0) {
    checkDone(
      spawnSync(join(venv, 'bin/python'), pip, { cwd: folder, encoding: 'utf8' }),
      'pip install of moto',
    )
    return
  }
  rmSync(venv, { recursive: true, force: true })
  const installed = spawnSync('python3', [...pip, '--target', 'python'], { cwd: folder, encoding: 'utf8' })
  checkDone(installed, 'pip install of moto (install python3-venv and python3-pip where they are missing)')
}

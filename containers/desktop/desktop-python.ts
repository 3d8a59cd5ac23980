import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { desktopSessionPackages } from '../../shared/environments/desktop/python-packages.ts'
import { installPythonEnvironment } from '../../shared/python/python-environment.ts'
import type { HostLog } from '../env-host/host-log.ts'

let installed: Promise<string> | undefined

/**
 * The folder of the virtual environment that a session's `python` is: Debian's Python, which has the bindings of
 * accessibility, with pyautogui beside it. The image has it at `ESPALIER_DESKTOP_PYTHON`; elsewhere it is made once from the
 * package index.
 */
export async function desktopPython(log: HostLog, signal?: AbortSignal): Promise<string> {
  const named = process.env.ESPALIER_DESKTOP_PYTHON
  if (named && existsSync(join(named, 'bin/python'))) return named
  installed ??= install(log, signal).catch((error) => {
    installed = undefined
    throw error
  })
  return installed
}

async function install(log: HostLog, signal?: AbortSignal): Promise<string> {
  const onLine = (line: string) => log('info', 'desktop.installing', { line })
  const environment = await installPythonEnvironment(desktopSessionPackages(process.env), onLine, signal)
  return join(environment.python, '../..')
}

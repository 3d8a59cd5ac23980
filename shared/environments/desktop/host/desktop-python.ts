import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HostLog } from '../../../../containers/env-host/host-log.ts'
import { installPythonEnvironment } from '../../../core/programs/python-environment.ts'
import { desktopSessionPackages } from '../python-packages.ts'

interface Installation {
  folder: Promise<string>
  waiting: number
  ending: AbortController
}

let current: Installation | undefined

/**
 * The folder of the virtual environment for a session's `python`: Debian's Python with its accessibility bindings,
 * and pyautogui. The image has it at `ESPALIER_DESKTOP_PYTHON`. Elsewhere it is installed once from the package index
 * for all sessions of this process, while any of them waits for it.
 * @param leaving ends the waiting
 */
export async function desktopPython(log: HostLog, leaving?: AbortSignal): Promise<string> {
  const named = process.env.ESPALIER_DESKTOP_PYTHON
  if (named && existsSync(join(named, 'bin/python'))) return named
  leaving?.throwIfAborted()
  current ??= install(log)
  const installation = current
  installation.waiting += 1
  try {
    return await (leaving ? untilAborted(installation.folder, leaving) : installation.folder)
  } catch (error) {
    const isNeeded = installation.waiting > 1
    if (!isNeeded) installation.ending.abort(error)
    if (!isNeeded && current === installation) current = undefined
    throw error
  } finally {
    installation.waiting -= 1
  }
}

function install(log: HostLog): Installation {
  const ending = new AbortController()
  const onLine = (line: string) => log('info', 'desktop.installing', { line })
  const making = installPythonEnvironment(desktopSessionPackages(process.env), onLine, ending.signal)
  const folder = making.then(({ python }) => join(python, '../..'))
  // Each waiting caller gets its failure.
  folder.catch(() => undefined)
  return { folder, waiting: 0, ending }
}

function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorText, type HostLog } from '../../../../containers/env-host/host-log.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { installPythonEnvironment } from '../../../core/programs/python-environment.ts'
import { desktopRuntime, findMissingPrograms, officeVersion } from '../debian-programs.ts'
import { desktopSessionPackages } from '../python-packages.ts'
import { type ForwardedPort, forwardPort } from './forward-port.ts'
import { chooseIsolation, type DesktopIsolation, takeHome } from './isolation.ts'
import { accountFiles, sandboxCommand, sandboxPaths, sessionVariables } from './sandbox-command.ts'
import { makeSessionFolder, removeFolder } from './session-folders.ts'
import { SessionProcess } from './session-process.ts'

const program = fileURLToPath(new URL('session', import.meta.url))

export const screenSize = { width: 1920, height: 1080 } as const

export interface DesktopSettings {
  /** The parent of sessions' folders. @default the system's folder of temporary files */
  folder?: string
  /** @default as `ESPALIER_DESKTOP_ISOLATION` says */
  isolation?: DesktopIsolation
  log: HostLog
  signal?: AbortSignal
}

export interface Desktop {
  readonly address: string
  readonly home: string
  readonly runtime: string
  readonly isolation: DesktopIsolation
  readonly lost: AbortSignal
  /**
   * A port of this machine's loopback that leads to one of the session's, for example 9222 of a browser or 8080 of
   * VLC.
   */
  reach(port: number): Promise<number>
  close(): Promise<void>
}

const startWithin = 60

interface PythonInstallation {
  folder: Promise<string>
  waiting: number
  ending: AbortController
}

let currentInstallation: PythonInstallation | undefined

/**
 * Opens a desktop: a screen, a window manager, its own buses, a new home, and the server that observes and controls
 * it.
 * @throws EspalierError `not_supported` if programs are missing, with the command that installs them;
 * `host_unreachable` if it does not start, with its last lines; `host_full` if a desktop without isolation is already
 * open
 */
export async function openDesktop(settings: DesktopSettings): Promise<Desktop> {
  const { log, signal } = settings
  const { install } = await findMissingPrograms()
  if (install !== null) {
    throw new EspalierError('not_supported', `Programs of the desktop are missing. Install them: ${install}`)
  }
  const isolation = settings.isolation ?? (await chooseIsolation(process.env))
  const [python, runtime, office] = await Promise.all([
    desktopPython(log, signal),
    desktopRuntime(),
    officeVersion(),
  ])
  signal?.throwIfAborted()
  const givePlace = isolation === 'none' ? await takeHome() : async () => {}
  const mark = randomUUID()
  const folder = await makeSessionFolder(settings.folder ?? tmpdir())
  const folders = {
    home: isolation === 'none' ? sandboxPaths.home : join(folder, 'home'),
    temporary: join(folder, 'tmp'),
    api: join(folder, 'api'),
    accounts: join(folder, 'etc'),
    runtime: join(folder, 'run'),
  }
  const socket = join(folders.api, 'api.sock')
  let session: SessionProcess | undefined
  const clean = async () => {
    try {
      await session?.close(isolation === 'none')
    } finally {
      const removed = await Promise.allSettled([givePlace(), removeFolder(folder)])
      for (const { reason } of removed.filter((each) => each.status === 'rejected')) {
        log('error', 'desktop.not_removed', { error: errorText(reason) })
      }
    }
  }
  try {
    await prepare(folders, socket)
    const isSealed = isolation === 'bubblewrap'
    const inside = isSealed ? sandboxPaths : { ...sandboxPaths, runtime: folders.runtime, program, python }
    const sessionSocket = isSealed ? join(sandboxPaths.api, 'api.sock') : socket
    session = new SessionProcess({
      command: [
        ...(isSealed ? sandboxCommand(folders, { program, python }) : []),
        join(inside.python, 'bin/python'),
        join(inside.program, 'desktop_session.py'),
        ...['--socket', sessionSocket, '--office-version', office],
        ...['--width', `${screenSize.width}`, '--height', `${screenSize.height}`],
      ],
      variables: { ...sessionVariables(inside), ...(isSealed ? {} : { TMPDIR: folders.temporary }) },
      mark,
      startWithin,
      log,
      signal,
    })
    await session.ready()
    const ports = new Map<number | undefined, Promise<ForwardedPort>>()
    const forward = async (within?: number) => {
      const known = ports.get(within) ?? forwardPort(socket, within)
      ports.set(within, known)
      return (await known).port
    }
    const address = `http://127.0.0.1:${await forward()}`
    log('info', 'desktop.opened', { isolation, address })
    return {
      address,
      home: folders.home,
      runtime,
      isolation,
      lost: session.lost,
      reach: forward,
      close: once(async () => {
        const forwarded = await Promise.allSettled(ports.values())
        await Promise.all(
          forwarded.map((port) => (port.status === 'fulfilled' ? port.value.close() : undefined)),
        )
        await clean()
      }),
    }
  } catch (error) {
    await clean()
    throw error
  }
}

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
  currentInstallation ??= installPython(log)
  const installation = currentInstallation
  installation.waiting += 1
  try {
    return await (leaving ? untilAborted(installation.folder, leaving) : installation.folder)
  } catch (error) {
    const isNeeded = installation.waiting > 1
    if (!isNeeded) installation.ending.abort(error)
    if (!isNeeded && currentInstallation === installation) currentInstallation = undefined
    throw error
  } finally {
    installation.waiting -= 1
  }
}

function installPython(log: HostLog): PythonInstallation {
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

interface Folders {
  home: string
  temporary: string
  api: string
  accounts: string
  runtime: string
}

async function prepare(folders: Folders, socket: string): Promise<void> {
  // The kernel's limit for a socket's path.
  if (Buffer.byteLength(socket) > 107) {
    throw new EspalierError(
      'invalid_request',
      `The path ${socket} is too long for a socket. Name a shorter folder.`,
      {
        param: 'folder',
      },
    )
  }
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 })
  await mkdir(join(folders.temporary, '.X11-unix'), { mode: 0o777 })
  for (const [name, text] of Object.entries(accountFiles)) {
    await writeFile(join(folders.accounts, name), text)
  }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= close()
    return closed
  }
}

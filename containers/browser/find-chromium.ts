import { existsSync } from 'node:fs'
import { EspalierError } from '../../shared/contracts/errors.ts'

/** Where Debian, Ubuntu and Fedora have it: a whole browser, whose windows without a screen take several times the processor. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** A package of npm that brings Chromium for Linux on x86-64 along. It is no dependency: its name is not in an import. */
const packed = '@sparticuz/chromium'

/**
 * The Chromium of `ESPALIER_CHROMIUM`, else the one of the package `@sparticuz/chromium`, whose version is pinned, else an installed one.
 *
 * @returns the path of its program
 * @throws EspalierError `host_unreachable` where there is none, with how to get one
 */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment.ESPALIER_CHROMIUM
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new EspalierError('host_unreachable', `ESPALIER_CHROMIUM names ${named}, which does not exist.`)
  }
  // Its program is one for x86-64, wherever it is installed.
  const brought = (process.arch === 'x64' ? await import(packed).catch(whereAbsent) : undefined) as
    | { default: { executablePath(): Promise<string> } }
    | undefined
  if (brought !== undefined) return brought.default.executablePath()
  const found = installed.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new EspalierError(
    'host_unreachable',
    `There is no Chromium. Install one (apt install chromium), or npm install ${packed}, or name one by ESPALIER_CHROMIUM.`,
  )
}

function whereAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
  throw error
}

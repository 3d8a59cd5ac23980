import { existsSync } from 'node:fs'
import { EspalierError } from '../../shared/contracts/errors.ts'

/**
 * The paths of Debian, Ubuntu and Fedora. This is full browser, whose windows without screen take several times the
 * processor.
 */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** An npm package with Chromium for Linux on x86-64. It is no dependency, so no import names it. */
const packed = '@sparticuz/chromium'

/**
 * The Chromium of `ESPALIER_CHROMIUM`, else that of the package `@sparticuz/chromium`, whose version is pinned, else
 * an installed one.
 * @returns the path of its program
 * @throws EspalierError `host_unreachable` if there is none, with the way to get one
 */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment.ESPALIER_CHROMIUM
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new EspalierError('host_unreachable', `ESPALIER_CHROMIUM names ${named}, which does not exist.`)
  }
  // Its program is for x86-64 on every platform.
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

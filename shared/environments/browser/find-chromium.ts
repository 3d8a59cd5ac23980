import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { EspalierError } from '../../core/contracts/errors.ts'

/** Paths in Debian, Ubuntu and Fedora: a whole browser, which takes several times the processor without a screen. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** A package of npm that brings Chromium for Linux on x86-64 along. It is no dependency: its name is not in an import. */
const packed = '@sparticuz/chromium'

export const chromiumCure = `Install one (apt install chromium), or npm install ${packed}, or name one by ESPALIER_CHROMIUM.`

export interface ChromiumPlaces {
  paths: readonly string[]
  hasPackage(): boolean
}

const placesHere: ChromiumPlaces = { paths: installed, hasPackage }

/**
 * The Chromium of `ESPALIER_CHROMIUM`, else the one of the package `@sparticuz/chromium`, whose version is pinned, else an installed one.
 *
 * @returns the path of its program
 * @throws EspalierError `host_unreachable` if there is none, with the command that installs one
 */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<string> {
  const lacking = lackingChromium(environment)
  if (lacking !== null) throw new EspalierError('host_unreachable', `${lacking} ${chromiumCure}`)
  const named = environment.ESPALIER_CHROMIUM
  if (named !== undefined && named !== '') return named
  if (hasPackage()) {
    const brought: { default: { executablePath(): Promise<string> } } = await import(packed)
    return brought.default.executablePath()
  }
  return installed.find((path) => existsSync(path)) as string
}

/** The reason why no Chromium is found, without unpacking or starting one. Null: one is here. */
export function lackingChromium(
  { ESPALIER_CHROMIUM: named }: Readonly<Record<string, string | undefined>>,
  places: ChromiumPlaces = placesHere,
): string | null {
  if (named !== undefined && named !== '')
    return existsSync(named) ? null : `ESPALIER_CHROMIUM names ${named}, which does not exist.`
  return places.hasPackage() || places.paths.some((path) => existsSync(path)) ? null : 'There is no Chromium.'
}

function hasPackage(): boolean {
  if (process.arch !== 'x64') return false
  try {
    createRequire(import.meta.url).resolve(packed)
    return true
  } catch {
    return false
  }
}

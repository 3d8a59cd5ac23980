import { createHash } from 'node:crypto'
import type { OsworldFile } from './task-files.ts'

const nameless = new Set(['', 'uc', 'download', 'view', 'export'])

/**
 * Finds the file of an address in a folder. It may be stored as
 * - the address itself: `HOST/PATH`, or its path alone;
 * - OSWorld's cache stores it: `TASK/UUID_NAME` or `TASK/NAME`;
 * - Google Drive names it: its id, with or without an extension;
 * - the last segment of the address, or its name on the machine, if only one file has that name.
 * @returns its path in the folder; null if it is absent
 */
export function matchFile(paths: readonly string[], task: string, { url, name }: OsworldFile): string | null {
  const address = URL.parse(url)
  if (address === null) return null
  const path = decode(address.pathname).replace(/^\/+/, '')
  const last = path.split('/').at(-1) ?? ''
  const drive = address.searchParams.get('id')
  const isNamed = !nameless.has(last)
  const endsIn = (end: string) => (each: string) => each === end || each.endsWith(`/${end}`)
  const exact = [
    ...(isNamed ? [`${address.host}/${path}`, path] : []),
    ...(name === '' ? [] : [`${task}/${nameInCache(url, name)}`, `${task}/${name}`]),
    ...(isNamed ? [`${task}/${last}`] : []),
    ...(drive === null ? [] : [drive]),
  ]
  for (const end of exact) {
    const found = paths.find(endsIn(end))
    if (found !== undefined) return found
  }
  const byDrive = drive === null ? [] : paths.filter((each) => baseOf(each).startsWith(`${drive}.`))
  if (byDrive[0] !== undefined) return byDrive[0]
  for (const end of [isNamed ? last : '', name].filter((each) => each !== '')) {
    const found = paths.filter(endsIn(end))
    if (found.length === 1) return found[0] ?? null
  }
  return null
}

/** OSWorld's cache name for an address's file: prefixed by the UUID (version 5) of the address. */
function nameInCache(url: string, name: string): string {
  const space = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')
  const hash = createHash('sha1').update(space).update(url).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  )
  return `${uuid}_${name}`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function baseOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}

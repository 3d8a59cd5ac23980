import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountCookie, accountToken } from './log-in.ts'
import { type SiteName, siteNames } from './site.ts'
import { allSites, type SiteAddresses } from './start-sites.ts'

export interface StorageState {
  cookies: {
    name: string
    value: string
    domain: string
    path: string
    expires: number
    httpOnly: boolean
    secure: boolean
    sameSite: 'Lax'
  }[]
  origins: []
}

/**
 * The log-ins of several sites in one state. The names of their cookies keep them apart.
 * @param names the sites; by default all
 */
export function storageStateOf(
  addresses: SiteAddresses,
  names: readonly SiteName[] = siteNames,
): StorageState {
  const cookies = allSites
    .filter(({ name }) => names.includes(name))
    .map((site) => ({
      name: accountCookie(site.name),
      value: accountToken(site),
      domain: new URL(addresses[site.name]).hostname,
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax' as const,
    }))
  return { cookies, origins: [] }
}

/**
 * Writes the log-ins under the names in tasks' `storage_state`: `{names of sites, in alphabetical order, joined by
 * dots}_state.json` for every combination of sites. They are valid for every session of sites at the same host,
 * whatever their ports.
 */
export async function writeStorageStates(addresses: SiteAddresses, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const combinations: SiteName[][] = [[]]
  for (const name of siteNames.toSorted()) combinations.push(...combinations.map((names) => [...names, name]))
  for (const names of combinations.filter(({ length }) => length > 0)) {
    const state = storageStateOf(addresses, names)
    await writeFile(join(folder, `${names.join('.')}_state.json`), `${JSON.stringify(state, null, 2)}\n`)
  }
}

import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { filledHookSchema, fillHook, missingSetting, readSecret } from '../reset-hook.ts'
import type { RegisteredSite, WebarenaRegistration } from './registration.ts'
import { type SiteName, siteNameSchema } from './site-names.ts'

/** The sites of a task as a host receives them, with secrets filled in. Never journaled, and never in an error. */
export const sessionSitesSchema = z.object({
  sites: z.partialRecord(
    siteNameSchema,
    z.object({
      address: z.string(),
      hosts: z.array(z.string()),
      sharing: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('read_only') }),
        z.object({
          kind: z.literal('sessions'),
          reset: z.string(),
          close: z.string().exactOptional(),
          state: z.string().exactOptional(),
          header: z.string().exactOptional(),
        }),
        z.object({
          kind: z.literal('leased'),
          reset: filledHookSchema.extend({ when: z.enum(['always', 'asked']) }),
        }),
      ]),
      signed_in: z.object({ path: z.string(), text: z.string() }).exactOptional(),
      administrator: z
        .object({ name: z.string(), password: z.string(), customer: z.string() })
        .exactOptional(),
    }),
  ),
  storage_state: z.string().nullable(),
})

export type SessionSites = z.infer<typeof sessionSitesSchema>
export type SitesByName = SessionSites['sites']
export type SessionSite = NonNullable<SitesByName[SiteName]>

export const sessionSitesFile = 'sites.json'

// Seconds; -1, as Playwright writes it: until the browser closes.
const expiringSchema = z.object({ cookies: z.array(z.object({ expires: z.number().default(-1) })) })

export interface SecretPlaces {
  id: string
  registration: WebarenaRegistration
  folder: string
  variables: Readonly<Record<string, string | undefined>>
}

/**
 * The sites for a host: all registered ones, since a page may link from one to another.
 * @param storageState the task's file, such as `./.auth/shopping_state.json`
 * @throws EspalierError `invalid_request` for a missing secret or an expired log-in, naming the field of
 * `environments.json`
 */
export async function resolveSites(
  places: SecretPlaces,
  storageState: string | null | undefined,
): Promise<SessionSites> {
  const { registration } = places
  const state = storageState ? basename(storageState) : null
  const loggedIn = state?.replace(/_state\.json$/, '').split('.') ?? []
  const sites = Object.entries(registration.sites).map(([name, { signed_in, ...site }]) => [
    name,
    {
      ...resolveSite(site, (variable, field) => readSecret(places, variable, `sites.${name}.${field}`)),
      ...(signed_in && loggedIn.includes(name) && { signed_in }),
    },
  ])
  return {
    sites: Object.fromEntries(sites),
    storage_state: state && (await readState(places, state)),
  }
}

function resolveSite(
  { address, other_hosts, sharing, administrator }: Omit<RegisteredSite, 'signed_in'>,
  read: (variable: string, field: string) => string,
): SessionSite {
  const hosts = [new URL(address).host, ...other_hosts]
  const own = administrator && {
    administrator: {
      ...administrator,
      password: read(administrator.password.variable, 'administrator.password'),
    },
  }
  if (sharing.kind === 'read_only') return { address, hosts, sharing, ...own }
  if (sharing.kind === 'sessions') {
    const { kind, reset, close, state, header } = sharing
    const more = {
      ...(close !== undefined && { close }),
      ...(state !== undefined && { state }),
      ...(header !== undefined && { header }),
    }
    return { address, hosts, sharing: { kind, reset, ...more }, ...own }
  }
  const { when, ...hook } = sharing.reset
  const reset = fillHook(hook, (variable, field) => read(variable, `sharing.reset.${field}`))
  return { address, hosts, sharing: { kind: 'leased', reset: { ...reset, when } }, ...own }
}

async function readState(places: SecretPlaces, name: string): Promise<string> {
  const { registration, folder } = places
  const states = registration.storage_states
  if ('folder' in states && typeof states.folder === 'string') {
    const text = await readFile(resolve(folder, states.folder, name), 'utf8').catch(() => {
      throw missingSetting(places.id, 'storage_states.folder', `it has no ${name} that can be read`)
    })
    return refuseExpired(text, (what) =>
      missingSetting(places.id, 'storage_states.folder', `${name} ${what}`),
    )
  }
  const own = (states as Record<string, { variable: string }>)[name]
  if (own === undefined) throw missingSetting(places.id, 'storage_states', `the task needs ${name}`)
  const field = `storage_states.${name}`
  return refuseExpired(readSecret(places, own.variable, field), (what) =>
    missingSetting(places.id, field, `the log-in in ${own.variable} ${what}`),
  )
}

// Browsers drop expired cookies without a word, and the task would be played, and scored, as a guest.
function refuseExpired(text: string, refused: (what: string) => Error): string {
  const { cookies } = expiringSchema.safeParse(parseJson(text)).data ?? { cookies: [] }
  const ends = cookies.map(({ expires }) => (expires < 0 ? Number.POSITIVE_INFINITY : expires * 1000))
  const last = Math.max(...ends)
  if (cookies.length === 0 || last > Date.now()) return text
  const date = new Date(last).toISOString().slice(0, 10)
  throw refused(`expired on ${date}. Log in to the site again, and save a new storage state there`)
}

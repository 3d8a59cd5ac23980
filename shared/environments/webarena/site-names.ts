import { z } from 'zod'

export const shownAddresses = {
  shopping: 'http://onestopmarket.com',
  shopping_admin: 'http://luma.com/admin',
  reddit: 'http://reddit.com',
  gitlab: 'http://gitlab.com',
  wikipedia: 'http://wikipedia.org',
  map: 'http://openstreetmap.org',
  homepage: 'http://homepage.com',
  classifieds: 'http://classifieds.com',
} as const

export const siteNameSchema = z.enum(
  Object.keys(shownAddresses) as [keyof typeof shownAddresses, ...(keyof typeof shownAddresses)[]],
)

export type SiteName = z.infer<typeof siteNameSchema>

export type SiteAddressBook = Readonly<Partial<Record<SiteName, string>>>

const placeholder = /__([A-Z][A-Z_]*[A-Z])__/g

export function sitesNamedIn(text: string): SiteName[] {
  const named = Array.from(text.matchAll(placeholder), ([, name = '']) => name.toLowerCase())
  return siteNameSchema.options.filter((site) => named.includes(site))
}

export function fillAddresses(text: string, sites: SiteAddressBook): string {
  return text.replace(placeholder, (whole, name: string) => {
    const site = siteNameSchema.safeParse(name.toLowerCase()).data
    return (site && sites[site]) ?? whole
  })
}

/**
 * Converts an address to the one that the model sees. The longest matching prefix counts: one site may lie below
 * another.
 */
export function toShownAddress(address: string, sites: SiteAddressBook): string {
  return exchangeStart(address, pairsOf(sites))
}

export function toRealAddress(address: string, sites: SiteAddressBook): string {
  const pairs = pairsOf(sites).map(([real, shown]): [string, string] => [shown, real])
  return exchangeStart(address, pairs)
}

function pairsOf(sites: SiteAddressBook): [real: string, shown: string][] {
  return siteNameSchema.options.flatMap((site) => {
    const real = sites[site]
    return real === undefined ? [] : [[real, shownAddresses[site]] as [string, string]]
  })
}

function exchangeStart(address: string, pairs: readonly (readonly [string, string])[]): string {
  const [found] = pairs
    .filter(([from]) => address.startsWith(from) && !/^[A-Za-z0-9.:-]/.test(address.slice(from.length)))
    .toSorted(([one], [other]) => other.length - one.length)
  return found === undefined ? address : found[1] + address.slice(found[0].length)
}

import { z } from 'zod'

/** The sites that tasks name, and how their addresses are shown to a model: as the sites that they are copies of. */
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

/** The addresses of sites, without a slash at their ends. */
export type SiteAddressBook = Readonly<Partial<Record<SiteName, string>>>

const placeholder = /__([A-Z][A-Z_]*[A-Z])__/g

/** The sites whose placeholders, such as `__SHOPPING__`, occur in a text. */
export function sitesNamedIn(text: string): SiteName[] {
  const named = Array.from(text.matchAll(placeholder), ([, name = '']) => name.toLowerCase())
  return siteNameSchema.options.filter((site) => named.includes(site))
}

/** A text with the addresses of sites for their placeholders. Other words between underscores stay. */
export function fillAddresses(text: string, sites: SiteAddressBook): string {
  return text.replace(placeholder, (whole, name: string) => {
    const site = siteNameSchema.safeParse(name.toLowerCase()).data
    return (site && sites[site]) ?? whole
  })
}

/** An address as the model is shown it. The longest address that it begins with counts: one site may lie below another. */
export function toShownAddress(address: string, sites: SiteAddressBook): string {
  return exchangeStart(address, pairsOf(sites))
}

/** An address that a model wrote, on the real site. */
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

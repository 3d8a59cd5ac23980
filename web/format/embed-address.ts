import { embedPath } from '../../shared/core/contracts/page-headers.ts'

type Place = Pick<URL, 'pathname' | 'search'> & Partial<Pick<URL, 'hash'>>

export function isEmbedded({ pathname }: Pick<Place, 'pathname'>): boolean {
  return pathname.startsWith(embedPath)
}

/** The page with navigation that an embedded page is of; any other page is itself. */
export function fullAddress({ pathname, search, hash = '' }: Place): string {
  const query = new URLSearchParams(search)
  query.delete('theme')
  const path = isEmbedded({ pathname }) ? pathname.slice(embedPath.length - 1) : pathname
  return `${path}${query.size > 0 ? `?${query}` : ''}${hash}`
}

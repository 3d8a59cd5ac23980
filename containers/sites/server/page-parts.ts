import { html } from 'hono/html'
import type { Html, Visit } from './site.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

export function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day} ${months[(month ?? 1) - 1]} ${year}`
}

export function formatMoney(cents: number): string {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`
}

export function showStars(rating: number): Html {
  const full = Math.round(rating)
  return html`<span class="stars" role="img" aria-label="${rating} of 5 stars">${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span>`
}

export function showPicture(file: string, title: string, size = 200): Html {
  return html`<img src="/pictures/${file}" alt="Picture of ${title}" width="${size}" height="${size}">`
}

export function withQuery(visit: Visit, changes: Record<string, string | number>): string {
  const { pathname, searchParams } = new URL(visit.req.url)
  for (const [name, value] of Object.entries(changes)) searchParams.set(name, String(value))
  const query = searchParams.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly summary: string
  readonly links: Html | ''
}

export function pageOf<Row>(visit: Visit, all: readonly Row[], size: number, noun: string): ListPage<Row> {
  const count = Math.max(1, Math.ceil(all.length / size))
  const asked = Math.trunc(Number(visit.req.query('page') ?? 1))
  const page = Math.min(Math.max(Number.isNaN(asked) ? 1 : asked, 1), count)
  const links = html`<nav aria-label="Pages" class="pages">${Array.from({ length: count }, (_, index) =>
    index + 1 === page
      ? html`<span aria-current="page">${page}</span> `
      : html`<a href="${withQuery(visit, { page: index + 1 })}" aria-label="Page ${index + 1}">${index + 1}</a> `,
  )}</nav>`
  const things = `${all.length} ${all.length === 1 ? noun : `${noun}s`}`
  return {
    rows: all.slice((page - 1) * size, page * size),
    summary: count === 1 ? things : `${things}, page ${page} of ${count}`,
    links: count === 1 ? '' : links,
  }
}

export function queryNumber(visit: Visit, name: string): number | null {
  const text = visit.req.query(name)?.trim() ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
}

export function holdsWords(text: string, searched: string): boolean {
  const lower = text.toLowerCase()
  return searched
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

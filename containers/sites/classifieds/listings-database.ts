import type { DatabaseSync } from 'node:sqlite'
import { pictureFile } from '../server/pictures.ts'
import type { SiteSession } from '../server/site-sessions.ts'
import data from './listings.data.json' with { type: 'json' }

/** Its price is in cents; `watched` is the account's own mark. */
export interface Listing {
  id: number
  category: string
  title: string
  price: number
  city: string
  seller: string
  date: string
  picture: string | null
  description: string
  watched: 0 | 1
}

export interface ListingCategory {
  slug: string
  name: string
  listings: number
}

type ListingRow = [
  category: string,
  title: string,
  price: number,
  city: string,
  seller: string,
  date: string,
  picture: string,
  description: string,
]

const rows = data.listings as ListingRow[]
export const listingPictures = rows.map((row) => row[6])
export const cities: readonly string[] = data.cities

const tables = `
  create table category (slug text primary key, name text not null);
  create table seller (name text primary key, telephone text not null, about text not null);
  create table listing (
    id integer primary key autoincrement, category text not null references category, title text not null,
    price integer not null, city text not null, seller text not null references seller, date text not null,
    picture text, description text not null, watched integer not null);
  create table comment (
    id integer primary key, listing integer not null references listing on delete cascade, author text not null,
    date text not null, title text not null, text text not null);
  create table message (
    id integer primary key, listing integer not null references listing on delete cascade, sender text not null,
    recipient text not null, date text not null, text text not null);
`

export function fillClassifieds(database: DatabaseSync): void {
  database.exec(tables)
  const addCategory = database.prepare('insert into category values (?, ?)')
  for (const [slug, name] of data.categories as [string, string][]) addCategory.run(slug, name)
  const addSeller = database.prepare('insert into seller values (?, ?, ?)')
  for (const [index, name] of data.sellers.entries())
    addSeller.run(name, `555 01${index}${index * 3 + 12}`, '')
  const addListing = database.prepare(
    `insert into listing (category, title, price, city, seller, date, picture, description, watched)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const ids = new Map<string, number | bigint>()
  for (const [category, title, price, city, seller, date, picture, description] of rows.toSorted(
    (one, other) => (one[5] < other[5] ? -1 : 1),
  )) {
    const isWatched = data.watched.includes(title) ? 1 : 0
    const { lastInsertRowid } = addListing.run(
      category,
      title,
      price,
      city,
      seller,
      date,
      pictureFile(picture),
      description,
      isWatched,
    )
    ids.set(title, lastInsertRowid)
  }
  const idOf = (title: string) => ids.get(title) as number
  const addComment = database.prepare(
    'insert into comment (listing, author, date, title, text) values (?, ?, ?, ?, ?)',
  )
  for (const [listing, author, date, title, text] of data.comments as [
    string,
    string,
    string,
    string,
    string,
  ][])
    addComment.run(idOf(listing), author, date, title, text)
  const addMessage = database.prepare(
    'insert into message (listing, sender, recipient, date, text) select id, ?, seller, ?, ? from listing where id = ?',
  )
  for (const [listing, sender, date, text] of data.messages as [string, string, string, string][])
    addMessage.run(sender, date, text, idOf(listing))
}

export function listListings({ sql }: SiteSession): Listing[] {
  return sql.all`select * from listing order by id desc` as unknown as Listing[]
}

export function findListing({ sql }: SiteSession, id: string): Listing | undefined {
  return sql.get`select * from listing where id = ${id}` as Listing | undefined
}

export function listListingCategories({ sql }: SiteSession): ListingCategory[] {
  return sql.all`select category.*, count(listing.id) as listings from category
    left join listing on listing.category = slug group by slug order by category.rowid` as unknown as ListingCategory[]
}

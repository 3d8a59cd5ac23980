import type { DatabaseSync } from 'node:sqlite'
import { pictureFile } from '../server/pictures.ts'
import type { SiteSession } from '../server/site-sessions.ts'
import catalogue from './catalogue.data.json' with { type: 'json' }

/** Prices are in cents, weights in grams. */
export interface Product {
  id: number
  slug: string
  name: string
  category: string
  brand: string
  price: number
  stock: number
  picture: string
  material: string
  weight: number
  description: string
  rating: number | null
  reviews: number
}

export interface Category {
  slug: string
  name: string
  text: string
}

export interface Customer {
  name: string
  email: string
  street: string
  postcode: string
  city: string
}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')
}

export const productPictures = catalogue.products.map((product) => product[5] as string)

const tables = `
  create table category (slug text primary key, name text not null, text text not null);
  create table product (
    id integer primary key, slug text not null unique, name text not null, category text not null references category,
    brand text not null, price integer not null, stock integer not null, picture text not null,
    material text not null, weight integer not null, description text not null);
  create table review (
    id integer primary key, product integer not null references product, author text not null,
    rating integer not null, date text not null, title text not null, text text not null);
  create table customer (
    name text primary key, email text not null, street text not null, postcode text not null, city text not null);
  create table cart_line (
    owner text not null, product integer not null references product, quantity integer not null,
    primary key (owner, product));
  create table wish (id integer primary key, product integer not null unique references product);
  create table purchase (
    number text primary key, date text not null, status text not null, shipping text not null,
    shipping_cost integer not null, name text not null, street text not null, postcode text not null,
    city text not null, note text not null);
  create table purchase_line (
    number text not null references purchase, product integer not null references product,
    quantity integer not null, price integer not null, primary key (number, product));
  create view rated_product as
    select product.*, round(avg(review.rating), 1) as rating, count(review.id) as reviews
    from product left join review on review.product = product.id group by product.id;
`

const customer = {
  name: 'Nora Field',
  email: 'nora.field@larchlane.example',
  street: '14 Mill Lane',
  postcode: '4821',
  city: 'Ostermouth',
}

export function fillShop(database: DatabaseSync): void {
  database.exec(tables)
  const addCategory = database.prepare('insert into category values (?, ?, ?)')
  for (const category of catalogue.categories) addCategory.run(...category)
  const addProduct = database.prepare('insert into product values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const ids = new Map<string, number>()
  for (const [index, product] of catalogue.products.entries()) {
    const [name, category, brand, price, stock, picture, material, weight, description] = product as [
      string,
      string,
      string,
      number,
      number,
      string,
      string,
      number,
      string,
    ]
    addProduct.run(
      index + 1,
      slugOf(name),
      name,
      category,
      brand,
      price,
      stock,
      pictureFile(picture),
      material,
      weight,
      description,
    )
    ids.set(name, index + 1)
  }
  const idOf = (name: string) => ids.get(name) as number
  fillReviews(database, idOf)
  database
    .prepare('insert into customer values (?, ?, ?, ?, ?)')
    .run(customer.name, customer.email, customer.street, customer.postcode, customer.city)
  const addWish = database.prepare('insert into wish (product) values (?)')
  for (const name of catalogue.wish_list) addWish.run(idOf(name))
  fillPurchases(database, idOf)
}

function fillReviews(database: DatabaseSync, idOf: (name: string) => number): void {
  const add = database.prepare(
    'insert into review (product, author, rating, date, title, text) values (?, ?, ?, ?, ?, ?)',
  )
  const written = new Set<number>()
  for (const [name, author, rating, date, title, text] of catalogue.reviews as [
    string,
    string,
    number,
    string,
    string,
    string,
  ][]) {
    written.add(idOf(name))
    add.run(idOf(name), author, rating, date, title, text)
  }
  const { reviewers, praise, complaints } = catalogue
  for (let product = 1; product <= catalogue.products.length; product += 1) {
    if (written.has(product)) continue
    for (let index = 0; index < (product * 5) % 3; index += 1) {
      const isPraise = (product + index) % 3 !== 0
      const texts = isPraise ? praise : complaints
      const month = String(((product + index * 5) % 9) + 1).padStart(2, '0')
      add.run(
        product,
        reviewers[(product * 3 + index) % reviewers.length] as string,
        isPraise ? 4 + (product % 2) : 3,
        `2025-${month}-${String(((product * 7) % 27) + 1).padStart(2, '0')}`,
        isPraise ? 'Happy with it' : 'Mixed',
        texts[(product + index) % texts.length] as string,
      )
    }
  }
}

function fillPurchases(database: DatabaseSync, idOf: (name: string) => number): void {
  const add = database.prepare('insert into purchase values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const addLine = database.prepare(
    'insert into purchase_line select ?, id, ?, price from product where id = ?',
  )
  const { name, street, postcode, city } = customer
  for (const [number, date, status, shipping, lines] of catalogue.orders as [
    string,
    string,
    string,
    Shipping,
    [string, number][],
  ][]) {
    const prices = lines.map(([product, quantity]) => priceOf(database, idOf(product)) * quantity)
    const cost = shippingCost(
      shipping,
      prices.reduce((sum, price) => sum + price, 0),
    )
    add.run(number, date, status, shipping, cost, name, street, postcode, city, '')
    for (const [product, quantity] of lines) addLine.run(number, quantity, idOf(product))
  }
}

function priceOf(database: DatabaseSync, product: number): number {
  return Number(database.prepare('select price from product where id = ?').get(product)?.price)
}

export type Shipping = 'standard' | 'express'

export function shippingCost(shipping: Shipping, total: number): number {
  if (shipping === 'express') return 1290
  return total >= 10_000 ? 0 : 490
}

export function findProduct({ sql }: SiteSession, slug: string): Product | undefined {
  return sql.get`select * from rated_product where slug = ${slug}` as Product | undefined
}

export function listProducts({ sql }: SiteSession): Product[] {
  return sql.all`select * from rated_product order by id` as unknown as Product[]
}

export function listCategories({ sql }: SiteSession): Category[] {
  return sql.all`select * from category` as unknown as Category[]
}

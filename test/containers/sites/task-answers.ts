import { DatabaseSync } from 'node:sqlite'
import { pictureFile } from '../../../containers/sites/server/pictures.ts'
import type { SiteName } from '../../../containers/sites/server/site.ts'
import { allSites } from '../../../containers/sites/server/start-sites.ts'

const databases = new Map(
  allSites.map((site) => {
    const database = new DatabaseSync(':memory:')
    site.fill(database)
    return [site.name, database] as const
  }),
)

/** The one row that a query finds in the data of a site. */
export function only(site: SiteName, sql: string, ...values: (string | number)[]): Record<string, unknown> {
  const rows =
    databases
      .get(site)
      ?.prepare(sql)
      .all(...values) ?? []
  if (rows.length !== 1)
    throw new Error(`${sql} finds ${rows.length} rows of ${site} with ${values.join(', ')}`)
  return rows[0] as Record<string, unknown>
}

/** The row whose picture is drawn so: `bicycle red`. */
export const shownIn = (site: SiteName, table: string, picture: string): Record<string, unknown> =>
  only(site, `select * from ${table} where picture = ?`, pictureFile(picture))

const colours = 'red orange yellow green teal blue purple pink brown black grey white'.split(' ')

/** What is drawn on a picture: `backpack purple`, or with a number. */
function drawnOn(file: unknown): string {
  const found = allSites.flatMap(({ pictures }) => pictures).find((picture) => pictureFile(picture) === file)
  if (found === undefined) throw new Error(`No data names the picture ${String(file)}`)
  return found
}

const dollars = (cents: unknown): string => `$${(Number(cents) / 100).toFixed(2)}`
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
function isoDate(date: string): string {
  const [day = '', month = '', year] = date.split(' ')
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** That nothing in the data has a word; the right answer is then that the task cannot be done. */
function absent(site: SiteName, table: string, columns: string, word: string): 'N/A' {
  const row = only(site, `select count(*) as count from ${table} where ${columns} like ?`, `%${word}%`)
  if (row.count !== 0) throw new Error(`${site} has ${word}`)
  return 'N/A'
}

type Values = Record<string, string>

/** The answers of tasks that ask something, from the data of the sites, by the template of the task. */
export const taskAnswers: Readonly<Record<string, (values: Values) => unknown>> = {
  'What does the {{product}} cost?': ({ product = '' }) =>
    dollars(only('shopping', 'select price from product where name = ?', product).price),
  'Which is the {{superlative}} product in the category {{category}}? Answer with its name.': ({
    superlative,
    category = '',
  }) => {
    const extreme = superlative === 'cheapest' ? 'min' : 'max'
    const inCategory = 'category = (select slug from category where name = ?)'
    const sql = `select name from product where ${inCategory} and price = (select ${extreme}(price) from product where ${inCategory})`
    return only('shopping', sql, category, category).name
  },
  'Who complains in a review of the {{product}} that {{complaint}}?': ({ product = '', complaint = '' }) => {
    const words = complaint
      .split(' ')
      .slice(1)
      .map((word) => word.replace(/s$/, ''))
    const sql = `select author from review join product on product.id = product where name = ? and title like ? and title like ?`
    return only('shopping', sql, product, ...words.map((word) => `%${word}%`)).author
  },
  'How many reviews give the {{product}} {{stars}} stars or fewer? Answer with the number.': ({
    product = '',
    stars = '',
  }) =>
    only(
      'shopping',
      'select count(*) as count from review join product on product.id = product where name = ? and rating <= cast(? as integer)',
      product,
      stars,
    ).count,
  'What is the status of the order that I placed on {{date}}?': ({ date = '' }) =>
    only('shopping', 'select status from purchase where date = ?', isoDate(date)).status,
  'What did the order that I placed on {{date}} cost in all, shipping included?': ({ date = '' }) =>
    dollars(
      only(
        'shopping',
        'select shipping_cost + sum(quantity * price) as total from purchase join purchase_line using (number) where date = ?',
        isoDate(date),
      ).total,
    ),
  'What colour is the {{product}} in its picture?': ({ product = '' }) =>
    drawnOn(only('shopping', 'select picture from product where name = ?', product).picture).split(' ')[1],
  'Buy {{product}}.': ({ product = '' }) =>
    absent('shopping', 'product', `name || ' ' || description`, product.replace('a ', '')),
  'Which power in watts does the bulb of the {{product}} have?': ({ product = '' }) =>
    absent('shopping', `(select * from product where name = '${product}')`, 'description', 'watt'),
  'How many comments has the post "{{post}}"? Answer with the number.': ({ post = '' }) =>
    only('reddit', 'select comments from scored_post where title = ?', post).comments,
  'Which post of the forum {{forum}} has the most votes? Answer with its title.': ({ forum = '' }) => {
    const inForum = 'forum = (select slug from forum where name = ?)'
    const sql = `select title from scored_post where ${inForum} and score = (select max(score) from scored_post where ${inForum})`
    return only('reddit', sql, forum, forum).title
  },
  'Who answered on the post "{{post}}" that {{what}}? Answer with the name.': ({ post = '', what = '' }) => {
    const [thing = ''] = /walnut oil|cassette/.exec(what) ?? []
    const sql =
      'select comment.author from comment join post on post.id = post where title = ? and comment.body like ?'
    return only('reddit', sql, post, `%${thing}%`).author
  },
  'How many {{things}} are in the picture of the post "{{post}}"? Answer with the number.': ({ post = '' }) =>
    drawnOn(only('reddit', 'select picture from post where title = ?', post).picture).split(' ')[2],
  'Send a private message to {{person}} that says "{{text}}".': () =>
    absent('reddit', 'sqlite_schema', 'name', 'message'),
  'Open the post about {{subject}}.': ({ subject = '' }) =>
    absent('reddit', 'post', `title || ' ' || body`, subject.split(' ').at(-1) ?? ''),
  'What is the price of the ad "{{ad}}"?': ({ ad = '' }) =>
    dollars(only('classifieds', 'select price from listing where title = ?', ad).price),
  '{{question}} Look at the comments of the ad "{{ad}}".': ({ ad = '' }) => {
    const sql = `select text from comment join listing on listing.id = listing where listing.title = ? and author = seller`
    return only('classifieds', sql, ad).text
  },
  'How many {{things}} are in the picture of the ad "{{ad}}"? Answer with the number.': ({ ad = '' }) =>
    drawnOn(only('classifieds', 'select picture from listing where title = ?', ad).picture).split(' ')[2],
  'What does the cheapest {{thing}} cost whose picture does not show it in {{colour}}?': ({
    thing = '',
    colour = '',
  }) => {
    const files = colours.filter((each) => each !== colour).map((each) => pictureFile(`${thing} ${each}`))
    const marks = files.map(() => '?').join(', ')
    return dollars(
      only('classifieds', `select min(price) as price from listing where picture in (${marks})`, ...files)
        .price,
    )
  },
  'Write to the seller of the {{thing}}.': ({ thing = '' }) =>
    absent('classifieds', 'listing', `title || ' ' || description`, thing),
  'Which telephone number has the owner of the ad "{{ad}}" at work?': () =>
    absent('classifieds', `pragma_table_info('seller')`, 'name', 'work'),
}

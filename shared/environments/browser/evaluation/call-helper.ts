import { z } from 'zod'
import { pythonText } from '../python-value.ts'
import { EvaluationError } from './compare-answer.ts'
import type { EvaluatedPage } from './evaluated-page.ts'
import {
  memberRole,
  newestComment,
  numberOfReviews,
  orderedProducts,
  productAttributes,
  productPrice,
  ratingAsPercentage,
  selectedText,
} from './page-scripts.ts'

type Parameters = readonly string[]
interface Helper {
  takes: readonly string[]
  ofPage: boolean
  answer(page: EvaluatedPage, parameters: Parameters): Promise<unknown>
}

interface Product {
  name: string
  sku: string
  quantity: number
  options: [string, string][]
}

interface Comment {
  username: string
  content: string
  parent: { username: string; content: string } | null
}

const ordersSchema = z.object({ items: z.array(z.object({ increment_id: z.string() })) })
const reviewsSchema = z.array(
  z.object({
    nickname: z.string(),
    title: z.string(),
    detail: z.string(),
    created_at: z.string().optional(),
    ratings: z.array(z.object({ percent: z.number() })),
  }),
)
const productSchema = z.object({
  custom_attributes: z.array(z.object({ attribute_code: z.string(), value: z.unknown() })),
})

const alternatives = ' |OR| '

const helpers: Readonly<Record<string, Helper>> = {
  get_query_text: ofPage(['selector'], read(selectedText)),
  get_query_text_lowercase: ofPage(['selector'], async (page, given) =>
    pythonText(await read(selectedText)(page, given)).toLowerCase(),
  ),
  shopping_get_product_attributes: ofPage(['attribute'], read(productAttributes)),
  shopping_get_product_price: ofPage(
    [],
    read(() => productPrice),
  ),
  shopping_get_num_reviews: ofPage(
    [],
    read(() => numberOfReviews),
  ),
  shopping_get_rating_as_percentage: ofPage(
    [],
    read(() => ratingAsPercentage),
  ),
  shopping_get_order_product_name_list: ofPage([], async (page) =>
    (await products(page)).map(({ name }) => name).join(alternatives),
  ),
  shopping_get_order_product_quantity: ofPage(['sku'], async (page, [sku = '']) => {
    const found = (await products(page)).find((product) => sku.split(alternatives).includes(product.sku))
    return found?.quantity ?? 0
  }),
  shopping_get_order_product_option: ofPage(['sku', 'option'], async (page, [sku, option]) => {
    const found = (await products(page)).find((product) => product.sku === sku)
    return found?.options.find(([name]) => name === option)?.[1] ?? ''
  }),
  shopping_get_latest_order_url: ofSite([], (page) => latestOrderUrl(page)),
  shopping_get_sku_latest_review_author: ofSite(['sku'], (page, [sku = '']) =>
    latestReview(page, sku, 'author'),
  ),
  shopping_get_sku_latest_review_rating: ofSite(['sku'], (page, [sku = '']) =>
    latestReview(page, sku, 'rating'),
  ),
  shopping_get_sku_latest_review_text: ofSite(['sku'], (page, [sku = '']) => latestReview(page, sku, 'text')),
  shopping_get_sku_latest_review_title: ofSite(['sku'], (page, [sku = '']) =>
    latestReview(page, sku, 'title'),
  ),
  shopping_get_sku_product_page_url: ofSite(['sku'], (page, [sku = '']) => productPageUrl(page, sku)),
  reddit_get_post_url: ofSite(['address'], async (_, [address = '']) => postUrl(address)),
  reddit_get_latest_comment_obj_by_username: ofPage(['username'], comment),
  reddit_get_latest_comment_content_by_username: ofPage(
    ['username'],
    async (page, given) => (await comment(page, given))?.content ?? '',
  ),
  reddit_get_parent_comment_obj_of_latest_comment_by_username: ofPage(
    ['username'],
    async (page, given) => (await comment(page, given))?.parent ?? null,
  ),
  reddit_get_parent_comment_username_of_latest_comment_by_username: ofPage(
    ['username'],
    async (page, given) => (await comment(page, given))?.parent?.username ?? '',
  ),
  gitlab_get_project_memeber_role: ofPage(['account'], read(memberRole)),
}

/**
 * Returns a helper's answer as text.
 * @param written the text after `func:`
 * @throws EvaluationError unless it is a call of a known helper with its arguments
 */
export async function callHelper(page: EvaluatedPage, written: string): Promise<string> {
  const call = parseHelperCall(written, page.url())
  const helper = Object.hasOwn(helpers, call.name) ? helpers[call.name] : undefined
  if (helper === undefined) {
    throw new EvaluationError(`"${call.name}" is no helper. There are: ${Object.keys(helpers).join(', ')}`)
  }
  const takesPage = call.arguments[0] === pageArgument
  const parameters = (takesPage ? call.arguments.slice(1) : call.arguments).map(String)
  if (takesPage !== helper.ofPage || parameters.length !== helper.takes.length) {
    const expected = [...(helper.ofPage ? ['__page__'] : []), ...helper.takes].join(', ')
    throw new EvaluationError(`${call.name} takes (${expected}), and "func:${written}" gives something else`)
  }
  return pythonText(await helper.answer(page, parameters))
}

function ofPage(takes: readonly string[], answer: Helper['answer']): Helper {
  return { takes, answer, ofPage: true }
}

function ofSite(takes: readonly string[], answer: Helper['answer']): Helper {
  return { takes, answer, ofPage: false }
}

function read(script: (...parameters: string[]) => string): Helper['answer'] {
  return async (page, parameters) => {
    const answer = await page.run(script(...parameters))
    return 'value' in answer ? answer.value : ''
  }
}

async function products(page: EvaluatedPage): Promise<Product[]> {
  const found = await read(() => orderedProducts)(page, [])
  return Array.isArray(found) ? found : []
}

async function comment(page: EvaluatedPage, [person = '']: Parameters): Promise<Comment | null> {
  const found = await read(newestComment)(page, [person])
  return found === '' ? null : (found as Comment | null)
}

async function latestOrderUrl(page: EvaluatedPage): Promise<string> {
  const filter = 'searchCriteria[filter_groups][0][filters][0]'
  const query = new URLSearchParams({
    [`${filter}[field]`]: 'customer_email',
    [`${filter}[value]`]: page.shop.customer(),
    [`${filter}[condition_type]`]: 'eq',
    'searchCriteria[sortOrders][0][field]': 'created_at',
    'searchCriteria[sortOrders][0][direction]': 'DESC',
    'searchCriteria[pageSize]': '1',
  })
  const { items } = parse(ordersSchema, await page.shop.ask(`/V1/orders?${query}`), 'orders')
  const [newest] = items
  const site = page.site('shopping')
  return newest === undefined ? '' : `${site}/sales/order/view/order_id/${Number(newest.increment_id)}/`
}

async function latestReview(
  page: EvaluatedPage,
  sku: string,
  part: 'author' | 'rating' | 'text' | 'title',
): Promise<string> {
  const answer = await page.shop.ask(`/V1/products/${encodeURIComponent(sku)}/reviews`)
  const newest = parse(reviewsSchema, answer, 'reviews').at(-1)
  if (newest === undefined) return ''
  const { nickname: author, detail: text, title, ratings } = newest
  return { author, text, title, rating: String(ratings[0]?.percent ?? '') }[part]
}

async function productPageUrl(page: EvaluatedPage, sku: string): Promise<string> {
  const answer = await page.shop.ask(`/V1/products/${encodeURIComponent(sku)}`)
  const { custom_attributes } = parse(productSchema, answer, 'a product')
  const key = custom_attributes.find(({ attribute_code }) => attribute_code === 'url_key')?.value
  return key === undefined ? '' : `${page.site('shopping')}/${String(key)}.html`
}

function parse<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new EvaluationError(`The shop answered the question for ${what} with another shape than Magento's`)
}

// The address of a post, whichever site it is on and however deep in its comments. Any other address stays.
function postUrl(address: string): string {
  const [, scheme = '', host, name, post] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)\/f\/([^/?#]*)\/([^/?#;]*)/i.exec(address) ?? []
  return post === undefined ? address : `${scheme.toLowerCase()}://${host}/f/${name}/${post}/`
}

interface HelperCall {
  name: string
  arguments: readonly (string | number | typeof pageArgument)[]
}

export const pageArgument = Symbol('__page__')

const callPattern = /^\s*([a-z_]\w*)\s*\(([\s\S]*)\)\s*$/i
const argumentPattern =
  /\s*(?:(__page__|page)\b|(-?\d+(?:\.\d+)?)|(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))\s*(,|$)/y

/**
 * Reads the text that tasks write after `func:`: one call of a helper with literal arguments. Nothing is evaluated.
 * @param lastUrl the value of `__last_url__`
 * @throws EvaluationError for any other text
 */
export function parseHelperCall(written: string, lastUrl: string): HelperCall {
  const text = written.replaceAll('__last_url__', lastUrl)
  const [, name, between = ''] = callPattern.exec(text) ?? []
  if (name === undefined) throw unreadable(written)
  const values: HelperCall['arguments'][number][] = []
  argumentPattern.lastIndex = 0
  for (let more = between.trim() !== ''; more; ) {
    const match = argumentPattern.exec(between)
    if (match === null) throw unreadable(written)
    const [, page, number, double, single, comma] = match
    if (page !== undefined) values.push(pageArgument)
    else if (number !== undefined) values.push(Number(number))
    else values.push((double ?? single ?? '').replace(/\\(.)/g, '$1'))
    more = comma === ',' && argumentPattern.lastIndex < between.length
    if (!more && argumentPattern.lastIndex < between.length) throw unreadable(written)
  }
  return { name, arguments: values }
}

function unreadable(written: string): EvaluationError {
  return new EvaluationError(
    `"func:${written}" is not one call of a helper with texts, numbers or __page__ as its arguments`,
  )
}

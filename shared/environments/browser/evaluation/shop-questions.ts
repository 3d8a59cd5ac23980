import { z } from 'zod'
import { EvaluationError } from './compare-answer.ts'
import type { EvaluatedPage } from './evaluated-page.ts'

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

export async function latestOrderUrl(page: EvaluatedPage): Promise<string> {
  const filter = 'searchCriteria[filter_groups][0][filters][0]'
  const query = new URLSearchParams({
    [`${filter}[field]`]: 'customer_email',
    [`${filter}[value]`]: page.shop.customer(),
    [`${filter}[condition_type]`]: 'eq',
    'searchCriteria[sortOrders][0][field]': 'created_at',
    'searchCriteria[sortOrders][0][direction]': 'DESC',
    'searchCriteria[pageSize]': '1',
  })
  const { items } = read(ordersSchema, await page.shop.ask(`/V1/orders?${query}`), 'orders')
  const [newest] = items
  const site = page.site('shopping')
  return newest === undefined ? '' : `${site}/sales/order/view/order_id/${Number(newest.increment_id)}/`
}

export async function latestReview(
  page: EvaluatedPage,
  sku: string,
  part: 'author' | 'rating' | 'text' | 'title',
): Promise<string> {
  const answer = await page.shop.ask(`/V1/products/${encodeURIComponent(sku)}/reviews`)
  const newest = read(reviewsSchema, answer, 'reviews').at(-1)
  if (newest === undefined) return ''
  const { nickname: author, detail: text, title, ratings } = newest
  return { author, text, title, rating: String(ratings[0]?.percent ?? '') }[part]
}

export async function productPageUrl(page: EvaluatedPage, sku: string): Promise<string> {
  const answer = await page.shop.ask(`/V1/products/${encodeURIComponent(sku)}`)
  const { custom_attributes } = read(productSchema, answer, 'a product')
  const key = custom_attributes.find(({ attribute_code }) => attribute_code === 'url_key')?.value
  return key === undefined ? '' : `${page.site('shopping')}/${String(key)}.html`
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new EvaluationError(`The shop answered the question for ${what} with another shape than Magento's`)
}

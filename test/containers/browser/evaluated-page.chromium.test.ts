import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluatedBrowserPage, type SiteAccess } from '../../../containers/browser/evaluated-browser-page.ts'
import { callHelper } from '../../../shared/environments/browser/evaluation/call-helper.ts'
import { evaluateTask } from '../../../shared/environments/browser/evaluation/evaluate-task.ts'
import { taskEvaluationSchema } from '../../../shared/environments/browser/evaluation/task-evaluation.ts'
import { keepBrowser } from './own-pages.ts'

/** Pages with the elements that the benchmarks' helpers read, in small. */
const product = `<title>Lamp &amp; Co</title><div id="maincontent">
<div class="product-info-price"><div class="price-box"><span data-price-type="finalPrice" data-price-amount="12.5">$12.50</span></div></div>
<div class="rating-result" title="80%"></div><span itemprop="reviewCount">1,204</span><p class="note">Red <b>Lamp</b></p>
<table id="productDetails_detailBullets_sections1"><tbody><tr><th>Brand Name</th><td>Lumen</td></tr>
<tr><th>Colour</th><td>Red</td></tr></tbody></table></div>`
const order = `<table class="table-order-items"><tbody><tr><td class="col name"><strong>Lamp</strong>
<dl class="item-options"><dt>Size</dt><dd>Large</dd></dl></td><td class="col sku">L1</td><td class="col qty">Ordered 3</td></tr></tbody>
<tbody><tr><td class="col name"><strong>Desk</strong></td><td class="col sku">D2</td><td class="col qty">Ordered 1</td></tr></tbody></table>`
const comment = (author: string, time: string, text: string, inner = '') =>
  `<article class="comment"><p class="comment__info"><a>${author}</a> <time datetime="${time}"></time></p>
  <div class="comment__body">${text}</div>${inner}</article>`
const post =
  comment('ann', '2024-01-01', 'First', comment('bob', '2024-02-01', 'Answer')) +
  comment('bob', '2024-01-15', 'Older')

const members = '<table><tr><td>Bob @bob</td><td data-label="Max role">Developer</td></tr></table>'
const pages = { product, order, post, members, blank: '' }

const answers: Record<string, unknown> = {
  '/V1/products/L1/reviews': [
    { nickname: 'old', title: 'a', detail: 'b', ratings: [{ percent: 20 }] },
    { nickname: 'ann', title: 'Good', detail: 'Very', ratings: [{ percent: 100 }] },
  ],
  '/V1/products/L2/reviews': [],
  '/V1/products/L1': { custom_attributes: [{ attribute_code: 'url_key', value: 'lamp' }] },
}
const access: SiteAccess = {
  site: (name) => `http://${name}.example`,
  shop: {
    ask: async (path) =>
      path.startsWith('/V1/orders') ? { items: [{ increment_id: '000000170' }] } : answers[path],
    customer: () => 'ann@example.com',
  },
  fetchPicture: async () => new Uint8Array(),
}

const keeper = keepBrowser()
let page: Page
beforeAll(async () => {
  page = await (await (await keeper.take()).newContext()).newPage()
})
afterAll(() => keeper.stop())

const help = async (html: string, written: string) => {
  await page.setContent(html)
  return callHelper(evaluatedBrowserPage(page, access), written)
}

test.each([
  ['product', "get_query_text(__page__, '.note')", 'Red Lamp'],
  ['product', "get_query_text(__page__, '.none')", ''],
  ['product', "get_query_text_lowercase(__page__, '.note')", 'red lamp'],
  ['product', "shopping_get_product_attributes(__page__, 'brand |OR| colour')", 'Lumen, Red'],
  ['product', 'shopping_get_product_price(__page__)', '12.5'],
  ['product', 'shopping_get_num_reviews(__page__)', '1204'],
  ['product', 'shopping_get_rating_as_percentage(__page__)', '80'],
  ['order', 'shopping_get_order_product_name_list(__page__)', 'Lamp |OR| Desk'],
  ['order', "shopping_get_order_product_quantity(__page__, 'X |OR| L1')", '3'],
  ['order', "shopping_get_order_product_quantity(__page__, 'X')", '0'],
  ['order', "shopping_get_order_product_option(__page__, 'L1', 'Size')", 'Large'],
  ['blank', 'shopping_get_latest_order_url()', 'http://shopping.example/sales/order/view/order_id/170/'],
  ['blank', "shopping_get_sku_latest_review_author('L1')", 'ann'],
  ['blank', "shopping_get_sku_latest_review_rating('L1')", '100'],
  ['blank', "shopping_get_sku_latest_review_text('L1')", 'Very'],
  ['blank', "shopping_get_sku_latest_review_title('L2')", ''],
  ['blank', "shopping_get_sku_product_page_url('L1')", 'http://shopping.example/lamp.html'],
  [
    'blank',
    "reddit_get_post_url('http://reddit.example/f/books/12/-/comment/3')",
    'http://reddit.example/f/books/12/',
  ],
  ['blank', "reddit_get_post_url('http://other.example/f/books/12')", 'http://other.example/f/books/12/'],
  ['post', "reddit_get_latest_comment_content_by_username(__page__, 'bob')", 'Answer'],
  ['post', "reddit_get_parent_comment_username_of_latest_comment_by_username(__page__, 'bob')", 'ann'],
  ['post', "reddit_get_parent_comment_obj_of_latest_comment_by_username(__page__, 'ann')", 'None'],
  ['members', "gitlab_get_project_memeber_role(__page__, 'bob')", 'Developer'],
] as const)('the %s page has it that %s is %j', async (name, written, expected) => {
  expect(await help(pages[name], written)).toBe(expected)
})

test.each([
  ['open("/etc/passwd")', /no helper/],
  ["get_query_text('.a')", /takes \(__page__, selector\)/],
  ['constructor()', /no helper/],
])('%s is refused', async (written, message) => {
  await expect(help('', written)).rejects.toThrow(message)
})

const evaluate = async (
  html: string,
  check: object,
  benchmark: 'webarena' | 'visualwebarena' = 'visualwebarena',
) => {
  await page.setContent(html)
  const evaluation = taskEvaluationSchema.parse({
    eval_types: ['program_html'],
    program_html: [{ url: 'last', ...check }],
  })
  const ended = { benchmark, intent: '', answer: '', evaluation }
  return (await evaluateTask(ended, evaluatedBrowserPage(page, access))).score
}

test('scripts run in the page; one that fails finds an empty text, and a lambda that finds nothing fails', async () => {
  const locator = 'document.querySelector(".none").innerText'
  expect(await evaluate(product, { locator, required_contents: { exact_match: '' } })).toBe(1)
  expect(await evaluate(product, { locator: 'document.(', required_contents: { exact_match: '' } })).toBe(1)
  const lambda = 'lambda:() => document.querySelector(".note").innerText'
  expect(await evaluate(product, { locator: lambda, required_contents: { must_include: ['red'] } })).toBe(1)
  const none = { locator: 'lambda:() => null', required_contents: { exact_match: 'None' } }
  expect(await evaluate(product, none)).toBe(0)
  const prepared = {
    prep_actions: ['document.title = "x"'],
    locator: 'document.title',
    required_contents: { exact_match: 'x' },
  }
  expect(await evaluate(product, prepared)).toBe(1)
})

test('WebArena reads entities in what it finds, VisualWebArena does not', async () => {
  const check = {
    locator: 'document.querySelector("title").innerHTML',
    required_contents: { exact_match: 'Lamp & Co' },
  }
  expect(await evaluate(product, check, 'webarena')).toBe(1)
  expect(await evaluate(product, check)).toBe(0)
})

test('a helper that finds no page fails the check, and a locator of an unknown kind is an error', async () => {
  const nowhere = { url: 'func:get_query_text(__page__, ".none")', required_contents: { exact_match: '' } }
  expect(await evaluate(product, nowhere)).toBe(0)
  const unknown = { locator: 'python:1', required_contents: { exact_match: '' } }
  await expect(evaluate(product, unknown)).rejects.toThrow(/of no known kind/)
})

test('a JPEG of a page is compared by what the browser shows of it', async () => {
  const drawn = `<div style="width:60px;height:60px;background:#c00"></div><div style="width:60px;height:60px;background:linear-gradient(blue, white)"></div>`
  await page.setContent(drawn)
  const jpeg = await page.screenshot({
    type: 'jpeg',
    quality: 95,
    clip: { x: 0, y: 0, width: 80, height: 120 },
  })
  const png = await page.screenshot({ type: 'png', clip: { x: 0, y: 0, width: 80, height: 120 } })
  const address = 'http://shopping.example/picture'
  const score = async (shown: Buffer) => {
    await page.setContent(`<div class="shown"><img src="${address}"></div>`)
    const pictures: SiteAccess = {
      ...access,
      fetchPicture: async (from) => (from.endsWith('#reference') ? png : shown),
    }
    const query = {
      eval_image_url: 'last',
      eval_image_class: '.shown',
      eval_fuzzy_image_match: `${address}#reference`,
    }
    const evaluation = taskEvaluationSchema.parse({
      eval_types: ['page_image_query'],
      page_image_query: [query],
    })
    const ended = { benchmark: 'visualwebarena' as const, intent: '', answer: '', evaluation }
    return (await evaluateTask(ended, evaluatedBrowserPage(page, pictures))).score
  }
  expect(await score(jpeg)).toBe(1)
  await page.setContent(
    '<body style="background:repeating-conic-gradient(#000 0 25%, #fff 0 50%) 50% / 9px 9px">',
  )
  expect(
    await score(await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 80, height: 120 } })),
  ).toBe(0)
})

test('a page that is not reached, or fails, is an error and no score', async () => {
  const away = { url: 'http://127.0.0.1:9/', required_contents: { exact_match: '' } }
  await expect(evaluate('', away)).rejects.toThrow(/net::ERR/)
})

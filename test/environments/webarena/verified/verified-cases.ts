import type { JsonObject } from '../../../../shared/core/contracts/json.ts'

export const ownSites = {
  shopping: 'http://shop.lab:7770',
  shopping_admin: 'http://shop.lab:7770/admin',
  gitlab: 'http://git.lab:8023',
}

// A task of our own with an answer and a trace, and the score by the rules of WebArena-Verified.
export interface VerifiedCase {
  name: string
  task: JsonObject
  response: string
  entries: JsonObject[]
  score: 0 | 1
}

const task = (more: JsonObject): JsonObject => ({
  ...{ task_id: 1, intent_template_id: 1, sites: ['shopping', 'shopping_admin', 'gitlab'], revision: 1 },
  ...{
    start_urls: ['__SHOPPING__/'],
    intent: 'A lamp.',
    intent_template: 'A {{it}}.',
    instantiation_dict: {},
  },
  ...more,
})

interface Request {
  url: string
  method?: string
  headers?: Record<string, string>
  post?: [type: string, text: string]
  status?: number
  cookies?: Record<string, string>
  answer?: JsonObject
}

export function entryOf(request: Request): JsonObject {
  const { url, method = 'GET', headers = {}, post, status = 200, cookies = {}, answer = {} } = request
  const listed = (all: Record<string, string>) =>
    Object.entries(all).map(([name, value]) => ({ name, value }))
  return {
    request: {
      ...{ method, url, headers: listed({ Accept: 'text/html,*/*', ...headers }) },
      ...(post && { postData: { mimeType: post[0], text: post[1] } }),
    },
    response: {
      ...{ status, redirectURL: '', cookies: listed(cookies) },
      content: { mimeType: 'application/json', text: JSON.stringify(answer) },
    },
  }
}

const start = entryOf({ url: 'http://shop.lab:7770/' })

type Value = JsonObject[string]

function retrieval(
  name: string,
  items: JsonObject,
  expected: Value[],
  given: Value,
  score: 0 | 1,
  more: JsonObject = {},
): VerifiedCase {
  const check = {
    evaluator: 'AgentResponseEvaluator',
    results_schema: { type: 'array', items },
    expected: { task_type: 'retrieve', status: 'SUCCESS', retrieved_data: expected },
    ...more,
  }
  const response = JSON.stringify({ task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data: given })
  return { name, task: task({ eval: [check] }), response, entries: [start], score }
}

const formatted = (format: string, expected: Value, given: Value, score: 0 | 1) =>
  retrieval(
    `${format} ${JSON.stringify(given)} for ${JSON.stringify(expected)}`,
    { format },
    [expected],
    [given],
    score,
  )

const byFormat: [format: string, expected: Value, right: Value[], wrong: Value[]][] = [
  ['string', 'Café Noir™', ['cafe noir', '"CAFE NOIR."', 'Café  Noir'], ['cafe', 'noir cafe', '']],
  ['string', 'Buffalo-Niagara', ['buffalo niagara', 'Buffalo–Niagara'], ['buffaloniagara']],
  ['string', '123-4567', ['123-4567'], ['123 4567']],
  ['string', ['one', 'uno'], ['UNO', 'one!'], ['dos']],
  ['string', '^#?\\d+ lamps?$', ['#3 lamps', '12 Lamp'], ['three lamps', '3 lamps!']],
  ['number', 1234.5, ['1,234.5', 1234.5, ' 1234.50'], ['1234', 'lamp', null]],
  ['number', 23, ['twenty-three', '23.0'], ['twenty', true]],
  ['number', 2_000_105, ['two million one hundred and five'], ['two million']],
  ['currency', 1234.5, ['$1,234.50', '1234.55', '1.234,50 €', 1234.5], ['-1234.5', '12%', '1234.7']],
  ['currency', -20, ['-$20', '-20.00'], ['20']],
  ['currency', 0, ['free', 0], [1]],
  ['boolean', true, ['yes', 'On', 1, true], ['no', 'lamp']],
  [
    'date',
    'March 2, 2022',
    ['2022-03-02', '03/02/2022', '2nd of Mar 2022', 'Wed, Mar 2 2022 10:30 pm'],
    ['02/03/2022', '2022', 'May 2, 2022'],
  ],
  ['date', '2022-02-28', ['28/02/2022'], ['2022-02-30', '$2022-02-28']],
  ['month', 'Jan', ['january', '01', 1, 'JAN'], ['13', 'February', 'lamp']],
  [
    'duration',
    '1h 35min',
    ['95 minutes', '1 hour, 35 mins', '1:35 hours', '1:35:00', '1hr37min'],
    ['95', '1:35', '3 hours'],
  ],
  ['distance', '2km', ['2000 m', '2.03 kilometers', '1.25 miles', '2k'], ['2', '1900 m', '2 lamps']],
  [
    'coordinates',
    { latitude: '40.44242', longitude: '-79.93974' },
    ['40.44242, -79.93974', { lat: 40.442425, lng: -79.93974 }],
    ['40.4424', '40.4424, -79.9397', 'lamp'],
  ],
  [
    'location-name',
    'Starbucks on Craig Street',
    ['starbucks craig street', 'Craig Street Starbucks on'],
    ['Craig', 'Tea house'],
  ],
  [
    'url',
    'git@__SSH_HOST__:ann/lamp.git',
    ['ssh://git@git.lab:2222/Ann/Lamp.git', 'git@other:ann/lamp.git'],
    ['git@git.lab:ann/tea.git'],
  ],
  [
    'url',
    'http://shop.lab:7770/lamps?colour=red',
    ['http://shop.lab:7770/lamps/?colour=Red'],
    ['http://shop.lab:7770/lamps', 'http://other.lab/lamps?colour=red'],
  ],
]

const byFormats = byFormat.flatMap(([format, expected, right, wrong]) => [
  ...right.map((given) => formatted(format, expected, given, 1)),
  ...wrong.map((given) => formatted(format, expected, given, 0)),
])

const text = { type: 'string' }
const row = { type: 'object', properties: { name: text, price: { type: 'number', format: 'currency' } } }
const rows = [
  { name: 'Red lamp', price: 20 },
  { name: ['Blue lamp', 'Lamp, blue'], price: 5 },
]

const responses: VerifiedCase[] = [
  retrieval(
    'any order',
    row,
    rows,
    [
      { name: 'lamp, blue', price: '$5' },
      { name: 'red lamp', price: 20.05 },
    ],
    1,
  ),
  retrieval(
    'one row more',
    row,
    rows,
    [...rows.slice(0, 1), { name: 'blue lamp', price: 5 }, { name: 'x', price: 1 }],
    0,
  ),
  retrieval('one key more', row, rows.slice(0, 1), [{ name: 'Red lamp', price: 20, colour: 'red' }], 0),
  retrieval('a kept order', text, ['a', 'b'], ['b', 'a'], 0, { ordered: true }),
  retrieval('one value for a list', text, ['a'], 'a', 1),
  retrieval('nothing', text, ['a'], null, 0),
  ...(
    [
      [
        'in a block',
        'Here:\n```json\n{"task_type": "retrieve", "status": "success", "retrieved_data": ["A"]}\n```',
        1,
      ],
      [
        'under the old name',
        '{"performed_operation": "RETRIEVE", "status": "SUCCESS", "retrieved_data": ["a"]}',
        1,
      ],
      ['of another kind', '{"task_type": "MUTATE", "status": "SUCCESS", "retrieved_data": ["a"]}', 0],
      [
        'of another status',
        '{"task_type": "RETRIEVE", "status": "UNKNOWN_ERROR", "retrieved_data": ["a"]}',
        0,
      ],
      ['without a status', '{"task_type": "RETRIEVE", "retrieved_data": ["a"]}', 0],
      ['of no JSON', 'a', 0],
      ['of a list', '["a"]', 0],
    ] as const
  ).map(
    ([name, response, score]): VerifiedCase => ({
      ...retrieval(`an answer ${name}`, text, ['a'], ['a'], score),
      response,
    }),
  ),
]

function events(
  name: string,
  type: 'mutate' | 'navigate',
  expected: JsonObject,
  requests: Request[],
  score: 0 | 1,
  more: JsonObject = {},
): VerifiedCase {
  const answer = {
    evaluator: 'AgentResponseEvaluator',
    results_schema: { type: 'null' },
    expected: { task_type: type, status: 'SUCCESS', retrieved_data: null },
  }
  const check = { evaluator: 'NetworkEventEvaluator', expected, ...more }
  const response = JSON.stringify({ task_type: type.toUpperCase(), status: 'SUCCESS', retrieved_data: null })
  return {
    name,
    task: task({ eval: [answer, check] }),
    response,
    entries: [start, ...requests.map(entryOf)],
    score,
  }
}

const shop = 'http://shop.lab:7770'
const cart = `${shop}/cart/add`
const form = 'application/x-www-form-urlencoded; charset=UTF-8'
const bought: JsonObject = {
  url: '__SHOPPING__/cart/add',
  http_method: 'POST',
  post_data: { lamp: 'Red lamp', count: 2 },
}
const buying = (text: string, type = form): Request => ({ url: cart, method: 'POST', post: [type, text] })
const parts = ['lamp', 'count']
  .map(
    (name, at) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${['red lamp', '2'][at]}\r\n`,
  )
  .join('')
const opened: JsonObject = { url: '__SHOPPING__/lamps', query_params: { colour: ['Red'] } }
const go = (path: string, more: Partial<Request> = {}): Request => ({ url: `${shop}${path}`, ...more })
const script = { Accept: 'application/json' }
const dates: JsonObject = {
  query_params_schema: {
    type: 'object',
    properties: { from: { type: 'array', items: { type: 'string', format: 'date' } } },
  },
}

const requests: VerifiedCase[] = [
  events('a form', 'mutate', bought, [buying('lamp=Red+Lamp&count=2&key=abc')], 1),
  events(
    'a form of JSON',
    'mutate',
    bought,
    [buying('{"lamp": "red lamp", "count": 2}', 'application/json')],
    1,
  ),
  events(
    'a form of parts',
    'mutate',
    bought,
    [buying(`${parts}--b--`, 'multipart/form-data; boundary=b')],
    1,
  ),
  events('a form with another value', 'mutate', bought, [buying('lamp=red+lamp&count=3')], 0),
  events('a form that failed', 'mutate', bought, [{ ...buying('lamp=red lamp&count=2'), status: 500 }], 0),
  events(
    'the last of two forms',
    'mutate',
    bought,
    [buying('lamp=red+lamp&count=2'), buying('lamp=tea&count=2')],
    0,
  ),
  events(
    'any of two forms',
    'mutate',
    bought,
    [buying('lamp=red+lamp&count=2'), buying('lamp=tea&count=2')],
    1,
    { last_event_only: false },
  ),
  events('no form', 'mutate', bought, [go('/cart')], 0),
  events('no form where none is wanted', 'mutate', bought, [go('/cart')], 1, { should_not_exist: true }),
  events('a form where none is wanted', 'mutate', bought, [buying('lamp=tea')], 0, {
    should_not_exist: true,
  }),
  events(
    'a pattern of addresses',
    'mutate',
    {
      url: '^__SHOPPING_ADMIN__/product/save/id/\\d+/edit$',
      http_method: 'POST',
      response_status: 302,
      post_data: { status: null },
    },
    [
      {
        url: `${shop}/admin/product/save/id/17/edit?isAjax=true`,
        method: 'POST',
        status: 302,
        post: [form, 'a=b'],
      },
    ],
    1,
    { ignored_query_params_patterns: ['^isajax$'] },
  ),
  events(
    'places in JSON',
    'mutate',
    {
      ...{ url: ['__GITLAB__/notes', '__GITLAB__/comments'], http_method: 'POST' },
      post_data: { '$.note.text': 'LGTM', '$.actions[1].path': 'a.md', '$.^file_\\w+$': 'readme' },
      response_content: { '$.items[0].name': 'Ann', stars: 3, open: true },
    },
    [
      {
        ...{
          url: 'http://git.lab:8023/comments',
          method: 'POST',
          answer: { items: [{ name: 'Ann' }], stars: 3, open: true },
        },
        post: [
          'application/json',
          '{"note": {"text": "lgtm"}, "actions": "[{}, {\\"path\\": \\"a.md\\"}]", "file_name": "Readme"}',
        ],
      },
    ],
    1,
  ),
  events(
    'a cookie and a referer',
    'mutate',
    {
      ...{ url: '__SHOPPING__/wish', http_method: 'POST', response_status: 302 },
      headers: { referer: '__SHOPPING__/lamps' },
      response_cookies: { message: '^.*red lamp was added.*$' },
    },
    [
      {
        ...{ url: `${shop}/wish`, method: 'POST', status: 302, headers: { Referer: `${shop}/lamps/` } },
        cookies: { message: '%5B%22Red%20lamp%20was%20added%22%5D' },
      },
    ],
    1,
  ),
  events('a page', 'navigate', opened, [go('/lamps/?colour=red')], 1),
  events('a page by its last request', 'navigate', opened, [go('/lamps?colour=red'), go('/tea')], 0),
  events(
    'a page with data after it',
    'navigate',
    opened,
    [go('/lamps?colour=red'), go('/data', { headers: script })],
    1,
  ),
  events('a page with its files after it', 'navigate', opened, [go('/lamps?colour=red'), go('/lamp.png')], 1),
  events('a page with more parameters', 'navigate', opened, [go('/lamps?colour=red&page=2')], 0),
  events('a page with ignored parameters', 'navigate', opened, [go('/lamps?colour=red&page=2')], 1, {
    ignored_query_params: ['page'],
  }),
  events('a page with empty parameters', 'navigate', opened, [go('/lamps?colour=red&page=')], 1),
  events(
    'a page in base64',
    'navigate',
    opened,
    [go(`/lamps/${Buffer.from('colour=Red').toString('base64url')}/`)],
    1,
    { decode_base64_query: true },
  ),
  events(
    'dates in a query',
    'navigate',
    { url: '__SHOPPING__/report', query_params: { from: ['02/1/2023'] } },
    [go('/report?from=2023-02-01')],
    1,
    dates,
  ),
  events(
    'another date in a query',
    'navigate',
    { url: '__SHOPPING__/report', query_params: { from: ['02/1/2023'] } },
    [go('/report?from=2023-01-02')],
    0,
    dates,
  ),
  events('a page of another site', 'navigate', { url: '__SHOPPING_ADMIN__/lamps' }, [go('/lamps')], 0),
  events(
    'a page below another site',
    'navigate',
    { url: '__SHOPPING_ADMIN__/lamps' },
    [go('/admin/lamps#top')],
    0,
  ),
]

export const verifiedCases: readonly VerifiedCase[] = [...byFormats, ...responses, ...requests]

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serveWebarena } from '../../../containers/browser/serve-webarena.ts'
import { BackendLostError, type SessionBackend } from '../../../containers/env-host/session-backend.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { drawing, filesOfTask, type OwnSite, openOwnSite } from './own-site.ts'

const webarena = serveWebarena('webarena', () => undefined)
const visual = serveWebarena('visualwebarena', () => undefined)
let site: OwnSite
beforeAll(async () => {
  site = await openOwnSite()
})
afterEach(() => Object.assign(site, { asked: [], isDown: false, news: [] }))
afterAll(async () => {
  site.close()
  await Promise.all([webarena.stop?.(), visual.stop?.()])
})

interface Opening extends NonNullable<Parameters<typeof filesOfTask>[2]> {
  options?: JsonObject
  served?: typeof webarena
}
const open = (task: object = {}, { options = {}, served = webarena, ...files }: Opening = {}) =>
  served.open({ task: '1', seed: 0, files: filesOfTask(site, task, files), options })

/** Actions name links by their texts: `click Cart`. */
async function play(session: SessionBackend, actions: readonly string[]) {
  const answers = [await session.reset()]
  for (const action of actions) {
    const [, name] = /^click ([A-Z].*)/.exec(action) ?? []
    const id =
      name &&
      new RegExp(`\\[(\\d+)\\] (?:link '${name}'|\\[A\\] \\[${name}\\])`).exec(
        answers.at(-1)?.observation ?? '',
      )?.[1]
    answers.push(await session.step(id ? `click [${id}]` : action))
  }
  await session.close()
  return answers
}
const last = async (session: SessionBackend, actions: readonly string[]) =>
  (await play(session, actions)).at(-1)

test('a task starts logged in on its copy of the site, and its reward is what its evaluation says', async () => {
  const [start, cart, end] = await play(await open(), ['click Add Blue lamp', 'stop [done]'])
  expect(start).toMatchObject({ reward: 0, done: false, valid: true })
  expect(start?.observation).toMatch(
    /^Objective: Put the blue lamp into the cart\.\nURL: http:\/\/onestopmarket\.com\/\n\nTab 0 \(current\): Lamps\n\n\[1\]/,
  )
  expect(start?.observation).toContain("StaticText 'Hello ann'")
  expect(start?.pictures).toBeUndefined()
  expect(cart?.observation).toContain('URL: http://onestopmarket.com/cart')
  expect(end).toMatchObject({ reward: 1, done: true, valid: true, progress: 1 })
  expect(site.asked.at(-1)).toBe('POST /close')
  expect(await last(await open(), ['click Add Red lamp', 'stop [done]'])).toMatchObject({
    reward: 0,
    done: true,
  })
})

test('sessions at the same time have copies of their own, and a reset begins anew', async () => {
  const [one, other] = await Promise.all([open(), open()])
  await Promise.all([one.reset(), other.reset()])
  const added = await one.step('goto [http://onestopmarket.com/add?lamp=Blue%20lamp]')
  const empty = await other.step('goto [http://onestopmarket.com/cart]')
  expect(added.observation).toContain("StaticText 'Blue lamp'")
  expect(empty.observation).not.toContain('Blue lamp')
  await one.reset()
  const again = await one.step('goto [http://onestopmarket.com/cart]')
  expect(again.observation).not.toContain('Blue lamp')
  await Promise.all([one.close(), other.close()])
})

test('a leased site is reset by its hook, with what the administrator has it sent', async () => {
  const reset = { address: `${site.address}/hook`, form: { token: 'x' }, headers: {}, timeout: 5 }
  const leased = (when: 'always' | 'asked') => ({
    sharing: { kind: 'leased' as const, reset: { ...reset, when } },
  })
  await play(await open({}, leased('always')), [])
  expect(site.asked.filter((path) => path === 'POST /hook')).toHaveLength(1)
  await play(await open({}, leased('asked')), [])
  expect(site.asked.filter((path) => path === 'POST /hook')).toHaveLength(1)
  await play(await open({ require_reset: true }, leased('asked')), [])
  expect(site.asked.filter((path) => path === 'POST /hook')).toHaveLength(2)
})

test.each([
  ['dance', 'Invalid action dance.'],
  ['click [99]', 'There is no element [99].'],
  ['goto [http://elsewhere.invalid/]', 'Only the sites of the task can be reached.'],
  ['goto [file:///etc/passwd]', 'Only the sites of the task can be reached.'],
  ['tab_focus [4]', 'This could not be done'],
])('%s is answered as no valid action', async (action, said) => {
  const [start, after] = await play(await open(), [action])
  expect(after).toMatchObject({ valid: false, done: false, reward: 0 })
  expect(after?.observation).toContain(said)
  expect(after?.observation).toContain(start?.observation.slice(start.observation.indexOf('Objective')))
})

test('tabs of a task are all open, and a link to elsewhere leads nowhere', async () => {
  const session = await open({ start_url: '__SHOPPING__/ |AND| __SHOPPING__/cart' })
  const [start, second, away] = await play(session, [
    'tab_focus [1]',
    'goto [http://onestopmarket.com/]',
    'click Elsewhere',
  ])
  expect(start?.observation).toContain('Tab 0 (current): Lamps | Tab 1: Cart')
  expect(second?.observation).toContain('Tab 0: Lamps | Tab 1 (current): Cart')
  expect(away).toMatchObject({ done: false })
})

test('an episode that repeats itself, or is too long, is stopped and scored as it stands', async () => {
  const early = (limits: object) => open({}, { options: { early_stop: limits } as JsonObject })
  const added = 'click Add Blue lamp'
  const end = await last(await early({ repeated_actions: 2 }), [added, 'press [Tab]', 'press [Tab]'])
  expect(end).toMatchObject({ done: true, reward: 1 })
  expect(end?.observation).toMatch(/^Early stop: Same action for 2 times\./)
  expect(await last(await early({ steps: 1 }), [added])).toMatchObject({ done: true, reward: 1 })
  expect(await last(await early({ parsing_failures: 2 }), ['a', 'b'])).toMatchObject({
    done: true,
    reward: 0,
  })
})

test("Playwright's calls are actions where a run asks for them", async () => {
  const session = await open({}, { options: { action_set: 'playwright' } })
  const actions = ['page.get_by_role("link", name="Add Blue lamp").click()', 'page.stop("done")']
  expect(await last(session, actions)).toMatchObject({ reward: 1, done: true })
})

test('pictures of the task stand before the first screenshot, and not after it', async () => {
  const pictures = { 'coco/1.png': drawing().toString('base64') }
  const session = await open({ image: ['coco/1.png', '__SHOPPING__/lamp.png'] }, { served: visual, pictures })
  const [start, next] = await play(session, ['scroll [down]'])
  expect(start?.pictures).toHaveLength(3)
  expect(start?.pictures?.slice(0, 2).map(({ data }) => data)).toEqual([
    pictures['coco/1.png'],
    pictures['coco/1.png'],
  ])
  expect(next?.pictures).toHaveLength(1)
  expect(start?.observation).toContain('[A] [Add Blue lamp]')
})

test('what a model has to decide is left to the worker, with what it is to be asked', async () => {
  const answers = { eval_types: ['string_match'], reference_answers: { fuzzy_match: ['blue'] } }
  const end = await last(await open({ eval: answers }), ['stop [Sky blue]'])
  expect(end?.reward).toBe(1)
  expect(end?.questions?.verdicts[0]?.[0]).toMatchObject({ role: 'judge', accept: ['correct'] })
  const queries = [
    {
      eval_image_url: 'last',
      eval_image_class: '.shown',
      eval_vqa: [{ question: 'Lit?', answer: 'yes' }],
      eval_fuzzy_image_match: '__SHOPPING__/lamp.png',
    },
  ]
  const pictures = { eval_types: ['page_image_query'], page_image_query: queries }
  const seen = await last(await open({ eval: pictures }), ['stop [x]'])
  expect(seen?.questions?.verdicts[0]?.[0]).toMatchObject({ role: 'captioner', text: 'Q: Lit? A:' })
  expect(seen?.questions?.verdicts[0]?.[0]?.pictures?.[0]?.data).toBe(drawing().toString('base64'))
})

test('captions take the place of the texts of pictures', async () => {
  const [start] = await play(await open({}, { options: { captions: true } }), [])
  const [question] = start?.questions?.captions ?? []
  expect(question).toMatchObject({ role: 'captioner', template: 'description: {caption}' })
  expect(start?.observation).toContain(`image '${question?.placeholder}, url: ${site.address}/lamp.png'`)
})

test('after a replay on a page whose ids are others, an action finds its element by role and name', async () => {
  const session = await open()
  const recorded = await session.reset()
  const [, id] = /\[(\d+)\] link 'Add Blue lamp'/.exec(recorded.observation) ?? []
  site.news = ['Sale', 'Open on Sunday']
  const replayed = await session.reset()
  expect(replayed.observation).not.toContain(`[${id}] link 'Add Blue lamp'`)
  const added = await session.step(`click [${id}]`, recorded)
  expect(added.observation).toContain("StaticText 'Blue lamp'")
  await session.close()
})

test('a site that is down is an error, at the start and when the task is scored, and never a reward', async () => {
  const session = await open()
  await session.reset()
  site.isDown = true
  await expect(session.step('stop [done]')).rejects.toBeInstanceOf(BackendLostError)
  await expect(session.reset()).rejects.toMatchObject({ code: 'endpoint_failed', message: /"shopping".*503/ })
  await session.close()
})

test('a task that cannot be scored, or begun, says why', async () => {
  const locator = { url: 'last', locator: 'func:open("x")', required_contents: { exact_match: '' } }
  const wrong = { eval_types: ['program_html'], program_html: [locator] }
  const session = await open({ eval: wrong })
  await session.reset()
  await expect(session.step('stop [x]')).rejects.toMatchObject({ code: 'environment_failed' })
  await session.close()
  await expect(open({ sites: ['shopping', 'gitlab'] })).rejects.toMatchObject({ param: 'sites.gitlab' })
  await expect(webarena.open({ task: '2', seed: 0, files: {} })).rejects.toMatchObject({ param: 'files' })
})

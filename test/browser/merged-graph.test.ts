import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeTrees, partingEdges } from '../../web/tree/merge-trees.ts'
import { connectChromium, openPage } from './open-page.ts'
import { type SharedExamples, sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

// The first task on which the answers of several methods part, with the trees of its episodes.
async function mergedTask(served: SharedExamples) {
  const { data } = await served.client.episodes(served.examples.react, { limit: 6 })
  for (const { task } of data) {
    const merged = await mergeTask(served, task)
    const graph = mergeTrees(merged.sources, 'answers')
    if (graph.states.some((_, state) => partingEdges(graph, state).length > 0)) return merged
  }
  throw new Error('On no task do the episodes part.')
}

async function mergeTask({ client, examples }: SharedExamples, task: string) {
  const { debate, mcts, react, reflecting } = examples
  const runs = [react, mcts, debate, reflecting]
  const lists = await Promise.all(runs.map((run) => client.episodes(run, { task, limit: 1000 })))
  const episodes = lists.flatMap(({ data }) => data.filter((each) => each.task === task))
  const sources = await Promise.all(
    episodes.map(async ({ id, result, run }) => ({
      run,
      episode: id,
      solved: result?.success ?? null,
      tree: await client.tree(run, id),
    })),
  )
  return { runs, task, sources, address: `/graph?${new URLSearchParams({ runs: runs.join(','), task })}` }
}

test('episodes of a task are one graph, which keys alone walk, and whose panel has the counts of each edge', async () => {
  const served = sharedExamples()
  const { address, sources } = await mergedTask(served)
  const graph = mergeTrees(sources, 'answers')
  const { page } = await openPage(browser, served.address)
  await page.goto(address)
  const map = page.getByRole('application', {
    name: `Map of the merged graph with ${graph.states.length} states`,
  })
  await map.waitFor()
  await page.locator(`[data-painted="${graph.states.length}"]`).waitFor()
  const forks = graph.states.flatMap((_, state) => (partingEdges(graph, state).length > 0 ? [state] : []))
  expect(forks.length).toBeGreaterThan(0)
  await page.getByText(new RegExp(`Episodes part at ${forks.length}\\sstate`)).waitFor()

  await map.focus()
  await page.keyboard.press('Home')
  const beginning = page.getByRole('complementary', { name: 'The beginning' })
  await beginning.waitFor()
  const edges = (graph.states[0]?.out ?? []).flatMap((at) => graph.edges[at] ?? [])
  const rows = beginning.getByRole('region', { name: 'Edges from this state' }).getByRole('row')
  await expect
    .poll(() => rows.locator('td:nth-child(3)').allInnerTexts())
    .toEqual(edges.slice(0, 8).map(({ sources: taken }) => String(taken.length)))

  await page.keyboard.press('ArrowRight')
  const next = page.getByRole('complementary', { name: /^State \d+$/ })
  await next.waitFor()
  await page.locator('[aria-live=polite]', { hasText: /^State \d+: .*episode/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => next.evaluate('document.activeElement.tagName')).toBe('ASIDE')
  await next
    .getByRole('link', { name: /^ep-\d+, node \d+/ })
    .first()
    .press('Enter')
  await page.waitForURL(/\/runs\/[^/]+\/episodes\/ep-\d+\?node=\d+/)
})

test('the outline has the same as text, and whole trees have more states than the paths to the answers', async () => {
  const served = sharedExamples()
  const { address, sources } = await mergedTask(served)
  const { page } = await openPage(browser, served.address)
  await page.goto(`${address}&view=outline`)
  const all = mergeTrees(sources, 'all')
  expect(all.states.length).toBeGreaterThan(mergeTrees(sources, 'answers').states.length)
  const tree = page.getByRole('tree', { name: 'Nodes of the tree' })
  await tree.waitFor()
  await page.getByLabel('Paths').selectOption('all')
  await page.waitForURL(/paths=all/)
  await page.getByText(new RegExp(`^${all.states.length}\\snodes?$`)).waitFor()
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  const chosen = tree.getByRole('treeitem', { selected: true })
  await chosen.waitFor()
  await expect.poll(() => chosen.innerText()).toMatch(/episodes\s*\d+/)
  await page.waitForURL(/node=\d+/)
  await page.reload()
  await page.getByRole('tree').getByRole('treeitem', { selected: true }).waitFor()
})

test('a task whose trees cannot be read says so, and reads them again', async () => {
  const served = sharedExamples()
  const { address } = await mergedTask(served)
  const { page } = await openPage(browser, served.address, { expected: [/status of 500/] })
  await page.route('**/tree', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(address)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/tree')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('application', { name: /^Map of the merged graph/ }).waitFor()
})

test('episodes, tasks with several epochs and comparisons lead to the graph', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  const run = examples.rollout.replace('rollout-', 'run-')
  await page.goto(`/runs/${run}/episodes/ep-0000000`)
  await page.getByRole('link', { name: 'Merge with its other epochs' }).press('Enter')
  await page.waitForURL(/\/graph\?runs=/)
  await page.getByRole('application', { name: /^Map of the merged graph/ }).waitFor()
  await page.getByText(/^3\sepisodes of this task as one graph/).waitFor()

  await page.goto(`/runs/${run}`)
  await settle(page)
  await page
    .getByRole('link', { name: /, merged$/ })
    .first()
    .click()
  await page.waitForURL(/\/graph\?runs=/)
})

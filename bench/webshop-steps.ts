import type { PureCore } from '../shared/environments/environment.ts'
import { webshopDefinition } from '../shared/environments/webshop/definition.ts'
import { memory, report } from './figure.ts'

const branches = 10

const environment = await webshopDefinition.open(null)
if (!('open' in environment)) throw new Error('webshop is played in process.')
const tasks = environment.tasks()
const core = await environment.open(tasks[0]?.id ?? '')

const [first, later] = [play(1), play(branches)]
report({
  what: `WebShop steps in process (searches, pages, options, an invalid action, purchases; ${branches} episodes with one search)`,
  value: `${later.toFixed(0)} steps/s; ${first.toFixed(0)} steps/s when every search and product is new`,
  ratio: `${(later / copies()).toFixed(2)} × copying the state once through JSON; ${memory().toFixed(0)} MB resident`,
  aim: '≥ 20,000 steps/s',
})

function play(times: number): number {
  const start = performance.now()
  let steps = 0
  for (const { id, description } of tasks) {
    for (let branch = 0; branch < times; branch += 1)
      steps += episode(core, id, `${description} ${times}`, branch)
  }
  return steps / ((performance.now() - start) / 1000)
}

function episode(shop: PureCore, task: string, keywords: string, branch: number): number {
  let { state } = shop.reset(task, 0)
  let steps = 0
  const act = (action: string) => {
    state = shop.step(state, action).state
    steps += 1
  }
  const click = (position: number) => {
    const clicks = shop.validActions?.(state) ?? []
    act(clicks[position % clicks.length] ?? '')
  }
  for (const action of [`search[${keywords}]`, 'click[Next >]', 'click[no such button]', 'click[< Prev]'])
    act(action)
  click(branch)
  for (const action of ['click[Features]', 'click[< Prev]']) act(action)
  click(branch + 3)
  act('click[Buy Now]')
  return steps
}

function copies(): number {
  let { state } = core.reset(tasks[0]?.id ?? '', 0)
  const start = performance.now()
  for (let round = 0; round < 50_000; round += 1) state = JSON.parse(JSON.stringify(state))
  return 50_000 / ((performance.now() - start) / 1000)
}

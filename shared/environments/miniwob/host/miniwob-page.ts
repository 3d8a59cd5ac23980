import type { Browser, Page } from 'playwright-core'
import { closeContext } from '../../../../containers/browser/trace-context.ts'
import { openVirtualPage, passTime } from '../../../../containers/browser/virtual-page.ts'
import { decodePageFile, type PageBundle, typeOfFile } from '../page-bundle.ts'

/** A name that no machine has: the host answers it. */
const origin = 'http://miniwob.invalid'
/** Milliseconds of the page's own clock per episode: days. The number of steps ends an episode, not the clock. */
const episodeTime = 1_000_000_000
const mostWaits = 100

/**
 * Page elements that no model should see: rewards, the countdown, earlier clicks, the cover between episodes. Also
 * the buttons of Chromium's date and time pickers, which open at the current time: their fields accept keys.
 */
const hidden = `#reward-display, #click-canvas, #sync-task-cover { display: none !important }
input::-webkit-calendar-picker-indicator { display: none !important }`

/** Runs before the page's scripts, so that its drawing during loading is deterministic. Its own seeding follows. */
const seedEarly = (seed: number) => `{
  let state = ${seed} + 0x9e3779b9 | 0
  Math.random = () => {
    state = state + 0x6d2b79f5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296
  }
}`

const start = (seed: number) => `
  Math.seedrandom(${seed})
  core.EPISODE_MAX_TIME = ${episodeTime}
  core.startEpisodeReal()`

const readObjective = `(() => {
  const said = core.getUtterance()
  return typeof said === 'string' ? said : String(said.utterance)
})()`

export interface PageOutcome {
  done: boolean
  /** -1 to 1, without the share of time. */
  reward: number
}

/** Opens a page of MiniWoB++ at the start of its episode, in a new context. The caller closes the context. */
export async function openMiniwobPage(
  browser: Browser,
  files: PageBundle,
  { page: name, seed }: { page: string; seed: number },
): Promise<{ page: Page; objective: string }> {
  const page = await openVirtualPage(browser, {
    name: `miniwob-${name}-${seed}`,
    script: seedEarly(seed),
    answer: (address) => {
      const path = address.pathname.slice(1)
      const packed = address.origin === origin ? files[path] : undefined
      return packed === undefined ? undefined : { type: typeOfFile(path), body: decodePageFile(path, packed) }
    },
  })
  try {
    await page.goto(`${origin}/miniwob/${name}.html`, { waitUntil: 'load' })
    await page.addStyleTag({ content: hidden })
    await page.evaluate(start(seed))
    for (let wait = 0; !(await page.evaluate('WOB_TASK_READY')); wait++) {
      if (wait === mostWaits) throw new Error(`The page ${name} does not become ready.`)
      await passTime(page)
    }
    await passTime(page)
    return { page, objective: (await page.evaluate(readObjective)) as string }
  } catch (error) {
    await closeContext(page.context())
    throw error
  }
}

export async function readOutcome(page: Page): Promise<PageOutcome> {
  return (await page.evaluate(
    '({ done: WOB_DONE_GLOBAL, reward: Number(WOB_RAW_REWARD_GLOBAL) })',
  )) as PageOutcome
}

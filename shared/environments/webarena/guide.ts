import { browserTools, pageTools, playwrightTool, stopTool } from '../browser/actions/page-tools.ts'
import type { EnvironmentGuide } from '../environment.ts'
import type { WebarenaOptions } from './options.ts'

export const webarenaOpening = 'You use web sites in a browser, and do what the objective says.'

const byId = `An element is named by the number in brackets before it in the newest observation; numbers change when the page does.
- click [id]: clicks on the middle of the element
- type [id] [text] [1]: clicks on the element and types the text, then Enter; with [0] at the end without Enter
- clear [id]: empties a text field
- hover [id]: moves the mouse there
- press [keys]: presses keys, such as Enter, ArrowDown or Control+a
- scroll [down] or scroll [up]
- new_tab, close_tab, tab_focus [number]: opens, closes and changes tabs; the first has the number 0
- goto [address], go_back, go_forward
- stop [answer]: ends the task, with the answer where it asks for one; N/A where it cannot be done`

const byPlaywright = `Elements are named as in Playwright for Python.
- page.get_by_role("link", name="Orders").click(), and .hover(), .clear(), .fill("text"), .check(), .select_option("name")
- page.get_by_text("…"), get_by_label, get_by_placeholder, get_by_alt_text, get_by_title, locator("css") name elements too
- page.press("Enter"), page.scroll("down"), page.goto("address"), page.go_back(), page.go_forward()
- page.new_tab(), page.page_focus(0), page.page_close()
- page.stop("answer"): ends the task, with the answer where it asks for one; N/A where it cannot be done`

const idTools = [
  ...pageTools,
  ...browserTools,
  stopTool('Ends the task, with the answer where it asks for one; N/A where it cannot be done.'),
]

/** Ends the task without an answer: the sites score the page as it is. */
export function closingAction({ action_set }: Pick<WebarenaOptions, 'action_set'>): string {
  return action_set === 'id' ? 'stop []' : 'page.stop("")'
}

export function webarenaGuide({ action_set }: WebarenaOptions): EnvironmentGuide {
  const actions = action_set === 'id' ? byId : byPlaywright
  return {
    rules: `${webarenaOpening}
Each of your actions is one line. ${actions}
Only the sites of the task can be reached. You are logged in where the task needs it.`,
    tools: action_set === 'id' ? idTools : [playwrightTool],
    example: null,
  }
}

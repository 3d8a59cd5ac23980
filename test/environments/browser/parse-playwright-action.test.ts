import { expect, test } from 'vitest'
import { ActionParsingError } from '../../../shared/environments/browser/actions/browser-action.ts'
import { parsePlaywrightAction } from '../../../shared/environments/browser/actions/parse-playwright-action.ts'

test('a chain of locators names the element of the action', () => {
  const code = `page.get_by_role("row", name="It's 2.5").locator('a').click()`
  expect(parsePlaywrightAction(code)).toEqual({
    kind: 'click',
    target: [
      { name: 'get_by_role', positional: ['row'], keywords: { name: "It's 2.5" } },
      { name: 'locator', positional: ['a'], keywords: {} },
    ],
    code,
  })
})

test.each([
  ['page.get_by_label("Search").fill("red \\"chair\\"")', { kind: 'type', text: 'red "chair"' }],
  ['page.get_by_label("Size").select_option("L")', { kind: 'select_option' }],
  ['page.press("Control+a")', { kind: 'press', keys: 'Control+a' }],
  ['page.goto("http://a.b/c.html?d=(e)")', { kind: 'goto', url: 'http://a.b/c.html?d=(e)' }],
  ['page.scroll("up")', { kind: 'scroll', direction: 'up' }],
  ['page.page_focus(2)', { kind: 'focus_tab', tab: 2 }],
  ['page.new_tab()', { kind: 'new_tab' }],
  ['page.page_close()', { kind: 'close_tab' }],
  ['page.stop("The answer")', { kind: 'stop', answer: 'The answer' }],
  ['page.stop()', { kind: 'stop', answer: '' }],
])('%s is read', (code, expected) => {
  expect(parsePlaywrightAction(code)).toMatchObject(expected)
})

test.each([
  ['', 'Playwright action must start with "page.", but got '],
  ['click [12]', 'Fail to parse [12] in click [12]'],
  ['page.click()', 'page.click() names no element'],
  ['page.press(1)', 'Invalid press action, required to be page.press(KEY_COMB_STR)'],
  ['page.page_focus("a")', 'page focus requires a page number'],
  ['page.evaluate("alert(1)").click()', 'Unknown playwright locator evaluate'],
  ['page.get_by_role("link").destroy()', 'Unknown playwright action destroy'],
  ['page.get_by_role(open("/etc/passwd")).click()', 'Fail to parse open in'],
  ['page.get_by_role("link".click()', 'Fail to parse'],
])('%j is no action', (code, message) => {
  expect(() => parsePlaywrightAction(code)).toThrow(ActionParsingError)
  expect(() => parsePlaywrightAction(code)).toThrow(message)
})

import { expect, test } from 'vitest'
import type { BrowserAction } from '../../../shared/environments/browser/actions/browser-action.ts'
import { earlyStopReason } from '../../../shared/environments/browser/actions/early-stop.ts'

const limits = { steps: 10, parsingFailures: 3, repeatedActions: 4 }
const none: BrowserAction = { kind: 'none' }
const click: BrowserAction = { kind: 'click', element: '3' }
const type = (text: string): BrowserAction => ({ kind: 'type', element: '3', text })

test('an episode goes on while it has steps left and does something else', () => {
  expect(earlyStopReason([], limits)).toBeUndefined()
  expect(earlyStopReason([click, none, none, click, click, click], limits)).toBeUndefined()
})

test('it stops at its steps, whatever they were', () => {
  const nine = Array.from({ length: 9 }, (_none, index): BrowserAction => ({ kind: 'focus_tab', tab: index }))
  expect(earlyStopReason(nine, limits)).toBeUndefined()
  expect(earlyStopReason([...nine, click], limits)).toBe('Reach max steps 10')
})

test('it stops when answers in a row did not parse', () => {
  expect(earlyStopReason([click, none, none, none], limits)).toBe('Failed to parse actions for 3 times')
})

test('it stops when the same action is taken again and again', () => {
  expect(earlyStopReason([click, click, click, click], limits)).toBe('Same action for 4 times')
  const other: BrowserAction = { kind: 'click', element: '4' }
  expect(earlyStopReason([click, click, other, click], limits)).toBeUndefined()
})

test('typing into the same element counts over the whole episode, whatever was typed', () => {
  const spread = [type('a'), click, type('b'), click, type('c'), click]
  expect(earlyStopReason(spread, limits)).toBeUndefined()
  expect(earlyStopReason([...spread, type('d')], limits)).toBe('Same typing action for 4 times')
})

import { expect, test } from 'vitest'
import {
  ActionParsingError,
  type BrowserAction,
} from '../../../shared/environments/browser/actions/browser-action.ts'
import { parseIdAction } from '../../../shared/environments/browser/actions/parse-id-action.ts'
import { describeWithConformance, readConformance } from '../conformance-folder.ts'

/** The fields that the reference's action types use. */
interface RecordedAction {
  action_type: string
  page_number: number
  element_id?: string
  text?: string
  url?: string
  key_comb?: string
  direction?: string
  answer?: string
}

interface Recorded {
  text: string
  action?: RecordedAction
  error?: string
}

const types: Record<BrowserAction['kind'], string> = {
  none: 'NONE',
  scroll: 'SCROLL',
  press: 'KEY_PRESS',
  click: 'CLICK',
  hover: 'HOVER',
  clear: 'CLEAR',
  type: 'TYPE',
  check: 'CHECK',
  select_option: 'SELECT_OPTION',
  focus_tab: 'PAGE_FOCUS',
  new_tab: 'NEW_TAB',
  close_tab: 'PAGE_CLOSE',
  go_back: 'GO_BACK',
  go_forward: 'GO_FORWARD',
  goto: 'GOTO_URL',
  stop: 'STOP',
}

describeWithConformance(
  'browser/actions.json',
  () => readConformance<Recorded[]>('browser/actions.json'),
  (cases) => {
    test('holds actions', () => {
      expect(cases.length).toBeGreaterThan(0)
    })

    test.each(cases.map((recorded) => [recorded.text, recorded] as const))('%j', (text, recorded) => {
      const { action, error } = recorded
      if (error !== undefined) {
        const message = error.replace(/^ActionParsingError: /, '')
        expect(() => parseIdAction(text)).toThrow(new ActionParsingError(message))
        return
      }
      expect(asRecorded(parseIdAction(text))).toEqual(action)
    })
  },
)

function asRecorded(action: BrowserAction): RecordedAction {
  return {
    action_type: types[action.kind],
    page_number: 'tab' in action ? action.tab : 0,
    ...('element' in action ? { element_id: action.element } : {}),
    ...('text' in action && action.text !== '' ? { text: action.text } : {}),
    ...('url' in action ? { url: action.url } : {}),
    ...('keys' in action ? { key_comb: action.keys } : {}),
    ...('direction' in action ? { direction: action.direction } : {}),
    ...('answer' in action && action.answer !== '' ? { answer: action.answer } : {}),
  }
}

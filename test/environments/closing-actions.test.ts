import { expect, test } from 'vitest'
import { parseIdAction } from '../../shared/environments/browser/actions/parse-id-action.ts'
import { parsePlaywrightAction } from '../../shared/environments/browser/actions/parse-playwright-action.ts'
import { readComputer13 } from '../../shared/environments/osworld/actions/read-computer-13.ts'
import { readPyautogui } from '../../shared/environments/osworld/actions/read-desktop-actions.ts'
import { describeOsworld } from '../../shared/environments/osworld/definition.ts'
import { osworldOptions } from '../../shared/environments/osworld/options.ts'
import { closingAction } from '../../shared/environments/webarena/guide.ts'

test('the closing action of sites ends the task without an answer, in both forms of actions', () => {
  const end = { kind: 'stop', answer: '' }
  expect(parseIdAction(closingAction({ action_set: 'id' }))).toEqual(end)
  expect(parsePlaywrightAction(closingAction({ action_set: 'playwright' }))).toEqual(end)
})

test('the closing action of desktops ends the task, in both forms of actions', () => {
  const { closing_action = '' } = describeOsworld([], osworldOptions.parse({}))
  expect(readComputer13(closing_action).actions).toMatchObject([{ kind: 'done' }])
  expect(readPyautogui(closing_action, []).actions).toMatchObject([{ kind: 'done' }])
})

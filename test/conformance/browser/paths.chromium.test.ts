import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { observePage } from '../../../containers/browser/observe-page.ts'
import { performAction } from '../../../containers/browser/perform-action.ts'
import { parseIdAction } from '../../../shared/environments/browser/actions/parse-id-action.ts'
import { describeWithConformance, readConformance } from '../conformance-folder.ts'
import { alignWithRecorded } from './align-text.ts'
import { openRecordedPages } from './open-recorded-pages.ts'

interface RecordedStep {
  action: string | null
  url?: string
  text?: string
  ok?: boolean
  fail?: string
  stop?: string
}

interface RecordedPath {
  name: string
  page: string
  steps: RecordedStep[]
}

const settings = {
  kind: 'accessibility_tree',
  viewport: { width: 1280, height: 720 },
  viewportOnly: true,
} as const

describeWithConformance(
  'browser/paths.json',
  () => readConformance<RecordedPath[]>('browser/paths.json'),
  (paths) => {
    const pages = openRecordedPages()

    test('holds paths', () => {
      expect(paths.length).toBeGreaterThan(0)
    })

    test.each(paths.map((path) => [path.name, path] as const))(
      '%s gives the recorded observations',
      async (_name, path) => {
        let page: Page = await pages.open(path.page)
        let seen = await observePage(page, settings)
        for (const step of path.steps) {
          if (step.action !== null) {
            const action = parseIdAction(pages.toServed(step.action))
            if (action.kind === 'stop') {
              expect(action.answer).toBe(step.stop)
              break
            }
            const performed = await performAction(page, action, seen.elements)
            page = performed.page
            expect(performed.failure === undefined, `${step.action}: ${performed.failure}`).toBe(step.ok)
            // Other faults are worded by Playwright, there in Python.
            if (step.fail?.startsWith("'")) expect(performed.failure).toBe(step.fail)
            seen = await observePage(page, settings)
          }
          if (step.url !== undefined)
            expect(pages.toRecorded(page.url())).toBe(pages.toRecorded(pages.toServed(step.url)))
          alignWithRecorded(pages.toRecorded(seen.text), step.text ?? '')
        }
        await page.context().close()
      },
    )
  },
)

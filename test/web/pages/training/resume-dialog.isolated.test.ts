import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import type { Training } from '../../../../shared/core/contracts/training.ts'
import { ResumeDialog } from '../../../../web/pages/training/resume-dialog.tsx'

// Modules that ask the service read the tab's key as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', { origin: 'http://espalier.test' })
})

function render(caps: JsonObject) {
  const training = {
    request: { limits: { cost: 5 } },
    usage: { cost: 5, seconds: 60, starts: 1 },
  } as Training
  const html = renderToStaticMarkup(
    createElement(ResumeDialog, {
      training,
      caps,
      onCaps: () => undefined,
      change: { isPending: false, error: null },
      isOpen: true,
      onClose: () => undefined,
      onSubmit: () => undefined,
    }),
  )
  return { html, isDisabled: /<button[^>]* disabled=""[^>]*type="submit"/.test(html) }
}

test('a limit of a training can be raised or added, and is not taken away by emptying it', () => {
  const fault = 'A limit can be raised, not removed.'
  for (const caps of [{ cost: 5 }, { cost: 10, time: 600 }]) {
    expect(render(caps).isDisabled).toBe(false)
    expect(render(caps).html).not.toContain(fault)
  }
  for (const caps of [{}, { time: 600 }]) {
    expect(render(caps).isDisabled).toBe(true)
    expect(render(caps).html).toContain(fault)
  }
  expect(render({ cost: 'many' })).toMatchObject({ isDisabled: true })
})

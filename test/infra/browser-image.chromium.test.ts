import { expect, test } from 'vitest'
import { findChromium } from '../../shared/environments/browser/find-chromium.ts'
import { browserImage } from '../../shared/environments/browser/image.ts'
import { startImage } from './run-image.ts'

test('the image of browsers plays a task on its sites from its bundle alone', async () => {
  const ask = await startImage(browserImage, { ESPALIER_CHROMIUM: await findChromium(process.env) })
  const session = await ask('/sessions', { environment: 'sites', task: 'shopping/0', seed: 0, token: 1 })
  expect(session).toMatchObject({
    id: expect.any(String),
    observation: expect.stringContaining('RootWebArea'),
  })
})

import { runInNewContext } from 'node:vm'
import { readPicture } from '../../../containers/sites/server/pictures.ts'
import type { EvaluatedPage } from '../../../shared/environments/browser/evaluation/evaluated-page.ts'
import { readPng } from '../../../shared/environments/browser/evaluation/pixel-picture.ts'
import { addresses, type SiteVisitor } from './site-visitor.ts'

/** A visitor's page as evaluations see it. Locators run over the page as it was sent: the sites have no scripts. */
export function evaluatedPage(visitor: SiteVisitor): EvaluatedPage {
  return {
    url: () => visitor.url,
    open: async (address) => {
      await visitor.open(address)
    },
    content: async () => visitor.text,
    run: async (expression) => {
      const { document, url } = visitor
      for (const image of document.querySelectorAll('img'))
        Reflect.set(image, 'src', new URL(image.getAttribute('src') ?? '', url).href)
      try {
        return { value: runInNewContext(expression, { document }) as unknown }
      } catch (error) {
        return { error: String(error) }
      }
    },
    capture: () => Promise.reject(new Error('No task looks at a whole page.')),
    picture: async (address) => {
      const bytes = readPicture(address.split('/').at(-1) ?? '')
      if (bytes === undefined) throw new Error(`${address} is no picture`)
      return { sent: { media_type: 'image/png', data: '' } as never, pixels: readPng(bytes) }
    },
    site: (name) => addresses[name as keyof typeof addresses],
    shop: {
      ask: () => Promise.reject(new Error('No task asks the shop.')),
      customer: () => '',
    },
  }
}

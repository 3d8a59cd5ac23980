import type { CDPSession, Page } from 'playwright-core'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'
import type {
  EvaluatedPage,
  EvaluatedPicture,
  ScriptAnswer,
} from '../../shared/environments/browser/evaluation/evaluated-page.ts'
import { readPng } from '../../shared/environments/browser/evaluation/pixel-picture.ts'
import { capturePage } from './capture-page.ts'
import { decodePicture } from './decode-picture.ts'
import { actAndSettle } from './settle-page.ts'

const longestScript = 30_000

export type SiteAccess = Pick<EvaluatedPage, 'site' | 'shop'> & {
  /** @throws Error for an address on none of the sites, or a site that does not answer */
  fetchPicture(address: string): Promise<Uint8Array>
}

export function evaluatedBrowserPage(page: Page, access: SiteAccess): EvaluatedPage {
  return {
    url: () => page.url(),
    content: () => page.content(),
    site: access.site,
    shop: access.shop,
    async open(address) {
      const response = await actAndSettle(page, () => page.goto(address))
      const status = response?.status() ?? 200
      if (status >= 500) throw new Error(`${address} answered its evaluation with ${status}.`)
    },
    run: (expression) => withSession(page, (session) => runScript(session, expression)),
    async capture() {
      const sent = await capturePage(page)
      return { sent, pixels: readPng(Buffer.from(sent.data, 'base64')) }
    },
    picture: async (address) => readPicture(page, await access.fetchPicture(address)),
  }
}

/** A script that throws, or cannot be parsed, is an answer. A lost browser is an error. */
async function runScript(session: CDPSession, expression: string): Promise<ScriptAnswer> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    returnByValue: true,
    awaitPromise: true,
    timeout: longestScript,
  })
  if (exceptionDetails === undefined) return { value: result.value ?? null }
  return { error: exceptionDetails.exception?.description ?? exceptionDetails.text }
}

async function withSession<Answer>(
  page: Page,
  work: (session: CDPSession) => Promise<Answer>,
): Promise<Answer> {
  const session = await page.context().newCDPSession(page)
  try {
    return await work(session)
  } finally {
    await session.detach().catch(() => undefined)
  }
}

async function readPicture(page: Page, bytes: Uint8Array): Promise<EvaluatedPicture> {
  const { type, png } = await decodePicture(page.context(), bytes)
  const isKept = type === 'image/png' || type === 'image/jpeg' || type === 'image/webp'
  const sent: SentPicture = isKept
    ? { media_type: type, data: Buffer.from(bytes).toString('base64') }
    : { media_type: 'image/png', data: Buffer.from(png).toString('base64') }
  return { sent, pixels: readPng(png) }
}

import type { CaptionQuestion } from '../../shared/core/contracts/model-question.ts'
import { mostPictures, type SentPicture } from '../../shared/core/contracts/picture.ts'
import { describeTabs, type SeenPage } from '../../shared/environments/browser/observations/seen-page.ts'
import { toShownAddress } from '../../shared/environments/webarena/site-names.ts'
import { askForCaption, captionPage } from './caption-pictures.ts'
import { capturePage } from './capture-page.ts'
import { decodePicture } from './decode-picture.ts'
import { observePage } from './observe-page.ts'
import type { OpenSites } from './open-sites.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

/** A session's observation: the page's text with its elements, pictures, and pictures to describe in the text. */
export interface Shown extends SeenPage {
  pictures: SentPicture[]
  captions: CaptionQuestion[]
}

/**
 * Shows the objective and the current page. The task's own pictures precede the first screenshot.
 * @param at the start of the task, after a step, or at a restored state, whose screenshot was shown before
 */
export async function observeSites(
  { page, access }: OpenSites,
  { options, task, addresses }: WebarenaProblem,
  at: 'start' | 'step' | 'return',
): Promise<Shown> {
  const { observation: kind, viewport: usual, viewport_only: viewportOnly, screenshots } = options
  const viewport = task.viewport_size ?? usual
  const read = async (address: string) => toSent(page, await access.fetchPicture(address))
  const inputs = at === 'start' ? await Promise.all(task.image.map(read)) : []
  // A picture that the page itself cannot show has no caption.
  const captions = options.captions
    ? await captionPage(page, (address) => read(address).catch(() => null))
    : []
  const seen =
    kind === 'image'
      ? { text: await tabsOf(page), elements: new Map() }
      : await observePage(page, { kind, viewport, viewportOnly, asPublished: true })
  const isMarked = kind === 'image_som'
  const isPictured = at !== 'return' && (isMarked || kind === 'image' || screenshots)
  const screenshot = isPictured ? [await capturePage(page, isMarked ? seen.elements : undefined)] : []
  const described = options.captions
    ? inputs.map((picture, index) => askForCaption(picture, `Input image ${index + 1}: "{caption}"\n`))
    : []
  const lines = [
    `${described.map(({ placeholder }) => placeholder).join('')}Objective: ${task.intent}`,
    `URL: ${toShownAddress(page.url(), addresses)}`,
    '',
    seen.text,
  ]
  return {
    text: lines.join('\n'),
    elements: seen.elements,
    pictures: [...inputs, ...screenshot].slice(-mostPictures),
    captions: [...described, ...captions],
  }
}

async function tabsOf(page: OpenSites['page']): Promise<string> {
  const pages = page.context().pages()
  return describeTabs(await Promise.all(pages.map((each) => each.title())), pages.indexOf(page))
}

/** Sends the original format if models accept it, and PNG otherwise. */
async function toSent(page: OpenSites['page'], bytes: Uint8Array): Promise<SentPicture> {
  const { type, png } = await decodePicture(page.context(), bytes)
  const isTaken = type === 'image/png' || type === 'image/jpeg' || type === 'image/webp'
  const data = Buffer.from(isTaken ? bytes : png).toString('base64')
  return { media_type: isTaken ? type : 'image/png', data }
}

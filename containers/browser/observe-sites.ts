import { hash } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { CaptionQuestion } from '../../shared/core/contracts/model-question.ts'
import { mostPictures, type SentPicture } from '../../shared/core/contracts/picture.ts'
import { describeTabs, type SeenPage } from '../../shared/environments/browser/observations/seen-page.ts'
import { toShownAddress } from '../../shared/environments/webarena/site-names.ts'
import { capturePage } from './capture-page.ts'
import { decodePicture } from './decode-picture.ts'
import { observePage } from './observe-page.ts'
import type { OpenSites } from './open-sites.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

const mostCaptions = 24

const listPictures = `[...document.images].filter((image) => image.src && !image.src.includes('data:image/svg')).map((image) => image.src)`

const describePictures = (captions: Record<string, string>) => `for (const image of document.images) {
  const caption = ${JSON.stringify(captions)}[image.src]
  if (caption !== undefined) image.alt = caption + ', url: ' + image.src
}`

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

async function toSent(page: OpenSites['page'], bytes: Uint8Array): Promise<SentPicture> {
  const { type, png } = await decodePicture(page.context(), bytes)
  const isTaken = type === 'image/png' || type === 'image/jpeg' || type === 'image/webp'
  const data = Buffer.from(isTaken ? bytes : png).toString('base64')
  return { media_type: isTaken ? type : 'image/png', data }
}

/**
 * Replaces each picture's text on a page by its address and a placeholder for the model's description. Without an
 * answer only the address remains.
 * @param read a picture by its address; null if it cannot be shown to a model
 */
async function captionPage(
  page: Page,
  read: (address: string) => Promise<SentPicture | null>,
): Promise<CaptionQuestion[]> {
  const addresses = [...new Set((await page.evaluate(listPictures)) as string[])].slice(0, mostCaptions)
  const found = await Promise.all(addresses.map(async (address) => [address, await read(address)] as const))
  const shown = found.flatMap(([address, picture]) => (picture === null ? [] : [{ address, picture }]))
  const asked = shown.map(({ address, picture }) => ({
    address,
    question: askForCaption(picture, 'description: {caption}'),
  }))
  const placeholders = asked.map(({ address, question }) => [address, question.placeholder] as const)
  await page.evaluate(describePictures(Object.fromEntries(placeholders)))
  return asked.map(({ question }) => question)
}

/** @param template the text for the placeholder; {caption} stands for the answer */
function askForCaption(picture: SentPicture, template: string): CaptionQuestion {
  const name = hash('sha256', picture.data + template, 'hex').slice(0, 8)
  return {
    role: 'captioner',
    text: 'Describe this picture in one short sentence: what it shows, with colours and any text in it.',
    pictures: [picture],
    placeholder: `⟦caption ${name}⟧`,
    template,
  }
}

import { hash } from 'node:crypto'
import type { Page } from 'playwright-core'
import type { CaptionQuestion } from '../../shared/core/contracts/model-question.ts'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'

const mostCaptions = 24

const listPictures = `[...document.images].filter((image) => image.src && !image.src.includes('data:image/svg')).map((image) => image.src)`

const describePictures = (captions: Record<string, string>) => `for (const image of document.images) {
  const caption = ${JSON.stringify(captions)}[image.src]
  if (caption !== undefined) image.alt = caption + ', url: ' + image.src
}`

/**
 * Replaces each picture's text on a page by its address and a placeholder for the model's description. Without an
 * answer only the address remains.
 * @param read a picture by its address; null if it cannot be shown to a model
 */
export async function captionPage(
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
export function askForCaption(picture: SentPicture, template: string): CaptionQuestion {
  const name = hash('sha256', picture.data + template, 'hex').slice(0, 8)
  return {
    role: 'captioner',
    text: 'Describe this picture in one short sentence: what it shows, with colours and any text in it.',
    pictures: [picture],
    placeholder: `⟦caption ${name}⟧`,
    template,
  }
}

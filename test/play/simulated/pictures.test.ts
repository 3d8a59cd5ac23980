import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { pictureFile } from '../../../containers/sites/server/pictures.ts'
import { acceptRequest } from '../../../shared/play/simulated/answer-request.ts'
import { readPicture } from '../../../shared/play/simulated/pictures/read-picture.ts'

const folder = join(import.meta.dirname, '../../../containers/sites/pictures')
const bytesOf = (picture: string) => readFileSync(join(folder, pictureFile(picture)))

/** What the simulated model answers to a prompt with a picture. */
function answer(bytes: Buffer, text: string, skill = 1, seed = 0): string {
  const url = `data:image/png;base64,${bytes.toString('base64')}`
  const content = [
    { type: 'text', text },
    { type: 'image_url', image_url: { url } },
  ]
  const body = { model: 'simulated', seed, messages: [{ role: 'user', content }] }
  const accepted = acceptRequest('/v1/chat/completions', JSON.stringify(body))
  if (!('answer' in accepted)) throw new Error('The request is refused.')
  const completion = accepted.answer({ skill, seed: 0 }).body as {
    choices: { message: { content: string } }[]
  }
  return completion.choices[0]?.message.content ?? ''
}

const describeIt =
  'Describe this picture in one short sentence: what it shows, with colours and any text in it.'

test.each([
  ['armchair purple', 'One purple thing'],
  ['ball red 3', '3 red things'],
  ['apple red 9', '9 red things'],
])('%s is described by its colour and the number of its shapes', (picture, words) => {
  expect(answer(bytesOf(picture), describeIt)).toContain(words)
})

test('a question about a picture is answered by its description, and other prompts are as without it', () => {
  expect(answer(bytesOf('armchair purple'), 'Q: What colour is it? A:')).toContain('purple')
  expect(answer(bytesOf('armchair purple'), 'What is to be done?')).not.toContain('purple')
})

test('with less skill the colour is wrong as often as the skill says', () => {
  const bytes = bytesOf('ball red 3')
  const answers = Array.from({ length: 40 }, (_, seed) => answer(bytes, describeIt, 0.2, seed))
  const right = answers.filter((text) => text.includes('red')).length
  expect(right).toBeGreaterThan(14)
  expect(right).toBeLessThan(36)
})

test('pixels are read as a library reads them, and other files are no pictures', () => {
  const bytes = bytesOf('apple red 9')
  const { width, height, data } = PNG.sync.read(bytes)
  const read = readPicture(bytes)
  expect([read?.width, read?.height]).toEqual([width, height])
  const colours = Array.from({ length: width * height }, (_, at) => [
    ...data.subarray(at * 4, at * 4 + 3),
  ]).flat()
  expect(Buffer.from(read?.pixels ?? []).equals(Buffer.from(colours))).toBe(true)
  expect(readPicture(Buffer.from('GIF89a'))).toBeNull()
})

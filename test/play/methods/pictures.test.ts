import { expect, test } from 'vitest'
import type { SentPicture } from '../../../shared/core/contracts/picture.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import { openPictureSource } from '../../../shared/core/pictures/picture-source.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { openPictureHost, pictureEnvironment, pngOf } from '../../support/picture-host.ts'
import { committedEffects, journalRecords, playOnce, treeOf } from '../../support/play-once.ts'
import { completion } from '../models/chat-request.ts'
import { type SeenRequest, scriptedModels } from '../models/scripted-models.ts'

const model = { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 }

interface WirePart {
  type: string
  image_url?: { url: string; detail?: string }
}

/** An endpoint that looks at `looks` pages and finishes, over a source of pictures in the world. */
function openEndpoint(world: World, looks: number, endpoint: Record<string, unknown> = {}) {
  const answers = Array.from({ length: looks }, () => () => Response.json(completion('Action: look')))
  const finish = () => Response.json(completion('Action: finish'))
  return scriptedModels([...answers, finish], endpoint, { pictures: openPictureSource(world.objects) })
}

function optionsOf(
  world: World,
  sessions: Parameters<typeof playOnce>[0]['sessions'],
  endpoint: ReturnType<typeof openEndpoint>,
) {
  return {
    world,
    environment: pictureEnvironment,
    ...(sessions && { sessions }),
    model: endpoint.model,
    method: { id: 'react' },
    request: { model },
  }
}

function messagesOf(request: SeenRequest | undefined): { content: string | WirePart[] }[] {
  return (request?.body.messages ?? []) as { content: string | WirePart[] }[]
}

const shown = (request: SeenRequest): string[] =>
  messagesOf(request).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap(({ image_url }) => (image_url ? [image_url.url] : [])),
  )

const dataOf = ({ media_type, data }: SentPicture) => `data:${media_type};base64,${data}`

test('what a host shows is stored by its digest, and prompts show the newest four pictures', async () => {
  const world = await openTestWorld()
  const { sessions } = await openPictureHost(world)
  const endpoint = openEndpoint(world, 5)
  const options = optionsOf(world, sessions, endpoint)
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  const pages = [0, 1, 2, 3, 4, 5].map((steps) => dataOf(pngOf(64, 48, [steps, 0, 0])))
  expect(endpoint.seen.map(shown)).toEqual(
    pages.map((_, asked) => pages.slice(Math.max(0, asked - 3), asked + 1)),
  )
  const tree = await treeOf(options)
  const [text, picture] = tree.nodes[1]?.observation ?? []
  expect(text).toEqual({ type: 'text', text: 'Page 1.' })
  expect(picture).toMatchObject({ type: 'blob', media_type: 'image/png', width: 64, height: 48 })
  const { sha256 } = picture as { sha256: string }
  const stored = await world.objects.get(objectKeys.blob(sha256))
  expect(Buffer.from(stored?.body ?? []).toString('base64')).toBe(pngOf(64, 48, [1, 0, 0]).data)
  expect(JSON.stringify(await journalRecords(options))).not.toContain(pngOf(64, 48, [1, 0, 0]).data)
})

test('a page that is drawn otherwise on replay is the same state, and its episode goes on', async () => {
  const world = await openTestWorld()
  const stopping = openEndpoint(world, 5)
  const { sessions } = await openPictureHost(world)
  const first = optionsOf(world, sessions, stopping)
  await playOnce({ ...first, limits: { steps: 2 } })
  const before = await committedEffects(first)
  const redrawn = await openPictureHost(world, (steps) => [pngOf(64, 48, [steps, 99, 99])])
  const endpoint = openEndpoint(world, 1)
  const { outcome } = await playOnce(optionsOf(world, redrawn.sessions, endpoint))
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect((await committedEffects(first)).slice(0, before.length)).toEqual(before)
})

test('an endpoint is sent the detail that it is configured with, and texts alone where a run asks for no pictures', async () => {
  const world = await openTestWorld()
  const { sessions } = await openPictureHost(world)
  const detailed = openEndpoint(world, 0, { pictures: { detail: 'low' } })
  await playOnce(optionsOf(world, sessions, detailed))
  expect(messagesOf(detailed.seen[0]).at(-1)?.content.at(-1)).toMatchObject({ image_url: { detail: 'low' } })
  const other = await openTestWorld()
  const host = await openPictureHost(other)
  const textual = openEndpoint(other, 0)
  const options = optionsOf(other, host.sessions, textual)
  await playOnce({ ...options, request: { model: { ...model, max_pictures: 0 } } })
  expect(messagesOf(textual.seen[0]).map(({ content }) => typeof content)).toEqual(['string', 'string'])
})

test('bytes that are no picture are refused, with what is wrong with them', async () => {
  const world = await openTestWorld()
  const broken = { media_type: 'image/png' as const, data: Buffer.from('no picture').toString('base64') }
  const { sessions } = await openPictureHost(world, () => [broken])
  const { outcome } = await playOnce(optionsOf(world, sessions, openEndpoint(world, 0)))
  expect(outcome).toMatchObject({
    type: 'failed',
    error: { code: 'environment_failed', message: expect.stringContaining('a picture that cannot be read') },
  })
})

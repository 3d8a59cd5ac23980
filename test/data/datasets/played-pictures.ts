import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Dataset, DatasetRequestInput } from '../../../shared/core/contracts/dataset.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { openPictureSource } from '../../../shared/core/pictures/picture-source.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { completionOf } from '../../play/models/chat-request.ts'
import { type SeenRequest, scriptedModels } from '../../play/models/scripted-models.ts'
import { openTestEngine, toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openPictureHost, pictureEnvironment } from '../../support/picture-host.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { request } from './stored-runs.ts'

const unpack = promisify(gunzip)

/** A prompt as an endpoint was sent it. */
export type SentMessage = { role: string; content: string | SentPart[] }
type SentPart = { type: string; text?: string; image_url?: { url: string } }

/**
 * The environment of pictures over a real engine. The model `good` looks at five pages and finishes, `bad` never finishes, and
 * `search` is for searches.
 */
export async function openPicturePlay(world: World) {
  const answers = openAnswers()
  const endpoint = scriptedModels(
    [(body) => Response.json(completionOf(answers(body)))],
    {},
    {
      pictures: openPictureSource(world.objects),
    },
  )
  const { sessions } = await openPictureHost(world)
  const engine = openTestEngine({ world, environment: pictureEnvironment, sessions, models: endpoint.models })
  engine.worker.start()
  const datasets = openTestDatasets(world, engine.runs)

  return {
    seen: endpoint.seen,
    datasets: datasets.of('default'),
    async play(id: string, more: Partial<RunRequestInput> & { max_pictures?: number } = {}): Promise<string> {
      const { max_pictures, ...rest } = more
      const model = {
        endpoint: 'mine',
        id,
        max_tokens: 100,
        ...(max_pictures !== undefined && { max_pictures }),
      }
      const run = await engine.runs.create(toRequest({ environment: 'pictures', model, ...rest }))
      const ended = await untilStatus(engine, run.id, 'succeeded', 'failed')
      if (ended.status === 'failed') throw new Error(JSON.stringify(ended))
      return run.id
    },
    async build(wanted: DatasetRequestInput): Promise<Dataset> {
      const { id } = await datasets.of('default').create(request(wanted))
      await buildNow(datasets, id)
      return datasets.of('default').get(id)
    },
  }
}

export type PicturePlay = Awaited<ReturnType<typeof openPicturePlay>>

/** `search` answers a prompt that it is asked again otherwise: the second answer to a prompt finishes, but for the first page. */
function openAnswers(): (body: SeenRequest['body']) => string[] {
  const times = new Map<string, number>()
  return ({ model, messages, n = 1 }) => {
    const played = (messages as SentMessage[]).filter(({ role }) => role === 'assistant').length
    if (model !== 'search')
      return [model === 'good' && played >= 5 ? 'Action: finish' : `Action: look ${played}`]
    const prompt = JSON.stringify(messages)
    return Array.from({ length: Number(n) }, () => {
      const time = times.get(prompt) ?? 0
      times.set(prompt, time + 1)
      return time === 1 && played > 0 ? 'Action: finish' : `Action: look ${played}${time}`
    })
  }
}

/** The prompts of the requests, as they were sent. */
export const promptsOf = (seen: readonly SeenRequest[]) =>
  seen.map(({ body }) => body.messages as SentMessage[])

/** The names of the pictures that messages show, by the bytes of their addresses. */
export function sentPictures(messages: readonly SentMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap(({ image_url }) => nameOf(image_url?.url) ?? []),
  )
}

function nameOf(address: string | undefined): string | null {
  if (address === undefined) return null
  const bytes = Buffer.from(address.slice('data:image/png;base64,'.length), 'base64')
  return `images/${hash('sha256', bytes)}.png`
}

/** The texts of messages, in whichever form. */
export const textsOf = (messages: readonly SentMessage[]): string[] =>
  messages.map(({ content }) =>
    typeof content === 'string' ? content : content.flatMap(({ text }) => text ?? []).join(''),
  )

/** The rows of a dataset in JSON, as they are stored. */
export async function storedRows(world: World, dataset: Dataset): Promise<JsonObject[]> {
  const files = dataset.files.filter(({ name }) => name.startsWith('data-'))
  const rows = await Promise.all(
    files.map(async ({ name }) => {
      const object = await world.objects.get(`datasets/${dataset.id}/${name}`)
      const text = (await unpack(object?.body ?? new Uint8Array())).toString('utf8')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JsonObject)
    }),
  )
  return rows.flat()
}

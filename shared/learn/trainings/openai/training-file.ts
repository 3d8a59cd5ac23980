import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Json } from '../../../core/contracts/json.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { estimateTokens } from '../../../play/models/estimate-tokens.ts'
import { pictureTokens } from '../../../play/models/picture-tokens.ts'
import type { TrainerData } from '../trainer.ts'

const unpack = promisify(gunzip)

const tokensPerMessage = 4

async function* textsOf(objects: Pick<Objects, 'get'>, data: readonly TrainerData[]): AsyncGenerator<string> {
  for (const { key } of data.flatMap(({ files }) => files)) {
    const object = await objects.get(key)
    if (object === null) throw new EspalierError('storage_failed', `The file ${key} of a dataset is missing.`)
    const body = key.endsWith('.gz') ? await unpack(object.body) : Buffer.from(object.body)
    const text = body.toString('utf8')
    yield text === '' || text.endsWith('\n') ? text : `${text}\n`
  }
}

export async function writeTrainingFile(
  objects: Pick<Objects, 'get'>,
  data: readonly TrainerData[],
  path: string,
): Promise<{ sha256: string; bytes: number }> {
  await mkdir(dirname(path), { recursive: true })
  const whole = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'w')
  try {
    for await (const text of textsOf(objects, data)) {
      whole.update(text)
      bytes += Buffer.byteLength(text)
      await file.write(text)
    }
  } finally {
    await file.close()
  }
  return { sha256: whole.digest('hex'), bytes }
}

/** An upper estimate of an epoch's tokens: one for every three bytes of the messages, and their marks. */
export async function estimateEpoch(
  objects: Pick<Objects, 'get'>,
  data: readonly TrainerData[],
): Promise<number> {
  let tokens = 0
  for await (const text of textsOf(objects, data)) {
    for (const line of text.split('\n')) if (line !== '') tokens += tokensIn(JSON.parse(line))
  }
  return tokens
}

function tokensIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + tokensIn(each), 0)
  return Object.entries(value).reduce(
    (sum, [name, each]) => sum + (typeof each === 'string' ? tokensOfText(name, each) : tokensIn(each)),
    0,
  )
}

/**
 * A content, a part of one, or a picture, which counts as the maximum for any known family regardless of its size.
 */
function tokensOfText(name: string, text: string): number {
  if (name === 'content') return estimateTokens(text) + tokensPerMessage
  if (name === 'text') return estimateTokens(text)
  return name === 'url' ? pictureTokens({}) : 0
}

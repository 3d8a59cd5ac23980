import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { DataPack, PackFile, PackSource } from '../data-pack.ts'
import { createGoalMaker, type Goal } from './goal.ts'
import { humanFile } from './pack-format.ts'
import { completeProduct, type StoredProduct } from './product.ts'
import {
  humanInstructionsSchema,
  instructionsSchema,
  isSold,
  publicProductSchema,
  storeProduct,
  wishesOf,
} from './public-files.ts'

const settingsSchema = z.strictObject({
  goals: z.enum(['human', 'synthetic']).optional(),
  compatibility: z.enum(['espalier', 'original']).default('original'),
})

const manifestSchema = z.object({
  goals: z.enum(['human', 'synthetic']),
  compatibility: z.enum(['espalier', 'original']),
  product_files: z.array(z.string()),
  goal_files: z.array(z.string()),
})

export type WebshopManifest = z.infer<typeof manifestSchema>

const manifestFile = 'webshop.json'

const mostLines = 4000

export async function* collectWebshop(source: PackSource): AsyncGenerator<PackFile> {
  const productsPath = pathOf(source, 'items_shuffle.json') ?? find(source, /^items_shuffle_\d+\.json$/)
  const size = /_\d+(?=\.json$)/.exec(productsPath ?? '')?.[0] ?? ''
  const instructionsPath = pathOf(source, `items_ins_v2${size}.json`) ?? pathOf(source, 'items_ins_v2.json')
  const humanPath = pathOf(source, humanFile)
  if (productsPath === undefined)
    throw invalid('The folder has no items_shuffle.json or items_shuffle_1000.json.')
  if (instructionsPath === undefined) throw invalid(`The folder has no items_ins_v2${size}.json.`)
  const settingsPath = pathOf(source, manifestFile)
  const settings = settingsPath ? await read(source, settingsPath, settingsSchema) : settingsSchema.parse({})
  const kind = settings.goals ?? (humanPath !== undefined && size === '' ? 'human' : 'synthetic')
  if (kind === 'human' && humanPath === undefined)
    throw invalid(`Human goals need ${humanFile} in the folder.`)
  const instructions = await read(source, instructionsPath, instructionsSchema)
  const human = humanPath === undefined ? {} : await read(source, humanPath, humanInstructionsSchema)

  const maker = createGoalMaker(kind)
  const seen = new Set<string>()
  const productFiles = chunkWriter('products')
  for (const item of itemsOf(await source.read(productsPath), productsPath)) {
    if (!isSold(item) || seen.has(item.asin)) continue
    seen.add(item.asin)
    const product = storeProduct(item, instructions[item.asin]?.attributes ?? [])
    maker.add(completeProduct(product), wishesOf(item.asin, instructions, human))
    yield* productFiles.add(product)
  }
  yield* productFiles.end()
  const goals = maker.finish()
  if (goals.length === 0)
    throw invalid(`No product of ${productsPath} has ${kind} instructions, so there is no goal.`)
  const goalFiles = chunkWriter('goals')
  for (const goal of goals) yield* goalFiles.add(goal)
  yield* goalFiles.end()
  const manifest: WebshopManifest = {
    goals: kind,
    compatibility: settings.compatibility,
    product_files: productFiles.names,
    goal_files: goalFiles.names,
  }
  yield { path: manifestFile, body: encode(`${JSON.stringify(manifest, null, 2)}\n`) }
}

export async function readManifest(pack: DataPack): Promise<WebshopManifest> {
  return manifestSchema.parse(JSON.parse(decode(await pack.read(manifestFile))))
}

export async function readGoals(pack: DataPack, { goal_files }: WebshopManifest): Promise<Goal[]> {
  const goals: Goal[] = []
  for (const file of goal_files) for (const goal of await readLines<Goal>(pack, file)) goals.push(goal)
  return goals
}

export async function* readProducts(
  pack: DataPack,
  { product_files }: WebshopManifest,
): AsyncGenerator<StoredProduct[]> {
  for (const file of product_files) yield readLines<StoredProduct>(pack, file)
}

async function readLines<Row>(pack: DataPack, file: string): Promise<Row[]> {
  const lines = decode(await pack.read(file)).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

function chunkWriter(name: string) {
  const names: string[] = []
  let lines: string[] = []
  function* end(): Generator<PackFile> {
    if (lines.length === 0) return
    const path = `${name}-${String(names.length + 1).padStart(5, '0')}.jsonl`
    names.push(path)
    yield { path, body: encode(`${lines.join('\n')}\n`) }
    lines = []
  }
  function* add(row: StoredProduct | Goal): Generator<PackFile> {
    lines.push(JSON.stringify(row))
    if (lines.length >= mostLines) yield* end()
  }
  return { names, add, end }
}

function* itemsOf(bytes: Uint8Array, path: string) {
  let position = 0
  try {
    for (const item of splitJsonArray(bytes)) {
      yield publicProductSchema.parse(item)
      position += 1
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    throw invalid(`${path}, item ${position}: ${describe(error)}`, error)
  }
}

async function read<Content>(source: PackSource, path: string, schema: z.ZodType<Content>): Promise<Content> {
  try {
    return schema.parse(JSON.parse(decode(await source.read(path))))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    throw invalid(`${path} cannot be read: ${describe(error)}`, error)
  }
}

function describe(error: SyntaxError | z.ZodError): string {
  return error instanceof z.ZodError ? z.prettifyError(error) : error.message
}

function find({ files }: PackSource, name: RegExp): string | undefined {
  return files.find((path) => name.test(path.split('/').at(-1) ?? ''))
}

function pathOf({ files }: PackSource, name: string): string | undefined {
  return files.find((path) => path.split('/').at(-1) === name)
}

function invalid(message: string, cause?: unknown): EspalierError {
  return new EspalierError('invalid_request', message, cause === undefined ? {} : { cause })
}

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const [quote, backslash, comma] = [...'"\\,'].map((character) => character.charCodeAt(0))
const opening = new Set([...'[{'].map((character) => character.charCodeAt(0)))
const closing = new Set([...']}'].map((character) => character.charCodeAt(0)))

/**
 * Reads the items of a JSON array, one by one, so that a file of any size can be read: the public product file has
 * 5.5 GB, and a string ends at half a gigabyte.
 * @param bytes the array in UTF-8, with items that are objects
 * @throws SyntaxError when an item is not JSON
 */
export function* splitJsonArray(bytes: Uint8Array): Generator<unknown> {
  const decoder = new TextDecoder()
  let depth = 0
  let start = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) {
      at = endOfString(bytes, at)
    } else if (opening.has(byte)) {
      depth += 1
      if (depth === 2) start = at
    } else if (closing.has(byte)) {
      depth -= 1
      if (depth === 1) yield JSON.parse(decoder.decode(bytes.subarray(start, at + 1)))
    } else if (depth === 0 && byte === comma) {
      throw new SyntaxError('It is not one JSON array.')
    }
  }
  if (depth !== 0) throw new SyntaxError('Its JSON array does not end.')
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

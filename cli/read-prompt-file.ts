import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { FewShotTurn } from '../shared/core/contracts/few-shot-turn.ts'
import type { SentPicture } from '../shared/core/contracts/picture.ts'
import { wrongUsage } from './command-error.ts'
import { readText } from './read-text.ts'

export interface PromptFile {
  text?: string
  examples?: FewShotTurn[]
}

const turnSchema = z.object({
  role: z.enum(['user', 'assistant']).optional(),
  from: z.enum(['human', 'gpt']).optional(),
  content: z.string().optional(),
  value: z.string().optional(),
  pictures: z.array(z.string()).optional(),
})
const turnsSchema = z.array(turnSchema).min(2)

// VisualWebArena's and WebArena's: observation, answer, and the screenshot's path.
const tripleSchema = z.tuple([z.string(), z.string()]).rest(z.string())

const fileSchema = z.union([
  z.object({ intro: z.string(), examples: z.array(tripleSchema).min(1) }),
  z.object({ text: z.string().optional(), examples: turnsSchema }),
  // ETO's: lists of turns, of which it shows the first.
  z.array(turnsSchema).min(1),
])

/**
 * Reads the file of `--prompt id=@FILE`: a text; a JSON file of VisualWebArena, of ETO's examples, or `{ text?,
 * examples }`; or, with `#NAME` behind it, an entry of LearnAct's Python prompts.
 * @throws CommandError that names the file
 */
export async function readPromptFile(named: string): Promise<PromptFile> {
  const [, path = named, entry] = /^(.+\.py)#(.+)$/.exec(named) ?? []
  if (entry !== undefined) return { text: await readPythonEntry(path, entry) }
  const content = await readText(path)
  if (extname(path) !== '.json') return { text: content }
  const parsed = fileSchema.safeParse(readJson(path, content))
  if (!parsed.success) {
    throw wrongUsage(
      `${path} is no file of prompts. It holds "intro" and "examples" as VisualWebArena's, a list of lists of turns as ETO's, or "examples" as turns with a role and a content.`,
    )
  }
  const file = parsed.data
  if (Array.isArray(file)) return { examples: await toTurns(path, file[0] as z.infer<typeof turnsSchema>) }
  if (!('intro' in file)) {
    const examples = await toTurns(path, file.examples)
    return file.text === undefined ? { examples } : { text: file.text, examples }
  }
  const turns = file.examples.flatMap(([observation, answer, picture]) => [
    { role: 'user' as const, content: observation, ...(picture !== undefined && { pictures: [picture] }) },
    { role: 'assistant' as const, content: answer },
  ])
  return { text: file.intro, examples: await toTurns(path, turns) }
}

function toTurns(path: string, turns: z.infer<typeof turnsSchema>): Promise<FewShotTurn[]> {
  return Promise.all(
    turns.map(async ({ role, from, content, value, pictures }) => ({
      role: role ?? (from === 'gpt' ? ('assistant' as const) : ('user' as const)),
      content: content ?? value ?? '',
      ...(pictures !== undefined && {
        pictures: await Promise.all(pictures.map((picture) => readPicture(path, picture))),
      }),
    })),
  )
}

const types: Readonly<Record<string, SentPicture['media_type']>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

// The paper's files name pictures from the root of their repository, which is some folder above.
async function readPicture(file: string, picture: string): Promise<SentPicture> {
  const media_type = types[extname(picture).toLowerCase()]
  if (media_type === undefined) throw wrongUsage(`${file}: ${picture} is no PNG, JPEG or WebP file.`)
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const bytes = await readFile(join(folder, picture)).catch(() => null)
    if (bytes !== null) return { media_type, data: bytes.toString('base64') }
    if (folder === dirname(folder)) {
      throw wrongUsage(`${file} names the picture ${picture}, which is in no folder above it.`)
    }
  }
}

// Reads literals and names of literals; runs nothing of the file.
const reader = `
import ast, json, sys
known = {}
def value(node):
    if isinstance(node, ast.Constant): return node.value
    if isinstance(node, ast.Name): return known[node.id]
    if isinstance(node, (ast.List, ast.Tuple)): return [value(each) for each in node.elts]
    if isinstance(node, ast.Dict): return {value(k): value(v) for k, v in zip(node.keys, node.values)}
    raise KeyError(type(node).__name__)
for each in ast.parse(open(sys.argv[1], encoding="utf-8").read()).body:
    if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
        try: known[each.targets[0].id] = value(each.value)
        except KeyError: pass
print(json.dumps(known))
`

const entrySchema = z.object({
  examples: z.array(z.string()),
  instruction: z.string(),
  system_msg: z.string().default(''),
})

async function readPythonEntry(path: string, entry: string): Promise<string> {
  const python = process.env.ESPALIER_PYTHON ?? 'python3'
  const { stdout } = await promisify(execFile)(python, ['-I', '-c', reader, path], {
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: unknown) => {
    throw wrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  const known = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout))
  const entries = Object.values(known).flatMap((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [],
  )
  const found = entrySchema.safeParse(entries.find(([name]) => name === entry)?.[1])
  if (!found.success) {
    const names = entries.flatMap(([name, value]) => (entrySchema.safeParse(value).success ? [name] : []))
    throw wrongUsage(`${path} has no prompts named "${entry}". It has: ${names.join(', ') || 'none'}.`)
  }
  const { examples, instruction, system_msg } = found.data
  const [before = '', after] = instruction.split('{}')
  const rules = after === undefined ? `${before}\n\n{{actions}}` : `${before}{{actions}}${after}`
  return [system_msg, rules, '{{notes}}', 'Here are examples:', ...examples]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

function readJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    throw wrongUsage(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

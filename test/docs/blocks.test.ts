import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { serversFileSchema } from '../../local/open-servers.ts'
import { trainersFileSchema } from '../../local/open-trainers.ts'
import { lineageRowSchema } from '../../shared/core/contracts/dataset.ts'
import { endpointsFileSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { errorBodySchema } from '../../shared/core/contracts/error-body.ts'
import { loopRequestSchema } from '../../shared/core/contracts/loop.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'
import { environmentsFileSchema } from '../../shared/environments/added/environments-file.ts'
import { actionToolSchema } from '../../shared/environments/tools/action-tool.ts'
import { methodsFileSchema } from '../../shared/play/methods/added/methods-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { documents, type Fence, fencesOf, root } from './documents.ts'

const run = promisify(execFile)
const named = (fences: Fence[]) => fences.map((fence) => [`${fence.file}:${fence.line}`, fence] as const)

/** What a block of JSON is, by a field that only that has. */
const shapes = {
  endpoints: endpointsFileSchema,
  environments: environmentsFileSchema,
  methods: methodsFileSchema,
  folders: trainersFileSchema,
  servers: serversFileSchema,
  trainer: loopRequestSchema.partial(),
  environment: runRequestSchema,
  prompts: runRequestSchema.pick({ method: true, prompts: true }),
  error: errorBodySchema,
  schema: actionToolSchema,
  // As the clients of MCP read it, which start the command.
  mcpServers: z.strictObject({
    mcpServers: z.strictObject({
      espalier: z.strictObject({
        command: z.literal('npx'),
        args: z.tuple([z.literal('espalier'), z.literal('mcp')], z.string()),
        env: z.strictObject({ ESPALIER_API_KEY: z.string() }).optional(),
      }),
    }),
  }),
} as const

describe('a block of JSON is what it is said to be', () => {
  test.each(named(fencesOf('json')))('%s', (_place, { text }) => {
    const value = JSON.parse(text)
    const shape =
      'row' in value ? lineageRowSchema : Object.entries(shapes).find(([key]) => key in value)?.[1]
    expect(shape, 'a shape that has such fields').toBeDefined()
    expect(shape?.safeParse(value).error).toBeUndefined()
  })
})

/** What the line before a block says of it. */
function markOf({ file, line }: Fence): { isWhole: boolean; path: string } | null {
  const before = documents.find((each) => each.file === file)?.text.split('\n')[line - 3] ?? ''
  const mark = /^<!-- (the same as|part of) (\S+) -->$/.exec(before)
  return mark === null ? null : { isWhole: mark[1] === 'the same as', path: mark[2] ?? '' }
}

const code = [...fencesOf('ts'), ...fencesOf('python')]

describe('a block that shows a file shows what stands there', () => {
  test.each(named(code.filter((fence) => markOf(fence) !== null)))('%s', (_place, fence) => {
    const { isWhole, path } = markOf(fence) ?? { isWhole: true, path: '' }
    const file = readFileSync(join(root, path), 'utf8')
    if (isWhole) expect(file).toBe(fence.text)
    else expect(file).toContain(fence.text.trim())
  })
})

test('every other block of TypeScript has the types that it should', async () => {
  const folder = await temporaryFolder()
  for (const name of ['shared', 'node_modules']) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'examples'), { recursive: true })
  const blocks = fencesOf('ts').filter((fence) => markOf(fence) === null)
  expect(blocks.length).toBeGreaterThan(1)
  for (const [index, { text }] of blocks.entries())
    writeFileSync(join(folder, `examples/block-${index}.ts`), text)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const configuration = { extends: join(root, 'tsconfig.json'), include: ['examples'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

test('every other block of Python can be read', async () => {
  const blocks = fencesOf('python').filter((fence) => markOf(fence) === null)
  for (const { text } of blocks)
    await run('python3', ['-c', `import ast\nast.parse(${JSON.stringify(text)})`])
})

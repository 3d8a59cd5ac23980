import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fileNameSchema,
  hubIdSchema,
  modelNameSchema,
  revisionSchema,
} from '../../../shared/core/contracts/path-types.ts'
import { checkLinks, checkPaths } from '../../../shared/learn/trainings/check-paths.ts'

const anywhere = { folders: null, isService: false }
const noReward = { hyperparameters: {} }

const paths = [
  '/etc',
  '/',
  '../../x',
  '..',
  '.',
  './x',
  'x/..',
  'a/../b',
  '~/models/x',
  'a/b/c',
  'owner/',
  '/name',
  '',
  'file:///etc/passwd',
  'C:\\models',
  'C:/models',
  'owner\\name',
  'owner/name\0',
  'owner/name\n',
  ' owner/name',
  'owner/.hidden',
  '-owner/name',
  'owner/name.git',
  'ow--ner/name',
  'ｏwner/name',
  'https://host/model',
]

describe('the name of a model at a hub', () => {
  test.each(paths)('is not %j', (hub) => {
    expect(() => checkPaths({ base: { hub }, ...noReward }, anywhere)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'base.hub' }),
    )
  })

  test.each(['Qwen/Qwen3-0.6B', 'meta-llama/Llama-3.1-8B_x', 'a/b', '01-ai/Yi-1.5-9B'])('is %s', (hub) => {
    expect(() => checkPaths({ base: { hub }, ...noReward }, anywhere)).not.toThrow()
  })

  test('of a service has its own form, which is no path either', () => {
    const service = { folders: null, isService: true }
    for (const hub of ['gpt-4.1-nano-2025-04-14', 'ft:gpt-4.1:org::id', 'accounts/model']) {
      expect(() => checkPaths({ base: { hub }, ...noReward }, service)).not.toThrow()
    }
    for (const hub of ['/etc', '../x', 'a/../b', 'a/b/c', '']) {
      expect(() => checkPaths({ base: { hub }, ...noReward }, service)).toThrow(/must be the name/)
    }
  })

  test.each(['../../refs', '/etc/passwd', 'a/../../b', '.hidden', 'a//b', ''])(
    'has no revision %j',
    (revision) => {
      expect(() => checkPaths({ base: { hub: 'a/b', revision }, ...noReward }, anywhere)).toThrow(
        expect.objectContaining({ param: 'base.revision' }),
      )
    },
  )
})

test('whatever passes as a name leads out of no folder', () => {
  const piece = fc.constantFrom('..', '.', '/', '\\', 'a', 'B', '-', '_', '~', ':', '\0', '%2e', 'git', '9')
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (name) => {
      for (const schema of [hubIdSchema, modelNameSchema, revisionSchema, fileNameSchema]) {
        if (!schema.safeParse(name).success) continue
        const inside = join('/root', name)
        expect(inside).toMatch(/^\/root\/./)
        expect(inside.slice('/root/'.length)).toBe(name)
      }
    }),
    { numRuns: 3000 },
  )
})

describe('a path of a request', () => {
  test.each(['relative/model', './model', '/models/../etc', ''])('is not %j', (folder) => {
    expect(() => checkPaths({ base: { folder }, ...noReward }, anywhere)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'base.folder' }),
    )
  })

  test('lies below a folder that the operator names, also behind its links', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'paths-')))
    const [allowed, secret] = [join(root, 'allowed'), join(root, 'secret')]
    await mkdir(join(allowed, 'model'), { recursive: true })
    await mkdir(secret)
    await symlink(secret, join(allowed, 'link'))
    await writeFile(join(secret, 'reward.py'), '')
    const check = async (base: { folder: string }, reward: { file: string } | null = null) => {
      const named = { base, hyperparameters: { reward } }
      checkPaths(named, { folders: [allowed], isService: false })
      await checkLinks(named, [allowed])
    }
    const inside = { folder: join(allowed, 'model') }
    await check(inside)
    await check({ folder: join(allowed, 'new') })
    const refused = { code: 'invalid_request', param: 'base.folder' }
    await expect(check({ folder: secret })).rejects.toMatchObject(refused)
    await expect(check({ folder: `${allowed}-other` })).rejects.toMatchObject(refused)
    await expect(check({ folder: join(allowed, 'link') })).rejects.toMatchObject(refused)
    await expect(check(inside, { file: join(allowed, 'link', 'reward.py') })).rejects.toMatchObject({
      param: 'hyperparameters.reward.file',
    })
    // The allowed folder may itself be a link.
    await symlink(allowed, join(root, 'alias'))
    await checkLinks({ base: { folder: join(root, 'alias', 'model') }, ...noReward }, [join(root, 'alias')])
  })
})
